"""Contact problems by geometry alone, for tests and benchmarks: one step of resting bodies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dalembert.contact.given.problem import ContactProblem
from dalembert.contact.rows.body_rows import tangents
from dalembert.numerics.vector import Vec3

STEP, GRAVITY = 5e-3, 9.81

FALL = np.array([0.0, 0.0, -GRAVITY * STEP, 0.0, 0.0, 0.0])


def free_body(problem: ContactProblem, mass: float, inertia: Any, v: Any = 0.0) -> int:
    """A body with its principal axes along the world's, falling for one step."""
    A = np.zeros((6, 6))
    A[:3, :3] = mass * np.eye(3)
    A[3:, 3:] = np.diag(inertia) if np.ndim(inertia) == 1 else inertia
    return problem.add_clique(A, np.broadcast_to(np.asarray(v, float), 6) + FALL)


def box_inertia(mass: float, half: Any) -> np.ndarray:
    """Of a box with the given half sides."""
    x, y, z = np.asarray(half) ** 2
    return mass / 3.0 * np.array([y + z, x + z, x + y])


def rows_at(n: Any, arm: Any) -> np.ndarray:
    """J of a point in the frame (n, t1, t2) of a normal."""
    t1, t2 = tangents.function(Vec3(*map(float, n)))
    frame = np.array([n, [*t1], [*t2]], dtype=float)
    return np.hstack([frame, np.cross(np.broadcast_to(arm, (3, 3)), frame)])


def touch(
    problem: ContactProblem,
    bodies: tuple[int, int],
    centres: tuple[Any, Any],
    point: Any,
    n: Any,
    mu: float = 0.5,
    gap: float = 0.0,
    kind: str = "CONE",
    **given: Any,
) -> int:
    """A contact of body A (may be -1) and B at a point; the normal points from A to B."""
    a, b = bodies
    Ja = None if a < 0 else -rows_at(n, np.asarray(point) - centres[0])
    Jb = None if b < 0 else rows_at(n, np.asarray(point) - centres[1])
    bias = (max(gap, 0.0) / STEP, 0.0, 0.0)
    return problem.add_block(kind, Ja, a, Jb, b, mu=mu, bias=bias, **given)


def boxes(places: list[Any], halves: list[Any], masses: list[float], mu: float) -> ContactProblem:
    """Boxes along the axes: four contacts in the corners of every common face; floor z = 0."""
    problem = ContactProblem()
    for half, mass in zip(halves, masses, strict=True):
        free_body(problem, mass, box_inertia(mass, half))
    x, h = np.asarray(places, float), np.asarray(halves, float)
    up = np.array([0.0, 0.0, 1.0])
    for i in range(len(x)):
        if abs(x[i, 2] - h[i, 2]) < 1e-9:
            for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                point = x[i] + (sx * h[i, 0], sy * h[i, 1], -h[i, 2])
                touch(problem, (-1, i), (None, x[i]), point, up, mu)
        for j in range(i + 1, len(x)):
            low, high = np.maximum(x[i] - h[i], x[j] - h[j]), np.minimum(x[i] + h[i], x[j] + h[j])
            size = high - low
            for axis in range(3):
                p, q = (axis + 1) % 3, (axis + 2) % 3
                if abs(size[axis]) < 1e-9 and size[p] > 1e-9 and size[q] > 1e-9:
                    n = np.zeros(3)
                    n[axis] = math.copysign(1.0, x[j, axis] - x[i, axis])
                    for cp, cq in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        point = low.copy()
                        point[p], point[q] = (low, high)[cp][p], (low, high)[cq][q]
                        touch(problem, (i, j), (x[i], x[j]), point, n, mu)
    return problem


def stack(count: int = 10, ratio: float = 1000.0, mu: float = 0.5) -> ContactProblem:
    """A tower of unit boxes, the top one heavier."""
    places = [(0.0, 0.0, 0.5 + i) for i in range(count)]
    masses = [1.0] * (count - 1) + [ratio]
    return boxes(places, [(0.5, 0.5, 0.5)] * count, masses, mu)


def wall(rows: int = 10, columns: int = 10, mu: float = 0.6) -> ContactProblem:
    """Bricks in running bond with flush ends: every second row has a half brick at both ends."""
    places, halves = [], []
    for r in range(rows):
        z = 0.1 + 0.2 * r
        widths = [1.0] * columns if r % 2 == 0 else [0.5] + [1.0] * (columns - 1) + [0.5]
        x = 0.0
        for width in widths:
            places.append((x + width / 2, 0.0, z))
            halves.append((width / 2, 0.25, 0.1))
            x += width
    return boxes(places, halves, [8.0 * h[0] for h in halves], mu)


def pyramid(levels: int = 6, mu: float = 0.4) -> ContactProblem:
    """Boxes in a triangle, each on two."""
    places = [
        (1.05 * (i - 0.5 * (levels - r - 1)), 0.0, 0.5 + r)
        for r in range(levels)
        for i in range(levels - r)
    ]
    return boxes(places, [(0.5, 0.5, 0.5)] * len(places), [1.0] * len(places), mu)


def incline(degrees: float = 30.0, mu: float = 0.6, mass: float = 1.0) -> ContactProblem:
    """A block on a slope, turned with it; gravity inclined."""
    problem = ContactProblem()
    half = np.array([0.5, 0.5, 0.25])
    a = math.radians(degrees)
    body = free_body(problem, mass, box_inertia(mass, half))
    fall = GRAVITY * STEP * np.array([math.sin(a), 0.0, -math.cos(a), 0.0, 0.0, 0.0])
    problem.cliques[body].v_free[:] = fall
    for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        point = half * (sx, sy, -1)
        touch(problem, (-1, body), (None, np.zeros(3)), point, (0.0, 0.0, 1.0), mu)
    return problem


def arch(stones: int = 15, mu: float = 0.5) -> ContactProblem:
    """A semicircular arch of wedges between two abutments, four contacts a joint."""
    problem, inner, outer, depth = ContactProblem(), 1.0, 1.3, 0.2
    radius, angle = 0.5 * (inner + outer), math.pi / stones
    mass = 100.0 * angle * radius * (outer - inner) * 2 * depth
    centres = []
    for k in range(stones):
        at = (k + 0.5) * angle
        centres.append(np.array([radius * math.cos(at), 0.0, radius * math.sin(at)]))
        half = (0.5 * (outer - inner), depth, 0.5 * radius * angle)
        turn = np.array(
            [[math.cos(at), 0, -math.sin(at)], [0, 1, 0], [math.sin(at), 0, math.cos(at)]]
        )
        inertia = turn @ np.diag(box_inertia(mass, half)) @ turn.T
        free_body(problem, mass, inertia)
    for k in range(stones + 1):
        at = k * angle
        n = np.array([-math.sin(at), 0.0, math.cos(at)])
        a, b = k - 1, k if k < stones else -1
        places = (centres[a] if a >= 0 else None, centres[b] if b >= 0 else None)
        for r in (inner, outer):
            for y in (-depth, depth):
                point = np.array([r * math.cos(at), y, r * math.sin(at)])
                touch(problem, (a, b), places, point, n, mu)
    return problem


def spheres(count: int = 60, seed: int = 0, mu: float = 0.5, speed: float = 0.5) -> ContactProblem:
    """A loose heap: spheres in a lattice that are moved a little, contacts with gaps."""
    rng = np.random.default_rng(seed)
    problem, side = ContactProblem(), max(2, round(count ** (1 / 3)))
    radius, places = 0.1, []
    for i in range(count):
        cell = np.array([i % side, i // side % side, i // side**2])
        places.append((cell + 0.5) * 2.0 * radius + rng.uniform(-0.02, 0.02, 3) * radius)
        mass = math.exp(rng.uniform(-1, 1))
        v = np.concatenate([rng.normal(size=3) * speed, rng.normal(size=3)])
        free_body(problem, mass, np.full(3, 0.4 * mass * radius**2), v)
    x = np.array(places)
    for i in range(count):
        if x[i, 2] < 1.05 * radius:
            point = x[i] - (0.0, 0.0, radius)
            touch(problem, (-1, i), (None, x[i]), point, (0, 0, 1.0), mu, x[i, 2] - radius)
        for j in range(i + 1, count):
            d = x[j] - x[i]
            distance = float(np.linalg.norm(d))
            if distance < 2.05 * radius:
                point = 0.5 * (x[i] + x[j])
                gap = distance - 2 * radius
                touch(problem, (i, j), (x[i], x[j]), point, d / distance, mu, gap)
    return problem


def chain(links: int = 20, ratio: float = 100.0, mu: float = 0.5) -> ContactProblem:
    """Links on ball joints lying on the ground, the last one heavier: EQ and CONE."""
    problem, places = ContactProblem(), []
    half = np.array([0.5, 0.05, 0.05])
    for k in range(links):
        mass = ratio if k == links - 1 else 1.0
        places.append(np.array([k + 0.5, 0.0, 0.05]))
        free_body(problem, mass, box_inertia(mass, half), (0.0, 0.1 * math.sin(k), 0.0, 0, 0, 0))
    for k in range(links):
        for sx in (-1, 1):
            point = places[k] + (sx * 0.45, 0.0, -0.05)
            touch(problem, (-1, k), (None, places[k]), point, (0, 0, 1.0), mu)
        if k:
            point = places[k] - (0.5, 0.0, 0.0)
            rows_a = -rows_at((0, 0, 1.0), point - places[k - 1])
            rows_b = rows_at((0, 0, 1.0), point - places[k])
            problem.add_block("EQ", rows_a, k - 1, rows_b, k)
    return problem


def tree_matrix(rng: Any, parent: list[int]) -> np.ndarray:
    """A random matrix with the zeros of a tree."""
    L = np.diag(rng.uniform(0.5, 2.0, len(parent)))
    for i, j in enumerate(parent):
        while j >= 0:
            L[i, j] = 0.5 * rng.normal()
            j = parent[j]
    return L.T @ L


def grasp(size: int = 30, contacts: int = 4, seed: int = 0, mu: float = 0.8) -> ContactProblem:
    """A chain of `size` joints that holds a free box between its ends."""
    rng = np.random.default_rng(seed)
    problem = ContactProblem()
    half = size // 2
    parent = [i - 1 if i != half else -1 for i in range(size)]
    arm = problem.add_clique(tree_matrix(rng, parent), 0.05 * rng.normal(size=size), parent)
    box = free_body(problem, 0.5, box_inertia(0.5, (0.05, 0.05, 0.05)))
    for k in range(contacts):
        side = 1.0 if k % 2 else -1.0
        J = np.zeros((3, size))
        J[:, half * (k % 2) : half * (k % 2) + half] = rng.normal(size=(3, half))
        point = np.array([0.05 * side, 0.03 * (k // 2), 0.02])
        rows = rows_at((-side, 0.0, 0.0), point)
        problem.add_block("CONE", -J, arm, rows, box, mu=mu, bias=(-0.3, 0.0, 0.0))
    return problem


def humanoid(contacts: int = 13, seed: int = 0, mu: float = 0.9) -> ContactProblem:
    """A tree of 27 velocities with four limbs, its ends on the ground."""
    rng = np.random.default_rng(seed)
    parent = [-1, 0, 1, 2, 3, 4, 5, 6, 7]
    for _ in range(2):
        parent += [5, *range(len(parent), len(parent) + 5)]
    for _ in range(2):
        parent += [8, *range(len(parent), len(parent) + 2)]
    size = len(parent)
    problem = ContactProblem()
    A = tree_matrix(rng, parent) + 0.5 * np.eye(size)
    body = problem.add_clique(A, 0.05 * rng.normal(size=size), parent)
    ends = [i for i in range(size) if i not in parent]
    for k in range(contacts):
        J = np.zeros((3, size))
        j = ends[k % len(ends)]
        while j >= 0:
            J[:, j] = rng.normal(size=3)
            j = parent[j]
        problem.add_block("CONE", J, body, mu=mu, bias=(0.01 * rng.normal(), 0.0, 0.0))
    return problem


def random_problem(seed: int, *, contacts_only: bool = False) -> ContactProblem:
    """Cliques of several sizes with blocks of all kinds, without meaning.

    Standing still keeps every law but friction: there is an answer.
    """
    rng = np.random.default_rng(seed)
    problem = ContactProblem()
    sizes = [int(x) for x in rng.choice([6, 6, 6, 2, 3, 9, 14], size=rng.integers(2, 9))]
    for n in sizes:
        parent = [-1, *(int(rng.integers(max(-1, i - 4), i)) for i in range(1, n))]
        A = tree_matrix(rng, parent) * math.exp(rng.uniform(-2, 2))
        problem.add_clique(A, rng.normal(size=n), parent)
    for _ in range(int(rng.integers(2, 3 * len(sizes)))):
        a, b = (int(x) for x in rng.integers(-1, len(sizes), 2))
        if a == b or max(a, b) < 0:
            a, b = max(a, 0), -1
        kind = "CONE" if contacts_only else str(rng.choice(["EQ", "UNI", "BOX", "CONE", "ROLL"]))
        free = int(rng.integers(1, 3))
        dim = {"CONE": 3, "ROLL": int(rng.choice([4, 6]))}.get(kind, free)
        sides = [None if c < 0 else rng.normal(size=(dim, sizes[c])) for c in (a, b)]
        bias = 0.3 * rng.normal(size=dim) * (kind != "EQ")
        if kind in ("CONE", "ROLL"):
            bias[1:] = 0.0
        if kind != "BOX":
            bias = np.abs(bias)
        given: dict[str, Any] = {"mu": rng.uniform(0, 1, 3), "bias": bias}
        if kind == "BOX":
            given |= {"lower": -rng.uniform(0, 1, dim), "upper": rng.uniform(0, 1, dim)}
        if rng.uniform() < 0.3:
            given["R"] = 0.1
        problem.add_block(kind, sides[0], a, sides[1], b, **given)
    return problem
