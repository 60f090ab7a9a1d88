"""Reactions in formulas of forces: which parameters they are, and which rows (methods 2.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dalembert._once import once_property
from dalembert.errors import ModelError
from dalembert.formulas.variables import reaction_of


def reaction_places(
    parameters: Sequence[str], slices: Mapping[str, Any], rows: int
) -> tuple[tuple[int, int], ...]:
    """(parameter, row) of every reaction among the names of parameters.

    A ModelError tells of a constraint that is not there.
    """
    found = []
    for k, name in enumerate(parameters):
        asked = reaction_of(name)
        if asked is None:
            continue
        owner, row = asked
        if owner not in slices:
            known = ", ".join(map(repr, slices)) or "none"
            raise ModelError(
                f"A force contains reaction({owner!r}), but no constraint has that name. There "
                f"is {known}."
            )
        own = range(rows)[slices[owner]]
        if row >= len(own):
            raise ModelError(
                f"A force contains reaction({owner!r}, {row}), but {owner!r} has {len(own)} "
                f"row{'s' if len(own) > 1 else ''}. Give a row from 0 to {len(own) - 1}."
            )
        found.append((k, own[row]))
    return tuple(found)


def refuse_in_rows(names: Iterable[str], what: str) -> None:
    """Refuse reactions outside of forces."""
    for name in names:
        asked = reaction_of(name)
        if asked is not None:
            raise ModelError(
                f"{what} contains reaction({asked[0]!r}), which is known with the motion only. It "
                "may stand in formulas of forces."
            )


class Reactive:
    """A system in whose forces reactions may stand."""

    @once_property
    def reactions(self) -> tuple[tuple[int, int], ...]:
        """(parameter, row) of every reaction in forces."""
        own: Any = self
        return reaction_places(own.parameter_names, own.constraint_slices, len(own.row_names))

    @property
    def reaction_table(self) -> list[int]:
        """Parameters and rows of reactions, one pair behind the other."""
        return [k for pair in self.reactions for k in pair]
