"""Events: moments at which a formula changes sign."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dalembert.errors import OptionError
from dalembert.formulas import Expression, symbols


@dataclass(frozen=True)
class Event:
    """A moment to be found, on the continuous output of the integrator.

    Parameters
    ----------
    formula : of coordinates, velocities, parameters and time; its sign changes are the events
    terminal : stop the run there
    direction : +1 only from below zero to above, -1 only from above to below, 0 both
    name : how it is called in the results; by default the formula itself

    Notes
    -----
    The sign is looked at after every step. Two crossings within one step (a formula that touches
    zero, or dips below it for less than a step) cancel and are not seen. Where that can happen,
    limit the step: ``simulate(..., step=...)``, or ``integrator=DormandPrince(max_step=...)``.

    Examples
    --------
    When a pendulum of 1 m, let go from the horizontal, hangs straight down for the first time [s]:

    >>> import dalembert as dl
    >>> model = dl.catalog.load("pendulum")
    >>> x, y = model.coordinates
    >>> below = dl.Event(x, terminal=True, name="below")
    >>> solution = dl.simulate(model, until=2.0, step=1e-3, events=[below])
    >>> [(event.name, round(event.t, 6)) for event in solution.events]
    [('below', 0.59196)]
    """

    formula: Any
    terminal: bool = False
    direction: int = 0
    name: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.formula, Expression):
            raise OptionError(
                f"Event: {self.formula!r} is not a formula. Write it with the model's coordinates, "
                "for example dl.Event(y)."
            )
        found = symbols([self.formula], "acceleration")
        if found:
            raise OptionError(
                f"Event: {found[0]!r} is an acceleration, which is known at samples only. Use "
                "coordinates and velocities."
            )
        if self.direction not in (-1, 0, 1):
            raise OptionError(f"Event: direction is {self.direction!r}. Give -1, 0 or 1.")

    @property
    def label(self) -> str:
        """Name, or the formula."""
        return self.name or repr(self.formula)
