"""Bodies at the start of a run: which may be moved, how they are put together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import AssemblyError
from dalembert.model.check.conflict import conflict
from dalembert.model.start.closing import Closed, Closing
from dalembert.model.start.rows_numpy import Rows
from dalembert.simulation.assembly.body_start import given_now
from dalembert.simulation.prepare.carried_turns import Turned

Array = NDArray[np.float64]


class Placing:
    """Bodies at the start of a run.

    Attributes
    ----------
    limited : (7 n,) bool     entries of q that `initial_limit` is about: those of bodies whose
        place was given. A body placed by its joints may move any distance.
    angles : those of hinges with their turns, by the angle in (-pi, pi], where they are known
    """

    def __init__(self, model: Any, initial: Any, turned: Turned | None = None) -> None:
        self.model = model
        self.angles = {} if turned is None else turned.known
        given = given_now(model, initial)
        self.limited = np.repeat([name in given for name in model.bodies], 7)

    def assembled(self, t: float, q: Array) -> Closed:
        """The closed configuration nearest to q."""
        rows = Rows(self.model)
        closing = Closing(rows, angles=self.angles)
        found = closing.close(t, q)
        if not found.is_closed:
            reason = conflict(rows, None, t, q, found)
            raise AssemblyError(
                f"Initial state: the joints do not close. {reason} Change a length or a frame, or"
                " give a better start.",
                conflict=reason.names,
            )
        return closing.nearer(t, q, found)
