import json
from pathlib import Path

import numpy as np
import pytest
from tests.unit.importers.test_bodies import assert_same

from dalembert import catalog
from dalembert.errors import FileError, ImportFileError, ModelError
from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.variables import coordinates, time
from dalembert.importers.native import json_schema, load, write_schema
from dalembert.importers.source import read_source
from dalembert.importers.writing import save_model
from dalembert.model import Inertia, Model

ROOT = Path(__file__).parents[3]
PENDULUM = """\
version: 1
name: pendulum
parameters: {m: 1.0, l: 1, g: 9.81}
coordinates: [x, y]
kinetic: m*(x.dot**2 + y'**2)/2
potential: m*g*y
constraints:
  bar: x**2 + y**2 - l**2
initial: {x: l}
points: {pivot: [0, 0], mass: [x, y]}
lines: [[pivot, mass]]
simulate: {until: 10, step: 1e-3, method: projection, integrator: rk4}
"""


@pytest.fixture
def write(tmp_path):
    def write(text, name="model.yaml"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def numbers(formulas, model, seed=3):
    generator = np.random.default_rng(seed)
    values = {time: 0.3}
    for q in model.coordinates:
        values |= {q: generator.uniform(0.2, 1.0), q.dot: generator.uniform(-1, 1)}
    return np.array([float(x) for x in evaluate(list(formulas), values)])


def test_yaml(write):
    model = load(write(PENDULUM))
    assert repr(model) == "Model('pendulum': 2 coordinates, 1 constraint row)"
    assert model.parameters == {"g": 9.81, "l": 1.0, "m": 1.0}
    assert model.initial == {"x": 1.0}
    assert model.lines == [("pivot", "mass")]
    assert model.suggested == {
        "until": 10.0,
        "step": 1e-3,
        "method": "projection",
        "integrator": "rk4",
    }
    reference = catalog.load("pendulum")
    assert model.mass == reference.mass
    assert model.force == reference.force
    assert model.constraints[0].rows == reference.constraints[0].rows
    assert model.with_parameters(l=2.0).initial == {"x": 2.0}


def test_json_with_tabs(write):
    data = {
        "version": 1,
        "coordinates": ["x"],
        "kinetic": "x.dot**2/2",
        "constraints": ["x - sin(t)", ["x", "2*x"]],
    }
    model = load(write(json.dumps(data, indent="\t"), "model.json"))
    assert model.row_names == ["c1", "c2[0]", "c2[1]"]


def test_toml(write):
    text = 'version = 1\ncoordinates = ["x"]\nkinetic = "x.dot**2/2"\n[parameters]\nk = 2\n'
    assert load(write(text, "model.toml")).coordinates == list(coordinates("x"))


def test_numbers_are_those_of_yaml_1_2(write):
    source = read_source(
        write("a: 1e-3\nb: .5\nc: 1:30\nd: yes\ne: true\nf: ~\ng: '1'\nh: 1_000\n")
    )
    assert source.data == {
        "a": 1e-3,
        "b": 0.5,
        "c": "1:30",
        "d": "yes",
        "e": True,
        "f": None,
        "g": "1",
        "h": "1_000",
    }
    assert source.line(("d",)) == 4


def test_matrices(write):
    text = """\
version: 1
coordinates: [x, y]
definitions:
  c: cos(x)
mass: [[2, c], [c, 1]]
force: [0, -9.81]
bias: [x.dot*y.dot, 0]
potential: 9.81*y
"""
    model = load(write(text))
    x, y = model.coordinates
    assert model.mass[0][1] is np.cos(x)
    values = {x: 0.0, y: 0.0, x.dot: 2.0, y.dot: 3.0}
    assert [float(v) for v in evaluate(model.force, values)] == [-6.0, -9.81]


def test_particles_and_planar_bodies(write):
    text = """\
version: 1
parameters: {l: 2.0}
coordinates: [theta]
particles:
  - {name: bob, mass: 1, position: [l*sin(theta), -l*cos(theta)]}
bodies:
  - name: rod
    mass: 3
    inertia: 3*l**2/12
    position: [l/2*sin(theta), -l/2*cos(theta)]
    angle: theta
gravity: [0, -10]
potential: theta**2
forces: {theta: -theta.dot}
"""
    model = load(write(text))
    assert numbers([model.mass[0][0]], model) == pytest.approx([4.0 + 1.0 + 3.0])
    (theta,) = model.coordinates
    value = float(evaluate([model.force[0]], {theta: 0.3, theta.dot: 0.5})[0])
    assert value == pytest.approx(-(20 + 30) * np.sin(0.3) - 0.6 - 0.5)


def test_spatial_body_by_rotation(write):
    text = """\
version: 1
coordinates: [a]
bodies:
  - name: wheel
    mass: 1
    inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 2]]
    position: [0, 0, 0]
    rotation: [[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]]
"""
    model = load(write(text))
    assert numbers([model.mass[0][0]], model) == pytest.approx([2.0])


TANK = """\
version: 1
name: towing-tank
parameters: {g: 9.81, offset: 0.15, amplitude: 0.05, frequency: 0.8}
gravity: [0, 0, -g]
bodies:
  - name: ship
    mass: 40
    inertia: [2, 12, 12]
    orientation: roll-pitch-yaw
definitions:
  heave: amplitude*sin(2*pi*frequency*t)
points:
  P: {body: ship, at: [offset, 0, 0]}
  centre: [ship.x, ship.y, ship.z]
lines: [[P, centre]]
constraints:
  mount: [ship.roll, ship.yaw, P.x, P.y, P.z - heave]
forces:
  ship.pitch: -90*ship.pitch - 6*ship.pitch.dot
initial:
  ship.x: -offset
  ship.z.dot: 2*pi*frequency*amplitude
simulate: {until: 10.0, step: 0.001}
"""


def test_free_body_with_a_point_used_in_formulas(write):
    model, reference = load(write(TANK)), catalog.load("towing-tank")
    assert [q.name for q in model.coordinates] == [q.name for q in reference.coordinates]
    for one, other in (
        (model.force, reference.force),
        (model.constraints[0].rows, reference.constraints[0].rows),
    ):
        np.testing.assert_allclose(numbers(one, model), numbers(other, model), atol=1e-13)
    assert model.initial == pytest.approx(reference.initial)
    assert model.suggested == reference.suggested


# -- export ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".yaml", ".json"])
@pytest.mark.parametrize("name", catalog.names())
def test_export_and_load_give_the_same_model(name, suffix, tmp_path):
    model = catalog.load(name)
    made = load(save_model(model, tmp_path / f"model{suffix}"))
    assert [q.name for q in made.coordinates] == [q.name for q in model.coordinates]
    assert made.parameters == model.parameters
    assert made.initial == pytest.approx(model.initial, abs=1e-15)
    assert made.row_names == model.row_names
    assert [c.kind for c in made.constraints] == [c.kind for c in model.constraints]
    assert (made.lines, made.suggested, made.name) == (model.lines, model.suggested, model.name)
    assert made.conservative == model.conservative
    if model.is_maximal:
        assert_same(model, made)
        return
    # text does not keep how a product was bracketed: equal to rounding, not bit by bit
    parts = [
        lambda m: [e for row in m.mass for e in row],
        lambda m: m.force,
        lambda m: [row for c in m.constraints for row in c.rows],
        lambda m: [e for point in m.points.values() for e in point],
        lambda m: [m.kinetic, m.potential],
    ]
    for part in parts:
        expected = numbers(part(model), model)
        np.testing.assert_allclose(
            numbers(part(made), model), expected, rtol=0, atol=1e-13 * max(1, *np.abs(expected), 1)
        )


def test_export_writes_current_parameters(tmp_path):
    model = catalog.load("pendulum").with_parameters(l=3.0)
    assert load(save_model(model, tmp_path / "m.yaml")).parameters["l"] == 3.0


def test_export_of_matrices_and_added_potential(tmp_path):
    x, y = coordinates("x y")
    model = Model.from_matrices(coordinates=[x, y], mass=[[2, 0], [0, 1]], force=[0, x * y])
    made = load(save_model(model, tmp_path / "m.yaml"))
    assert made.force == model.force
    assert made.potential is None
    model.add_potential(x**2)
    with pytest.raises(ModelError, match="a file cannot say"):
        save_model(model, tmp_path / "m.yaml")
    other = Model.from_lagrangian(kinetic=x.dot**2, potential=x)
    other.add_potential(x**2)
    np.testing.assert_allclose(
        numbers(load(save_model(other, tmp_path / "m.yaml")).force, other),
        numbers(other.force, other),
    )
    bodies = Model()
    ball = bodies.add_body("ball", Inertia.sphere(1.0, 1.0), orientation="roll-pitch-yaw")
    bodies.add_potential(ball.x**2)
    made = load(save_model(bodies, tmp_path / "m.yaml"))
    np.testing.assert_allclose(numbers(made.force, made), numbers(bodies.force, made))


def test_export_refuses_what_text_cannot_hold(tmp_path):
    (x,) = coordinates("x")
    deep = x
    for _ in range(40):
        deep = np.sin(deep) * deep  # doubles as text, one node as a graph
    model = Model.from_lagrangian(kinetic=x.dot**2, constraints=[deep])
    with pytest.raises(ModelError, match="too long"):
        save_model(model, tmp_path / "m.yaml")


def test_export_says_why_it_cannot_write(tmp_path):
    model = catalog.load("pendulum")
    with pytest.raises(FileError, match=r"Use \.yaml, \.json or \.urdf"):
        save_model(model, tmp_path / "m.txt")
    with pytest.raises(FileError, match="cannot write the model"):
        save_model(model, tmp_path / "missing" / "m.yaml")


# -- schema and examples --------------------------------------------------------------------------


def test_published_schema_is_up_to_date(tmp_path):
    published = ROOT / "docs" / "reference" / "model.schema.json"
    assert published.read_text() == write_schema(tmp_path / "schema.json").read_text(), (
        'run: python -c "from dalembert.importers.native import write_schema; '
        "write_schema('docs/reference/model.schema.json')\""
    )


def test_schema_names_every_key():
    schema = json_schema()
    assert "constraints" in schema["properties"]
    assert schema["required"] == ["version"]
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.yaml")), ids=lambda p: p.name)
def test_example_files_load_and_pass_the_check(path):
    model = load(path)
    found = model.check()
    assert [doubt for doubt in found if doubt not in getattr(found, "shown", ())] == []
    assert model.suggested["until"] > 0


def test_examples_are_the_catalog_models():
    for file, name in (
        ("pendulum.yaml", "pendulum"),
        ("four-bar.yaml", "four-bars"),
        ("towing-tank.yaml", "towing-tank"),
    ):
        made, model = load(ROOT / "examples" / file), catalog.load(name)
        assert [q.name for q in made.coordinates] == [q.name for q in model.coordinates]
        np.testing.assert_allclose(
            numbers(made.force, made), numbers(model.force, made), atol=1e-12
        )
        assert made.initial == pytest.approx(model.initial)


def test_errors_are_import_errors_even_from_the_model(write):
    text = "version: 1\ncoordinates: [x]\nkinetic: x.dot**2\nconstraints:\n  c: 1 - 1\n"
    with pytest.raises(
        ImportFileError, match=r"line 5: model 'model': constraint 'c': contains no"
    ):
        load(write(text))
