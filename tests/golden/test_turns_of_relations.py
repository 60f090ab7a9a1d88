"""Gears, racks, screws and couplers that begin any number of turns on, in every way there is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as dl

UNTIL = 0.5
BOTH = ["maximal", "generalized"]

ROD = dl.Inertia.rod(mass=1.0, length=0.4)
DISC = dl.Inertia.cylinder(mass=1.0, radius=0.1, length=0.02)
ROD_MOMENT, DISC_MOMENT, G, ARM = 1.0 * 0.4**2 / 3.0, 0.5 * 0.1**2, 9.81, 0.2


def gears(ratio=-4.0, offset=0.0, formula=False, **start):
    """A pendulum A that turns a disc B on a torsion spring, which knows every turn."""
    model = dl.Model("gears", gravity=(0, -G, 0))
    rod, disc = model.add_body("rod", ROD), model.add_body("disc", DISC)
    A = model.add_joint(dl.Revolute(model.world, rod.at(x=-ARM), name="A", **start))
    B = model.add_joint(dl.Revolute(model.world.at(x=0.3), disc, name="B"))
    if formula:
        model.constrain(B.angle - ratio * A.angle - offset, name="mesh")
    else:
        model.add_joint(dl.Gear(B, A, ratio=ratio, offset=offset, name="mesh"))
    model.add_force(dl.TorsionSpring(B, stiffness=0.01, name="spring"))
    return model


def rate(a, ratio=-4.0, offset=0.0):
    """a'' of the pendulum."""
    torque = -G * ARM * np.cos(a) - ratio * 0.01 * (ratio * a + offset)
    return torque / (ROD_MOMENT + ratio**2 * DISC_MOMENT)


def exact(a, *more, t=UNTIL):
    def rates(_, y):
        return [y[1], rate(y[0], *more)]

    return solve_ivp(rates, (0.0, t), [a, 0.0], rtol=1e-12, atol=1e-13).y[0][-1]


@pytest.mark.parametrize("formulation", BOTH)
@pytest.mark.parametrize(("ratio", "a"), [(-4.0, 1.0), (2.5, -30.0), (-np.pi, 5.0)])
def test_gears(formulation, ratio, a):
    model = gears(ratio)
    for asked in ({"A.angle": a}, {"B.angle": ratio * a}):
        run = dl.simulate(model, until=UNTIL, initial=asked, formulation=formulation)
        assert run["A.angle"][0] == pytest.approx(a, abs=1e-13)
        assert run["B.angle"][0] == pytest.approx(ratio * a, abs=1e-13)
        assert run["A.angle"][-1] == pytest.approx(exact(a, ratio), abs=1e-9)
        assert run["B.angle"][-1] == pytest.approx(ratio * exact(a, ratio), abs=1e-8)
        assert run.verdict.word == "good"


@pytest.mark.parametrize("formulation", BOTH)
@pytest.mark.parametrize("a", [1.0, -9.0])
def test_of_joints_and_formulas(formulation, a):
    """`initial` of a joint, an offset, and a relation that is a formula."""
    run = dl.simulate(gears(-4.0, 2.0, initial=a), until=UNTIL, formulation=formulation)
    assert run["B.angle"][0] == pytest.approx(2.0 - 4.0 * a, abs=1e-12)
    assert run["A.angle"][-1] == pytest.approx(exact(a, -4.0, 2.0), abs=1e-9)
    model = gears(formula=True)
    run = dl.simulate(model, until=UNTIL, initial={"A.angle": a}, formulation=formulation)
    assert run["A.angle"][[0, -1]] == pytest.approx([a, exact(a)], abs=1e-9)
    assert run["B.angle"][0] == pytest.approx(-4.0 * a, abs=1e-9)


@pytest.mark.parametrize("formulation", BOTH)
def test_a_state_of_a_run_is_a_start(formulation):
    """Of a state alone the fewest turns are taken that close the relation."""
    model = gears()
    run = dl.simulate(model, until=UNTIL, initial={"A.angle": 1.0}, formulation=formulation)
    state = run.q[-1], run.v[-1]
    on = dl.simulate(model, until=0.1, initial=state, formulation=formulation)
    assert on["A.angle"][0] == pytest.approx(run["A.angle"][-1], abs=1e-12)
    assert on["B.angle"][0] == pytest.approx(run["B.angle"][-1], abs=1e-11)
    both = dl.simulate(model, until=UNTIL + 0.1, initial={"A.angle": 1.0}, formulation=formulation)
    assert on["A.angle"][-1] == pytest.approx(both["A.angle"][-1], abs=1e-9)
    at = dl.evaluate(model, state)
    assert np.abs(at.phi).max() < 1e-12
    assert at["A.angle.ddot"] == pytest.approx(rate(at["A.angle"]), abs=1e-10)
    assert dl.linearize(model, state).drift[1] == pytest.approx(rate(at["A.angle"]), abs=1e-10)


def test_worlds_and_derivatives():
    model, asked = gears(), {"A.angle": 1.0}
    worlds = dl.rollout(model, {"A.angle": [1.0, -5.0]}, step=1e-3, steps=500)
    assert worlds["A.angle"][:, -1] == pytest.approx([exact(1.0), exact(-5.0)], abs=1e-9)
    assert worlds["B.angle"][:, 0] == pytest.approx([-4.0, 20.0], abs=1e-12)
    found = dl.sensitivity(model, ["A.angle"], ["A.angle"], until=UNTIL, initial=asked)
    slope = (exact(1.0 + 1e-4) - exact(1.0 - 1e-4)) / 2e-4
    assert found.derivatives[0][0][0] == pytest.approx(slope, abs=1e-6)


@pytest.mark.parametrize("formulation", BOTH)
def test_folders_and_sessions(tmp_path, formulation):
    options = {"step": 1e-3, "formulation": formulation, "initial": {"A.angle": 5.0}}
    dl.simulate(gears(), until=UNTIL / 2, save=tmp_path / "run", **options)
    resumed = dl.resume(tmp_path / "run", until=UNTIL)
    assert resumed["A.angle"][[0, -1]] == pytest.approx([5.0, exact(5.0)], abs=1e-8)
    assert resumed["B.angle"][0] == pytest.approx(-20.0, abs=1e-12)
    session = dl.Session(gears(), record=True, **options)
    session.advance(UNTIL)
    assert session.solution()["A.angle"][-1] == pytest.approx(exact(5.0), abs=1e-8)


def test_equations_and_rest():
    at = dl.evaluate(gears(), {"A.angle": 5.0})
    assert at["B.angle"] == pytest.approx(-20.0, abs=1e-12)
    assert at["A.angle.ddot"] == pytest.approx(rate(5.0), abs=1e-11)
    near = dl.linearize(gears(), {"A.angle": 5.0}, outputs=["A.angle", "B.angle"])
    assert near.y == pytest.approx([5.0, -20.0], abs=1e-12)
    assert near.drift[1] == pytest.approx(rate(5.0), abs=1e-11)
    slope = (rate(5.0 + 1e-5) - rate(5.0 - 1e-5)) / 2e-5
    assert near.A[1, 0] == pytest.approx(slope, abs=1e-6)
    for guess in (-1.0, 5.0):
        rest = dl.equilibrium(gears(), {"A.angle": guess})
        assert rate(rest["A.angle"]) == pytest.approx(0.0, abs=1e-10)
        assert rest["B.angle"] == pytest.approx(-4.0 * rest["A.angle"], abs=1e-9)
        assert abs(rest["A.angle"] - guess) < np.pi
        assert rest.is_stable
        run = dl.simulate(gears(), until=0.1, initial=rest)
        assert run["A.angle"] == pytest.approx(rest["A.angle"], abs=1e-9)


def rack(radius=0.05):
    """A bar that falls along y and turns a disc."""
    model = dl.Model("rack", gravity=(0, -G, 0))
    bar, disc = model.add_body("bar", ROD), model.add_body("disc", DISC)
    slide = model.add_joint(dl.Prismatic(model.world, bar, axis="y", name="slide"))
    wheel = model.add_joint(dl.Revolute(model.world.at(x=1.0), disc, name="wheel"))
    model.add_joint(dl.RackPinion(wheel, slide, radius=radius, name="mesh"))
    model.add_force(dl.TorsionSpring(wheel, stiffness=0.02, name="spring"))
    return model


@pytest.mark.parametrize("formulation", BOTH)
@pytest.mark.parametrize("asked", [{"slide.displacement": 0.3}, {"wheel.angle": 6.0}])
def test_racks(formulation, asked):
    run = dl.simulate(rack(), until=UNTIL, initial=asked, formulation=formulation)
    assert run["wheel.angle"][0] == pytest.approx(6.0, abs=1e-12)
    mass, k = 1.0 + DISC_MOMENT / 0.05**2, 0.02 / 0.05**2
    w, rest = np.sqrt(k / mass), -G / k
    assert run["slide.displacement"][-1] == pytest.approx(
        rest + (0.3 - rest) * np.cos(w * UNTIL), abs=1e-9
    )
    again = dl.simulate(rack(), until=0.01, initial=(run.q[0], run.v[0]), formulation=formulation)
    assert again["wheel.angle"][0] == pytest.approx(6.0, abs=1e-12)


def screw(pitch=0.02, **start):
    """A nut that falls along z and is turned by its thread."""
    model = dl.Model("screw", gravity=(0, 0, -G))
    nut = model.add_body("nut", DISC)
    model.add_joint(dl.Screw(model.world, nut, pitch=pitch, axis="z", name="thread", **start))
    return model


@pytest.mark.parametrize("formulation", BOTH)
def test_screws(formulation):
    lead = 0.02 / (2 * np.pi)
    fall = -G / (1.0 + DISC_MOMENT / lead**2) / 2.0 * UNTIL**2
    model = screw()
    for asked in ({"thread.angle": 20.0}, {"thread.displacement": 20.0 * lead}):
        run = dl.simulate(model, until=UNTIL, initial=asked, formulation=formulation)
        assert run["thread.angle"][0] == pytest.approx(20.0, abs=1e-12)
        assert run["nut.z"][[0, -1]] == pytest.approx([20 * lead, 20 * lead + fall], abs=1e-11)
    state = run.q[-1], run.v[-1]
    on = dl.simulate(model, until=0.01, initial=state, formulation=formulation)
    assert on["thread.angle"][0] == pytest.approx(run["thread.angle"][-1], abs=1e-10)
    assert dl.simulate(screw(initial=20.0), until=0.01)["nut.z"][0] == pytest.approx(20 * lead)
    assert np.abs(dl.evaluate(model, state).phi).max() < 1e-12
    dl.linearize(model, state)


@pytest.mark.parametrize("formulation", BOTH)
def test_a_differential(formulation):
    """Two wheels and their case: what was asked of two tells the third."""
    model = dl.Model("differential")
    hinges = []
    for side in ("left", "right", "case"):
        body = model.add_body(side, DISC)
        hinge = dl.Revolute(model.world, body, axis="z", name=f"{side}_hinge")
        hinges.append(model.add_joint(hinge))
    left, right, case = hinges
    model.add_joint(dl.Coupler([(0.5, left), (0.5, right), (-1.0, case)], name="gears"))
    model.add_force(dl.TorsionSpring(case, stiffness=0.3, name="spring"))
    asked = {"left_hinge.angle": 9.0, "right_hinge.angle": 4.0}
    run = dl.simulate(model, until=UNTIL, initial=asked, formulation=formulation)
    assert run["case_hinge.angle"][0] == pytest.approx(6.5, abs=1e-12)
    w = np.sqrt(0.3 / (3.0 * DISC_MOMENT))
    assert run["case_hinge.angle"][-1] == pytest.approx(6.5 * np.cos(w * UNTIL), abs=1e-9)
    assert run["left_hinge.angle"][-1] - run["right_hinge.angle"][-1] == pytest.approx(5.0)
    alone = dl.simulate(model, until=0.01, initial={"case_hinge.angle": 9.0})
    assert alone["case_hinge.angle"][0] == pytest.approx(9.0, abs=1e-12)
    state = run.q[-1], run.v[-1]
    again = dl.simulate(model, until=0.01, initial=state, formulation=formulation)
    assert again.verdict.word == "good"


def test_a_chain_of_gears():
    """Turns are taken for all relations together: those of the first alone do not close it."""
    model = dl.Model("train")
    hinges = []
    for k in range(3):
        body = model.add_body(f"wheel{k}", DISC)
        hinges.append(model.add_joint(dl.Revolute(model.world.at(x=0.3 * k), body, name=f"h{k}")))
    model.add_joint(dl.Gear(hinges[0], hinges[1], ratio=-4.0, name="first"))
    model.add_joint(dl.Gear(hinges[1], hinges[2], ratio=-3.0, name="second"))
    run = dl.simulate(model, until=0.1, initial={"h2.angle": 2.0, "h2.angle.dot": 1.0})
    assert [run[f"h{k}.angle"][0] for k in range(3)] == pytest.approx([24.0, -6.0, 2.0], abs=1e-12)
    again = dl.simulate(model, until=0.01, initial=(run.q[0], run.v[0]))
    assert [again[f"h{k}.angle"][0] for k in range(3)] == pytest.approx([24.0, -6.0, 2.0])


@pytest.mark.parametrize(("ratio", "a"), [(-4.0, 9.0), (0.5, 9.0), (1 / 3, -30.0)])
def test_held_angles_turn_all_the_way(ratio, a):
    """What a held angle drives was once placed as for an angle within half a turn."""
    model = gears(ratio)
    for held in ({"A": a}, {"B": ratio * a}):
        made = dl.assemble(model, hold=held)
        assert made["A"] == pytest.approx(a, abs=1e-12)
        assert made["B"] == pytest.approx(ratio * a, abs=1e-12)
        w, z = made.q.reshape(2, 7)[1, [3, 6]]
        assert np.sin(2 * np.arctan2(z, w) - ratio * a) == pytest.approx(0.0, abs=1e-12)
        run = dl.simulate(model, until=UNTIL, initial=made)
        assert run["A.angle"][-1] == pytest.approx(exact(a, ratio), abs=1e-9)
        assert run.verdict.word == "good"
