"""Linear models: inputs, outputs, responses, shapes, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm, solve_continuous_are
from scipy.signal import StateSpace, freqresp
from tests.support.analysed import chain, four_bar, governor, slider_crank

import dalembert as dl
from dalembert.errors import (
    DalembertError,
    EquilibriumError,
    InconsistentError,
    NonFiniteError,
    OptionError,
)


def cart_pole():
    model = dl.Model("cart-pole")
    (push,) = dl.parameters(push=0.0)
    cart = model.add_body("cart", dl.Inertia.point(2.0))
    pole = model.add_body("pole", dl.Inertia.rod(1.0, length=1.0, axis="z"))
    rail = model.add_joint(dl.Prismatic(model.world, cart, axis="x", name="rail"))
    model.add_joint(dl.Revolute(cart, pole.at(z=-0.5), axis="y", name="pivot"))
    model.add_force(dl.Force(cart, value=(push, 0, 0), name="hand"))
    model.add_force(dl.DirectDrive(rail, command=0.0, gear=3.0, name="motor"))
    return model


def test_inputs_by_parameter_joint_actuator_and_force():
    near = dl.linearize(cart_pole(), inputs=["push", "rail", "motor", "hand.x", "pivot"])
    assert near.inputs == ("push", "rail.displacement", "motor", "hand.x", "pivot.angle")
    B = near.B
    # M of cart and pole, upright: forces on the cart, torques on the pole
    M = np.array([[3.0, 0.5], [0.5, 1.0 / 3.0]])
    along = np.linalg.solve(M, [1.0, 0.0])
    assert B[:2] == pytest.approx(np.zeros((2, 5)), abs=1e-15)
    for k, factor in ((0, 1.0), (1, 1.0), (2, 3.0), (3, 1.0)):
        assert B[2:, k] == pytest.approx(factor * along, rel=1e-12)
    assert B[2:, 4] == pytest.approx(np.linalg.solve(M, [0.0, 1.0]), rel=1e-12)
    assert not near.is_stable


def test_inputs_by_a_torque_and_all_components_of_a_force():
    model = cart_pole()
    pole = model.bodies["pole"]
    model.add_force(dl.Torque(pole, about="y", value=2.0 * pole.z, name="twist"))
    near = dl.linearize(model, inputs=["twist", "pivot", "hand"])
    assert near.inputs == ("twist", "pivot.angle", "hand.x", "hand.y", "hand.z")
    assert near.B[:, 0] == pytest.approx(near.B[:, 1], rel=1e-12)
    assert near.B[:, 3:] == pytest.approx(np.zeros((4, 2)), abs=1e-12)


def test_a_feedback_by_riccati_holds_the_pole():
    near = dl.linearize(cart_pole(), inputs=["hand.x"])
    P = solve_continuous_are(near.A, near.B, np.eye(4), np.eye(1))
    gain = near.B.T @ P
    assert np.linalg.eigvals(near.A - near.B @ gain).real.max() < -0.1


@pytest.mark.filterwarnings("ignore::scipy.signal.BadCoefficients")
def test_outputs_and_frequency_response():
    damped = slider_crank(damping=5.0)
    found = dl.equilibrium(damped)
    near = dl.linearize(
        damped,
        found,
        inputs=["bearing"],
        outputs={"way": "slider.x", "speed": "guide.displacement.dot", "rush": "slider.x.ddot"},
    )
    assert near.y[0] == pytest.approx(0.618480793212711, abs=1e-12)
    w = np.array([0.5, 10.0, 80.0])
    response = near.frequency_response(w)
    one = StateSpace(near.A, near.B, near.C[:1], near.D[:1])
    assert response[:, 0, 0] == pytest.approx(freqresp(one, w)[1], rel=1e-10)
    assert response[:, 1, 0] == pytest.approx(1j * w * response[:, 0, 0], rel=1e-10)
    assert response[:, 2, 0] == pytest.approx(-(w**2) * response[:, 0, 0], rel=1e-9)
    assert near.to_scipy().A.shape == (2, 2)


def test_linear_model_predicts_a_short_run():
    model = chain(3)
    near = dl.linearize(model)
    x0 = 1e-4 * np.array([1.0, -2.0, 0.5])
    start = {f"joint{k}.angle": x0[k] - (np.pi / 2 if k == 0 else 0.0) for k in range(3)}
    run = dl.simulate(model, until=0.5, initial=start)
    x = expm(0.5 * near.A) @ np.concatenate([x0, np.zeros(3)])
    got = [run[f"joint{k}.angle"][-1] + (np.pi / 2 if k == 0 else 0.0) for k in range(3)]
    assert got == pytest.approx(x[:3], abs=1e-10)


def test_chosen_coordinates_and_refused_ones():
    near = dl.linearize(four_bar(), coordinates=["D.angle"])
    assert near.states == ("D.angle", "D.angle.dot")
    with pytest.raises(OptionError, match="1 are independent"):
        dl.linearize(four_bar(), coordinates=["A.angle", "D.angle"])
    with pytest.raises(OptionError, match=r"'A\.angel'"):
        dl.linearize(four_bar(), coordinates=["A.angel"])


def test_shape_moves_on_the_constraints():
    found = dl.equilibrium(four_bar())
    motion = found.near.shape(0, amplitude=0.1, cycles=1, samples=12)
    assert np.abs(motion.phi).max() <= 1e-12
    angle = motion["A.angle"] - found["A.angle"]
    assert angle.max() == pytest.approx(0.1, rel=0.05)  # put back on the constraints
    assert motion.t[-1] == pytest.approx(2 * np.pi / found.near.frequencies()[0])
    assert motion.verdict.is_good
    with pytest.raises(OptionError, match="modes"):
        found.near.shape(7)
    with pytest.raises(OptionError, match="amplitude"):
        found.near.shape(0, amplitude=-1.0)


def test_to_control_needs_its_package():
    try:
        import control
    except ImportError:
        with pytest.raises(OptionError, match="python-control"):
            dl.linearize(chain(1)).to_control()
        return
    made = dl.linearize(chain(1), inputs=["joint0"]).to_control()
    assert isinstance(made, control.StateSpace)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"inputs": ["nothing"]}, "'nothing'"),
        ({"inputs": ["spring"]}, "has no input"),
        ({"outputs": ["crank.w"]}, r"'crank\.w'"),
        ({"t": float("nan")}, "t is nan"),
        ({"state": {"A.angle": float("nan")}}, "nan"),
    ],
)
def test_bad_options(options, text):
    with pytest.raises(DalembertError, match=text):
        dl.linearize(four_bar(), **options)


def test_not_a_model():
    for ask in (dl.linearize, dl.equilibrium, dl.doctor, dl.self_stress, dl.contact_equilibrium):
        with pytest.raises(OptionError, match="not a model"):
            ask("four-bar")


def test_a_state_off_the_constraints_is_refused():
    model = four_bar()
    q, v = dl.equilibrium(model)
    q = q.copy()
    q[0] += 0.01
    with pytest.raises(InconsistentError, match=r"A: translation x"):
        dl.linearize(model, (q, v))


def test_a_state_between_samples_is_put_on_the_constraints():
    """It is interpolated, and meets the constraints to the error of that alone."""
    model = four_bar()
    run = dl.simulate(model, until=1.0, step=0.01, every=10)
    moment = 0.55
    exact = dl.simulate(model, until=1.0, step=0.01, times=[moment])
    off = np.abs(dl.evaluate(model, run.at(moment)).phi_dot).max()
    assert 1e-7 < off < 1e-4
    between, there = (dl.linearize(model, x.at(moment), t=moment) for x in (run, exact))
    assert between.A == pytest.approx(there.A, rel=1e-4)
    assert np.abs(dl.evaluate(model, (between.q, between.v)).phi_dot).max() < 1e-12


def test_formulas_without_a_value_are_named():
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2, potential=np.sqrt(x), initial={x: -1.0}
    )
    with pytest.raises(NonFiniteError, match=r"x\.dot"):
        dl.linearize(model)


def test_contradicting_drives_are_named():
    model = dl.Model("two drives")
    rod = model.add_body("rod", dl.Inertia.rod(1.0, length=1.0))
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    model.add_joint(dl.Motion(hinge, value=dl.time, name="one"))
    model.add_joint(dl.Motion(hinge, value=2 * dl.time, name="two"))
    with pytest.raises(InconsistentError, match=r"one|two"):
        dl.linearize(model)


def test_no_equilibrium_is_said_by_name():
    model = dl.Model("falling")
    model.add_body("ball", dl.Inertia.point(1.0))
    with pytest.raises(EquilibriumError, match=r"'ball\.z\.dot'"):
        dl.equilibrium(model)
    driven = four_bar()
    driven.add_joint(dl.Motion("A", value=dl.time, name="motor"))
    with pytest.raises(EquilibriumError, match="'motor' drives"):
        dl.equilibrium(driven)


def test_a_run_stays_at_an_equilibrium():
    model = four_bar()
    found = dl.equilibrium(model)
    run = dl.simulate(model, until=0.2, initial=found)
    assert np.abs(run["A.angle"] - found["A.angle"]).max() <= 1e-12


def test_neutral_equilibrium_is_one():
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2, potential=2 * (x - 1) ** 2, initial={y: 3.0}
    )
    found = dl.equilibrium(model)
    assert found["x"] == pytest.approx(1.0)
    assert found["y"] == pytest.approx(3.0)


def test_no_steady_motion_is_said():
    with pytest.raises(EquilibriumError, match="theta"):
        dl.steady_motion(governor(), {"theta": 3.0})
    with pytest.raises(OptionError, match="nan"):
        dl.steady_motion(governor(), {"theta": float("nan")})


def test_critical_value_refuses_two_ends_alike():
    with pytest.raises(EquilibriumError, match="both ends"):
        dl.critical_value(governor(), "b", (0.5, 1.0), state={"phi": 0.927295218001612})
    with pytest.raises(OptionError, match="no interval"):
        dl.critical_value(governor(), "b", (1.0, 0.5))
    with pytest.raises(OptionError, match="'c'"):
        dl.root_locus(governor(), "c", [0.1, 0.2])


def test_left_out_parts_are_named():
    model = cart_pole()
    model.set_limits("rail", dl.Limits(-1.0, 1.0))
    model.add_force(dl.JointFriction("pivot", dry=0.1, name="rubbing"))
    near = dl.linearize(model)
    assert near.left_out == ("rubbing (dry friction)", "rail (limits)")
    assert "left out" in near.summary()


def spinning_satellite():
    """A body that turns about its middle axis, free in space."""
    model = dl.Model("satellite", gravity=(0, 0, 0))
    model.add_body("bus", dl.Inertia(100.0, (1.0, 2.0, 2.5)), angular_velocity=(0, 2.0, 0))
    return model


def test_a_state_whose_matrix_turns_along_is_not_called_stable():
    """Axes of inertia turn in the world: eigenvalues of the instant do not tell stability."""
    near = dl.linearize(spinning_satellite())
    assert not near.is_steady
    head = near.summary().splitlines()[0]
    assert head.endswith("A holds at this instant, and its modes do not tell stability")


def test_a_steady_motion_of_what_was_not_named_is_refused():
    """It was taken for rest, and called stable."""
    with pytest.raises(OptionError, match=r"starts moving, and nothing is said to run on"):
        dl.steady_motion(spinning_satellite())
    told = dl.steady_motion(spinning_satellite(), {"bus.pitch": 2.0})
    assert "stability not told" in repr(told)


def test_modes_that_run_on_can_be_played():
    """Bars on ball joints turn about themselves with no stiffness: eigenvalues of rounding."""
    near = dl.equilibrium(dl.catalog.load("chain", count=3)).near
    for mode in near.modes():
        assert near.shape(mode).t[-1] < 100.0
