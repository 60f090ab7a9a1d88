"""Contact problems for tests, written down by code: random ones, and scenes at one instant.

A scene is bodies with a mass, a position and an orientation, contact points between them, joints
as equality rows. One step of length `H` under gravity gives the free velocity.
"""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path

import numpy as np
from tests.support.contact_oracle import BOX, CONE, EQ, ROLL, UNI, Block, Problem

from dalembert.contact.given.problem import ContactProblem

H = 5e-3
GRAVITY = np.array([0.0, 0.0, -9.81])
_REFERENCE = os.environ.get("DALEMBERT_REFERENCE")
_SHARED = Path(__file__).resolve().parents[3] / "shared" / "reference" / "data"
FRICTION_PROBLEMS = Path(_REFERENCE or _SHARED) / "friction_problems"


def cross(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def turn(axis, angle):
    """Rotation matrix by Rodrigues' formula."""
    k = cross(np.asarray(axis, dtype=float) / np.linalg.norm(axis))
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def frame(n):
    """Rows n, t1, t2: any right-handed frame with this normal."""
    n = np.asarray(n, dtype=float) / np.linalg.norm(n)
    helper = np.eye(3)[np.argmin(np.abs(n))]
    t1 = np.cross(n, helper)
    t1 /= np.linalg.norm(t1)
    return np.stack([n, t1, np.cross(n, t1)])


class Scene:
    """Free bodies and trees, joined and touching, at one instant."""

    def __init__(self, name, step=H, gravity=GRAVITY):
        self.name, self.step, self.gravity = name, step, gravity
        self.A, self.free, self.place, self.blocks = [], [], [], []

    def body(self, mass, inertia, at, R=None, v=(0, 0, 0), omega=(0, 0, 0), force=None):
        """A free rigid body; `inertia` about its own axes. Returns its clique."""
        R = np.eye(3) if R is None else R
        A = np.zeros((6, 6))
        A[:3, :3] = mass * np.eye(3)
        A[3:, 3:] = R @ np.diag(inertia) @ R.T
        push = mass * self.gravity if force is None else np.asarray(force, dtype=float)
        self.A.append(A)
        self.free.append(np.concatenate([np.asarray(v) + self.step * push / mass, omega]))
        self.place.append(np.asarray(at, dtype=float))
        return len(self.A) - 1

    def box(self, mass, size, at, **more):
        a, b, c = size
        inertia = mass / 12 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
        return self.body(mass, inertia, at, **more)

    def ball(self, mass, radius, at, **more):
        return self.body(mass, np.full(3, 0.4 * mass * radius**2), at, **more)

    def clique(self, A, v_free):
        """Generalized coordinates: any positive definite matrix."""
        self.A.append(np.asarray(A, dtype=float))
        self.free.append(np.asarray(v_free, dtype=float))
        self.place.append(None)
        return len(self.A) - 1

    def point(self, clique, p):
        """3 x 6: velocity of the point p of a free body."""
        return np.hstack([np.eye(3), -cross(np.asarray(p) - self.place[clique])])

    def block(self, kind, a, b, Ja, Jb, bias=0.0, R=0.0, **more):
        dim = len(Ja) if a >= 0 else len(Jb)
        key = (1 + len(self.blocks), 7)
        empty = np.zeros((dim, 0))
        self.blocks.append(
            Block(
                kind,
                a,
                b,
                np.asarray(Ja, dtype=float) if a >= 0 else empty,
                np.asarray(Jb, dtype=float) if b >= 0 else empty,
                np.broadcast_to(np.asarray(bias, dtype=float), dim).copy(),
                np.broadcast_to(np.asarray(R, dtype=float), dim).copy(),
                key=key,
                lam0=np.zeros(dim),
                **more,
            )
        )

    def contact(self, a, b, p, n, mu, gap=0.0, R=0.0, bias=None, roll=None):
        """Normal n from a to b, a and b free bodies or the world (-1)."""
        f = frame(n)
        Ja = -f @ self.point(a, p) if a >= 0 else None
        Jb = f @ self.point(b, p) if b >= 0 else None
        if roll is not None:
            turning = np.hstack([np.zeros((3, 3)), f])
            Ja = np.vstack([Ja, -turning]) if a >= 0 else None
            Jb = np.vstack([Jb, turning]) if b >= 0 else None
        dim = 3 if roll is None else 6
        b0 = np.zeros(dim) if bias is None else np.asarray(bias, dtype=float)
        b0[0] += max(gap, 0.0) / self.step
        kind = CONE if roll is None else ROLL
        self.block(kind, a, b, Ja, Jb, b0, R, mu=(mu, *(roll or (0.0, 0.0))))

    def ball_joint(self, a, b, p):
        Ja = -self.point(a, p) if a >= 0 else None
        self.block(EQ, a, b, Ja, self.point(b, p))

    def hinge(self, a, b, p, axis):
        """Five rows: the point, and no turning across the axis."""
        across = frame(axis)[1:]
        turning = np.hstack([np.zeros((2, 3)), across])
        Ja = np.vstack([-self.point(a, p), -turning]) if a >= 0 else None
        self.block(EQ, a, b, Ja, np.vstack([self.point(b, p), turning]))

    def axis_row(self, kind, a, b, axis, ratio=1.0, **more):
        """One row on turning about an axis: ratio w_b - w_a."""
        row = np.concatenate([np.zeros(3), np.asarray(axis, dtype=float)])[None, :]
        self.block(kind, a, b, -row if a >= 0 else None, ratio * row, **more)

    def problem(self):
        free = np.concatenate(self.free) if self.free else np.zeros(0)
        return Problem(list(self.A), free, list(self.blocks), self.name)


CORNERS = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)]) / 2


# -- scenes -----------------------------------------------------------------------------------


def stack(count, top=1.0, mu=0.5, step=H):
    """Unit boxes on each other, the last one `top` times as heavy: four contacts a joint."""
    scene = Scene(f"stack of {count}, top {top:g}", step)
    below = -1
    for i in range(count):
        mass = top if i == count - 1 else 1.0
        box = scene.box(mass, (1, 1, 1), (0, 0, 0.5 + i))
        for x, y in CORNERS:
            scene.contact(below, box, (x, y, i), (0, 0, 1), mu)
        below = box
    return scene.problem()


def incline(angle=0.5, mu=0.4, v=(0.0, 0.0), contacts=4):
    """A box on a slope; the frame stands on the slope."""
    g = 9.81 * np.array([np.sin(angle), 0.0, -np.cos(angle)])
    scene = Scene(f"incline {angle:g} rad, mu {mu:g}", gravity=g)
    box = scene.box(2.0, (1, 0.6, 0.4), (0, 0, 0.2), v=(*v, 0.0))
    for x, y in CORNERS[:contacts]:
        scene.contact(-1, box, (x, 0.6 * y, 0), (0, 0, 1), mu)
    return scene.problem()


def arch(count=15, thickness=0.2, mu=0.5, depth=0.3):
    """A semicircular arch of voussoirs between two springers that do not move."""
    scene = Scene(f"arch of {count}")
    outer, inner = 1 + thickness / 2, 1 - thickness / 2
    part = np.pi / count
    for i in range(count):
        angle = part * (i + 0.5)
        centre = np.array([np.cos(angle), 0.0, np.sin(angle)])
        size = (thickness, depth, 2 * np.sin(part / 2))
        scene.box(300 * np.prod(size), size, centre, R=turn((0, 1, 0), -angle))
    for j in range(count + 1):
        angle = part * j
        n = np.array([-np.sin(angle), 0.0, np.cos(angle)])
        a, b = (j - 1, j) if j < count else (j - 1, -1)
        for r in (inner, outer):
            for y in (-depth / 2, depth / 2):
                p = np.array([r * np.cos(angle), y, r * np.sin(angle)])
                scene.contact(a, b, p, n, mu)
    return scene.problem()


def pile(count, seed, mu=0.5, layers=3):
    """Spheres of unequal size, relaxed into a heap by pushing overlaps apart."""
    rng = np.random.default_rng(seed)
    radius = rng.uniform(0.8, 1.2, count)
    width = 2.2 * np.sqrt(count / layers)
    x = rng.uniform(0, 1, (count, 3)) * [width, width, 2.2 * layers]
    touch = radius[:, None] + radius[None, :]
    for _ in range(600):
        x[:, 2] -= 0.01
        d = x[:, None, :] - x[None, :, :]
        distance = np.linalg.norm(d, axis=2) + 10 * np.eye(count)
        depth = np.maximum(touch - distance, 0.0)
        x += 0.3 * np.sum((depth / distance)[:, :, None] * d, axis=1)
        x[:, 2] = np.maximum(x[:, 2], radius)
        x[:, :2] = np.clip(x[:, :2], 0, width)
    scene = Scene(f"pile of {count}, seed {seed}")
    for i in range(count):
        scene.ball(radius[i] ** 3, radius[i], x[i], v=0.05 * rng.standard_normal(3))
    for i in range(count):
        gap = x[i, 2] - radius[i]
        if gap < 0.03:
            scene.contact(-1, i, x[i] - [0, 0, radius[i]], (0, 0, 1), mu, gap)
        for j in range(i):
            d = x[i] - x[j]
            gap = np.linalg.norm(d) - radius[i] - radius[j]
            if gap < 0.03:
                n = d / np.linalg.norm(d)
                scene.contact(j, i, x[j] + n * radius[j], n, mu, gap)
    return scene.problem()


def chain(count, tip=100.0, mu=0.6):
    """Links joined by hinges, the last one heavy and on the ground."""
    scene = Scene(f"hinge chain of {count}, tip {tip:g}")
    before = -1
    for i in range(count):
        mass = tip if i == count - 1 else 1.0
        link = scene.box(mass, (0.4, 0.1, 0.1), (0.2 + 0.4 * i, 0, 0.05), v=(0, 0, -0.3))
        scene.hinge(before, link, (0.4 * i, 0, 0.05), (0, 1, 0))
        before = link
    for x in (-0.2, 0.2):
        for y in (-0.05, 0.05):
            p = (0.2 + 0.4 * (count - 1) + x, y, 0.0)
            scene.contact(-1, before, p, (0, 0, 1), mu)
    return scene.problem()


def doubled_hinges(count=4):
    """A chain whose hinges are two ball joints each, six rows for five motions."""
    scene = Scene(f"doubled hinges of {count}")
    before = -1
    for i in range(count):
        link = scene.box(1.0 + i, (0.4, 0.1, 0.1), (0.2 + 0.4 * i, 0, 0.5), v=(0.1 * i, 0, 0))
        for y in (-0.05, 0.05):
            scene.ball_joint(before, link, (0.4 * i, y, 0.5))
        before = link
    scene.contact(-1, before, (0.4 * count, 0, 0.45), (0, 0, 1), 0.3)
    return scene.problem()


def gear_train(count=4):
    """Wheels on bearings, meshing one with the next; a motor at its limit, dry friction, a stop."""
    scene = Scene(f"gear train of {count}")
    axis = (0, 1, 0)
    wheels = []
    for i in range(count):
        radius = 0.1 + 0.05 * (i % 3)
        wheel = scene.body(
            1.0 + 5 * i,
            np.array([0.5, 1.0, 0.5]) * (1 + i) * radius**2,
            (0.4 * i, 0, 0),
            omega=(0, 2.0, 0) if i == 0 else (0, 0, 0),
        )
        scene.hinge(-1, wheel, (0.4 * i, 0, 0), axis)
        limit = np.array([H * 0.05])
        scene.axis_row(BOX, -1, wheel, axis, lo=-limit, hi=limit, length=radius)
        wheels.append((wheel, radius))
    for (a, ra), (b, rb) in itertools.pairwise(wheels):
        row = np.array([[0, 0, 0, 0, 1.0, 0]])
        scene.block(EQ, a, b, ra * row, rb * row)
    limit = np.array([H * 3.0])
    scene.axis_row(BOX, -1, 0, axis, bias=-5.0, lo=-limit, hi=limit, length=0.1)
    scene.axis_row(UNI, -1, count - 1, axis, bias=0.3, length=0.1)
    return scene.problem()


def grasp(joints=14, seed=3, mu=0.8, compliance=0.0):
    """A hand in joint coordinates, one clique, holding a box with two fingers on a table."""
    rng = np.random.default_rng(seed)
    B = rng.standard_normal((joints, joints))
    A = 0.05 * (B @ B.T) + np.diag(rng.uniform(0.05, 0.5, joints))
    scene = Scene(f"grasp with {joints} joints, seed {seed}")
    hand = scene.clique(A, 0.3 * rng.standard_normal(joints))
    box = scene.box(0.8, (0.1, 0.1, 0.2), (0, 0, 0.1), v=(0.0, 0.1, 0.0))
    for side in (-1, 1):
        for y in (-0.03, 0.03):
            p = np.array([0.05 * side, y, 0.12])
            f = frame((-side, 0, 0))
            finger = rng.standard_normal((3, joints)) * 0.3
            bias = np.array([0.4, 0, 0])
            scene.block(
                CONE, hand, box, -f @ finger, f @ scene.point(box, p), -bias, compliance,
                mu=(mu, 0, 0),
            )  # fmt: skip
    for x, y in CORNERS:
        scene.contact(-1, box, (0.1 * x, 0.1 * y, 0), (0, 0, 1), 0.5)
    for i in range(0, joints, 4):
        row = np.eye(joints)[i : i + 1]
        limit = np.array([H * 2.0])
        scene.block(BOX, -1, hand, None, row, 0.2, 0.0, lo=-limit, hi=limit, length=0.3)
    row = np.eye(joints)[1:2]
    scene.block(UNI, -1, hand, None, row, 0.1, 0.0, length=0.3)
    return scene.problem()


def mixed(seed, bodies=5, contacts=9, ratio=1.0, roll=False, R=0.0, mu=None):
    """Random bodies of masses up to `ratio` apart, random contacts, joints, limits and motors."""
    rng = np.random.default_rng(seed)
    scene = Scene(f"mixed, seed {seed}, ratio {ratio:g}")
    for _ in range(bodies):
        mass = ratio ** rng.uniform(0, 1)
        Q, _ = np.linalg.qr(rng.standard_normal((3, 3)))
        scene.body(
            mass, mass * rng.uniform(0.2, 0.5, 3), rng.uniform(-1, 1, 3), Q,
            v=rng.standard_normal(3), omega=rng.standard_normal(3),
        )  # fmt: skip
    for k in range(contacts):
        b = k % bodies
        a = -1 if k < 3 else int(rng.integers(-1, bodies))
        a = -1 if a == b else a
        p = scene.place[b] + 0.4 * rng.standard_normal(3)
        n = rng.standard_normal(3)
        friction = rng.uniform(0, 1) if mu is None else mu
        scene.contact(
            a, b, p, n, friction, gap=max(0.0, 0.01 * rng.standard_normal()), R=R,
            roll=(0.05, 0.02) if roll and k % 3 == 0 else None,
        )  # fmt: skip
    if bodies > 2:
        p = (scene.place[0] + scene.place[1]) / 2
        scene.ball_joint(0, 1, p)
        scene.axis_row(UNI, 0, 1, (0, 0, 1), bias=0.2)
        limit = np.array([0.05])
        scene.axis_row(BOX, 1, 2, (1, 0, 0), bias=0.5, lo=-limit, hi=limit)
    return scene.problem()


def apart(seed, bodies=6):
    """Regular: every body touches the ground once and another body at most once, one joint."""
    rng = np.random.default_rng(seed)
    scene = Scene(f"apart, seed {seed}")
    for i in range(bodies):
        scene.body(
            rng.uniform(0.5, 2), rng.uniform(0.2, 0.5, 3), (2.0 * i, 0, 0.5),
            v=rng.uniform(-1, 1, 3) - [0, 0, 1.0], omega=rng.uniform(-1, 1, 3),
        )  # fmt: skip
        p = (2.0 * i + rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3), 0)
        scene.contact(-1, i, p, (0, 0, 1), rng.uniform(0.1, 0.7))
    for i in range(0, bodies - 1, 2):
        scene.contact(i, i + 1, (2.0 * i + 1, 0.1, 0.5), (1, 0.2, 0), rng.uniform(0.1, 0.7))
    scene.ball_joint(1, 2, (3.0, 0, 0.7))
    return scene.problem()


def rolling_balls(seed=0, count=4):
    """Balls on the ground with resistance to rolling and to spinning."""
    rng = np.random.default_rng(seed)
    scene = Scene(f"rolling balls, seed {seed}")
    for i in range(count):
        scene.ball(
            1.0 + i, 0.5, (1.2 * i, 0, 0.5), v=rng.standard_normal(3) * [1, 1, 0],
            omega=3 * rng.standard_normal(3),
        )  # fmt: skip
        scene.contact(-1, i, (1.2 * i, 0, 0), (0, 0, 1), 0.4, roll=(0.02, 0.01))
    return scene.problem()


def compliant_box(stiffness=1e4, damping=10.0, mu=0.5):
    """A box sunk a little into ground that gives way: R and bias of contact.md 3."""
    scene = Scene(f"compliant box, {stiffness:g} N/m")
    box = scene.box(1.0, (1, 1, 1), (0, 0, 0.5), v=(0.2, 0.1, 0))
    R = 1 / (H * (H * stiffness + damping))
    phi = -2e-4
    for x, y in CORNERS:
        b = stiffness * phi / (H * stiffness + damping)
        scene.contact(-1, box, (x, y, 0), (0, 0, 1), mu, R=R, bias=(b, 0, 0))
    return scene.problem()


def planar(seed, bodies=3, contacts=5):
    """Two-dimensional friction: motion and friction in the plane x, z, one tangent at a time."""
    rng = np.random.default_rng(seed)
    scene = Scene(f"planar, seed {seed}")
    for i in range(bodies):
        scene.body(
            rng.uniform(0.5, 2), np.full(3, rng.uniform(0.1, 0.4)), (i * 1.0, 0, 0.5),
            v=rng.standard_normal(3) * [1, 0, 1], omega=rng.standard_normal(3) * [0, 1, 0],
        )  # fmt: skip
        # Held in the plane: y, and turning about x and z.
        rows = np.zeros((3, 6))
        rows[0, 1] = rows[1, 3] = rows[2, 5] = 1.0
        scene.block(EQ, -1, i, None, rows)
    for k in range(contacts):
        b = k % bodies
        a = -1 if k < bodies else (b + 1) % bodies
        angle = rng.uniform(-0.4, 0.4)
        n = np.array([np.sin(angle), 0, np.cos(angle)])
        # The first tangent lies in the plane, so that a direction of the pyramid does.
        f = np.stack([n, np.cross(n, (0, 1, 0)), (0, -1.0, 0)])
        p = scene.place[b] + np.array([rng.uniform(-0.3, 0.3), 0, -0.5])
        Ja = -f @ scene.point(a, p) if a >= 0 else None
        scene.block(CONE, a, b, Ja, f @ scene.point(b, p), mu=(rng.uniform(0.1, 0.8), 0, 0))
    return scene.problem()


def quadruped(seed=5, joints=12):
    """A floating base with four legs, one clique of 18, standing on four feet with motors."""
    rng = np.random.default_rng(seed)
    n = 6 + joints
    B = 0.2 * rng.standard_normal((n, n))
    A = B @ B.T + np.diag([20.0] * 3 + [1.5] * 3 + [0.1] * joints)
    scene = Scene(f"quadruped, seed {seed}")
    v = np.zeros(n)
    v[2] = H * GRAVITY[2]
    robot = scene.clique(A, v + 0.02 * rng.standard_normal(n))
    for leg, (x, y) in enumerate(0.8 * CORNERS):
        J = np.zeros((3, n))
        J[:, :3] = np.eye(3)
        J[:, 3:6] = -cross((x, y, -0.4))
        J[:, 6 + 3 * leg : 9 + 3 * leg] = 0.3 * rng.standard_normal((3, 3)) + 0.2 * np.eye(3)
        f = frame((0, 0, 1))
        scene.block(CONE, -1, robot, None, f @ J, mu=(0.7, 0, 0))
    for j in range(joints):
        limit = np.array([H * 8.0])
        row = np.eye(n)[6 + j : 7 + j]
        scene.block(BOX, -1, robot, None, row, 0.1 * rng.standard_normal(), 0.3, lo=-limit,
                    hi=limit, length=0.3)  # fmt: skip
    return scene.problem()


def wall(columns, rows, mu=0.5):
    """Bricks in a running bond, four contacts a face that bricks share."""
    scene = Scene(f"wall {columns} x {rows}")
    size = np.array([1.0, 0.5, 0.5])
    before = [(-1, -np.inf, np.inf)]
    for r in range(rows):
        row = []
        for k in range(columns):
            x = k + (r % 2) / 2
            brick = scene.box(1.0, size, (x, 0, 0.5 * r + 0.25))
            for below, left, right in before:
                low, high = max(x - 0.5, left), min(x + 0.5, right)
                if high - low > 1e-9:
                    for px in (low, high):
                        for y in (-0.25, 0.25):
                            scene.contact(below, brick, (px, y, 0.5 * r), (0, 0, 1), mu)
            if row:
                for y in (-0.25, 0.25):
                    for z in (0.0, 0.5):
                        p = (x - 0.5, y, 0.5 * r + z)
                        scene.contact(row[-1][0], brick, p, (1, 0, 0), mu)
            row.append((brick, x - 0.5, x + 0.5))
        before = row
    return scene.problem()


HELD_OUT = {
    "arch": lambda: arch(15),
    "arch near its limit": lambda: arch(15, mu=0.36),
    "slender arch": lambda: arch(25, 0.15),
    "thick arch": lambda: arch(9, 0.3, 0.4),
    "grasp": lambda: grasp(14),
    "grasp with an arm of 30": lambda: grasp(30, 4),
    "soft grasp": lambda: grasp(14, 6, compliance=1e-3),
    "gear train": lambda: gear_train(4),
    "long gear train": lambda: gear_train(9),
    "mixed": lambda: mixed(11),
    "mixed, mass ratio 1000": lambda: mixed(12, 6, 14, ratio=1e3),
    "mixed, rolling": lambda: mixed(13, 5, 12, roll=True),
    "mixed, compliant": lambda: mixed(14, 5, 12, R=0.05),
    "mixed, without friction": lambda: mixed(15, 5, 12, mu=0.0),
    "pile of 20": lambda: pile(20, 1),
    "pile of 30": lambda: pile(30, 2),
    "slippery pile": lambda: pile(20, 3, mu=0.1),
    "rough pile": lambda: pile(20, 4, mu=1.2),
    "pile of 45": lambda: pile(45, 5),
    "hinge chain": lambda: chain(12, 100.0),
    "doubled hinges": lambda: doubled_hinges(6),
    "rolling balls": lambda: rolling_balls(1, 6),
    "quadruped": lambda: quadruped(),
    "wall": lambda: wall(4, 4),
    "stack of 10, top 1000": lambda: stack(10, 1000.0),
    "sliding box": lambda: incline(0.3, 0.2, (0.7, 0.4)),
}
"""Problems on which no constant of a solver was chosen."""


# -- the rod of Painleve ----------------------------------------------------------------------

ROD_FRICTION = (0.3, 1.0, 1.6, 2.5, 4.0)
ROD_ANGLES = (20, 35, 50, 60, 70, 80)
ROD_SPEEDS = (5.0, -5.0)
ROD_STEPS = 30


class Rod:
    """A thin box on its edge, sliding: the state between the steps of a short run."""

    size = np.array([1.0, 0.01, 0.01])
    step = 1e-3
    margin = 1e-4

    def __init__(self, angle, mu, speed):
        self.mu = mu
        self.R = turn((0, 1, 0), np.radians(angle))
        self.x = np.zeros(3)
        self.v = np.array([speed, 0, 0, 0, 0, 0])
        self.x[2] = -min(p[2] for p in self.corners())

    def corners(self):
        signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T / 2
        return self.x + (signs * self.size) @ self.R.T

    def problem(self):
        scene = Scene("rod", self.step)
        rod = scene.box(1.0, self.size, self.x, R=self.R, v=self.v[:3], omega=self.v[3:])
        for p in self.corners():
            if p[2] < self.margin:
                scene.contact(-1, rod, p, (0, 0, 1), self.mu, gap=p[2])
        return scene.problem()

    def move(self, v):
        self.v = v
        self.x = self.x + self.step * v[:3]
        rate = np.linalg.norm(v[3:])
        if rate > 0:
            self.R = turn(v[3:], self.step * rate) @ self.R


def rods():
    """Sixty rods: five coefficients, six angles, both ways."""
    for mu in ROD_FRICTION:
        for angle in ROD_ANGLES:
            for speed in ROD_SPEEDS:
                yield Rod(angle, mu, speed)


def given(problem):
    """The problem as the package wants it."""
    kinds = {EQ: "EQ", UNI: "UNI", BOX: "BOX", CONE: "CONE", ROLL: "ROLL"}
    out = ContactProblem()
    for A, at in zip(problem.A, problem.first[:-1], strict=True):
        out.add_clique(A, problem.v_free[at : at + len(A)])
    for b in problem.blocks:
        bounds = {} if b.lo is None else {"lower": b.lo, "upper": b.hi}
        out.add_block(
            kinds[b.kind], b.Ja if b.a >= 0 else None, b.a, b.Jb if b.b >= 0 else None, b.b,
            bias=b.bias, R=b.R, mu=b.mu, length=b.length, key=b.key, lam0=b.lam0, **bounds,
        )  # fmt: skip
    return out


# -- shared problems --------------------------------------------------------------------------


def from_delassus(W, q, mu, name=""):
    """Contacts known by W, q and mu alone: A = 1, J J^T the symmetric part of W."""
    W = np.asarray(W, dtype=float)
    values, vectors = np.linalg.eigh((W + W.T) / 2)
    keep = values > 1e-13 * values[-1]
    J = vectors[:, keep] * np.sqrt(values[keep])
    scene = Scene(name)
    one = scene.clique(np.eye(J.shape[1]), np.zeros(J.shape[1]))
    for i, m in enumerate(mu):
        rows = slice(3 * i, 3 * i + 3)
        scene.block(CONE, -1, one, None, J[rows], np.asarray(q)[rows], mu=(m, 0, 0))
    return scene.problem()


def shared_friction_problem(name):
    """(W, q, mu) of a file of the shared collection, or None where that is not there."""
    path = FRICTION_PROBLEMS / f"{name}.json"
    if not path.exists():
        return None
    data = json.loads(path.read_text())
    if "W" in data:
        W = np.array(data["W"])
    else:
        W = np.zeros((data["m"], data["m"]))
        coo = data["W_coo"]
        values = coo["x"]
        np.add.at(W, (np.array(coo["i"]), np.array(coo["j"])), values)
    return W, np.array(data["q"]), np.array(data["mu"])
