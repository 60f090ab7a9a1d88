"""Collision scenes from Python: build the memory of `collision.layout`, make room, read contacts.

A run keeps the memory within its own (`build_scene`, `enlarged_scene`). For everything else there
is `CollisionScene`, which owns it and grows by itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from dalembert.collision import layout
from dalembert.collision.bounds_tree import node_ranges
from dalembert.collision.broad_phase import HALF, cells_of
from dalembert.collision.collide import TURNED, collide
from dalembert.collision.layout import Contacts, Found, Scene
from dalembert.collision.record_layout import Shape
from dalembert.collision.shapes import Packed, pack
from dalembert.errors import ModelError, OptionError
from dalembert.model.basics.quantity import value_of
from dalembert.model.contact.pairs import excluded
from dalembert.model.shapes.solid import Solid, measured
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3
from dalembert.system.tables import RECORD

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

EVERYTHING = -1
"""Mask of a shape that touches all groups."""

MANY = 100
"""Shapes from which a grid or a tree is faster than the sweep."""

UNEQUAL = 4.0
"""Ratio to the median of the bounding radii from which a shape is large."""

MOST_LARGE = 16
"""Large shapes beside a grid; with more of them there is a tree."""


@dataclass(frozen=True)
class SceneShape:
    """A shape on a body of a scene.

    Attributes
    ----------
    packed : the shape in its own frame
    body : index, -1 for the world
    rotation, position : of the shape in the centre-of-mass frame of the body (the world for -1)
    group, mask : bits; two shapes touch when each has a bit of the other's group in its mask
    material : any number; contacts are looked up by it
    """

    packed: Packed
    body: int = -1
    rotation: Any = None
    position: Any = (0.0, 0.0, 0.0)
    group: int = 1
    mask: int = EVERYTHING
    material: int = 0

    @classmethod
    def of(cls, solid: Solid, body: int = -1, *, centre: Any = (0, 0, 0), **rest: Any) -> Self:
        """A shape of a model; `centre` is the centre of mass in the frame of the body."""
        place = measured(solid.middle, {}) - np.asarray(centre, dtype=float)
        packed = pack(rest.pop("kind", solid.kind), solid, measured(solid.sizes, {}))
        return cls(packed, body, solid.turn.matrix, place, **rest)


# -- arrays ----------------------------------------------------------------------------------------


def pack_scene(
    shapes: Sequence[SceneShape],
    bodies: int,
    without: Iterable[tuple[int, int]] = (),
    *,
    broad: int = layout.BROAD_AUTOMATIC,
) -> Scene:
    """The memory of a scene; `without`: pairs of shapes that pass through each other."""
    count = len(shapes)
    endless = [k for k in range(count) if shapes[k].packed.flags & layout.UNBOUNDED_SHAPE]
    bounded, large = _by_size(shapes)
    ranges = node_ranges(len(bounded))
    lists = {
        "excluded": sorted({(min(pair) << HALF) | max(pair) for pair in without}),
        "bounded": bounded,
        "unbounded": endless,
        "ranges": ranges,
        "topology": _joined([shape.packed.integers for shape in shapes]),
        "geometry": _joined([shape.packed.numbers for shape in shapes]),
    }
    counts = {
        "shapes": count,
        "bodies": bodies,
        "excluded_count": len(lists["excluded"]),
        "bounded_count": len(bounded),
        "unbounded_count": len(endless),
        "large": large,
        "nodes": len(ranges) // 2,
        "cells": cells_of(len(bounded)),
        "geometry_length": len(lists["geometry"]),
        "topology_length": len(lists["topology"]),
        "warm_capacity": 1 << max(4 * count - 1, 1).bit_length(),
        "pair_capacity": 16 + 8 * count,
        "broad_choice": broad or _broad(len(bounded), large),
    }
    scene: Scene = Scene.allocated(counts)
    for name, given in lists.items():
        getattr(scene, name)[:] = given
    for name, setting in layout.DEFAULT_SETTINGS.items():
        setattr(scene, name, setting)
    first = int(scene.sizes[Scene.memory_fields["geometry"].slot])
    first_integer = int(scene.sizes[Scene.memory_fields["topology"].slot])
    for k, shape in enumerate(shapes):
        record = scene.shape(k)
        record.first, record.first_integer = first, first_integer
        first += shape.packed.numbers.size
        first_integer += shape.packed.integers.size
        _fill(shape, bodies, record)
    return scene


def _by_size(shapes: Sequence[SceneShape]) -> tuple[list[int], int]:
    """Shapes that are bounded, those first that are much larger than the rest, and how many."""
    radii = {
        k: shape.packed.radius
        for k, shape in enumerate(shapes)
        if not shape.packed.flags & layout.UNBOUNDED_SHAPE
    }
    middle = UNEQUAL * float(np.median([*radii.values()] or [0.0]))
    large = [k for k in radii if radii[k] > middle]
    return [*large, *(k for k in radii if radii[k] <= middle)], len(large)


def _joined(parts: Sequence[Any]) -> Any:
    """Arrays one behind the other."""
    return np.concatenate([part.ravel() for part in parts]) if parts else []


def _fill(shape: SceneShape, bodies: int, record: Shape) -> None:
    """The record of one shape."""
    packed = shape.packed
    R = np.eye(3) if shape.rotation is None else np.asarray(shape.rotation, dtype=float)
    place = np.asarray(shape.position, dtype=float)
    known = np.array([*packed.sizes, *place, *R.ravel()])
    if not np.all(np.isfinite(known)) or not -1 <= shape.body < bodies:
        name = layout.KIND_NAMES[packed.kind]
        raise ModelError(
            f"a {name} on body {shape.body} of {bodies} has sizes {packed.sizes} and place "
            f"{place.tolist()}. Give finite numbers and the index of a body, -1 for the world."
        )
    flags = packed.flags
    flags |= layout.CENTRED if not place.any() else 0
    flags |= layout.ALIGNED if np.array_equal(R, np.eye(3)) else 0
    record.kind, record.body = packed.kind, shape.body
    record.group, record.mask = shape.group, shape.mask
    record.material, record.flags = shape.material, flags
    record.count, record.count_integer = packed.count, packed.count_integer
    record.code = packed.address
    record.rotation, record.position = Mat3(*R.ravel()), Vec3(*place)
    x, y, z, record.size_y = [*packed.sizes, 0.0, 0.0, 0.0, 0.0][:4]
    record.size = Vec3(x, y, z)
    record.bounding_radius, record.inner_radius = packed.radius, packed.inner
    record.box_centre, record.box_half = Vec3(*packed.centre), Vec3(*packed.half)


def _broad(count: int, large: int) -> int:
    """How pairs are found fastest."""
    if count < MANY:
        return layout.BROAD_SWEEP
    return layout.BROAD_GRID if large <= MOST_LARGE else layout.BROAD_TREE


def enlarged_scene(scene: Scene) -> Scene:
    """A copy of the scene with room for all its pairs; contacts are the caller's."""
    needed = scene.needed_pairs
    return with_pairs(scene, needed + needed // 2 if needed > scene.pair_capacity else 0)


def with_pairs(scene: Scene, room: int) -> Scene:
    """A copy of the scene with room for so many candidate pairs, if it has less."""
    # lists that records have addresses in stand ahead of the list of pairs: they stay valid
    made: Scene = scene.enlarged(pair_capacity=max(room, scene.pair_capacity))
    return made


def build_scene(model: Any, bodies: Sequence[str], materials: Sequence[int]) -> Scene:
    """The scene of the shapes of a model that touch.

    Parameters
    ----------
    bodies : names of the bodies in the order of their records
    materials : of every shape, in the order of `model.contact_shapes`
    """
    index = {name: k for k, name in enumerate(bodies)}
    shapes = []
    for shape, material in zip(model.contact_shapes, materials, strict=True):
        place = measured(shape.position, model.parameters)
        if not shape.is_fixed:
            inertia = model.bodies[shape.body].inertia
            place = place - [value_of(x, model.parameters) or 0.0 for x in inertia.center]
        packed = pack(shape.kind, shape.solid, measured(shape.sizes, model.parameters))
        body = -1 if shape.is_fixed else index[shape.body]
        turn = shape.rotation.matrix
        shapes.append(SceneShape(packed, body, turn, place, shape.group, shape.mask, material))
    return pack_scene(shapes, len(bodies), excluded(model) if shapes else ())


# -- face ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FoundContacts:
    """Contacts of a scene, one row each.

    Attributes
    ----------
    shapes : (n, 2)    A and B
    keys, flags : (n)
    gaps : (n)         negative when penetrating
    normals : (n, 3)   from A to B
    points : (n, 3)    midway between the surfaces
    margins : (n)      up to which gap contacts were wanted
    """

    shapes: Integers
    keys: Integers
    flags: Integers
    gaps: Floats
    normals: Floats
    points: Floats
    margins: Floats

    def __len__(self) -> int:
        return len(self.keys)


class CollisionScene:
    """Shapes on bodies, and where they touch.

    Examples
    --------
    >>> import dalembert as dl
    >>> floor = SceneShape.of(dl.Plane())
    >>> scene = CollisionScene([floor, SceneShape.of(dl.Sphere(0.1), 0)], bodies=1)
    >>> scene.collide(motions([(0.0, 0.0, 0.099)])).gaps.round(12).tolist()
    [-0.001]
    """

    def __init__(
        self,
        shapes: Sequence[SceneShape],
        bodies: int,
        without: Iterable[tuple[int, int]] = (),
        **options: Any,
    ) -> None:
        self.shapes = tuple(shapes)  # they keep the code that the memory holds the address of
        self.memory = pack_scene(shapes, bodies, without, **options)
        self._make_room(16 + 4 * len(shapes))

    def _make_room(self, contacts: int) -> None:
        integers = np.zeros(layout.CONTACT_INTEGERS * contacts, dtype=np.int64)
        self.room = Contacts(integers, np.zeros(layout.CONTACT_NUMBERS * contacts))

    def margin(self, least: float) -> None:
        """Look at least that far [m]."""
        self.memory.margin_least = least

    def find(self, records: Floats, h: float) -> int:
        """Find the contacts; how many."""
        count = collide(self.memory, records, float(h), self.room)
        while count == layout.OVERFLOW:
            self.memory = enlarged_scene(self.memory)
            wanted = self.memory.needed_contacts
            if wanted > len(self.room):
                self._make_room(wanted + wanted // 2)
            count = collide(self.memory, records, float(h), self.room)
        if count == layout.UNPLACED:
            refuse_lost(self.memory, records)
        return int(count)

    def collide(self, records: npt.ArrayLike, h: float = 0.0) -> FoundContacts:
        """Contacts for given motions of the bodies, one record each (`motions`)."""
        if not 0.0 <= h < math.inf:
            raise OptionError(f"collide: h is {h!r}. Give a step in seconds, 0 or more.")
        given = np.ascontiguousarray(records, dtype=float).ravel()
        bodies = self.memory.bodies
        if len(given) != RECORD * bodies:
            raise ModelError(
                f"{len(given)} numbers are given for {bodies} bodies. "
                f"Give {RECORD} for each: centre 3, rotation 9, velocity 3, angular velocity 3."
            )
        count = self.find(given, h)
        return read_contacts(self.room, count)


def read_contacts(room: Contacts, count: int) -> FoundContacts:
    """The first contacts of a room as arrays."""
    whole = room.integers.reshape(-1, layout.CONTACT_INTEGERS)[:count].copy()
    parts = room.numbers.reshape(-1, layout.CONTACT_NUMBERS)[:count].copy()
    key, flags, gap, normal, point, margin = Found.offsets(
        "key", "flags", "gap", "normal", "point", "margin"
    )
    return FoundContacts(
        whole[:, :key],
        whole[:, key],
        whole[:, flags],
        parts[:, gap],
        parts[:, normal : normal + 3],
        parts[:, point : point + 3],
        parts[:, margin],
    )


def refuse_lost(scene: Scene, records: Floats) -> None:
    """Raise what is wrong with the record of the body that was not placed."""
    body = scene.lost_body
    record = records[RECORD * body : RECORD * (body + 1)]
    names = ("place", slice(0, 3)), ("rotation", slice(3, 12)), ("velocity", slice(12, 15))
    for name, part in (*names, ("angular velocity", slice(15, 18))):
        most = TURNED if name == "rotation" else layout.FARTHEST
        if not np.abs(record[part]).sum() <= most:
            break
    raise ModelError(
        f"body {body}: its {name} is {record[part].tolist()}. Give finite numbers below "
        f"{layout.FARTHEST:g}, and a rotation matrix."
    )


def motions(
    places: npt.ArrayLike,
    rotations: npt.ArrayLike | None = None,
    velocities: npt.ArrayLike | None = None,
    spins: npt.ArrayLike | None = None,
) -> Floats:
    """Records of bodies: centres (n, 3), rotations (n, 3, 3), velocities and spins (n, 3)."""
    x = np.asarray(places, dtype=float).reshape(-1, 3)
    count = len(x)
    records = np.zeros((count, RECORD))
    records[:, :3] = x
    R = np.broadcast_to(np.eye(3), (count, 3, 3)) if rotations is None else np.asarray(rotations)
    records[:, 3:12] = R.reshape(count, 9)
    if velocities is not None:
        records[:, 12:15] = np.asarray(velocities, dtype=float).reshape(-1, 3)
    if spins is not None:
        records[:, 15:18] = np.asarray(spins, dtype=float).reshape(-1, 3)
    return records
