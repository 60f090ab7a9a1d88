"""Angles that gears, racks and screws hang on, turned to where they are held: turn by turn.

An angle that is held at 9 rad is where one at 9 - 2 pi is, and what it drives is not. So the
mechanism is led there from the guess in strides, and the turns of all angles are counted on the
way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.formulas import Expression
from dalembert.model.start.closing import Closing
from dalembert.model.start.rows_numpy import Rows
from dalembert.model.start.turns import relations_of
from dalembert.simulation.assembly.asked_places import near
from dalembert.simulation.assembly.held_coordinates import held_angles, held_at, position_rows

Array = NDArray[np.float64]
Angles = Mapping[Expression, float]

STRIDE = 1.0
"""Turn of a held angle at once  [rad]."""

MOST = 1000
"""Strides; what is held further away is not led there."""


def turned(
    model: Any, rows: Rows, hold: Any, asked: Angles, t: float, q: Array
) -> tuple[Array, Angles]:
    """A place beside the held angles, and angles with the turns they made on the way there.

    The guess itself, and nothing, where no relation hangs on them or the way does not lead there.

    Parameters
    ----------
    asked : angles that the guess was asked for, turns included
    """
    relations = relations_of(model)
    driving = () if relations is None else relations.angles
    targets = {raw: x for raw, x in held_angles(model, hold).items() if raw in driving}
    if not targets:
        return q, {}
    here = Closing(rows, None, angles=near(rows, asked, q, t)).close(t, q)
    begin = {raw: here.angles.get(raw, math.nan) for raw in targets}
    far = max(abs(x - begin[raw]) for raw, x in targets.items())
    strides = math.ceil(far / STRIDE) if math.isfinite(far) else 0
    if not here.is_closed or not 1 < strides <= MOST:
        return q, {}
    for k in range(1, strides):
        part = {raw: begin[raw] + k / strides * (x - begin[raw]) for raw, x in targets.items()}
        held = position_rows(model, held_at(model, hold, part), t, q)
        here = Closing(rows, Rows(model, [], held), angles=here.angles).close(t, here.q)
        if not here.is_closed:
            return q, {}
    return here.q, here.angles
