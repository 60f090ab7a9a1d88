"""Spring and damper along the line between two points."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, ClassVar

from dalembert.formulas.expression import Expression
from dalembert.formulas.functions import sqrt, where
from dalembert.formulas.graph import substitute, symbols
from dalembert.model.basics.element import Formulas, FrameView, dot
from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.basics.reading import Findings, Reader
from dalembert.model.forces.base import ForceElement, Load, is_zero, no_load, shown
from dalembert.model.forces.formula_frames import EXTENSION, RATE
from dalembert.model.joints.joint import read_quantity

Law = Callable[[Any, Any], Any]
"""(extension, rate) -> tension or torque, written with NumPy functions and dl.where."""


@dataclass(frozen=True, eq=False, repr=False)
class Spring(ForceElement):
    """Tension k (l - l0) + c l' along the line between two points, l their distance.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
    free_length : float or formula of parameters  [m]
        l0, where the spring carries nothing. With 0 the force is k times the vector between the
        points, and has a value also where they meet; so has that of the damper.
    stiffness : float or formula of parameters  [N/m]
    damping : float or formula of parameters  [N s/m]
    law : callable (extension, rate) -> formula  [N]
        Tension instead of stiffness and damping; positive pulls the points together.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("bungee")
    >>> jumper = model.add_body("jumper", dl.Inertia.point(mass=80.0), position=(0, 0, -20))
    >>> def slack(extension, rate):
    ...     return dl.maximum(0.0, 90.0 * extension)
    >>> model.add_force(dl.Spring(model.world, jumper, free_length=25.0, law=slack, name="rope"))
    Spring(world, jumper, free_length=25, law=maximum(0, 90*law.extension), name='rope')
    """

    first: Any
    second: Any
    _: KW_ONLY
    free_length: Quantity
    stiffness: Quantity = 0.0
    damping: Quantity = 0.0
    law: Law | Expression | None = None

    ends: ClassVar[tuple[str, ...]] = ("first", "second")
    undefined: ClassVar[str] = (
        ": where its ends meet, its force has no direction. Start with its ends apart, or leave "
        "free_length and law out."
    )

    def read(self, findings: Findings) -> None:
        """Check numbers and law."""
        length = value_of(read_quantity(self, "free_length", findings))
        if length is not None and length < 0.0:
            findings.append(f"free_length is {length:g}. Give a length that is not negative.")
        read_law(self, findings)

    @cached_property
    def at_a_point(self) -> bool:
        """True for a linear spring without free length: its force needs no direction."""
        return self.law is None and is_zero(self.free_length)

    def formulas(self) -> tuple[Expression, ...]:
        """The law, which is a formula of extension and rate only."""
        return ()

    def data(self) -> tuple[Quantity, ...]:
        """Free length, stiffness and damping."""
        return (self.free_length, self.stiffness, self.damping)

    def structure(self) -> Hashable:
        """The law, and which of the two forms below is used."""
        return (self.law, self.at_a_point, is_zero(self.damping))

    def act(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Load]:
        """Tension on both points."""
        a, b = views[:2]
        free_length, stiffness, damping = data
        d = b.origin - a.origin
        if self.at_a_point and is_zero(self.damping):
            pull = d * stiffness
            return [(pull, no_load()), (-pull, no_load())]
        square, u = dot(d, d), b.velocity - a.velocity
        if self.at_a_point:
            # part of u along d; where the points meet they part along u itself
            along = d * (dot(d, u) / where(square > 0, square, 1.0))
            pull = d * stiffness + where(square > 0, along, u) * damping
        else:
            length = sqrt(square)
            direction = d / length
            extension, rate = length - free_length, dot(direction, u)
            pull = direction * tension(self.law, extension, rate, stiffness, damping)
        return [(pull, no_load()), (-pull, no_load())]

    def energy(
        self, views: Sequence[FrameView], data: Formulas, turns: Formulas
    ) -> Expression | None:
        """k (l - l0)^2 / 2; unknown for a law."""
        if self.law is not None:
            return None
        d = views[1].origin - views[0].origin
        free_length, stiffness, _ = data
        if self.at_a_point:
            return stiffness * dot(d, d) / 2
        return stiffness * (sqrt(dot(d, d)) - free_length) ** 2 / 2  # type: ignore[no-any-return]

    @property
    def conservative(self) -> bool:
        """True without law and damping."""
        return self.law is None and is_zero(self.damping)

    def options(self) -> list[tuple[str, str]]:
        """Numbers or law."""
        return [("free_length", shown(self.free_length)), *law_options(self)]


class ImplicitSpring(Spring):
    """Damper along a line that steps with impulses have implicitly: a row.

    In a file it is the spring that it was.
    """

    @property
    def kind(self) -> str:
        """Name of the spring whose damper it is."""
        return "spring"

    def rate(self) -> Expression:
        """Rate of the distance."""
        a, b = self.views[:2]
        d = b.origin - a.origin
        return dot(d / sqrt(dot(d, d)), b.velocity - a.velocity)


def read_law(element: Any, findings: Findings) -> None:
    """Stiffness and damping, or a law turned into a formula of extension and rate."""
    for field in ("stiffness", "damping"):
        number = value_of(read_quantity(element, field, findings))
        if number is not None and number < 0.0:
            findings.append(f"{field} is {number:g}. Give a number that is not negative.")
    if element.law is None:
        if is_zero(element.stiffness) and is_zero(element.damping):
            findings.append("has no stiffness, damping or law. Give at least one.")
        return
    if not (is_zero(element.stiffness) and is_zero(element.damping)):
        findings.append("has a law beside stiffness or damping. Put them into the law.")
    law = element.law
    if callable(law):
        law = Reader(findings).formula(law(EXTENSION, RATE), "law")
        object.__setattr__(element, "law", law)
    if not isinstance(law, Expression):
        findings.append(f"law is {law!r:.60}. Give a function of extension and rate.")
        return
    others = [s for s in symbols([law], "coordinate", "velocity") if s not in (EXTENSION, RATE)]
    if others:
        findings.append(
            f"the law contains {others[0]!r}. Use only extension, rate, time and parameters."
        )


def tension(
    law: Any, extension: Expression, rate: Expression, stiffness: Any, damping: Any
) -> Expression:
    """Value of the law, or of spring and damper."""
    if law is None:
        return stiffness * extension + damping * rate  # type: ignore[no-any-return]
    return substitute([law], {EXTENSION: extension, RATE: rate})[0]  # type: ignore[no-any-return]


def law_options(element: Any) -> list[tuple[str, str]]:
    """Stiffness and damping, or the law, as text."""
    if element.law is not None:
        return [("law", repr(element.law))]
    return [
        (key, shown(getattr(element, key)))
        for key in ("stiffness", "damping")
        if not is_zero(getattr(element, key))
    ]
