"""Plausible mistakes: each is told what is wrong, where, and what to do, in the language it
was made in.

Python is told in Python, model files in YAML, commands in options: nobody who wrote a file reads of
`dl.` or of keyword arguments.
"""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import dalembert as dl
from dalembert.cli import main
from dalembert.errors import DalembertError

x, y = dl.coordinates("x y")
m, l, wind = dl.parameters(m=1.0, l=1.0, wind=-0.5)


def pendulum():
    return dl.Model.from_lagrangian(
        kinetic=m * (x.dot**2 + y.dot**2) / 2,
        potential=m * 9.81 * y + wind * x,
        constraints={"bar": x**2 + y**2 - l**2},
        initial={x: 1.0},
        name="pendulum",
    )


def arm():
    model = dl.Model("arm")
    link = model.add_body("link", dl.Inertia.rod(1.0, length=1.0))
    model.add_joint(dl.Revolute(model.world, link.at(x=-0.5), axis="y", name="hinge"))
    return model


def run(model, **options):
    return dl.simulate(model, **({"until": 0.1, "step": 1e-2} | options))


PYTHON = {
    "a plain list as the start": (
        lambda: run(pendulum(), initial=[1, 0]),
        ["initial: [1, 0] is a plain list", "initial={'x': 1, 'y': 0}", "initial=(q0, v0)"],
    ),
    "a negative mass as a parameter": (
        lambda: run(pendulum(), parameters={"m": -1}),
        ["with m = -1 the kinetic", "coordinate 'x'", "Give masses and inertias values above zero"],
    ),
    "a force of the motion in a formula": (
        lambda: -0.1 * arm().joints["hinge"].force,
        ["hinge.force is the force that the motion needs", "dl.JointFriction(joint, coefficient="],
    ),
    "a tuple times a formula": (
        lambda: dl.parameters(k=2.0) * x,
        ["not a whole number", "k, = dl.parameters(k=2.0)"],
    ),
    "friction without a direction": (
        lambda: pendulum().keep(y >= -1, friction=0.3),
        ["'keep1'", "no sliding that it acts against", "Give sliding=x"],
    ),
    "a spring of no constraint": (
        lambda: run(pendulum(), method=dl.Compliant({"bra": 1e6})),
        ["Compliant: stiffness", "no constraint or joint 'bra'", "did you mean 'bar'?"],
    ),
    "a text as a gain": (
        lambda: dl.Baumgarte(alpha="x"),
        ["Baumgarte: alpha is 'x'", "Give a positive number"],
    ),
    "moments of no body": (
        lambda: dl.Inertia(1.0, (1, 1, 5)),
        ["principal moments 1, 1, 5", "about the centre of mass", "give doubtful=True"],
    ),
    "a function of math": (
        lambda: math.sin(x),
        ["A formula is not a number", "test_mistakes.py", "np.sin instead of math.sin"],
    ),
    "a comparison as a constraint": (
        lambda: arm().constrain(x <= 1),
        ["constraint 'c1'", "x <= 1", "given to model.keep"],
    ),
    "a text as a constraint": (
        lambda: arm().constrain("x**2 - 1"),
        ["constraint 'c1'", "'x**2 - 1'", "without quotes"],
    ),
    "a misspelt parameter": (
        lambda: run(pendulum(), parameters={"ll": 2.0}),
        ["parameter 'll'", "did you mean 'l'?"],
    ),
    "a misspelt joint at the start": (
        lambda: arm().set_initial({"hing.angle": 1.0}),
        ["initial 'hing.angle'", "did you mean 'hinge.angle'?"],
    ),
    "a misspelt signal": (
        lambda: run(arm())["hinge.angel"],
        ["no signal 'hinge.angel'", "Did you mean 'hinge.angle'?"],
    ),
    "a method by its name": (
        lambda: run(pendulum(), method="baumgarte"),
        ["'baumgarte' is not a method", "dl.Baumgarte()"],
    ),
    "a method without brackets": (
        lambda: run(pendulum(), method=dl.Rattle),
        ["the class Rattle is not a method", "Rattle(), with brackets"],
    ),
    "a fixed step that is missing": (
        lambda: dl.simulate(pendulum(), until=1.0, integrator=dl.RK4()),
        ["RK4 needs a fixed step", "Give step=..., in seconds"],
    ),
    "a negative step": (
        lambda: run(pendulum(), step=-1e-3),
        ["step is -0.001", "Give a positive time in seconds"],
    ),
    "an end before the start": (
        lambda: run(pendulum(), until=-1.0),
        ["until (-1 s) is not after start (0 s)", "Give a later end"],
    ),
    "a start far away": (
        lambda: run(pendulum(), initial={x: 3.0}),
        ["coordinate 'x' would have to move by 2", "raise initial_limit"],
    ),
    "an acceleration in a constraint": (
        lambda: pendulum().constrain(x.ddot),
        ["'x.ddot': is an acceleration", "Read it from a solution"],
    ),
    "a joint to an unknown body": (
        lambda: arm().add_joint(dl.Revolute("world", "lnk", axis="y")),
        ["joint 'revolute1'", "there is no body 'lnk'", "did you mean 'link'?"],
    ),
    "an axis of no name": (
        lambda: arm().add_joint(dl.Revolute("world", "link", axis="w")),
        ["revolute joint: axis 'w' is unknown", "Give 'x', 'y', 'z'"],
    ),
    "an event that is a condition": (
        lambda: run(pendulum(), events=[dl.Event(x < 0.9)]),
        ["Event: x < 0.9 is a condition", "give left - right"],
    ),
    "an event without a list": (
        lambda: run(pendulum(), events=dl.Event(x - 0.9)),
        ["events takes a list", "events=[dl.Event(...)]"],
    ),
    "an action that is a function": (
        lambda: dl.Event(x - 0.9, action=lambda state: None),
        ["a function is no action", "dl.Release(...)"],
    ),
    "an action without its name": (
        lambda: dl.Event(x - 0.9, action=dl.Release),
        ["the class Release is no action", "dl.Release(...)"],
    ),
    "an action that sets no number": (
        lambda: dl.Event(x - 0.9, action={"x.dot": math.nan}),
        ["'x.dot' is set to nan", "Give a finite number"],
    ),
    "a release of nothing": (
        lambda: run(pendulum(), released=["bra"]),
        ["released: model 'pendulum' has no joint or constraint 'bra'", "did you mean 'bar'?"],
    ),
    "engaged where it does not hold": (
        lambda: dl.simulate(
            pendulum(),
            until=1.0,
            released=["bar"],
            events=[dl.Event(y + 0.5, action=dl.Engage("bar"))],
        ),
        ["At t = 0.319", "Engage('bar'): the constraint is off by", "event of its own formula"],
    ),
    "a mode of no name": (
        lambda: run(pendulum(), mode="event"),
        ["mode is 'event'", "Give 'auto', 'events' or 'stepping'"],
    ),
    "events where nothing touches": (
        lambda: dl.simulate(pendulum(), until=0.1, mode="events"),
        ["model 'pendulum' has nothing that touches or stops", "Leave `mode` out"],
    ),
    "a negative tolerance": (
        lambda: dl.simulate(pendulum(), until=0.1, rtol=-1),
        ["simulate: rtol is -1", "from 1e-14 to 1"],
    ),
    "a tolerance in quotes": (
        lambda: dl.simulate(pendulum(), until=0.1, rtol="1e-6"),
        ["simulate: rtol is '1e-6'", "Give a number"],
    ),
    "a tolerance that is none": (
        lambda: dl.simulate(pendulum(), until=0.1, rtol=2.0),
        ["simulate: rtol is 2.0", "from 1e-14 to 1"],
    ),
    "a tolerance and a step": (
        lambda: run(pendulum(), rtol=1e-6),
        ["not for a fixed step", "Leave `step` out, or leave them out"],
    ),
    "an angle in degrees": (
        lambda: arm().set_initial({"hinge.angle": "90deg"}),
        ["initial 'hinge.angle' is '90deg', not a number", "in m or rad"],
    ),
    "a page of a model": (
        lambda: dl.save_html(pendulum(), "pendulum.html"),
        ["is not a Solution", "Give what simulate returned"],
    ),
    "a page that is a picture": (
        lambda: dl.save_html(run(pendulum()), "pendulum.png"),
        ["'pendulum.png' is not the name of a page", "end in .html"],
    ),
    "two bodies of one name": (
        lambda: arm().add_body("link", dl.Inertia.rod(1.0, length=1.0)),
        ["body 'link': there is a body of that name already", "Choose another name"],
    ),
}

FORMULAS = """version: 1
coordinates: [x, y]
parameters: {m: 1.0}
kinetic: m*(x.dot**2 + y.dot**2)/2
constraints: {bar: x**2 + y**2 - 1}
initial: {x: 1}
simulate: {until: 0.1, step: 1e-2}
"""
DOOR = """version: 1
bodies:
  - {name: door, mass: 20, inertia: {type: box, size: [0.9, 0.04, 2]}}
joints:
  hinge: {type: revolute, first: world, second: {body: door, at: [-0.45, 0, 0]}, axis: z}
simulate: {until: 0.1, step: 1e-2}
"""
BOX = "{type: box, size: [0.9, 0.04, 2]}"

FILES = {
    "moments of no body": (
        DOOR.replace(BOX, "[1, 1, 5]"),
        ["model.yaml, line 3: body 'door'", "principal moments 1, 1, 5", "give doubtful: true"],
    ),
    "a start far away": (
        FORMULAS.replace("{x: 1}", "{x: 3}"),
        ["coordinate 'x' would have to move by 2", "raise --initial-limit"],
    ),
    "a misspelt key": (
        FORMULAS.replace("kinetic", "kinetik"),
        ["model.yaml, line 4: key 'kinetik' is unknown", "did you mean 'kinetic'?"],
    ),
    "an unknown coordinate": (
        FORMULAS.replace("y.dot**2", "z.dot**2"),
        ["model.yaml, line 4: kinetic: unknown name 'z'", "Known names: m, x, y"],
    ),
    "a hat as a power": (
        FORMULAS.replace("x**2 + y**2", "x^2 + y^2"),
        ["model.yaml, line 5: constraints.bar", "'^' is not a power", "Write x**2"],
    ),
    "an equation as a constraint": (
        FORMULAS.replace("y**2 - 1", "y**2 = 1"),
        ["model.yaml, line 5: constraints.bar", "Write left - right, which is zero"],
    ),
    "a misspelt kind of joint": (
        DOOR.replace("revolute", "revolut"),
        ["model.yaml, line 5: joints.hinge", "did you mean 'revolute'?"],
    ),
    "an unknown body": (
        DOOR.replace("body: door,", "body: dor,"),
        ["model.yaml, line 5", "there is no body 'dor'", "did you mean 'door'?"],
    ),
    "a negative mass": (
        FORMULAS.replace("{m: 1.0}", "{m: -1.0}"),
        ["with m = -1", "Give masses and inertias values above zero"],
    ),
    "a door that hangs elsewhere": (
        DOOR.replace("mass: 20", "mass: 20, position: [3, 0, 0]"),
        ["coordinate 'door.x' would have to move by 2.55", "raise --initial-limit"],
    ),
    "a misspelt start": (
        DOOR + "initial: {hinge.angel: 0.5}\n",
        ["model.yaml, line 7", "initial 'hinge.angel'", "did you mean 'hinge.angle'?"],
    ),
    "a shape of a body in the list of the world's": (
        DOOR + "shapes: [{type: box, on: door, size: [1, 1, 1]}]\n",
        ["shapes.0: key 'on' is unknown: these are shapes of the world", "bodies: [{name: ..., "],
    ),
    "a mode of no name": (
        FORMULAS.replace("step: 1e-2", "mode: event"),
        ["model.yaml, line 7: simulate.mode: found 'event'", "auto, events or stepping"],
    ),
    "a tolerance that is none": (
        FORMULAS.replace("step: 1e-2", "rtol: 3.0"),
        ["rtol is 3.0", "from 1e-14 to 1"],
    ),
    "a position of two numbers": (
        DOOR.replace("mass: 20", "mass: 20, position: [0, 0]"),
        ["model.yaml, line 3: bodies[0].position has 2 entries, expected 3"],
    ),
    "no version": (
        FORMULAS.replace("version: 1\n", ""),
        ["model.yaml: key 'version' is missing", "Add 'version: 1'"],
    ),
}

COMMANDS = {
    "rnu pendulum": ["There is no command 'rnu'", "Did you mean 'run'?"],
    "run pendlum": ["no catalog model 'pendlum'", "did you mean 'pendulum'?"],
    "run pendulum --untill 3": ["no option '--untill'", "Did you mean '--until'?"],
    "run pendulum --until 3s": ["--until: '3s' is not a number of seconds", "Write 3."],
    "run pendulum --method projektion": ["No method 'projektion'", "did you mean 'projection'?"],
    "run pendulum --parameters k=2": ["--parameters: no 'k'", "Known: g, l, m"],
    "run bare.yaml --until 0.1 --integrator rk4": ["rk4 needs a fixed step", "Give --step"],
    "run pendulum --until 1 --method rattle --integrator rk4": [
        "rattle brings its own time discretisation",
        "Leave the integrator out",
    ],
    "run pendulum --method baumgarte:alpha=x": ["alpha is 'x'", "baumgarte:alpha=0.1"],
    "run mdel.yaml": ["mdel.yaml: there is no such file", "Did you mean 'model.yaml'?"],
    "plot pendulum x.dto --until 0.1": ["no signal 'x.dto'", "Did you mean 'x.dot'?"],
    "run pendulum --until 0.1 --out kept.npz": ["kept.npz: is there already", "--overwrite"],
    "run pendulum --until 0.1 --step 1": ["step 1 s is longer than", "Give a smaller step"],
    "run model.yaml --mode event": ["--mode: 'event' is not known", "Did you mean 'events'?"],
    "run bare.yaml --until 0.1 --mode events": [
        "--mode events: model 'model' has nothing that touches or stops",
        "Leave --mode out",
    ],
    "run incline --mode events --step 1e-3": ["--mode events chooses its own", "Leave --step out"],
    "run bare.yaml --until 0.1 --rtol -1": ["--rtol is -1.0", "from 1e-14 to 1"],
    "run model.yaml --step 1e-3 --rtol 1e-6": [
        "--rtol and --atol are for runs that choose their steps, not for a fixed step",
        "Leave --step out, or leave them out",
    ],
    "run pendulum --until 0.1 --html page.png": ["'page.png' is not the name of a page", ".html"],
    "reactions slider-crank-bodies --until 0.01 bearing": [
        "'bearing' comes too late",
        "Write each NAME before the options",
    ],
    "reactions slider-crank-bodies bering --until 0.01": [
        "no joint, constraint or force 'bering'",
        "did you mean 'bearing'?",
    ],
}

PYTHON_ONLY = (
    *("dl.", "=True", "=False", "initial_limit", "step=", "simulate:", "model.keep", "mode="),
    *("rtol=", "save_html"),
)
"""Words that mean nothing to who wrote no Python."""


def test_there_are_seventy():
    assert len(PYTHON) + len(FILES) + len(COMMANDS) >= 70


@pytest.mark.parametrize("mistake", PYTHON)
def test_mistakes_in_python(mistake):
    made, told = PYTHON[mistake]
    with pytest.raises(DalembertError) as problem:
        made()
    for part in told:
        assert part in str(problem.value), str(problem.value)


def said(capsys, words, code):
    capsys.readouterr()
    assert main(words) in code
    text = capsys.readouterr().err
    assert not [word for word in PYTHON_ONLY if word in text], text
    return text


@pytest.mark.parametrize("mistake", FILES)
def test_mistakes_in_files(mistake, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text, told = FILES[mistake]
    Path("model.yaml").write_text(text)
    found = said(capsys, ["run", "model.yaml"], (2, 3))
    for part in told:
        assert part in found, found


@pytest.mark.parametrize("command", COMMANDS)
def test_mistakes_in_commands(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("model.yaml").write_text(FORMULAS)
    Path("bare.yaml").write_text(FORMULAS.replace("simulate: {until: 0.1, step: 1e-2}\n", ""))
    Path("kept.npz").write_bytes(b"")
    found = said(capsys, command.split(), (2,))
    for part in COMMANDS[command]:
        assert part in found, found


def test_names_that_a_terminal_cannot_show_end_no_command(tmp_path):
    import os
    import subprocess
    import sys

    text = FORMULAS.replace("version: 1", "version: 1\nname: pendel-ü")
    (tmp_path / "model.yaml").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "dalembert", "run", "model.yaml"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Fidelity report: pendel-\\xfc" in done.stdout
