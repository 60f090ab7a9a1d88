"""Collision scenes from Python: build the arrays of `collision.layout`, make room, read contacts.

A run keeps the two arrays among its own (`build_scene`, `enlarged_scene`). For everything else
there is `CollisionScene`, which owns them and grows by itself.
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
from dalembert.collision.collide import collide
from dalembert.collision.filters import HALF
from dalembert.collision.grid import cells_of
from dalembert.collision.placing import TURNED
from dalembert.collision.shapes import Packed, pack
from dalembert.errors import ModelError, OptionError
from dalembert.model.contact.pairs import excluded
from dalembert.model.quantity import value_of
from dalembert.model.shapes import Solid, measured
from dalembert.system.layout import RECORD

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Scene = tuple[Integers, Floats]

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
    """Integers and numbers of a scene; `without`: pairs of shapes that pass through each other."""
    count = len(shapes)
    endless = [bool(s.packed.flags & layout.UNBOUNDED_SHAPE) for s in shapes]
    bounded = [k for k in range(count) if not endless[k]]
    radii = {k: shapes[k].packed.radius for k in bounded}
    middle = UNEQUAL * float(np.median([*radii.values()] or [0.0]))
    large = [k for k in bounded if radii[k] > middle]
    bounded = [*large, *(k for k in bounded if radii[k] <= middle)]
    integers, numbers = _Section(layout.HEAD, np.int64), _Section(layout.SETTINGS, float)
    head, settings = integers.parts[0], numbers.parts[0]
    settings[: len(layout.DEFAULT_SETTINGS)] = layout.DEFAULT_SETTINGS
    head[layout.SHAPES], head[layout.BODIES] = count, bodies
    records = np.zeros((count, layout.SHAPE_INTEGERS), dtype=np.int64)
    figures = np.zeros((count, layout.SHAPE_NUMBERS))
    head[layout.SHAPE_INTEGERS_AT] = integers.add(records)
    head[layout.SHAPE_NUMBERS_AT] = numbers.add(figures)
    for k, shape in enumerate(shapes):
        _fill(shape, bodies, records[k], figures[k], integers, numbers)
    codes = sorted({(min(pair) << HALF) | max(pair) for pair in without})
    ranges = node_ranges(len(bounded))
    warm = 1 << max(4 * count - 1, 1).bit_length()
    lists = (
        (layout.EXCLUDED_AT, layout.EXCLUDED, codes),
        (layout.BOUNDED_AT, layout.BOUNDED, bounded),
        (layout.UNBOUNDED_AT, layout.UNBOUNDED, [k for k in range(count) if endless[k]]),
    )
    for start, length, table in lists:
        head[start], head[length] = integers.add(table), len(table)
    head[layout.RANGES_AT], head[layout.NODES] = integers.add(ranges), len(ranges) // 2
    head[layout.WARM_CAPACITY] = warm
    head[layout.BROAD_CHOICE] = broad or _broad(len(bounded), len(large))
    head[layout.LARGE], head[layout.CELLS] = len(large), cells_of(len(bounded))
    for slot, length in (
        (layout.ORDER_AT, len(bounded)),
        (layout.STACK_AT, max(128, len(bounded))),
        (layout.CELLS_AT, cells_of(len(bounded)) + 1),
        (layout.BROAD_SCRATCH_AT, count + 1),
        (layout.SCRATCH_INTEGERS_AT, layout.SCRATCH_INTEGERS),
        (layout.WARM_INTEGERS_AT, layout.WARM_INTEGERS * warm),
    ):
        head[slot] = integers.add(length)
    for slot, length in (
        (layout.PLACED_AT, layout.PLACED * count),
        (layout.BOUNDS_AT, layout.BOUNDS * count),
        (layout.SORTED_AT, layout.BOUNDS * len(bounded)),
        (layout.NODES_AT, layout.BOUNDS * (len(ranges) // 2)),
        (layout.SCRATCH_NUMBERS_AT, layout.SCRATCH_NUMBERS),
        (layout.WARM_NUMBERS_AT, layout.WARM_NUMBERS * warm),
    ):
        head[slot] = numbers.add(length)
    # last, because it grows; twice, because it is sorted from one half into the other
    head[layout.PAIR_CAPACITY] = 16 + 8 * count
    head[layout.PAIRS_AT] = integers.add(2 * int(head[layout.PAIR_CAPACITY]))
    return integers.whole(), numbers.whole()


class _Section:
    """An array that is put together from parts."""

    def __init__(self, length: int, kind: Any) -> None:
        self.kind = kind
        self.parts = [np.zeros(length, dtype=kind)]
        self.length = length

    def add(self, part: Any) -> int:
        """Append an array, or room of a given length; where it starts."""
        array = np.zeros(part, self.kind) if isinstance(part, int) else np.asarray(part, self.kind)
        start = self.length
        self.parts.append(array)
        self.length += array.size
        return start

    def whole(self) -> Any:
        """All parts."""
        return np.concatenate([part.ravel() for part in self.parts])


def _fill(
    shape: SceneShape,
    bodies: int,
    record: Integers,
    figures: Floats,
    integers: _Section,
    numbers: _Section,
) -> None:
    """The records of one shape."""
    packed = shape.packed
    R = np.eye(3) if shape.rotation is None else np.asarray(shape.rotation, dtype=float)
    place = np.asarray(shape.position, dtype=float)
    known = np.array([*packed.sizes, *place, *R.ravel(), packed.inner, *packed.own])
    if not np.all(np.isfinite(known[: len(packed.sizes) + 12])) or not -1 <= shape.body < bodies:
        name = layout.KIND_NAMES[packed.kind]
        raise ModelError(
            f"a {name} on body {shape.body} of {bodies} has sizes {packed.sizes} and place "
            f"{place.tolist()}. Give finite numbers and the index of a body, -1 for the world."
        )
    flags = packed.flags
    flags |= layout.CENTRED if not place.any() else 0
    flags |= layout.ALIGNED if np.array_equal(R, np.eye(3)) else 0
    record[layout.KIND], record[layout.BODY] = packed.kind, shape.body
    record[layout.GROUP], record[layout.MASK] = shape.group, shape.mask
    record[layout.MATERIAL], record[layout.FLAGS] = shape.material, flags
    record[layout.FIRST], record[layout.COUNT] = numbers.add(packed.numbers), packed.count
    record[layout.FIRST_INTEGER] = integers.add(packed.integers)
    record[layout.COUNT_INTEGER] = packed.count_integer
    figures[layout.ROTATION : layout.ROTATION + 9] = R.ravel()
    figures[layout.POSITION : layout.POSITION + 3] = place
    figures[layout.SIZE : layout.SIZE + len(packed.sizes)] = packed.sizes
    figures[layout.BOUNDING_RADIUS], figures[layout.INNER_RADIUS] = packed.radius, packed.inner
    figures[layout.BOX_CENTRE : layout.BOX_CENTRE + 3] = packed.centre
    figures[layout.BOX_HALF : layout.BOX_HALF + 3] = packed.half
    figures[layout.SPARE_NUMBER : layout.SPARE_NUMBER + len(packed.own)] = packed.own
    at = layout.SPARE_INTEGER
    record[at : at + len(packed.own_integers)] = packed.own_integers


def _broad(count: int, large: int) -> int:
    """How pairs are found fastest."""
    if count < MANY:
        return layout.BROAD_SWEEP
    return layout.BROAD_GRID if large <= MOST_LARGE else layout.BROAD_TREE


def enlarged_scene(integers: Integers, numbers: Floats) -> Scene:
    """A copy of the scene with room for all its pairs; contacts are the caller's."""
    needed = int(integers[layout.NEEDED_PAIRS])
    if needed <= integers[layout.PAIR_CAPACITY]:
        return integers.copy(), numbers.copy()
    room = needed + needed // 2
    start = int(integers[layout.PAIRS_AT])
    integers = np.concatenate([integers[:start], np.zeros(2 * room, dtype=np.int64)])
    integers[layout.PAIR_CAPACITY] = room
    return integers, numbers.copy()


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
        self.shapes = tuple(shapes)  # they keep the code that the arrays hold the address of
        self.integers, self.numbers = pack_scene(shapes, bodies, without, **options)
        self._make_room(16 + 4 * len(shapes))

    def _make_room(self, contacts: int) -> None:
        self._out_integers = np.zeros(layout.CONTACT_INTEGERS * contacts, dtype=np.int64)
        self._out_numbers = np.zeros(layout.CONTACT_NUMBERS * contacts)

    @property
    def room(self) -> Scene:
        """Where contacts are written: integers and numbers."""
        return self._out_integers, self._out_numbers

    def margin(self, least: float) -> None:
        """Look at least that far [m]."""
        self.numbers[layout.MARGIN_LEAST] = least

    def find(self, records: Floats, h: float) -> int:
        """Find the contacts; how many."""
        arrays = (self.integers, self.numbers, records, float(h))
        count = collide(*arrays, self._out_integers, self._out_numbers)
        while count == layout.OVERFLOW:
            self.integers, self.numbers = enlarged_scene(self.integers, self.numbers)
            wanted = int(self.integers[layout.NEEDED_CONTACTS])
            if layout.CONTACT_INTEGERS * wanted > len(self._out_integers):
                self._make_room(wanted + wanted // 2)
            arrays = (self.integers, self.numbers, records, float(h))
            count = collide(*arrays, self._out_integers, self._out_numbers)
        if count == layout.UNPLACED:
            refuse_lost(self.integers, records)
        return int(count)

    def collide(self, records: npt.ArrayLike, h: float = 0.0) -> FoundContacts:
        """Contacts for given motions of the bodies, one record each (`motions`)."""
        if not 0.0 <= h < math.inf:
            raise OptionError(f"collide: h is {h!r}. Give a step in seconds, 0 or more.")
        given = np.ascontiguousarray(records, dtype=float).ravel()
        if len(given) != RECORD * self.integers[layout.BODIES]:
            raise ModelError(
                f"{len(given)} numbers are given for {self.integers[layout.BODIES]} bodies. "
                f"Give {RECORD} for each: centre 3, rotation 9, velocity 3, angular velocity 3."
            )
        count = self.find(given, h)
        whole = self._out_integers.reshape(-1, layout.CONTACT_INTEGERS)[:count].copy()
        parts = self._out_numbers.reshape(-1, layout.CONTACT_NUMBERS)[:count].copy()
        return FoundContacts(
            whole[:, :2],
            whole[:, layout.KEY],
            whole[:, layout.CONTACT_FLAGS],
            parts[:, layout.GAP],
            parts[:, layout.NORMAL : layout.NORMAL + 3],
            parts[:, layout.POINT : layout.POINT + 3],
            parts[:, layout.MARGIN],
        )


def refuse_lost(integers: Integers, records: Floats) -> None:
    """Raise what is wrong with the record of the body that was not placed."""
    body = int(integers[layout.LOST_BODY])
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
