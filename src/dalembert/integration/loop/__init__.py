"""The time loop, compiled: steps, error control, samples, and the watch over violation.

One call of `run_chunk` runs many steps and returns to Python between chunks, for progress, Ctrl-C
and room in the sample arrays, and whenever there is something to look at within a step (an event, a
moment to record): `look` does that. `Clock` is the state of the loop.
"""

from dalembert.integration.loop.chunk import (
    CHUNK_KINDS,
    LOOK,
    MORE,
    Course,
    run_chunk,
    run_sampling,
)
from dalembert.integration.loop.clock import Clock, next_step
from dalembert.integration.loop.controllers import Call, Controls
from dalembert.integration.loop.output import Events, across, look
from dalembert.integration.loop.recording import LENGTH, Samples, Trace, watch
from dalembert.integration.loop.swinging import MOST as MOST_PARTS
from dalembert.integration.loop.swinging import parts_of_step
from dalembert.integration.loop.unnoticed import room_length

__all__ = [
    "CHUNK_KINDS",
    "LOOK",
    "MORE",
    "Call",
    "Clock",
    "Controls",
    "Course",
    "Events",
    "LENGTH",
    "MOST_PARTS",
    "Samples",
    "Trace",
    "across",
    "look",
    "next_step",
    "parts_of_step",
    "room_length",
    "run_chunk",
    "run_sampling",
    "watch",
]
