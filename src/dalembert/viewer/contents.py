"""One run as the page carries it: the scene in plain JSON, the motion in a `Payload`.

Precision of what is carried, stated on the page: places to a millionth of the size of the scene,
quaternions to 2^-16, arrows to 2^-12 of their largest, curves to 2^-16 of their range or, on a
logarithmic axis, to a thousandth of a decade.
"""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from dalembert.errors import OptionError
from dalembert.scene import Motion, Scene, Shape, follow
from dalembert.scene.description import vector
from dalembert.viewer.encode import Array, Payload, quantum_of

PLACE = 1e-6
TURN = 2.0**-16
ARROW = 2.0**-12
CURVE = 2.0**-16
DECADE = 1e-3
FLOWN = 5.0
"""Times the usual reach of a failed run, beyond which nobody wants to look."""
SMALLEST = 1e-30
"""Zero on a logarithmic axis."""

DERIVED = ("coordinate", "velocity", "reaction")
"""Groups of curves that the page works out itself from bodies and arrows."""


def contents(solution: Any, *, label: str, fps: float) -> dict[str, Any]:
    """Header and data of one run."""
    scene, motion = follow(solution, fps=fps)
    failed = solution.status.failed
    return of_scene(scene, motion, label=label, report=solution.report(), failed=failed)


def of_scene(
    scene: Scene,
    motion: Motion,
    *,
    label: str,
    report: dict[str, Any] | None = None,
    failed: bool = False,
) -> dict[str, Any]:
    """Header and data of a scene and its motion; of a failed run the part before it flies apart."""
    payload = Payload()
    count = _sane_moments(motion) if failed else _finite_moments(motion)
    if not count:
        raise OptionError("page: no sample of the run is a finite number: nothing to show.")
    notes = list(scene.notes)
    if count < len(motion.t):
        notes.append(f"{label}: flies apart at t = {motion.t[count]:.4g} s; shown up to there.")
        scene = _measured(scene, motion, count)
    centre = np.array(scene.centre)
    free_points = [i for i, point in enumerate(scene.points) if point.body is None]
    free_arrows = [i for i, arrow in enumerate(scene.arrows) if arrow.body is None]
    shown = _shown_signals(scene)

    def places(columns: Array) -> dict[str, Any]:
        flat = columns[:count].reshape(count, -1)
        origin = np.tile(centre, flat.shape[1] // 3)
        return payload.add(flat, quantum_of(flat, PLACE * scene.size, origin), origin)

    t = motion.t[:count, None]
    gaps = np.diff(motion.t[:count])
    spacing = max(float(np.min(gaps, initial=1.0)), 2e-2 * float(np.max(gaps, initial=1e-9)))
    vectors = motion.vectors[:count]
    largest = np.max(np.linalg.norm(vectors, axis=2), axis=0, initial=0.0)
    vectors = np.where(np.isfinite(vectors), vectors, 0.0).reshape(count, -1)
    fine = quantum_of(vectors, np.repeat(ARROW * np.where(largest > 0, largest, 1.0), 3))
    arrays = {
        # Times are evenly spaced as a rule; a millionth of the spacing costs nothing then.
        "t": payload.add(t, 1e-6 * spacing, t[0]),
        "positions": places(motion.positions),
        "rotations": payload.add(motion.rotations[:count].reshape(count, -1), TURN),
        "points": places(motion.points[:, free_points]),
        "tails": places(motion.tails[:, free_arrows]),
        "vectors": payload.add(vectors, fine),
    }
    curves, signals = _curves(scene, motion.values[:count], shown)
    quantum = [signal["quantum"] for signal in signals]
    origin = [signal["origin"] for signal in signals]
    arrays["values"] = payload.add(curves, np.array(quantum), np.array(origin))
    return {
        "label": label,
        "scene": _scene(scene, payload) | {"notes": notes, "signals": signals},
        "freePoints": free_points,
        "freeArrows": free_arrows,
        "arrays": arrays,
        "report": report,
        "precision": PLACE * scene.size,
        "data": payload.text(),
    }


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
    """Curves that are carried: all but those that can be read off bodies and arrows."""
    bodies = bool(scene.bodies)
    arrows = {arrow.name for arrow in scene.arrows}
    return [
        i
        for i, signal in enumerate(scene.signals)
        if signal.group not in DERIVED
        or (signal.group == "reaction" and not arrows)
        or (signal.group != "reaction" and not bodies)
    ]


def _curves(scene: Scene, values: Array, shown: list[int]) -> tuple[Array, list[dict[str, Any]]]:
    """Columns ready for rounding, and their descriptions."""
    columns = np.zeros((len(values), len(shown)))
    signals = []
    for i, number in enumerate(shown):
        signal, y = scene.signals[number], values[:, number]
        missing = ~np.isfinite(y)
        if signal.log:
            with np.errstate(divide="ignore", invalid="ignore"):
                y = np.log10(np.maximum(np.abs(y), SMALLEST))
            quantum, origin = DECADE, 0.0
        else:
            seen = y[~missing]
            low, high = (float(seen.min()), float(seen.max())) if len(seen) else (0.0, 0.0)
            quantum, origin = CURVE * (high / 2 - low / 2) * 2, low
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


def _scene(scene: Scene, payload: Payload) -> dict[str, Any]:
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
