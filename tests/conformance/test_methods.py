"""Every method of the table keeps the facts it states (enforcement/protocol.py).

A new method is found through `METHODS`; nothing is added here for it.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import battery
from tests.support.battery import (
    BALL_BAR,
    BIPED,
    BODIES,
    DOUBLE_PENDULUM,
    DRIVEN_ARM,
    FOUR_BARS,
    HINGED_BAR,
    HOLONOMIC,
    LOOP,
    MACHINE,
    NONHOLONOMIC,
    PENDULUM,
    REGULAR,
    ROLLING_BODY,
    SLEIGH,
    SLIDER_CRANK,
    TOWING_TANK,
    TUMBLING_BAR,
)

import dalembert as dl
from dalembert.enforcement import METHODS
from dalembert.simulation.status import Status
from dalembert.system import borders
from dalembert.system.build import build

pytestmark = pytest.mark.share(2)

LEVELS = ("position", "velocity")


def methods(**facts):
    """Names of the methods with these facts."""
    return [n for n, m in METHODS.items() if all(getattr(m, k) == v for k, v in facts.items())]


def cases(*systems):
    return pytest.mark.parametrize("case", systems, ids=lambda case: case.name)


def each(names):
    return pytest.mark.parametrize("name", names)


REFUSALS = (dl.errors.OptionError, dl.errors.RedundancyError)


def accepts(name, case):
    """Whether the method takes the system; what it refuses is tested below."""
    result = battery.attempt(case.model(), 4 * case.step, step=case.step, method=case.method(name))
    return not isinstance(result, REFUSALS)


def accepted(name, case):
    if not accepts(name, case):
        pytest.skip(f"{name} refuses {case.name} with a sentence (tested below)")


# -- facts are well formed -------------------------------------------------------------------


@each(METHODS)
def test_facts_are_words_of_the_protocol(name):
    method = METHODS[name]
    assert method.levels <= {"position", "velocity", "acceleration"}
    assert method.drift in ("machine", "step", "bounded", "grows")
    assert (method.rates is None) == (method.advance is not None)
    assert method().describe().startswith(method.__name__)


@each(methods(drift="machine"))
def test_machine_precision_is_claimed_on_both_levels(name):
    assert METHODS[name].levels >= {"position", "velocity"}


@each(METHODS)
@cases(PENDULUM, HINGED_BAR)
def test_every_method_takes_the_pendulum(name, case):
    solution = battery.run(case.model(), case.method(name), 0.1, 1e-2)
    assert solution.status is Status.OK
    assert solution.t[-1] == 0.1


@each(METHODS)
@cases(*HOLONOMIC, *NONHOLONOMIC, DOUBLE_PENDULUM, TUMBLING_BAR)
def test_a_system_is_taken_or_refused_with_a_sentence(name, case):
    result = battery.attempt(case.model(), 4 * case.step, step=case.step, method=METHODS[name]())
    if isinstance(result, dl.errors.RedundancyError):
        assert case is LOOP
        assert not METHODS[name].redundant
    elif isinstance(result, dl.errors.OptionError):
        assert str(result).startswith(METHODS[name].__name__)
        assert str(result).endswith(".")
        assert ". " in str(result)  # what is wrong, and what to do
        constant = case in BODIES or build(case.model()).mass_is_constant
        # Only these two reasons are known; bodies turn, but that is no reason.
        assert (case in NONHOLONOMIC and not METHODS[name].velocity_rows) or not constant
    elif isinstance(result, dl.errors.DalembertError):
        # Gains set by no step may be too stiff for it; the run says so and keeps what it has.
        assert isinstance(result, dl.errors.SimulationError)
        assert METHODS[name].drift == "bounded"
        assert len(result.solution.t) > 0


# -- drift -----------------------------------------------------------------------------------


@each(methods(drift="machine"))
@cases(*HOLONOMIC, *NONHOLONOMIC)
def test_machine_means_rounding_at_any_step(name, case):
    accepted(name, case)
    for step in (case.step / 10, case.step, 4 * case.step):
        solution = battery.run(case.model(), case.method(name), min(80 * step, case.period), step)
        found = battery.worst(solution)
        assert max(found.values()) <= MACHINE, (step, found)


@each(methods(drift="machine"))
@cases(*HOLONOMIC)
def test_machine_does_not_grow_with_time(name, case):
    accepted(name, case)
    solution = battery.run(case.model(), case.method(name), 3 * case.period, case.step)
    assert max(battery.worst(solution).values()) <= MACHINE


@each(methods(drift="step"))
@cases(*HOLONOMIC, *NONHOLONOMIC)
def test_step_falls_with_the_step(name, case):
    # A power of the step: at least the first, of which 2^0.8 is left to coarse steps; where the
    # finer run is at rounding there is nothing to fall.
    coarse, fine = (
        battery.worst(battery.run(case.model(), case.method(name), case.period, step))
        for step in (case.step, case.step / 2)
    )
    for level in LEVELS:
        assert fine[level] <= max(coarse[level] / 2**0.8, MACHINE), level


@each(methods(drift="step") + methods(drift="bounded"))
@cases(*REGULAR)
def test_step_and_bounded_do_not_grow_with_time(name, case):
    # All motions are periodic: from the second period on the violation repeats. A factor of
    # two leaves room for samples that fall elsewhere in the period. (On the four-bars it depends
    # on how near to the singular position a step happens to come.)
    solution = battery.stable_run(case.model(), case.method(name), 4 * case.period, case.step)
    for level, series in battery.violation(solution).items():
        second = series[(solution.t > case.period) & (solution.t <= 2 * case.period)].max()
        last = series[solution.t > 3 * case.period].max()
        assert last <= max(2 * second, MACHINE), level


@each(methods(drift="grows"))
@cases(PENDULUM, SLIDER_CRANK, BIPED, HINGED_BAR)
def test_grows_does(name, case):
    # A claim of growth that is not seen would hide a correction.
    solution = battery.run(case.model(), METHODS[name](), 4 * case.period, case.step)
    found = battery.violation(solution)
    if "velocity" in METHODS[name].levels:
        # With the velocity imposed the position drifts with t: each period adds the same to what
        # comes and goes within it.
        one, four = (np.argmin(np.abs(solution.t - k * case.period)) for k in (1, 4))
        assert found["position"][four] >= 3 * found["position"][one]
        return
    # Position drifts with t^2, velocity with t: after four periods at least 3 and 1.5 times what
    # the first one left.
    for (level, series), factor in zip(found.items(), (3, 1.5), strict=True):
        first = series[solution.t <= case.period].max()
        assert series[solution.t > 3 * case.period].max() >= factor * first, level


# -- levels ----------------------------------------------------------------------------------


def disturbed(case, size, velocity_only):
    """An initial state off the constraints by about `size`."""
    model = case.model()
    solution = battery.run(model, dl.Projection(), 2 * case.step, case.step)
    push = size * battery.jacobian(solution)[0].sum(axis=0)
    q, v = solution.q[0], solution.v[0]
    return (q, v + push) if velocity_only else (battery.moved(model, q, push), v)


@each(METHODS)
@cases(PENDULUM, SLIDER_CRANK, TOWING_TANK, HINGED_BAR, BALL_BAR, DRIVEN_ARM)
@pytest.mark.parametrize("level", LEVELS)
def test_imposed_levels_forget_a_disturbance_and_others_keep_it(name, case, level):
    accepted(name, case)
    method, steps, size = case.method(name), 60, 1e-4
    initial = disturbed(case, size, velocity_only=level == "velocity")

    def left(state):
        options = {} if state is None else {"initial": state, "consistent": False}
        solution = battery.run(case.model(), method, steps * case.step, case.step, **options)
        return battery.violation(solution)[level]

    quiet, moved = left(None), left(initial)
    if level in method.levels:
        # No more than a quiet run has, beyond a hundredth of the disturbance.
        assert moved[-1] <= 2 * quiet.max() + 0.01 * moved[0]
    elif method.drift == "grows":
        assert moved[-1] >= 0.5 * moved[0]


def acceleration_defect(J, found, exact):
    """|J (found - exact)| over the size of what is subtracted."""
    scale = np.abs(J).max() * max(np.abs(found).max(), np.abs(exact).max())
    return np.abs(J @ (found - exact)).max() / scale


@each([n for n, m in METHODS.items() if m.rates is not None])
@cases(PENDULUM, SLIDER_CRANK, TOWING_TANK, SLEIGH, BALL_BAR, DRIVEN_ARM, ROLLING_BODY)
def test_acceleration_level_is_imposed_by_the_rates_where_claimed(name, case):
    if case in NONHOLONOMIC and not METHODS[name].velocity_rows:
        pytest.skip("refuses velocity constraints (tested below)")
    model, h = case.model(), case.step
    states = battery.run(model, dl.Projection(), 40 * h, h, every=10)
    J = battery.jacobian(states)
    system, _, opened = battery.opened(model, case.method(name))
    n, m = system.extents.nv, system.extents.rows
    largest = 0.0
    for k, t in enumerate(states.t):
        qdot, vdot, lam = np.zeros(system.extents.nq), np.zeros(n), np.zeros(m)
        q, v = states.q[k].copy(), states.v[k].copy()
        assert borders.begin_step(opened.work, opened.sizes, t, h, q, v) == borders.OK
        status = borders.rates(opened.work, opened.sizes, t, h, q, v, qdot, vdot, lam)
        assert status == borders.OK
        # rhs_a is what J v' of the true acceleration gives; it was measured by `simulate`.
        largest = max(largest, acceleration_defect(J[k], vdot, states.a[k]))
    # The states are on the constraints to rounding; a correction multiplies that by up to
    # max(1/h, beta^2) = 2500.
    claimed = "acceleration" in METHODS[name].levels
    assert (largest <= 1e4 * MACHINE) if claimed else (largest >= 1e-3)


@each([n for n, m in METHODS.items() if m.advance and "acceleration" in m.levels])
@cases(PENDULUM, SLIDER_CRANK, TOWING_TANK, BALL_BAR, DRIVEN_ARM)
def test_acceleration_level_is_imposed_after_an_own_step_where_claimed(name, case):
    model, h = case.model(), case.step
    _, start, opened = battery.opened(model, case.method(name))
    state = opened.state
    q, v = start.q.copy(), start.v.copy()
    assert borders.advance(state, state.advance, 0.0, h, q, v) == borders.OK
    own = np.array(state.vdot)
    there = dl.simulate(model, until=2 * h, step=h, start=h, initial=(q, v), every=2)
    J = battery.jacobian(there)[0]
    assert acceleration_defect(J, own, there.a[0]) <= 1e3 * MACHINE


# -- redundant -------------------------------------------------------------------------------


@each(methods(redundant=True))
@cases(PENDULUM, SLIDER_CRANK, TOWING_TANK, SLEIGH, BALL_BAR, DRIVEN_ARM, ROLLING_BODY)
def test_doubled_rows_change_nothing(name, case):
    accepted(name, case)
    method, h = battery.sharp(case.method(name)), case.step / 2
    once = battery.run(case.model(), method, 100 * h, h)
    twice = battery.run(battery.doubled(case.model()), battery.felt_once(method), 100 * h, h)
    assert np.abs(once.q - twice.q).max() <= 1e-9 * max(1.0, np.abs(once.q).max())
    assert np.abs(once.v - twice.v).max() <= 1e-9 * max(1.0, np.abs(once.v).max())
    # Rows of least length share the load: the two halves add up to the whole.
    m = once.lam.shape[1]
    total = battery.together(once, twice)[1:]
    assert np.abs(total - once.lam[1:]).max() <= 1e-9 * max(1.0, np.abs(once.lam[1:]).max())
    assert not twice.statistics["unique_multipliers"]
    assert twice.statistics["rank_max"] == m


@each(methods(redundant=False))
@cases(PENDULUM, SLIDER_CRANK, TOWING_TANK, SLEIGH, BALL_BAR, DRIVEN_ARM, ROLLING_BODY)
def test_doubled_rows_are_refused_by_name(name, case):
    model = battery.doubled(case.model())
    with pytest.raises(dl.errors.RedundancyError) as error:
        battery.run(model, METHODS[name](), 10 * case.step, case.step)
    assert METHODS[name].__name__ in str(error.value)
    assert model.row_names[0] in str(error.value)


@each(METHODS)
def test_a_row_that_becomes_dependent_is_survived_or_named(name):
    # The four-bars lose two ranks at t = 0.714 s. A method that cannot bear it may pass by luck,
    # when no stage comes near; it must not end in anything but its own error.
    method = METHODS[name]()
    if method.redundant:
        end = battery.stable_run(FOUR_BARS.model(), method, 1.5, FOUR_BARS.step)
        assert end.status is Status.OK
        assert np.isfinite(end.q).all()
        return
    result = battery.attempt(FOUR_BARS.model(), 4.0, step=FOUR_BARS.step, method=method)
    if not isinstance(result, dl.Solution):
        assert isinstance(result, (dl.errors.RedundancyError, dl.errors.StepSizeError))
        assert result.solution.t[-1] > 0.5


@each(METHODS)
def test_no_warning_is_printed_for_dependent_rows(name, recwarn):
    model = battery.doubled(PENDULUM.model())
    battery.attempt(model, 0.05, step=1e-2, method=METHODS[name]())
    assert [str(w.message) for w in recwarn] == []


# -- velocity constraints ----------------------------------------------------------------------


@each(methods(velocity_rows=True))
@cases(*NONHOLONOMIC)
def test_velocity_constraints_work(name, case):
    # First order at least: the motion comes nearer to the exact one when the step is halved.
    model = case.model()
    exact = dl.simulate(model, until=0.5)
    errors = []
    for step in (4e-3, 2e-3):
        solution = battery.stable_run(model, METHODS[name](), 0.5, step)
        errors.append(np.abs(solution.q[-1] - exact.q[-1]).max())
    limited_by_gains = not METHODS[name].levels
    assert errors[1] <= 0.05
    assert limited_by_gains or errors[1] <= max(0.7 * errors[0], 1e-9)


@each(methods(velocity_rows=False))
@cases(*NONHOLONOMIC)
def test_velocity_constraints_are_refused_by_name(name, case):
    model = case.model()
    with pytest.raises(dl.errors.OptionError) as error:
        battery.run(model, METHODS[name](), 10 * case.step, case.step)
    assert METHODS[name].__name__ in str(error.value)
    velocity = [c for c in model.constraints if c.kind == "velocity"]
    assert f"'{velocity[0].row_names[0]}'" in str(error.value)
    assert str(error.value).endswith(".")


# -- what holds for every method -----------------------------------------------------------------


@each(METHODS)
@cases(DOUBLE_PENDULUM, TUMBLING_BAR)
def test_without_constraints_every_method_is_its_integrator(name, case):
    accepted(name, case)
    model = case.model()
    exact = dl.simulate(model, until=0.5, integrator=dl.DormandPrince(rtol=1e-13))
    errors = []
    for step in (2e-3, 1e-3):
        solution = battery.run(model, METHODS[name](), 0.5, step)
        assert solution.lam.shape[1] == 0
        errors.append(np.abs(solution.q[-1] - exact.q[-1]).max())
    own = METHODS[name].order or 1  # None: 1 with joints, 2 without
    own = own if own < 99 else 4
    # The order, less a half; two runs at rounding cannot show it.
    assert errors[1] <= max(errors[0] / 2 ** (own - 0.5), 1e-10)


@each([n for n, m in METHODS.items() if m.own_multipliers])
@pytest.mark.parametrize("integrator", [None, dl.ExplicitEuler(), dl.SemiImplicitEuler()])
@cases(PENDULUM, BALL_BAR)
def test_own_multipliers_belong_to_the_recorded_state(name, integrator, case):
    # As the step falls they approach the multipliers of the constrained equations; at h = 1e-4 a
    # method of first order is within about h |lam'| ~ 1e-2, an offset of one step is not more.
    method = METHODS[name]()
    if method.advance is not None and integrator is not None:
        pytest.skip("brings its own time discretisation")
    solution = dl.simulate(case.model(), until=0.1, step=1e-4, method=method, integrator=integrator)
    exact = dl.simulate(case.model(), until=0.1)
    size = np.abs(exact.lam[-1]).max()
    assert np.abs(solution.lam[-1] - exact.lam[-1]).max() <= 5e-2 * size
    if hasattr(method, "stiffness") and not method.levels:
        # A penalty is a force law: -(kp phi + kd phi') at the very same state.
        law = -(method.stiffness * solution.phi + method.damping * solution.phi_dot)
        assert np.abs(solution.lam[1:] - law[1:]).max() <= 1e-10 * np.abs(law).max()


def tip(case, model):
    """Horizontal and vertical place of the pendulum's tip, and its lowest height."""
    if case is PENDULUM:
        return *model.coordinates, -1.0
    bar = model.bodies["bar"]
    return bar.position[0], bar.position[1], -0.5


@each(METHODS)
@cases(PENDULUM, HINGED_BAR)
def test_asking_for_moments_or_events_does_not_change_the_motion(name, case):
    method, h = case.method(name), 1e-2
    model = case.model()
    x, y, lowest = tip(case, model)
    plain = battery.run(model, method, 1.0, h)
    moments = battery.run(model, method, 1.0, h, times=[0.123, 0.5, 0.777, 1.0])
    watched = battery.run(model, method, 1.0, h, events=[dl.Event(x), dl.Event(y - lowest / 2)])
    assert len(watched.events) == 3  # y passes half its depth down and up again
    for other in (moments, watched):
        assert np.array_equal(other.q[-1], plain.q[-1])
        assert np.array_equal(other.v[-1], plain.v[-1])


@each([n for n, m in METHODS.items() if m.redundant and m.drift != "bounded"])
def test_asking_does_not_change_the_motion_through_a_singular_position_either(name):
    # There a method may lean on what it remembers of the stages before; t = 0.714 s.
    method, model = METHODS[name](), FOUR_BARS.model()
    y = model.coordinates[1]
    plain = battery.run(model, method, 0.8, FOUR_BARS.step)
    times = [*np.linspace(0.70, 0.73, 40), 0.8]
    moments = battery.run(model, method, 0.8, FOUR_BARS.step, times=times)
    watched = battery.run(model, method, 0.8, FOUR_BARS.step, events=[dl.Event(y)])
    assert len(watched.events) == 1
    for other in (moments, watched):
        assert np.array_equal(other.q[-1], plain.q[-1])
        assert np.array_equal(other.v[-1], plain.v[-1])


@each(METHODS)
@cases(PENDULUM, HINGED_BAR)
def test_multipliers_do_not_depend_on_how_the_output_is_asked_for(name, case):
    method, h = case.method(name), 1e-2
    model = case.model()
    plain = battery.run(model, method, 0.5, h, every=10)
    moments = battery.run(model, method, 0.5, h, times=plain.t)
    x, y, _ = tip(case, model)
    watched = battery.run(model, method, 0.5, h, every=10, events=[dl.Event(y + 0.05 * x)])
    scale = np.abs(plain.lam).max()
    assert np.abs(moments.lam - plain.lam).max() <= 1e-9 * scale
    assert np.abs(watched.lam - plain.lam).max() <= 1e-9 * scale
