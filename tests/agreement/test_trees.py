"""Joint coordinates against maximal ones with multipliers, and against Lagrange's equations."""

import numpy as np
import pytest
from tests.support.trees import random_tree, state

import dalembert as dl
from dalembert.formulas import evaluate as value_of
from dalembert.formulas.derivative import jacobian
from dalembert.formulas.expression import lift
from dalembert.mechanics import tree_kinematics as kinematics
from dalembert.mechanics import tree_rnea
from dalembert.mechanics.choose_solve import install
from dalembert.system.borders import evaluate
from dalembert.system.build import build
from dalembert.system.tree_layout import Head

EPS = np.finfo(float).eps


def maximal_accelerations(model, q, v):
    """V' of all bodies from M V' = F + J^T lam, J V' = rhs, with the compiled rows of the model."""
    system = build(model)
    values = [model.parameters[name] for name in system.parameter_names]
    state, extents = system.open(values)
    install("automatic", state)
    evaluate(state, 0.0, q, v)
    nv = extents.nv
    force = state.force.copy()
    rhs = state.rhs_a.copy()
    J = system.jacobian(state)
    tree = dl.Tree(model)
    M = np.zeros((nv, nv))
    for b in range(nv // 6):
        M[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = tree._masses()[b] * np.eye(3)
        M[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = tree._inertias(q)[b]
    return saddle(M, J, force, rhs)


def saddle(M, J, force, rhs):
    """v' of M v' = force + J^T lam, J v' = rhs; a rod has no inertia about itself."""
    m = len(J)
    whole = np.block([[M, -J.T], [J, np.zeros((m, m))]])
    return np.linalg.lstsq(whole, np.concatenate([force, rhs]), rcond=1e-12)[0][: len(M)]


@pytest.mark.parametrize("seed", range(9))
def test_accelerations_are_those_of_maximal_coordinates(seed):
    model = random_tree(seed, 9)
    tree = dl.Tree(model)
    q, v, _ = state(tree, seed)
    a = tree.forward_dynamics(q, v)
    bodies = tree.to_bodies(q, v)
    found = np.empty(6 * len(model.bodies))
    kinematics.spread_acceleration(tree.tables.integers, tree._room, a, found)
    wanted = maximal_accelerations(model, *bodies)
    assert np.abs(found - wanted).max() <= 1e-10 * np.abs(wanted).max()


def test_a_run_is_followed():
    """A double pendulum of ball joints: steps of the tree along a simulated motion."""
    model = dl.Model("ropes", gravity=(0.0, 0.0, -9.81))
    upper = model.add_body("upper", dl.Inertia.box(1.0, (0.1, 0.2, 1.0)))
    lower = model.add_body("lower", dl.Inertia.box(1.0, (0.2, 0.1, 1.0)))
    tilt = dl.Rotation.about("x", 1.0)
    model.add_joint(dl.Spherical(model.world, upper.at(z=0.5), initial=tilt, name="top"))
    model.add_joint(
        dl.Spherical(upper.at(z=-0.5), lower.at(z=0.5), initial_speed=(1.0, 2.0, 0.5), name="knee")
    )
    tree = dl.Tree(model)
    until, steps = 0.5, 500
    solution = dl.simulate(model, until=until, step=1e-3, integrator=dl.RK4())
    h = until / steps
    q, v = tree.start()
    for _ in range(steps):  # Heun on the manifold, of second order
        k1 = tree.forward_dynamics(q, v)
        ahead = tree.integrate(q, v + 0.5 * h * k1, h)
        k2 = tree.forward_dynamics(ahead, v + h * k1)
        middle = v + 0.25 * h * (k1 + k2)
        q, v = tree.integrate(q, middle, h), v + 0.5 * h * (k1 + k2)
    reached, _ = tree.to_bodies(q, v)
    assert np.abs(np.abs(reached) - np.abs(solution.q[-1])).max() < 1e-4


# -- Lagrange's equations --------------------------------------------------------------------------


def planar_arm():
    """Three hinges about z, gravity along -y."""
    model = dl.Model("arm", gravity=(0.0, -9.81, 0.0))
    parent = model.world
    for k in range(3):
        link = model.add_body(
            f"link{k}", dl.Inertia(1.0 + k, (0.3, 0.4, 0.3 + 0.1 * k), center=(0.5, 0.1 * k, 0.0))
        )
        model.add_joint(dl.Revolute(parent, link, axis="z", name=f"hinge{k}"))
        parent = link.at(x=1.0)
    angles = dl.coordinates("a b c")
    bodies, potential, kinetic = [], 0.0, 0.0
    x, y, turn = 0.0, 0.0, 0.0
    for k, angle in enumerate(angles):
        turn = turn + angle
        c, s = np.cos(turn), np.sin(turn)
        px, py = x + 0.5 * c - 0.1 * k * s, y + 0.5 * s + 0.1 * k * c
        bodies.append((1.0 + k, 0.3 + 0.1 * k, px, py, turn))
        x, y = x + c, y + s
    for mass, inertia, px, py, angle in bodies:
        rates = [rate(p, angles) for p in (px, py, angle)]
        kinetic = kinetic + mass * (rates[0] ** 2 + rates[1] ** 2) / 2 + inertia * rates[2] ** 2 / 2
        potential = potential + mass * 9.81 * py
    return model, angles, kinetic, potential


def spatial_arm():
    """A turntable about z, a boom about y, a rod that slides out of it."""
    model = dl.Model("crane", gravity=(0.0, 0.0, -9.81))
    table = model.add_body("table", dl.Inertia(2.0, (0.4, 0.5, 0.6)))
    boom = model.add_body("boom", dl.Inertia(1.5, (0.1, 0.3, 0.2), center=(0.4, 0.0, 0.0)))
    rod = model.add_body("rod", dl.Inertia(0.7, (0.05, 0.15, 0.1)))
    model.add_joint(dl.Revolute(model.world, table, axis="z", name="turn"))
    model.add_joint(dl.Revolute(table.at(z=0.5), boom, axis="-y", name="lift"))
    model.add_joint(dl.Prismatic(boom.at(x=0.8), rod, axis="x", name="reach"))
    a, b, d = angles = dl.coordinates("a b d")

    def at(r):
        return r * np.cos(b) * np.cos(a), r * np.cos(b) * np.sin(a), 0.5 + r * np.sin(b)

    def turning(moments):
        # About the boom's axes: a' sin b along x, -b' along y, a' cos b along z
        rates = a.dot * np.sin(b), -b.dot, a.dot * np.cos(b)
        return sum(I * w**2 for I, w in zip(moments, rates, strict=True)) / 2

    kinetic = 0.6 * a.dot**2 / 2 + turning((0.1, 0.3, 0.2)) + turning((0.05, 0.15, 0.1))
    potential = 0.0
    for mass, place in ((1.5, at(0.4)), (0.7, at(0.8 + d))):
        speeds = [rate(p, angles) for p in place]
        kinetic = kinetic + mass * sum(s**2 for s in speeds) / 2
        potential = potential + mass * 9.81 * place[2]
    return model, angles, kinetic, potential


def wrist():
    """Hinges about z, y and x, one behind the other, and centres of mass off all axes."""
    model = dl.Model("wrist", gravity=(0.0, 0.0, -9.81))
    angles = dl.coordinates("a b c")
    before, place, turn, poses = model.world, np.zeros(3), np.eye(3), []
    for k, (axis, angle) in enumerate(zip("zyx", angles, strict=True)):
        inertia = dl.Inertia(1.0 + k, (0.3, 0.4, 0.5 - 0.1 * k), center=(0.2, -0.1, 0.1 * k))
        link = model.add_body(f"link{k}", inertia)
        model.add_joint(dl.Revolute(before, link, axis=axis, name=f"hinge{k}"))
        turn = turn @ about(axis, angle)
        poses.append((inertia, place, turn))
        before, place = link.at(0.3, 0.1, 0.2), place + turn @ np.array([0.3, 0.1, 0.2])
    return model, angles, *energies(poses, angles)


def floating_tree():
    """A body that nothing holds, by three slides and three hinges, with a leg and a wing."""
    model = dl.Model("bird", gravity=(0.0, 0.0, -9.81))
    coordinates = x, y, z, yaw, pitch, roll, swing, flap = dl.coordinates(
        "x y z yaw pitch roll swing flap"
    )
    trunk = dl.Inertia(3.0, (0.2, 0.3, 0.4), center=(0.05, 0.0, -0.1))
    leg = dl.Inertia(0.7, (0.02, 0.03, 0.04), center=(0.0, 0.0, -0.3))
    wing = dl.Inertia(0.4, (0.03, 0.01, 0.03), center=(0.0, 0.4, 0.0))
    base, lower, outer = (
        model.add_body(name, inertia)
        for name, inertia in (("trunk", trunk), ("leg", leg), ("wing", wing))
    )
    model.add_joint(
        dl.Compound(model.world, base, slides=["x", "y", "z"], hinges=["z", "y", "x"], name="free")
    )
    model.add_joint(dl.Revolute(base.at(0.1, 0.0, -0.2), lower, axis="y", name="hip"))
    model.add_joint(dl.Revolute(base.at(0.0, 0.2, 0.1), outer, axis="x", name="shoulder"))
    place = np.array([x, y, z])
    turn = about("z", yaw) @ about("y", pitch) @ about("x", roll)
    poses = [
        (trunk, place, turn),
        (leg, place + turn @ np.array([0.1, 0.0, -0.2]), turn @ about("y", swing)),
        (wing, place + turn @ np.array([0.0, 0.2, 0.1]), turn @ about("x", flap)),
    ]
    return model, coordinates, *energies(poses, coordinates)


def about(axis, angle):
    """Rotation about an axis as formulas."""
    c, s = np.cos(angle), np.sin(angle)
    i = "xyz".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    turn = np.full((3, 3), lift(0.0), dtype=object)
    turn[i, i], turn[j, j], turn[k, k], turn[k, j], turn[j, k] = lift(1.0), c, c, s, -s
    return turn


def energies(poses, coordinates):
    """T and V of bodies from the places and rotations of their frames, as formulas of q alone."""
    kinetic = potential = 0.0
    for inertia, place, turn in poses:
        center = place + turn @ np.array(inertia.center)
        speeds = [rate(entry, coordinates) for entry in center]
        rates = np.array([[rate(entry, coordinates) for entry in row] for row in turn])
        spin = turn.T @ rates  # of the frame, in its own axes: a skew matrix
        turning = spin[2, 1], spin[0, 2], spin[1, 0]
        kinetic = kinetic + inertia.mass * sum(s**2 for s in speeds) / 2
        moments = [inertia.matrix[i][i] for i in range(3)]
        kinetic = kinetic + sum(I * w**2 for I, w in zip(moments, turning, strict=True)) / 2
        potential = potential + inertia.mass * 9.81 * center[2]
    return kinetic, potential


def rate(formula, coordinates):
    return sum(jacobian([lift(formula)], [x])[0][0] * x.dot for x in coordinates)


@pytest.mark.parametrize("arm", [planar_arm, spatial_arm, wrist, floating_tree])
def test_lagranges_equations_are_the_same(arm):
    model, coordinates, kinetic, potential = arm()
    tree = dl.Tree(model)
    lagrangian = dl.Model.from_lagrangian(kinetic=kinetic, potential=potential)
    for seed in range(5):
        q, v, _ = state(tree, seed)
        known = dict(zip(coordinates, q, strict=True))
        known |= dict(zip([x.dot for x in coordinates], v, strict=True))
        n = tree.nv
        entries = [x for row in lagrangian.mass for x in row]
        M = np.array(value_of(entries, known), dtype=float).reshape(n, n)
        force = np.array(value_of(list(lagrangian.force), known), dtype=float)
        assert np.abs(tree.mass_matrix(q) - M).max() <= 1e-12 * np.abs(M).max()
        assert np.abs(tree.bias(q, v) + force).max() <= 1e-12 * np.abs(force).max()


# -- loops -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["four-bar-3d", "stewart-platform", "jansen-leg", "bennett"])
def test_loops_closed_in_joint_coordinates_give_the_same_accelerations(name):
    """M v' = S^T (F - M_b gamma) + J^T lam,  J v' = rhs - J_b gamma,  with J = J_b S."""
    model = dl.catalog.load(name)
    tree = dl.Tree(model)
    assert tree.loops
    q, v = tree.start()
    bodies = tree.to_bodies(q, v)
    system = build(model)
    state, extents = system.open([model.parameters[n] for n in system.parameter_names])
    install("automatic", state)
    evaluate(state, 0.0, *bodies)
    force = state.force.copy()
    rhs = state.rhs_a.copy()
    every = np.arange(extents.rows)
    rows = np.concatenate([every[system.constraint_slices[j.name]] for j in tree.loops])
    J_bodies = system.jacobian(state)[rows]
    tables, room = tree.tables, tree._room
    gamma, tau, none = np.empty(extents.nv), np.empty(tree.nv), np.zeros(tree.nv)
    J = np.zeros((len(rows), tree.nv))
    M = tree.mass_matrix(q)
    kinematics.move(*tree._read, q, v)
    kinematics.spread_acceleration(tables.integers, room, none, gamma)
    link_of = tables.integers[Head(tables.integers, 0).body_table :]
    for row, blocks in zip(J, J_bodies, strict=True):
        for b in range(len(model.bodies)):
            block = np.ascontiguousarray(blocks[6 * b : 6 * b + 6])
            kinematics.gather_row(tables.integers, room, int(link_of[b]), block, row)
    # With these as all forces on bodies, what must be added to stand still is S^T (M_b gamma - F).
    kinematics.load_only(tables.integers, room, force)
    tree_rnea.newton_euler(*tree._read, none, none, tau)
    a = saddle(M, J, -tau, rhs[rows] - J_bodies @ gamma)
    found = np.empty(extents.nv)
    kinematics.spread_acceleration(tables.integers, room, a, found)
    wanted = maximal_accelerations(model, *bodies)
    assert np.abs(found - wanted).max() <= 1e-9 * np.abs(wanted).max()
    assert np.abs(J - J_bodies @ tree.body_jacobian(q)).max() < 1e3 * EPS * np.abs(J).max()
