"""One run as the page carries it: the scene in plain JSON, the motion in a `Payload`.

Precision of what is carried, stated on the page: places to a millionth of the size of the scene,
turns so finely that the ends of bodies are as good; arrows to 2^-12 of their largest, curves to
2^-16 of their range or a thousandth of a decade. Long wild runs would not fit a page then; they
are carried more coarsely, by factors of four, until they do.
"""

from __future__ import annotations

import math
from dataclasses import asdict, fields, replace
from typing import Any

import numpy as np

from dalembert.errors import OptionError
from dalembert.scene import Motion, Scene, Shape, follow
from dalembert.scene.description import vector
from dalembert.viewer.encode import Array, Payload, quantum_of
from dalembert.viewer.event_marks import happened
from dalembert.viewer.fixed_points import attached

PLACE = 1e-6
ARROW = 2.0**-12
CURVE = 2.0**-16
DECADE = 1e-3
COARSER = (1.0, 4.0, 16.0, 64.0)
"""Factors on all of these; at the last a place is still better than a tenth of a pixel."""
ROOM = 17e6
"""Characters a run may take before it is carried more coarsely."""
LOOK = 3000
"""Moments from the middle of a run that tell how much room it takes."""
FLOWN = 5.0
"""Times the usual reach of a failed run, beyond which nobody wants to look."""
SMALLEST = 1e-30
"""Zero on a logarithmic axis."""


def contents(solution: Any, *, label: str, fps: float, room: float = ROOM) -> dict[str, Any]:
    """Header and data of one run."""
    scene, motion = follow(solution, fps=fps)
    failed = solution.status.failed
    report = solution.report()
    made = of_scene(scene, motion, label=label, report=report, failed=failed, room=room)
    return made | {"happened": happened(solution)}


def of_scene(
    scene: Scene,
    motion: Motion,
    *,
    label: str,
    report: dict[str, Any] | None = None,
    failed: bool = False,
    room: float = ROOM,
    fixed: bool = True,
) -> dict[str, Any]:
    """Header and data of a scene and its motion; of a failed run the part before it flies apart.

    `fixed`: points of formulas that do not move on a body are carried with it.
    """
    count = _sane_moments(motion) if failed else _finite_moments(motion)
    if not count:
        raise OptionError("page: no sample of the run is a finite number: nothing to show.")
    notes = list(scene.notes)
    if count < len(motion.t):
        notes.append(f"{label}: flies apart at t = {motion.t[count]:.4g} s; shown up to there.")
        scene = _measured(scene, motion, count)
    motion = _part(motion, slice(0, count))
    scene = attached(scene, motion) if fixed else scene
    coarser = _coarser(scene, motion, room)
    payload = Payload()
    arrays, signals = _arrays(scene, motion, coarser, payload)
    return {
        "label": label,
        "scene": plain_scene(scene, payload) | {"notes": notes, "signals": signals},
        "freePoints": _free(scene.points),
        "freeArrows": _free(scene.arrows),
        "arrays": arrays,
        "report": report,
        "precision": PLACE * coarser * scene.size,
        "data": payload.text(),
    }


def _coarser(scene: Scene, motion: Motion, room: float) -> float:
    """The first factor with which the run fits, judged by a part of it."""
    count = len(motion.t)
    if count * (7 * len(scene.bodies) + 3 * len(scene.points) + 6 * len(scene.arrows)) < room / 4:
        return COARSER[0]
    begin = max(0, (count - LOOK) // 2)
    part = _part(motion, slice(begin, begin + LOOK))
    for factor in COARSER:
        payload = Payload()
        _arrays(scene, part, factor, payload)
        if len(payload.text()) * count / len(part.t) < room:
            return factor
    return COARSER[-1]


def _part(motion: Motion, some: slice) -> Motion:
    return Motion(**{f.name: getattr(motion, f.name)[some] for f in fields(motion)})


def _free(items: Any) -> list[int]:
    """Points and arrows that do not hang on a body: their places must be carried."""
    return [i for i, item in enumerate(items) if item.body is None]


def _arrays(
    scene: Scene, motion: Motion, coarser: float, payload: Payload
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Everything the page needs to unpack the motion, and the descriptions of the curves."""
    count, centre = len(motion.t), np.array(scene.centre)
    place = PLACE * coarser * scene.size

    def places(columns: Array) -> dict[str, Any]:
        flat = columns.reshape(count, -1)
        origin = np.tile(centre, flat.shape[1] // 3)
        return payload.add(flat, quantum_of(flat, place, origin), origin)

    # Times are evenly spaced as a rule; a millionth of the spacing costs nothing then.
    t, gaps = motion.t[:, None], np.diff(motion.t)
    spacing = max(float(np.min(gaps, initial=1.0)), 2e-2 * float(np.max(gaps, initial=1e-9)))
    turns = np.repeat(np.clip(place / (2 * _reach(scene)), 2.0**-20, 2.0**-8), 4)
    vectors = np.where(np.isfinite(motion.vectors), motion.vectors, 0.0)
    largest = np.max(np.linalg.norm(vectors, axis=2), axis=0, initial=0.0)
    fine = np.repeat(ARROW * coarser * np.where(largest > 0, largest, 1.0), 3)
    vectors = vectors.reshape(count, -1)
    curves, signals = _curves(scene, motion.values, _shown_signals(scene), coarser)
    arrays = {
        "t": payload.add(t, 1e-6 * spacing, t[0]),
        "positions": places(motion.positions),
        "rotations": payload.add(motion.rotations.reshape(count, -1), turns),
        "points": places(motion.points[:, _free(scene.points)]),
        "tails": places(motion.tails[:, _free(scene.arrows)]),
        "vectors": payload.add(vectors, quantum_of(vectors, fine)),
        "values": payload.add(
            curves,
            np.array([signal["quantum"] for signal in signals]),
            np.array([signal["origin"] for signal in signals]),
        ),
    }
    return arrays, signals


def _reach(scene: Scene) -> Array:
    """How far each body extends from its origin; at least a little."""
    reach = np.full(len(scene.bodies), 1e-3 * scene.size)

    def extend(body: int | None, far: float) -> None:
        if body is not None and body >= 0:
            reach[body] = max(reach[body], far)

    for b, body in enumerate(scene.bodies):
        for shape in body.shapes:
            corners = [] if shape.vertices is None else np.linalg.norm(shape.vertices, axis=1)
            own = max([*map(float, shape.size), *corners], default=0.0)
            extend(b, math.hypot(*shape.position) + own)
    for joint in scene.joints:
        extend(joint.body_b, math.hypot(*joint.position))
    for point in scene.points:
        extend(point.body, math.hypot(*point.offset))
    for arrow in scene.arrows:
        extend(arrow.body, math.hypot(*arrow.offset))
    return reach


def _finite_moments(motion: Motion) -> int:
    """How many moments from the first on have a place for everything."""
    fine = np.ones(len(motion.t), dtype=bool)
    for block in (motion.positions, motion.rotations, motion.points):
        fine &= np.all(np.isfinite(block), axis=(1, 2))
    return int(np.argmin(fine)) if not np.all(fine) else len(fine)


def _sane_moments(motion: Motion) -> int:
    """How many moments of a failed run can be looked at: where it diverges, places explode."""
    count = _finite_moments(motion)
    places = _places(motion)[:count]
    if not places.size:
        return count
    with np.errstate(over="ignore"):
        reach = np.max(np.abs(places - np.median(places, axis=(0, 1))), axis=(1, 2))
        wild = reach > FLOWN * np.quantile(reach, 0.9)
    return int(np.argmax(wild)) if np.any(wild) else count


def _places(motion: Motion) -> Array:
    return np.concatenate([motion.positions, motion.points], axis=1)


def _measured(scene: Scene, motion: Motion, count: int) -> Scene:
    """The scene with the middle and size of the moments that are shown."""
    places = _places(motion)[:count].reshape(-1, 3)
    if not len(places):
        return scene
    low, high = places.min(axis=0), places.max(axis=0)
    size = float(np.linalg.norm(high - low)) or 1.0
    return replace(scene, centre=vector((low + high) / 2), size=size)


def _shown_signals(scene: Scene) -> list[int]:
    """Curves that are carried: all but the sizes of arrows, which the page works out itself."""
    sizes = {f"|{arrow.name}|" for arrow in scene.arrows}
    return [i for i, signal in enumerate(scene.signals) if signal.name not in sizes]


def _curves(
    scene: Scene, values: Array, shown: list[int], coarser: float
) -> tuple[Array, list[dict[str, Any]]]:
    """Columns ready for rounding, and their descriptions."""
    columns = np.zeros((len(values), len(shown)))
    signals = []
    for i, number in enumerate(shown):
        signal, y = scene.signals[number], values[:, number]
        missing = ~np.isfinite(y)
        if signal.log:
            with np.errstate(divide="ignore", invalid="ignore"):
                y = np.log10(np.maximum(np.abs(y), SMALLEST))
            quantum, origin = DECADE * coarser, 0.0
        else:
            seen = y[~missing]
            low, high = (float(seen.min()), float(seen.max())) if len(seen) else (0.0, 0.0)
            quantum, origin = CURVE * coarser * (high / 2 - low / 2) * 2, low
            if not 0 < quantum < math.inf:
                quantum = 1.0
        columns[:, i] = _held(y, missing, origin)
        signals.append(
            asdict(signal) | {"quantum": quantum, "origin": origin, "missing": _spans(missing)}
        )
    return columns, signals


def _held(y: Array, missing: Any, start: float) -> Array:
    """The series with the last known value where it has none."""
    if not np.any(missing):
        return y
    last = np.maximum.accumulate(np.where(missing, -1, np.arange(len(y))))
    return np.where(last < 0, start, y[np.maximum(last, 0)])


def _spans(mask: Any) -> list[list[int]]:
    """Begin and end of every stretch where the mask is true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(int), [0]])))
    return [[int(a), int(b)] for a, b in edges.reshape(-1, 2)]


def plain_scene(scene: Scene, payload: Payload) -> dict[str, Any]:
    """The scene as plain values."""

    def shapes(parts: Any) -> list[dict[str, Any]]:
        return [_shape(part, payload) for part in parts]

    return {
        "name": scene.name,
        "bodies": [
            {
                "name": body.name,
                "color": body.color,
                "mass": body.mass,
                "center": body.center,
                "frames": [asdict(frame) for frame in body.frames],
                "shapes": shapes(body.shapes),
            }
            for body in scene.bodies
        ],
        "joints": [
            {
                "name": joint.name,
                "kind": joint.kind,
                "body_a": joint.body_a,
                "body_b": joint.body_b,
                "position": joint.position,
                "shapes": shapes(joint.shapes),
                "shapes_a": shapes(joint.shapes_a),
            }
            for joint in scene.joints
        ],
        "points": [asdict(point) for point in scene.points],
        "links": [asdict(link) for link in scene.links],
        "arrows": [asdict(arrow) for arrow in scene.arrows],
        "ground": shapes(scene.ground),
        "level": scene.level,
        "up": scene.up,
        "centre": scene.centre,
        "size": scene.size,
        "planar": scene.planar,
        "normal": scene.normal,
        "gravity": scene.gravity,
        "trails": scene.trails,
    }


def _shape(shape: Shape, payload: Payload) -> dict[str, Any]:
    made: dict[str, Any] = {
        "kind": shape.kind,
        "size": shape.size,
        "position": shape.position,
        "rotation": shape.rotation,
        "color": shape.color,
        "opacity": shape.opacity,
    }
    if shape.vertices is not None:
        made["vertices"] = payload.add_raw(np.asarray(shape.vertices, dtype="<f4"))
    if shape.faces is not None:
        made["faces"] = payload.add_raw(np.asarray(shape.faces, dtype="<u4"))
    return made
