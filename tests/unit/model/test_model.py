import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

from dalembert import catalog
from dalembert.errors import ModelError
from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.expression import ZERO
from dalembert.formulas.variables import coordinates, parameters, time
from dalembert.model import Inertia, Model, Particle, PlanarBody


def pendulum(**options):
    x, y = coordinates("x y")
    m, l, g = parameters(m=1.0, l=1.0, g=9.81)
    given = {
        "kinetic": m * (x.dot**2 + y.dot**2) / 2,
        "potential": m * g * y,
        "constraints": [x**2 + y**2 - l**2],
        "coordinates": [x, y],
    }
    return Model.from_lagrangian(**(given | options))


# -- three descriptions of one system -------------------------------------------------------------


def test_lagrangian_matrices_and_map_agree():
    x, y = coordinates("x y")
    m, g = parameters(m=1.0, g=9.81)
    one = pendulum()
    two = Model.from_matrices(
        coordinates=[x, y], mass=m * np.eye(2), force=[0, -m * g], potential=m * g * y
    )
    three = Model.from_map(particles=[Particle(m, (x, y))], gravity=(0, -g), coordinates=[x, y])
    values = {x: 0.3, y: -0.4, x.dot: 1.2, y.dot: 0.7}
    for model in (two, three):
        for name in ("mass", "force"):
            left = np.array(evaluate(np.ravel(getattr(one, name)).tolist(), values))
            right = np.array(evaluate(np.ravel(getattr(model, name)).tolist(), values))
            np.testing.assert_allclose(left, right, atol=1e-15)
        assert evaluate([model.kinetic], values) == pytest.approx(evaluate([one.kinetic], values))
        assert evaluate([model.potential], values) == pytest.approx(
            evaluate([one.potential], values)
        )
        assert model.conservative


def test_bias_is_subtracted():
    (a,) = coordinates("a")
    model = Model.from_matrices(coordinates=[a], mass=[[2.0]], force=[3.0], bias=[a.dot])
    assert float(evaluate([model.force[0]], {a: 0.0, a.dot: 1.0})[0]) == 2.0
    assert model.potential is None
    assert not model.conservative


def test_forces_dissipation_and_potential_add_up():
    (x,) = coordinates("x")
    model = Model.from_lagrangian(
        kinetic=x.dot**2 / 2, potential=x**2, forces={x: 3.0}, dissipation=2.0 * x.dot**2 / 2
    )
    model.add_potential(x)
    model.add_force({"x": 1.0})
    value = float(evaluate([model.force[0]], {x: 0.5, x.dot: 0.25})[0])
    assert value == 3.0 + 1.0 - 2 * 0.5 - 1.0 - 2.0 * 0.25


def test_gravity_default_follows_the_dimension():
    x, y, z = coordinates("x y z")
    planar = Model.from_map(particles=[Particle(2.0, (x, y))], coordinates=[x, y])
    spatial = Model.from_map(particles=[Particle(2.0, (x, y, z))], coordinates=[x, y, z])
    assert [f.value for f in planar.force] == [0.0, -19.62]
    assert [f.value for f in spatial.force] == [0.0, 0.0, -19.62]


def test_body_gravity_comes_from_the_model():
    model = Model(gravity=(0.0, 1.0, 0.0))
    model.add_body("b", Inertia.sphere(2.0, 1.0), orientation="roll-pitch-yaw")
    assert model.force[1].value == 2.0


# -- coordinates and names ------------------------------------------------------------------------


def test_coordinates_are_collected_in_order_of_creation():
    first, second = coordinates("collected_b collected_a")
    model = Model.from_lagrangian(kinetic=second.dot**2 + first.dot**2)
    assert [q.name for q in model.coordinates] == ["collected_b", "collected_a"]


def test_given_order_wins():
    x, y = coordinates("x y")
    model = Model.from_lagrangian(kinetic=x.dot**2 + y.dot**2, coordinates=[y, x])
    assert [q.name for q in model.coordinates] == ["y", "x"]


@pytest.mark.parametrize(
    "form",
    [
        lambda a, b: [a, b],
        lambda a, b: [("c1", a), ("c2", b)],
        lambda a, b: {"c1": a, "c2": b},
        lambda a, b: np.array([a, b]),
    ],
)
def test_forms_of_constraints(form):
    x, y = coordinates("x y")
    model = pendulum(constraints=form(x, y))
    assert model.row_names == ["c1", "c2"]
    assert [c.rows for c in model.constraints] == [(x,), (y,)]


def test_arrays_of_formulas_make_one_constraint_of_many_rows():
    x, y = coordinates("x y")
    model = pendulum(constraints={"pin": np.array([x - 1, y])})
    assert model.row_names == ["pin[0]", "pin[1]"]
    assert model.row_count == 2
    assert model.constraints[0].force.name == "pin"
    assert repr(model.constraints[0].force) == "pin.force"


def test_a_velocity_decides_the_kind():
    x, y = coordinates("x y")
    model = pendulum(constraints=[x - 1, x.dot - y.dot])
    assert [c.kind for c in model.constraints] == ["holonomic", "velocity"]


# -- conservative ---------------------------------------------------------------------------------


def test_conservative_is_derived_from_the_formulas():
    x, y = coordinates("x y")
    (k,) = parameters(k=0.0)
    assert pendulum().conservative
    assert not pendulum(potential=y * time).conservative
    assert not pendulum(constraints=[x - np.sin(time)]).conservative
    assert not pendulum(forces={x: -x.dot}).conservative
    assert not pendulum(forces={x: -k * x.dot}).conservative  # k may be changed later
    assert pendulum(forces={x: 0.0}).conservative
    assert not pendulum(dissipation=x.dot**2).conservative
    assert pendulum(constraints=[x.dot * y - y.dot]).conservative
    assert pendulum(constraints=[x.dot**2 - y.dot**2]).conservative  # homogeneous of degree 2
    assert not pendulum(constraints=[x.dot - 1]).conservative
    # a rotating frame: T has terms without velocity, T + V is not the integral
    assert not pendulum(kinetic=(x.dot**2 + y.dot**2 + x**2) / 2).conservative


def test_conservative_of_matrices_needs_the_coriolis_terms():
    a, b = coordinates("a b")
    mass = [[1.0, 0.0], [0.0, 1.0 + a**2]]
    coriolis = [a * b.dot**2, -2 * a * a.dot * b.dot]
    given = {"coordinates": [a, b], "mass": mass, "potential": 0.0}
    assert Model.from_matrices(force=coriolis, **given).conservative
    assert not Model.from_matrices(force=[0.0, 0.0], **given).conservative
    assert not Model.from_matrices(force=[-a.dot, 0.0], **given).conservative


def test_catalog_energies():
    models = {name: catalog.load(name) for name in catalog.names()}
    conserved = {name for name, m in models.items() if m.conservative and not m.bodies}
    assert conserved == {
        "double-pendulum",
        "four-bars",
        "index3-pendulum",
        "n-four-bar",
        "pendulum",
        "rolling-disc",
        "skate-particle",
        "sleigh",
    }
    assert catalog.load("slider-crank", torque=0.0, damping=0.0).conservative


# -- parameters and initial state -----------------------------------------------------------------


def test_with_parameters_shares_formulas_and_leaves_the_original():
    model = catalog.load("pendulum")
    longer = model.with_parameters(l=2.0)
    assert longer.parameters["l"] == 2.0
    assert model.parameters["l"] == 1.0
    assert longer.mass is model.mass
    assert longer.initial["x"] == 2.0  # follows the length
    longer.constrain(longer.coordinates[0], name="other")
    assert model.row_count == 1
    assert longer.with_parameters(m=3.0).parameters == {"g": 9.81, "l": 2.0, "m": 3.0}


def test_initial_by_symbol_or_name():
    x, y = coordinates("x y")
    model = pendulum(initial={x: 1.0, "y.dot": 2.0, y: 3})
    assert model.initial == {"x": 1.0, "y.dot": 2.0, "y": 3.0}


def test_body_position_is_its_start():
    model = Model()
    model.add_body(
        "b", Inertia.sphere(1.0, 1.0), position=(1.0, 0.0, 2.0), orientation="roll-pitch-yaw"
    )
    assert model.initial == {"b.x": 1.0, "b.z": 2.0}


def test_model_stays_editable_and_assembles_again():
    model = Model(gravity=(0, 0, 0))
    first = model.add_body("a", Inertia.sphere(1.0, 1.0), orientation="roll-pitch-yaw")
    assert len(model.mass) == 6
    model.add_force({first.x: 2.0})
    assert model.force[0].value == 2.0
    model.add_body("b", Inertia.sphere(1.0, 1.0), orientation="roll-pitch-yaw")
    assert len(model.mass) == 12


def test_inputs_are_not_changed():
    x, y = coordinates("x y")
    constraints, initial, points = {"c": x - 1}, {x: 1.0}, {"p": (x, y)}
    lines, forces = [("p", "p")], {x: -x.dot}
    model = pendulum(
        constraints=constraints, initial=initial, points=points, lines=lines, forces=forces
    )
    model.constrain(y, name="d")
    model.add_force({y: 1.0})
    model.set_initial({y: 1.0})
    model.add_point("o", (0, 0))
    model.add_line("o", "p")
    assert (constraints, initial) == ({"c": x - 1}, {x: 1.0})
    assert (points, lines, forces) == ({"p": (x, y)}, [("p", "p")], {x: -x.dot})


def test_a_refused_edit_leaves_the_model_as_it_was():
    model = catalog.load("pendulum")
    x = model.coordinates[0]
    (other,) = parameters(l=7.0)
    before = model.summary()
    for edit in (
        lambda: model.constrain(x - other, name="c"),
        lambda: model.constrain(coordinates("unheard")[0], name="c"),
        lambda: model.add_force({x: other}),
        lambda: model.add_potential(other * x),
        lambda: model.set_initial({x: other}),
        lambda: model.add_point("p", (x, other)),
        lambda: model.add_line("p", "nowhere"),
    ):
        with pytest.raises(ModelError):
            edit()
        assert model.summary() == before


# -- copying --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", catalog.names())
def test_pickle_restores_the_same_formulas(name):
    model = catalog.load(name)
    made = pickle.loads(pickle.dumps(model))
    if model.is_maximal:
        assert (made.kinetic, made.potential) == (model.kinetic, model.potential)
        assert [j.formulas() for j in made.joints.values()] == [
            j.formulas() for j in model.joints.values()
        ]
        assert repr(made.forces) == repr(model.forces)
    else:
        assert made.force == model.force
        assert made.mass == model.mass
    assert [c.rows for c in made.constraints] == [c.rows for c in model.constraints]
    assert (made.initial, made.parameters, made.points, made.lines) == (
        model.initial,
        model.parameters,
        model.points,
        model.lines,
    )
    assert made.suggested == model.suggested


def test_pickle_of_a_large_model_is_not_deep():
    model = catalog.load("n-four-bar", N=40)
    made = pickle.loads(pickle.dumps(model))
    assert len(made.coordinates) == 82
    assert copy.copy(model).mass is model.mass


# -- telling --------------------------------------------------------------------------------------


def test_repr_and_summary():
    model = catalog.load("pendulum")
    assert repr(model) == "Model('pendulum': 2 coordinates, 1 constraint row)"
    text = model.summary()
    for part in ("coordinates  2: x, y", "g = 9.81", "bar: ", "is conserved", "x = 1"):
        assert part in text
    assert "none yet" in Model("empty").summary()
    tank = catalog.load("towing-tank")
    assert "body         ship" in tank.summary()
    assert "is not conserved" in tank.summary()


def test_equations_as_text():
    text = catalog.load("pendulum").equations()
    assert text.splitlines()[0] == "M(q) v' = Q(q, v, t) + J(q)^T lam"
    assert "M[x, x] = m" in text
    assert "M[y, x]" not in text  # zero
    assert "phi[bar] = " in text
    assert "psi[skate]" in catalog.load("skate-particle").equations()


def test_equations_as_latex():
    pytest.importorskip("sympy")
    text = catalog.load("double-pendulum").latex()
    assert text.startswith("\\begin{aligned}")
    assert "\\theta_{1}" in text
    assert "\\psi_{\\text{skate}}" in catalog.load("skate-particle").latex()


def test_check_finds_nothing_in_the_catalog():
    for name in catalog.names():
        model = catalog.load(name)
        assert model.is_maximal or not model.check(), name  # bodies: unit/catalog/test_bodies


def test_check_returns_doubts_and_raises_errors():
    x, y = coordinates("x y")
    assert "is violated by 8" in pendulum(initial={x: 3.0}).check()[0]
    assert "gradient vanishes" in pendulum().check()[0]  # starts at the pivot
    heavy = Model.from_map(
        particles=[Particle(1e5, (x, 0), name="hammer"), Particle(1.0, (0, y), name="nail")]
    )
    assert "factor of 1.0e+05" in heavy.check()[0]
    with pytest.raises(ModelError, match="not positive definite"):
        pendulum(kinetic=(x.dot + y.dot) ** 2 / 2).check()
    with pytest.raises(ModelError, match="force on 'y'"):
        pendulum(potential=np.sqrt(y), initial={x: 1.0}).check()
    with pytest.raises(ModelError, match=r"constraint 'c1'.*undefined"):
        pendulum(constraints=[np.log(x)]).check()
    with pytest.raises(ModelError, match="mass of 'x' and 'x'"):
        pendulum(kinetic=(x.dot**2 / x + y.dot**2)).check()


def test_masses_by_name():
    x, y = coordinates("x y")
    body = PlanarBody(2.0, 1.0, position=(x, y), angle=0.0, name="plate")
    model = Model.from_map(bodies=[body], particles=[Particle(1.0, (x, y), name="fly")])
    assert model.masses() == {"fly": 1.0, "plate": 2.0}


# -- SymPy ----------------------------------------------------------------------------------------


def test_constraint_in_sympy_beside_traced_formulas():
    sympy = pytest.importorskip("sympy")
    a, b, length = sympy.symbols("x y l")
    x, y = coordinates("x y")
    model = pendulum(constraints=[a**2 + b**2 - length**2], parameters={"l": 1.0})
    (row,) = model.constraints[0].rows
    assert float(evaluate([row], {x: 3.0, y: 4.0})[0]) == 24.0
    assert model.parameters == {"g": 9.81, "l": 1.0, "m": 1.0}


def test_whole_model_in_sympy():
    sympy = pytest.importorskip("sympy")
    t, m, g = sympy.symbols("t m g")
    x, y = (sympy.Function(name)(t) for name in "xy")
    model = Model.from_lagrangian(
        kinetic=m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2,
        potential=m * g * y,
        constraints={"bar": x**2 + y**2 - 1, "slow": x.diff(t) - y.diff(t)},
        forces={x: -x.diff(t)},
        coordinates=[x, y],
        parameters={m: 2.0, "g": 9.81},
        initial={x: 1.0, x.diff(t): 0.5},
    )
    assert [q.name for q in model.coordinates] == ["x", "y"]
    assert [c.kind for c in model.constraints] == ["holonomic", "velocity"]
    assert model.initial == {"x": 1.0, "x.dot": 0.5}
    assert repr(model.mass[0][0]) == "m"


def test_sympy_round_trip():
    sympy = pytest.importorskip("sympy")
    model = catalog.load("skate-particle")
    row = model.constraints[0].rows[0]
    x, y, z = model.coordinates
    made = Model.from_lagrangian(
        kinetic=x.dot**2 + y.dot**2 + z.dot**2, constraints=[sympy.sympify(row)]
    )
    assert made.constraints[0].kind == "velocity"


def test_unknown_sympy_symbol_says_what_to_do():
    sympy = pytest.importorskip("sympy")
    with pytest.raises(ModelError, match=r"'w' is unknown.*parameters="):
        pendulum(constraints=[sympy.Symbol("x") - sympy.Symbol("w")])


def test_describing_a_model_needs_no_compiler():
    """No llvmlite, scipy, sympy, matplotlib or pydantic to describe, check and print a model."""
    code = (
        "import sys, dalembert as dl\n"
        "m = dl.catalog.load('four-bars'); m.check(); m.summary(); m.equations()\n"
        "m.conservative, m.with_parameters(g=1.0)\n"
        "bad = {'scipy','sympy','matplotlib','pydantic','llvmlite'} & set(sys.modules)\n"
        "assert not bad, bad\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_zero_is_shared():
    assert catalog.load("pendulum").mass[0][1] is ZERO
