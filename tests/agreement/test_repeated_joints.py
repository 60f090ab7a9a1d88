"""Joints given twice say nothing new: the same motion and energy, however they are computed."""

import numpy as np
import pytest
from tests.support.random_mechanisms import random_mechanism

import dalembert as dl
from dalembert.enforcement import METHODS
from dalembert.errors import OptionError
from dalembert.system.tree_system import TreeSystem

STEP, UNTIL = 1e-3, 0.2

SLANTED = {"axis": (1.0, 2.0, 0.5)}

JOINTS = {
    "revolute": (dl.Revolute, SLANTED, -0.3),
    "prismatic": (dl.Prismatic, SLANTED, 0.2),
    "cylindrical": (dl.Cylindrical, SLANTED, (0.5, -0.2)),
    "screw": (dl.Screw, SLANTED | {"pitch": 0.3}, 1.0),
    "planar": (dl.Planar, SLANTED, (0.2, 0.1, 0.5)),
    "spherical": (dl.Spherical, {}, (0.3, -0.2, 0.6)),
    "universal": (dl.Universal, {}, (0.4, -0.7)),
    "compound": (dl.Compound, {"slides": ["x"], "hinges": ["y", "z"]}, (0.1, 0.5, -0.4)),
    "fixed": (dl.Fixed, {}, None),
}
"""Class, options and initial speed of every kind that can carry a body."""

SAME_FROM_BOTH_SIDES = {"revolute", "prismatic", "cylindrical", "screw", "planar", "spherical"}


def chain(kind, times=1, turned=False):
    """Three bodies on hinges, the middle ones joined by some kind, `times` times over."""
    model = dl.Model("chain", gravity=(0.0, 0.0, -9.81))
    first = model.add_body("first", dl.Inertia.box(mass=1.0, size=(0.1, 0.2, 0.6)))
    second = model.add_body("second", dl.Inertia.box(mass=0.5, size=(0.1, 0.15, 0.4)))
    third = model.add_body("third", dl.Inertia.box(mass=0.3, size=(0.1, 0.2, 0.3)))
    model.add_joint(
        dl.Revolute(model.world, first.at(z=0.3), axis="y", name="top", initial_speed=1.0)
    )
    joint, options, speed = JOINTS[kind]
    frames = first.at(x=0.1, z=-0.3), second.at(y=0.05, z=0.5)
    moving = {} if speed is None else {"initial_speed": speed}
    model.add_joint(joint(*frames, **options, **moving, name="joint"))
    for k in range(1, times):
        again = frames[::-1] if turned else frames
        model.add_joint(joint(*again, **options, name=f"joint {k + 1}"))
    model.add_joint(
        dl.Revolute(second.at(z=-0.2), third.at(z=0.15), axis="x", name="last", initial_speed=2.0)
    )
    return model


def run(model, **options):
    return dl.simulate(model, **({"until": UNTIL, "step": STEP, "progress": False} | options))


def energy_change(solution):
    energy = solution.kinetic + solution.potential
    return np.abs(energy - energy[0]).max()


def test_a_hinge_given_twice_with_default_options():
    """What was found: energy went from 0.43 to 2326 J in 0.2 s, the constraints met to 3e-16."""
    model = dl.Model("twice", gravity=(0.0, 0.0, 0.0))
    a = model.add_body("a", dl.Inertia.box(mass=1.0, size=(0.1, 0.2, 0.6)))
    b = model.add_body("b", dl.Inertia.box(mass=0.5, size=(0.1, 0.1, 0.4)))
    model.add_joint(dl.Revolute(model.world, a, axis="y", name="y", initial_speed=1.0))
    for name, speed in (("x", -0.3), ("x again", 0.0)):
        model.add_joint(dl.Revolute(a, b.at(z=0.5), axis="x", name=name, initial_speed=speed))
    solution = run(model)
    assert solution.statistics["formulation"] == "generalized"
    assert energy_change(solution) < 1e-12


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("kind", JOINTS)
def test_every_kind_twice_and_three_times(kind, formulation):
    once = run(chain(kind), formulation=formulation)
    for times, turned in ((2, False), (3, False), (2, True)):
        if turned and kind not in SAME_FROM_BOTH_SIDES:
            continue
        again = run(chain(kind, times, turned), formulation=formulation)
        assert np.abs(again.q - once.q).max() < 1e-11
        assert np.abs(again.v - once.v).max() < 1e-10
        assert energy_change(again) < 1e-9


@pytest.mark.parametrize("method", [name for name in METHODS if name != "rattle"])
@pytest.mark.parametrize("kind", ["revolute", "screw", "universal"])
def test_every_method_on_a_tree(kind, method):
    """Bit by bit but for the last: a row that repeats the joints of the tree adds nothing."""
    method = METHODS[method]
    options = {"method": method(), "formulation": "generalized", "until": 0.05}
    once = run(chain(kind), **options)
    if not method.redundant:
        with pytest.raises(dl.errors.RedundancyError):
            run(chain(kind, 2), **options)
        return
    again = run(chain(kind, 2), **options)
    assert np.abs(again.q - once.q).max() < 1e-12
    assert np.abs(again.v - once.v).max() < 1e-11


@pytest.mark.parametrize("method", [x for x in METHODS.values() if x.redundant and x.levels])
@pytest.mark.parametrize("kind", ["revolute", "screw"])
def test_every_method_on_bodies(kind, method):
    """Given the other way round: rows that imply one another on the constraints alone.

    The error is that of the joint given once, where the method has any.
    """
    exact = run(chain(kind)).q[-1]
    options = {"formulation": "maximal", "step": 4e-3}
    if method is dl.ContactImpulse:
        options["method"] = dl.ContactImpulse(order=2)
    else:
        options["method"] = method()
    once, again = (run(chain(kind, times, turned=True), **options) for times in (1, 3))
    allowed = 3.0 * np.abs(once.q[-1] - exact).max() + 1e-9
    assert np.abs(again.q[-1] - exact).max() < allowed


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_error_control_sees_nothing_of_it(formulation):
    options = {"step": None, "integrator": dl.DormandPrince()}
    once, again = (
        run(chain("cylindrical", times), formulation=formulation, **options) for times in (1, 2)
    )
    assert np.abs(again.q[-1] - once.q[-1]).max() < 1e-9


# -- a door on several hinges ----------------------------------------------------------------------


def door(hinges=1, apart=0.0):
    """A door on a turning table; further hinges are `apart` from the axis of the first."""
    model = dl.Model("door", gravity=(0.0, 0.0, -9.81))
    table = model.add_body("table", dl.Inertia.cylinder(mass=20.0, radius=1.0, length=0.1))
    leaf = model.add_body("leaf", dl.Inertia.box(mass=5.0, size=(0.8, 0.04, 2.0)))
    model.add_joint(dl.Revolute(model.world, table, axis="z", name="table", initial_speed=2.0))
    for k, z in enumerate(np.linspace(-0.4, 0.4, hinges)):
        model.add_joint(
            dl.Revolute(
                table.at(x=0.5, z=1.05 + z),
                leaf.at(x=-0.4 + apart * (k > 0), z=z),
                axis="z",
                name=f"hinge {k}",
                initial_speed=0.0 if k else 1.0,
            )
        )
    return model


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("hinges", [2, 3])
def test_a_door_on_a_turning_table_converges(hinges, formulation):
    exact = run(door(), until=0.5, formulation="generalized")
    coarse = run(door(hinges), until=0.5, step=1e-2, formulation=formulation)
    fine = run(door(hinges), until=0.5, step=5e-3, formulation=formulation)
    errors = [np.abs(s.q[-1] - exact.q[-1]).max() for s in (coarse, fine)]
    assert errors[0] < 1e-8
    assert errors[1] < errors[0] / 10.0
    assert energy_change(fine) < 1e-8


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("apart", [1e-14, 1e-12, 1e-10, 1e-8, 1e-7])
def test_axes_that_are_apart_by_an_error_of_the_model(apart, formulation):
    """Not one axis by the last digits: the speeds given are kept, the door swings as on one."""
    exact = run(door(), until=0.5, formulation="generalized")
    solution = run(door(2, apart), until=0.5, formulation=formulation)
    assert np.abs(solution.v[0] - exact.v[0]).max() < 10.0 * apart + 1e-13
    assert np.abs(solution.q - exact.q).max() < 10.0 * apart + 1e-12
    assert energy_change(solution) < 1e3 * apart + 1e-10


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("apart", [1e-10, 1e-8, 1e-7])
def test_axes_apart_in_space(apart, formulation):
    """A hinge given again beside itself, within a chain that leaves every plane, or aslant."""
    exact = run(chain("revolute"), formulation="generalized")
    for beside in ({"x": 0.1 + apart}, {"y": apart}, {"x": 0.1 + apart, "y": -apart}):
        model = chain("revolute")
        first, second = model.bodies["first"], model.bodies["second"]
        frames = first.at(z=-0.3, **({"x": 0.1} | beside)), second.at(y=0.05, z=0.5)
        model.add_joint(dl.Revolute(*frames, **SLANTED, name="again"))
        solution = run(model, formulation=formulation)
        assert np.abs(solution.q - exact.q).max() < 20.0 * apart
        assert energy_change(solution) < 1e2 * apart


def test_axes_that_do_not_fit_are_refused():
    with pytest.raises(dl.errors.AssemblyError, match="hinge 0"):
        run(door(2, 1e-3))


# -- a loop that moves though it is over-constrained -----------------------------------------------


def six_hinges(angle=1.3):
    """Bricard's loop with threefold symmetry: links of unit length, twisted by right angles.

    30 rows of rank 29. It closes where c d + c + d = 0 for the cosines of alternate angles.
    """
    other = np.arccos(-np.cos(angle) / (1.0 + np.cos(angle)))
    R, p, places, axes = np.eye(3), np.zeros(3), [], []
    for k in range(6):
        places.append(p)
        axes.append(tuple(R[:, 2]))
        R = R @ dl.Rotation.about("z", other if k % 2 else angle).matrix
        p = p + R[:, 0]
        R = R @ dl.Rotation.about("x", (-1) ** k * np.pi / 2).matrix
    model = dl.Model("six hinges", gravity=(9.81, 0.0, 0.0))
    middles = [0.5 * (places[k] + places[(k + 1) % 6]) for k in range(6)]
    links = [
        model.add_body(
            f"link_{k}",
            dl.Inertia.box(mass=1.0 + 0.1 * k, size=(0.3, 0.2, 0.5)),
            position=tuple(middles[k]),
        )
        for k in range(1, 6)
    ]

    def at(k, place):
        if k == 0:
            return model.world.at(*place)
        return links[k - 1].at(*(place - middles[k]))

    for k in range(6):
        frames = at((k - 1) % 6, places[k]), at(k, places[k])
        model.add_joint(dl.Revolute(*frames, axis=axes[k], name=f"hinge {k}"))
    return model


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("method", [dl.BraunGoldfarb(), dl.Baumgarte()], ids=str)
def test_an_over_constrained_loop_of_six_hinges(method, formulation):
    """A violation makes the rows independent: they must not hold the loop, or throw it off."""
    model = six_hinges()
    exact = run(model, until=0.8)
    options = {"until": 0.8, "method": method, "formulation": formulation}
    errors = []
    for step in (4e-2, 2e-2, 1e-2):
        solution = run(model, step=step, **options)
        errors.append(np.abs(solution.q[-1] - exact.q[-1]).max())
    assert errors[0] < 2e-2
    assert errors[1] < errors[0] / 6.0
    assert errors[2] < errors[1] / 6.0
    adaptive = run(model, step=None, integrator=dl.DormandPrince(), **options)
    assert np.abs(adaptive.q[-1] - exact.q[-1]).max() < 1e-8


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_second_order_with_impulses_on_six_hinges(formulation):
    """In the middle of a step joints are open by O(h^2): rows independent by that hold nothing."""
    model = six_hinges()
    exact = run(model, until=0.8)
    options = {"until": 0.8, "method": dl.ContactImpulse(order=2), "formulation": formulation}
    errors = []
    for step in (1e-2, 5e-3):
        solution = run(model, step=step, **options)
        errors.append(np.abs(solution.q[-1] - exact.q[-1]).max())
    assert errors[0] < 1e-2
    assert errors[1] < errors[0] / 3.0


# -- rows on a tree --------------------------------------------------------------------------------


def test_terms_that_cancel_leave_no_row():
    """Of a joint given twice J is zero, not rounding; of a loop it has its full share."""
    system = TreeSystem.of(chain("revolute", 2))
    solution = run(chain("revolute"), formulation="generalized")
    q, v = dl.Tree(chain("revolute")).from_bodies(solution.q[-1], solution.v[-1])
    state, extents = system.open(())
    system.prepare(state)
    _evaluate(state, q, v)
    assert extents.rows == 5
    assert not system.jacobian(state).any()
    assert not state.row_share[:5].any()

    loop = TreeSystem.of(dl.catalog.load("four-bar-3d"))
    state, _ = loop.open([loop.model.parameters[p] for p in loop.parameter_names])
    q, v = dl.Tree(loop.model).start()
    _evaluate(state, q, v)
    share = state.row_share
    J = loop.jacobian(state)
    assert ((share > 0.05) == J.any(axis=1)).all()
    assert J.any(axis=1).sum() >= 2


def _evaluate(state, q, v):
    from dalembert.mechanics.choose_solve import install
    from dalembert.system.borders import evaluate

    install("automatic", state)
    evaluate(state, 0.0, q, v)


# -- inertia that is lost on a tree ----------------------------------------------------------------


def point_mass(crosses):
    model = dl.Model("point mass", gravity=(0.0, 0.0, -9.81))
    point = model.add_body("point", dl.Inertia.point(1.0))
    for k in range(crosses):
        model.add_joint(dl.Universal(model.world, point.at(x=-1.0), name=f"cross {k}"))
    return model


@pytest.mark.parametrize("crosses", [1, 2])
def test_a_point_mass_on_crosses(crosses):
    """The first axis leads through it: maximal coordinates by default, the others refused."""
    solution = run(point_mass(crosses))
    assert solution.statistics["formulation"] == "maximal"
    assert energy_change(solution) < 1e-9
    with pytest.raises(OptionError, match=r"nothing resists the velocity 'cross 0\.angle_1\.dot'"):
        run(point_mass(crosses), formulation="generalized")


def test_hinges_given_three_times_in_formulas_have_the_order_of_the_integrator():
    """Off the constraints, in the stages of a step, their rows demand different things.

    Which of them are taken must not change with their sizes: that left an order of two.
    """
    plan = random_mechanism(31413)
    model = plan.model(orientation="roll-pitch-yaw")

    def end(steps):
        run = dl.simulate(model, until=plan.period, step=plan.period / steps, progress=False)
        (body,) = model.bodies.values()
        return np.array([[run[x][-1] for x in row] for row in body.rotation])

    found = [end(steps) for steps in (128, 256, 512, 2048)]
    errors = [np.abs(R - found[-1]).max() for R in found[:-1]]
    assert errors[0] < 1e-6
    assert errors[1] < errors[0] / 10
    assert errors[2] < errors[1] / 10
