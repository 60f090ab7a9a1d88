"""Columns of a study that figures draw: names checked, with the nearest one for a misspelt one."""

from __future__ import annotations

from collections.abc import Sequence

from dalembert.errors import OptionError
from dalembert.model.basics.names import did_you_mean
from dalembert.study.study import Study

MOST = 8
"""Columns of a figure that has a panel or an axis for each."""


def numbers(study: Study) -> list[str]:
    """Axes and recorded numbers, in the order of the table; series are left out."""
    return [*study.names, *(n for n in study.columns if study[n].ndim == 1)]


def recorded(study: Study, name: str | None, figure: str) -> str:
    """A recorded number, by default the first."""
    known = [n for n in study.columns if study[n].ndim == 1]
    if name is None and known:
        return known[0]
    if name not in known:
        raise OptionError(
            f"plot {figure!r}: {name!r} is no recorded number of the study"
            f"{did_you_mean(str(name), known)} There are {', '.join(known) or 'none'}."
        )
    return str(name)


def chosen(study: Study, names: Sequence[str] | None, figure: str) -> list[str]:
    """At least two columns of numbers, by default the axes and what was recorded."""
    known = numbers(study)
    found = known[:MOST] if names is None else list(names)
    for name in found:
        if name not in known:
            raise OptionError(
                f"plot {figure!r}: the study has no numbers {name!r}"
                f"{did_you_mean(str(name), known)} There are {', '.join(known)}."
            )
    if not 2 <= len(found) <= MOST or not len(study):
        raise OptionError(
            f"plot {figure!r}: {len(found)} columns of {len(study)} rows. Give from 2 to {MOST}"
            " columns of a study that has rows."
        )
    return found
