"""Contact in maximal and generalized coordinates: the same scene, the same laws, the same rest."""

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError

STEP = 2e-3
FORMULATIONS = ("maximal", "generalized")


def both(model, **options):
    options = {"until": 0.3, "step": STEP, "progress": False} | options
    return [dl.simulate(model, formulation=f, **options) for f in FORMULATIONS]


def crawler(limits=None):
    """A box with an arm hinged to it, above the ground, and a free box beside."""
    rough = dl.Material(friction=0.5)
    model = dl.Model("crawler", gravity=(0.0, 0.0, -9.81))
    model.add_shape(dl.Plane(), on=model.world, material=rough)
    base = model.add_body(
        "base", dl.Inertia.box(mass=2.0, size=(0.4, 0.4, 0.2)), position=(0, 0, 0.12)
    )
    model.add_shape(dl.Box(0.4, 0.4, 0.2), on=base, material=rough)
    arm = model.add_body("arm", dl.Inertia.box(mass=0.5, size=(0.5, 0.1, 0.1)))
    model.add_shape(dl.Box(0.5, 0.1, 0.1), on=arm, material=rough)
    hinge = model.add_joint(dl.Revolute(base.at(x=0.2), arm.at(x=-0.25), axis="y", name="shoulder"))
    if limits is not None:
        model.set_limits(hinge, limits)
    box = model.add_body(
        "box", dl.Inertia.box(mass=1.0, size=(0.3, 0.3, 0.3)), position=(1.5, 0.0, 0.17)
    )
    model.add_shape(dl.Box(0.3, 0.3, 0.3), on=box, material=rough)
    return model


@pytest.mark.parametrize("name", ["gripper-with-box", "cup", "cradle"])
def test_scenes_of_the_catalog_agree(name):
    one, two = both(dl.catalog.load(name), until=0.2)
    # impulses that are not unique aside, both keep the laws to the same tolerance
    assert np.nanmax(two.solve_info["residual"]) < 2e-8
    assert np.nanmax(two.solve_info["drift"]) < 1e-12
    assert np.abs(one.q - two.q).max() < 5 * STEP * STEP


def test_a_tree_on_the_ground_comes_to_rest_where_bodies_do():
    one, two = both(crawler(), until=1.0)
    assert two.statistics["formulation"] == "generalized"
    assert np.abs(two.v[-1]).max() < 1e-6
    assert np.abs(one.q[-1] - two.q[-1]).max() < 1e-3
    # weight of everything is on the ground, to the tolerance of a velocity over the step
    force = sum(two.contact_force(body, "world")[-1] for body in ("base", "arm", "box"))
    assert force == pytest.approx((0.0, 0.0, 3.5 * 9.81), abs=1e-3)


def test_reactions_carry_what_contacts_do_not():
    _, run = both(crawler(), until=1.0)
    weight = 0.5 * 9.81
    hinge = run.reaction("shoulder").force[-1]
    ground = run.contact_force("arm", "world")[-1]
    # the arm rests: ground, hinge and weight balance
    assert abs(hinge[2]) + ground[2] == pytest.approx(weight, rel=1e-4)


def test_limits_stop_a_tree_with_the_force_they_report():
    _, run = both(crawler(dl.Limits(-0.5, 0.05)), until=0.8)
    angle = run[run.model.joints["shoulder"].angle]
    assert angle.max() < 0.05 + 1e-9
    assert angle[-1] == pytest.approx(0.05, abs=1e-9)
    # gravity's moment of the arm about the hinge is what the stop holds
    moment = 0.5 * 9.81 * 0.25 * np.cos(0.05)
    assert np.abs(run.touch.side_forces[-1]).max() == pytest.approx(moment, rel=1e-3)


def test_rotors_of_drives_touch_too():
    model = crawler()
    model.set_armature("shoulder", 0.5)
    run = dl.simulate(model, until=0.1, step=STEP, progress=False)
    assert run.statistics["formulation"] == "generalized"
    light = dl.simulate(crawler(), until=0.1, step=STEP, progress=False)
    # behind a heavy rotor the arm sinks less
    angle, free = (r[r.model.joints["shoulder"].angle][-1] for r in (run, light))
    assert 0.0 < angle < 0.2 * free
    with pytest.raises(OptionError, match="armature"):
        dl.simulate(model, until=0.1, step=STEP, formulation="maximal")


def test_a_run_with_contact_on_a_tree_goes_on_to_the_bit(tmp_path):
    options = {"step": STEP, "formulation": "generalized", "progress": False}
    whole = dl.simulate(crawler(), until=0.2, **options)
    dl.simulate(crawler(), until=0.1, save=tmp_path / "run", **options)
    resumed = dl.resume(tmp_path / "run", until=0.2, progress=False)
    assert np.array_equal(resumed.q, whole.q)
    assert np.array_equal(resumed.lam, whole.lam)


def whirl(spin, **joint):
    """Two long links on the world, or one free body, that spin without gravity."""
    model = dl.Model("whirl", gravity=(0, 0, 0))
    inertia = dl.Inertia.box(1.0, size=(1.0, 0.3, 0.1))
    turning = {"angular_velocity": spin, "velocity": (3.0, 0, 0)}
    model.add_body("first", inertia, position=(0, 0, 0), **(turning if not joint else {}))
    if joint:
        model.add_body("second", inertia, position=(1, 0, 0))
        first, second = model.bodies["first"], model.bodies["second"]
        model.add_joint(dl.Revolute(model.world.at(x=-0.5), first.at(x=-0.5), name="a", **joint))
        other = dl.Universal(first.at(x=0.5), second.at(x=-0.5), initial_speed=(-9.0, spin[2]))
        model.add_joint(other)
    model.add_shape(dl.Sphere(0.01), on=model.bodies["first"])
    model.add_shape(dl.Sphere(0.01), on=model.world, name="far")
    model.ignore_contact("first", "far")
    return model


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(("step", "most"), [(2e-3, 1.5), (0.01, 1.5), (0.05, 4.0), (0.5, 4.0)])
def test_trees_that_whirl_gain_no_energy(step, most, order):
    """Turned by up to twenty radians in a step.

    Forces of inertia that change the velocities by less than a fifth are explicit, of first order:
    energy creeps with these. Speeds of one step and places of the next make the energy of a sample,
    which for a turn or more in a step may be anything between.
    """
    method = dl.ContactImpulse(order=order)
    options = {"method": method, "step": step, "until": 200 * step, "formulation": "generalized"}
    for model in (whirl((20.0, 1.0, 30.0)), whirl((0, 0, 30.0), axis="z", initial_speed=20.0)):
        energy = dl.simulate(model, progress=False, **options).kinetic
        assert energy.max() < most * energy[0]
        assert energy[100:].max() < 1.5 * energy[0]


def test_a_free_body_on_a_tree_spins_as_a_body_does():
    one, two = both(whirl((20.0, 1.0, 30.0)), step=0.05, until=1.0)
    assert two.statistics["formulation"] == "generalized"
    # the first step has nothing to carry on
    assert np.abs(one.v[:, :3] - two.v[:, :3]).max() < 1e-12
    assert two.kinetic[-1] == pytest.approx(one.kinetic[-1], rel=0.05)
