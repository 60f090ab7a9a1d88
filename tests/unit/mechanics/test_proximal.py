"""The proximal solve along the body graph, against full matrices and the pseudoinverse."""

import numpy as np
import pytest

import dalembert as dl
from dalembert.mechanics.choose_solve import install
from dalembert.mechanics.incidence import image, pull
from dalembert.mechanics.maximal import mass_times
from dalembert.simulation.prepare.initial_state import read_initial
from dalembert.system.borders import OK, evaluate, factor, respond, solve
from dalembert.system.build import build
from dalembert.system.state_layout import State

ROD = dl.Inertia.rod(mass=1.0, length=1.0)
BAR = dl.Inertia.cylinder(mass=1.0, radius=0.05, length=1.0, axis="x")


def chain(count, closed=False):
    """Rods on ball joints, hanging in a zigzag; closed: back to the world."""
    model = dl.Model("chain")
    links = [
        model.add_body(f"link{k}", BAR, rotation=("y", 0.4 * (-1) ** k), angular_velocity=(0, k, 1))
        for k in range(count)
    ]
    before = model.world
    for k, link in enumerate(links):
        model.add_joint(dl.Spherical(before, link.at(x=-0.5), name=f"ball{k}"))
        before = link.at(x=0.5)
    if closed:
        model.add_joint(dl.Spherical(before, model.world.at(x=0.7 * count), name="end"))
    return model


def doubled(inertia=BAR):
    """A pendulum on the same hinge twice."""
    model = dl.Model("doubled")
    arm = model.add_body("arm", inertia, angular_velocity=(0.0, 2.0, 0.0))
    for name in ("hinge", "again"):
        model.add_joint(dl.Revolute(model.world, arm.at(x=-0.5), axis="y", name=name))
    return model


def state(model):
    system = build(model)
    opened, _ = system.open([], dense=True)
    install("automatic", opened)
    q, v = read_initial(model, None)
    evaluate(opened, 0.0, q, v)
    M, top, bottom = opened.mass.copy(), opened.force.copy(), opened.rhs_a.copy()
    return system, *opened, M, system.jacobian(opened), top, bottom


def reference(M, J, top, bottom):
    """x by the pseudoinverse of C = J M^-1/2 (physics 4)."""
    L = np.linalg.cholesky(M)
    C = np.linalg.solve(L, J.T).T
    free = np.linalg.solve(M, top)
    return free + np.linalg.solve(L.T, np.linalg.pinv(C, rcond=1e-9) @ (bottom - J @ free))


MODELS = {
    "free": lambda: _free(),
    "one ball": lambda: chain(1),
    "chain of ten": lambda: chain(10),
    "ring of ten": lambda: chain(10, closed=True),
    "doubled hinge": doubled,
}


def _free():
    model = dl.Model("free")
    model.add_body("box", dl.Inertia.box(mass=2.0, size=(1, 2, 3)), angular_velocity=(1, 2, 3))
    return model


@pytest.mark.parametrize("name", MODELS)
def test_agrees_with_full_matrices(name):
    _, work, sizes, M, J, top, bottom = state(MODELS[name]())
    x, lam = np.zeros(len(top)), np.zeros(len(bottom))
    assert factor(work, sizes, 1e-5) == OK
    assert solve(work, sizes, top, bottom, x, lam) == OK
    expected = reference(M, J, top, bottom)
    size = np.abs(expected).max()
    assert np.abs(x - expected).max() <= 1e-11 * size
    # the equations themselves
    assert np.abs(M @ x - top - J.T @ lam).max() <= 1e-9 * (1.0 + np.abs(top).max())
    assert np.abs(J @ x - bottom).max(initial=0.0) <= 1e-10 * (1.0 + size)


@pytest.mark.parametrize("name", ["chain of ten", "doubled hinge"])
def test_multipliers_have_the_least_weighted_sum(name):
    """lam minimises sum lam_i^2 / g_i among all that give the same force."""
    _, work, sizes, _, J, top, bottom = state(MODELS[name]())
    x, lam = np.zeros(len(top)), np.zeros(len(bottom))
    factor(work, sizes, 1e-5)
    g = State(work, sizes).row_weight.copy()
    solve(work, sizes, top, bottom, x, lam)
    scale = np.sqrt(g / g.max())
    least = scale * np.linalg.lstsq(J.T * scale, J.T @ lam, rcond=1e-9)[0]
    assert np.abs(lam - least).max() <= 1e-6 * np.abs(lam).max()


def test_corrections_are_least_in_the_mass_norm():
    _, work, sizes, M, J, top, bottom = state(chain(5))
    wanted = np.random.default_rng(1).standard_normal(len(bottom))
    x, lam = np.zeros(len(top)), np.zeros(len(bottom))
    factor(work, sizes, 1e-4)
    respond(work, sizes, wanted, x, lam)
    expected = reference(M, J, 0 * top, wanted)
    assert np.abs(x - expected).max() <= 1e-6 * np.abs(expected).max()


def test_products_and_mass_solve():
    _, work, sizes, M, J, top, bottom = state(chain(4, closed=True))
    generator = np.random.default_rng(2)
    x, lam = generator.standard_normal(len(top)), generator.standard_normal(len(bottom))
    out, rows = np.zeros_like(x), np.zeros_like(lam)
    mass_times(work, sizes, x, out)
    assert np.allclose(out, M @ x, rtol=1e-14, atol=1e-14)
    image(work, sizes, x, rows)
    assert np.allclose(rows, J @ x, rtol=1e-13, atol=1e-13)
    pull(work, sizes, lam, out)
    assert np.allclose(out, M @ x + J.T @ lam, rtol=1e-13, atol=1e-13)


def start(k):
    return {"initial": ("y", 0.3 + 0.5 * k), "initial_speed": (0.0, 1.0, 0.0)}


def test_a_rod_on_ball_joints_has_a_solution():
    """A rod has no inertia about its axis: that turn stays what it is, and no joint minds."""
    model = dl.Model("rods")
    before = model.world
    for k in range(3):
        link = model.add_body(f"link{k}", ROD)
        model.add_joint(dl.Spherical(before, link.at(x=-0.5), **start(k)))
        before = link.at(x=0.5)
    thin = dl.simulate(model, until=1.0, step=1e-3, every=100)
    assert thin.worst["phi"] < 1e-14
    assert thin.worst["phi_dot"] < 1e-13
    # motion that needs the inertia of no axis: a rod with some is the same pendulum
    fat = dl.Model("fat")
    before = fat.world
    for k in range(3):
        inertia = dl.Inertia(1.0, (1e-3, 1 / 12, 1 / 12))
        link = fat.add_body(f"link{k}", inertia)
        fat.add_joint(dl.Spherical(before, link.at(x=-0.5), **start(k)))
        before = link.at(x=0.5)
    full = dl.simulate(fat, until=1.0, step=1e-3, every=100)
    assert np.abs(thin.q - full.q).max() < 1e-10
    assert np.abs(thin.energy - full.energy).max() < 1e-10


def test_a_torque_about_an_axis_without_inertia_is_refused_by_name():
    model = dl.Model("rod")
    rod = model.add_body("rod", ROD)
    model.add_joint(dl.Spherical(model.world, rod.at(x=-0.5)))
    model.add_force(dl.Torque(rod, about="x", value=1.0))
    with pytest.raises(dl.errors.MassMatrixError, match="rod"):
        dl.simulate(model, until=0.1, step=1e-3)


def test_no_continuation_without_a_past():
    work, sizes = state(doubled())[1:3]
    assert State(work, sizes).has_last == 0


def test_a_torque_that_begins_later_is_refused_when_it_begins():
    """The run's own solve must notice it too, not only that of the start."""
    model = dl.Model("rod")
    rod = model.add_body("rod", ROD)
    model.add_joint(dl.Spherical(model.world, rod.at(x=-0.5)))
    late = dl.maximum(dl.time - 0.05, 0.0)
    model.add_force(dl.Torque(rod, about="x", axes="body", value=late))
    with pytest.raises(dl.errors.MassMatrixError, match="rod") as caught:
        dl.simulate(model, until=0.1, step=1e-3)
    assert caught.value.solution.t[-1] == pytest.approx(0.05, abs=2e-3)
    assert np.abs(caught.value.solution.v).max() < 10.0
