"""Elastic bushing: springs and dampers in all six directions between two frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from dalembert.formulas.expression import ZERO, Expression
from dalembert.model.basics.element import Formulas, FrameView, cross, dot
from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.base import ForceElement, Load, is_zero, no_load, shown
from dalembert.model.joints.joint import read_quantities

WORDS = ("x", "y", "z", "about x", "about y", "about z")
"""Directions, in the order of the numbers."""


@dataclass(frozen=True, eq=False, repr=False)
class Bushing(ForceElement):
    """Springs and dampers along and about the axes of the first frame.

    Force on the second body  -sum_i (k_i a_i.d + c_i a_i.d') a_i,  with d from the first origin to
    the second and d' as seen in the first body. Turning back is that of the energy
    V = sum_i g_i (1 - a_i . b_i)  with  g_x = (k_y + k_z - k_x)/2, ...: about axis i it has the
    stiffness k_i at small angles, sin(angle) k_i at large ones, and it does no work over a cycle.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
        The bushing carries nothing where the frames coincide.
    stiffness : 6 numbers or formulas of parameters  [N/m], [N m/rad]
        Along x, y, z and about x, y, z of the first frame.
    damping : 6 numbers or formulas of parameters  [N s/m], [N m s/rad]
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("mount")
    >>> engine = model.add_body("engine", dl.Inertia.box(mass=150.0, size=(0.6, 0.5, 0.6)))
    >>> mount = dl.Bushing(
    ...     model.world, engine.at(z=-0.3), stiffness=(2e5, 2e5, 4e5, 500, 500, 300), name="mount"
    ... )
    >>> model.add_force(mount).conservative
    True
    """

    first: Any
    second: Any
    _: KW_ONLY
    stiffness: tuple[Quantity, ...]
    damping: tuple[Quantity, ...] = (0.0,) * 6

    ends: ClassVar[tuple[str, ...]] = ("first", "second")

    def read(self, findings: Findings) -> None:
        """Check that nothing is negative."""
        for field in ("stiffness", "damping"):
            read_quantities(self, field, 6, findings)
            for i, entry in enumerate(getattr(self, field)):
                number = value_of(entry)
                if number is not None and number < 0.0:
                    findings.append(f"{field}[{i}] is {number:g}. Give no negative numbers.")

    def data(self) -> tuple[Quantity, ...]:
        """Stiffness and damping."""
        return (*self.stiffness, *self.damping)

    def act(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Load]:
        """Force and torque on both bodies."""
        a, b = views[:2]
        k, c = data[:6], data[6:]
        d = b.origin - a.origin
        d_dot = b.velocity - a.velocity - cross(a.angular_velocity, d)
        w = b.angular_velocity - a.angular_velocity
        g = _shares(k[3:])
        push, twist = no_load(), no_load()
        for i, axis in enumerate((a.x, a.y, a.z)):
            push = push - axis * (k[i] * dot(axis, d) + c[i] * dot(axis, d_dot))
            twist = twist + cross(b.axes[:, i], axis) * g[i] - axis * (c[3 + i] * dot(axis, w))
        return [(-push, -twist - cross(d, push)), (push, twist)]

    def energy(
        self, views: Sequence[FrameView], data: Formulas, turns: Formulas
    ) -> Expression | None:
        """Elastic energy."""
        a, b = views[:2]
        d, g, total = b.origin - a.origin, _shares(data[3:6]), ZERO
        for i, axis in enumerate((a.x, a.y, a.z)):
            total = total + data[i] * dot(axis, d) ** 2 / 2
            total = total + g[i] * (1.0 - dot(axis, b.axes[:, i]))
        return total

    @property
    def conservative(self) -> bool:
        """True without damping."""
        return all(is_zero(entry) for entry in self.damping)

    def options(self) -> list[tuple[str, str]]:
        """Stiffness and damping."""
        found = [("stiffness", f"({', '.join(map(shown, self.stiffness))})")]
        if not self.conservative:
            found.append(("damping", f"({', '.join(map(shown, self.damping))})"))
        return found


def _shares(k: Sequence[Expression]) -> list[Expression]:
    """g_i such that turning about axis i meets the other two: k_i = g_j + g_k."""
    total = k[0] + k[1] + k[2]
    return [(total - 2.0 * entry) / 2.0 for entry in k]


class ImplicitBushing(Bushing):
    """Dampers of a bushing that steps with impulses have implicitly: a row of each direction.

    In a file it is the bushing that it was.
    """

    @property
    def kind(self) -> str:
        """Name of the bushing whose dampers they are."""
        return "bushing"

    def rates(self) -> list[tuple[str, Expression, Quantity, bool]]:
        """Word, rate, damping, and whether it turns, of each direction that is damped."""
        a, b = self.views[:2]
        d = b.origin - a.origin
        d_dot = b.velocity - a.velocity - cross(a.angular_velocity, d)
        w = b.angular_velocity - a.angular_velocity
        rates = [dot(axis, moved) for moved in (d_dot, w) for axis in (a.x, a.y, a.z)]
        found = zip(WORDS, rates, self.damping, strict=True)
        return [(*one, one[0] not in WORDS[:3]) for one in found if not is_zero(one[2])]
