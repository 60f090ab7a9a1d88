"""Objectives, controls, many worlds, costs, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import check_grad, minimize

import dalembert as dl
from dalembert.errors import OptionError
from dalembert.formulas import reachable
from dalembert.gradients import run as run_module
from dalembert.gradients.places import Formulas
from dalembert.gradients.prepared import Prepared


def cart():
    x, a = dl.coordinates("x a")
    F, m = dl.parameters(F=0.0, m=0.3)
    tip = np.array([x + 0.5 * np.sin(a), -0.5 * np.cos(a)])
    return dl.Model.from_map(
        name="cart",
        particles=[dl.Particle(1.0, position=(x, 0.0)), dl.Particle(m, position=tip)],
        coordinates=[x, a],
        gravity=(0, -9.81),
        forces={x: F, a: -0.02 * a.dot},
        initial={a: 0.0},
    )


def test_direct_shooting():
    """A load is brought to rest 1 m away by twenty forces; the gradient is exact."""
    model = cart()
    x, a = model.coordinates
    final = (x - 1) ** 2 + x.dot**2 + a**2 + a.dot**2
    cost = dl.objective(
        model, ["F"], until=2.0, final=100 * final, controls={"F": np.zeros(20)}, step=1e-2
    )
    assert len(cost.x0) == 20
    point = np.sin(np.arange(20))
    assert check_grad(cost.value, cost.gradient, point) < 1e-4
    found = minimize(cost, cost.x0, jac=True, method="BFGS", options={"gtol": 1e-9})
    assert found.fun < 1e-10
    replay = dl.rollout(model, step=1e-2, steps=200, controls={"F": np.repeat(found.x, 10)})
    assert replay.q[0, -1] == pytest.approx([1.0, 0.0], abs=1e-6)
    assert replay.v[0, -1] == pytest.approx([0.0, 0.0], abs=1e-5)


def test_an_integral_and_both_ways_agree():
    """The integral of x^2 of an oscillator, by hand."""
    (x,), (w,) = dl.coordinates("x"), dl.parameters(w=2.0)
    model = dl.Model.from_lagrangian(
        coordinates=[x], kinetic=x.dot**2 / 2, potential=w**2 * x**2 / 2, initial={x: 1.0}
    )
    T = 1.7

    def exact(w):
        return T / 2 + np.sin(2 * w * T) / (4 * w)

    slope = (exact(2.0 + 1e-6) - exact(2.0 - 1e-6)) / 2e-6
    for mode in ("forward", "adjoint"):
        cost = dl.objective(model, [w], until=T, integral=x**2, final=0.1 * x, mode=mode)
        value, gradient = cost(cost.x0)
        assert value == pytest.approx(exact(2.0) + 0.1 * np.cos(2 * T), abs=1e-10)
        assert gradient[0] == pytest.approx(slope - 0.1 * T * np.sin(2 * T), abs=1e-8)


def test_many_worlds_have_their_own_derivatives():
    model = cart()
    a = model.coordinates[1]
    masses = np.array([0.2, 0.3, 0.5])
    many = dl.sensitivity(
        model, [a], ["m", a], until=1.0, parameters={"m": masses}, initial={"a": 0.4}
    )
    assert many.derivatives.shape == (3, 1, 1, 2)
    for k, m in enumerate(masses):
        one = dl.sensitivity(
            model, [a], ["m", a], until=1.0, step=many.step, parameters={"m": m},
            initial={"a": 0.4},
        )  # fmt: skip
        assert many.derivatives[k] == pytest.approx(one.derivatives, abs=1e-12)


def test_long_runs_keep_checkpoints_only(monkeypatch):
    """States that are not kept are made again on the way back: the same bits."""
    model = cart()
    a = model.coordinates[1]
    asked = {"until": 2.0, "step": 1e-3, "initial": {"a": 0.4}, "mode": "adjoint"}
    kept = dl.sensitivity(model, [a], ["m", a], **asked)
    monkeypatch.setattr(run_module, "KEPT", 100)
    monkeypatch.setattr(run_module, "LONGEST", 150)
    again = dl.sensitivity(model, [a], ["m", a], **asked)
    assert again.derivatives == pytest.approx(kept.derivatives, rel=1e-11)


def chain(n):
    q = dl.coordinates("q", n)
    k = dl.parameters(**{f"k{i}": 10.0 + i for i in range(n)})
    m = dl.parameters(**{f"m{i}": 1.0 + 0.1 * i for i in range(n)})
    gaps = [q[0], *(q[i] - q[i - 1] for i in range(1, n))]
    model = dl.Model.from_lagrangian(
        coordinates=list(q),
        kinetic=sum(a * x.dot**2 / 2 for a, x in zip(m, q, strict=True)),
        potential=sum(a * x**2 / 2 + 0.1 * x**4 for a, x in zip(k, gaps, strict=True)),
        initial={q[0]: 0.5},
    )
    return model, q[-1], [x.name for x in (*k, *m)]


def four_bar():
    a, b, c = dl.coordinates("a b c")
    A, B, C, G = dl.parameters(A=0.4, B=1.0, C=0.8, G=1.0)
    pin = A * np.array([np.cos(a), np.sin(a)])
    far = np.array([G, 0]) + C * np.array([np.cos(c), np.sin(c)])
    bodies = [
        dl.PlanarBody(1.0, 0.1, position=pin / 2, angle=a),
        dl.PlanarBody(1.0, 0.1, position=(pin + far) / 2, angle=b),
        dl.PlanarBody(1.0, 0.1, position=far / 2, angle=c),
    ]
    model = dl.Model.from_map(
        bodies=bodies,
        coordinates=[a, b, c],
        gravity=(0, -9.81),
        constraints={"loop": list(pin + B * np.array([np.cos(b), np.sin(b)]) - far)},
        initial={a: 1.0, b: 0.4, c: 1.5},
    )
    return model, c, ["A", "B", "C", "G"]


def bouncing():
    (y,) = dl.coordinates("y")
    e, k, m = dl.parameters(e=0.8, k=0.1, m=1.5)
    model = dl.Model.from_lagrangian(
        coordinates=[y],
        kinetic=m * y.dot**2 / 2,
        potential=m * 9.81 * y,
        dissipation=k * y.dot**2 / 2,
        initial={y: 0.4},
    )
    model.keep(y >= 0, name="floor", restitution=e)
    return model, y, ["e", "k", "m"]


KINDS = {
    "2 springs": lambda: chain(2),
    "8 springs": lambda: chain(8),
    "20 springs": lambda: chain(20),
    "2 rods": lambda: arm_of_bodies(2),
    "4 rods": lambda: arm_of_bodies(4),
    "loop": four_bar,
    "impacts": bouncing,
}


@pytest.mark.parametrize("kind", KINDS)
def test_an_adjoint_costs_no_more_than_four_runs(kind):
    """Operations of a step and of its way back, with a store and a load of each value kept."""
    model, last, names = KINDS[kind]()
    made = Prepared("cost", model, [last], names)
    forth, back = made.flow.operations()
    assert forth == sum(1 for x in reachable(made.flow.traced.step) if x.args)
    assert forth + back <= 4 * forth


def test_values_kept_for_the_way_back_change_no_digit():
    """The way back with values of the steps, and with all of them computed again."""
    model, last, names = arm_of_bodies(2)
    made = Prepared("kept", model, [last, f"{last}.dot"], names)
    found = []
    for back in (True, False):
        run, first = made.run(made.own_point, np.array([0.5]), 1e-3, back=back)
        assert all((piece.tape is None) != back for piece in run.pieces)
        weights = np.array([[1.0, 0.3]])
        found.append(run.adjoints(weights, made.variables, made.places, first.slopes()))
    assert len(made.flow.kept) > 10
    assert found[0] == pytest.approx(found[1], rel=1e-13)


def test_what_cannot_be_meant_is_refused():
    model = cart()
    a = model.coordinates[1]
    with pytest.raises(OptionError, match=r"'M'.*no parameter, control, coordinate"):
        dl.sensitivity(model, [a], ["M"], until=1.0)
    with pytest.raises(OptionError, match="names something twice"):
        dl.sensitivity(model, [a], ["m", "m"], until=1.0)
    with pytest.raises(OptionError, match="give until"):
        dl.sensitivity(model, [a], ["m"])
    with pytest.raises(OptionError, match="hold names 'b'"):
        dl.sensitivity(model, [a], ["m"], until=1.0, hold=["b"])
    with pytest.raises(OptionError, match="not explicit with a fixed step"):
        dl.sensitivity(model, [a], ["m"], until=1.0, integrator=dl.DormandPrince())
    with pytest.raises(OptionError, match="brings its own step"):
        dl.sensitivity(dl.catalog.load("pendulum"), ["x"], ["x"], until=1.0, method=dl.Rattle())
    with pytest.raises(OptionError, match="give final=, integral="):
        dl.objective(model, ["m"], until=1.0)
    with pytest.raises(OptionError, match="no exact gradient here"):
        dl.objective(model, ["m"], until=1.0, integral=a, events=[dl.Event(a)])


def test_bodies_that_are_placed_by_a_parameter_are_refused():
    """Their start would move with it: never a wrong derivative in silence."""
    (h,) = dl.parameters(h=1.0)
    free = dl.Model("stone")
    free.add_body("stone", dl.Inertia.sphere(1.0, 0.1), position=(0, 0, h))
    with pytest.raises(OptionError, match=r"position of body 'stone' is a formula of 'h'"):
        dl.sensitivity(free, ["stone.z"], [h], until=0.1)
    swing = dl.Model("swing")
    body = swing.add_body("b", dl.Inertia.sphere(1.0, 0.1))
    swing.add_joint(dl.Revolute(swing.world, body.at(x=-1.0), axis="y", initial=h, name="j"))
    with pytest.raises(OptionError, match=r"initial of joint 'j' is a formula of 'h'"):
        dl.sensitivity(swing, ["j.angle"], [h], until=0.1)
    assert dl.sensitivity(swing, ["j.angle"], ["j.angle"], until=0.1).derivatives[0, 0, 0] != 0.0


def four_bar():
    a, b, c = dl.coordinates("a b c")
    A, B, G = dl.parameters(A=0.4, B=1.0, G=1.0)

    def ray(x):
        return np.array([np.cos(x), np.sin(x)])

    loop = A * ray(a) + B * ray(b) - np.array([G, 0]) - 0.7 * ray(c)
    return dl.Model.from_lagrangian(
        coordinates=[a, b, c],
        kinetic=(A * a.dot**2 + B * b.dot**2 + c.dot**2) / 2,
        potential=9.81 * (A * np.sin(a) + B * np.sin(b)),
        constraints={"loop": list(loop)},
        initial={a: 1.570796326794897, b: 0.303134776126, c: 1.635977613397, a.dot: 3.0},
    )


def test_speeds_that_were_asked_for_are_kept():
    """As `simulate` starts with other lengths: the loop is closed, the crank has its speed."""
    model, names = four_bar(), ["A", "B", "G"]
    found = dl.sensitivity(model, ["a", "c.dot"], names, until=0.2, step=1e-3)
    for k, name in enumerate(names):
        own, slope = model.parameters[name], np.zeros(2)
        for n, weight in {1: 2 / 3, 2: -1 / 12}.items():
            for side in (1, -1):
                value = own * (1 + side * n * 1e-3)
                run = dl.simulate(
                    model, until=0.2, step=1e-3, parameters={name: value}, integrator=dl.RK4()
                )
                slope += side * weight * np.array([run["a"][-1], run["c.dot"][-1]])
        assert found.derivatives[0, :, k] == pytest.approx(slope / (own * 1e-3), rel=1e-5)


def test_what_is_held_leaves_the_constraints_to_be_met():
    with pytest.raises(OptionError, match="with a, b held the constraints cannot be met"):
        dl.sensitivity(four_bar(), ["c"], ["A"], until=0.1, hold=["a", "b"])


def test_data_that_cannot_tell_parameters_apart():
    (x,), (k, c) = dl.coordinates("x"), dl.parameters(k=2.0, c=1.0)
    model = dl.Model.from_lagrangian(
        coordinates=[x], kinetic=x.dot**2 / 2, potential=k * c * x**2 / 2, initial={x: 1.0}
    )
    times = np.linspace(0.1, 2, 20)
    with pytest.raises(OptionError, match="cannot tell k and c apart"):
        dl.identify(model, {x: np.cos(1.5 * times)}, [k, c], at=times)


def arm_of_bodies(n):
    """Rods one behind the other, each with a mass and a length of its own."""
    model, before, names = dl.Model("arm"), None, []
    for i in range(n):
        length, mass = dl.parameters(**{f"l{i}": 0.5 + 0.03 * i, f"m{i}": 1.0 + 0.1 * i})
        rod = model.add_body(f"rod{i}", dl.Inertia.rod(mass, length=length))
        at = model.world if before is None else before
        axis = "y" if i % 2 == 0 else "z"
        model.add_joint(
            dl.Revolute(at, rod.at(x=-length / 2), axis=axis, name=f"j{i}", initial=0.3)
        )
        before = rod.at(x=length / 2)
        names += [length.name, mass.name]
    return model, f"j{n - 1}.angle", names


def test_entries_of_a_tree_are_formulas():
    """Nothing is differenced: entries of the arrays are formulas of masses and lengths."""
    model, last, names = arm_of_bodies(2)
    flow = Prepared("cost", model, [last], names).flow
    assert isinstance(flow.traced.places, Formulas)


def test_results_show_themselves_in_a_line():
    """An interactive session shows what it was asked for, not all arrays."""
    (x,), (k, F) = dl.coordinates("x"), dl.parameters(k=4.0, F=0.0)
    model = dl.Model.from_lagrangian(
        coordinates=[x],
        kinetic=x.dot**2 / 2,
        potential=k * x**2 / 2,
        forces={x: F},
        initial={x: 1.0},
    )
    assert repr(dl.sensitivity(model, [x], [k], until=1.0)) == (
        "Sensitivity(x by k, 1 samples, forward)"
    )
    times = np.linspace(0.1, 3.0, 20)
    assert repr(dl.identify(model, {x: np.cos(2 * times)}, [k], at=times)) == "Identified(k = 4)"
    found = dl.servo(model, {x: 1 + 0 * dl.time}, [F], until=1.0)
    assert repr(found) == f"Servo(F: {len(found.t)} samples, orthogonal realisation, index 3)"
    assert np.abs(found["x.dot"]).max() < 1e-12
    with pytest.raises(OptionError, match=r"Servo: there is no 'y'.*F"):
        found["y"]


def test_signals_by_name():
    model = dl.catalog.load("pendulum")
    named = dl.objective(model, ["l"], until=0.5, final="y", integral="x.dot")
    x, y = model.coordinates
    formulas = dl.objective(model, ["l"], until=0.5, final=y, integral=x.dot)
    assert named.value([1.1]) == formulas.value([1.1])
    assert named.gradient([1.1]) == formulas.gradient([1.1])
