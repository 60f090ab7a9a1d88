"""Scenes of the benchmark `collision`; imports neither a peer nor dalembert."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

Triple = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


@dataclass(frozen=True)
class Piece:
    """A free body of one shape.

    kind: "sphere" (radius), "capsule" (radius, length between the middles of the ends, along z),
    "box" (edges), "cylinder" (radius, length, along z), "ellipsoid" (half axes), "hull" (half
    axes of an ellipsoid on which its 40 vertices lie)
    """

    kind: str
    sizes: tuple[float, ...]
    place: Triple
    turn: Quaternion = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Scene:
    """Bodies that stand still, with or without a ground at z = 0."""

    name: str
    title: str
    pieces: tuple[Piece, ...]
    ground: bool
    calls: int


def _turn(draw: random.Random) -> Quaternion:
    q = [draw.gauss(0.0, 1.0) for _ in range(4)]
    length = math.sqrt(sum(x * x for x in q))
    return (q[0] / length, q[1] / length, q[2] / length, q[3] / length)


def hull_points(sizes: tuple[float, ...]) -> list[Triple]:
    """40 points spread evenly over an ellipsoid, on a spiral."""
    found = []
    for k in range(40):
        z = 1.0 - (2 * k + 1) / 40
        r, turn = math.sqrt(1.0 - z * z), 2.399963229728653 * k
        x, y = r * math.cos(turn), r * math.sin(turn)
        found.append((sizes[0] * x, sizes[1] * y, sizes[2] * z))
    return found


PAIRS = 200


def pairs(name: str, first: tuple[str, tuple[float, ...]], second: tuple[str, tuple[float, ...]],
          lift: float, turned: bool) -> Scene:  # fmt: skip
    """Pairs of bodies that touch, each far from the others."""
    draw = random.Random(1)
    pieces = []
    for k in range(PAIRS):
        x, y = 5.0 * (k % 15), 5.0 * (k // 15)
        turn = _turn(draw) if turned else (1.0, 0.0, 0.0, 0.0)
        pieces.append(Piece(*first, (x, y, 0.0)))
        side = 0.1 * draw.random()
        pieces.append(Piece(*second, (x + side, y + 0.05, lift), turn))
    return Scene(name, f"{PAIRS} pairs: {name}", tuple(pieces), ground=False, calls=200)


def wall(rows: int, columns: int) -> Scene:
    """Boxes 0.4 x 0.2 x 0.2 in courses, each course half a box aside."""
    pieces = [
        Piece("box", (0.4, 0.2, 0.2), (0.4 * j + 0.2 * (i % 2), 0.0, 0.1 + 0.2 * i - 1e-4 * i))
        for i in range(rows)
        for j in range(columns)
    ]
    title = f"wall of {rows} x {columns} boxes"
    return Scene("wall", title, tuple(pieces), ground=True, calls=500)


def heap(side: int) -> Scene:
    """Spheres of radius 0.1 near the corners of a cubic grid."""
    draw = random.Random(2)
    pieces = [
        Piece(
            "sphere",
            (0.1,),
            (
                0.196 * i + draw.gauss(0.0, 0.01),
                0.196 * j + draw.gauss(0.0, 0.01),
                0.2 + 0.196 * k + draw.gauss(0.0, 0.01),
            ),
        )
        for i in range(side)
        for j in range(side)
        for k in range(side)
    ]
    return Scene(f"heap{side**3}", f"{side**3} spheres", tuple(pieces), ground=True, calls=50)


SCENES = (
    pairs("sphere and sphere", ("sphere", (0.5,)), ("sphere", (0.4,)), 0.85, turned=False),
    pairs("capsule and box", ("box", (1.0, 1.0, 1.0)), ("capsule", (0.3, 0.6)), 0.75, turned=True),
    pairs("box and box, flat", ("box", (1.0,) * 3), ("box", (0.8,) * 3), 0.89, turned=False),
    pairs("box and box, turned", ("box", (1.0,) * 3), ("box", (0.8,) * 3), 0.9, turned=True),
    pairs("cylinder on box", ("box", (1.0,) * 3), ("cylinder", (0.4, 0.8)), 0.89, turned=False),
    pairs("cylinder and box", ("box", (1.0,) * 3), ("cylinder", (0.4, 0.8)), 0.9, turned=True),
    pairs(
        "ellipsoids",
        ("ellipsoid", (0.5, 0.6, 0.4)),
        ("ellipsoid", (0.3, 0.5, 0.4)),
        0.7,
        turned=True,
    ),
    pairs(
        "hulls of 40, touching",
        ("hull", (0.5, 0.6, 0.5)),
        ("hull", (0.4, 0.5, 0.5)),
        0.85,
        turned=True,
    ),
    pairs(
        "hulls of 40, apart", ("hull", (0.5, 0.6, 0.5)), ("hull", (0.4, 0.5, 0.5)), 1.1, turned=True
    ),
    wall(10, 10),
    heap(10),
    heap(16),
)
