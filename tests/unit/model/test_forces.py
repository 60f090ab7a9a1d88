import inspect
import pickle

import numpy as np
import pytest
from tests.unit.model.mechanisms import AXIS, BOX, numbers, two_bodies

import dalembert as dl
from dalembert.errors import ModelError
from dalembert.formulas.derivative import time_derivative
from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.graph import symbols
from dalembert.model.forces import FORCES

EPS = np.finfo(float).eps

MOVING = {
    "position": (0.9, 0.3, -0.2),
    "rotation": dl.Rotation.from_roll_pitch_yaw(0.5, 0.2, -0.3),
    "velocity": (-0.2, 0.8, 0.1),
    "angular_velocity": (0.6, -0.1, 0.9),
}


def stiff(extension, rate):
    return 3.0 * extension**3 + 0.2 * rate


BETWEEN = {
    "Spring": {"free_length": 0.4, "stiffness": 30.0},
    "damped Spring": {"free_length": 0.4, "stiffness": 30.0, "damping": 2.0},
    "Spring to a point": {"free_length": 0.0, "stiffness": 30.0, "damping": 2.0},
    "Spring with a law": {"free_length": 0.4, "law": stiff},
    "TorsionSpring": {"stiffness": 4.0, "free_angle": 0.2, "axis": AXIS},
    "TorsionSpring with a law": {"law": stiff, "axis": AXIS},
    "Bushing": {"stiffness": (30, 40, 50, 3, 4, 5)},
    "damped Bushing": {"stiffness": (30, 40, 50, 3, 4, 5), "damping": (1, 2, 3, 0.1, 0.2, 0.3)},
}


def kind_of(case):
    return getattr(dl, next(word for word in case.split() if word[0].isupper()))


def between(case):
    """The force of a case between two bodies that move."""
    model, _ = two_bodies("Spherical", {}, given=MOVING)
    base, arm = model.bodies["base"], model.bodies["arm"]
    ends = base.at(x=0.3, rotation=("y", 0.5)), arm.at(y=-0.2, rotation=("z", -0.8))
    return model, model.add_force(kind_of(case)(*ends, **BETWEEN[case]))


JOINT_FORCES = {
    "Motor in Revolute": {"stall_torque": 2.0, "no_load_speed": 30.0, "command": np.sin(dl.time)},
    "Motor in Prismatic": {"stall_torque": 2.0, "no_load_speed": 30.0},
    "Motor in Screw": {"law": lambda speed: 3.0 - speed**2, "coordinate": "displacement"},
    "JointFriction in Revolute": {"damping": 0.7},
    "JointFriction in Prismatic": {"damping": 0.7},
    "JointFriction in Spherical": {"damping": 0.7},
    "JointFriction in Cylindrical": {"damping": 0.7, "coordinate": "displacement"},
    "TorsionSpring in Revolute": {"stiffness": 4.0, "free_angle": 0.2},
}


def in_joint(case):
    kind, _, joint_kind = case.split()
    extra = {"pitch": 0.3} if joint_kind == "Screw" else {}
    model, joint = two_bodies(joint_kind, extra, given=MOVING)
    return model, model.add_force(getattr(dl, kind)(joint, **JOINT_FORCES[case]))


def cases():
    return [*((between, case) for case in BETWEEN), *((in_joint, case) for case in JOINT_FORCES)]


def power(model, force):
    """Work of the loads in a second."""
    loads, _ = force.evaluated()
    total = 0.0
    for (pull, torque), view in zip(loads, force.views, strict=True):
        total += numbers(pull, model) @ numbers(view.velocity, model)
        total += numbers(torque, model) @ numbers(view.angular_velocity, model)
    return total


@pytest.mark.parametrize(("make", "case"), cases())
def test_action_equals_reaction(make, case):
    """No force and no torque about the world's origin in sum."""
    model, force = make(case)
    loads, _ = force.evaluated()
    pulls = np.array([numbers(pull, model) for pull, _ in loads])
    torques = np.array([numbers(torque, model) for _, torque in loads])
    places = np.array([numbers(view.origin, model) for view in force.views])
    assert np.abs([*pulls, *torques]).max() > 1e-3
    size = 100 * EPS * np.abs([*pulls, *torques]).max()
    np.testing.assert_allclose(pulls.sum(axis=0), 0.0, atol=size)
    np.testing.assert_allclose((torques + np.cross(places, pulls)).sum(axis=0), 0.0, atol=size)


@pytest.mark.parametrize(("make", "case"), cases())
def test_conservative_forces_do_the_work_of_their_energy(make, case):
    model, force = make(case)
    _, energy = force.evaluated()
    if force.conservative:
        assert power(model, force) == pytest.approx(
            -numbers(time_derivative([energy]), model)[0], rel=1e-12
        )
    else:
        assert not model.conservative


@pytest.mark.parametrize("case", ["damped Spring", "Spring to a point", "damped Bushing"])
def test_dampers_take_energy_away(case):
    model, force = between(case)
    _, energy = force.evaluated()
    assert power(model, force) + numbers(time_derivative([energy]), model)[0] < -1e-3


def test_spring_law_equals_stiffness_and_damping():
    model, force = between("damped Spring")
    base, arm = force.first, force.second

    def law(extension, rate):
        return 30.0 * extension + 2.0 * rate

    other = model.add_force(dl.Spring(base, arm, free_length=0.4, law=law))
    first, second = (numbers(f.evaluated()[0][0][0], model) for f in (force, other))
    np.testing.assert_allclose(first, second, rtol=10 * EPS)


def test_bushing_has_its_stiffness_at_small_displacements():
    stiffness, small = np.array([30.0, 40.0, 50.0, 3.0, 4.0, 5.0]), 1e-6
    for k in range(6):
        model = dl.Model()
        move = small * np.eye(3)[k % 3]
        place = {"position": move} if k < 3 else {"rotation": ("xyz"[k - 3], small)}
        body = model.add_body("body", dl.Inertia.sphere(1.0, 1.0), **place)
        force = model.add_force(dl.Bushing(model.world, body, stiffness=stiffness))
        loads = force.evaluated()[0][1]
        found = np.concatenate([numbers(part, model) for part in loads])
        np.testing.assert_allclose(found, -stiffness * small * np.eye(6)[k], atol=1e-11)


def test_motor_line_runs_from_stall_to_no_load():
    for speed, torque in ((0.0, 2.0), (15.0, 1.0), (30.0, 0.0)):
        model = dl.Model()
        fan = model.add_body("fan", BOX)
        hinge = model.add_joint(dl.Revolute(model.world, fan, axis="y", initial_speed=speed))
        motor = model.add_force(dl.Motor(hinge, stall_torque=2.0, no_load_speed=30.0))
        found = numbers(motor.evaluated()[0][1][1], model)
        np.testing.assert_allclose(found, (0.0, torque, 0.0), atol=10 * EPS)


def free(**options):
    model = dl.Model()
    body = model.add_body("body", BOX, **(MOVING | options))
    return model, body


def test_force_along_world_or_body_axes():
    model, body = free()
    world = model.add_force(dl.Force(body.at(x=0.1), value=(1, 2, 3)))
    own = model.add_force(dl.Force(body.at(x=0.1), value=(1, 2, 3), axes="body"))
    turned = model.add_force(
        dl.Force(body.at(rotation=("z", np.pi / 2)), value=(1, 2, 3), axes="body")
    )
    R = numbers(body.rotation, model)
    for force, expected in ((world, (1, 2, 3)), (own, R @ (1, 2, 3)), (turned, R @ (-2, 1, 3))):
        ((pull, torque),) = force.evaluated()[0]
        np.testing.assert_allclose(numbers(pull, model), expected, atol=20 * EPS)
        assert not numbers(torque, model).any()


def test_torque_about_world_or_body_direction():
    model, body = free()
    R = numbers(body.rotation, model)
    for axes, expected in (("world", (0, -3, 4)), ("body", R @ (0, -3, 4))):
        force = model.add_force(dl.Torque(body, about=(0, -3, 4), value=5.0, axes=axes))
        np.testing.assert_allclose(
            numbers(force.evaluated()[0][0][1], model), expected, atol=20 * EPS
        )


def test_a_formula_of_other_bodies_is_seen_through_frames():
    """Loads contain nothing but what the views hold: one compiled formula serves all."""
    model, joint = two_bodies("Revolute", {"axis": "y", "initial": 0.4}, given={})
    base, arm = model.bodies["base"], model.bodies["arm"]
    value = -3.0 * (arm.x - base.x) + 0.5 * joint.angle + arm.pitch * dl.time
    force = model.add_force(dl.Torque(arm, about="z", value=value))
    assert [frame.body.name for frame in force.frames] == ["arm", "base", "arm"]
    views = [dl.Model().add_body(f"v{k}", BOX).at().view for k in range(3)]
    loads = force.loads(views, [0.0, 0.0, 1.0, 0.0], [dl.time * 0.0])
    assert len(loads) == 3
    leaves = symbols([f for pair in loads for part in pair for f in part], "coordinate", "velocity")
    assert all(leaf.name[0] == "v" for leaf in leaves)
    seen = numbers(force.evaluated()[0][0][1], model)
    np.testing.assert_allclose(seen[2], numbers([value], model)[0], rtol=100 * EPS)


def test_a_body_watched_and_acted_on_is_one_frame():
    model = dl.Model()
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, 1.0), velocity=(1, 2, 3))
    force = model.add_force(dl.Force(ball, value=-2.0 * ball.velocity))
    assert len(force.frames) == 1
    np.testing.assert_allclose(numbers(force.evaluated()[0][0][0], model), (-2, -4, -6))


def test_potential_gives_force_and_torque():
    model, body = free()
    hook = body.at(x=0.3, y=0.1).position
    V = 5.0 * (hook @ hook) + 2.0 * body.rotation[0, 1]
    force = model.add_force(dl.Potential(V))
    assert force.conservative
    ((pull, torque),) = force.evaluated()[0]
    center = body.center.view
    work = numbers(pull, model) @ numbers(center.velocity, model)
    work += numbers(torque, model) @ numbers(center.angular_velocity, model)
    assert work == pytest.approx(-numbers(time_derivative([V]), model)[0], rel=1e-12)
    model.add_potential(body.x**2)
    assert len(model.forces) == 2


def test_drag_is_against_the_flow():
    model, body = free()
    wind = (1.0, 0.0, dl.time)
    force = model.add_force(dl.Drag(body.at(x=0.2), linear=0.5, quadratic=2.0, flow=wind))
    u = numbers(body.at(x=0.2).velocity, model) - (1.0, 0.0, 0.0)
    expected = -(0.5 + 2.0 * np.linalg.norm(u)) * u
    np.testing.assert_allclose(numbers(force.evaluated()[0][0][0], model), expected, rtol=1e-14)
    still = model.add_force(dl.Drag(body, quadratic=1.0, flow=tuple(body.velocity)))
    assert not numbers(still.evaluated()[0][0][0], model).any()


def test_table_is_linear_between_and_constant_beyond():
    times, values = np.array([0.0, 1.0, 1.5, 4.0]), np.array([2.0, -1.0, 3.0, 0.0])
    formula = dl.table(times, values)
    for t in (-1.0, 0.0, 0.3, 1.0, 1.2, 1.5, 3.0, 4.0, 9.0):
        found = float(evaluate([formula], {dl.time: t})[0])
        assert found == pytest.approx(np.interp(t, times, values), abs=1e-14)


@pytest.mark.parametrize(
    ("points", "values", "words"),
    [
        ([0.0], [1.0], "at least 2"),
        ([0.0, 1.0], [1.0], "as many values as points"),
        ([0.0, 2.0, 1.0], [1.0, 2.0, 3.0], "point 1 follows 2"),
        ([0.0, np.nan], [1.0, 2.0], "not finite"),
        (np.arange(5000), np.arange(5000), "at most"),
    ],
)
def test_bad_tables(points, values, words):
    with pytest.raises(ModelError, match=words):
        dl.table(points, values)


def test_every_force_is_public_readable_and_copied():
    for name, kind in FORCES.items():
        assert getattr(dl, name) is kind
        assert "Examples" in inspect.getdoc(kind)
        parameters = inspect.signature(kind).parameters.values()
        assert len([p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]) <= 2
    for make, case in cases():
        model, force = make(case)
        again = pickle.loads(pickle.dumps(model))
        assert repr(again.forces) == repr(model.forces)
        assert again.forces[force.name].structure() == force.structure()


# -- what is refused -------------------------------------------------------------------------------

NAN = float("nan")
REFUSED = {
    "two components": (lambda m, b, h: dl.Force(b, value=(1, 2)), "Give 3 numbers or formulas"),
    "NaN": (lambda m, b, h: dl.Force(b, value=(0, 0, NAN), name="push"), "force 'push': value"),
    "axes": (lambda m, b, h: dl.Force(b, value=(0, 0, 1), axes="ship"), "axes 'ship' is unknown"),
    "no direction": (
        lambda m, b, h: dl.Torque(b, about=(0, 0, 0), value=1, name="twist"),
        r"force 'twist': about \(0, 0, 0\) has no direction",
    ),
    "text": (lambda m, b, h: dl.Torque(b, about="z", value="5"), "is not a formula"),
    "unknown body": (lambda m, b, h: dl.Force("bdy", value=(0, 0, 1)), "did you mean 'body'"),
    "spring on one body": (
        lambda m, b, h: dl.Spring(b, b.at(x=1), free_length=1, stiffness=1, name="s"),
        "force 's': both its ends are on 'body'",
    ),
    "negative stiffness": (
        lambda m, b, h: dl.Spring(m.world, b, free_length=1, stiffness=-1),
        "stiffness is -1",
    ),
    "negative length": (
        lambda m, b, h: dl.Spring(m.world, b, free_length=-1, stiffness=1),
        "free_length is -1",
    ),
    "spring of nothing": (
        lambda m, b, h: dl.Spring(m.world, b, free_length=1),
        "no stiffness, damping or law",
    ),
    "law and stiffness": (
        lambda m, b, h: dl.Spring(m.world, b, free_length=1, stiffness=1, law=stiff),
        "has a law beside stiffness",
    ),
    "law of a coordinate": (
        lambda m, b, h: dl.Spring(m.world, b, free_length=1, law=lambda e, r: e * b.x),
        "the law contains body",
    ),
    "law of a number": (
        lambda m, b, h: dl.Spring(m.world, b, free_length=1, law=3.0),
        "Give a function of extension and rate",
    ),
    "motor of nothing": (lambda m, b, h: dl.Motor(h), "needs stall_torque and no_load_speed"),
    "motor of half": (lambda m, b, h: dl.Motor(h, stall_torque=1), "needs stall_torque"),
    "motor twice": (
        lambda m, b, h: dl.Motor(h, stall_torque=1, no_load_speed=1, law=lambda s: s),
        "beside stall_torque",
    ),
    "motor at rest": (
        lambda m, b, h: dl.Motor(h, stall_torque=1, no_load_speed=0),
        "no_load_speed is 0",
    ),
    "motor on a body": (
        lambda m, b, h: dl.Motor(b, stall_torque=1, no_load_speed=1),
        "is no joint of this model",
    ),
    "motor on a slide's angle": (
        lambda m, b, h: dl.Motor(h, stall_torque=1, no_load_speed=1, coordinate="displacement"),
        "has no displacement",
    ),
    "friction": (lambda m, b, h: dl.JointFriction(h, damping=-1), "damping is -1"),
    "drag of nothing": (lambda m, b, h: dl.Drag(b), "has no coefficient"),
    "drag backwards": (lambda m, b, h: dl.Drag(b, linear=-1), "linear is -1"),
    "bushing of three": (
        lambda m, b, h: dl.Bushing(m.world, b, stiffness=(1, 2, 3)),
        "Give 6 numbers",
    ),
    "bushing negative": (
        lambda m, b, h: dl.Bushing(m.world, b, stiffness=(1, 2, 3, -4, 5, 6)),
        r"stiffness\[3\] is -4",
    ),
    "potential of velocity": (lambda m, b, h: dl.Potential(b.x.dot), "depends on the velocity"),
    "foreign coordinate": (
        lambda m, b, h: dl.Force(b, value=(dl.coordinates("xx")[0], 0, 0), name="f"),
        "force 'f': contains xx, which is nothing of this model's bodies",
    ),
    "quaternion": (
        lambda m, b, h: dl.Potential(b.quaternion[0]),
        "Use the body's rotation instead",
    ),
    "name twice": (
        lambda m, b, h: dl.Force(b, value=(0, 0, 1), name="hinge"),
        "force 'hinge': there is a joint of that name already",
    ),
    "generalised force": (lambda m, b, h: {b.x: 1.0}, "is no force on a body"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    make, words = REFUSED[case]
    model = dl.Model("m")
    body = model.add_body("body", BOX)
    hinge = model.add_joint(dl.Revolute(model.world, body, name="hinge"))
    with pytest.raises(ModelError, match=words):
        model.add_force(make(model, body, hinge))
