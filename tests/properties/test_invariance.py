"""What must not matter: units of mass, names and order, where and when the world is looked at."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support import battery
from tests.support.strategies import LAWS, formula_models, numbers

import dalembert as dl
from dalembert.enforcement import METHODS

EPS = np.finfo(float).eps

STEPS, STEP = 40, 1e-2

GAINLESS = [n for n, m in METHODS.items() if not hasattr(m, "stiffness")]
"""Methods without a spring constant of their own, which would not scale with the masses."""

BOUND_TO_COORDINATES = ("partitioning",)
"""Integrates the coordinates that suit it: after a turn others, equal only to the order of RK4."""

STIFF = {"compliant": 1e3, "augmented-lagrangian": 1e3, "penalty": 1e2}
"""Condition of the matrices these methods solve with, over that of the others."""


def made(name):
    """The method with gains that a step of 1e-2 s carries."""
    return dl.Penalty(stiffness=1e3, damping=10.0) if name == "penalty" else METHODS[name]()


def tolerance_factor(name):
    """Multiple of rounding for a method."""
    if name in BOUND_TO_COORDINATES:
        # Truncation of RK4, (h omega)^5 / 120 in each step with omega ~ 6 1/s, over rounding.
        return (6 * STEP) ** 5 / 120 / (20 * 30 * EPS)
    return STIFF.get(name, 1.0)


def close(a, b, scale=1.0):
    """Equal up to rounding: an ulp or two for each of some thirty operations of each step, and a
    factor of 20 for how these short, smooth motions carry an early difference on."""
    size = scale * max(1.0, np.abs(a).max(initial=0.0))
    return np.abs(a - b).max(initial=0.0) <= 20 * 30 * STEPS * EPS * size


def two_links(mass=1.0, order=(0, 1, 2, 3), names="x y z w"):
    """Two point masses on two bars; pivot and direction of gravity are parameters."""
    x1, y1, x2, y2 = entries = dl.coordinates(names)
    m, gx, gy, px, py = dl.parameters(m=mass, gx=0.0, gy=-9.81, px=0.0, py=0.0)
    a, b, g, p = (np.array(pair) for pair in ((x1, y1), (x2, y2), (gx, gy), (px, py)))
    return dl.Model.from_lagrangian(
        coordinates=[entries[k] for k in order],
        kinetic=m * (x1.dot**2 + y1.dot**2) / 2 + 2 * m * (x2.dot**2 + y2.dot**2) / 2,
        potential=-m * (g @ a) - 2 * m * (g @ b),
        constraints=[(a - p) @ (a - p) - 1.0, (b - a) @ (b - a) - 1.0],
        initial=dict(zip(entries, LINKS, strict=True)),
    )


LINKS = (0.8, -0.6, 1.4, -1.4)


def run(model, method=None, **options):
    return dl.simulate(model, until=STEPS * STEP, step=STEP, method=method, **options)


# -- units of mass -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAINLESS)
@pytest.mark.parametrize("factor", [2.0, 1000.0])
def test_masses_and_forces_multiplied_together_change_nothing(name, factor):
    model, method, slack = two_links(), made(name), STIFF.get(name, 1.0)
    light, heavy = run(model, method), run(model, method, parameters={"m": factor})
    assert close(light.q, heavy.q, slack)
    assert close(light.v, heavy.v, 10 * slack)
    largest = np.abs(light.lam[1:]).max()
    assert close(light.lam[1:] / largest, heavy.lam[1:] / factor / largest, 100 * slack)


@LAWS
@given(formula_models(), numbers(0.2, 50.0))
def test_random_models_scale_with_their_masses(drawn, factor):
    model, n = drawn

    def scaled(by):
        return dl.Model.from_matrices(
            coordinates=model.coordinates,
            mass=[[by * x for x in row] for row in model.mass],
            force=[by * x for x in model.force],
            constraints={c.name: c.rows[0] for c in model.constraints},
        )

    start = {"initial": (np.full(n, 0.2), np.full(n, 0.1)), "initial_limit": 10.0}
    one, other = run(scaled(1.0), **start), run(scaled(factor), **start)
    assert close(one.q, other.q)
    assert close(one.v, other.v, scale=10)


# -- units of a row --------------------------------------------------------------------------------


def in_units(factor):
    """Two bars, the second row multiplied by a factor."""
    x1, y1, x2, y2 = q = dl.coordinates("x1 y1 x2 y2")
    first, second = x1**2 + y1**2 - 1.0, (x2 - x1) ** 2 + (y2 - y1) ** 2 - 1.0
    return dl.Model.from_lagrangian(
        coordinates=list(q),
        kinetic=sum(x.dot**2 for x in q) / 2,
        potential=9.81 * (y1 + y2),
        constraints=[first, factor * second],
        initial=dict(zip(q, LINKS, strict=True)),
    )


@pytest.mark.parametrize("name", GAINLESS)
@pytest.mark.parametrize("factor", [1e-6, 1e-3, 1e3, 1e6])
def test_the_unit_of_a_row_changes_nothing(name, factor):
    # A length in millimetres or kilometres beside one in metres.
    method, slack = made(name), 10 * tolerance_factor(name)
    plain, other = run(in_units(1.0), method), run(in_units(factor), method)
    assert close(plain.q, other.q, slack)
    assert close(plain.v, other.v, 10 * slack)
    assert close(plain.lam[:, 0], other.lam[:, 0], 100 * slack)
    assert close(plain.lam[:, 1], other.lam[:, 1] * factor, 100 * slack)


# -- names and order -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
def test_renaming_coordinates_changes_nothing(name):
    a, b = run(two_links(), made(name)), run(two_links(names="b a d c"), made(name))
    # Operands of sums and products are ordered by when a symbol was made, so that the last bits
    # may differ; nothing else may.
    slack = STIFF.get(name, 1.0)
    assert close(a.q, b.q, slack)
    assert close(a.v, b.v, 10 * slack)
    assert b.coordinate_names == ("b", "a", "d", "c")


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("order", [(1, 0, 3, 2), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_reordering_coordinates_permutes_the_answer(name, order):
    a, b = run(two_links(), made(name)), run(two_links(order=order), made(name))
    slack = tolerance_factor(name)
    assert close(a.q[:, order], b.q, slack)
    assert close(a.v[:, order], b.v, 10 * slack)


@LAWS
@given(formula_models(), st.data())
def test_random_models_may_be_reordered(drawn, data):
    model, n = drawn
    order = data.draw(st.permutations(range(n)))
    full = [[model.mass[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
    moved = dl.Model.from_matrices(
        coordinates=[model.coordinates[k] for k in order],
        mass=[[full[i][j] for j in order] for i in order],
        force=[model.force[k] for k in order],
        constraints={c.name: c.rows[0] for c in reversed(model.constraints)},
    )
    start = {"initial": (np.full(n, 0.2), np.full(n, 0.1)), "initial_limit": 10.0}
    a, b = run(model, **start), run(moved, **start)
    assert close(a.q[:, order], b.q, scale=10)
    for name in (c.name for c in model.constraints):
        one, other = (s.lam[:, s.constraint_slices[name]] for s in (a, b))
        assert close(one, other, scale=1e3)


# -- where ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
@LAWS
@given(turn=numbers(-3.1, 3.1), pivot=st.tuples(numbers(-3, 3), numbers(-3, 3)))
def test_moving_and_turning_the_world_moves_and_turns_the_answer(name, turn, pivot):
    model, method = two_links(), made(name)
    R = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    gx, gy = R @ (0.0, -9.81)
    start = np.array(LINKS).reshape(2, 2) @ R.T + pivot
    moved = run(
        model,
        method,
        parameters={"gx": gx, "gy": gy, "px": pivot[0], "py": pivot[1]},
        initial=(start.ravel(), np.zeros(4)),
    )
    plain = run(model, method)
    # Coordinates up to 5 round five times as coarsely, and so do differences of them.
    slack = 10 * tolerance_factor(name)
    assert close((plain.q.reshape(-1, 2, 2) @ R.T + pivot).reshape(-1, 4), moved.q, slack)
    assert close((plain.v.reshape(-1, 2, 2) @ R.T).reshape(-1, 4), moved.v, 10 * slack)


def ship(turn):
    """A box on a string of a point of it, in space; the world turned about the vertical."""
    model = dl.Model("box", gravity=(0.0, 0.0, -9.81))
    box = model.add_body(
        "box", dl.Inertia.box(mass=2.0, size=(1.0, 0.4, 0.2)), orientation="roll-pitch-yaw"
    )
    hook = box.at(x=0.5, y=0.2).position
    model.constrain(hook @ hook - 1.0, name="string")
    c, s = np.cos(turn), np.sin(turn)
    model.set_initial(
        {
            box.x: c * 0.3,
            box.y: s * 0.3,
            box.z: -0.9,
            box.yaw: turn,
            box.pitch: 0.2,
            box.x.dot: -s * 0.5,
            box.y.dot: c * 0.5,
            box.yaw.dot: 1.5,
        }
    )
    return model


@LAWS
@given(turn=numbers(-3.0, 3.0))
def test_a_body_in_space_turned_about_the_vertical(turn):
    plain = run(ship(0.0), initial_limit=1.0)
    moved = run(ship(turn), initial_limit=1.0)
    names = list(plain.coordinate_names)
    x, y, z, yaw = (names.index(f"box.{k}") for k in ("x", "y", "z", "yaw"))
    c, s = np.cos(turn), np.sin(turn)
    assert close(c * plain.q[:, x] - s * plain.q[:, y], moved.q[:, x], scale=10)
    assert close(s * plain.q[:, x] + c * plain.q[:, y], moved.q[:, y], scale=10)
    assert close(plain.q[:, z], moved.q[:, z], scale=10)
    assert close(plain.q[:, yaw] + turn, moved.q[:, yaw], scale=10)


# -- when ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("start", [-7.25, 3.0, 100.0])
def test_starting_later_changes_nothing_where_time_does_not_appear(name, start):
    method, model = made(name), battery.PENDULUM.model()
    now = run(model, method)
    later = dl.simulate(model, until=start + STEPS * STEP, start=start, step=STEP, method=method)
    assert np.allclose(later.t - start, now.t, rtol=0, atol=2 * EPS * abs(start))
    # The last step is what is left until the end, which rounds like the time itself.
    slack = STIFF.get(name, 1.0) * (1 + abs(start) / STEP / 30)
    assert close(now.q, later.q, slack)
    assert close(now.v, later.v, 10 * slack)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("start", [2.0, 64.0])
def test_a_formula_of_time_is_shifted_with_its_start(name, start):
    def pulled(origin):
        x, y = dl.coordinates("x y")
        return dl.Model.from_lagrangian(
            kinetic=(x.dot**2 + y.dot**2) / 2,
            potential=9.81 * y,
            constraints=[x**2 + y**2 - (1 + 0.1 * np.sin(3 * (dl.time - origin))) ** 2],
            initial={x: 0.6, y: -0.8},
        )

    method = made(name)
    now = run(pulled(0.0), method)
    later = dl.simulate(
        pulled(start), until=start + STEPS * STEP, start=start, step=STEP, method=method
    )
    # Time rounds to start * eps, and the rows feel it 1 / h times as strongly where a method
    # divides by the step.
    slack = STIFF.get(name, 1.0) * (1 + start / STEP)
    assert close(now.q, later.q, slack)
    assert close(now.v, later.v, 10 * slack)


# -- energy --------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["pendulum", "double-pendulum", "four-bars", "sleigh"])
@pytest.mark.parametrize(
    ("integrator", "order"),
    [(dl.RK4(), 4), (dl.ImplicitMidpoint(), 2), (dl.Gauss(), 4), (dl.RadauIIA(), 5)],
    ids=["RK4", "midpoint", "Gauss", "Radau"],
)
def test_energy_is_constant_to_the_order(model, integrator, order):
    changes, steps = [], (8e-3, 4e-3, 2e-3)
    for step in steps:
        solution = dl.simulate(dl.catalog.load(model), until=0.4, step=step, integrator=integrator)
        assert solution.model.conservative
        energy = solution.kinetic if solution.energy is None else solution.energy
        changes.append(np.abs(energy - energy[0]).max())
    scale = max(np.abs(energy).max(), solution.kinetic.max())
    for coarse, fine in itertools.pairwise(changes):
        # At least the order, less a fraction for coarse steps; rounding of the sum is no change.
        assert fine <= max(coarse / 2 ** (order - 0.3), 1e3 * EPS * scale)


def test_symplectic_steps_keep_energy_over_many_periods():
    model = battery.PENDULUM.model()
    symplectic = ({"integrator": dl.ImplicitMidpoint()}, {"integrator": dl.Gauss()})
    for options in ({"method": dl.Rattle()}, *symplectic):
        solution = dl.simulate(model, until=60.0, step=1e-2, **options)
        change = np.abs(solution.energy - solution.energy[0])
        early, late = change[solution.t < 10].max(), change[solution.t > 50].max()
        assert late <= 1.5 * early  # bounded, not growing with time
