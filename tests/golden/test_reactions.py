"""Forces that contain the reaction of a constraint (methods 2.2): motions in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import battery

import dalembert as dl
from dalembert import _jit
from dalembert.enforcement import METHODS
from dalembert.importers.writing import save_model

MU, FAST, UNTIL = 0.3, 2.0, 1.0

SLOW = FAST / (1 + MU * FAST * UNTIL)
"""Speed at the end on a rough ring of 1 m without weight: v' = -mu v^2 / r."""


def rough_ring(**options):
    """A bead of 1 kg; the ring presses with |J^T lam| = 2 |q| |lam|."""
    x, y = dl.coordinates("x y")
    press = 2 * np.hypot(x, y) * abs(dl.reaction("ring"))
    speed = np.hypot(x.dot, y.dot)
    return dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        constraints={"ring": x**2 + y**2 - 1},
        forces={x: -MU * press * x.dot / speed, y: -MU * press * y.dot / speed},
        initial={x: 1.0, y.dot: FAST},
        **options,
    )


def rough_ring_of_a_body():
    model = dl.Model("bead", gravity=(0, 0, 0))
    inertia = dl.Inertia.sphere(mass=1.0, radius=0.01)
    bead = model.add_body("bead", inertia, position=(1, 0, 0), velocity=(0, FAST, 0))
    press = 2 * np.hypot(bead.x, bead.y) * abs(dl.reaction("ring"))
    over = -MU * press / np.hypot(bead.x.dot, bead.y.dot)
    model.constrain(
        bead.x**2 + bead.y**2 - 1,
        name="ring",
        nonideal=dl.Force(bead, value=(over * bead.x.dot, over * bead.y.dot, 0), name="rubbing"),
    )
    model.constrain(bead.z, name="plane")
    return model


def speed(solution):
    return np.linalg.norm(solution.v[:, : min(3, solution.v.shape[1])], axis=1)


ORDER = {
    "velocity-splitting": 1,
    "augmented-lagrangian": 2,
    "index-two": 2,
    "rattle": 2,
    "braun-goldfarb-per-stage": 2,
}


@pytest.mark.parametrize("made", [rough_ring, rough_ring_of_a_body])
@pytest.mark.parametrize("name", METHODS)
def test_every_method_rubs_or_is_refused_by_name(name, made):
    method = METHODS[name]()
    errors = []
    for step in (1e-2, 5e-3):
        solution = battery.attempt(made(), UNTIL, step=step, method=method)
        if isinstance(solution, dl.errors.OptionError):
            assert str(solution).startswith(type(method).__name__)
            assert method.impulses or hasattr(method, "stiffness")
            return
        assert not isinstance(solution, dl.errors.DalembertError), solution
        errors.append(abs(speed(solution)[-1] - SLOW))
    # Gains and per-stage corrections add errors of their own, which fall faster.
    order = ORDER.get(name, 4)
    assert errors[0] <= {1: 1e-3, 2: 1e-4, 4: 1e-7}[order]
    assert np.log2(errors[0] / errors[1]) >= order - 0.65


@pytest.mark.parametrize("made", [rough_ring, rough_ring_of_a_body])
def test_the_motion_and_the_reaction_to_the_tolerance(made):
    solution = dl.simulate(made(), until=UNTIL)
    exact = FAST / (1 + MU * FAST * solution.t)
    assert np.abs(speed(solution) - exact).max() <= 1e-9
    # Friction along the ring does not press on it: the reaction is the ideal one, v^2 / r.
    assert np.abs(-2 * solution["ring.force"] - exact**2).max() <= 1e-8


def test_backward_differences_rub_as_well():
    for method in (dl.IndexTwo(), dl.Projection()):
        solution = dl.simulate(
            rough_ring(), until=UNTIL, method=method, integrator=dl.BDF(rtol=1e-9, atol=1e-9)
        )
        assert speed(solution)[-1] == pytest.approx(SLOW, abs=1e-6)


def test_given_work_of_a_constraint():
    # Udwadia & Kalaba's bead whose wire drags with C = -a v |v|: v' = -a v^2, whatever presses.
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2, initial={x: 1.0, y.dot: FAST}
    )
    fast = np.hypot(x.dot, y.dot)
    wire = model.constrain(
        x**2 + y**2 - 1, name="wire", nonideal={x: -0.5 * fast * x.dot, y: -0.5 * fast * y.dot}
    )
    solution = dl.simulate(model, until=2.0)
    assert np.abs(speed(solution) - FAST / (1 + 0.5 * FAST * solution.t)).max() <= 1e-9
    assert np.abs(-2 * solution[wire.force] - speed(solution) ** 2).max() <= 1e-8
    # The work of the constraint force on the motion is that of C: the loss of energy.
    power = -0.5 * speed(solution) ** 3
    assert np.gradient(speed(solution) ** 2 / 2, solution.t)[5:-5] == pytest.approx(
        power[5:-5], rel=2e-2
    )


def incline(angle):
    """A block on a rough slope held by a joint: the load of a prismatic guide."""
    model = dl.Model("slope", gravity=(9.81 * np.sin(angle), 0, -9.81 * np.cos(angle)))
    block = model.add_body("block", dl.Inertia.box(2.0, (0.1, 0.1, 0.1)), velocity=(1, 0, 0))
    model.add_joint(dl.Prismatic(model.world, block, axis="x", name="guide"))
    load = np.hypot(dl.reaction("guide"), dl.reaction("guide", 1))
    model.add_force(dl.Force(block, value=(-MU * load, 0, 0), name="rubbing"))
    return model


def test_a_guide_that_rubs_by_its_load():
    angle, until = 0.5, 0.8
    solution = dl.simulate(incline(angle), until=until)
    rate = 9.81 * (np.sin(angle) - MU * np.cos(angle))
    assert solution["block.x.dot"][-1] == pytest.approx(1.0 + rate * until, abs=1e-10)
    assert solution["block.x"][-1] == pytest.approx(until + rate * until**2 / 2, abs=1e-10)


def test_files_say_it_too(tmp_path):
    path = tmp_path / "ring.yaml"
    path.write_text(
        """
version: 1
name: ring
parameters: {mu: 0.3}
coordinates: [x, y]
kinetic: (x.dot**2 + y.dot**2) / 2
constraints: {ring: x**2 + y**2 - 1}
forces:
  x: -mu * 2 * hypot(x, y) * abs(ring.reaction) * x.dot / hypot(x.dot, y.dot)
  y: -mu * 2 * hypot(x, y) * abs(ring.reaction) * y.dot / hypot(x.dot, y.dot)
initial: {x: 1.0, y.dot: 2.0}
"""
    )
    model = dl.load(path)
    assert speed(dl.simulate(model, until=UNTIL))[-1] == pytest.approx(SLOW, abs=1e-9)
    again = tmp_path / "again.yaml"
    save_model(model, again)
    assert "parameters: {mu: 0.3}\n" in again.read_text()
    assert speed(dl.simulate(dl.load(again), until=UNTIL))[-1] == pytest.approx(SLOW, abs=1e-9)


def test_runs_are_resumed_to_the_bit(tmp_path):
    options = {"step": 1e-2, "method": dl.BraunGoldfarb()}
    whole = dl.simulate(rough_ring(), until=1.0, **options)
    dl.simulate(rough_ring(), until=0.5, save=tmp_path / "run", **options)
    longer = dl.resume(tmp_path / "run", until=1.0)
    assert np.array_equal(whole.q[-1], longer.q[-1])
    assert np.array_equal(whole.v[-1], longer.v[-1])


def test_interpreted_and_compiled_agree():
    compiled = dl.simulate(rough_ring(), until=0.1, step=1e-2)
    with _jit.interpreted():
        interpreted = dl.simulate(rough_ring(), until=0.1, step=1e-2)
    assert np.abs(compiled.q - interpreted.q).max() <= 1e-13


# -- what cannot be meant ------------------------------------------------------------------------


def test_unknown_constraints_and_rows_are_refused():
    x, y = dl.coordinates("x y")
    given = {
        "kinetic": (x.dot**2 + y.dot**2) / 2,
        "constraints": {"ring": x**2 + y**2 - 1},
        "initial": {x: 1.0},
    }
    model = dl.Model.from_lagrangian(forces={x: -dl.reaction("wire")}, **given)
    with pytest.raises(dl.errors.ModelError, match=r"reaction\('wire'\).*There is 'ring'"):
        dl.simulate(model, until=1.0)
    model = dl.Model.from_lagrangian(forces={x: -dl.reaction("ring", 2)}, **given)
    with pytest.raises(dl.errors.ModelError, match="'ring' has 1 row"):
        dl.simulate(model, until=1.0)


def test_reactions_stand_in_forces_only():
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        constraints={"ring": x**2 + y**2 - 1 - 1e-3 * dl.reaction("ring")},
        initial={x: 1.0},
    )
    with pytest.raises(dl.errors.ModelError, match="may stand in formulas of forces"):
        dl.simulate(model, until=1.0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("",), "name of a constraint"),
        ((3,), "name"),
        (("ring", -1), "row"),
        (("ring", 0.5), "row"),
    ],
)
def test_reactions_that_cannot_be_meant(given, said):
    with pytest.raises(dl.errors.FormulaError, match=said):
        dl.reaction(*given)


def test_coordinates_of_joints_have_no_reaction():
    with pytest.raises(dl.errors.OptionError, match="formulation='maximal'"):
        dl.simulate(incline(0.5), until=0.1, formulation="generalized")


def test_the_signal_of_a_force_says_what_to_write_instead():
    (x,) = dl.coordinates("x")
    ring = rough_ring().constraints[0]
    with pytest.raises(dl.errors.FormulaError, match=r"dl.reaction\('ring'\)"):
        ring.force * x
