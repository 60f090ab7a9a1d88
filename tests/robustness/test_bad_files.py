"""A broken model file gets an ImportFileError with file, line, what was found and the remedy."""

import pytest

from dalembert.errors import ImportFileError
from dalembert.importers.native import load

HEAD = "version: 1\ncoordinates: [x, y]\nkinetic: x.dot**2 + y.dot**2\n"  # lines 1 to 3
BODY = "version: 1\nbodies:\n- name: b\n  mass: 1\n  orientation: roll-pitch-yaw\n"
FREE = "version: 1\nbodies:\n- {name: b, mass: 1, inertia: [1, 1, 1]}\n"  # lines 1 to 3
SHAPE = "version: 1\nbodies:\n- mass: 1\n"  # lines 1 to 3

BROKEN = {
    # text -> line, words
    "misspelt key": (HEAD + "constrains: [x]\n", 4, "'constrains' is unknown; did you mean 'const"),
    "unknown key": (HEAD + "colour: red\n", 4, "key 'colour' is unknown. Known keys: version"),
    "misspelt inner key": (
        HEAD + "simulate:\n  untill: 3\n",
        5,
        "'untill' is unknown; did you mean 'until'",
    ),
    "misspelt key in a list": (
        "version: 1\ncoordinates: [x]\nparticles:\n- mass: 1\n  positon: [x, 0]\n",
        5,
        "did you mean 'position'",
    ),
    "key of a point": (
        HEAD + "points:\n  p: {body: b, att: [0, 0, 0]}\n",
        5,
        "'att' is unknown; did you mean 'at'",
    ),
    "missing version": ("coordinates: [x]\n", None, "'version' is missing. Add 'version: 1'"),
    "other version": ("version: 2\n", 1, "version 2 is not understood, expected 1"),
    "version as text": ("version: '1'\n", 1, "version '1' is not understood"),
    "key twice": (HEAD + "kinetic: 1\n", 4, "'kinetic' stands here and on line 3"),
    "constraint twice": (HEAD + "constraints:\n  a: x\n  a: y\n", 6, "stands here and on line 5"),
    "empty": ("", None, "is empty"),
    "only a comment": ("# nothing\n", None, "is empty"),
    "a list": ("- 1\n- 2\n", None, "holds no keys"),
    "a word": ("hello\n", None, "holds no keys"),
    "bad indentation": ("version: 1\n  name: a\n", 2, "indented too far"),
    "unclosed bracket": (
        "version: 1\ncoordinates: [x, y\nkinetic: 1\n",
        3,
        "is missing before this",
    ),
    "tab": ("version: 1\n\tname: a\n", 2, "begins with a tab"),
    "two documents": ("version: 1\n---\nversion: 1\n", None, "a second document"),
    "python tag": ("version: !!python/object/apply:os.getcwd []\n", 1, "is not understood"),
    "custom tag": ("version: !here 1\n", 1, "is not understood"),
    "set tag": ("version: 1\nname: !!binary aGVsbG8=\n", 2, "is not understood"),
    "list as key": ("? [a, b]\n: 1\n", 1, "a key must be a name"),
    "endless alias": ("version: 1\nlines: &a [*a]\n", 2, "endlessly nested"),
    # values
    "coordinates not a list": ("version: 1\ncoordinates: x\n", 2, "coordinates: found 'x'"),
    "coordinate not a name": ("version: 1\ncoordinates: [3]\nkinetic: 1\n", 2, "found 3"),
    "coordinate with a space": (
        "version: 1\ncoordinates: ['my x']\nkinetic: 1\n",
        2,
        "'my x' cannot name",
    ),
    "coordinate named t": ("version: 1\ncoordinates: [t]\nkinetic: 1\n", 2, "reserved"),
    "coordinate twice": ("version: 1\ncoordinates: [x, x]\nkinetic: 1\n", 2, "taken already"),
    "parameter as text": (
        "version: 1\nparameters: {m: heavy}\n",
        2,
        "parameters.m: found 'heavy', expected a finite number",
    ),
    "parameter formula": ("version: 1\nparameters: {m: 2*3}\n", 2, "go to 'definitions'"),
    "parameter true": ("version: 1\nparameters: {m: true}\n", 2, "found True"),
    "parameter empty": ("version: 1\nparameters:\n  m:\n", 3, "found nothing"),
    "parameter inf": ("version: 1\nparameters: {m: 1e999}\n", 2, "expected a finite number"),
    "parameter and coordinate": (
        "version: 1\nparameters: {x: 1}\ncoordinates: [x]\n",
        3,
        "'x' is taken already",
    ),
    "formula a mapping": (HEAD + "potential: {a: 1}\n", 4, "potential: found a mapping"),
    "formula a list": (HEAD + "potential:\n  - x\n", 4, "found a list"),
    "constraint empty": (HEAD + "constraints:\n  c:\n", 5, "found nothing, expected a formula"),
    "step zero": (HEAD + "simulate: {step: 0}\n", 4, "simulate.step"),
    "step negative": (HEAD + "simulate: {step: -1}\n", 4, "found -1, expected a number above 0"),
    "until text": (HEAD + "simulate: {until: ten}\n", 4, "found 'ten', expected a number"),
    "mapping for a list": (HEAD + "lines: {a: b}\n", 4, "lines: found a mapping, expected a list"),
    "neither list nor mapping": (
        HEAD + "constraints: bar\n",
        4,
        "found 'bar', expected a list or a mapping",
    ),
    # formulas
    "cut at its comma": (
        HEAD + "forces: {x: where(t < 1, 1, 0)}\n",
        4,
        'Put it in quotes: "where\\(t < 1, 1, 0\\)"',
    ),
    "cut in a list": (
        HEAD + "points: {p: [x, hypot(x, 1)]}\n",
        4,
        'Put it in quotes: "hypot\\(x, 1\\)"',
    ),
    "equation": (HEAD + "constraints: {bar: x == 1}\n", 4, "Write left - right"),
    "one equals sign": (HEAD + "constraints: {bar: x = 1}\n", 4, "Write left - right"),
    "unknown symbol": (
        HEAD + "constraints:\n  bar: x**2 + yy**2\n",
        5,
        r"constraints.bar.*unknown name 'yy', in 'x\*\*2 \+ yy\*\*2'. Did you mean 'y'",
    ),
    "unknown function": (HEAD + "constraints: [sine(x)]\n", 4, "Did you mean 'sin"),
    "syntax": (HEAD + "constraints:\n- x\n- x +* y\n", 6, r"constraints\[1\]: this is not a form"),
    "caret": (HEAD + "potential: x^2\n", 4, r"Write x\*\*2"),
    "python call": (HEAD + "potential: __import__(x)\n", 4, "not a known function"),
    "attribute": (HEAD + "potential: x.real\n", 4, "unknown name 'x.real'"),
    "division by zero": (HEAD + "potential: x/0\n", 4, "divides"),
    "definition of later one": (
        HEAD + "definitions:\n  a: b\n  b: x\n",
        5,
        "definitions.a: unknown name 'b'",
    ),
    # meaning
    "no dynamics": ("version: 1\ncoordinates: [x]\n", None, "says nothing about masses"),
    "two dynamics": (HEAD + "mass: [[1, 0], [0, 1]]\nforce: [0, 0]\n", 4, "both state the dyn"),
    "force without mass": (HEAD + "force: [0, 0]\n", 4, "'force' does not go with 'kinetic'"),
    "gravity with kinetic": (HEAD + "gravity: [0, -1]\n", 4, "'gravity' does not go with"),
    "mass without force": ("version: 1\ncoordinates: [x]\nmass: [[1]]\n", 3, "needs 'force'"),
    "mass without coordinates": ("version: 1\nmass: [[1]]\nforce: [0]\n", 2, "'coordinates'"),
    "mass of wrong shape": (
        "version: 1\ncoordinates: [x]\nmass: [[1, 2]]\nforce: [0]\n",
        None,
        "mass: has shape 1 x 2",
    ),
    "mass negative": (
        "version: 1\ncoordinates: [x]\nparticles:\n- {name: p, mass: -1, position: [x, 0]}\n",
        4,
        "particle 'p': mass is -1 kg",
    ),
    "mass of a coordinate": (
        "version: 1\ncoordinates: [x]\nparticles:\n- {name: p, mass: x, position: [x, 0]}\n",
        4,
        "mass depends on x",
    ),
    "no coordinate in constraint": (HEAD + "constraints:\n  c: 3\n", 5, "'c': contains no coo"),
    "force on unknown": (HEAD + "forces: {z: 1}\n", 4, "there is no coordinate 'z'"),
    "initial of unknown": (HEAD + "initial:\n  xdot: 1\n", 5, "did you mean 'x.dot'"),
    "initial of coordinate": (HEAD + "initial: {x: y}\n", 4, "initial 'x' depends on y"),
    "line to nowhere": (HEAD + "points: {p: [x, y]}\nlines: [[p, q]]\n", None, "no point 'q'"),
    "planar body without angle": (
        "version: 1\ncoordinates: [x]\nbodies:\n"
        "- {name: b, mass: 1, inertia: 1, position: [x, 0]}\n",
        4,
        "give 'position' with either 'angle'",
    ),
    "planar body with moments": (
        "version: 1\ncoordinates: [x]\nbodies:\n"
        "- {name: b, mass: 1, inertia: [1, 1, 1], position: [x, 0], angle: 0}\n",
        4,
        "a planar body has one inertia",
    ),
    "planar body with center": (
        "version: 1\ncoordinates: [x]\nbodies:\n"
        "- {name: b, mass: 1, inertia: 1, position: [x, 0], angle: 0, center: [0, 0, 0]}\n",
        4,
        "'center' is for free bodies",
    ),
    "free body with an angle": (BODY + "  inertia: [1, 1, 1]\n  angle: 0\n", 7, "'angle' is of a"),
    "free body at two numbers": (
        BODY + "  inertia: [1, 1, 1]\n  position: [0, 0]\n",
        7,
        "has 2 entries, expected 3",
    ),
    "free body of one moment": (BODY + "  inertia: 1\n", 6, "expected 3 moments"),
    "free body of two moments": (BODY + "  inertia: [1, 1]\n", 6, "has 2 entries, expected 3"),
    "free body impossible": (BODY + "  inertia: [1, 1, 9]\n", 3, "belong to no body"),
    "free body misnamed": (
        "version: 1\nbodies:\n"
        "- {name: my b, mass: 1, inertia: [1, 1, 1], orientation: roll-pitch-yaw}\n",
        3,
        "body 'my b': the name must be a Python name",
    ),
    "unknown orientation": (
        "version: 1\nbodies:\n- {name: b, mass: 1, inertia: [1, 1, 1], orientation: euler}\n",
        3,
        "orientation: found 'euler', expected quaternion or roll-pitch-yaw",
    ),
    "kinds of bodies mixed": (
        FREE + "- {name: c, mass: 1, inertia: [1, 1, 1], orientation: roll-pitch-yaw}\n",
        4,
        "body 'c': its orientation is 'roll-pitch-yaw', that of body 'b' 'quaternion'",
    ),
    "body twice": (FREE + FREE[FREE.index("-") :], 4, "there is a body of that name already"),
    "box without size": (SHAPE + "  inertia: {type: box}\n", 4, "a box needs 'size'"),
    "sphere with a length": (
        SHAPE + "  inertia: {type: sphere, radius: 1, length: 2}\n",
        4,
        "a sphere has no 'length'",
    ),
    "unknown shape": (SHAPE + "  inertia: {type: cone}\n", 4, "inertia.type: found 'cone'"),
    "sphere of no size": (
        SHAPE + "  inertia: {type: sphere, radius: 0}\n",
        4,
        "radius is 0 m. Give a positive length",
    ),
    "rotation": (
        SHAPE + "  inertia: [1, 1, 1]\n  rotation: [1, 1, 0, 0]\n",
        5,
        "has length 1.41421. Give a unit quaternion",
    ),
    "rotation of a parameter": (
        "version: 1\nparameters: {a: 1}\nbodies:\n- name: b\n  mass: 1\n  inertia: [1, 1, 1]\n"
        "  rotation: {axis: x, angle: a}\n",
        7,
        "a is not a number",
    ),
    "misspelt key of a rotation": (
        SHAPE + "  inertia: [1, 1, 1]\n  rotation: {axes: x, angle: 1}\n",
        5,
        "'axes' is unknown; did you mean 'axis'",
    ),
    "frame twice at two places": (
        FREE + "frames: {a: {at: [0, 0]}}\n",
        4,
        "has 2 entries, expected 3",
    ),
    "joint of unknown type": (
        FREE + "joints:\n  h: {type: revolut, first: world, second: b}\n",
        5,
        "type 'revolut' is unknown; did you mean 'revolute'",
    ),
    "joint without type": (FREE + "joints:\n  h: {first: world}\n", 5, "'type' is missing"),
    "misspelt key of a joint": (
        FREE + "joints:\n  h: {type: revolute, first: world, second: b, axs: y}\n",
        5,
        "'axs' is unknown; did you mean 'axis'.* Known keys: type, first, second, axis, initial",
    ),
    "joint without its end": (
        FREE + "joints:\n  h: {type: revolute, first: world}\n",
        5,
        "'second' is missing",
    ),
    "joint to an unknown body": (
        "version: 1\nbodies:\n- {name: crank, mass: 1, inertia: [1, 1, 1]}\n"
        "joints:\n  h: {type: fixed, first: world, second: crnk}\n",
        5,
        "joint 'h': there is no body 'crnk'; did you mean 'crank'",
    ),
    "joint to an unknown frame": (
        "version: 1\nbodies:\n- {name: crank, mass: 1, inertia: [1, 1, 1], frames: {tip: {}}}\n"
        "joints:\n  h: {type: fixed, first: world, second: crank/tipp}\n",
        5,
        "body 'crank' has no frame 'tipp'; did you mean 'tip'",
    ),
    "joint with a frame on an unknown body": (
        FREE + "joints:\n  h: {type: fixed, first: {body: c}, second: b}\n",
        5,
        "there is no body 'c'",
    ),
    "misspelt key of a frame": (
        FREE + "joints:\n  h: {type: fixed, first: {body: world, att: [1, 0, 0]}, second: b}\n",
        5,
        "'att' is unknown; did you mean 'at'",
    ),
    "joint of no axis": (
        FREE + "joints:\n  h: {type: revolute, first: world, second: b, axis: [0, 0, 0]}\n",
        5,
        r"joint 'h': axis \(0, 0, 0\) has no direction",
    ),
    "joint with itself": (
        FREE + "joints:\n  h: {type: fixed, first: b, second: b}\n",
        5,
        "both its frames are on 'b'",
    ),
    "gear of an unknown joint": (
        FREE + "joints:\n  g: {type: gear, first: h, second: k, ratio: 2}\n",
        5,
        "there is no joint 'h'",
    ),
    "joints without bodies": (
        HEAD + "joints:\n  h: {type: fixed, first: a, second: b}\n",
        4,
        "free",
    ),
    "misspelt key of a force": (
        FREE
        + "forces:\n  s: {type: spring, first: world, second: b, free_length: 1, stifness: 2}\n",
        5,
        "'stifness' is unknown; did you mean 'stiffness'",
    ),
    "force of unknown type": (FREE + "forces:\n  s: {type: spirng}\n", 5, "did you mean 'spring'"),
    "force of two components": (
        FREE + "forces:\n  f: {type: force, frame: b, value: [1, 2]}\n",
        5,
        "has 2 entries, expected 3",
    ),
    "force of an unknown symbol": (
        FREE + "forces:\n  f: {type: torque, frame: b, about: x, value: -b.rol}\n",
        5,
        "unknown name 'b.rol'.*Did you mean 'b.roll'",
    ),
    "force by coordinate": (FREE + "forces:\n  b.x: 3\n", 5, "needs 'type'"),
    "force on bodies without bodies": (
        HEAD + "forces:\n  f: {type: potential, value: x}\n",
        5,
        "acts on bodies, of which there are none",
    ),
    "table backwards": (
        FREE + "forces:\n  f: {type: potential, value: {times: [1, 0], values: [1, 2]}}\n",
        5,
        "point 0 follows 1",
    ),
    "name of a joint and a force": (
        FREE + "joints:\n  h: {type: fixed, first: world, second: b}\n"
        "forces:\n  h: {type: potential, value: b.x}\n",
        7,
        "force 'h': there is a joint of that name already",
    ),
    "free and placed": (
        BODY + "  inertia: [1, 1, 1]\nparticles: [{mass: 1, position: [0, 0, 0]}]\n",
        2,
        "both state the dynamics|do not mix",
    ),
    "point of unknown body": (
        HEAD + "points:\n  p: {body: b, at: [0, 0, 0]}\n",
        5,
        "there is no free body 'b'",
    ),
    "point at two numbers": (
        BODY + "  inertia: [1, 1, 1]\npoints:\n  p: {body: b, at: [0, 0]}\n",
        8,
        "has 2 entries, expected 3",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_yaml(case, tmp_path):
    text, line, words = BROKEN[case]
    path = tmp_path / "model.yaml"
    path.write_text(text)
    with pytest.raises(ImportFileError, match=words) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    if line is not None:
        assert f"line {line}" in message
    assert "pydantic" not in message


def test_every_unknown_key_is_reported(tmp_path):
    path = tmp_path / "model.yaml"
    path.write_text("version: 1\ncordinates: [x]\nkinetik: 1\nparameters: {m: no}\n")
    with pytest.raises(ImportFileError) as caught:
        load(path)
    lines = str(caught.value).splitlines()
    assert len(lines) == 3
    assert [line.partition(": ")[0] for line in lines] == [
        f"{path}, line 4",
        f"{path}, line 2",
        f"{path}, line 3",
    ]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("m.json", b'{"version": 1,}', "line 1: not well-formed JSON"),
        ("m.json", b'{"version": 1, "kinetc": "x"}', "line 1: key 'kinetc' is unknown"),
        ("m.json", b'{"version": NaN}', "nan"),
        ("m.toml", b"version = ", "not well-formed TOML"),
        ("m.toml", b'version = 1\nkinetc = "x"', "did you mean 'kinetic'"),
        ("m.yaml", b"\xff\xfe\x00v", "is not UTF-8"),
        ("m.yaml", b"version: 1\nname: \x00\n", "not text but binary"),
        ("m.xml", b"<model/>", "'.xml' are not model files"),
        ("model", b"version: 1", "are not model files"),
    ],
)
def test_broken_bytes(name, content, words, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ImportFileError, match=words):
        load(path)


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(ImportFileError, match="no such file"):
        load(tmp_path / "nowhere.yaml")
    folder = tmp_path / "folder.yaml"
    folder.mkdir()
    with pytest.raises(ImportFileError, match="is a folder"):
        load(folder)


def test_growing_aliases_are_stopped(tmp_path):
    text = "version: 1\na0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
    for i in range(1, 9):
        text += f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n"
    path = tmp_path / "bomb.yaml"
    path.write_text(text)
    with pytest.raises(ImportFileError, match="too many"):
        load(path)
