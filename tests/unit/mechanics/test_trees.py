"""The algorithms on trees agree with one another and with what defines them, in both lives."""

import numpy as np
import pytest
from tests.support.lives import lives
from tests.support.trees import PITCH, frame, inertia, joint, random_tree, state

import dalembert as dl
from dalembert import _jit
from dalembert.formulas import evaluate, symbols
from dalembert.mechanics import tree_aba, tree_factor, tree_pivots
from dalembert.mechanics import tree_kinematics as kinematics
from dalembert.mechanics.tree_states import bodies_to_tree
from dalembert.model.start.rows_numpy import Rows
from dalembert.model.start.states import States, body_values, turned_by
from dalembert.system.tree import tree_of
from dalembert.system.tree_layout import Ways

EPS = np.finfo(float).eps
SEEDS = range(6)
WIDE = 1e4  # condition of the mass matrices, and some more


def tree_for(seed, count=12):
    tree = dl.Tree(random_tree(seed, count))
    generator = np.random.default_rng(seed)
    tree.tables.armature[:] = generator.uniform(0.0, 0.3, tree.nv)
    tree.tables.damping[:] = generator.uniform(0.0, 0.3, tree.nv)
    return tree


@lives
@pytest.mark.parametrize("seed", [0, 1])
def test_forward_inverse_and_mass_agree(life, seed):
    tree = tree_for(seed)
    q, v, tau = state(tree, seed)
    with life():
        a = tree.forward_dynamics(q, v, tau)
        back = tree.inverse_dynamics(q, v, a)
        M, bias = tree.mass_matrix(q), tree.bias(q, v)
    scale = np.abs(bias).max() + np.abs(tau).max()
    assert np.abs(back - tau).max() < 50 * EPS * scale * tree.nv
    assert np.abs(M @ a + bias - tau).max() < 50 * EPS * scale * tree.nv
    assert np.array_equal(M, M.T)
    assert np.linalg.eigvalsh(M).min() > 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_lives_agree_to_rounding(seed):
    tree = tree_for(seed, 9)
    q, v, tau = state(tree, seed)
    compiled = tree.forward_dynamics(q, v, tau)
    with _jit.interpreted():
        assert np.allclose(tree.forward_dynamics(q, v, tau), compiled, rtol=1e3 * WIDE * EPS)


@lives
@pytest.mark.parametrize("seed", SEEDS)
def test_pivots_are_those_of_the_factored_mass_matrix(life, seed):
    tree = tree_for(seed)
    tables, (q, _, _) = tree.tables, state(tree, seed)
    integers, numbers, room = tables.integers, tables.numbers, tables.room()
    diagonal, pivots, M = np.zeros(tree.nv), np.zeros(tree.nv), tree.mass_matrix(q)
    with life():
        kinematics.move(integers, numbers, room, q, np.zeros(tree.nv))
        assert tree_pivots.inertia_pivots(integers, numbers, room, diagonal, pivots) == 0
    assert diagonal == pytest.approx(np.diagonal(M), rel=50 * EPS)
    tree_factor.factor_mass(integers, M)
    assert pivots == pytest.approx(np.diagonal(M), rel=50 * EPS * WIDE)


def test_pivots_end_where_nothing_resists():
    model = dl.Model("spinning rod")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0, axis="x"))
    model.add_joint(dl.Revolute(model.world, rod, axis="x"))
    tables = tree_of(model)
    room, diagonal, pivots = tables.room(), np.zeros(1), np.ones(1)
    kinematics.move(tables.integers, tables.numbers, room, np.zeros(1), np.zeros(1))
    tree_pivots.inertia_pivots(tables.integers, tables.numbers, room, diagonal, pivots)
    assert pivots[0] == diagonal[0] == 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_factors_keep_the_zeros_of_the_tree(seed):
    tree = tree_for(seed)
    q, _, b = state(tree, seed)
    M = tree.mass_matrix(q)
    L = M.copy()
    assert tree_factor.factor_mass(tree.tables.integers, L) == 0
    lower = np.tril(L, -1) + np.eye(tree.nv)
    assert np.abs(lower.T @ np.diag(np.diag(L)) @ lower - M).max() < 100 * EPS * np.abs(M).max()
    on_the_way = np.eye(tree.nv, dtype=bool)
    for k in range(tree.nv):
        above = Ways(tree.tables.integers).above(k)
        if above >= 0:
            on_the_way[k] |= on_the_way[above]
    assert not lower[~on_the_way].any()
    x, y = b.copy(), b.copy()
    tree_factor.solve_factored(tree.tables.integers, L, x)
    assert np.abs(M @ x - b).max() < WIDE * EPS
    tree_factor.solve_half(tree.tables.integers, L, y)
    assert y @ y == pytest.approx(b @ x, rel=WIDE * EPS)
    assert np.abs(tree.solve_mass(q, b) - x).max() < WIDE * EPS * np.abs(x).max()


@pytest.mark.parametrize("seed", SEEDS)
def test_joints_of_the_model_are_closed(seed):
    """Placements and velocities satisfy the rows of every joint, written quite another way."""
    tree = dl.Tree(random_tree(seed, 12))
    q, v, _ = state(tree, seed)
    phi, phi_dot = Rows(tree.model).residuals(0.0, *tree.to_bodies(q, v))
    # A thread counts its turns from (-pi, pi]: full pitches are no gap.
    gap = np.minimum(np.abs(phi), np.abs(np.abs(phi) - PITCH))
    assert gap.max() < 1e3 * EPS
    assert np.abs(phi_dot).max() < 1e3 * EPS * (1.0 + np.abs(v).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_velocities_and_accelerations_are_rates(seed):
    tree = dl.Tree(random_tree(seed, 12))
    q, v, a = state(tree, seed)
    h = 1e-5

    def bodies(s):
        return tree.to_bodies(tree.integrate(q, v + 0.5 * s * a, s), v + s * a)

    (before, slow), (after, fast) = bodies(-h), bodies(h)
    now = tree.to_bodies(q, v)[1]
    assert np.abs(turned_by(before, after) / (2 * h) - now).max() < 1e-6 * (1 + np.abs(now).max())
    rates = np.empty_like(now)
    kinematics.spread_acceleration(tree.tables.integers, tree._room, a, rates)
    found = (fast - slow) / (2 * h)
    assert np.abs(found - rates).max() < 1e-6 * (1 + np.abs(rates).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_states_of_bodies_and_back(seed):
    tree = dl.Tree(random_tree(seed, 12))
    q, v, _ = state(tree, seed)
    back, speeds = tree.from_bodies(*tree.to_bodies(q, v), near=q)
    assert np.abs(back - q).max() < 1e3 * EPS
    assert np.abs(speeds - v).max() < 1e3 * EPS * (1 + np.abs(v).max())


def test_full_turns_follow_the_guess():
    model = random_tree(1, 1, (dl.Revolute,))
    tree = dl.Tree(model)
    state_of_bodies = tree.to_bodies([9.0])[0]
    assert tree.from_bodies(state_of_bodies, near=[8.0])[0] == pytest.approx([9.0])
    assert tree.from_bodies(state_of_bodies)[0] == pytest.approx([9.0 - 2 * np.pi])


@pytest.mark.parametrize("seed", SEEDS)
def test_forces_on_bodies_and_columns_are_transposes(seed):
    tree = dl.Tree(random_tree(seed, 12))
    q, v, _ = state(tree, seed)
    S = tree.body_jacobian(q)
    assert np.abs(S @ v - tree.to_bodies(q, v)[1]).max() < 1e3 * EPS
    F = np.random.default_rng(seed).normal(size=S.shape[0])
    tau = np.empty(tree.nv)
    kinematics.gather_force(tree.tables.integers, tree._room, F, tau)
    assert np.abs(tau - S.T @ F).max() < 1e3 * EPS


@pytest.mark.parametrize("seed", SEEDS)
def test_mass_matrix_is_that_of_the_bodies(seed):
    tree = dl.Tree(random_tree(seed, 12))
    q, _, _ = state(tree, seed)
    S, Q = tree.body_jacobian(q), tree.to_bodies(q)[0]
    n = len(tree.model.bodies)
    blocks = np.zeros((6 * n, 6 * n))
    for b in range(n):
        blocks[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = tree._masses()[b] * np.eye(3)
        blocks[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = tree._inertias(Q)[b]
    M = tree.mass_matrix(q)
    assert np.abs(S.T @ blocks @ S - M).max() < 1e3 * EPS * np.abs(M).max()


@pytest.mark.parametrize("seed", SEEDS)
def test_integrate_and_difference(seed):
    tree = dl.Tree(random_tree(seed, 12))
    q, other = tree.random(seed), tree.random(seed + 100)
    v = tree.difference(q, other)
    reached = tree.integrate(q, v)
    # p and -p are the same orientation.
    assert np.abs(tree.difference(reached, other)).max() < 1e3 * EPS
    assert np.abs(tree.difference(other, q) + v).max() < 1e3 * EPS
    h = 1e-6
    rate = (tree.integrate(q, v, h) - tree.integrate(q, v, -h)) / (2 * h)
    assert np.abs(rate - tree.coordinate_rates(q, v)).max() < 1e-8


def test_a_tree_is_grown_from_the_nearest_joints():
    model = dl.Model("ladder")
    bodies = [model.add_body(f"b{k}", dl.Inertia.box(1.0, (1, 1, 1))) for k in range(4)]
    for k in range(3):
        model.add_joint(dl.Revolute(bodies[k], bodies[k + 1].at(x=-1.0), name=f"rung{k}"))
    model.add_joint(dl.Revolute(model.world, bodies[0], name="first"))
    model.add_joint(dl.Spherical(bodies[3], model.world, name="last"))
    model.add_joint(dl.Distance(bodies[0], bodies[2], length=2.0, name="stay"))
    found = tree_of(model)
    edges = {j.body: (j.parent, j.name, j.reversed) for j in found.joints}
    assert edges == {
        "b0": ("world", "first", False),
        "b1": ("b0", "rung0", False),
        "b3": ("world", "last", True),
        "b2": ("b3", "rung2", True),
    }
    assert sorted(joint.name for joint in found.loops) == ["rung1", "stay"]
    assert (found.nq, found.nv) == (7, 6)


@pytest.mark.parametrize(
    "kind", [dl.Revolute, dl.Prismatic, dl.Screw, dl.Cylindrical, dl.Planar], ids=str
)
@pytest.mark.parametrize("turned", [False, True], ids=["first on parent", "first on child"])
def test_coordinates_are_those_the_joint_itself_reads(kind, turned):
    model = dl.Model("one joint")
    generator = np.random.default_rng(3)
    body = model.add_body("body", inertia(generator))
    ends = [frame(model.world, generator), frame(body, generator)]
    made = model.add_joint(joint(kind, *(ends[::-1] if turned else ends), "joint", generator))
    tree = dl.Tree(model)
    assert tree.joint("joint").reversed == turned
    for name in made.coordinates:
        q, value = tree.neutral(), 0.4
        own = f"joint.{name}"
        q[tree.coordinate_names.index(own) if own in tree.coordinate_names else 0] = value
        if kind is dl.Screw and name == "displacement":
            value *= PITCH / (2 * np.pi)
        assert _formula(model, name, *tree.to_bodies(q)) == pytest.approx(value, abs=1e3 * EPS)


def _formula(model, coordinate, q, v):
    (made,) = model.joints.values()
    (body,) = model.bodies.values()
    values = body_values(body, 0, States.of(0.0, q, v))
    formula = getattr(made, coordinate)
    for leaf in symbols([formula], "coordinate"):
        values.setdefault(leaf, 0.0)  # turns
    return float(np.ravel(evaluate([formula], values)[0])[0])


def test_a_hinge_without_inertia_is_told():
    model = dl.Model("spinning rod")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0, axis="x"))
    model.add_joint(dl.Revolute(model.world, rod, axis="x", name="spin"))
    with pytest.raises(dl.errors.MassMatrixError, match="meets no inertia"):
        dl.Tree(model).forward_dynamics([0.0], [0.0])
    a = dl.Tree(model, armature={"spin": 2.0}).forward_dynamics([0.0], [0.0], [4.0])
    assert a == pytest.approx([2.0])


def test_articulate_reports_a_missing_inertia_at_once():
    model = dl.Model("rod")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0, axis="x"))
    model.add_joint(dl.Revolute(model.world, rod, axis="x"))
    tables = tree_of(model)
    room, one = tables.room(), np.zeros(1)
    status = tree_aba.forward_dynamics(
        tables.integers, tables.numbers, room, one, one, one, np.zeros(1)
    )
    assert status != 0


def test_what_joints_forbid_is_left_out_of_the_state():
    model = dl.Model("slider")
    block = model.add_body("block", dl.Inertia.box(1.0, (1, 1, 1)))
    model.add_joint(dl.Prismatic(model.world, block, axis="x"))
    tables = tree_of(model)
    q, v = np.zeros(1), np.zeros(1)
    state_of_body = np.array([0.3, 0.2, 0.0, 1.0, 0.0, 0.0, 0.0])
    speeds = np.array([0.5, 0.1, 0.0, 0.0, 0.0, 0.7])
    bodies_to_tree(tables.integers, tables.numbers, tables.room(), state_of_body, speeds, q, v)
    assert q == pytest.approx([0.3])
    assert v == pytest.approx([0.5])
