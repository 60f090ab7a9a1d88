"""Places where roll and yaw turn about one axis: which body is near one, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dalembert.model.basics.rigid_body import ANGLE_NAMES

NEAR = 0.1
"""Cosine of the pitch below which rates of roll and yaw are ten times what the body turns by."""

ADVICE = (
    "Roll, pitch and yaw are singular at a pitch of 90 deg: give the body orientation='quaternion',"
    " which has no such place, or take a smaller step."
)


def singular_pitch(names: Sequence[str], places: Any) -> tuple[str, float] | None:
    """The pitch nearest to 90 deg, by name and in degrees; None where none is near.

    Parameters
    ----------
    names : of the coordinates
    places : their values (samples, coordinates), or those of one sample
    """
    known = set(names)
    found = None
    nearest = NEAR
    for name, values in zip(names, np.atleast_2d(places).T, strict=True):
        owner, _, part = name.rpartition(".")
        if part != "pitch" or not all(f"{owner}.{angle}" in known for angle in ANGLE_NAMES):
            continue
        finite = values[np.isfinite(values)]
        off = np.abs(np.cos(finite))
        if len(off) and off.min() < nearest:
            nearest = off.min()
            found = name, float(np.degrees(finite[off.argmin()]))
    return found
