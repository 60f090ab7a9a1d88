"""Transmission angle: between the links that meet in a joint (analysis 6.3)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.model.joints.prismatic import Prismatic
from dalembert.simulation.motion.trajectory import Trajectory

Array = NDArray[np.float64]


def transmission(model: Any, q: Array, joint: Any) -> Array:
    """The acute angle of two links' lines at each place, (k,)."""
    name = joint if isinstance(joint, str) else getattr(joint, "name", "")
    if name not in model.joints or not model.is_maximal:
        raise OptionError(f"transmission_angle: {joint!r:.60} is no joint of the model's bodies.")
    here = model.joints[name]
    along = Trajectory(model, np.zeros(len(q)), q, np.zeros((len(q), 6 * len(model.bodies))))
    lines, slides = [], 0
    for frame in here.frames:
        other, slide = _other(model, here, frame.body)
        origin, axes = along.place(other)
        d = axes[:, :, 2] if slide else along.place(frame)[0] - origin
        lines.append(d / np.linalg.norm(d, axis=1, keepdims=True))
        slides += slide
    cosine = np.abs(np.sum(lines[0] * lines[1], axis=1))
    sine = np.linalg.norm(np.cross(lines[0], lines[1]), axis=1)
    # the line of a slide is across it
    return np.asarray(np.arctan2(cosine, sine) if slides == 1 else np.arctan2(sine, cosine))


def _other(model: Any, here: Any, body: Any) -> tuple[Any, bool]:
    """The frame of the other joint on a body, farthest from this one; or of a slide, and True."""
    own = next(frame for frame in here.frames if frame.body is body)
    found, slides = [], []
    for joint in model.joints.values():
        for frame in joint.frames:
            if joint is here or frame.body is not body:
                continue
            if isinstance(joint, Prismatic):
                slides.append(frame)
            elif not _same(frame, own):
                found.append(frame)
    if not found and slides:
        return slides[0], True
    if not found:
        raise OptionError(
            f"transmission_angle: {body.name!r} has no other joint than {here.name!r}, so its line"
            " is not known."
        )
    place = np.array([float(x) for x in own.offset])

    def far(frame: Any) -> float:
        return float(np.linalg.norm(np.array([float(x) for x in frame.offset]) - place))

    return max(found, key=far), False


def _same(a: Any, b: Any) -> bool:
    return all(float(x) == float(y) for x, y in zip(a.offset, b.offset, strict=True))
