"""Springs on one side under error control: errors in proportion to the tolerance.

Steps of impulses are of first order, and where a damper begins whole and halves agree on a wrong
moment: errors were 70, 850 and 9200 times the tolerance at 1e-3, 1e-5 and 1e-7, told as good.
References are piecewise: the law within and the flight between, by an integrator that finds their
ends.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as dl

TIMES = np.linspace(0.0, 1.0, 21)
G = 9.81

each_tolerance = pytest.mark.parametrize("rtol", [1e-3, 1e-5, 1e-7])


def pieces(free, force, gap, start, push=1.0):
    """x at TIMES of x'' = free(x, v) + force(x, v), the force while gap(x) < 0 and it pushes."""
    exact = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-14, "max_step": 1e-2}

    def within(t, y):
        return [y[1], free(*y) + force(*y)]

    def flight(t, y):
        return [y[1], free(*y)]

    def closes(t, y):
        return gap(y[0])

    def lets_go(t, y):
        return force(*y) * push

    closes.terminal, closes.direction = True, -1.0
    lets_go.terminal, lets_go.direction = True, -1.0
    t, y, found, touching = 0.0, list(start), np.full(len(TIMES), np.nan), False
    while t < TIMES[-1]:
        law, end = (within, lets_go) if touching else (flight, closes)
        run = solve_ivp(law, (t, TIMES[-1]), y, events=end, dense_output=True, **exact)
        inside = (t <= TIMES) & (run.t[-1] >= TIMES)
        if inside.any():
            found[inside] = run.sol(TIMES[inside])[0]
        t, y, touching = run.t[-1], list(run.y[:, -1]), not touching
    return found


def run(model, rtol, **options):
    return dl.simulate(model, until=1.0, rtol=rtol, times=TIMES, progress=False, **options)


@each_tolerance
@pytest.mark.parametrize(
    ("stiffness", "damping"), [(1e4, 20.0), (1e3, 5.0), (1e5, 0.0), (1e5, 300.0)]
)
def test_a_ball_on_a_soft_floor(stiffness, damping, rtol):
    """Two equal materials give way by turns: half of each."""
    k, d = 0.5 * stiffness, 0.5 * damping
    model = dl.Model("ball", gravity=(0, 0, -G))
    skin = dl.Material(stiffness=stiffness, damping=damping)
    model.add_shape(dl.Plane(), material=skin)
    ball = model.add_body("ball", dl.Inertia(1.0, (0.01,) * 3), position=(0, 0, 0.3))
    model.add_shape(dl.Sphere(0.1), on=ball, material=skin)
    expected = pieces(
        lambda z, v: -G, lambda z, v: -k * (z - 0.1) - d * v, lambda z: z - 0.1, (0.3, 0.0)
    )
    found = run(model, rtol)
    assert np.abs(found.q[:, 2] - expected).max() <= 10 * rtol
    assert found.verdict.is_good


@each_tolerance
@pytest.mark.parametrize("damping", [0.0, 4.0])
def test_a_mass_against_a_soft_stop(damping, rtol):
    """In formulas: a spring draws it to the other side of a stop."""
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, potential=20.0 * x**2 / 2)
    model.keep(x >= -0.2, stiffness=500.0, damping=damping)
    expected = pieces(
        lambda x, v: -20.0 * x,
        lambda x, v: -500.0 * (x + 0.2) - damping * v,
        lambda x: x + 0.2,
        (1.0, 0.0),
    )
    found = run(model, rtol, initial={x: 1.0})
    assert np.abs(found.q[:, 0] - expected).max() <= 10 * rtol


@each_tolerance
@pytest.mark.parametrize("formulation", ["generalized", "maximal"])
def test_a_pendulum_against_a_soft_limit(formulation, rtol):
    model = dl.Model("pendulum", gravity=(0, 0, -G))
    rod = model.add_body("rod", dl.Inertia(1.0, (0.1, 0.1, 0.1)), position=(1.0, 0, 0))
    hinge = model.add_joint(dl.Revolute(model.world.at(0, 0, 0), rod.at(x=-1.0), axis="y"))
    model.set_limits(hinge, dl.Limits(upper=1.8, stiffness=400.0, damping=2.0))
    expected = pieces(
        lambda a, w: G * np.cos(a) / 1.1,
        lambda a, w: (-400.0 * (a - 1.8) - 2.0 * w) / 1.1,
        lambda a: 1.8 - a,
        (0.0, 0.0),
        push=-1.0,
    )
    found = run(model, rtol, formulation=formulation)
    assert np.abs(found["revolute1.angle"] - expected).max() <= 10 * rtol


@pytest.mark.parametrize("formulation", ["generalized", "maximal"])
@pytest.mark.parametrize("rtol", [None, 1e-3, 1e-5])
def test_a_hammer_on_a_soft_floor(formulation, rtol):
    """A rod on a hinge; without a tolerance, too: steps of the rule were 5.7 cm off, told as good.

    What joints let go in attempts that are not taken says nothing about the run.
    """
    model = dl.Model("hammer", gravity=(0, 0, -G))
    skin = dl.Material(stiffness=1e4, damping=20.0, friction=0.0)
    model.add_shape(dl.Plane(), material=skin)
    rod = model.add_body("rod", dl.Inertia(1.0, (0.1, 0.1, 0.1)), position=(1.0, 0, 0.6))
    model.add_shape(dl.Sphere(0.1), on=rod, material=skin)
    model.add_joint(dl.Revolute(model.world.at(0, 0, 0.6), rod.at(x=-1.0), axis="y"))
    expected = pieces(
        lambda a, w: G * np.cos(a) / 1.1,
        lambda a, w: (5e3 * (0.5 - np.sin(a)) - 10.0 * np.cos(a) * w) * np.cos(a) / 1.1,
        lambda a: 0.5 - np.sin(a),
        (0.0, 0.0),
        push=-1.0,
    )
    options = {} if rtol is None else {"rtol": rtol}
    found = dl.simulate(
        model, until=1.0, times=TIMES, progress=False, formulation=formulation, **options
    )
    off = np.abs(found["rod.z"] - (0.6 - np.sin(expected))).max()
    assert off <= 10 * (1e-3 if rtol is None else rtol)
    assert found.statistics["steps"] < 1000  # 384 660 at 1e-5, while joints kept it at first order
    assert found.verdict.is_good
