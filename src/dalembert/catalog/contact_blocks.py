"""Blocks that stand, lean, slide and fall: incline, stack, wall, cards, dominoes, boxes, arch.

Closed forms: a block sticks on an incline if and only if mu >= tan(angle), and slides with
g (sin - mu cos) otherwise. Smallest thickness and friction of the semicircular arch of wedges by
limit analysis: thickness / radius 0.1072 and, at 0.15, mu 0.3515 for 16 of them (Milankovitch 1907,
0.1075 for very many).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dalembert.catalog.on_floor import at_least, on_floor
from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.basics.rotation import Rotation
from dalembert.model.contact.material import Material
from dalembert.model.shapes.mesh import Mesh
from dalembert.model.shapes.solids import Box, Plane

Size = tuple[float, float, float]


def incline(
    *,
    angle: float = 30.0,
    friction: float = 0.6,
    speed: float = 0.0,
    gravity: float = 9.81,
    size: Size = (0.2, 0.2, 0.1),
) -> Model:
    """Block on an inclined plane; the x axis points down the slope.

    Parameters
    ----------
    angle : float  [degrees]
        Of the slope: gravity is turned, the plane is z = 0.
    friction : float
        Between block and plane.
    speed : float  [m/s]
        Down the slope, at the start.
    gravity : float  [m/s^2]
    size : 3 numbers  [m]
        Edges of the block.

    Examples
    --------
    >>> incline()
    Model('incline': 1 body)
    """
    slope = math.radians(angle)
    pull = (gravity * math.sin(slope), 0.0, -gravity * math.cos(slope))
    model = Model("incline", gravity=pull)
    (mu,) = parameters(mu=friction)
    surface = Material(friction=mu)
    model.add_shape(Plane(), material=surface, name="slope")
    _block(model, "block", 1.0, size, (0.0, 0.0, 0.5 * size[2]), surface, velocity=(speed, 0, 0))
    model.suggested = {"until": 2.0, "step": 0.005}
    return model


def stack(
    count: int = 10,
    *,
    ratio: float = 1000.0,
    friction: float = 0.5,
    edge: float = 0.2,
    gravity: float = 9.81,
) -> Model:
    """Tower of cubes of 1 kg on the floor, the top one heavier.

    Parameters
    ----------
    count : int
    ratio : float
        Mass of the top cube over that of the others.
    friction : float
    edge : float  [m]
    gravity : float  [m/s^2]

    Examples
    --------
    >>> stack(3)
    Model('stack-3': 3 bodies)
    """
    at_least(1, "stack", count)
    model, surface = on_floor(f"stack-{count}", friction, gravity)
    for i in range(count):
        mass = ratio if i == count - 1 else 1.0
        _block(model, f"box{i}", mass, (edge,) * 3, (0.0, 0.0, edge * (i + 0.5)), surface)
    model.suggested = {"until": 5.0, "step": 0.005}
    return model


def wall(rows: int = 5, columns: int = 5, *, friction: float = 0.6, gravity: float = 9.81) -> Model:
    """Wall of bricks in running bond; every second course ends with half bricks.

    Parameters
    ----------
    rows, columns : int
        Courses, and bricks in each.
    friction : float
    gravity : float  [m/s^2]

    Examples
    --------
    >>> wall(3, 2)
    Model('wall-3x2': 7 bodies)
    """
    at_least(1, "wall", rows)
    at_least(1, "wall", columns)
    model, surface = on_floor(f"wall-{rows}x{columns}", friction, gravity)
    length, width, height = 0.2, 0.1, 0.1
    for r in range(rows):
        # bricks stand a thousandth apart: they meet those above and below, not beside
        pitch, ends = 1.001 * length, 0.5 * length
        middles = [(c * pitch, length) for c in range(columns)]
        if r % 2:
            middles = [((c + 0.5) * pitch, length) for c in range(columns - 1)]
            far = (columns - 1) * pitch + 0.5 * ends
            middles = [(-0.5 * ends, ends), *middles, (far, ends)]
        for c, (x, long) in enumerate(middles):
            place = (x, 0.0, height * (r + 0.5))
            _block(model, f"brick{r}_{c}", long / length, (long, width, height), place, surface)
    model.suggested = {"until": 5.0, "step": 0.005}
    return model


def cards(levels: int = 3, *, friction: float = 0.6, gravity: float = 9.81) -> Model:
    """House of cards: pairs that lean against each other, with cards laid across.

    Parameters
    ----------
    levels : int
    friction : float
    gravity : float  [m/s^2]

    Notes
    -----
    Cards lean at 20 degrees. By symmetry the force between the tips of a pair is level, and the
    plane of contact is the face of one of them: a house of any height needs mu >= tan(20 degrees),
    0.364. Feet need less: with the weight w and thickness d over length L, (tan(a) - d/L) / 2.

    Examples
    --------
    >>> cards(2)
    Model('cards-2': 7 bodies)
    """
    at_least(1, "cards", levels)
    model, surface = on_floor(f"cards-{levels}", friction, gravity)
    length, thick, width, lean = 0.2, 0.008, 0.12, math.radians(20.0)
    rise = 0.5 * (length * math.cos(lean) + thick * math.sin(lean))
    reach = 0.5 * (length * math.sin(lean) + thick * math.cos(lean))
    pitch = 2.0 * (length * math.sin(lean) + 1.1 * thick)
    mass, z = 0.05, 0.0
    for level in range(levels):
        pairs = levels - level
        for k in range(pairs):
            x = (k - 0.5 * (pairs - 1)) * pitch
            for side, turn in (("l", lean), ("r", -lean)):
                place = (x - math.copysign(reach, turn), 0.0, z + rise)
                name, size = f"card{level}_{k}{side}", (thick, width, length)
                _block(model, name, mass, size, place, surface, rotation=("y", turn))
        z += 2.0 * rise
        if pairs > 1:
            for k in range(pairs - 1):
                x = (k - 0.5 * (pairs - 2)) * pitch
                place, size = (x, 0.0, z + 0.5 * thick), (0.99 * pitch, width, thick)
                _block(model, f"floor{level}_{k}", mass, size, place, surface)
            z += thick
    model.suggested = {"until": 5.0, "step": 0.005}
    return model


def dominoes(
    count: int = 20, *, spacing: float = 0.025, push: float = 4.0, friction: float = 0.4
) -> Model:
    """Row of dominoes, the first one pushed over.

    Parameters
    ----------
    count : int
    spacing : float  [m]
        From face to face.
    push : float  [rad/s]
        Angular velocity of the first one about its lower edge.
    friction : float

    Examples
    --------
    >>> dominoes(5)
    Model('dominoes-5': 5 bodies)
    """
    at_least(1, "dominoes", count)
    model, surface = on_floor(f"dominoes-{count}", friction, 9.81)
    thick, width, height = 0.0075, 0.024, 0.048
    for i in range(count):
        place = (i * (spacing + thick), 0.0, 0.5 * height)
        spin = push if i == 0 else 0.0
        # the lower edge at x = thick/2 rests: v = w x r
        v = (0.5 * height * spin, 0.0, 0.5 * thick * spin)
        _block(
            model,
            f"domino{i}",
            0.01,
            (thick, width, height),
            place,
            surface,
            velocity=v,
            angular_velocity=(0.0, spin, 0.0),
        )
    model.suggested = {"until": 2.0, "step": 0.001}
    return model


def boxes(
    count: int = 10,
    *,
    height: float = 0.05,
    friction: float = 0.5,
    seed: int = 0,
    gravity: float = 9.81,
) -> Model:
    """Cubes of 1 kg dropped side by side on the floor, each turned a little.

    Parameters
    ----------
    count : int
    height : float  [m]
        Of the fall.
    friction : float
    seed : int
        Of the turns.
    gravity : float  [m/s^2]

    Examples
    --------
    >>> boxes(4)
    Model('boxes-4': 4 bodies)
    """
    at_least(1, "boxes", count)
    model, surface = on_floor(f"boxes-{count}", friction, gravity)
    edge, across = 0.2, math.ceil(math.sqrt(count))
    random = np.random.default_rng(seed)
    for i in range(count):
        x, y = ((n - 0.5 * (across - 1)) * 2.0 * edge for n in (i % across, i // across))
        axis = random.normal(size=3)
        turn = (tuple((axis / np.linalg.norm(axis)).tolist()), float(random.uniform(0.0, 0.2)))
        place = (x, y, 0.5 * edge + height)
        _block(model, f"box{i}", 1.0, (edge,) * 3, place, surface, rotation=turn)
    model.suggested = {"until": 2.0, "step": 0.005}
    return model


def arch(
    count: int = 16,
    *,
    thickness: float = 0.15,
    friction: float = 0.6,
    depth: float = 0.3,
    density: float = 2000.0,
    gravity: float = 9.81,
) -> Model:
    """Semicircular arch of wedges that stands on the floor, its mean radius 1 m.

    Parameters
    ----------
    count : int
        Wedges (voussoirs).
    thickness : float  [m]
        Over the mean radius; below 0.107 no friction lets it stand.
    friction : float
    depth : float  [m]
    density : float  [kg/m^3]
    gravity : float  [m/s^2]

    Examples
    --------
    >>> arch(8)
    Model('arch-8': 8 bodies)
    """
    at_least(3, "arch", count)
    model, surface = on_floor(f"arch-{count}", friction, gravity)
    step = math.pi / count
    inner, outer = 1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness
    corners = [
        (r * math.sin(a), y, r * math.cos(a))
        for r in (inner, outer)
        for a in (-0.5 * step, 0.5 * step)
        for y in (-0.5 * depth, 0.5 * depth)
    ]
    points = np.array(corners)
    faces = _hull_faces(points)
    mass, centre, inertia = _solid(points, faces, density)
    own = points - centre
    for i in range(count):
        turn = -0.5 * math.pi + (i + 0.5) * step
        at = Rotation.about("y", turn).matrix @ centre
        body = model.add_body(
            f"wedge{i}",
            Inertia(mass, inertia.tolist()),
            position=tuple(at.tolist()),
            rotation=("y", turn),
        )
        model.add_shape(Mesh(vertices=own, faces=faces), on=body, material=surface)
    model.suggested = {"until": 5.0, "step": 0.005}
    return model


# -- what they share -------------------------------------------------------------------------------


def _block(
    model: Model,
    name: str,
    mass: float,
    size: Size,
    place: tuple[float, float, float],
    surface: Material,
    **motion: Any,
) -> Any:
    body = model.add_body(name, Inertia.box(mass, size=size), position=place, **motion)
    model.add_shape(Box(size), on=body, material=surface)
    return body


def _hull_faces(points: np.ndarray) -> np.ndarray:
    """Triangles of a wedge: corners inner before outer, left before right, front first."""
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    middle, faces = points.mean(axis=0), []
    for a, b, c, d in quads:
        for one in ((a, b, c), (a, c, d)):
            p, q, r = points[list(one)]
            outward = np.dot(np.cross(q - p, r - p), p - middle) > 0.0
            faces.append(one if outward else one[::-1])
    return np.array(faces)


def _solid(
    points: np.ndarray, faces: np.ndarray, density: float
) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre and inertia of a body of triangles, by tetrahedra from the origin."""
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for a, b, c in points[faces]:
        part = np.dot(a, np.cross(b, c)) / 6.0
        volume += part
        first += part * (a + b + c) / 4.0
        s = a + b + c
        second += part * (np.outer(s, s) + sum(np.outer(x, x) for x in (a, b, c))) / 20.0
    centre = first / volume
    second = density * (second - volume * np.outer(centre, centre))
    return density * volume, centre, np.trace(second) * np.eye(3) - second
