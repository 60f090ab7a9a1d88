"""Random convex shapes, and what is known of them without the code under test."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation as Turn

import dalembert as dl
from dalembert.collision.queries import Placed
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3

KINDS = ("sphere", "capsule", "box", "cylinder", "ellipsoid", "hull")


def random_shape(rng, kind, spread=1.0):
    """A shape whose lengths differ by up to exp(spread)."""
    a, b, c = np.exp(spread * rng.uniform(-0.5, 0.5, 3))
    if kind == "sphere":
        return dl.Sphere(a)
    if kind == "capsule":
        return dl.Capsule(radius=a, length=2 * b)
    if kind == "box":
        return dl.Box(2 * a, 2 * b, 2 * c)
    if kind == "cylinder":
        return dl.Cylinder(radius=a, length=2 * b)
    if kind == "ellipsoid":
        return dl.Ellipsoid((a, b, c))
    points = rng.normal(size=(rng.integers(4, 40), 3))
    return dl.ConvexHull(points / np.linalg.norm(points, axis=1)[:, None] * [a, b, c])


def random_turn(rng):
    return Turn.from_quat(rng.normal(size=4)).as_matrix()


def support(shape, d):
    """Value of the support function for directions (n, 3) in the frame of the shape."""
    d = np.atleast_2d(d)
    length = np.linalg.norm(d, axis=1)
    if shape.kind == "sphere":
        return shape.radius * length
    if shape.kind == "capsule":
        return shape.radius * length + 0.5 * shape.length * abs(d[:, 2])
    if shape.kind == "box":
        return 0.5 * abs(d) @ np.array(shape.size)
    if shape.kind == "cylinder":
        return shape.radius * np.hypot(d[:, 0], d[:, 1]) + 0.5 * shape.length * abs(d[:, 2])
    if shape.kind == "ellipsoid":
        return np.linalg.norm(d * shape.semi_axes, axis=1)
    return (d @ shape.points.T).max(axis=1)


def outside(shape, x, planes=None):
    """How far a point is outside a shape (about), in its frame; 0 or less within."""
    if shape.kind == "sphere":
        return np.linalg.norm(x) - shape.radius
    if shape.kind == "capsule":
        half = 0.5 * shape.length
        return np.linalg.norm(x - [0, 0, np.clip(x[2], -half, half)]) - shape.radius
    if shape.kind == "box":
        return np.max(abs(x) - 0.5 * np.array(shape.size))
    if shape.kind == "cylinder":
        return max(np.hypot(x[0], x[1]) - shape.radius, abs(x[2]) - 0.5 * shape.length)
    if shape.kind == "ellipsoid":
        axes = np.array(shape.semi_axes)
        return (np.linalg.norm(x / axes) - 1.0) * axes.min()
    from dalembert.collision.hull import build_hull

    planes = build_hull(shape.points).planes if planes is None else planes
    return np.max(planes[:, :3] @ x - planes[:, 3])


def width_along(a, b, pose_a, pose_b, n):
    """Width of the slab between a and b with normals n (k, 3), from a to b, in the world."""
    (p, R), (q, S) = pose_a, pose_b
    n = np.atleast_2d(n)
    return n @ (q - p) - support(a, n @ R) - support(b, -n @ S)


class Pairs:
    """Many shapes, any two of which can be asked for their distance without building anew."""

    def __init__(self, shapes):
        self.shapes = shapes
        still = (np.zeros(3), np.eye(3))
        self.placed = Placed.of(shapes, [still] * len(shapes))

    def put(self, k, p, R):
        shape = self.placed.scene.shape(k)
        shape.x, shape.R = Vec3(*p), Mat3(*np.ravel(R))

    def ask(self, a, b, pose_a, pose_b):
        self.put(a, *pose_a)
        self.put(b, *pose_b)
        return self.placed.separation(a, b)
