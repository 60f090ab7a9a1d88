"""Contacts of a run that goes on from where another one ended."""

from __future__ import annotations

from dalembert.simulation.hybrid.candidates import Candidate
from dalembert.simulation.hybrid.run import HybridRun
from dalembert.simulation.run.run import Run


def hand_over(before: Run, run: Run) -> None:
    """Tell a run which contacts were closed, and how: what has not changed is not told again."""
    if not isinstance(before, HybridRun) or not isinstance(run, HybridRun):
        return
    names = {_name(before, one): one for one in before.transition.contacts}
    places = {name: row for row, name in enumerate(run.transition.sides)}
    for name, one in names.items():
        if isinstance(name, tuple):
            run.transition.contacts.append(one.copied())
        elif name in places:
            made = one.copied()
            made.renamed((places[name],))
            run.transition.contacts.append(made)


def _name(run: HybridRun, one: Candidate) -> str | tuple[int, ...]:
    """Name of a one-sided row; shapes have the same numbers in all parts of a run."""
    return run.transition.sides[one.key[0]] if len(one.key) == 1 else one.key
