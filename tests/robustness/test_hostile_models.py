"""Model files that ask for too much: refused by name, in seconds, whatever they hold."""

from __future__ import annotations

import itertools
import os
import time

import pytest
from tests.file_fuzz import judge_seed

import dalembert as dl
from dalembert.errors import DalembertError, ImportFileError

COUNT = int(os.environ.get("DALEMBERT_FILE_FUZZ", "40"))
"""Random files; 20 000 are read by python -m tests.file_fuzz --count 20000."""

PENDULUM = """version: 1
coordinates: [x, y]
parameters: {m: 1.0, l: 1.0}
kinetic: m*(x.dot**2 + y.dot**2)/2
potential: NUMBER*m*y
constraints: {rod: x**2 + y**2 - l**2}
initial: {x: 1.0}
"""


def written(folder, text, name="model.yaml"):
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("suffix", [".yaml", ".json", ".toml", ".urdf", ".xml", ".npz", ".stl"])
def test_devices_and_pipes_are_not_read(suffix, tmp_path):
    pipe = tmp_path / f"pipe{suffix}"
    os.mkfifo(pipe)
    zero = tmp_path / f"zero{suffix}"
    zero.symlink_to("/dev/zero")
    for path in (pipe, zero):
        with pytest.raises(DalembertError, match=r"device|pipe|not a file|no file"):
            dl.Mesh(path) if suffix == ".stl" else dl.load(path)


def test_a_model_that_names_a_device(tmp_path):
    model = written(tmp_path, "version: 1\nurdf: /dev/zero\n")
    with pytest.raises(ImportFileError, match="device"):
        dl.load(model)
    mesh = tmp_path / "zero.stl"
    mesh.symlink_to("/dev/zero")
    robot = (
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="zero.stl"/></geometry>'
        "</visual></link></robot>"
    )
    with pytest.raises(DalembertError):
        dl.load_urdf(written(tmp_path, robot, "robot.urdf"), meshes=str(tmp_path))


@pytest.mark.parametrize("digits", ["9" * 400, "9" * 5000, "1e400", "-" + "9" * 400])
@pytest.mark.parametrize("suffix", ["yaml", "json", "toml"])
def test_numbers_of_many_digits(digits, suffix, tmp_path):
    as_formula = PENDULUM.replace("NUMBER", digits)
    with pytest.raises(ImportFileError, match=r"line 5|number|digits"):
        dl.load(written(tmp_path, as_formula))
    text = {
        "yaml": f"version: 1\ncoordinates: [x]\nkinetic: x.dot**2\nparameters: {{m: {digits}}}\n",
        "json": f'{{"version": 1, "coordinates": ["x"], "parameters": {{"m": {digits}}}}}',
        "toml": f'version = 1\ncoordinates = ["x"]\n[parameters]\nm = {digits}\n',
    }[suffix]
    with pytest.raises(DalembertError):
        dl.load(written(tmp_path, text, f"m.{suffix}"))


@pytest.mark.parametrize("bracket", ["[", "{", "(", "{a: ", "- ", "-", "sin(", '{"a":'])
@pytest.mark.parametrize("suffix", ["yaml", "json", "toml"])
def test_a_hundred_thousand_brackets(bracket, suffix, tmp_path):
    began = time.process_time()
    for text in (bracket * 100_000, PENDULUM.replace("NUMBER", bracket * 100_000)):
        with pytest.raises(ImportFileError) as caught:
            dl.load(written(tmp_path, text, f"m.{suffix}"))
        assert len(str(caught.value)) < 11_000
    assert time.process_time() - began < 5.0


def test_aliases_of_aliases(tmp_path):
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    for one, two in itertools.pairwise("abcdefghij"):
        lines.append(f"{two}: &{two} [{', '.join([f'*{one}'] * 10)}]")
    with pytest.raises(ImportFileError, match="too many or endlessly"):
        dl.load(written(tmp_path, "\n".join(lines)))


def test_a_file_that_is_too_large(tmp_path):
    path = tmp_path / "m.yaml"
    with path.open("wb") as file:
        file.truncate(2**32)
    with pytest.raises(ImportFileError, match="bytes"):
        dl.load(path)


MJCF = {
    "copies": '<replicate count="100000">' + '<geom size="1"/>' * 3 + "</replicate>",
    "copies of copies": '<replicate count="1000">' * 3 + '<geom size="1"/>' + "</replicate>" * 3,
}


@pytest.mark.parametrize("case", MJCF)
def test_what_multiplies_in_mjcf(case, tmp_path):
    pytest.importorskip("mujoco")
    text = f"<mujoco><worldbody>{MJCF[case]}</worldbody></mujoco>"
    with pytest.raises(ImportFileError, match="stands for more than"):
        dl.load(written(tmp_path, text, "m.xml"))


@pytest.mark.parametrize(
    "asset",
    [
        '<texture type="2d" builtin="flat" width="100000" height="100000"/>',
        '<hfield name="h" nrow="100000" ncol="100000" size="1 1 1 1"/>',
    ],
)
def test_what_is_large_in_mjcf(asset, tmp_path):
    pytest.importorskip("mujoco")
    for text in (
        f"<mujoco><asset>{asset}</asset></mujoco>",
        '<mujoco><size memory="100G"/></mujoco>',
        '<mujoco><size nuser_body="1000000000"/></mujoco>',
        '<mujoco><include file="/dev/zero"/></mujoco>',
        '<!DOCTYPE m [<!ENTITY a "b">]><mujoco model="&a;"/>',
    ):
        with pytest.raises(ImportFileError):
            dl.load(written(tmp_path, text, "m.xml"))


def test_names_of_formulas_are_made_when_asked_for(tmp_path):
    body = "{name: ship, mass: 2.0, inertia: [1, 1, 1], position: [0, 0, 1]}"
    text = (
        f"version: 1\nbodies: [{body}]\n"
        "forces: {pull: {type: force, frame: ship, value: [0, 0, '-3*ship.z - ship.z.dot']}}\n"
    )
    model = dl.load(written(tmp_path, text))
    assert "ship.z" in repr(model.forces["pull"].value)
    with pytest.raises(ImportFileError, match="Did you mean 'ship"):
        dl.load(written(tmp_path, text.replace("ship.z.dot", "ship.zz")))


def chain(count):
    lines = ["version: 1", "bodies:"]
    lines += [f"  - {{name: b{i}, mass: 1.0, inertia: [1, 1, 1]}}" for i in range(count)]
    lines.append("joints:")
    for i in range(count):
        first = f"b{i - 1}" if i else "world"
        lines.append(f"  j{i}: {{type: revolute, first: {first}, second: b{i}, axis: y}}")
    return "\n".join(lines)


@pytest.mark.slow
def test_the_time_of_a_check_grows_with_the_model(tmp_path):
    """Four times as many bodies take about four times as long, not sixteen times."""
    spent = []
    for count in (50, 200, 800):
        path, tries = written(tmp_path, chain(count), f"m{count}.yaml"), []
        for _ in range(3):  # the least: garbage of other tests may be collected in one of them
            began = time.process_time()
            dl.load(path).check()
            tries.append(time.process_time() - began)
        spent.append(min(tries))
    assert spent[2] < 8.0 * spent[1]


@pytest.mark.slow
def test_an_impossible_assembly_is_refused_in_seconds():
    model = dl.Model("net")
    bodies = [
        model.add_body(
            f"b{i}", dl.Inertia.box(mass=1, size=(0.3, 0.2, 0.1)), position=(i, i * i % 3, 0.1 * i)
        )
        for i in range(6)
    ]
    for i, j in itertools.combinations(range(6), 2):
        length = 9.0 if (i, j) == (0, 5) else 1.0
        ends = bodies[i].at(x=0.1), bodies[j].at(y=0.1)
        model.add_joint(dl.Distance(*ends, length=length, name=f"d{i}{j}"))
    began = time.process_time()
    with pytest.raises(DalembertError, match="do not close"):
        model.check()
    assert time.process_time() - began < 10.0


def test_random_files():
    complaints = []
    for seed in range(COUNT):
        complaints += [f"{seed}: {said}" for said in judge_seed(seed).complaints]
    assert not complaints
