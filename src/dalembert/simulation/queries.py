"""`distance` and `ray_cast`: what is near, and what a ray meets, of shapes or of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.collision.queries import Hit, Placed, Separation
from dalembert.errors import OptionError
from dalembert.model.basics.rotation import as_rotation
from dalembert.model.contact.contact_shape import ContactShape
from dalembert.model.core.model import Model
from dalembert.model.shapes.solid import Solid
from dalembert.simulation.prepare.initial_state import read_initial
from dalembert.simulation.prepare.placed_shapes import placed_shapes

Floats = npt.NDArray[np.float64]


def distance(
    a: Any, b: Any, *, pose_a: Any = None, pose_b: Any = None, at: Any = None
) -> Separation:
    """How far apart two shapes are, or two bodies of a model, and where they are nearest.

    Parameters
    ----------
    a, b : two shapes; or a model and a pair of what is in it
        Of a model: bodies, the world, shapes that touch, or names of these. A body stands for
        all its shapes that touch.
    pose_a, pose_b : (position, rotation)
        Where the shapes stand, besides what they say themselves; by default at the origin. The
        rotation is given as everywhere: a Rotation, a matrix, a quaternion or (axis, angle).
    at : state of the model
        As `initial` of `simulate` takes it: (q, v), a dict, an `Assembly`, or `solution.at(t)`; by
        default where the model starts.

    Returns
    -------
    Separation
        distance, normal, point_a, point_b, shape_a, shape_b. A negative distance is the depth: the
        shortest way along which they could be pulled apart.

    Examples
    --------
    >>> import dalembert as dl
    >>> found = dl.distance(dl.Sphere(0.5), dl.Box(1, 1, 1), pose_b=((2, 0, 0), None))
    >>> found.distance, found.point_a.tolist()
    (1.0, [0.5, 0.0, 0.0])
    """
    if isinstance(a, Model):
        if pose_a is not None or pose_b is not None:
            raise OptionError("distance: a model has no pose. Give at=..., or two shapes.")
        if not (isinstance(b, list | tuple) and len(b) == 2):
            raise OptionError(
                f"distance: {b!r:.60} is not a pair. Give for example "
                'dl.distance(model, ("hand", "table")).'
            )
        placed, shapes = _of_model(a, at, "distance")
        one, other = (_selected(a, side, shapes, "distance") for side in b)
        return placed.nearest(one, other)
    if at is not None:
        raise OptionError("distance: at is for models. Give pose_a and pose_b to shapes.")
    for given in (a, b):
        if not isinstance(given, Solid):
            raise OptionError(
                f"distance: {given!r:.60} is no shape. Give dl.Box(...), dl.Sphere(...), ..., or a "
                "model and a pair of bodies."
            )
    poses = [_pose(pose_a, "pose_a"), _pose(pose_b, "pose_b")]
    return Placed.of([a, b], poses).separation(0, 1)


def ray_cast(
    among: Any,
    origin: Any,
    *,
    direction: Any,
    at: Any = None,
    ignore: Any = (),
    longest: float = np.inf,
) -> Hit | None:
    """The first hit of a ray.

    Parameters
    ----------
    among : Model, shape, or list of shapes
        Of a model all shapes that touch.
    origin : 3 numbers  [m]
    direction : 3 numbers
        Of any length.
    at : state of the model
        As `distance` takes it.
    ignore : body, shape, name, or list of them
        What the ray passes through: the body that carries a sensor.
    longest : float  [m]
        Hits further away do not count.

    Returns
    -------
    Hit or None
        distance, point, normal, shape. A ray that begins inside a solid hits it from inside.

    Examples
    --------
    >>> import dalembert as dl
    >>> dl.ray_cast([dl.Sphere(0.5), dl.Plane()], (0, 0, 2), direction=(0, 0, -1)).distance
    1.5
    """
    start, way = _vector(origin, "origin"), _vector(direction, "direction")
    length = float(np.linalg.norm(way))
    if length == 0.0:
        raise OptionError("ray_cast: direction is zero. Give a vector that points somewhere.")
    if isinstance(among, Model):
        placed, shapes = _of_model(among, at, "ray_cast")
        alone = isinstance(ignore, str) or not isinstance(ignore, list | tuple | set)
        passed = [ignore] if alone else list(ignore)
        hidden = {k for one in passed for k in _selected(among, one, shapes, "ray_cast")}
        hit = placed.hit(start, way / length, sorted(set(range(len(shapes))) - hidden))
    else:
        solids = [among] if isinstance(among, Solid) else list(among)
        for given in solids:
            if not isinstance(given, Solid):
                raise OptionError(f"ray_cast: {given!r:.60} is no shape. Give shapes, or a model.")
        standing = (np.zeros(3), np.eye(3))
        hit = Placed.of(solids, [standing] * len(solids)).hit(start, way / length)
    return hit if hit is not None and hit.distance <= longest else None


def _of_model(model: Model, at: Any, caller: str) -> tuple[Placed, list[ContactShape]]:
    """The shapes of a model at a state."""
    if not model.contact_shapes:
        raise OptionError(
            f"{caller}: model '{model.name}' has no shapes that touch. Give it some with "
            "model.add_shape(...)."
        )
    return placed_shapes(model, *read_initial(model, at)), model.contact_shapes


def _selected(model: Model, given: Any, shapes: Sequence[ContactShape], caller: str) -> list[int]:
    """Numbers of the shapes that a body, a shape or a name stands for."""
    name = given if isinstance(given, str) else getattr(given, "name", None)
    found = [k for k, one in enumerate(shapes) if name in (one.name, one.body)]
    if not found:
        known = sorted({one.body for one in shapes} | {one.name for one in shapes})
        raise OptionError(
            f"{caller}: model '{model.name}' has no shape that touches on or named {given!r:.60}. "
            f"There are: {', '.join(known)}."
        )
    return found


def _pose(given: Any, what: str) -> tuple[Floats, Floats]:
    """Position and rotation matrix."""
    if given is None:
        return np.zeros(3), np.eye(3)
    if not (isinstance(given, list | tuple) and len(given) == 2):
        raise OptionError(f"distance: {what} is {given!r:.60}. Give (position, rotation).")
    return _vector(given[0], what), as_rotation(given[1]).matrix


def _vector(given: Any, what: str) -> Floats:
    try:
        found = np.array(given, dtype=float)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != (3,) or not np.all(np.isfinite(found)):
        raise OptionError(f"{what} is {given!r:.60}. Give 3 finite numbers.")
    return found
