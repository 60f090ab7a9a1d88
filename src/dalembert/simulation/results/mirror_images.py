"""Sentences on positions that cannot be told from their mirror image (decision 0003, rule 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dalembert.simulation.results.scales import rounded_down

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

LEAST = 1e-12
"""Tolerance that a run is asked for at most."""


def side_unknown(solution: Solution) -> tuple[str, str] | None:
    """A sentence and a remedy on steps near a singular position; None where all is known."""
    statistics = solution.statistics
    count = int(statistics.get("undecided_steps") or 0)
    if count == 0:
        return None
    share = float(statistics.get("undecided_share") or 0.0)
    text = (
        f"From t = {float(statistics.get('undecided_time') or 0.0):.4g} s on the mechanism is"
        f" {share:.1g} of its size from a singular position, in {count}"
        f" {'step' if count == 1 else 'steps'}: on which side of it is not known."
    )
    away = "change a length so that it keeps away from there"
    step = solution.step
    if step is not None:
        return text, f"Leave out step=, try step={rounded_down(0.1 * step):g}, or {away}."
    if 0.05 * share * share >= LEAST:
        return text, f"Try rtol={rounded_down(0.05 * share * share):g}, or {away}."
    return text, f"{away[0].upper()}{away[1:]}."
