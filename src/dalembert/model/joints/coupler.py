"""Any linear relation of joint coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self

from dalembert.model.basics.quantity import Quantity, as_quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.joints.joint import end_text, read_quantity
from dalembert.model.joints.references import References
from dalembert.model.joints.relation import Relation, Term, resolved_joint


@dataclass(frozen=True, eq=False, repr=False)
class Coupler(Relation):
    """Linear relation:  sum of factor * coordinate = offset.

    Parameters
    ----------
    parts : list of (factor, joint) or (factor, joint, "angle" or "displacement")
        The coordinate must be named for joints that have two; a joint may be given by its name.
    offset : float or formula of parameters
        What the sum is equal to.
    name : str

    Examples
    --------
    A differential: the mean of two wheels turns like the shaft.

    >>> import dalembert as dl
    >>> model = dl.Model("differential")
    >>> hinges = []
    >>> for side in ("left", "right", "shaft"):
    ...     body = model.add_body(side, dl.Inertia.sphere(mass=1.0, radius=0.1))
    ...     hinges.append(model.add_joint(dl.Revolute(model.world, body, name=f"{side}_hinge")))
    >>> left, right, shaft = hinges
    >>> model.add_joint(dl.Coupler([(0.5, left), (0.5, right), (-1.0, shaft)], name="case"))
    Coupler([(0.5, 'left_hinge'), (0.5, 'right_hinge'), (-1, 'shaft_hinge')], name='case')
    """

    parts: Any
    _: KW_ONLY
    offset: Quantity = 0.0

    def read(self, findings: Findings) -> None:
        """Check factors and offset."""
        read_quantity(self, "offset", findings)
        given: Sequence[Any] = self.parts if isinstance(self.parts, list | tuple) else ()
        if not given:
            findings.append("couples nothing. Give a list of (factor, joint).")
        parts: list[tuple[Any, ...]] = []
        for i, part in enumerate(given):
            if not isinstance(part, list | tuple) or len(part) not in (2, 3):
                findings.append(f"parts[{i}] is {part!r:.60}. Give (factor, joint).")
                continue
            factor = as_quantity(part[0], f"parts[{i}][0]", findings)
            parts.append((factor, part[1], part[2] if len(part) == 3 else None))
        object.__setattr__(self, "parts", tuple(parts))

    def resolved(self, names: References, name: str, findings: Findings) -> Self:
        """A copy of the relation between joints of the model."""
        parts = [
            (factor, *resolved_joint(joint, which, names, f"joint '{name}'", findings))
            for factor, joint, which in self.parts
        ]
        return replace(self, parts=tuple(parts), name=name)

    @property
    def terms(self) -> tuple[Term, ...]:
        """As given."""
        return tuple(Term(joint, which, factor) for factor, joint, which in self.parts)

    @property
    def shift(self) -> Quantity:
        """The offset."""
        return self.offset

    def __repr__(self) -> str:
        shown = ", ".join(
            f"({factor:g}, {end_text(joint)})"
            if isinstance(factor, float)
            else f"({factor!r}, {end_text(joint)})"
            for factor, joint, _ in self.parts
        )
        return f"Coupler([{shown}], name={self.name!r})"
