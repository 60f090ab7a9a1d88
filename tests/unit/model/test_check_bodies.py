"""`check` of bodies: degrees of freedom, redundancy in words, connections, starts."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import ModelError
from dalembert.model.check.bodies import BodyCheck

INERTIA = dl.Inertia.box(mass=1.0, size=(1.0, 0.1, 0.2))


def four_bar(lengths=(1.0, 2.0, 1.5), ground=2.0, last=dl.Revolute, tilt=0.0, **place):
    """Crank, coupler and rocker, all hinges along y; turned as a whole about z by `tilt`."""
    model = dl.Model("four-bar")
    turn = dl.Rotation.about("z", tilt)
    bodies = [model.add_body(name, INERTIA, **place) for name in ("crank", "coupler", "rocker")]
    a, b, c = ((x.at(x=-l / 2), x.at(x=l / 2)) for x, l in zip(bodies, lengths, strict=True))
    x, y, _ = turn.matrix[:, 0] * ground
    base, far = model.world.at(rotation=turn), model.world.at(x=x, y=y, rotation=turn)
    model.add_joint(dl.Revolute(base, a[0], axis="y", name="hinge_A"))
    model.add_joint(dl.Revolute(a[1], b[0], axis="y", name="hinge_B"))
    model.add_joint(dl.Revolute(b[1], c[1], axis="y", name="hinge_C"))
    options = {} if last is dl.Spherical else {"axis": "y"}
    model.add_joint(last(far, c[0], **options, name="hinge_D"))
    return model


def long_chain(count=150):
    """Links on ball joints, the first one at the world; returns the last one, too."""
    model = dl.Model("chain")
    before = model.world
    for k in range(count):
        body = model.add_body(f"b{k}", INERTIA)
        model.add_joint(dl.Spherical(before.at(x=0.5 if k else 0.0), body.at(x=-0.5)))
        before = body
    return model, before


def pendulum(**options):
    model = dl.Model("pendulum")
    rod = model.add_body("rod", INERTIA, **options)
    model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    return model


# -- degrees of freedom and redundancy ------------------------------------------------------------


def test_four_bar_in_words():
    found = four_bar().check()
    assert (found.rank, found.degrees_of_freedom) == (17, 1)
    assert found.redundant == (
        "hinge_D: translation y repeats what hinge_A, hinge_B, hinge_C already fix",
        "hinge_D: rotation about x repeats what hinge_A, hinge_B, hinge_C already fix",
        "hinge_D: rotation about z repeats what hinge_A, hinge_B, hinge_C already fix",
    )
    assert found.relax == [
        "make hinge_D a dl.PointOnLine(axis='y')",
        "make hinge_D a dl.Spherical and make hinge_C a dl.Cylindrical(axis='y')",
    ]
    assert "To remove the redundancy, make hinge_D a dl.PointOnLine(axis='y'), or" in found[3]


def test_the_remedy_helps():
    relaxed = four_bar(last=dl.PointOnLine).check()
    assert (relaxed.rank, relaxed.degrees_of_freedom, len(relaxed.redundant)) == (17, 1, 0)
    assert relaxed.relax == []
    partly = four_bar(last=dl.Spherical).check()
    assert len(partly.redundant) == 1


def test_the_direction_nearest_to_what_is_fixed_is_named():
    """Out of the plane of the linkage, wherever that is turned to."""
    found = four_bar(tilt=0.3).check()
    assert found.redundant[0].startswith("hinge_D: translation y")
    found = four_bar(tilt=np.pi / 2 - 0.3).check()
    assert found.redundant[0].startswith("hinge_D: translation x")


def test_doubled_joint_is_left_out():
    model = pendulum()
    rod = model.bodies["rod"]
    model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="again"))
    found = model.check()
    assert found.degrees_of_freedom == 1
    assert len(found.redundant) == 5
    assert "again: rotation about z repeats what hinge already fixes" in found.redundant
    assert found.relax == ["leave again out"]


def test_rows_of_one_constraint():
    model = dl.Model("ball")
    ball = model.add_body("ball", INERTIA)
    model.constrain(ball.x, 2 * ball.x, name="wall")
    assert model.check().redundant == ("wall[1] repeats what its other rows already fix",)


def test_singular_start_is_told_apart():
    """A parallelogram on one line: one rank is missing there, three are missing everywhere."""
    found = four_bar(lengths=(1.0, 2.0, 1.0)).check()
    assert found.mobility.rank == 17
    if found.moves and max(x.distance for x in found.moves.values()) > 1e-9:
        pytest.fail("the parallelogram should start closed")
    assert found.mobility.start_rank == 16
    assert any("a singular position" in sentence for sentence in found)
    assert "rank                17, at the start 16 (a singular position)" in str(found)


def test_drives_take_freedom():
    model = four_bar()
    model.add_joint(dl.Motion("hinge_A", value=dl.time, name="drive"))
    found = model.check()
    assert found.degrees_of_freedom == 0
    assert len(found.redundant) == 3


def test_velocity_rows_count():
    model = dl.Model("coin")
    disc = dl.Inertia.cylinder(mass=0.1, radius=0.02, length=0.002)
    coin = model.add_body("coin", disc, position=(0, 0, 0.02), rotation=("x", np.pi / 2))
    model.add_joint(dl.Rolling(model.world, coin, radius=0.02, name="table"))
    found = model.check()
    assert (found.rank, found.degrees_of_freedom) == (3, 3)


def test_free_body_and_its_text():
    model = dl.Model("stone")
    model.add_body("stone", INERTIA)
    found = model.check()
    assert list(found) == []
    assert found.degrees_of_freedom == 6
    assert found.unconnected == [["stone"]]
    assert str(found).splitlines()[0] == "Model stone"


def test_report_is_plain():
    import json

    report = four_bar().check().report()
    assert json.loads(json.dumps(report))["degrees_of_freedom"] == 1
    assert report["redundant"][0] == [
        "hinge_D: translation y",
        ["hinge_A", "hinge_B", "hinge_C"],
    ]


def test_large_models_are_counted():
    model, _ = long_chain()
    model.add_joint(dl.Spherical(model.bodies["b3"].at(x=0.5), model.bodies["b4"].at(x=-0.5)))
    found = model.check()
    assert (found.rank, found.degrees_of_freedom) == (450, 450)
    assert "3 of the 453 rows repeat others" in found[0]


# -- contradictions -------------------------------------------------------------------------------


def test_drives_that_disagree_are_named():
    model = pendulum()
    model.add_joint(dl.Motion("hinge", value=dl.time, name="slow"))
    model.add_joint(dl.Motion("hinge", value=2 * dl.time, name="fast"))
    with pytest.raises(ModelError, match="fast: angle of hinge asks for another speed than slow"):
        model.check()


def test_drives_that_disagree_later():
    model = pendulum()
    model.add_joint(dl.Motion("hinge", value=0.2 * dl.time**3, name="one"))
    model.constrain(model.joints["hinge"].angle, name="zero")
    with pytest.raises(ModelError, match=r"one: angle of hinge .*than zero \(at t = 0.1 s\)"):
        model.check()


def test_drives_that_agree_are_redundant_only():
    model = pendulum()
    model.add_joint(dl.Motion("hinge", value=np.sin(dl.time), name="one"))
    model.add_joint(dl.Motion("hinge", value=np.sin(dl.time), name="two"))
    assert "two: angle of hinge repeats what one already fixes" in model.check().redundant


def test_impossible_lengths_name_the_loop():
    with pytest.raises(ModelError, match="cannot be met together") as caught:
        four_bar(lengths=(1.0, 1.0, 1.0), ground=5.0).check()
    assert all(f"hinge_{x}" in str(caught.value) for x in "ABCD")


# -- starts ---------------------------------------------------------------------------------------


def test_bodies_placed_by_joints_may_move():
    found = four_bar().check()
    assert found.refused is False
    assert found.moves["rocker"].distance > 0.1
    assert "closing moves rocker by" in str(found)


def test_given_positions_that_are_far_off():
    found = four_bar(position=(0, 0, 0)).check()
    assert found.refused is True
    assert any("body 'crank': would have to move by" in sentence for sentence in found)


def test_closed_the_wrong_way_round():
    """What is given wins, but it is told."""
    model = dl.Model("upside down")
    rod = model.add_body("rod", INERTIA, rotation=("x", np.pi))
    model.add_joint(dl.Revolute(model.world, rod, axis="y", name="hinge"))
    assert model.check()[0].startswith("joint 'hinge': is closed the wrong way round")
    assert dl.assemble(model).moves["rod"].angle == 0.0


def test_closed_start():
    found = pendulum().check()
    assert (found.open_by, list(found)) == (0.0, [])
    assert "start               closed" in str(found)


# -- inertia and connections ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inertia", "joint"),
    [
        (dl.Inertia.point(1.0), lambda m, b: dl.Distance(m.world.at(z=1), b, length=1.0)),
        (dl.Inertia.rod(1.0, 1.0), lambda m, b: dl.Spherical(m.world, b.at(x=-0.5))),
    ],
)
def test_rotation_without_inertia(inertia, joint):
    model = dl.Model("loose")
    body = model.add_body("bob", inertia)
    model.add_joint(joint(model, body))
    assert model.check()[0].startswith("body 'bob': can turn without any inertia")


def test_rotation_held_by_another_body():
    model = pendulum()
    bob = model.add_body("bob", dl.Inertia.point(1.0))
    model.add_joint(dl.Fixed(model.bodies["rod"].at(x=0.5), bob, name="weld"))
    assert model.check().degrees_of_freedom == 1


def test_unconnected_bodies_are_listed():
    model = pendulum()
    one, two = (model.add_body(name, INERTIA) for name in ("one", "two"))
    model.add_joint(dl.Spherical(one, two, name="ball"))
    model.add_body("alone", INERTIA)
    found = model.check()
    assert found.unconnected == [["one", "two"], ["alone"]]
    assert any(sentence.startswith("bodies 'one', 'two': are connected") for sentence in found)


def test_mass_ratio():
    model = pendulum()
    bob = model.add_body("bob", dl.Inertia.sphere(mass=1e6, radius=0.1))
    model.add_joint(dl.Fixed(model.bodies["rod"].at(x=0.5), bob))
    assert "factor of 1.0e+06" in model.check()[0]


# -- formulas -------------------------------------------------------------------------------------


def test_a_spring_whose_ends_meet_is_told():
    model = dl.Model("coil")
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, 0.1))
    model.add_force(dl.Spring(model.world, ball, free_length=0.2, stiffness=9.0, name="coil"))
    with pytest.raises(ModelError, match=r"'coil'.*where its ends meet.*Start with its ends apart"):
        model.check()


def test_names_that_are_not_there_are_told_with_the_nearest():
    model = dl.catalog.load("five-bar")
    with pytest.raises(KeyError, match="no body 'left_rodd'; did you mean 'left_rod'") as found:
        model.bodies["left_rodd"]
    assert isinstance(found.value, ModelError)
    assert "'left_rodd'" in str(found.value)  # a KeyError would quote the whole sentence
    assert not str(found.value).startswith("'")
    for kind in ("joints", "forces", "actuators", "sensors"):
        with pytest.raises(ModelError, match=f"no {kind[:-1]} 'nothing'"):
            getattr(model, kind)["nothing"]
    assert model.bodies.get("left_rodd") is None


def test_undefined_formulas_are_named():
    model = pendulum()
    rod = model.bodies["rod"]
    model.constrain(np.log(rod.y), name="wall")
    model.add_force(dl.Force(rod, value=(1 / rod.y, 0, 0), name="push"))
    with pytest.raises(ModelError) as caught:
        model.check()
    assert "constraint 'wall': is undefined" in str(caught.value)
    assert "force 'push': is undefined" in str(caught.value)


def test_kind_of_result():
    assert isinstance(pendulum().check(), BodyCheck)
