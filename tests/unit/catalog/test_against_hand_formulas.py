"""Each catalog model's M, Q, Phi and J against formulas written by hand with NumPy.

Sources: physics.md sections 2.3, 2.4 and 9; problems.md A4 to A6 and A11.
"""

from __future__ import annotations

import numpy as np
import pytest

from dalembert import catalog
from dalembert.formulas.derivative import jacobian
from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.variables import time

SAMPLES = 5
EPS = np.finfo(float).eps


class State:
    """Random state of a model and its equations evaluated there."""

    def __init__(self, model, seed=1, low=-1.0, high=1.0):
        generator = np.random.default_rng(seed)
        n = len(model.coordinates)
        self.model = model
        self.q, self.v = generator.uniform(low, high, n), generator.uniform(-1.0, 1.0, n)
        self.t = float(generator.uniform(0.0, 2.0))
        self.values = {time: self.t}
        for k, q in enumerate(model.coordinates):
            self.values |= {q: self.q[k], q.dot: self.v[k]}

    def __call__(self, formulas):
        return np.array([float(x) for x in evaluate(list(formulas), self.values)])

    @property
    def M(self):
        return np.array([self(row) for row in self.model.mass])

    @property
    def Q(self):
        return self(self.model.force)

    def rows(self):
        return [row for constraint in self.model.constraints for row in constraint.rows]

    @property
    def phi(self):
        return self(self.rows())

    @property
    def J(self):
        holonomic = self.model.constraints[0].kind == "holonomic"
        variables = [q if holonomic else q.dot for q in self.model.coordinates]
        return np.array([self(row) for row in jacobian(self.rows(), variables)])


def assert_close(found, expected):
    """Equal to rounding: some hundred operations on entries of the given size."""
    size = max(1.0, float(np.max(np.abs(expected))))
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=200 * EPS * size)


@pytest.mark.parametrize("seed", range(SAMPLES))
def test_pendulum(seed):
    s = State(catalog.load("pendulum", mass=2.0, length=1.5), seed)
    x, y = s.q
    assert_close(s.M, 2.0 * np.eye(2))
    assert_close(s.Q, [0.0, -2.0 * 9.81])
    assert_close(s.phi, [x**2 + y**2 - 1.5**2])
    assert_close(s.J, [[2 * x, 2 * y]])


@pytest.mark.parametrize("seed", range(SAMPLES))
def test_index3_pendulum_has_the_multiplier_of_the_book(seed):
    s = State(catalog.load("index3-pendulum"), seed)
    x, y = s.q
    assert_close(s.M, np.eye(2))
    assert_close(s.Q, [0.0, -1.0])
    assert_close(s.J, [[-x, -y]])  # x'' = -x lam


@pytest.mark.parametrize("seed", range(SAMPLES))
@pytest.mark.parametrize("l2", [1.0, 1.5])
def test_slider_crank(seed, l2):
    """Physics.md 9.2, with the lengths kept apart."""
    s = State(catalog.load("slider-crank", l2=l2), seed, -3.0, 3.0)
    x, y, a, b = s.q
    _, _, da, db = s.v
    m = ms = l1 = 1.0
    g = 9.81
    s1, c1, s2, c2 = np.sin(a), np.cos(a), np.sin(b), np.cos(b)
    a1, a2 = (1.5 * m + ms) * l1, (0.5 * m + ms) * l2
    I1, I2 = m * l1**2 / 12, m * l2**2 / 12
    M = np.zeros((4, 4))
    M[0, 0] = M[1, 1] = 2 * m + ms
    M[0, 2], M[0, 3], M[1, 2], M[1, 3] = -a1 * s1, -a2 * s2, a1 * c1, a2 * c2
    M[2, 2] = I1 + m * l1**2 / 4 + (m + ms) * l1**2
    M[2, 3] = a2 * l1 * np.cos(a - b)
    M[3, 3] = I2 + m * l2**2 / 4 + ms * l2**2
    assert_close(s.M, np.triu(M) + np.triu(M, 1).T)
    assert_close(
        s.Q,
        [
            a1 * c1 * da**2 + a2 * c2 * db**2,
            a1 * s1 * da**2 + a2 * s2 * db**2 - (2 * m + ms) * g,
            -a2 * l1 * np.sin(a - b) * db**2 - a1 * g * c1 + 20 - 5 * da,
            a2 * l1 * np.sin(a - b) * da**2 - a2 * g * c2,
        ],
    )
    assert_close(s.phi, [x, y, y + l1 * s1 + l2 * s2])
    assert_close(s.J, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 1, l1 * c1, l2 * c2]])
    assert_close(s(s.model.points["slider"]), [x + l1 * c1 + l2 * c2, y + l1 * s1 + l2 * s2])


@pytest.mark.parametrize("seed", range(SAMPLES))
def test_two_four_bars(seed):
    """Physics.md 9.3."""
    s = State(catalog.load("four-bars"), seed)
    M = np.diag([2 / 3, 2 / 3, 1, 1, 2 / 3, 2 / 3])
    for i in range(4):
        M[i, i + 2] = M[i + 2, i] = 1 / 6
    assert_close(s.M, M)
    assert_close(s.Q, -9.81 * np.array([0, 1, 0, 1.5, 0, 1]))
    p = s.q.reshape(3, 2)
    supports = np.array([[0, 0], [1, 0], [2, 0]])
    assert_close(
        s.phi,
        [
            *(np.sum((p - supports) ** 2, axis=1) - 1),
            *(np.sum(np.diff(p, axis=0) ** 2, axis=1) - 1),
        ],
    )
    start = np.array([s.model.initial[q.name] for q in s.model.coordinates])
    assert_close(start, [0, 1, 1, 1, 2, 1])


@pytest.mark.parametrize("N", [1, 2, 5, 10])
def test_n_four_bar(N):
    s = State(catalog.load("n-four-bar", N=N))
    n = N + 1
    # every inner tip carries a crank end and two coupler ends, the outer ones a single coupler end
    diagonal = np.full(n, 1.0)
    diagonal[[0, -1]] = 2 / 3
    chain = np.diag(diagonal) + np.diag(np.full(N, 1 / 6), 1) + np.diag(np.full(N, 1 / 6), -1)
    assert_close(s.M, np.kron(chain, np.eye(2)))
    assert s.model.row_count == 2 * N + 1
    energy = {time: 0.0}
    for q in s.model.coordinates:
        energy |= {q: s.model.initial[q.name], q.dot: s.model.initial[f"{q.name}.dot"]}
    kinetic = float(evaluate([s.model.kinetic], energy)[0])
    # cranks turn, couplers translate at 1 m/s
    assert kinetic == pytest.approx(n / 6 + N / 2, rel=1e-14)


L, MASS, G = 1.8, 75.0, 9.81
TABLE = {  # l/L, lc/l, m/M, r/l
    "upper": (0.288, 0.626, 0.6780, 0.496),
    "thigh": (0.245, 0.433, 0.1000, 0.323),
    "shank": (0.246, 0.433, 0.0465, 0.302),
    "foot": (0.152, 0.250, 0.0145, 0.475),
}


def planar_tree(q, v):
    """Physics.md 2.4 for the biped: M and Q by the formulas for absolute angles."""
    angles, rates = q[2:], v[2:]
    u = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    w = np.stack([-np.sin(angles), np.cos(angles)], axis=1)
    length = {k: row[0] * L for k, row in TABLE.items()}
    centre = {k: row[1] * length[k] for k, row in TABLE.items()}
    bodies = [("upper", {})]
    for first in (1, 4):
        hip = {0: -centre["upper"]}
        knee = hip | {first: -length["thigh"]}
        bodies += [
            ("thigh", hip | {first: -centre["thigh"]}),
            ("shank", knee | {first + 1: -centre["shank"]}),
            ("foot", knee | {first + 1: -length["shank"], first + 2: centre["foot"]}),
        ]
    M, Q = np.zeros((9, 9)), np.zeros(9)
    for k, (kind, arms) in enumerate(bodies):
        mass = TABLE[kind][2] * MASS
        J = np.zeros((2, 9))
        J[:, :2] = np.eye(2)
        bias = np.zeros(2)
        for angle, c in arms.items():
            J[:, 2 + angle] = c * w[angle]
            bias -= c * u[angle] * rates[angle] ** 2
        M += mass * J.T @ J
        M[2 + k, 2 + k] += mass * (TABLE[kind][3] * length[kind]) ** 2
        Q -= mass * J.T @ (bias + np.array([0.0, G]))
    return M, Q


def foot_points(q):
    """Toe and heel of both legs, physics.md 9.4."""

    def u(a):
        return np.array([np.cos(a), np.sin(a)])

    def w(a):
        return np.array([-np.sin(a), np.cos(a)])

    l1, l2, l3, l4 = (TABLE[k][0] * L for k in ("upper", "thigh", "shank", "foot"))
    hip = q[:2] - 0.626 * l1 * u(q[2])
    found = []
    for k in (3, 6):
        ankle = hip - l2 * u(q[k]) - l3 * u(q[k + 1])
        found.append(ankle + 0.75 * l4 * u(q[k + 2]) - 0.039 * L * w(q[k + 2]))
        found.append(ankle - 0.25 * l4 * u(q[k + 2]) - 0.039 * L * w(q[k + 2]))
    return found


@pytest.mark.parametrize("seed", range(SAMPLES))
def test_biped_dynamics(seed):
    s = State(catalog.load("biped"), seed, -3.0, 3.0)
    M, Q = planar_tree(s.q, s.v)
    assert_close(s.M, M)
    assert_close(s.Q, Q)


@pytest.mark.parametrize("exercise", [1, 2, 3])
def test_biped_constraints(exercise):
    s = State(catalog.load("biped", exercise=exercise), 7, -2.0, 2.0)
    (ftx, fty), (fhx, fhy), (btx, bty), (_, bhy) = foot_points(s.q)
    _, _, th, t1, t2, t3, t4, t5, t6 = s.q
    swing = 1 - np.cos(np.pi * s.t)
    slow = 1 - np.cos(2 * np.pi * s.t / 5)
    held = 4 * np.pi / 9
    expected = {
        1: [
            ftx - 0.507,
            fty,
            fhy,
            btx + 0.097,
            bty,
            bhy,
            th - held,
            t1 - t2 - np.pi / 6 * swing,
            t4 - t5 - np.pi / 10 * swing,
        ],
        2: [
            fhx - 0.262,
            fhy,
            btx + 0.038,
            bty,
            th - held,
            t3 - np.pi / 18 * (np.cos(np.pi * s.t) + 1),
            t6 + np.pi / 18 * swing,
            t4 - t5 - np.pi / 10 * swing,
            t1 - t2,
        ],
        3: [
            ftx,
            fty,
            btx,
            bty,
            th - 1.363,
            t1 - t2 - np.pi / 3 * slow,
            t4 - t5 - np.pi / 3 * slow,
            t3 + np.pi / 27 * slow,
            t6 + np.pi / 27 * slow,
        ],
    }[exercise]
    assert_close(s.phi[: len(expected)], expected)
    assert s.model.row_count == (9, 9, 10)[exercise - 1]


@pytest.mark.parametrize("seed", range(SAMPLES))
def test_car_axis(seed):
    s = State(catalog.load("car-axis"), seed, 0.2, 1.0)
    xl, yl, xr, yr = s.q
    k = 10 * 0.01**2 / 2
    yb = 0.1 * np.sin(10 * s.t)
    xb = np.sqrt(1 - yb**2)
    Ll, Lr = np.hypot(xl, yl), np.hypot(xr - xb, yr - yb)
    assert_close(s.M, k * np.eye(4))
    assert_close(
        s.Q,
        [
            (0.5 - Ll) * xl / Ll,
            (0.5 - Ll) * yl / Ll - k,
            (0.5 - Lr) * (xr - xb) / Lr,
            (0.5 - Lr) * (yr - yb) / Lr - k,
        ],
    )
    assert_close(s.phi, [xl * xb + yl * yb, (xl - xr) ** 2 + (yl - yr) ** 2 - 1])
    dx, dy = 2 * (xl - xr), 2 * (yl - yr)
    assert_close(s.J, [[xb, yb, 0, 0], [dx, dy, -dx, -dy]])


@pytest.mark.parametrize("seed", range(SAMPLES))
def test_slider_crank_of_sundials(seed):
    s = State(catalog.load("slider-crank-sundials"), seed)
    (q, x, p), (dq, dx, dp) = s.q, s.v
    a = 0.5
    l2 = x**2 - x * (np.cos(p) + a * np.cos(q)) + (1 + a**2) / 4 + a * np.cos(p - q) / 2
    length = np.sqrt(l2)
    slope = np.array(
        [
            x * a * np.sin(q) + a * np.sin(p - q) / 2,
            2 * x - np.cos(p) - a * np.cos(q),
            x * np.sin(p) - a * np.sin(p - q) / 2,
        ]
    ) / (2 * length)
    pull = (length - 1) + slope @ [dq, dx, dp]
    assert_close(s.M, np.diag([1.0, 1.0, 2.0]))
    assert_close(s.Q, -pull * slope + np.array([0.0, 1.0, -np.sin(p)]))
    assert_close(s.phi, [x - np.cos(p) - a * np.cos(q), -np.sin(p) - a * np.sin(q)])


@pytest.mark.parametrize("seed", range(SAMPLES))
def test_double_pendulum(seed):
    s = State(catalog.load("double-pendulum", mass=(1.0, 2.0), length=(1.0, 0.7)), seed, -3, 3)
    (a, b), (da, db) = s.q, s.v
    m1, m2, l1, l2, g = 1.0, 2.0, 1.0, 0.7, 9.81
    off = m2 * l1 * l2 * np.cos(a - b)
    assert_close(s.M, [[(m1 + m2) * l1**2, off], [off, m2 * l2**2]])
    turn = m2 * l1 * l2 * np.sin(a - b)
    assert_close(
        s.Q,
        [
            -turn * db**2 - (m1 + m2) * g * l1 * np.sin(a),
            turn * da**2 - m2 * g * l2 * np.sin(b),
        ],
    )


@pytest.mark.parametrize("seed", range(SAMPLES))
def test_sleigh(seed):
    s = State(catalog.load("sleigh"), seed, -3, 3)
    (_, _, th), (dx, dy, dth) = s.q, s.v
    m, inertia, a = 1.0, 0.5, 0.3
    c, sn = np.cos(th), np.sin(th)
    assert_close(
        s.M,
        [[m, 0, -m * a * sn], [0, m, m * a * c], [-m * a * sn, m * a * c, inertia + m * a**2]],
    )
    assert_close(s.Q, [m * a * c * dth**2, m * a * sn * dth**2, 0])
    assert_close(s.phi, [dy * c - dx * sn])
    assert_close(s.J, [[-sn, c, 0]])


def test_rolling_disc():
    s = State(catalog.load("rolling-disc"), 3)
    (_, _, heading, _), (dx, dy, _, spin) = s.q, s.v
    assert_close(s.M, np.diag([1.0, 1.0, 0.25 / 4, 0.25 / 2]))
    assert_close(s.Q, np.zeros(4))
    assert_close(s.phi, [dx - 0.5 * spin * np.cos(heading), dy - 0.5 * spin * np.sin(heading)])


def test_skate_particle():
    s = State(catalog.load("skate-particle"), 3)
    (_, _, z), (dx, dy, _) = s.q, s.v
    assert_close(s.phi, [dy - z * dx])
    assert_close(s.J, [[-z, 1, 0]])


@pytest.mark.parametrize("seed", range(SAMPLES))
def test_towing_tank_with_roll_and_yaw_held(seed):
    """On the constraint manifold the equations are those of A11, with pitch = -theta."""
    model = catalog.load("towing-tank")
    s = State(model, seed)
    q = {x.name.removeprefix("ship."): x for x in model.coordinates}
    pitch, rate = float(s.values[q["pitch"]]), float(s.values[q["pitch"].dot])
    for name in ("roll", "yaw"):
        s.values |= {q[name]: 0.0, q[name].dot: 0.0}
    assert_close(s.M, np.diag([40.0, 40.0, 40.0, 2.0, 12.0, 0]) + rotated_yaw_inertia(pitch))
    assert_close(s.Q, [0, 0, -40 * 9.81, 0, -90 * pitch - 6 * rate, 0])
    heave = 0.05 * np.sin(2 * np.pi * 0.8 * s.t)
    x, y, z = (float(s.values[q[name]]) for name in "xyz")
    assert_close(
        s.phi,
        [0, 0, x + 0.15 * np.cos(pitch), y, z - 0.15 * np.sin(pitch) - heave],
    )


def rotated_yaw_inertia(pitch):
    """Roll and yaw axes are not orthogonal once the ship is pitched; I = diag(2, 12, 12)."""
    block = np.zeros((6, 6))
    block[5, 5] = 2.0 * np.sin(pitch) ** 2 + 12.0 * np.cos(pitch) ** 2
    block[3, 5] = block[5, 3] = -2.0 * np.sin(pitch)
    return block
