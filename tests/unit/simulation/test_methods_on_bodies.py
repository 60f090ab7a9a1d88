"""What methods do with bodies: which they refuse, and that a step is what its formula says."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import battery, mechanisms

import dalembert as dl
from dalembert.enforcement import METHODS
from dalembert.integration import INTEGRATORS
from dalembert.system import borders
from dalembert.system.state_layout import State


def rod_pendulum(inertia=None, joint=dl.Revolute):
    """A thin rod on a hinge: nothing resists its turning about itself but the hinge."""
    model = dl.Model("rod pendulum", gravity=(0, 0, -9.81))
    rod = model.add_body("rod", inertia or dl.Inertia.rod(mass=1.0, length=1.0))
    axis = {"axis": "y"} if joint is dl.Revolute else {}
    model.add_joint(joint(model.world, rod.at(x=-0.5), **axis, name="hinge"))
    return model


# -- bodies without inertia about an axis -----------------------------------------------------


@pytest.mark.parametrize("name", [n for n, m in METHODS.items() if m.inverts_mass])
@pytest.mark.parametrize(
    "inertia", [dl.Inertia.rod(1.0, 1.0), dl.Inertia.point(1.0)], ids=["rod", "point"]
)
def test_methods_that_invert_the_mass_name_the_body(name, inertia):
    with pytest.raises(dl.errors.MassMatrixError) as error:
        battery.run(rod_pendulum(inertia), METHODS[name](), 0.1, 1e-2)
    assert METHODS[name].__name__ in str(error.value)
    assert "'rod'" in str(error.value)
    assert str(error.value).endswith(".")


@pytest.mark.parametrize("name", [n for n, m in METHODS.items() if not m.inverts_mass])
def test_all_others_take_a_rod(name):
    exact = dl.simulate(rod_pendulum(), until=0.5).q[-1]
    errors = [
        np.abs(battery.run(rod_pendulum(), METHODS[name](), 0.5, h).q[-1] - exact).max()
        for h in (2e-3, 1e-3)
    ]
    assert errors[1] <= max(0.6 * errors[0], 1e-9)
    assert errors[1] <= 2e-2


@pytest.mark.parametrize("name", ["velocity-splitting", "compliant"])
def test_a_torque_about_a_rod_is_not_lost(name):
    # Before the constraint acts there is nothing for it to turn.
    model = rod_pendulum(joint=dl.Spherical)
    model.add_force(dl.Torque(model.bodies["rod"], about="x", value=1.0, axes="body"))
    with pytest.raises(dl.errors.MassMatrixError, match="'rod"):
        battery.run(model, METHODS[name](), 0.1, 1e-2)


@pytest.mark.parametrize("name", ["velocity-splitting", "compliant", "projection"])
def test_a_torque_about_a_rod_that_its_hinge_carries(name):
    runs = []
    for torque in (0.0, 1.0):
        model = rod_pendulum()
        model.add_force(dl.Torque(model.bodies["rod"], about="x", value=torque, axes="body"))
        runs.append(battery.run(model, METHODS[name](), 0.1, 1e-3))
    soft = 1e-5 if name == "compliant" else 1e-12  # its hinge gives way under the torque
    np.testing.assert_allclose(runs[1].q, runs[0].q, atol=soft)


# -- more bodies than full matrices have room for ----------------------------------------------


@pytest.fixture(scope="module")
def large():
    return dl.catalog.load("chain", count=150)


def parts():
    """Methods, then integrators, by name."""
    for name, kind in METHODS.items():
        yield pytest.param(kind(), None, id=name)
    for name, kind in INTEGRATORS.items():
        yield pytest.param(dl.Projection(), kind(), id=name)


@pytest.mark.parametrize(("method", "integrator"), list(parts()))
def test_many_bodies_run_or_are_refused_with_a_sentence(method, integrator, large):
    part = method if integrator is None else integrator
    fixed = integrator is None or not integrator.adaptive
    if isinstance(method, dl.Penalty):
        method = dl.Penalty(stiffness=10.0, damping=0.1)
    result = battery.attempt(
        large, 4e-3, step=1e-3 if fixed else None, method=method, integrator=integrator
    )
    full = part.uses_matrices or getattr(part, "form", "") == "saddle"
    if full:
        assert isinstance(result, dl.errors.OptionError)
        assert str(result).startswith(type(part).__name__)
        assert "full matrices" in str(result)
    else:
        assert isinstance(result, dl.Solution), result
        assert np.isfinite(result.q).all()


@pytest.mark.parametrize("case", [battery.BALL_BAR, battery.DRIVEN_ARM], ids=lambda c: c.name)
def test_both_textbook_forms_agree(case):
    # By blocks where all rows are those of joints, by full matrices where a formula is among them.
    runs = [
        battery.run(case.model(), method, 0.5, 1e-2)
        for method in (dl.SchurComplement(), dl.LagrangeMultipliers())
    ]
    assert np.abs(runs[0].q - runs[1].q).max() <= 1e-12


# -- one step ----------------------------------------------------------------------------------


def state_of(case, t):
    """M and J of the moment t at the start, the model, and the start itself."""
    model = case.model()
    system, start, opened = battery.opened(model, dl.IndexTwo())
    work, sizes = opened.work, opened.sizes
    borders.evaluate(work, sizes, t, start.q, start.v)
    M = State(work, sizes).mass.copy()
    return M, system.jacobian(State(work, sizes)), model, start


def free_velocity(model, start, h):
    """v* of one explicit step without constraints."""
    alone = dl.Model("alone", gravity=model.gravity)
    for body in model.bodies.values():
        alone.add_body(body.name, body.inertia)
    step = dl.simulate(
        alone, until=h, step=h, integrator=dl.RK4(), initial=(start.q, start.v), consistent=False
    )
    return step.v[-1]


@pytest.mark.parametrize("each", [False, True], ids=["one", "each"])
@pytest.mark.parametrize("name", ["ball-bar", "driven-arm"])
def test_a_compliant_step_is_that_of_arrays(name, each):
    case, h = {"ball-bar": battery.BALL_BAR, "driven-arm": battery.DRIVEN_ARM}[name], 1e-2
    M, J, model, start = state_of(case, h)
    kp, kd = np.full(len(J), 1e5), np.full(len(J), 1e2)
    if each:
        kp, kd = 1e5 * np.arange(1.0, len(J) + 1), 10.0 * np.arange(len(J))
    method = dl.Compliant(stiffness=kp, damping=kd)
    free = free_velocity(model, start, h)
    _, _, opened = battery.opened(model, method)
    work, sizes = opened.work, opened.sizes
    borders.residual(work, sizes, 0.0, start.q, start.v)
    phi = State(work, sizes).phi.copy()
    borders.residual(work, sizes, h, start.q, np.zeros_like(start.v))
    phi_t = State(work, sizes).phi_dot.copy()
    wanted, impulse = dl.compliant_velocity(M, J, free, phi, h, kp, kd, phi_t=phi_t)
    step = dl.simulate(model, until=h, step=h, method=method, integrator=dl.RK4())
    assert np.abs(step.v[-1] - wanted).max() <= 1e-11 * np.abs(wanted).max()
    assert np.abs(h * step.lam[-1] - impulse).max() <= 1e-10 * np.abs(impulse).max()


@pytest.mark.parametrize("case", [battery.BALL_BAR, battery.LOOP], ids=lambda c: c.name)
def test_a_splitting_step_is_that_of_arrays(case):
    h = 1e-2
    M, J, model, start = state_of(case, h)
    free = free_velocity(model, start, h)
    wanted, impulse = dl.project_velocity(M, J, free)
    step = dl.simulate(model, until=h, step=h, method=dl.VelocitySplitting(), integrator=dl.RK4())
    assert np.abs(step.v[-1] - wanted).max() <= 1e-10 * max(1.0, np.abs(wanted).max())
    force = np.abs(J.T @ (h * step.lam[-1] - impulse)).max()
    assert force <= 1e-9 * np.abs(J.T @ impulse).max()


# -- long runs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [battery.BALL_BAR, battery.LOOP], ids=lambda c: c.name)
def test_rattle_keeps_the_energy_of_bodies(case):
    # 60 s in steps of 5 ms: the error oscillates with the square of the step and does not grow.
    solution = battery.run(case.model(), dl.Rattle(), 60.0, 5e-3)
    error = np.abs(solution.energy - solution.energy[0])
    size = np.ptp(solution.kinetic)
    assert error.max() <= 5e-3 * size
    assert error[solution.t > 50].max() <= 1.5 * error[solution.t < 10].max()


# -- between the steps ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "integrator",
    [kind() for kind in INTEGRATORS.values() if not kind.backward] + [dl.DormandPrince(order=5)],
    ids=lambda i: f"{type(i).__name__}{i.order}",
)
def test_output_between_steps_keeps_their_order(integrator):
    exact = dl.simulate(
        mechanisms.spherical_pendulum(),
        until=0.5,
        times=(moments := np.linspace(0.013, 0.49, 37)),
        integrator=dl.DormandPrince(rtol=1e-13, atol=1e-13),
    )
    errors = []
    for step in (2e-2, 1e-2):
        options = {"step": step, "integrator": integrator}
        if integrator.adaptive:
            loose = {"rtol": 1e6, "atol": 1e6, "first_step": step, "max_step": step}
            options = {"integrator": dl.DormandPrince(order=integrator.order, **loose)}
        found = dl.simulate(mechanisms.spherical_pendulum(), until=0.5, times=moments, **options)
        quaternion = found.q[:, 3:]
        assert np.abs(np.linalg.norm(quaternion, axis=1) - 1).max() <= 1e-14
        errors.append(max(np.abs(found.q - exact.q).max(), np.abs(found.v - exact.v).max()))
    order = min(integrator.order, {5: 4, 8: 6}.get(integrator.order, 4))
    assert errors[1] <= max(errors[0] / 2 ** (order - 0.4), 1e-11)


def test_events_of_bodies():
    # A bar released horizontally: half its swing is a quarter of its period.
    model = mechanisms.hinged_bar()
    bar, hinge = model.bodies["bar"], model.joints["hinge"]
    events = [dl.Event(bar.x, name="below"), dl.Event(hinge.angle + np.pi / 2, name="angle")]
    turning = dl.Event(bar.angular_velocity[2], terminal=True, name="turning", direction=1)
    for options in ({"step": 1e-2}, {}):
        solution = dl.simulate(model, until=5.0, events=[*events, turning], **options)
        found = {event.name: event.t for event in solution.events}
        assert found["below"] == pytest.approx(battery.HINGED_BAR.period / 4, abs=1e-5)
        assert found["angle"] == pytest.approx(found["below"], abs=1e-9)
        assert solution.t[-1] == pytest.approx(battery.HINGED_BAR.period / 2, abs=1e-5)
