"""The same model in maximal and generalized coordinates: same motion, reactions and report."""

import numpy as np
import pytest

import dalembert as dl
from dalembert.enforcement import METHODS
from dalembert.errors import OptionError

STEP, UNTIL = 1e-3, 0.3

FIRST_ORDER = {"VelocitySplitting", "Compliant", "ContactImpulse"}
"""Their springs and impulses act in other coordinates: they agree to their order only."""


def both(model, **options):
    options = {"until": UNTIL, "step": STEP, "progress": False} | options
    return [dl.simulate(model, formulation=f, **options) for f in ("maximal", "generalized")]


def pendulums(armature=0.0):
    """Two links and a ball on them, a spring, a motor; driven and damped."""
    model = dl.Model("pendulums", gravity=(0.0, 0.0, -9.81))
    first = model.add_body("first", dl.Inertia.box(mass=1.0, size=(0.1, 0.2, 0.6)))
    second = model.add_body("second", dl.Inertia.box(mass=0.5, size=(0.1, 0.1, 0.4)))
    ball = model.add_body("ball", dl.Inertia.box(mass=0.3, size=(0.1, 0.2, 0.3)))
    shoulder = model.add_joint(dl.Revolute(model.world, first.at(z=0.3), axis="y", name="shoulder"))
    elbow = model.add_joint(dl.Revolute(first.at(z=-0.3), second.at(z=0.2), axis="x", name="elbow"))
    model.add_joint(dl.Spherical(second.at(z=-0.2), ball.at(z=0.15), name="wrist"))
    model.add_force(dl.TorsionSpring(shoulder, stiffness=3.0, damping=0.1))
    model.add_force(dl.Spring(model.world.at(x=1.0), ball, stiffness=5.0, free_length=1.0))
    if armature:
        model.set_armature(shoulder, armature)
        model.set_armature(elbow, 0.5 * armature)
    return model


SPIN = {"ball.wz": 3.0}


@pytest.mark.parametrize("method", METHODS.values(), ids=list(METHODS))
def test_every_method_takes_both(method):
    model = dl.catalog.load("spatial-slider-crank")
    if method.__name__ == "Rattle":
        with pytest.raises(OptionError, match="generalized"):
            dl.simulate(model, UNTIL, step=STEP, method=method(), formulation="generalized")
        return
    # the rod is light: stiffer springs would need shorter steps
    weak = {"stiffness": 1.0, "damping": 1e-4} if method.__name__ == "Penalty" else {}
    one, two = both(model, method=method(**weak), until=0.02 if weak else UNTIL)
    # first-order methods differ by their own error, all others by that of the integrator
    name = type(one.method).__name__
    bar = 5e-2 if name in FIRST_ORDER or name == "Penalty" else 2e-5
    assert np.abs(one.q - two.q).max() < bar
    assert two.statistics["formulation"] == "generalized"


def test_trees_agree_in_motion_reactions_and_energy():
    one, two = both(pendulums(), initial=SPIN, initial_limit=10.0)
    assert np.abs(one.q - two.q).max() < 1e-9
    assert np.abs(one.v - two.v).max() < 1e-8
    assert np.abs(one.a - two.a).max() < 1e-6
    assert np.abs(one.lam - two.lam).max() < 1e-7 * np.abs(one.lam).max()
    assert two.worst["phi"] < 1e-14
    drift = one.kinetic + one.potential - two.kinetic - two.potential
    assert np.abs(drift).max() < 1e-9


def test_auto_takes_the_tree_of_an_arm_and_says_so():
    solution = dl.simulate(pendulums(), until=0.01, step=STEP)
    assert solution.statistics["formulation"] == "generalized"
    assert "in the coordinates of joints" in solution.summary()
    single = dl.simulate(dl.catalog.load("dzhanibekov"), until=0.01, step=STEP)
    assert single.statistics["formulation"] == "maximal"


@pytest.mark.parametrize("integrator", [dl.DormandPrince(), None], ids=["adaptive", "fixed"])
def test_events_and_moments_are_those_of_bodies(integrator):
    model = pendulums()
    ball = model.bodies["ball"]
    options = {
        "events": [dl.Event(ball.x - 0.02, name="turns")],
        "times": [0.05, 0.1234, 0.29],
        "initial": SPIN,
        "initial_limit": 10.0,
        "integrator": integrator,
        "step": None if integrator else STEP,
    }
    one, two = both(model, **options)
    assert np.abs(one.q - two.q).max() < 1e-7
    assert len(one.events) == len(two.events) > 0
    for first, second in zip(one.events, two.events, strict=True):
        assert first.t == pytest.approx(second.t, abs=1e-7)
        assert np.abs(first.q - second.q).max() < 1e-6


def test_a_killed_run_on_a_tree_goes_on_to_the_bit(tmp_path):
    model = pendulums(armature=0.2)
    options = {"step": STEP, "initial": SPIN, "initial_limit": 10.0, "progress": False}
    whole = dl.simulate(model, until=0.4, **options)
    dl.simulate(model, until=0.2, save=tmp_path / "run", **options)
    resumed = dl.resume(tmp_path / "run", until=0.4, progress=False)
    assert np.array_equal(resumed.q, whole.q)
    assert np.array_equal(resumed.a, whole.a)
    assert dl.load(tmp_path / "run").statistics["formulation"] == "generalized"


def test_armature_moves_the_tree_and_enters_report():
    model = pendulums(armature=0.4)
    solution = dl.simulate(model, until=0.5, step=STEP, initial=SPIN, initial_limit=10.0)
    tree = dl.Tree(model)
    q, _ = tree.from_bodies(solution.q[200], solution.v[200])
    light = dl.Tree(pendulums())
    rotors = tree.mass_matrix(q) - light.mass_matrix(q)
    assert np.diag(rotors)[:2] == pytest.approx([0.4, 0.2])
    # accelerations are those of the samples, to the differences' own error
    differences = (solution.v[2:] - solution.v[:-2]) / (2 * STEP)
    assert np.abs(differences - solution.a[1:-1]).max() < 2e-4 * np.abs(solution.a).max()
    # and energy has the rotors in it: what the damper takes is all that is lost
    balance = solution.report()
    assert abs(balance["energy_balance"]) < 1e-7
    with pytest.raises(OptionError, match="armature of joint 'shoulder'"):
        dl.simulate(model, until=0.1, step=STEP, formulation="maximal")


def test_what_cannot_run_on_a_tree_says_why():
    pendulum = dl.catalog.load("pendulum")
    with pytest.raises(OptionError, match="coordinates they were written in"):
        dl.simulate(pendulum, until=0.1, step=STEP, formulation="generalized")
    with pytest.raises(OptionError, match="Give one of 'auto'"):
        dl.simulate(pendulums(), until=0.1, step=STEP, formulation="minimal")
    with pytest.raises(OptionError, match="consistent=False"):
        dl.simulate(pendulums(), until=0.1, step=STEP, formulation="generalized", consistent=False)
    rod = dl.Model("rod", gravity=(0, 0, -9.81))
    body = rod.add_body("rod", dl.Inertia.rod(1.0, length=1.0))
    rod.add_joint(dl.Spherical(rod.world, body.at(x=-0.5), name="ball"))
    with pytest.raises(OptionError, match="nothing resists the velocity 'ball"):
        dl.simulate(rod, until=0.1, step=STEP, formulation="generalized")
    assert dl.simulate(rod, until=0.1, step=STEP).statistics["formulation"] == "maximal"


def test_a_controller_without_inputs_keeps_the_state_of_bodies():
    model = pendulums()
    drive = model.add_force(dl.DirectDrive("shoulder", command=0.0, name="drive"))
    seen = []

    def control(t, q, v):
        seen.append(len(q))
        return 0.1

    controller = dl.Controller(control, rate=100.0, outputs=[drive])
    solution = dl.simulate(model, until=0.05, step=STEP, controllers=[controller])
    assert solution.statistics["formulation"] == "maximal"
    assert set(seen) == {21}
    with pytest.raises(OptionError, match="Name its inputs"):
        dl.simulate(
            model, until=0.05, step=STEP, controllers=[controller], formulation="generalized"
        )


def test_a_planar_loop_is_one_in_any_direction():
    """Rows across its plane are met by themselves, to rounding: they are no constraint."""
    paths = []
    for tilt in (None, dl.Rotation.about((1.0, 2.0, 3.0), 0.7)):
        turn = np.eye(3) if tilt is None else tilt.matrix
        model = dl.Model("four-bar", gravity=tuple(turn @ (0.0, 0.0, -9.81)))
        axis = turn @ (0.0, 1.0, 0.0)
        ends = [np.array(p, dtype=float) for p in ((0, 0, 0), (0.6, 0, 1), (2, 0, 1.5), (2, 0, 0))]
        bars = []
        for k in range(3):
            a, b = turn @ ends[k], turn @ ends[k + 1]
            bars.append(
                model.add_body(
                    f"bar{k}", dl.Inertia(1.0, (0.06, 0.06, 0.06)), position=tuple((a + b) / 2)
                )
            )
        places = [(None, 0, 0), (0, 1, 1), (1, 2, 2), (2, None, 3)]
        for first, second, k in places:
            point = turn @ ends[k]
            sides = []
            for bar in (first, second):
                middle = 0.0
                if bar is not None:
                    middle = turn @ (ends[bar] + ends[bar + 1]) / 2
                owner = model.world if bar is None else bars[bar]
                sides.append(owner.at(*(point - middle)))
            model.add_joint(dl.Revolute(*sides, axis=tuple(axis), name=f"hinge{k}"))
        run = dl.simulate(model, until=0.5, step=STEP, formulation="generalized", progress=False)
        paths.append(run.q.reshape(len(run.t), -1, 7)[:, :, :3] @ turn)
        assert run.worst["phi"] < 1e-13
    assert np.abs(paths[0] - paths[1]).max() < 1e-9
    assert np.ptp(paths[0][:, 0, 0]) > 0.1
