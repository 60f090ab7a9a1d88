"""A potential energy given as a formula: the forces and torques that follow from it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from dalembert.formulas.derivative import jacobian
from dalembert.formulas.expression import Expression
from dalembert.formulas.graph import symbols
from dalembert.model.basics.element import Formulas, FrameView, cross
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rigid_body import QuaternionBody
from dalembert.model.forces.base import ForceElement, Load, no_load, read_value, shown


@dataclass(frozen=True, eq=False, repr=False)
class Potential(ForceElement):
    """Forces of a potential energy V of the bodies' positions and rotations.

    Force -dV/dp at the centre of mass p and torque  sum_k  R_k x (-dV/dR_k)  over the columns R_k
    of the rotation (virtual work of  dR = d(theta) x R).

    Parameters
    ----------
    value : formula  [J]
        Of coordinates of any bodies, parameters and time; not of velocities.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("trap", gravity=(0, 0, 0))
    >>> ball = model.add_body("ball", dl.Inertia.sphere(mass=1.0, radius=0.1))
    >>> trap = model.add_force(dl.Potential(5.0 * ball.position @ ball.position, name="trap"))
    >>> trap.evaluated()[0][0][0]
    array([-10*ball.x, -10*ball.y, -10*ball.z], dtype=object)
    """

    value: Any
    _: KW_ONLY
    ends: ClassVar[tuple[str, ...]] = ()

    def read(self, findings: Findings) -> None:
        """Check the formula."""
        read_value(self, "value", findings)
        moving = symbols([self.value], "velocity")
        if moving:
            findings.append(
                f"the potential depends on the velocity {moving[0]!r}. Give such a force as "
                "dl.Force or dl.Torque."
            )

    def formulas(self) -> tuple[Expression, ...]:
        """The energy."""
        return (self.value,)

    def structure(self) -> Hashable:
        """The energy."""
        return (self.value, self.watched.key)

    def act(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Load]:
        """Minus the gradient, for every body in it."""
        found: list[Load] = []
        for frame in self.watched.frames:
            body = frame.body
            assert isinstance(body, QuaternionBody)
            R = body.rotation
            slopes = jacobian([self.value], [*body.center_symbols, *R.ravel()])[0]
            pull, twist = no_load(), no_load()
            pull[:] = [-slope for slope in slopes[:3]]
            G = np.array(slopes[3:], dtype=object).reshape(3, 3)
            for k in range(3):
                twist = twist - cross(R[:, k], G[:, k])
            seen = self.seen([*pull, *twist], views, turns)
            pull[:], twist[:] = seen[:3], seen[3:]
            found.append((pull, twist))
        return found

    def energy(
        self, views: Sequence[FrameView], data: Formulas, turns: Formulas
    ) -> Expression | None:
        """The formula itself."""
        return self.seen([self.value], views, turns)[0]

    @property
    def conservative(self) -> bool:
        """True unless time is in it."""
        return not symbols([self.value], "time")

    @property
    def follows_from_energy(self) -> bool:
        """Always."""
        return True

    def __repr__(self) -> str:
        return f"Potential({shown(self.value)}, name={self.name!r})"
