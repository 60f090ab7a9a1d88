"""Models, methods and integrators as data: everything declared comes back as it was."""

from __future__ import annotations

import copy
import importlib
import inspect
import json
import pkgutil

import numpy as np
import pytest

import dalembert as dl
from dalembert.contact.solvers.table import SOLVERS, ContactSolver
from dalembert.enforcement import METHODS, Method
from dalembert.formulas.expression import Expression
from dalembert.integration import INTEGRATORS, Integrator
from dalembert.model.core.model import Model
from dalembert.model.forces import ForceElement
from dalembert.model.joints import Joint
from dalembert.model.sensors import Sensor
from dalembert.model.shapes.solid import Solid
from dalembert.simulation.described import NotDeclaredError, decode, encode, is_declared
from dalembert.simulation.described.classes import (
    CLASSES,
    DERIVED,
    NAMES,
    OF_MODEL,
    fields_of,
)

PACKAGES = ("formulas", "model", "enforcement", "integration", "contact")
BASES = (Joint, ForceElement, Sensor, Solid, Method, Integrator, ContactSolver)


def there_and_back(root):
    described, arrays = encode(root)
    text = json.dumps(described, allow_nan=False)
    return decode(json.loads(text), arrays)


def said(root):
    return json.dumps(encode(root)[0])


def everything():
    """Every class of the packages that descriptions are made of."""
    for package in PACKAGES:
        folder = importlib.import_module(f"dalembert.{package}")
        for module in pkgutil.walk_packages(folder.__path__, f"dalembert.{package}."):
            found = importlib.import_module(module.name)
            for made in vars(found).values():
                if inspect.isclass(made) and made.__module__ == module.name:
                    yield made


def test_every_class_that_models_and_methods_are_made_of_is_declared():
    """Whoever adds a joint, force, sensor, shape, method, integrator or solver declares it."""
    bases = {*BASES, *(base for made in NAMES for base in made.__mro__[1:])}
    missing = {
        made.__name__
        for made in everything()
        if issubclass(made, BASES)
        and made not in NAMES
        and made not in bases
        and not inspect.isabstract(made)
    }
    assert not missing
    assert len(NAMES) == len(CLASSES)


def test_every_field_has_an_annotation_and_none_is_a_function():
    for made in NAMES:
        assert all(isinstance(name, str) for name in fields_of(made))


def test_every_field_of_a_model_is_declared():
    assert {*vars(Model("m"))} == {*OF_MODEL, *DERIVED}


@pytest.mark.parametrize("name", dl.catalog.names())
def test_models_of_the_catalog(name):
    model = dl.catalog.load(name)
    again = there_and_back(model)
    assert said(again) == said(model)
    assert repr(again) == repr(model)
    assert again.coordinates == model.coordinates
    if not model.is_maximal:
        assert (again.mass, again.force) == (model.mass, model.force)


@pytest.mark.parametrize("table", [METHODS, INTEGRATORS, SOLVERS])
def test_methods_integrators_and_solvers(table):
    for made in table.values():
        assert there_and_back(made()) == made()


def test_what_is_shared_stays_shared():
    model = dl.Model("two")
    a = model.add_body("a", dl.Inertia.sphere(mass=1.0, radius=0.1))
    b = model.add_body("b", dl.Inertia.sphere(mass=1.0, radius=0.1), position=(1, 0, 0))
    hinge = model.add_joint(dl.Revolute(a.at(x=0.5), b.at(x=-0.5), axis="y", name="hinge"))
    model.add_force(dl.TorsionSpring(hinge, stiffness=2.0))
    again = there_and_back(model)
    spring = next(iter(again.forces.values()))
    assert spring.first is again.joints["hinge"]
    assert again.joints["hinge"].first.body is again.bodies["a"]
    assert again.bodies["a"].inertia is not again.bodies["b"].inertia


def test_sums_keep_their_order():
    """The nodes of all formulas are made again in the order in which they were made."""
    x, y, z = dl.coordinates("xo yo zo")
    parts = [z * x, y * x, x + z, y + x]
    rows = encode(tuple(parts))[0]["nodes"]
    names = [row[1] for row in rows if row[0] == "coordinate"]
    assert names == ["xo", "yo", "zo"]
    assert all(a is b for a, b in zip(there_and_back(tuple(parts)), parts, strict=True))


@pytest.mark.parametrize(
    "value",
    [None, True, 3, -0.0, 1e-308, float("inf"), "text \x00 é", (1, (2.0, "a")), [1, {"k": (2,)}]],
)
def test_values(value):
    again = there_and_back(value)
    assert repr(again) == repr(value)
    assert type(again) is type(value)


def test_numbers_of_numpy_and_arrays():
    given = (np.float64(0.1), np.arange(6.0).reshape(2, 3), np.array([1, 2], dtype=np.int32))
    again = there_and_back(given)
    assert type(again[0]) is np.float64
    for one, two in zip(given[1:], again[1:], strict=True):
        assert one.dtype == two.dtype
        assert np.array_equal(one, two)


def test_functions_and_classes_of_ones_own_are_refused_when_writing():
    class Mine(dl.Projection):
        pass

    for thing in (print, Mine(), object(), dl.Model, np.array(["a"])):
        assert not is_declared(thing)
        with pytest.raises(NotDeclaredError):
            encode(thing)


# -- what is refused when reading ------------------------------------------------------------------


def box():
    model = dl.Model("box")
    body = model.add_body("a", dl.Inertia.sphere(mass=1.0, radius=0.1))
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    mesh = dl.Mesh(vertices=corners, faces=[(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    model.add_shape(mesh, on=body)
    model.add_joint(dl.Revolute(model.world, body.at(x=0.5), axis="y", name="hinge"))
    return model


def row_of(described, name):
    number = [entry[0] for entry in described["classes"]].index(name)
    row = next(row for row in described["objects"] if row[0] == number)
    return row, described["classes"][number][1]


def set_field(name, field, value):
    def change(described, arrays):
        row, names = row_of(described, name)
        row[1 + names.index(field)] = value

    return change


def set_class(name):
    def change(described, arrays):
        described["classes"][0][0] = name

    return change


def put(*place, value):
    def change(described, arrays):
        inner = described
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = value

    return change


def array(value):
    def change(described, arrays):
        arrays["array1"] = value

    return change


HOSTILE = {
    "a function": set_class("from_sympy"),
    "a dotted name": set_class("os.system"),
    "a class of the package": set_class("CompiledFunction"),
    "no name": set_class(["Model"]),
    "no such field": put("classes", 0, 1, 0, value="__class__"),
    "a field twice": put("classes", 0, 1, 0, value="name.name"),
    "a class beyond the table": put("objects", 0, 0, value=999),
    "a negative class": put("objects", 0, 0, value=-1),
    "an object beyond the table": set_field("Revolute", "first", ["o", 10**6]),
    "an object of another class": set_field("Frame", "body", ["o", 0]),
    "a body that is a text": set_field("ContactShape", "solid", "Sphere"),
    "text for a number": set_field("ContactShape", "group", "1"),
    "a huge number": set_field("ContactShape", "group", 10**30),
    "not finite": set_field("Material", "friction", ["x", "nan"]),
    "negative friction": set_field("Material", "friction", -1.0),
    "a rotation that is none": set_field("Rotation", "_rows", ["t", ["t", 1.0], ["t"], ["t"]]),
    "a frame in one dimension": set_field("Frame", "offset", ["t", 1.0]),
    "a field too few": lambda d, a: row_of(d, "Revolute")[0].pop(),
    "a load of memory": put("nodes", 0, value=["load", "work", 10**6]),
    "an operation that is none": put("nodes", -1, value=["eval", 0]),
    "a formula of itself": lambda d, a: d["nodes"].append(["sin", len(d["nodes"])]),
    "a formula beyond the table": put("formulas", 0, value=10**6),
    "a condition in a sum": lambda d, a: d["nodes"].extend([["<", 0, 0], ["+", 0, -1]]),
    "a corner beyond the vertices": array(np.array([[0, 1, 99]], dtype=np.int32)),
    "corners of another kind": array(np.zeros((4, 3))),
    "corners as a list": array(np.zeros(12, dtype=np.int32)),
    "no array": lambda d, a: a.clear(),
    "a tuple without end": set_field("Frame", "offset", json.loads("[" * 30 + "]" * 30)),
    "other versions": put("version", value=99),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_no_constructor_would_have_made_is_refused(case):
    described, arrays = encode(box())
    described, arrays = copy.deepcopy(described), dict(arrays)
    assert repr(decode(described, arrays)) == repr(box())
    HOSTILE[case](described, arrays)
    with pytest.raises((ValueError, dl.errors.DalembertError)):
        decode(described, arrays)


def test_a_formula_stays_a_formula():
    (x,) = dl.coordinates("x")
    assert isinstance(there_and_back(x + 1), Expression)
