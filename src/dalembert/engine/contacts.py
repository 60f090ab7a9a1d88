"""Contacts in an engine: where the arrays of a run hold which shapes touch, and how hard."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.collision.layout import CONTACT_INTEGERS as FOUND_INTEGERS
from dalembert.collision.layout import CONTACT_NUMBERS as FOUND_NUMBERS
from dalembert.collision.layout import Found
from dalembert.contact.run.record_layout import CONTACT_FLOATS, Contact
from dalembert.contact.run.run_layout import ContactRun


def touching_of(run: Any, model: Any) -> dict[str, Any] | None:
    """Names of shapes, counts in `sizes`, records in `sizes` and `work`; None without shapes."""
    shapes = model.contact_shapes if run.opened.tables is not None else ()
    names = [shape.name for shape in shapes]
    if not names:
        return None
    bodies = list(dict.fromkeys(shape.body for shape in shapes if shape.body in model.bodies))
    integers, numbers = run.contact_part
    contact = ContactRun(numbers, integers)
    first = place_of(integers, run.sizes)
    places = np.arange(CONTACT_FLOATS, dtype=float)
    fields: Any = Contact(places, 0)
    kept: Any = Found(np.arange(FOUND_INTEGERS), 0, np.arange(FOUND_NUMBERS, dtype=float), 0)
    return {
        "shapes": names,
        "bodies": bodies,
        "owners": [bodies.index(s.body) if s.body in bodies else -1 for s in shapes],
        "counts": [first + ContactRun.slot(name) for name in ("contacts", "resting")],
        "smooth": first + ContactRun.slot("smooth_now"),
        "pairs": {
            "at": place_of(contact.found_integers, run.sizes),
            "width": int(FOUND_INTEGERS),
            "a": int(kept.shape_a),
            "b": int(kept.shape_b),
        },
        "table": {
            "at": place_of(contact.contact_table, run.work),
            "width": int(CONTACT_FLOATS),
            "impulse": int(fields.impulse.x),
            "speed": int(fields.speed),
        },
    }


def place_of(part: Any, whole: Any) -> int:
    """Where a part of an array begins in it."""
    return int(part.ctypes.data - whole.ctypes.data) // int(whole.itemsize)
