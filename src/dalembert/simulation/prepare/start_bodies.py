"""Bodies at the start of a run: which may be moved, how they are put together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import AssemblyError
from dalembert.model.check.conflict import conflict
from dalembert.model.start.closing import Closing
from dalembert.model.start.rows_numpy import Rows
from dalembert.simulation.assembly.body_start import given_now

Array = NDArray[np.float64]


class Placing:
    """Bodies at the start of a run.

    Attributes
    ----------
    limited : (7 n,) bool     entries of q that `initial_limit` is about: those of bodies whose
        place was given. A body placed by its joints may move any distance.
    """

    def __init__(self, model: Any, initial: Any) -> None:
        self.model = model
        given = given_now(model, initial)
        self.limited = np.repeat([name in given for name in model.bodies], 7)

    def assembled(self, t: float, q: Array) -> Array:
        """The closed configuration nearest to q."""
        rows = Rows(self.model)
        closing = Closing(rows)
        found = closing.close(t, q)
        if not found.is_closed:
            reason = conflict(rows, None, t, q, found)
            raise AssemblyError(
                f"Initial state: the joints do not close. {reason} Change a length or a frame, or"
                " give a better start.",
                conflict=reason.names,
            )
        return closing.nearer(t, q, found).q
