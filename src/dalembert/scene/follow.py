"""A scene along a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.errors import OptionError
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.names import nearest
from dalembert.model.start.states import rotations
from dalembert.scene.arrows import arrows_of
from dalembert.scene.attachments import offset
from dalembert.scene.describe import dressed
from dalembert.scene.description import WORLD, Array, Scene, ScenePoint
from dalembert.scene.motion import Motion
from dalembert.scene.poses import place, without_jumps
from dalembert.scene.signals import signals_of
from dalembert.scene.skeleton import skeleton

LOOKED = 600
"""Moments at which shapes are fitted to the motion."""

MOST, PLACES = 100_000, 2_000_000
"""Moments that are shown, and places of bodies in all of them; of a longer run they are further
apart."""

FULL = 4000
"""Samples at which reactions are worked out; more are interpolated, as no curve shows them."""

MOST_TRAILS = 4
"""Paths that can be told apart."""


def follow(
    solution: Any,
    times: Any = None,
    fps: float = 60,
    reactions: bool = True,
    trails: Sequence[Any] | None = None,
) -> tuple[Scene, Motion]:
    """The scene of a run and its motion.

    Parameters
    ----------
    solution : Solution
    times : moments, by default evenly spaced over the run
        Within the run; bodies stand there as `Solution.at` says.
    fps : float
        Moments a second when `times` are not given.
    reactions : bool
        With arrows and curves of the reactions of joints.
    trails : points, frames or bodies, or their names ("tip", "crank/tip", "crank")
        Whose paths are drawn. By default the moving points a model names, if they are few.

    Examples
    --------
    >>> import dalembert as dl
    >>> solution = dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-2)
    >>> scene, motion = follow(solution, fps=10)
    >>> motion.points.shape, [point.name for point in scene.points]
    ((11, 2, 3), ['pivot', 'mass'])
    """
    solution = sound(solution)
    t = moments(solution, times, fps)
    model = solution.model
    bare = skeleton(model)
    bare = _with_trails(bare, model, trails)
    q, v = solution.at(t)
    p, turned, points = place(bare, model, t, q, v)
    turned = without_jumps(turned)
    some = np.unique(np.linspace(0, len(t) - 1, min(len(t), LOOKED)).astype(int))
    scene = dressed(bare, model, p[some], turned[some], points[some])
    if trails is None:
        scene = replace(scene, trails=_default_trails(scene, points))
    R = rotations(turned) if turned.size else np.zeros((len(t), 0, 3, 3))
    thinned = _thinned(solution, t)
    if thinned is not solution and reactions and scene.bodies:
        # which reactions are unique is told once for a run
        thinned.__dict__["statics"] = solution.statics.at(thinned)
    arrows = arrows_of(thinned, scene, t, reactions)
    kept, tails, vectors = arrows.result(scene, p, R)
    signals, values = signals_of(solution, t, thinned, arrows)
    notes = scene.notes
    if times is None and len(t) == most_moments(model):
        notes = (*notes, f"The run is long: what is shown is {t[1] - t[0]:.3g} s apart.")
    scene = replace(scene, arrows=kept, signals=signals, notes=notes)
    return scene, Motion(t, p, turned, points, tails, vectors, values)


def moments(solution: Any, times: Any, fps: float) -> Array:
    """The moments of the frames."""
    if times is not None:
        made = np.atleast_1d(np.asarray(times, dtype=float))
        if made.ndim != 1 or not len(made):
            raise OptionError(f"scene: times has shape {made.shape}. Give a list of moments.")
        return made
    if not (isinstance(fps, int | float) and 0.0 < fps <= 10_000):
        raise OptionError(f"scene: fps is {fps!r:.60}. Give a number of frames a second.")
    begin, end = float(solution.t[0]), float(solution.t[-1])
    if end == begin:
        return np.array([begin])
    frames, most = (end - begin) * fps, most_moments(solution.model)
    return np.linspace(begin, end, most if frames >= most else max(2, round(frames) + 1))


def most_moments(model: Any) -> int:
    """How many moments are shown by default: fewer of many bodies."""
    bodies = len(model.bodies) if model.is_maximal else len(model.points)
    return min(MOST, PLACES // max(1, bodies))


def sound(solution: Any) -> Any:
    """The run up to the first sample that is no number."""
    if not len(solution.t):
        raise OptionError(
            "scene: nothing was recorded, as the run ended before its first sample. Ask for"
            " earlier ones."
        )
    good = np.all(np.isfinite(solution.q), axis=1) & np.all(np.isfinite(solution.v), axis=1)
    good &= np.all(np.isfinite(solution.a), axis=1)
    if good.all():
        return solution
    count = max(1, int(np.argmin(good)))
    return _chosen(solution, np.arange(count))


def _thinned(solution: Any, t: Array) -> Any:
    """The run at samples near the moments, and not more than can be seen."""
    wanted = t if len(t) <= FULL else np.linspace(t[0], t[-1], FULL)
    if len(solution.t) <= 2 * len(wanted):
        return solution
    after = np.clip(np.searchsorted(solution.t, wanted), 0, len(solution.t) - 1)
    return _chosen(solution, np.unique(after))


def _chosen(solution: Any, index: Any) -> Any:
    """The run at some of its samples."""
    parts = ("t", "q", "v", "a", "lam", "phi", "phi_dot", "kinetic", "potential")
    blocks = {name: getattr(solution, name) for name in parts}
    made = {name: None if x is None else x[index] for name, x in blocks.items()}
    touch = None if solution.touch is None else solution.touch.choosing(np.asarray(index))
    return replace(solution, **made, touch=touch)


# -- trails ----------------------------------------------------------------------------------------


def _with_trails(bare: Scene, model: Any, trails: Sequence[Any] | None) -> Scene:
    """The scene with the chosen points, which are added where they are on bodies."""
    if trails is None:
        return bare
    points, chosen = list(bare.points), []
    number_of = {name: k for k, name in enumerate(model.bodies)} | {model.world.name: WORLD}
    for wanted in [trails] if isinstance(trails, str) else trails:
        label = wanted if isinstance(wanted, str) else getattr(wanted, "label", None)
        label = label or getattr(wanted, "name", None)
        names = [point.name for point in points]
        if isinstance(wanted, str) and wanted in names:
            chosen.append(names.index(wanted))
            continue
        frame = _frame(model, wanted)
        if frame is None:
            known = [*names, *model.bodies]
            raise OptionError(
                f"trails: there is no point {label or wanted!r:.60}"
                f"{nearest(str(label), known)} Give points, frames or bodies of the model."
            )
        at = offset(frame, model.parameters)
        chosen.append(len(points))
        points.append(ScenePoint(str(label), number_of[frame.body.name], at))
    return replace(bare, points=tuple(points), trails=tuple(chosen))


def _frame(model: Any, wanted: Any) -> Frame | None:
    """The frame meant by a frame, a body or a name."""
    if isinstance(wanted, Frame):
        return wanted if wanted.body.name in model.bodies else None
    name = wanted if isinstance(wanted, str) else getattr(wanted, "name", "")
    body, _, part = name.partition("/")
    if body not in model.bodies:
        return None
    found: Frame | None = model.bodies[body].frames.get(part) if part else model.bodies[body].center
    return found


def _default_trails(scene: Scene, points: Array) -> tuple[int, ...]:
    """Named points that move, of many the one that goes farthest; those of formulas first.

    A cart has its rail.
    """
    far = np.max(np.ptp(points, axis=0), axis=1, initial=0.0) if len(points) else np.zeros(0)
    free = [not point.fixed and point.slide is None for point in scene.points]
    moving = [k for k, can in enumerate(free) if can and far[k] > 1e-9]
    stated = [k for k in moving if scene.points[k].body is None]
    chosen = stated or [k for k in moving if scene.points[k].name]
    if len(chosen) > MOST_TRAILS:
        way = np.sum(np.linalg.norm(np.diff(points[:, chosen], axis=0), axis=2), axis=0)
        chosen = [chosen[int(np.argmax(way))]]
    return tuple(chosen)
