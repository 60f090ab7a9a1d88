"""A description that is not a mechanical system gets a ModelError that names it and the remedy."""

import math

import numpy as np
import pytest

from dalembert import catalog
from dalembert.errors import FormulaError, ModelError
from dalembert.formulas.variables import coordinates, parameters, time
from dalembert.model import Inertia, Model, Particle, PlanarBody, SpatialBody

x, y, z = coordinates("x y z")
(m,) = parameters(m=1.0)
NAN, INF = float("nan"), float("inf")
FREE = (x.dot**2 + y.dot**2) / 2


def lagrangian(**options):
    return Model.from_lagrangian(**({"kinetic": FREE, "coordinates": [x, y]} | options))


def matrices(**options):
    given = {"coordinates": [x, y], "mass": np.eye(2), "force": [0, 0]}
    return Model.from_matrices(**(given | options))


def placed(*masses, **options):
    return Model.from_map(bodies=masses, **options)


def with_body(edit=None, **options):
    model = Model(**options)
    body = model.add_body("ship", Inertia.sphere(1.0, 1.0), orientation="roll-pitch-yaw")
    if edit:
        edit(model, body)
    return model


def falling(g):
    model = Model(gravity=(0, 0, g))
    model.add_body("stone", Inertia.point(mass=1.0))
    return model


REFUSED = {
    # constraints
    "constraint without coordinate": (
        lambda: lagrangian(constraints={"c": m - 1}),
        r"constraint 'c': contains no coordinate.*Write what must vanish",
    ),
    "constraint of time only": (
        lambda: lagrangian(constraints={"c": np.sin(time)}),
        r"constraint 'c': contains no coordinate",
    ),
    "constraint that cancels": (lambda: lagrangian(constraints=[x - x]), "'c1': contains no coo"),
    "one bad row of a vector": (
        lambda: lagrangian(constraints={"c": [x, 1.0]}),
        r"constraint 'c'\[1\]: contains no coordinate",
    ),
    "empty constraint": (lambda: lagrangian(constraints={"c": []}), "'c': has no formula"),
    "constraint as text": (lambda: lagrangian(constraints=["x - 1"]), "without quotes"),
    "constraint as comparison": (lambda: lagrangian(constraints=[x < 1]), "instead of x <= y"),
    "constraint as equality": (lambda: lagrangian(constraints=[x == 1.0]), "must vanish"),
    "constraint as function": (lambda: lagrangian(constraints=[lambda q: q]), "Call it"),
    "constraint None": (lambda: lagrangian(constraints=[None]), "'c1'.*is not a formula"),
    "constraint NaN": (lambda: lagrangian(constraints=[NAN]), "nan"),
    "name twice": (
        lambda: lagrangian(constraints=[("c", x), ("c", y)]),
        "constraint 'c': there is one of that name",
    ),
    "empty name": (lambda: lagrangian(constraints=[(" ", x)]), "name is empty"),
    "mixed kinds": (lambda: lagrangian(constraints={"c": [x, y.dot]}), "as two constraints"),
    "unknown coordinate in a constraint": (
        lambda: lagrangian(constraints={"c": z - 1}),
        "constraint 'c': contains 'z', which is no coordinate",
    ),
    # energies
    "no coordinate at all": (lambda: Model.from_lagrangian(kinetic=1.0), "there are none"),
    "kinetic NaN": (lambda: lagrangian(kinetic=NAN), "kinetic"),
    "kinetic inf": (lambda: lagrangian(kinetic=INF), "kinetic"),
    "kinetic None": (lambda: lagrangian(kinetic=None), "kinetic: None"),
    "kinetic array": (lambda: lagrangian(kinetic=np.array([x, y])), "Give one formula"),
    "no mass on a coordinate": (
        lambda: lagrangian(kinetic=x.dot**2),
        "coordinate 'y': carries no mass",
    ),
    "kinetic linear in v": (lambda: lagrangian(kinetic=x.dot + y.dot), "carries no mass"),
    "kinetic cubic in v": (
        lambda: lagrangian(kinetic=x.dot**3 + y.dot**2),
        "not quadratic in the velocities",
    ),
    "potential of velocity": (lambda: lagrangian(potential=x.dot), "Give such forces in forces="),
    "potential with unknown coordinate": (
        lambda: lagrangian(potential=z),
        "potential: contains 'z'",
    ),
    "force on unknown coordinate": (lambda: lagrangian(forces={z: 1.0}), "no coordinate 'z'"),
    "force on misspelt name": (
        lambda: Model.from_lagrangian(
            kinetic=coordinates("theta")[0].dot ** 2, forces={"thta": 1.0}
        ),
        "did you mean 'theta'",
    ),
    "force on a velocity": (lambda: lagrangian(forces={x.dot: 1.0}), "no coordinate 'x.dot'"),
    "forces as a list": (lambda: lagrangian(forces=[1.0, 2.0]), "Give a dict"),
    "force NaN": (lambda: lagrangian(forces={x: NAN}), "force on 'x'"),
    # parameters
    "parameter with two values": (
        lambda: lagrangian(kinetic=m * FREE, potential=parameters(m=2.0)[0] * y),
        "parameter 'm': is used with the values 1 and 2",
    ),
    "parameter unknown": (
        lambda: lagrangian(kinetic=m * FREE).with_parameters(mm=2.0),
        "parameter 'mm': is unknown; did you mean 'm'",
    ),
    "parameter NaN": (lambda: lagrangian(kinetic=m * FREE).with_parameters(m=NAN), "nan"),
    "parameter text": (lambda: lagrangian(kinetic=m * FREE).with_parameters(m="1"), "not a num"),
    # matrices
    "mass of wrong shape": (lambda: matrices(mass=np.eye(3)), "mass: has shape 3 x 3"),
    "mass a vector": (lambda: matrices(mass=[1.0, 2.0]), "Give a 2 x 2 matrix"),
    "mass a number": (lambda: matrices(mass=1.0), "Give a 2 x 2 matrix"),
    "mass ragged": (lambda: matrices(mass=[[1.0], [0.0, 1.0]]), "Give a 2 x 2 matrix"),
    "mass unsymmetric": (lambda: matrices(mass=[[1, x], [0, 1]]), "not symmetric"),
    "mass zero": (lambda: matrices(mass=np.zeros((2, 2))), "'x': carries no mass"),
    "mass of velocity": (lambda: matrices(mass=[[x.dot, 0], [0, 1]]), "depends on velocities"),
    "mass NaN": (lambda: matrices(mass=[[NAN, 0], [0, 1]]), r"mass\[0\]\[0\]"),
    "force of wrong length": (lambda: matrices(force=[0.0]), "force: has 1 entries"),
    "bias of wrong length": (lambda: matrices(bias=[0, 0, 0]), "bias: has 3 entries"),
    "force inf": (lambda: matrices(force=[INF, 0]), r"force\[0\]"),
    # coordinates
    "coordinate twice": (lambda: lagrangian(coordinates=[x, x, y]), "'x': is listed twice"),
    "coordinate is a formula": (lambda: lagrangian(coordinates=[x, 2 * y]), "not a coordinate"),
    "coordinate is a velocity": (lambda: lagrangian(coordinates=[x.dot, y]), "not a coordinate"),
    "coordinate is text": (lambda: lagrangian(coordinates=["x", y]), "not a coordinate"),
    # masses placed by formulas
    "particle of mass 0": (lambda: Particle(0.0, (x, y), name="p"), "particle 'p': mass is 0 kg"),
    "particle of mass < 0": (lambda: Particle(-1, (x, y)), "mass is -1 kg. Give a positive"),
    "particle of mass NaN": (lambda: Particle(NAN, (x, y)), "mass is nan"),
    "particle of moving mass": (lambda: Particle(x, (x, y)), "mass depends on x"),
    "particle nowhere": (lambda: Particle(1.0, ()), "position has 0 entries. Give 2 or 3"),
    "particle at text": (lambda: Particle(1.0, "xy"), "position has 0 entries"),
    "particle at NaN": (lambda: Particle(1.0, (x, NAN)), r"position\[1\]"),
    "planar body of mass 0": (
        lambda: PlanarBody(0.0, 1.0, position=(x, y), angle=z, name="b"),
        "body 'b': mass is 0 kg",
    ),
    "planar body of negative inertia": (
        lambda: PlanarBody(1.0, -1.0, position=(x, y), angle=z),
        "inertia is -1",
    ),
    "planar body in space": (
        lambda: PlanarBody(1.0, 1.0, position=(x, y, z), angle=z),
        "position has 3 entries",
    ),
    "spatial body of mass 0": (
        lambda: SpatialBody(0.0, (1, 1, 1), position=(x, y, z), rotation=np.eye(3)),
        "mass is 0 kg",
    ),
    "spatial body with 2 x 2 rotation": (
        lambda: SpatialBody(1.0, (1, 1, 1), position=(x, y, z), rotation=np.eye(2)),
        "rotation: has shape 2 x 2",
    ),
    "no masses": (lambda: Model.from_map(), "masses: there are none"),
    "not a mass": (lambda: placed(3.0), "3.0 is no mass"),
    "plane and space mixed": (
        lambda: Model.from_map(particles=[Particle(1, (x, y)), Particle(1, (x, y, z))]),
        "some in space",
    ),
    "gravity of wrong size": (
        lambda: Model.from_map(particles=[Particle(1, (x, y))], gravity=(0, 0, -1)),
        "gravity: has 3 entries. Give 2",
    ),
    "gravity NaN": (
        lambda: Model.from_map(particles=[Particle(1, (x, y))], gravity=(0, NAN)),
        "gravity",
    ),
    "mass made zero by a parameter": (
        lambda: Model.from_map(particles=[Particle(m, (x, y), name="p")]).with_parameters(m=0.0),
        "particle 'p': mass is 0 kg",
    ),
    # bodies
    "unknown orientation": (
        lambda: Model().add_body("b", Inertia.point(1), orientation="euler"),
        "orientation 'euler' is not available. Use 'quaternion' or 'roll-pitch-yaw'",
    ),
    "body twice": (
        lambda: with_body(lambda model, _: model.add_body("ship", Inertia.point(1))),
        "body 'ship': there is a body of that name",
    ),
    "body with spaces": (lambda: Model().add_body("my ship", Inertia.point(1)), "Python name"),
    "size whose square overflows": (
        lambda: Inertia.box(1.0, size=(1e200, 1, 1)),
        "at most 1e.30 m",
    ),
    "body without inertia": (lambda: Model().add_body("b", 3.0), "Give a dl.Inertia"),
    "body at two numbers": (
        lambda: Model().add_body("b", Inertia.point(1), position=(0, 0)),
        "position has 2 entries",
    ),
    "body at NaN": (
        lambda: Model().add_body("b", Inertia.point(1), position=(0, 0, NAN)),
        "position is nan",
    ),
    "body added to formulas": (
        lambda: lagrangian().add_body("b", Inertia.point(1)),
        "was made from formulas",
    ),
    "constraint on a foreign coordinate": (
        lambda: with_body(lambda model, _: model.constrain(x, name="c")),
        "constraint 'c': contains 'x'",
    ),
    "force on a foreign coordinate": (
        lambda: with_body(lambda model, _: model.add_force({x: 1.0})),
        "no coordinate 'x'",
    ),
    "potential of velocity added": (
        lambda: with_body(lambda model, b: model.add_potential(b.x.dot)),
        "add_force",
    ),
    "model without bodies": (lambda: Model().mass, "has no coordinates. Add a body"),
    "gravity of two": (lambda: Model(gravity=(0, 1)), "gravity: has 2 entries. Give 3"),
    "gravity of a coordinate": (lambda: Model(gravity=(0, 0, x)), "as a potential"),
    "gravity of nothing": (
        lambda: falling(-9.81 / m).with_parameters(m=0.0),
        "no finite number",
    ),
    "gravity of time": (
        lambda: Model(gravity=(0, 0, -9.81 - np.sin(time))),
        "depends on t. Give",
    ),
    "nameless model": (lambda: Model(""), "Give a text"),
    "rod as a free body": (
        lambda: _single(Inertia.rod(1.0, 1.0)).check(),
        "coordinate 'b.roll': carries no mass.*Give it mass or inertia",
    ),
    # initial state and drawing
    "initial of unknown name": (lambda: lagrangian(initial={"xx": 1.0}), "did you mean 'x'"),
    "initial NaN": (lambda: lagrangian(initial={x: NAN}), "initial 'x' is nan"),
    "initial inf": (lambda: lagrangian(initial={x.dot: INF}), "initial 'x.dot' is inf"),
    "initial of a coordinate": (lambda: lagrangian(initial={x: y}), "initial 'x' depends on y"),
    "initial text": (lambda: lagrangian(initial={x: "1"}), "not a number"),
    "initial list": (lambda: lagrangian(initial=[1.0, 2.0]), "Give a dict"),
    "initial undefined": (
        lambda: lagrangian(kinetic=m * FREE, initial={x: np.sqrt(m - 2)}).initial,
        "initial 'x'.*not a finite number",
    ),
    "point of one entry": (lambda: lagrangian(points={"p": (x,)}), "point 'p': has 1 entries"),
    "point of unknown coordinate": (lambda: lagrangian(points={"p": (x, z)}), "contains 'z'"),
    "line to nowhere": (
        lambda: lagrangian(points={"tip": (x, y)}, lines=[("tip", "tp")]),
        "there is no point 'tp'; did you mean 'tip'",
    ),
    "line of one point": (
        lambda: lagrangian(points={"tip": (x, y)}, lines=[("tip",)]),
        "fewer than two points",
    ),
    # catalog
    "unknown catalog name": (lambda: catalog.load("pendulm"), "did you mean 'pendulum'"),
    "unknown catalog option": (
        lambda: catalog.load("pendulum", lenght=2.0),
        "no option 'lenght'; did you mean 'length'",
    ),
    "unknown exercise": (lambda: catalog.load("biped", exercise=4), "Give 1, 2 or 3"),
    "half a four-bar": (lambda: catalog.load("n-four-bar", N=0.5), "whole number"),
}


def _single(inertia):
    model = Model()
    model.add_body("b", inertia, orientation="roll-pitch-yaw")
    return model


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    make, words = REFUSED[case]
    with pytest.raises(ModelError, match=words) as caught:
        make()
    message = str(caught.value)
    assert message.rstrip().endswith((".", "?", ")")), "a sentence"
    assert len(message) < 1000


def test_all_problems_are_listed_at_once():
    with pytest.raises(ModelError) as caught:
        lagrangian(
            name="broken",
            constraints={"c": m, "d": z},
            forces={"w": 1.0},
            initial={x: math.inf, "v": 0.0},
            lines=[("a", "b")],
        )
    message = str(caught.value)
    assert message.startswith("model 'broken' has 7 problems:")
    for part in ("'c'", "'d'", "'w'", "'x'", "'v'", "'a'", "'b'"):
        assert part in message


def test_formulas_of_numbers_that_are_not_finite():
    for number in (NAN, INF, -INF):
        with pytest.raises(FormulaError, match="finite"):
            x * number
