"""Sentences of an engine, with gaps, and the user's own names to fill them."""

from __future__ import annotations

from typing import Any

from dalembert.simulation.prepare.start_refusals import (
    NO_ACCELERATION,
    NO_ENERGY,
    NO_INERTIA,
    NO_VELOCITY,
    NOT_A_NUMBER,
    UNREACHABLE,
    of_inertia,
)
from dalembert.simulation.results.message import CLOSED
from dalembert.simulation.status import Status, remedy


def words_of(run: Any, system: Any) -> dict[str, Any]:
    """Meanings and remedies by status, and names of rows."""
    return {
        "statuses": {
            str(int(status)): [status.name, status.meaning, remedy(status)] for status in Status
        },
        "rows": list(system.row_names),
        "holonomic": int(system.extents.holonomic),
        "unreachable": UNREACHABLE,
        "no_velocity": NO_VELOCITY,
        "no_energy": NO_ENERGY,
        "no_inertia": NO_INERTIA,
        "not_a_number": NOT_A_NUMBER,
        "no_acceleration": NO_ACCELERATION,
        "inertial": sorted(of_inertia(system)),
        "closed": CLOSED,
        "failed": int(run.state.slot("failed_index")),
        "room": "More shapes touch than this page has room for. Reset, or simulate it with Python.",
    }
