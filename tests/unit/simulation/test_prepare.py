"""A second run of a model: as fast as it can be, and never with anything of what it was before."""

import copy

import numpy as np
import pytest

import dalembert as dl
from dalembert.simulation.prepare import prepare as preparing
from dalembert.simulation.prepare.prepare import Wanted, prepare
from dalembert.system import loop_rows


def arm():
    """A double pendulum of bodies with everything that can be edited."""
    (mass,) = dl.parameters(mass=1.5)
    model = dl.Model("arm")
    upper = model.add_body("upper", dl.Inertia.cylinder(mass, 0.05, length=1.0, axis="x"))
    lower = model.add_body("lower", dl.Inertia.cylinder(mass, 0.05, length=1.0, axis="x"))
    model.add_joint(dl.Revolute(model.world, upper.at(x=-0.5), axis="y", name="shoulder"))
    model.add_joint(dl.Revolute(upper.at(x=0.5), lower.at(x=-0.5), axis="y", name="elbow"))
    model.add_force(dl.TorsionSpring(model.joints["elbow"], stiffness=2.0, name="spring"))
    return model


def box():
    """A box that falls onto a floor."""
    model = dl.Model("box")
    model.add_shape(dl.Plane(), name="floor")
    body = model.add_body(
        "box", dl.Inertia.box(1.0, (0.2, 0.2, 0.2)), position=(0, 0, 0.11), velocity=(1, 0, 0)
    )
    model.add_shape(dl.Box((0.2, 0.2, 0.2)), on=body, name="cube")
    return model


def swing():
    """A pendulum of formulas."""
    x, y = dl.coordinates("x y")
    m, l = dl.parameters(m=1.0, l=1.0)
    return dl.Model.from_lagrangian(
        kinetic=m * (x.dot**2 + y.dot**2) / 2,
        potential=m * 9.81 * y,
        constraints={"rod": x**2 + y**2 - l**2},
        initial={x: l},
    )


def add_spring(model):
    tip = model.bodies["lower"].at(x=0.5)
    spring = dl.Spring(model.world, tip, stiffness=5.0, free_length=0.5, name="more")
    model.add_force(spring)


def add_joint(model):
    tip = model.bodies["lower"].at(x=0.5)
    model.add_joint(dl.Spherical(model.world.at(x=2.0), tip, name="end"))


def add_body(model):
    third = model.add_body("third", dl.Inertia.sphere(0.5, 0.1))
    model.add_joint(dl.Fixed(model.bodies["lower"].at(x=0.5), third, name="hold"))


def constrain(model):
    lower = model.bodies["lower"]
    model.constrain(lower.velocity[0] * 0 + lower.y, name="plane")


def set_speed(model):
    model.set_initial({"lower.wy": 0.5})


def set_place(model):
    model.set_initial({model.coordinates[0]: 0.6, model.coordinates[1]: -0.8})


def push(model):
    x, _ = model.coordinates
    model.add_force({x: -0.5 * x.dot})


def add_potential(model):
    x, _ = model.coordinates
    model.add_potential(x**2)


def narrow(model):
    x, y = model.coordinates
    model.constrain(x - y - 1.0, name="line")


def ice(model):
    model.set_contact("floor", "cube", friction=0.0)


def more_floor(model):
    model.add_shape(dl.Sphere(0.1, position=(0.22, 0.0, 0.0)), name="stone")


def limit(model):
    model.set_limits("elbow", dl.Limits(lower=-0.01, upper=0.01))


def armature(model):
    model.set_armature("elbow", 0.5)


def combine(model):
    model.combine = dl.Combine(friction="product")


def heavy(model):
    more = model.add_body("more", dl.Inertia.sphere(1.0, 0.1), position=(0, 0, 0.5))
    model.add_shape(dl.Sphere(0.1), on=more)


EDITS = [
    (arm, add_spring),
    (arm, add_joint),
    (arm, add_body),
    (arm, constrain),
    (arm, set_speed),
    (arm, limit),
    (arm, armature),
    (swing, set_place),
    (swing, push),
    (swing, add_potential),
    (swing, narrow),
    (box, ice),
    (box, combine),
    (box, more_floor),
    (box, heavy),
]


def run(model, **options):
    return dl.simulate(model, until=0.05, step=1e-3, **options)


def same(a, b):
    """Whether two solutions are the same to the bit."""
    arrays = ("t", "q", "v", "a", "lam", "phi", "phi_dot", "kinetic", "potential")
    return all(np.array_equal(getattr(a, n), getattr(b, n), equal_nan=True) for n in arrays)


@pytest.mark.parametrize(("make", "edit"), EDITS)
def test_an_edited_model_runs_as_one_made_anew(make, edit):
    model = make()
    before = run(model)
    edit(model)
    fresh = make()
    edit(fresh)
    after = run(model)
    assert not same(before, after)
    preparing.forget()
    assert same(after, run(fresh))


@pytest.mark.parametrize("make", [arm, swing, box])
def test_the_second_run_is_the_first_to_the_bit(make):
    model = make()
    first = run(model)
    assert same(first, run(model))
    assert same(first, run(copy.copy(model)))
    preparing.forget()
    assert same(first, run(model))


@pytest.mark.parametrize(
    ("make", "options", "others"),
    [
        (arm, {}, {"parameters": {"mass": 2.5}, "initial": {"lower.wy": 0.3}}),
        (arm, {"parameters": {"mass": 2.5}}, {"parameters": {"mass": 1.5}}),
        (arm, {"formulation": "maximal"}, {"formulation": "generalized"}),
        (arm, {"start": 0.0}, {"consistent": False}),
        (arm, {}, {"method": dl.Baumgarte()}),
        (arm, {"method": dl.Baumgarte(alpha=5.0)}, {"method": dl.Baumgarte(alpha=6.0)}),
        (swing, {}, {"parameters": {"l": 2.0}}),
        (swing, {}, {"initial": {"x": 0.6, "y": -0.8}}),
        (swing, {"initial": ([0.6, -0.8], [0.0, 0.0])}, {"initial": ([0.6, -0.8], [0.8, 0.6])}),
        (swing, {}, {"integrator": dl.SemiImplicitEuler()}),
        (box, {}, {"method": dl.ContactImpulse(solver="pgs")}),
    ],
)
def test_other_options_are_another_run(make, options, others):
    model = make()
    one, other = run(model, **options), run(model, **others)
    again = run(model, **options)
    preparing.forget()
    assert same(one, again)
    assert same(other, run(make(), **others))
    assert same(one, run(make(), **options))


def test_a_copy_does_not_feel_what_happens_to_its_original():
    model = box()
    kept = copy.copy(model)
    before = run(model)
    ice(model)
    heavy(model)
    assert same(before, run(kept))


def test_a_mesh_is_replaced_and_never_changed():
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    mesh = dl.Mesh(vertices=corners, faces=faces)
    corners[0, 0] = faces[0, 0] = 3
    assert mesh.vertices[0, 0] == mesh.faces[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        mesh.vertices[0, 0] = 1.0


def test_events_are_those_of_the_call():
    model = swing()
    x, y = model.coordinates
    plain = run(model)
    for formula in (x - 0.99999, y + 0.005):
        found = dl.simulate(model, until=0.05, step=1e-3, events=[dl.Event(formula)])
        assert len(found.events) == 1
        assert np.array_equal(found.q, plain.q)
    assert not run(model).events


def test_a_setup_is_met_again_only_with_the_same_contents():
    model = arm()
    wanted = Wanted(dl.Projection(), dl.RK4(), 1e-3)
    first = prepare(model, wanted)
    assert prepare(model, wanted).memory is first.memory
    assert prepare(copy.copy(model), wanted).memory is first.memory
    assert prepare(model, Wanted(dl.Projection(), dl.RK4(), 2e-3)).memory is not first.memory
    assert prepare(model.with_parameters(mass=2.0), wanted).memory is not first.memory
    assert prepare(model.with_parameters(mass=1.5), wanted).model is not model


def test_a_method_of_ones_own_that_may_change_is_prepared_anew():
    class Own(dl.Baumgarte):
        pass

    class Loose:
        pass

    wanted = Wanted(Loose(), dl.RK4(), 1e-3)
    assert preparing._key(wanted) is None
    assert preparing._key(Wanted(Own(), dl.RK4(), 1e-3)) != preparing._key(
        Wanted(dl.Baumgarte(), dl.RK4(), 1e-3)
    )


def test_a_session_and_a_run_take_the_same_steps_after_edits():
    model = arm()
    run(model)
    add_spring(model)
    session = dl.Session(model, step=1e-3)
    session.advance(0.05)
    assert np.allclose(session.q, run(model).q[-1], rtol=0, atol=1e-12)


def test_trees_that_are_not_taken_have_no_tables(monkeypatch):
    """Those of the loops of a net with a thousand plates took a minute."""
    made, asked = loop_rows._factors, []
    monkeypatch.setattr(loop_rows, "_factors", lambda *given: asked.append(1) or made(*given))
    net = dl.catalog.load("grid", rows=8, columns=8)
    solution = dl.simulate(net, until=1e-3, step=1e-3, progress=False)
    assert solution.statistics["formulation"] == "maximal"
    assert not asked
