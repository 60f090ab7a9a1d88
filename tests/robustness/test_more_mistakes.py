"""More mistakes that people make, in Python, model files, robots' files and commands.

As in test_mistakes: each message says what is wrong, where, and what to do, in the language the
mistake was made in.
"""

from __future__ import annotations

import copy
import operator
import pickle
import re
from dataclasses import FrozenInstanceError, is_dataclass, replace
from pathlib import Path

import pytest
from tests.robustness.test_mistakes import DOOR, FORMULAS, arm, pendulum, run, said

import dalembert as dl
from dalembert.errors import DalembertError, ModelError
from dalembert.model.basics.unchanging import Settled


def commanded(callback):
    model = arm()
    model.add_force(dl.DirectDrive("hinge", name="motor"))
    control = dl.Controller(callback, rate=100.0, inputs=["hinge.angle"], outputs=["motor"])
    return run(model, controllers=[control])


PYTHON = {
    "names as two arguments": (
        lambda: dl.coordinates("x", "y"),
        ["coordinates() takes all names in one text", "coordinates('x y')"],
    ),
    "gravity in words": (
        lambda: dl.Model("a", gravity="moon"),
        ["gravity: is 'moon'", "Give 3 numbers, such as (0, 0, -9.81)"],
    ),
    "a controller of the time alone": (
        lambda: commanded(lambda t: 0.0),
        ["takes 1 positional argument but 2 were given", "called with the time and what it reads"],
    ),
    "a robot as text": (
        lambda: dl.load_urdf("<robot name='a'><link name='b'/></robot>"),
        ["is text, not the name of a file", "Write it to a file and give its path"],
    ),
    "a frame that was not made": (
        lambda: arm().add_joint(dl.Spherical("world", "link/tip")),
        ["body 'link' has no frame 'tip'", "Give the place itself, such as body.at(x=0.5)"],
    ),
    "an axis without direction": (
        lambda: arm().add_joint(dl.Revolute("world", "link", axis=(0, 0, 0))),
        ["axis (0, 0, 0) has no direction", "Give a nonzero vector"],
    ),
    "the model and the end in the wrong order": (
        lambda: dl.simulate(1.0, pendulum()),
        ["1.0 is not a model", "Give a dl.Model, dl.load(path)"],
    ),
    "an end without end": (
        lambda: run(pendulum(), until=float("inf")),
        ["until is inf", "Give a finite time in seconds"],
    ),
    "a body of another model": (
        lambda: arm().add_joint(dl.Spherical("world", arm().bodies["link"].at(x=0.5))),
        ["'link' is a body of another model", "Use what add_body of this model returned"],
    ),
    "three angles as a rotation": (
        lambda: dl.Model("a").add_body("b", dl.Inertia.rod(1.0, length=1.0), rotation=(0, 90, 0)),
        ["Rotation: (0, 90, 0) is none", "an axis with an angle, ('x', 0.5)"],
    ),
    "moments in the wrong order": (
        lambda: dl.simulate(pendulum(), until=1.0, times=[0.5, 0.1]),
        ["times must increase from one to the next"],
    ),
    "two drives that contradict": (
        lambda: run(_driven_twice()),
        ["'motion1', 'motion2' cannot be met together"],
    ),
}


def _driven_twice():
    model = arm()
    model.add_joint(dl.Motion("hinge", value=0.0))
    model.add_joint(dl.Motion("hinge", value=1.0))
    return model


FILES = {
    "a comma that is missing in a list": (
        FORMULAS.replace("[x, y]", "[x y]"),
        ["line 2: 'x y' cannot name a coordinate", "several names are separated by commas"],
    ),
    "a comma that is missing in a mapping": (
        DOOR.replace("name: door, mass", "name: door mass"),
        ["line 3: a comma or '}' is missing", "the mapping that begins on line 3. Add it"],
    ),
    "a bracket that is not closed": (
        FORMULAS.replace("[x, y]", "[x, y"),
        ["line 3: a comma or ']' is missing", "the list that begins on line 2. Add it"],
    ),
    "a colon that is missing": (
        FORMULAS.replace("kinetic: ", "kinetic "),
        ["line 4: no colon with a space behind it follows the key", "Write key: value"],
    ),
    "a line that is indented otherwise": (
        DOOR.replace("simulate", "   simulate"),
        ["line 6: is not indented as the lines it belongs to", "which begin on line 5"],
    ),
    "a tab": (
        DOOR.replace("  - {name", "\t- {name"),
        ["line 3: begins with a tab, which YAML does not allow. Use spaces"],
    ),
    "two models in one file": (
        FORMULAS + "---\n" + FORMULAS,
        ["line 8: a second document begins ('---')", "A file holds one model: make two files"],
    ),
    "a mass with its unit": (
        DOOR.replace("mass: 20", "mass: 20kg"),
        ["line 3: bodies[0].mass", "numbers have no units here: all are SI units", "Write 20,"],
    ),
    "a decimal comma": (
        DOOR.replace("mass: 20", "mass: '20,5'"),
        ["line 3: bodies[0].mass: a comma does not begin the decimals", "Write 20.5"],
    ),
    "a decimal comma in braces": (
        FORMULAS.replace("m: 1.0", "m: 1,5"),
        ["line 3: parameters: '5' has no value", "Decimals begin with a point"],
    ),
    "an angle in degrees": (
        DOOR + "initial: {hinge.angle: 90deg}\n",
        ["line 7: initial.hinge.angle: angles are in radians", "Write radians(90)"],
    ),
    "a product without its sign": (
        FORMULAS.replace("m*(x", "2m*(x"),
        ["line 4: kinetic: '*' is missing behind '2'", "Write 2*m"],
    ),
    "a minus of print": (
        FORMULAS.replace("y**2 - 1", "y**2 − 1"),
        ["line 5: constraints.bar: '−' is not part of a formula", "Write -"],
    ),
    "quotation marks of print": (
        FORMULAS.replace("x**2 + y**2 - 1", "“x**2 + y**2 - 1”"),
        ["line 5: constraints.bar: its quotation marks are those of print", "Leave them out"],
    ),
    "an equation to be kept": (
        DOOR + "keep: {wall: door.x = 0}\n",
        ["line 7: keep.wall: '=' is not part of a formula", "Write for example y >= 0"],
    ),
    "a force of two numbers": (
        DOOR + "forces: {push: {type: force, frame: door, value: [1, 0]}}\n",
        ["line 7: forces.push.value has 2 entries, expected 3"],
    ),
    "angles as a rotation": (
        DOOR.replace("mass: 20", "mass: 20, rotation: [0, 90, 0]"),
        ["line 3: bodies[0].rotation has 3 numbers", "{roll_pitch_yaw: [0, 0, 0.3]}"],
    ),
    "bodies by name": (
        DOOR.replace("  - {name: door, ", "  door: {"),
        ["line 2: bodies: found a mapping, expected a list", "- {name: ...}"],
    ),
    "joints as a list": (
        DOOR.replace("  hinge: {", "  - {name: hinge, "),
        ["line 4: joints: found a list, expected a mapping", "name: {...}"],
    ),
    "a negative mass of a body": (
        DOOR.replace("mass: 20", "mass: -20"),
        ["line 3: mass is -20 kg. Give a positive mass"],
    ),
    "ends of a limit the wrong way round": (
        DOOR + "limits: {hinge: {lower: 1, upper: -1}}\n",
        ["line 7: lower is 1, upper -1. Give lower <= upper"],
    ),
    "a frame that was not made": (
        DOOR.replace("{body: door, at: [-0.45, 0, 0]}", "door/edge"),
        ["line 5", "body 'door' has no frame 'edge'", "{body: ..., at: [0.5, 0, 0]}"],
    ),
    "no number": (
        FORMULAS.replace("{x: 1}", "{x: .nan}"),
        ["line 6: initial.x: this is not a finite number", "Give one"],
    ),
}

LINK = """<link name="{0}"><inertial><mass value="{1}"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
ROBOT = (
    '<robot name="r">\n<link name="base"/>\n'
    + LINK.format("a", 1)
    + """
<joint name="j" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>
"""
)
ROBOTS = {
    "commas in an axis": (
        ROBOT.replace("0 1 0", "0,1,0"),
        ["line 5: joint 'j': attribute 'xyz' of <axis> is '0,1,0'", "separated by spaces"],
    ),
    "a mass with its unit": (
        ROBOT.replace('"1"/>\n', '"1kg"/>\n', 1),
        ["line 3: <inertial> of link 'a'", "'1kg' is no number. Give one"],
    ),
    "limits the wrong way round": (
        ROBOT.replace('lower="-1"', 'lower="2"'),
        ["line 6: joint 'j': the limits are 2 to 1", "Swap them, or leave them out"],
    ),
    "a joint that moves nothing": (
        ROBOT.replace(LINK.format("a", 1), '<link name="a"/>'),
        ["nothing of the robot moves: link 'a', which joint 'j' moves, has no mass"],
    ),
    "a robot without any mass": (
        '<robot name="r"><link name="base"/></robot>',
        ["nothing of the robot moves: no link has a mass", "Give a link its <inertial>"],
    ),
    "two robots in one file": (
        ROBOT + ROBOT,
        ["a second robot begins", "A file holds one: make two files"],
    ),
    "letters that are not UTF-8": (
        ROBOT.replace('"a"', '"ä"'),
        ["line 3: not well-formed XML", "Save it as UTF-8"],
    ),
}

COMMANDS = {
    "run model.yaml --until 1,5": ["--until: '1,5' is not a number of seconds", "Write 1.5"],
    "run door.yaml --initial hinge.angle=90deg": [
        "hinge.angle = '90deg' is not a number",
        "Angles are in radians: write hinge.angle=1.5708",
    ],
    "run model.yaml --parameters m=2kg": ["m = '2kg' is not a number", "Units are SI", "m=2"],
    "run model.yaml --parameters m=1,5": ["'5' is not name=value", "decimals begin with a point"],
    "export model.yaml --to csv": [
        "model.yaml: is a model, not a run",
        "dalembert run model.yaml --out model.npz",
    ],
    "export pendulum --to csv": ["pendulum: is a model, not a run", "--out pendulum.npz"],
    "sweep model.yaml": ["model.yaml: is a model, not a study", "model: model.yaml, over:"],
    "lesson drift.md": ["drift.md cannot be read: there is no such file. Check the path"],
    "view pendulum --speed fast": ["--speed: 'fast' is not a number. Write for example"],
    "resume run --until 5s": ["--until: '5s' is not a number of seconds. Write 5"],
    "robot.urdf": ["There is no command 'robot.urdf', but a model: dalembert run robot.urdf"],
    "check own.py": ["own.py, line 2: AttributeError", "did you mean 'Model'?"],
    "check bare.py": ["bare.py, line 1: NameError", "Add: import dalembert as dl"],
}


def test_there_are_fifty():
    assert len(PYTHON) + len(FILES) + len(ROBOTS) + len(COMMANDS) >= 50


@pytest.mark.parametrize("mistake", PYTHON)
def test_mistakes_in_python(mistake):
    made, told = PYTHON[mistake]
    with pytest.raises(DalembertError) as problem:
        made()
    for part in told:
        assert part in str(problem.value), str(problem.value)


def test_misspelt_names_of_the_package():
    with pytest.raises(AttributeError, match="did you mean 'Revolute'"):
        dl.Revolut  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'qqqq'$"):
        dl.qqqq  # noqa: B018
    with pytest.raises(TypeError, match=r"^Model\.add_body\(\) missing"):
        dl.Model("a").add_body(dl.Inertia.rod(1.0, length=1.0))


@pytest.mark.parametrize("mistake", FILES)
def test_mistakes_in_files(mistake, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text, told = FILES[mistake]
    Path("model.yaml").write_text(text, encoding="utf-8")
    found = said(capsys, ["run", "model.yaml"], (2,))
    for part in told:
        assert part in found, found


@pytest.mark.parametrize("mistake", ROBOTS)
def test_mistakes_in_robots(mistake, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text, told = ROBOTS[mistake]
    Path("robot.urdf").write_bytes(text.encode("latin-1"))
    found = said(capsys, ["run", "robot.urdf"], (2,))
    for part in told:
        assert part in found, found


@pytest.mark.parametrize("command", COMMANDS)
def test_mistakes_in_commands(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("model.yaml").write_text(FORMULAS)
    Path("door.yaml").write_text(DOOR)
    Path("robot.urdf").write_text(ROBOT)
    Path("own.py").write_text("import dalembert as dl\nmodel = dl.Modell('a')\n")
    Path("bare.py").write_text("model = dl.Model('a')\n")
    words = command.split()
    text = said(capsys, words, (2,)) if words[0] != "check" else _told(capsys, words)
    for part in COMMANDS[command]:
        assert part in text, text


def _told(capsys, words):
    """What is said about a Python file may be in Python."""
    from dalembert.cli import main

    assert main(words) == 2
    return capsys.readouterr().err


def test_limits_in_degrees_are_doubted():
    model = arm()
    model.set_limits("hinge", dl.Limits(-90.0, 90.0))
    told = str(model.check())
    assert "90 rad away, 14 turns" in told
    assert "90 degrees are 1.571" in told


def test_a_single_body_is_free(tmp_path, monkeypatch, capsys):
    """A file of one link runs without options, and says what was chosen."""
    from dalembert.cli import main

    monkeypatch.chdir(tmp_path)
    Path("cube.urdf").write_text(f'<robot name="cube">{LINK.format("cube", 2)}</robot>')
    assert main(["run", "cube.urdf", "--until", "1"]) == 0
    told = capsys.readouterr()
    assert "no joint of the robot moves: it is one free body" in told.err
    solution = dl.simulate(dl.load_urdf("cube.urdf"), until=1.0)
    assert solution["cube.z"][-1] == pytest.approx(-9.81 / 2, rel=1e-12)
    with pytest.raises(DalembertError, match="nothing of the robot moves"):
        dl.load_urdf("cube.urdf", base="fixed")


def _assign(name, value):
    return lambda model: setattr(model, name, value)


def _put(name, key, value):
    return lambda model: operator.setitem(getattr(model, name), key, value)


CHANGED_IN_PLACE = {
    "a parameter": (_put("parameters", "l", 2.0), "model.with_parameters"),
    "parameters": (lambda model: model.parameters.update(l=2.0), "model.with_parameters"),
    "a start": (_put("initial", "hinge.angle", 0.5), "Use set_initial"),
    "limits": (_put("limits", "hinge", dl.Limits(-1, 1)), "Use set_limits"),
    "a rotor": (_put("armature", "hinge", 0.1), "Use set_armature"),
    "a body": (lambda model: model.bodies.pop("rod"), "add_body"),
    "forces": (lambda model: model.forces.clear(), "add_force"),
    "gravity": (_assign("gravity", (0, 0, -1.62)), "gravity=(0, 0, -9.81)"),
    "all parameters": (_assign("parameters", {"l": 2.0}), "model.with_parameters"),
}


@pytest.mark.parametrize("what", CHANGED_IN_PLACE)
def test_a_model_is_not_changed_by_what_it_answers(what):
    """It did nothing, and the run went on with the old numbers."""
    change, way = CHANGED_IN_PLACE[what]
    (length,) = dl.parameters(l=1.0)
    model = dl.Model("arm")
    moments = (0, length**2 / 12, length**2 / 12)
    rod = model.add_body("rod", dl.Inertia(1.0, moments))
    model.add_joint(dl.Revolute(model.world, rod.at(x=-length / 2), axis="y", name="hinge"))
    with pytest.raises(ModelError, match=re.escape(way)):
        change(model)
    plain = {**model.parameters}
    plain["l"] = 2.0
    again = pickle.loads(pickle.dumps(model.parameters))
    assert copy.deepcopy(model.parameters) == {"l": 1.0} == again


ATTRIBUTES = {
    "a misspelt one": (_assign("gravty", (0, 0, -1.62)), "no 'gravty'; did you mean 'gravity'?"),
    "one that was never there": (_assign("qqqq", 1.0), "model 'arm' has no 'qqqq'"),
    "a method": (_assign("set_initial", {"hinge.angle": 1.0}), "set_initial is a method"),
}


@pytest.mark.parametrize("what", ATTRIBUTES)
def test_a_model_takes_no_attribute_it_does_not_know(what):
    change, told = ATTRIBUTES[what]
    with pytest.raises(AttributeError, match=re.escape(told)):
        change(copy.deepcopy(dl.Model("arm")))


def test_a_model_of_ones_own_keeps_what_is_its_own():
    class Crane(dl.Model):
        def __init__(self):
            super().__init__("crane")
            self.load = self.add_body("load", dl.Inertia.sphere(1.0, 0.1))

    model = copy.copy(Crane())
    model.height = 2.0
    model.suggested = {"until": 1.0}
    assert (model.load.name, model.height) == ("load", 2.0)
    with pytest.raises(ModelError, match="gravity is not assigned"):
        model.gravity = (0, 0, 0)


def test_public_descriptions_say_how_they_change():
    """Frozen ones told "cannot assign to field 'stiffness'", and no way."""
    spring = dl.Spring("a", "b", stiffness=3.0, free_length=1.0, name="k1")
    for change, told in (
        (lambda: setattr(spring, "stiffness", 5.0), "replace(old, stiffness=5.0). A number that"),
        (lambda: setattr(spring, "stifness", 5.0), "Spring 'k1' has no 'stifness'; did you mean"),
        (lambda: delattr(spring, "stiffness"), "does not change"),
        (lambda: setattr(dl.Baumgarte(), "alpha", 5.0), "replace(old, alpha=5.0)."),
        (lambda: setattr(dl.RK4(), "order", 5), "does not change"),
    ):
        with pytest.raises(FrozenInstanceError, match=re.escape(told)) as problem:
            change()
        assert isinstance(problem.value, DalembertError)
    assert pickle.loads(pickle.dumps(spring)).stiffness == 3.0
    assert replace(copy.deepcopy(spring), stiffness=5.0).stiffness == 5.0


@pytest.mark.parametrize("name", dl.__all__)
def test_every_public_description_refuses_in_words(name):
    kind = getattr(dl, name)
    if isinstance(kind, type) and is_dataclass(kind) and name not in ANSWERS:
        assert issubclass(kind, Settled)


ANSWERS = {
    "ContactEquilibrium", "ContactProblem", "Critical", "Doctor", "Equilibrium", "Evaluation",
    "Identified", "Kinematics", "Linearization", "Locus", "Mode", "Rollout", "SelfStress",
    "Sensitivity", "Servo", "Sizing", "Solution", "SteadyMotion",
}  # fmt: skip
"""Results, which nobody sets."""
