"""Every kind of joint and of force that sits in a place can be drawn."""

import numpy as np
import pytest
from tests.unit.model.mechanisms import JOINTS, helix, two_bodies

import dalembert as dl
from dalembert.model.joints import JOINTS as CLASSES
from dalembert.scene import describe, solids

HELD = {
    "PointOnLine": {"axis": "x"},
    "PointOnPlane": {"axis": "z"},
    "PointOnCurve": {"curve": helix},
    "Rolling": {"radius": 0.3, "axis": "y"},
    "Distance": {"length": 0.5},
}
RELATIONS = ("Gear", "RackPinion", "Coupler", "Motion")


def test_no_kind_is_forgotten():
    assert set(CLASSES) == {*JOINTS, *HELD, *RELATIONS}


@pytest.mark.parametrize("kind", JOINTS)
def test_a_joint_that_places_a_body(kind):
    model, joint = two_bodies(kind, JOINTS[kind])
    scene = describe(model)
    (drawn,) = scene.joints
    assert (drawn.name, drawn.kind, drawn.body_a, drawn.body_b) == ("joint", joint.kind, 0, 1)
    assert drawn.shapes
    assert drawn.position == (0.0, -0.2, 0.0)
    # what is drawn of it lies at the joint, on both bodies
    for shapes, place in ((drawn.shapes, (0, -0.2, 0)), (drawn.shapes_a, (0.3, 0, 0))):
        for shape in shapes:
            middle = solids.corners(shape).mean(axis=0)
            assert np.linalg.norm(middle - place) < 0.5


@pytest.mark.parametrize("kind", HELD)
def test_a_joint_that_only_holds(kind):
    model = dl.Model(kind)
    body = model.add_body("body", dl.Inertia.sphere(mass=1.0, radius=0.1), position=(0.5, 0, 0.3))
    model.add_joint(getattr(dl, kind)(model.world, body, name="joint", **HELD[kind]))
    scene = describe(model)
    names = [joint.name for joint in scene.joints if joint.shapes]
    assert names == ["joint"] or [link.name for link in scene.links] == ["joint"]


def test_the_rail_of_a_slide_is_along_its_axis_and_holds_the_slider():
    model = dl.Model("slide")
    block = model.add_body("block", dl.Inertia.box(mass=1.0, size=(0.2, 0.2, 0.2)))
    model.add_joint(dl.Prismatic(model.world, block, axis="x", initial=0.7, name="guide"))
    (drawn,) = describe(model).joints
    (rail,) = drawn.shapes_a
    ends = solids.corners(rail)[:, 0]
    assert ends.min() < 0.7 < ends.max()
    assert np.ptp(solids.corners(rail)[:, 1]) < 0.1


def test_forces_that_sit_in_a_place():
    model = dl.Model("forces")
    disc = model.add_body("disc", dl.Inertia.cylinder(mass=1.0, radius=0.2, length=0.05))
    hinge = model.add_joint(dl.Revolute(model.world, disc, axis="z", name="hinge"))
    model.add_force(dl.TorsionSpring(hinge, stiffness=1.0, name="coil"))
    model.add_force(dl.Motor(hinge, stall_torque=1.0, no_load_speed=9.0, name="motor"))
    model.add_force(dl.Bushing(model.world, disc, stiffness=(1,) * 6, name="rubber"))
    drawn = {joint.name: joint.shapes for joint in describe(model).joints}
    assert {"hinge", "coil", "motor", "rubber"} <= set(drawn)
    assert all(drawn.values())


def test_a_drive_is_an_arrow_round_its_hinge():
    scene = describe(dl.catalog.load("jansen-leg"))
    drive = next(joint for joint in scene.joints if joint.kind == "motion")
    assert [shape.kind for shape in drive.shapes_a] == ["polyline"]
