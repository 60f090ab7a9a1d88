"""Plane linkages made of bodies and hinges: pins are placed by construction with compasses.

Pins are complex numbers x + i z of the x-z plane; angles are counter-clockwise with z up, about
-y. Velocities are those for one radian per second of the crank.
"""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Sequence

from dalembert.formulas.expression import Expression
from dalembert.model import Body, Frame, Inertia, Model
from dalembert.model.joints.revolute import Revolute

AXIS = "-y"
"""Axis of every hinge."""


class Linkage:
    """Pins of a plane linkage and the links between them, as bodies of a model.

    Parameters
    ----------
    model : Model
    density : formula of parameters  [kg/m]
        Of the uniform bars that every link consists of.
    rate : formula of parameters  [rad/s]
        Of the crank at the start.
    """

    def __init__(self, model: Model, density: Expression, rate: Expression) -> None:
        self.model, self.density, self.rate = model, density, rate
        self.pins: dict[str, complex] = {}
        self.speeds: dict[str, complex] = {}
        self._links: dict[str, tuple[Body, str]] = {}

    # -- pins ----------------------------------------------------------------------------------

    def support(self, pin: str, x: float, z: float) -> None:
        """A pin of the ground."""
        self.pins[pin], self.speeds[pin] = complex(x, z), 0j

    def crank(self, pin: str, around: str, radius: float, angle: float) -> None:
        """A pin on a crank that turns about a support."""
        arm = cmath.rect(radius, angle)
        self.pins[pin], self.speeds[pin] = self.pins[around] + arm, 1j * arm

    def meet(self, pin: str, first: str, r: float, second: str, s: float, side: int) -> None:
        """The pin at distances r and s from two others; left of first -> second for side 1.

        (x - p) . (v - v_p) = 0  and  (x - q) . (v - v_q) = 0  give its velocity.
        """
        p, q = self.pins[first], self.pins[second]
        along = (r * r - s * s + abs(q - p) ** 2) / (2 * abs(q - p))
        place = p + (q - p) / abs(q - p) * complex(along, side * math.sqrt(r * r - along * along))
        a, b = place - p, place - q
        e, f = _dot(a, self.speeds[first]), _dot(b, self.speeds[second])
        cross = a.real * b.imag - a.imag * b.real
        speed = complex(b.imag * e - a.imag * f, a.real * f - b.real * e) / cross
        self.pins[pin], self.speeds[pin] = place, speed

    # -- bodies and joints ---------------------------------------------------------------------

    def link(self, name: str, pins: Sequence[str]) -> Body:
        """Body with a bar between every two of its pins; its frame is in the first, x to the next.

        A plane rigid motion has  v_b - v_a = i w (b - a).
        """
        origin, toward = (self.pins[pin] for pin in pins[:2])
        bars = []
        for a, b in itertools.combinations((self._local(pins, pin) for pin in pins), 2):
            middle, turn = (a + b) / 2, (AXIS, cmath.phase(b - a))
            bar = Inertia.rod(self.density * abs(b - a), abs(b - a))
            bars.append(bar.moved((middle.real, 0, middle.imag), rotation=turn))
        v = self.speeds[pins[0]]
        w = ((self.speeds[pins[1]] - v) / (toward - origin)).imag
        body = self.model.add_body(
            name,
            bars[0] if len(bars) == 1 else Inertia.combined(bars),
            position=(origin.real, 0.0, origin.imag),
            rotation=(AXIS, cmath.phase(toward - origin)),
            velocity=(self.rate * v.real, 0.0, self.rate * v.imag),
            angular_velocity=(0.0, -self.rate * w, 0.0),
        )
        self._links[name] = (body, "".join(pins))
        return body

    def hinge(self, pin: str, first: str, second: str) -> Revolute:
        """Hinge of two links at a pin, "hinge_A", "hinge_A2", ...; "world" is the ground."""
        ends = (self.frame(first, pin), self.frame(second, pin))
        before = sum(name.startswith(f"hinge_{pin}") for name in self.model.joints)
        name = f"hinge_{pin}{before + 1 if before else ''}"
        joint: Revolute = self.model.add_joint(Revolute(*ends, axis=AXIS, name=name))
        return joint

    def frame(self, link: str, pin: str) -> Frame:
        """Frame of a link, or of the world, at a pin."""
        if link == "world":
            place = self.pins[pin]
            return self.model.world.at(x=place.real, z=place.imag)
        body, pins = self._links[link]
        local = self._local(pins, pin)
        return body.at(x=local.real, z=local.imag)

    def draw(self) -> None:
        """Every pin a point, every link a line."""
        for name, (_, pins) in self._links.items():
            for pin in pins:
                if pin not in self.model.points:
                    self.model.add_point(pin, self.frame(name, pin))
            self.model.add_line(*(pins if len(pins) == 2 else pins + pins[0]))

    def _local(self, pins: Sequence[str], pin: str) -> complex:
        """A pin in the axes of the link with those pins; exactly on x for its second pin."""
        origin, toward = self.pins[pins[0]], self.pins[pins[1]]
        if pin == pins[1]:
            return complex(abs(toward - origin), 0.0)
        return (self.pins[pin] - origin) * abs(toward - origin) / (toward - origin)


def _dot(a: complex, b: complex) -> float:
    return a.real * b.real + a.imag * b.imag
