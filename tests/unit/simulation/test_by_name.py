"""Bodies and joints by name: as initial values, as signals, in files and on the command line."""

from __future__ import annotations

import csv
import json
import math

import numpy as np
import pytest

import dalembert as dl
from dalembert.cli import main
from dalembert.errors import AssemblyError, FormulaError, ModelError, OptionError
from dalembert.importers.writing import save_model
from dalembert.scene import follow

OFF = dl.Inertia(2.0, (0.1, 0.2, 0.25), center=(0.1, -0.05, 0.2))
"""A body whose frame is not at its centre of mass."""


def walker(**trunk):
    """A free trunk with a leg of two hinges; gravity off."""
    model = dl.Model("walker", gravity=(0, 0, 0))
    body = model.add_body("trunk", OFF, **trunk)
    thigh = model.add_body("thigh", dl.Inertia.rod(1.0, length=0.4, axis="z"))
    shank = model.add_body("shank", dl.Inertia.rod(0.5, length=0.3, axis="z"))
    model.add_joint(dl.Revolute(body.at(x=0.2), thigh.at(z=0.2), axis="y", name="hip"))
    model.add_joint(dl.Revolute(thigh.at(z=-0.2), shank.at(z=0.15), axis="y", name="knee"))
    return model


def four_bar():
    """A parallelogram in the plane y = 0, by four hinges."""
    model = dl.Model("parallelogram", gravity=(0, 0, 0))
    left, top, right = (
        model.add_body(n, dl.Inertia.rod(1.0, length=1.0)) for n in ("left", "top", "right")
    )
    at = model.world.at
    start = {"axis": "-y", "initial": 1.2}
    model.add_joint(dl.Revolute(at(), left.at(x=-0.5), name="a", **start))
    model.add_joint(dl.Revolute(left.at(x=0.5), top.at(x=-0.5), axis="-y", initial=-1.2, name="b"))
    model.add_joint(dl.Revolute(top.at(x=0.5), right.at(x=0.5), axis="-y", name="c"))
    model.add_joint(dl.Revolute(at(x=1.0), right.at(x=-0.5), axis="-y", name="d"))
    return model


def first(solution, *names):
    return [float(solution[name][0]) for name in names]


# -- initial values ------------------------------------------------------------------------------


def test_a_base_is_moved_and_what_hangs_on_it_follows():
    model = walker()
    before = dl.simulate(model, until=0.01, step=1e-2)
    model.set_initial({"trunk.z": 0.45, "trunk.roll": 0.3, "trunk.x.dot": 2.0, "hip.angle": 0.7})
    solution = dl.simulate(model, until=0.01, step=1e-2)
    found = first(solution, "trunk.z", "trunk.roll", "trunk.pitch", "trunk.x.dot", "trunk.wy")
    assert found == pytest.approx([0.45, 0.3, 0.0, 2.0, 0.0], abs=1e-12)
    assert first(solution, "hip.angle", "knee.angle") == pytest.approx([0.7, 0.0], abs=1e-12)
    assert first(before, "hip.angle", "knee.angle") == pytest.approx([0.0, 0.0], abs=1e-12)
    # the leg moves with the trunk: no joint turns
    assert first(solution, "hip.angle.dot", "shank.x.dot") == pytest.approx([0, 2.0], abs=1e-12)
    assert solution.initial_move["q"] < 1e-12
    # and the model, put where it starts, is the same everywhere
    assert solution.q[0] == pytest.approx(
        [model.initial[name] for name in solution.coordinate_names], abs=1e-12
    )


def test_several_at_once_by_name():
    turn = dl.Rotation.from_roll_pitch_yaw(0.1, -0.2, 0.3)
    model = walker()
    model.set_initial(
        {
            "trunk.position": (1.0, 2.0, 3.0),
            "trunk.rotation": turn,
            "trunk.velocity": [0.1, 0.2, 0.3],
            "trunk.angular_velocity": np.array([1.0, -1.0, 0.5]),
        }
    )
    given = walker(
        position=(1.0, 2.0, 3.0),
        rotation=turn,
        velocity=(0.1, 0.2, 0.3),
        angular_velocity=(1.0, -1.0, 0.5),
    )
    ours, theirs = model.initial, given.initial
    assert [ours[name] for name in theirs] == pytest.approx(list(theirs.values()), abs=1e-14)


def test_rates_of_angles_are_those_asked_for():
    model = walker()
    asked = {"trunk.roll": 0.4, "trunk.pitch": -0.3, "trunk.yaw": 1.0}
    asked |= {"trunk.roll.dot": 0.5, "trunk.pitch.dot": -0.2, "trunk.yaw.dot": 0.7}
    solution = dl.simulate(model, until=0.01, step=1e-2, initial=asked)
    assert first(solution, *asked) == pytest.approx(list(asked.values()), abs=1e-12)


def test_what_is_given_for_a_run_counts_more_and_names_what_it_leaves():
    model = walker()
    model.set_initial({"trunk.rotation": ("z", 0.5), "trunk.position": (1, 2, 3)})
    solution = dl.simulate(model, until=0.01, step=1e-2, initial={"trunk.pitch": 0.2})
    found = first(solution, "trunk.yaw", "trunk.pitch", "trunk.x", "trunk.y", "trunk.z")
    assert found == pytest.approx([0.5, 0.2, 1, 2, 3], abs=1e-12)
    state = dl.simulate(model, until=0.01, step=1e-2).q[0]
    named = dict(zip(solution.coordinate_names, state, strict=True))
    again = dl.simulate(model, until=0.01, step=1e-2, initial=named)
    assert again.q[0] == pytest.approx(state, abs=1e-15)


@pytest.mark.parametrize("joint", ["a", "c", "d"])
def test_a_joint_within_a_loop_has_the_angle_asked_for(joint):
    model = four_bar()
    now = float(dl.simulate(model, until=0.01, step=1e-2)[f"{joint}.angle"][0])
    model.set_initial({f"{joint}.angle": now + 0.3, f"{joint}.angle.dot": 2.0})
    solution = dl.simulate(model, until=0.01, step=1e-2)
    angle, speed = first(solution, f"{joint}.angle", f"{joint}.angle.dot")
    assert math.remainder(angle - now - 0.3, math.tau) == pytest.approx(0.0, abs=1e-9)
    assert speed == pytest.approx(2.0, abs=1e-9)
    assert solution.worst["phi"] < 1e-12


def test_angles_that_do_not_go_together_are_refused_by_name():
    model = four_bar()
    model.set_initial({"a.angle": 1.0, "d.angle": 2.5})
    with pytest.raises(AssemblyError, match=r"no start with a\.angle = 1, d\.angle = 2\.5"):
        dl.simulate(model, until=0.01, step=1e-2)


def test_formulas_of_joints_and_parameters_are_keys_and_values():
    (bend,) = dl.parameters(bend=0.4)
    model = walker()
    model.set_initial({model.joints["knee"].angle: 2 * bend, model.bodies["trunk"].yaw.dot: bend})
    other = dl.simulate(model, until=0.01, step=1e-2, parameters={"bend": 0.1})
    assert first(other, "knee.angle", "trunk.yaw.dot") == pytest.approx([0.2, 0.1], abs=1e-12)


@pytest.mark.parametrize("kind", ["universal", "planar", "compound", "cylindrical", "screw"])
def test_every_coordinate_of_a_joint_is_set_and_read_by_name(kind):
    model = dl.Model(gravity=(0, 0, 0))
    arm = model.add_body("arm", dl.Inertia.box(1.0, size=(0.3, 0.2, 0.1)))
    joints = {
        "universal": dl.Universal,
        "planar": dl.Planar,
        "cylindrical": dl.Cylindrical,
    }
    if kind == "compound":
        made = dl.Compound(model.world, arm, slides=["x"], hinges=["z", "y"], name="j")
    elif kind == "screw":
        made = dl.Screw(model.world, arm, pitch=0.1, name="j")
    else:
        made = joints[kind](model.world, arm, name="j")
    joint = model.add_joint(made)
    parts = joint.named_parts if kind != "screw" else ("angle",)
    asked = {f"j.{part}": 0.2 + 0.1 * k for k, part in enumerate(parts)}
    asked |= {f"j.{part}.dot": 0.5 - 0.2 * k for k, part in enumerate(parts)}
    model.set_initial(asked)
    solution = dl.simulate(model, until=0.01, step=1e-2)
    assert first(solution, *asked) == pytest.approx(list(asked.values()), abs=1e-12)
    assert set(dl.Tree(model).coordinate_names) <= {f"j.{part}" for part in joint.named_parts}


@pytest.mark.parametrize(
    ("name", "hint"),
    [("trunk.zz", "'trunk.z'"), ("kneee.angle", "'knee.angle'"), ("nothing", "trunk.roll")],
)
def test_unknown_names_are_told_with_the_nearest(name, hint):
    with pytest.raises(ModelError) as told:
        dl.simulate(walker(), until=0.01, step=1e-2, initial={name: 1.0})
    assert hint in str(told.value)


def test_a_position_of_two_numbers_is_refused():
    with pytest.raises(ModelError, match=r"'trunk.position' has 2 entries. Give 3 numbers"):
        walker().set_initial({"trunk.position": (1, 2)})


def test_bodies_with_angles_follow_their_joints_too():
    model = dl.Model(gravity=(0, 0, 0))
    options = {"orientation": "roll-pitch-yaw"}
    one = model.add_body("one", dl.Inertia.box(1.0, size=(1, 0.1, 0.1)), **options)
    two = model.add_body("two", dl.Inertia.box(1.0, size=(1, 0.1, 0.1)), **options)
    model.add_joint(dl.Revolute(one.at(x=0.5), two.at(x=-0.5), axis="z", name="pin"))
    model.set_initial({"one.y": 2.0, "pin.angle": 0.5})
    solution = dl.simulate(model, until=0.01, step=1e-2)
    found = first(solution, "one.y", "two.y", "two.yaw", "pin.angle")
    assert found == pytest.approx([2.0, 2.0 + 0.5 * math.sin(0.5), 0.5, 0.5], abs=1e-12)


# -- signals ---------------------------------------------------------------------------------------


def test_second_derivatives_are_those_of_the_motion():
    model = walker()
    model.set_initial({"hip.angle.dot": 3.0, "knee.angle.dot": -5.0, "trunk.wz": 1.0})
    solution = dl.simulate(model, until=0.2, step=1e-3)
    t = solution.t
    for name in ("knee.angle", "trunk.x", "trunk.roll", "shank.z"):
        rate = np.gradient(solution[f"{name}.dot"], t, edge_order=2)
        assert solution[f"{name}.ddot"] == pytest.approx(rate, abs=2e-3)
    knee, trunk = model.joints["knee"], model.bodies["trunk"]
    assert np.array_equal(solution[knee.angle.ddot], solution["knee.angle.ddot"])
    mixed = knee.angle * trunk.x
    by_hand = (
        solution["knee.angle.ddot"] * solution["trunk.x"]
        + 2 * solution["knee.angle.dot"] * solution["trunk.x.dot"]
        + solution["knee.angle"] * solution["trunk.x.ddot"]
    )
    assert solution[mixed.ddot] == pytest.approx(by_hand, abs=1e-12)


def test_accelerations_between_samples_follow_the_equations():
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        potential=9.81 * y,
        constraints=[x**2 + y**2 - 1],
        initial={x: 1.0},
    )
    solution = dl.simulate(model, until=1.0, step=1e-2)
    between = solution.sampled((x**2 + y**2).ddot, [0.123, 0.456])
    assert between == pytest.approx([0.0, 0.0], abs=1e-9)
    assert np.array_equal(solution[x.ddot], solution["x.ddot"])
    assert solution["x.ddot"][0] == pytest.approx(0.0, abs=1e-12)


def test_accelerations_stand_in_no_equation():
    x, y = dl.coordinates("x y")
    with pytest.raises(ModelError, match=r"'x.ddot': is an acceleration"):
        dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, forces={x: -x.ddot})
    model = walker()
    with pytest.raises(ModelError, match="is an acceleration"):
        model.constrain(model.bodies["trunk"].roll.ddot)
    with pytest.raises(ModelError, match="is an acceleration"):
        model.add_force(dl.Torque("trunk", about="z", value=model.bodies["thigh"].x.ddot))
    with pytest.raises(OptionError, match="is an acceleration"):
        dl.Event(x.ddot)
    with pytest.raises(FormulaError, match=r"solution\[x\.ddot\]"):
        _ = (x.dot * y).dot
    with pytest.raises(FormulaError, match="more than accelerations"):
        _ = x.dot.ddot


# -- files and the command line --------------------------------------------------------------------

WALKER = """
version: 1
gravity: [0, 0, 0]
bodies:
  - {name: trunk, mass: 2.0, inertia: [0.1, 0.2, 0.25], center: [0.1, 0, 0.2]}
  - {name: leg, mass: 1.0, inertia: {type: rod, length: 0.4, axis: z}}
joints:
  hip: {type: revolute, first: {body: trunk, at: [0.2, 0, 0]}, second: {body: leg, at: [0, 0, 0.2]},
        axis: y}
initial:
  trunk.position: [1, 0, 0.45]
  trunk.rotation: [1, 0, 0, 0]
  hip.angle: pi/6
simulate: {until: 0.1, step: 1e-2}
"""


@pytest.fixture
def walker_file(tmp_path):
    path = tmp_path / "walker.yaml"
    path.write_text(WALKER)
    return path


def test_model_files_give_places_and_angles(walker_file, tmp_path):
    model = dl.load(walker_file)
    solution = dl.simulate(model, until=0.01, step=1e-2)
    found = first(solution, "trunk.x", "trunk.z", "hip.angle")
    assert found == pytest.approx([1, 0.45, math.pi / 6], abs=1e-12)
    save_model(model, tmp_path / "again.yaml")
    assert dl.load(tmp_path / "again.yaml").initial == model.initial


def test_the_shell_sets_plots_and_exports_by_name(walker_file, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    given = ["--initial", "trunk.z=0.6,hip.angle=0.2"]
    assert main(["run", str(walker_file), *given, "-o", "r.npz"]) == 0
    capsys.readouterr()
    assert main(["export", "r.npz", "--to", "csv", "--out", "r.csv"]) == 0
    with open("r.csv", newline="") as file:
        row = next(csv.DictReader(file))
    found = [float(row[name]) for name in ("trunk.x", "trunk.z", "trunk.roll", "hip.angle")]
    assert found == pytest.approx([1.0, 0.6, 0.0, 0.2], abs=1e-12)
    assert float(row["hip.angle.dot"]) == pytest.approx(0.0, abs=1e-12)
    capsys.readouterr()
    for what in ("hip.angle", "trunk.roll", "hip.angle.ddot", "2*hip.angle - trunk.x.dot"):
        assert main(["plot", "r.npz", what, "-o", "figure.png"]) == 0, what
    capsys.readouterr()
    assert main(["plot", "r.npz", "--list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["signals"]
    assert {"hip.angle", "trunk.roll", "trunk.x", "hip.angle.dot"} <= set(listed)


def test_the_page_has_curves_of_joints_and_of_a_free_base(walker_file):
    scene, motion = follow(dl.simulate(dl.load(walker_file), until=0.1, step=1e-2), fps=10)
    units = {signal.name: signal.unit for signal in scene.signals}
    assert [units[n] for n in ("hip.angle", "trunk.z", "trunk.yaw")] == ["rad", "m", "rad"]
    assert "leg.z" not in units
    column = [signal.name for signal in scene.signals].index("trunk.z")
    assert motion.values[0, column] == pytest.approx(0.45, abs=1e-12)


def test_a_joint_that_is_named_as_a_body_begins_where_it_is_asked_to():
    """As `fl_hip` of the quadruped, which is a leg and the joint that carries it."""
    model = dl.catalog.load("quadruped")
    assert "fl_hip" in model.bodies
    assert "fl_hip" in model.joints
    run = dl.simulate(model, until=1e-3, step=1e-3, initial={"fl_hip.angle": 0.05})
    assert run["fl_hip.angle"][0] == pytest.approx(0.05, abs=1e-9)
