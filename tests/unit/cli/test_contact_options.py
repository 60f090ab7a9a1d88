"""Options of contact as text: the same names on the command line, in files and in Python."""

from __future__ import annotations

import dataclasses

import pytest

import dalembert as dl
from dalembert.cli import BAD_INPUT, OK, main
from dalembert.cli.choices import method_of
from dalembert.errors import OptionError

TEXTS = {
    # every option, as text and as it is in Python; all but the default
    "solver": ("nsgs", "nsgs"),
    "friction": ("box", dl.BoxFriction()),
    "tolerance": ("1e-7", 1e-7),
    "profile": ("accurate", "accurate"),
    "forces": ("min_norm", "min_norm"),
    "restitution": ("poisson", "poisson"),
    "impacts": ("sequential", "sequential"),
    "stabilised": ("0.01", 0.01),
    "order": ("2", 2),
    "strict": ("true", True),
    "slop": ("1e-4", 1e-4),
    "threshold": ("0.01", 0.01),
    "sleeping": ("true", True),
    "smooth": ("false", False),
}

FILE = """
version: 1
name: ball
bodies:
- name: ball
  mass: 1
  inertia: {{type: sphere, radius: 0.1}}
  position: [0, 0, 0.1]
  shapes: [{{type: sphere, radius: 0.1, contact: true}}]
shapes: [{{type: plane, contact: true}}]
simulate: {{until: 0.02, step: 0.005, method: "contact-impulse:{}"}}
"""


def test_there_is_a_text_for_every_option():
    assert set(TEXTS) == {field.name for field in dataclasses.fields(dl.ContactImpulse)}


@pytest.mark.parametrize("name", TEXTS)
def test_text_and_python_say_the_same(name):
    text, value = TEXTS[name]
    more, options = "", {name: value}
    if name == "friction":
        more, options = "solver=pgs,", {name: value, "solver": "pgs"}
    assert method_of(f"contact-impulse:{more}{name}={text}") == dl.ContactImpulse(**options)


@pytest.mark.parametrize("name", TEXTS)
def test_from_a_file(name, tmp_path, capsys):
    text, value = TEXTS[name]
    written = f"{name}={text}" if name != "friction" else f"solver=pgs,{name}={text}"
    path = tmp_path / "ball.yaml"
    # located events have no step
    step = "" if name in ("impacts", "stabilised") else " step: 0.005,"
    path.write_text(FILE.format(written).replace(" step: 0.005,", step))
    assert main(["run", str(path)]) == OK
    assert f"{name}={value!r}" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("pgs:sweeps=20", dl.ProjectedGaussSeidel(sweeps=20)),
        ("pgs:sweeps=20:friction=pyramid8", dl.ProjectedGaussSeidel(20, dl.Pyramid(8))),
        ("admm:penalty=0.5", dl.ADMM(penalty=0.5)),
        ("auto:tolerance=1e-6", dl.AutomaticContact(tolerance=1e-6)),
    ],
)
def test_solvers_with_parameters(text, meant):
    method = method_of(f"contact-impulse:solver={text}")
    assert method.contact_solver() == meant
    assert dl.ContactImpulse(solver=text).contact_solver() == meant


WRONG = {
    "force=min_norm": "no parameter 'force'; did you mean 'forces'?",
    "forces=minnorm": "forces is 'minnorm'; did you mean 'min_norm'?",
    "profile=fats": "profile is 'fats'; did you mean 'fast'?",
    "restitution=poison": "restitution is 'poison'; did you mean 'poisson'?",
    "solver=nsg": "'nsg' is no contact solver; did you mean 'nsgs'?",
    "solver=pgs:sweep=2": "no parameter 'sweep'; did you mean 'sweeps'?",
    "solver=pgs:sweeps": "'sweeps' is not key=value",
    "solver=pgs:sweeps=many": "sweeps is 'many'. Give a positive integer.",
    "solver=pgs,friction=boxes": "friction is 'boxes'. Give 'pyramid'",
    "solver=pgs,friction=pyramid5": "edges is 5. Give an even number",
    "friction=box": "AutomaticContact works with the round cone",
    "sleeping=maybe": "sleeping is 'maybe'. Give true or false, contact-impulse:sleeping=true",
    "strict=0.5": "strict is 0.5. Give True or False.",
    "order=two": "order is 'two'. Give a whole number, contact-impulse:order=2",
    "order=3": "order is 3. Give 1 or 2.",
    "tolerance=small": "tolerance is 'small'. Give a number",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_named(text, tmp_path, capsys):
    with pytest.raises(OptionError) as problem:
        method_of(f"contact-impulse:{text}")
    assert WRONG[text] in str(problem.value)
    path = tmp_path / "ball.yaml"
    path.write_text(FILE.format(text))
    assert main(["run", str(path)]) == BAD_INPUT
    told = " ".join(capsys.readouterr().err.split())
    assert "ball.yaml: simulate.method: " in told
    assert WRONG[text] in told


def test_a_file_may_choose_the_coordinates(tmp_path, capsys):
    path, text = tmp_path / "ball.yaml", FILE.format("order=1")
    path.write_text(text.replace("until: 0.02", "until: 0.02, formulation: maximal"))
    assert main(["run", str(path)]) == OK
    path.write_text(text.replace("until: 0.02", "until: 0.02, formulation: minimal"))
    capsys.readouterr()
    assert main(["run", str(path)]) == BAD_INPUT
    told = " ".join(capsys.readouterr().err.split())
    assert "simulate.formulation" in told
    assert "'maximal'" in told
