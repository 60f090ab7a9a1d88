"""Engines of sessions: sliders that follow Python, hands, what is refused, and what is said."""

import json

import numpy as np
import pytest

import dalembert as dl
from dalembert.engine import refusals
from dalembert.engine.image import Image, stretches
from dalembert.engine.live import engine_of
from dalembert.engine.program import ADDRESSES, WholeProgram, moved_state
from dalembert.engine.sliders import sliders_of
from dalembert.engine.watched_formulas import Binding, kinetic_energy, potential_energy
from dalembert.errors import OptionError
from dalembert.formulas import Expression, evaluate, symbols
from dalembert.formulas.expression import constant
from dalembert.model.basics.limits import beyond
from dalembert.model.check.contact import limits_of
from dalembert.simulation.prepare.contacts import law_formulas
from dalembert.system.parameter_tables import table_stores, turned_rightly

BODIES = ("arm", "four-bar-3d", "slider-crank-bodies", "governor", "delta", "double-wishbone")


def session_of(name, **options):
    return dl.Session(dl.catalog.load(name), step=1e-3, **options)


@pytest.mark.parametrize("name", BODIES)
def test_tables_follow_every_parameter(name):
    session = session_of(name)
    run = session.present.run
    system = run.opened.keep[0]
    found = {knob["name"] for knob in sliders_of(session, system, run.state)}
    assert found == {knob.name for knob in session.knobs}


def test_a_parameter_that_formulas_do_not_follow_is_not_offered():
    session = session_of("four-bar-3d")
    run = session.present.run
    system = run.opened.keep[0]
    stores = table_stores(system, run.state)
    values = {name: session.model.parameters.get(name, 0.0) for name in system.parameter_names}
    assert turned_rightly(system, values, stores, ["density"]) == ["density"]
    wrong = [(array, at, x + constant(1e-3)) for array, at, x in stores]
    assert turned_rightly(system, values, wrong, ["density"]) == []


def offered(session):
    run = session.present.run
    return [knob["name"] for knob in sliders_of(session, run.opened.keep[0], run.state)]


def test_laws_of_contact_follow_their_parameters():
    assert set(offered(session_of("bouncing-ball"))) == {"gravity.z", "e", "mu"}
    # a larger mu alone is refused there
    model = dl.catalog.load("stick-slip-belt", static=0.3)
    assert {"k", "mu", "mu_static", "belt"} <= set(offered(dl.Session(model, step=1e-3)))


def touching(combine, **more):
    """A ball on a floor, each with coefficients of its own."""
    a, b, e, k = dl.parameters(a=0.4, b=0.9, e=0.3, k=1e4)
    model = dl.Model("touching")
    model.combine = combine
    model.add_shape(dl.Plane(), name="floor", material=dl.Material(friction=a, restitution=e))
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.3))
    soft = dl.Material(friction=b, restitution=0.5 * e, stiffness=k, damping=0.01 * k, **more)
    model.add_shape(dl.Sphere(0.1), on=ball, material=soft)
    return model


@pytest.mark.parametrize("rule", ["geometric", "mean", "harmonic", "product", "min", "max"])
def test_laws_of_pairs_are_the_same_as_formulas_and_as_numbers(rule):
    model = touching(dl.Combine(friction=rule, restitution=rule), viscous=2.0)
    formulas, speeds = law_formulas(model)
    for changed in ({}, {"a": 0.7, "b": 0.1}, {"e": 0.9, "k": 3e3}, {"a": 0.0, "b": 0.0}):
        other = model.with_parameters(**changed)
        known = {leaf: other.parameters[leaf.name] for leaf in symbols_of(formulas)}
        wanted = dl.Session(other, step=1e-3).present.run.opened.tables
        found = [float(x) for x in evaluate([constant(0.0) + x for x in formulas], known)]
        np.testing.assert_allclose(found, wanted.classes.ravel(), rtol=1e-15)
    assert speeds == [0.0] * 6
    assert {"a", "b", "e", "k"} <= set(offered(dl.Session(model, step=1e-3)))


def symbols_of(entries):
    return symbols([x for x in entries if isinstance(x, Expression)], "parameter")


def test_a_parameter_of_the_size_of_a_shape_is_not_offered():
    (r,) = dl.parameters(r=0.1)
    model = dl.Model("ball")
    model.add_shape(dl.Plane(), name="floor")
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=r), position=(0, 0, 0.3))
    model.add_shape(dl.Sphere(r), on=ball)
    session = dl.Session(model, step=1e-3)
    assert "r" in {knob.name for knob in session.knobs}
    assert "r" not in offered(session)


def test_ranges_end_where_python_refuses():
    ranges = {knob.name: (knob.low, knob.high) for knob in session_of("bouncing-ball").knobs}
    assert ranges["e"][1] == 1.0


def test_bounds_are_those_of_python():
    model = dl.catalog.load("stick-slip-belt")
    for changed in ({"mu": 0.9}, {"mu": 0.0}, {"mu": -1.0}, {"mu_static": 0.1}):
        with pytest.raises(dl.errors.ModelError) as problem:
            model.with_parameters(**changed)
        told = beyond(limits_of(model), model.parameters | changed)
        assert told
        assert all(sentence in str(problem.value) for sentence in told)


def test_starts_of_bodies_are_coordinates_of_their_joints():
    initial = engine_of(session_of("four-bar-3d")).spec["initial"]
    names = [entry["name"] for entry in initial["turned"]]
    assert names[:2] == ["hinge_A.angle", "hinge_B.angle"]
    assert names[initial["rates"]] == "hinge_A.angle.dot"
    ball = engine_of(session_of("bouncing-ball")).spec["initial"]["turned"]
    assert {"ball.x", "ball.yaw", "ball.z.dot"} <= {entry["name"] for entry in ball}


def test_a_parameter_of_the_start_alone_begins_anew():
    engine = engine_of(session_of("four-bar-3d"))
    restarts = {knob["name"]: knob["restarts"] for knob in engine.spec["knobs"]}
    assert restarts == {"density": False, "g": False, "rate": True}
    assert list(engine.spec["initial"]["moved"]) == ["rate"]


@pytest.mark.parametrize("name", ["pendulum", "four-bar-3d", "arm"])
def test_energies_are_those_of_the_session(name):
    session = session_of(name)
    session.advance(0.2)
    model = session.model
    binding = Binding(model, (), 0)
    formulas = binding.bound([kinetic_energy(model), potential_energy(model)])
    turns = np.zeros(len(session.model.joints) + 9)  # none so far
    state = {"q": session.q, "v": session.v, "t": [session.t], "turns": turns}
    values = {x: state[kind][k or 0] for x, (kind, k) in binding.places.items()}
    assert np.allclose(evaluate(formulas, values), session.energy(), rtol=1e-12)


def test_an_engine_is_described_in_plain_values():
    engine = engine_of(session_of("arm"))
    spec = json.loads(json.dumps(engine.spec))
    assert spec["entries"].keys() >= {"run", "project", "accelerate", "begin", "watch", "bodies"}
    assert spec["names"]["q"] == list(session_of("arm").present.setup.running.coordinate_names)
    assert spec["hand"]["kind"] == "body"
    filled = spec["filled"]
    assert spec["begin"] + filled[-1][0] + filled[-1][1] <= spec["pages"] * 65536
    assert sum(count for _, count in filled) == len(engine.memory)
    assert sum(len(module.code) for module in engine.modules) < 200_000


def test_zeros_do_not_travel():
    memory = bytearray(5000)
    memory[700:703] = b"abc"
    memory[900] = 1  # near: one stretch with the last
    memory[4999] = 2
    assert stretches(bytes(memory)) == [(700, 201), (4999, 1)]
    assert stretches(bytes(100)) == []
    # work arrays of a long chain are megabytes of nothing
    engine = engine_of(dl.Session(dl.catalog.load("chain", count=30), step=1e-3))
    assert engine.spec["pages"] * 65536 > 4_000_000
    assert len(engine.memory) < 400_000


def test_models_of_a_kind_have_the_same_kernels():
    first, second = (engine_of(session_of(name)) for name in ("pendulum", "double-pendulum"))
    assert first.modules[0] == second.modules[0]
    assert first.modules[1] != second.modules[1]


def test_addresses_become_places_of_the_table():
    run = session_of("arm").present.run
    program = WholeProgram()
    program.look(run.sizes)
    program.settle()
    moved = moved_state(program, run.sizes)
    state = run.state
    for name in ADDRESSES:
        slot = state.slot(name)
        assert (moved[slot] > 0) == (run.sizes[slot] > 0)
        assert moved[slot] < program.functions
    changed = np.flatnonzero(moved != run.sizes)
    assert np.all(run.sizes[changed] > 2**20)  # counts and places of tables stay as they are


def test_a_function_of_python_is_refused():
    run = session_of("pendulum").present.run
    sizes = run.sizes.copy()
    sizes[run.state.slot("evaluate")] = 123_456_789
    with pytest.raises(OptionError, match="evaluate of this run is a function of Python"):
        moved_state(WholeProgram(), sizes)


def test_parts_of_arrays_stand_within_them():
    image, whole = Image(), np.arange(10.0)
    at = image.put(whole)
    assert image.put(whole[3:5]) == at + 24
    assert image.put(whole[None]) == at
    assert image.put(np.zeros(2)) >= at + whole.nbytes
    assert np.frombuffer(image.bytes()[at : at + 80]).tolist() == whole.tolist()


def test_controllers_are_refused_by_name(tmp_path):
    model = dl.catalog.load("arm")
    motor = next(iter(model.actuators))
    joint = next(iter(model.joints))
    hold = dl.Controller(lambda t, x: 0.0, rate=100.0, inputs=[f"{joint}.angle"], outputs=[motor])
    with pytest.raises(OptionError, match="come from a Python function") as told:
        dl.save_html(model, tmp_path / "arm.html", live=True, step=1e-3, controllers=[hold])
    assert motor in str(told.value)
    assert "dl.save_html(dl.simulate(model, ...), path)" in str(told.value)
    assert not (tmp_path / "arm.html").exists()


def test_located_events_are_refused():
    session = dl.Session(dl.catalog.load("bouncing-ball"), mode="events")
    with pytest.raises(OptionError, match="mode"):
        engine_of(session)


def test_a_model_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(refusals, "LARGEST", 100)
    with pytest.raises(OptionError, match=r"'pendulum' takes 0 MB of memory, more than the 0 MB"):
        engine_of(session_of("pendulum"))


def test_a_solution_is_not_a_model(tmp_path):
    solution = dl.simulate(dl.catalog.load("pendulum"), until=0.1, step=1e-2)
    with pytest.raises(OptionError, match=r"With live=True give a dl\.Model"):
        dl.save_html(solution, tmp_path / "page.html", live=True)
