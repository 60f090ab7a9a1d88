"""Events: moments at which a formula changes sign."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from dalembert.errors import OptionError
from dalembert.formulas import Expression, symbols
from dalembert.formulas.expression import Condition
from dalembert.model.basics.constraint import ConstraintForce
from dalembert.model.basics.unchanging import Settled
from dalembert.simulation.prepare.actions import read_action


@dataclass(frozen=True)
class Event(Settled):
    """A moment to be found, on the continuous output of the integrator.

    Parameters
    ----------
    formula : of coordinates, velocities, parameters and time; its sign changes are the events
        Or the force of a constraint, ``link.force``, or a name such as ``"link.force"``, with a
        `limit`
    terminal : stop the run there
    direction : +1 only from below zero to above, -1 only from above to below, 0 both
    name : how it is called in the results; by default the formula itself
    action : what is done there: ``dl.Release(...)``, ``dl.Engage(...)``, a dict of values to set,
        ``"end"``, or a list of these; the log of the solution tells of it
    limit : float       the event is where the size of the force reaches this; none by default

    Notes
    -----
    The sign is looked at after every step, and within one where the motion through its ends comes
    near to zero, or where the formula is not what a few looks foretell: what swings within a step
    is looked at in up to 16384 parts of it, and the verdict is doubtful where that is too few. Of
    what time alone moves in a formula no rise and fall is stepped over.

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
    action: Any = None
    limit: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "action", read_action(self.action))
        if self.limit is not None:
            self._read_limit()
            return
        if isinstance(self.formula, ConstraintForce | str):
            raise OptionError(
                f"Event: {self.formula!r} is known with the motion only. Give the size at which"
                " something is to happen: dl.Event(..., limit=100.0)."
            )
        if isinstance(self.formula, Condition):
            raise OptionError(
                f"Event: {self.formula!r:.60} is a condition. An event is where a formula changes"
                " its sign: give left - right."
            )
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

    def _read_limit(self) -> None:
        """Check the limit of a force."""
        if not isinstance(self.formula, ConstraintForce | str):
            raise OptionError(
                f"Event: limit is for the force of a constraint, not for {self.formula!r:.60}."
                " Subtract it from the formula."
            )
        if not isinstance(self.limit, int | float) or not 0.0 < self.limit < math.inf:
            raise OptionError(f"Event: limit is {self.limit!r}. Give a positive number.")
        if self.direction not in (0, 1):
            raise OptionError("Event: a limit is reached from below. Leave `direction` out.")

    @property
    def acts(self) -> bool:
        """Whether something is done there, or a force is looked at."""
        return bool(self.action) or self.limit is not None

    @property
    def label(self) -> str:
        """Name, or the formula."""
        if self.name:
            return self.name
        return self.formula if isinstance(self.formula, str) else repr(self.formula)
