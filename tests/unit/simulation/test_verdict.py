"""The verdict: good where a run can be trusted, else doubtful or failed with a reason."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dalembert as dl
from dalembert import errors
from dalembert.cli import main
from dalembert.in_words import as_command
from dalembert.simulation.results import verdict as verdicts
from dalembert.simulation.status import Status


def words(solution):
    """Names of the rules that have something to say."""
    return [reason.rule for reason in solution.verdict.reasons]


def slider_crank(limits=None):
    model = dl.Model("crank")
    crank = model.add_body("crank", dl.Inertia.rod(1.0, length=1.0))
    rod = model.add_body("rod", dl.Inertia.rod(1.0, length=2.0))
    block = model.add_body("block", dl.Inertia.point(1.0))
    hinge = model.add_joint(dl.Revolute(model.world, crank.at(x=-0.5), axis="y", name="hinge"))
    model.add_joint(dl.Revolute(crank.at(x=0.5), rod.at(x=-1.0), axis="y"))
    model.add_joint(dl.Revolute(rod.at(x=1.0), block, axis="y"))
    model.add_joint(dl.Prismatic(model.world, block, axis="x"))
    if limits:
        model.set_limits(hinge, dl.Limits(*limits))
    return model


def damped_pendulum():
    model = dl.Model("damped")
    rod = model.add_body("rod", dl.Inertia.rod(1.0, length=1.0))
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y"))
    model.add_force(dl.TorsionSpring(hinge, stiffness=0.0, damping=0.3))
    return model


# -- where nothing is wrong ----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", dl.catalog.names())
def test_a_documented_run_of_the_catalog_is_good(name):
    model = dl.catalog.load(name)
    wanted = {k: v for k, v in model.suggested.items() if k in ("until", "step", "formulation")}
    solution = dl.simulate(model, progress=False, **wanted)
    assert solution.verdict.is_good, solution.verdict


@pytest.mark.parametrize(
    "method", [dl.Projection(), dl.Baumgarte(), dl.UdwadiaKalaba(), dl.Rattle(), dl.BraunGoldfarb()]
)
def test_usual_methods_with_a_usual_step_are_good(method):
    solution = dl.simulate(dl.catalog.load("pendulum"), until=5.0, step=1e-3, method=method)
    assert solution.verdict == verdicts.Verdict("good")


@pytest.mark.parametrize("integrator", [dl.SemiImplicitEuler(), dl.ImplicitMidpoint(), dl.RK4()])
def test_what_the_order_of_an_integrator_explains_is_good(integrator):
    model = dl.catalog.load("double-pendulum")
    solution = dl.simulate(model, until=2.0, step=1e-4, integrator=integrator)
    assert solution.verdict.is_good, solution.verdict


def test_runs_that_lose_or_gain_energy_as_they_must_are_good():
    assert dl.simulate(damped_pendulum(), until=10.0, step=1e-2).verdict.is_good
    model = dl.catalog.load("slider-crank-bodies")
    assert dl.simulate(model, until=2.0, step=1e-3).verdict.is_good


def test_an_event_or_a_driven_mechanism_without_freedom_is_good():
    model = dl.catalog.load("pendulum")
    lowest = dl.Event(model.coordinates[0], terminal=True, name="lowest")
    assert dl.simulate(model, until=5.0, step=1e-3, events=[lowest]).verdict.is_good
    assert dl.simulate(dl.catalog.load("jansen-leg"), until=0.5, step=1e-3).verdict.is_good


# -- reports that said OK ------------------------------------------------------------------------


def test_an_energy_that_is_lost_is_a_failure_with_a_step_to_try():
    model = dl.catalog.load("pendulum")
    coarse = dl.simulate(model, until=10.0, step=0.5)
    assert coarse.status is Status.OK
    assert coarse.verdict.word == "failed"
    (reason,) = coarse.verdict.reasons
    assert reason.rule == "energy"
    step = float(reason.remedy.removeprefix("Try step=").removesuffix("."))
    assert dl.simulate(model, until=10.0, step=step).verdict.is_good


def test_limits_change_the_method_and_a_coarse_step_is_told():
    method = dl.ContactImpulse(order=1)
    solution = dl.simulate(
        slider_crank((-1.0, 1.5)), until=2.0, step=1e-2, formulation="maximal", method=method
    )
    assert solution.verdict.word == "doubtful"
    assert "velocities" in words(solution)
    assert "order=2" in str(solution.verdict)


def test_a_mechanism_that_cannot_move_is_doubtful():
    model = dl.Model("frame")
    one = model.add_body("one", dl.Inertia.rod(1.0, length=1.0))
    model.add_joint(dl.Revolute(model.world, one.at(x=-0.5), axis="y"))
    model.add_joint(dl.Revolute(model.world.at(x=0.6, z=-0.8), one.at(x=0.5), axis="y"))
    solution = dl.simulate(model, until=0.1, step=1e-3)
    assert solution.report()["degrees_of_freedom"] == 0
    assert solution.initial_move["q"] > 0.1
    assert words(solution) == ["freedom"]
    assert "the start was moved by" in solution.verdict.reasons[0].text


@pytest.mark.parametrize("name", ["stack", "incline"])
def test_what_does_not_move_has_no_relative_energy(name):
    solution = dl.simulate(dl.catalog.load(name), until=0.5, step=5e-3)
    assert solution.report()["energy_change_relative"] is None
    assert "relative" not in solution.summary()
    assert solution.verdict.is_good


def test_a_hanging_pendulum_has_no_relative_energy_either():
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        potential=9.81 * y,
        constraints={"bar": x**2 + y**2 - 1.0},
        initial={x: 0.0, y: -1.0},
    )
    solution = dl.simulate(model, until=2.0, step=1e-2)
    assert solution.report()["energy_change_relative"] is None
    assert solution.verdict.is_good


def test_a_balance_that_only_samples_limit_is_told_as_that():
    fine = dl.simulate(damped_pendulum(), until=10.0, step=1e-3)
    rare = dl.simulate(damped_pendulum(), until=10.0, step=1e-3, times=np.linspace(0, 10, 12))
    assert fine.report()["energy_balance_relative"] < 1e-6
    assert rare.report()["energy_balance_relative"] > 1e-3
    assert rare.verdict.is_good
    assert "too far apart" in rare.summary()
    assert "too far apart" not in fine.summary()


def test_a_balance_that_is_off_with_every_step_recorded_is_doubtful():
    solution = dl.simulate(damped_pendulum(), until=10.0, step=0.4)
    assert "balance" in words(solution)


def test_a_stop_that_nothing_touches_leaves_the_energy_constant_and_a_coarse_step_is_told():
    method = dl.ContactImpulse(order=1)
    solution = dl.simulate(slider_crank((-10.0, 10.0)), until=2.0, step=3e-2, method=method)
    assert solution.statistics["contact"]["held"] == 0
    assert "energy" in words(solution)


def rolling(step, order):
    """A ball with its mass off its middle that rolls to and fro, without slipping."""
    model = dl.Model("ball")
    rough = dl.Material(friction=2.0)
    model.add_shape(dl.Plane(), material=rough)
    ball = model.add_body(
        "ball",
        dl.Inertia.sphere(1.0, 0.1),
        position=(0, 0, 0.05),
        velocity=(0.65, 0, 0),
        angular_velocity=(0, 13.0, 0),
    )
    model.add_shape(dl.Sphere(0.1, position=(0, 0, 0.05)), on=ball, material=rough)
    return dl.simulate(model, until=3.0, step=step, method=dl.ContactImpulse(order=order))


def test_a_step_that_is_too_coarse_for_rolling_is_told():
    """Nothing slips, so that energy is constant; what a step loses is in no work of contacts."""
    coarse = rolling(5e-3, 1)
    assert [reason.rule for reason in coarse.verdict.reasons] == ["coarse"]
    assert "order=2" in coarse.verdict.reasons[0].remedy
    fine = rolling(5e-3, 2)
    assert fine.verdict.is_good
    off = coarse.report()["contact_balance_relative"], fine.report()["contact_balance_relative"]
    assert off[0] > 0.1
    assert off[1] < 0.01


@pytest.mark.parametrize(("step", "word"), [(1e-3, "failed"), (5e-5, "good")])
def test_energy_that_nothing_gave_is_told(step, word):
    """A law of damping that an explicit step does not resolve throws a bead off its floor."""
    m = dl.Model("bead", gravity=(0, 0, -9.81))
    bead = m.add_body("bead", dl.Inertia.sphere(0.1, radius=0.05), position=(0, 0, 0.05))
    inertia = dl.Inertia.sphere(1e-3, radius=0.01)
    hook = m.add_body("hook", inertia, position=(0.1, 0, 0.05), velocity=(0.01, 0, 0))
    m.add_shape(dl.Sphere(0.05), on=bead)
    m.add_shape(dl.Plane())
    m.add_force(dl.Spring(bead, hook, law=lambda extension, rate: 10.0 * rate, free_length=0.1))
    run = dl.simulate(m, until=0.02, step=step, on_failure="return")
    assert run.verdict.word == word
    assert [reason.rule for reason in run.verdict.reasons][:1] == ["gained"] * (word == "failed")


def test_what_contacts_take_is_no_error():
    """A box that falls and stays, dominoes: all their energy goes into contacts."""
    for name in ("boxes", "dominoes"):
        solution = dl.simulate(dl.catalog.load(name), until=1.5, step=5e-3)
        assert solution.verdict.is_good
        assert solution.report()["contact_balance_relative"] < 0.02


def test_a_limit_of_an_angle_is_passed_by_radians():
    # the crank starts at the angle 0, beyond the end
    solution = dl.simulate(slider_crank((-1.0, -0.05)), until=0.1, step=1e-2)
    contact = solution.statistics["contact"]
    assert contact["held"] == 1
    assert 0.01 < contact["penetration_angle"] <= 0.05
    assert contact["penetration"] == 0.0
    assert "penetration" in words(solution)
    (line,) = [x for x in solution.summary().splitlines() if x.startswith("  contacts")]
    assert line.endswith(" rad")


def test_a_formula_is_passed_by_its_own_unit_and_a_slide_by_metres():
    model = dl.Model("slide", gravity=(0, 0, -9.81))
    block = model.add_body("block", dl.Inertia.sphere(1.0, radius=0.1))
    guide = model.add_joint(dl.Prismatic(model.world, block, axis="z", name="guide"))
    model.set_limits(guide, dl.Limits(0.05, 1.0))
    contact = dl.simulate(model, until=0.1, step=1e-2).statistics["contact"]
    assert 0.01 < contact["penetration"] <= 0.05
    assert contact["penetration_angle"] == contact["penetration_own"] == 0.0
    other = dl.Model("kept", gravity=(0, 0, -9.81))
    block = other.add_body("block", dl.Inertia.sphere(1.0, radius=0.1))
    other.add_joint(dl.Prismatic(other.world, block, axis="z"))
    other.keep(2.0 * block.z >= 0.1)
    contact = dl.simulate(other, until=0.1, step=1e-2).statistics["contact"]
    assert 0.02 < contact["penetration_own"] <= 0.1
    assert contact["penetration"] == contact["penetration_angle"] == 0.0


def test_what_a_method_does_not_know_is_told():
    with pytest.warns(errors.DoubtfulWarning):
        solution = dl.simulate(
            slider_crank((-1.0, 1.5)), until=0.1, step=1e-3, method=dl.Projection()
        )
    assert words(solution) == ["ignored"]


def test_a_run_that_stopped_is_failed():
    with pytest.raises(errors.SimulationError) as caught:
        dl.simulate(dl.catalog.load("four-bars"), until=20.0, step=1e-3, method=dl.UdwadiaKalaba())
    found = caught.value.solution.verdict
    assert found.word == "failed"
    assert found.reasons[0].text == caught.value.solution.message


# -- where it is told ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def coarse():
    return dl.simulate(dl.catalog.load("pendulum"), until=10.0, step=0.5)


def test_it_is_at_the_head_of_the_report(coarse):
    lines = coarse.summary().splitlines()
    assert lines[1].split() == ["verdict", "failed"]
    assert lines[2].strip() == str(coarse.verdict.reasons[0])
    report = coarse.report()
    assert next(iter(report)) == "verdict"
    assert report["reasons"][0]["rule"] == "energy"
    json.dumps(report)


def test_it_is_in_the_notebook_and_on_the_page(coarse, tmp_path):
    text = coarse._repr_html_()
    assert '<div class="wrong"><b>failed</b><br>The energy' in text
    page = coarse.save_html(tmp_path / "page.html").read_text()
    assert '"verdict":"failed"' in page.replace(" ", "")


def test_it_survives_files(coarse, tmp_path):
    assert dl.load_solution(coarse.save(tmp_path / "run.npz")).verdict == coarse.verdict
    model = dl.catalog.load("pendulum")
    kept = dl.simulate(model, until=10.0, step=0.5, save=tmp_path / "run")
    assert kept.verdict == coarse.verdict
    assert dl.load_solution(tmp_path / "run").verdict == coarse.verdict


def test_it_is_the_exit_code_of_a_command(capsys):
    assert main(["run", "pendulum", "--until", "1", "--step", "1e-2"]) == 0
    assert main(["run", "pendulum", "--until", "10", "--step", "0.5", "--json"]) == 1
    told = capsys.readouterr()
    assert "failed: The energy" in told.err
    assert json.loads(told.out[told.out.index("{") :])["verdict"] == "failed"


def test_the_table_of_rules_is_documented():
    from pathlib import Path

    page = Path(__file__).parents[3] / "docs" / "how-to" / "results.md"
    text = page.read_text(encoding="utf-8").split("### The verdict")[1].split("\n### ")[0]
    rows = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
    assert rows == list(verdicts.RULES)


def test_a_joint_that_starts_outside_its_limits_is_named():
    model = dl.Model("leg")
    knee = model.add_body("shank", dl.Inertia.rod(1.0, length=1.0))
    model.add_joint(dl.Revolute(model.world, knee.at(x=-0.5), axis="y", name="knee"))
    model.set_limits("knee", dl.Limits(-2.7, -0.9))
    run = dl.simulate(model, until=0.05)
    assert run.verdict.word == "doubtful"
    said = str(run.verdict)
    assert "Joint 'knee' starts at 0 rad, outside its limits from -2.7 to -0.9 rad" in said
    assert 'model.set_initial({"knee.angle": -1.8})' in said
    assert as_command(said).endswith("Start within them: --initial knee.angle=-1.8.")
    model.set_initial({"knee.angle": -1.8})
    assert dl.simulate(model, until=0.05).verdict.word == "good"


def test_metres_a_second_are_not_compared_with_radians_of_another_body():
    """A pendulum whose joint parts with 0.9 % of its speed, beside a wheel that spins fast."""
    model = dl.Model("pendulum and wheel")
    rod = model.add_body("rod", dl.Inertia.rod(1.0, 1.0), position=(0.5, 0, 0))
    model.add_joint(dl.Revolute(model.world.at(0, 0, 0), rod.at(x=-0.5), axis="y"))
    spin = (0, 0, 500.0)
    model.add_body("wheel", dl.Inertia(1.0, (1, 1, 1)), position=(9, 0, 0), angular_velocity=spin)
    found = dl.simulate(model, until=1.0, step=0.05, method=dl.Baumgarte(alpha=20.0, beta=20.0))
    assert found.worst["phi_dot"] < 5e-3 * 500.0
    bad = [reason for reason in found.verdict.reasons if reason.rule == "velocities"]
    assert bad
    assert "revolute1" in bad[0].text


def test_a_joint_pushed_within_its_limits_is_named_as_what_gave_the_energy():
    """Not the step: a heavy arm that starts beyond a stop is lifted by it."""
    model = dl.Model("lifted", gravity=(0, 0, -9.81))
    arm = model.add_body("arm", dl.Inertia.rod(1.0, length=1.0))
    hinge = dl.Revolute(model.world, arm.at(x=-0.5), axis="-y", name="hinge")
    model.add_joint(hinge)
    model.set_limits("hinge", dl.Limits(0.8, 2.0))
    solution = dl.simulate(model, until=0.05, step=1e-3)
    told = {reason.rule: reason for reason in solution.verdict.reasons}
    assert "starts at 0 rad, outside its limits from 0.8" in str(told["penetration"])
    assert "step is too long" not in str(solution.verdict)
    assert told["gained"].remedy == "Start within them."


@pytest.mark.parametrize("depth", [0.012, 0.04])
def test_what_starts_within_a_box_is_told_so(depth):
    """Middles far from one another: that they overlap is not certain, and found."""
    model = dl.Model("block")
    model.add_shape(dl.Box((2.0, 2.0, 0.1), position=(0, 0, -0.05)), name="table")
    at = (0.5, 0.3, 0.05 - depth)
    body = model.add_body("block", dl.Inertia.box(2.0, size=(0.2, 0.2, 0.1)), position=at)
    model.add_shape(dl.Box((0.2, 0.2, 0.1)), on=body, name="cube")
    solution = dl.simulate(model, until=0.4, step=4e-3)
    assert solution.verdict.word == "doubtful"
    reason = solution.verdict.reasons[0]
    assert f"'table' and 'cube' overlap by {depth:.2g} m at the start" in reason.text
    assert "Start them apart" in reason.remedy


@pytest.mark.parametrize(("depth", "word"), [(2e-7, "good"), (5e-5, "good"), (1e-3, "doubtful")])
def test_what_starts_within_the_floor_is_told_so(depth, word):
    """Pushed out by d it gains m g d, which no shorter step would spare it."""
    model = dl.Model("block")
    model.add_shape(dl.Plane(), name="floor")
    at = (0, 0, 0.1 - depth)
    body = model.add_body("block", dl.Inertia.box(2.0, size=(0.2, 0.2, 0.2)), position=at)
    model.add_shape(dl.Box((0.2, 0.2, 0.2)), on=body, name="cube")
    solution = dl.simulate(model, until=0.4, step=4e-3)
    assert solution.verdict.word == word
    if word != "good":
        (reason,) = solution.verdict.reasons
        assert "'cube' and 'floor' overlap by 0.001 m at the start" in reason.text
        assert reason.remedy == "Start them apart."
