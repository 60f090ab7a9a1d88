"""C code and FMUs of models do what the models do; skipped where there is no compiler or fmpy."""

from __future__ import annotations

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError

COMPILER = shutil.which("cc")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler (cc)")


def build(model, folder, **more):
    """Functions of the compiled code, and the number of its states."""
    _, code = dl.export_c(model, folder, **more)
    library = folder / "code.so"
    command = [COMPILER, "-O2", "-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run([*command, "-o", str(library), str(code), "-lm"], check=True)
    made = ctypes.CDLL(str(library))

    def function(name, numbers, arrays):
        found = getattr(made, f"{code.stem}_{name}")
        found.argtypes = [ctypes.c_double] * numbers + [ctypes.c_void_p] * arrays

        def call(*given):
            return found(*given[:numbers], *(x.ctypes.data for x in given[numbers:]))

        return call

    header = code.with_suffix(".h").read_text()
    size = int(header.split("_NX ")[1].split()[0])
    start = (ctypes.c_double * size).in_dll(made, f"{code.stem}_start")
    return function, np.array(start)


MODELS = ("double-pendulum", "four-bars", "slider-crank-bodies", "heavy-top")


@needs_compiler
@pytest.mark.parametrize("name", MODELS)
def test_compiled_code_takes_the_steps_of_a_run(name, tmp_path):
    model = dl.catalog.load(name)
    function, x = build(model, tmp_path)
    p = np.array([*model.parameters.values(), 0.0])
    step, none = function("step", 2, 3), np.zeros(1)
    for k in range(200):
        assert step(k * 1e-3, 1e-3, x, none, p) == 0
    run = dl.rollout(model, step=1e-3, steps=200, reduce="final")
    exact = np.r_[run.q[0, -1], run.v[0, -1]]
    assert np.max(np.abs(x - exact)) <= 1e-11 * max(1.0, np.max(np.abs(exact)))


@needs_compiler
def test_a_model_in_which_nothing_is_free_has_code(tmp_path):
    """It has no states, and compilers find nothing to say of it."""
    model = dl.Model("wheel")
    wheel = model.add_body("wheel", dl.Inertia.cylinder(1.0, radius=0.1, length=0.1))
    model.add_joint(dl.Revolute(model.world, wheel, axis="z", name="axle"))
    model.add_joint(dl.Motion("axle", value=2.0 * dl.time, name="drive"))
    function, x = build(model, tmp_path)
    assert function("step", 2, 3)(0.0, 1e-3, x, np.zeros(1), np.zeros(1)) == 0


@needs_compiler
def test_masses_and_lengths_of_bodies_are_arguments(tmp_path):
    """A slider-crank with a motor, a loop; other masses and lengths than it was made with."""
    length, mass = dl.parameters(length=0.2, mass=1.0)
    model = dl.Model("slider-crank", gravity=(0, -9.81, 0))
    crank = model.add_body("crank", dl.Inertia.rod(mass, length=length))
    rod = model.add_body("rod", dl.Inertia.rod(1.5, length=0.5))
    block = model.add_body("block", dl.Inertia(2.0, (0.1, 0.1, 0.1)))
    end = crank.at(x=-length / 2)
    bearing = model.add_joint(dl.Revolute(model.world, end, name="bearing", initial=0.7))
    model.add_joint(dl.Revolute(crank.at(x=length / 2), rod.at(x=-0.25), name="pin", initial=-1.0))
    model.add_joint(dl.Prismatic(model.world, block, axis="x", name="guide", initial=0.6))
    model.add_joint(dl.Revolute(rod.at(x=0.25), block, name="wrist"))
    model.add_force(dl.DirectDrive(bearing, command=0.0, name="motor"))
    asked = {"inputs": ["motor"], "outputs": ["block.x"], "parameters": ["mass", "length"]}
    function, _ = build(model, tmp_path, **asked)
    step, outputs = function("step", 2, 3), function("outputs", 1, 4)
    for values in ((1.0, 0.2), (4.0, 0.25)):
        other = model.with_parameters(mass=values[0], length=values[1])
        torque = {"motor": np.full(100, 3.0)}
        run = dl.rollout(other, controls=torque, step=1e-3, steps=100)
        x, u, p = np.r_[run.q[0, 0], run.v[0, 0]], np.array([3.0]), np.array(values)
        for k in range(100):
            assert step(k * 1e-3, 1e-3, x, u, p) == 0
        np.testing.assert_allclose(x, np.r_[run.q[0, -1], run.v[0, -1]], rtol=1e-10, atol=1e-11)
        seen = np.zeros(1)
        outputs(0.1, x, u, p, seen)
        across = values[1] * np.sin(x[0])
        reach = values[1] * np.cos(x[0]) + np.sqrt(0.25 - across**2)
        assert seen[0] == pytest.approx(reach, abs=1e-11)


@needs_compiler
def test_rates_are_those_of_the_model(tmp_path):
    """State in, derivative out, with an input and other values of parameters."""
    (a, b), (k, F) = dl.coordinates("a b"), dl.parameters(k=3.0, F=0.0)
    model = dl.Model.from_lagrangian(
        name="two masses",
        coordinates=[a, b],
        kinetic=(a.dot**2 + 2 * b.dot**2 + np.cos(a) * a.dot * b.dot) / 2,
        potential=k * (a - b) ** 2 / 2 + np.abs(a) ** 3,
        forces={a: F, b: dl.where(b > 0, -b.dot, 0.0) + dl.minimum(a, b)},
    )
    function, _ = build(model, tmp_path, inputs=["F"], outputs=[a * b])
    rng = np.random.default_rng(1)
    for _ in range(20):
        x, u, p = rng.standard_normal(4), rng.standard_normal(1), rng.uniform(1, 5, 1)
        made, seen = np.zeros(4), np.zeros(1)
        assert function("rates", 1, 4)(0.3, x, u, p, made) == 0
        function("outputs", 1, 4)(0.3, x, u, p, seen)
        here = model.with_parameters(F=float(u[0]), k=float(p[0]))
        exact = dl.evaluate(here, (x[:2], x[2:]), t=0.3).a
        assert made == pytest.approx(np.r_[x[2:], exact], rel=1e-12, abs=1e-12)
        assert seen[0] == pytest.approx(x[0] * x[1], rel=1e-14)


def test_what_has_no_formula_is_refused_by_name(tmp_path):
    with pytest.raises(OptionError, match=r"shapes that touch.*leave them out"):
        dl.export_c(dl.catalog.load("bouncing-ball"), tmp_path)
    with pytest.raises(OptionError, match="'nothing' is no parameter"):
        dl.export_c(dl.catalog.load("pendulum"), tmp_path, parameters=["nothing"])


def driven():
    (x,), (k, F) = dl.coordinates("x"), dl.parameters(k=4.0, F=0.0)
    return dl.Model.from_lagrangian(
        name="oscillator",
        coordinates=[x],
        kinetic=x.dot**2 / 2,
        potential=k * x**2 / 2,
        forces={x: F},
        initial={x: 0.5},
    )


@needs_compiler
@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
def test_an_fmu_has_its_description_and_library(fmi, tmp_path):
    import zipfile
    from xml.etree import ElementTree as ET

    path = dl.export_fmu(driven(), tmp_path / "oscillator.fmu", step=1e-3, inputs=["F"], fmi=fmi)
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        root = ET.fromstring(archive.read("modelDescription.xml"))
    assert any(n.startswith("binaries/") for n in names)
    assert root.get("fmiVersion") == fmi
    kind = "ScalarVariable" if fmi == "2.0" else "Float64"
    found = {x.get("name"): x.get("causality") for x in root.iter(kind)}
    more = {} if fmi == "2.0" else {"time": "independent"}
    assert found == {"F": "input", "k": "parameter", "x": "output", "x.dot": "output", **more}


def test_an_unknown_version_is_refused(tmp_path):
    with pytest.raises(OptionError, match=r"fmi is '1\.0'"):
        dl.export_fmu(driven(), tmp_path / "oscillator.fmu", step=1e-3, fmi="1.0")


@needs_compiler
@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
@pytest.mark.parametrize("name", [None, "four-bars", "slider-crank-bodies"])
def test_an_fmu_run_back_equals_the_native_run(name, fmi, tmp_path):
    fmpy = pytest.importorskip("fmpy", reason="fmpy is not installed")
    from fmpy.validation import validate_fmu

    model = driven() if name is None else dl.catalog.load(name)
    path = dl.export_fmu(model, tmp_path / "model.fmu", step=1e-3, fmi=fmi)
    assert not validate_fmu(str(path))
    until, every = 0.5, 0.01
    found = fmpy.simulate_fmu(str(path), stop_time=until, step_size=every, output_interval=every)
    run = dl.rollout(model, step=1e-3, steps=500, every=10)
    for k, state in enumerate((*run.coordinate_names, *run.velocity_names)):
        exact = np.r_["-1", run.q[0], run.v[0]][:, k]
        assert np.max(np.abs(found[state] - exact)) <= 1e-9


def played(path, fmi, steps, every):
    """States of an FMU at the ends of its steps, by its own functions: without fmpy."""
    import zipfile
    from xml.etree import ElementTree as ET

    with zipfile.ZipFile(path) as archive:
        archive.extractall(path.parent)
    root = ET.parse(path.parent / "modelDescription.xml").getroot()
    word = root.find("CoSimulation").get("modelIdentifier")
    (library,) = (path.parent / "binaries").glob(f"*/{word}.*")
    unit, word = ctypes.CDLL(str(library)), f"fmi{fmi[0]}"
    number, whole, address = ctypes.c_double, ctypes.c_int, ctypes.c_void_p
    mark = (root.get("guid") or root.get("instantiationToken")).encode()

    def call(name, *given, result=whole):
        function = getattr(unit, word + name)
        function.restype = result
        return function(*given)

    if fmi == "2.0":
        made = call("Instantiate", b"one", 1, mark, None, None, 0, 0, result=address)
        one = address(made)
        call("SetupExperiment", one, 0, number(0.0), number(0.0), 0, number(0.0))
        call("EnterInitializationMode", one)
    else:
        rest = (None, False, False, False, False, None, ctypes.c_size_t(0), None, None, None)
        one = address(call("InstantiateCoSimulation", b"one", mark, *rest, result=address))
        call("EnterInitializationMode", one, False, number(0.0), number(0.0), False, number(0.0))
    assert one.value
    assert call("ExitInitializationMode", one) == 0
    kind = "ScalarVariable" if fmi == "2.0" else "Float64"
    states = [x for x in root.iter(kind) if x.get("causality") == "output"]
    wanted = (ctypes.c_uint * len(states))(*(int(x.get("valueReference")) for x in states))
    values, count = (number * len(states))(), ctypes.c_size_t(len(states))
    more = () if fmi == "2.0" else (count,)
    told = () if fmi == "2.0" else [ctypes.byref(ctypes.c_bool()) for _ in range(3)]
    told = (*told, ctypes.byref(number())) if told else ()
    kept = []
    for k in range(steps + 1):
        assert (
            call("GetReal" if fmi == "2.0" else "GetFloat64", one, wanted, count, values, *more)
            == 0
        )
        kept.append(list(values))
        if k < steps:
            assert call("DoStep", one, number(k * every), number(every), 1, *told) == 0
    call("FreeInstance", one, result=None)
    return np.array(kept)


@needs_compiler
@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
@pytest.mark.parametrize("name", ["four-bars", "slider-crank-bodies"])
def test_an_fmu_called_by_hand_equals_the_native_run(name, fmi, tmp_path):
    model = dl.catalog.load(name)
    path = dl.export_fmu(model, tmp_path / "model.fmu", step=1e-3, fmi=fmi)
    run = dl.rollout(model, step=1e-3, steps=500, every=10)
    exact = np.r_["-1", run.q[0], run.v[0]]
    assert np.max(np.abs(played(path, fmi, 50, 0.01) - exact)) <= 1e-9


def on_a_bar():
    """A pendulum in x and y whose bar is a parameter."""
    (x, y), (bar,) = dl.coordinates("x y"), dl.parameters(bar=1.0)
    return dl.Model.from_lagrangian(
        name="on a bar",
        coordinates=[x, y],
        kinetic=(x.dot**2 + y.dot**2) / 2,
        potential=9.81 * y,
        constraints={"bar": x**2 + y**2 - bar**2},
        initial={x: 0.6, y: -0.8},
    )


@needs_compiler
@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
def test_parameters_of_an_fmu_move_its_start_onto_the_constraints(fmi, tmp_path):
    fmpy = pytest.importorskip("fmpy", reason="fmpy is not installed")
    path = dl.export_fmu(on_a_bar(), tmp_path / "model.fmu", step=1e-3, fmi=fmi)
    found = fmpy.simulate_fmu(
        str(path), stop_time=0.5, step_size=0.01, output_interval=0.01, start_values={"bar": 1.05}
    )
    run = dl.rollout(on_a_bar().with_parameters(bar=1.05), step=1e-3, steps=500, every=10)
    assert np.hypot(found["x"], found["y"]) == pytest.approx(1.05, abs=1e-12)
    assert np.max(np.abs(found["x"] - run.q[0, :, 0])) <= 1e-9


def test_what_has_no_code_is_not_told_as_derivatives(tmp_path):
    """The angle of the hinge that closes a loop counts turns, and is no coordinate."""
    model = dl.Model("four-bar", gravity=(0, -9.81, 0))
    bars = {"crank": 0.4, "coupler": 1.0, "rocker": 0.7}
    crank, coupler, rocker = (
        model.add_body(n, dl.Inertia.rod(1.0, length=x)) for n, x in bars.items()
    )
    model.add_joint(dl.Revolute(model.world, crank.at(x=-0.2), name="A", initial=1.0))
    model.add_joint(dl.Revolute(crank.at(x=0.2), coupler.at(x=-0.5), name="B", initial=-0.6))
    model.add_joint(dl.Revolute(model.world.at(x=1.0), rocker.at(x=-0.35), name="D", initial=1.3))
    model.add_joint(dl.Revolute(coupler.at(x=0.5), rocker.at(x=0.35), name="C"))
    with pytest.raises(dl.errors.OptionError, match="export_c: there is no code of this model: an"):
        dl.export_c(model, tmp_path, outputs=["C.angle"])
