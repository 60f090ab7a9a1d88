"""Smooth contact of a ball with a surface: a spring across the overlap, friction without a jump."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from dalembert.formulas.expression import ZERO, Expression, lift
from dalembert.formulas.functions import maximum, minimum, sqrt
from dalembert.model.basics.element import Formulas, FrameView, cross, dot
from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.base import ForceElement, Load, is_zero, shown
from dalembert.model.joints.joint import read_quantities, read_quantity

SURFACES = ("plane", "sphere", "capsule", "box")
"""Surfaces that a ball touches."""

TINY = 1e-300
"""Under roots of squares: slopes at 0 are 0, not 0/0."""


@dataclass(frozen=True, eq=False, repr=False)
class SoftContact(ForceElement):
    """Contact of a ball with a surface as a force without jumps (contact 14.1).

    With the gap phi, the overlap d = max(0, -phi) and the sliding s of the surfaces

        f_n = max(0, k d (1 - c phi')),    f_t = -mu f_n s / sqrt(s^2 + slip^2).

    Parameters
    ----------
    first : Frame, Body, or "body/frame"
        Its origin is the middle of the ball.
    second : Frame, Body, World, or "body/frame"
        Of the surface: its z axis is the normal of a plane, the axis of a capsule.
    radius : float or formula of parameters  [m]
        Of the ball; 0 is a point.
    surface : "plane", "sphere", "capsule" or "box"
    size : 3 numbers or formulas of parameters  [m]
        Of the surface: (radius, 0, 0) of a sphere, (radius, length, 0) of a capsule, edges of a
        box.
    stiffness : float or formula of parameters  [N/m]
    dissipation : float or formula of parameters  [s/m]
        Hunt and Crossley's damping.
    friction : float or formula of parameters
        Coulomb's coefficient, reached at sliding well above `slip`.
    slip : float or formula of parameters  [m/s]
        Below it friction is viscous: a body on a slope creeps, by some slip * tan(slope)/mu.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("ball")
    >>> ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.3))
    >>> model.add_force(dl.SoftContact(ball, model.world, radius=0.1, stiffness=1e4, name="floor"))
    SoftContact(ball, world, radius=0.1, stiffness=10000, name='floor')
    """

    first: Any
    second: Any
    _: KW_ONLY
    radius: Quantity
    surface: str = "plane"
    size: Any = (0.0, 0.0, 0.0)
    stiffness: Quantity
    dissipation: Quantity = 0.0
    friction: Quantity = 0.0
    slip: Quantity = 1e-3

    ends: ClassVar[tuple[str, ...]] = ("first", "second")

    def read(self, findings: Findings) -> None:
        """Check numbers and surface."""
        for field in ("radius", "dissipation", "friction"):
            number = value_of(read_quantity(self, field, findings))
            if number is not None and number < 0.0:
                findings.append(f"{field} is {number:g}. Give a number that is not negative.")
        read_quantity(self, "stiffness", findings, positive="a positive stiffness in N/m")
        read_quantity(self, "slip", findings, positive="a positive speed in m/s")
        read_quantities(self, "size", 3, findings)
        if self.surface not in SURFACES:
            findings.append(f"surface {self.surface!r:.40} is unknown. Give {', '.join(SURFACES)}.")
            object.__setattr__(self, "surface", "plane")

    def data(self) -> tuple[Quantity, ...]:
        """Radius, size of the surface, coefficients."""
        own = (self.radius, *self.size, self.stiffness, self.dissipation, self.friction, self.slip)
        return tuple(own)

    def structure(self) -> Hashable:
        """The surface, and which parts of the law there are."""
        return (self.surface, is_zero(self.dissipation), is_zero(self.friction))

    def gap(self) -> Expression:
        """The gap as a formula of the motion; below 0 the surfaces overlap."""
        phi: Expression = self._meeting(self.views, [lift(x) for x in self.data()])[0]
        return phi

    def _meeting(self, views: Sequence[FrameView], data: Formulas) -> tuple[Any, Any, Any]:
        """The gap, its normal from the surface to the ball, and the point where they meet."""
        a, b = views[:2]
        radius, size = data[0], data[1:4]
        away = a.origin - b.origin
        if self.surface == "plane":
            phi = dot(b.z, away) - radius
            return phi, b.z, a.origin - b.z * radius
        foot, skin = b.origin, size[0]
        if self.surface == "capsule":
            half = size[1] / 2
            foot = foot + b.z * maximum(-half, minimum(half, dot(b.z, away)))
        elif self.surface == "box":
            skin = ZERO
            for axis, edge in zip((b.x, b.y, b.z), size, strict=True):
                foot = foot + axis * maximum(-edge / 2, minimum(edge / 2, dot(axis, away)))
        away = a.origin - foot
        length = sqrt(dot(away, away) + TINY)
        normal = away / length
        phi = length - skin - radius
        return phi, normal, foot + normal * (skin + phi / 2)

    def act(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Load]:
        """Equal and opposite forces at the point where both meet."""
        a, b = views[:2]
        stiffness, dissipation, friction, slip = data[4:]
        phi, n, point = self._meeting(views, data)
        arm_a, arm_b = point - a.origin, point - b.origin
        u = a.velocity + cross(a.angular_velocity, arm_a)
        u = u - b.velocity - cross(b.angular_velocity, arm_b)
        rate = dot(n, u)
        push = stiffness * maximum(0.0, -phi)
        if not is_zero(self.dissipation):
            push = push * maximum(0.0, 1.0 - dissipation * rate)
        force = n * push
        if not is_zero(self.friction):
            s = u - n * rate
            force = force - s * (friction * push / sqrt(dot(s, s) + slip * slip))
        force = np.asarray(force, dtype=object)
        return [(force, cross(arm_a, force)), (-force, -cross(arm_b, force))]

    def energy(
        self, views: Sequence[FrameView], data: Formulas, turns: Formulas
    ) -> Expression | None:
        """k d^2 / 2."""
        overlap = maximum(0.0, -self._meeting(views, data)[0])
        stored: Expression = data[4] * overlap * overlap / 2
        return stored

    @property
    def conservative(self) -> bool:
        """True without friction and dissipation."""
        return is_zero(self.dissipation) and is_zero(self.friction)

    def options(self) -> list[tuple[str, str]]:
        """Surface and coefficients."""
        found = [("radius", shown(self.radius))]
        if self.surface != "plane":
            found.append(("surface", repr(self.surface)))
            found.append(("size", f"({', '.join(map(shown, self.size))})"))
        found.append(("stiffness", shown(self.stiffness)))
        found += [
            (key, shown(getattr(self, key)))
            for key in ("dissipation", "friction")
            if not is_zero(getattr(self, key))
        ]
        return found if is_zero(self.friction) else [*found, ("slip", shown(self.slip))]
