"""Equilibria and steady motions: S2.3, S2.4, S2.5, S2.7, S2.9, S2.10, and critical values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from tests.support.analysed import (
    disc,
    four_bar,
    governor,
    governor_of_bodies,
    rotor,
    shaft,
    slider_crank,
    top,
)

import dalembert as dl
from dalembert.errors import EquilibriumError

pytestmark = pytest.mark.reference


def test_rod_on_a_turning_shaft():
    tilted = dl.steady_motion(shaft(tilt=1.0))
    assert tilted["hinge.angle"] == pytest.approx(1.046608318008, abs=1e-11)
    assert tilted.is_stable
    assert tilted.near.is_steady
    assert tilted.near.frequencies() == pytest.approx([6.0601144580691], abs=1e-11)
    hanging = dl.steady_motion(shaft())
    assert hanging.near.eigenvalues.real.max() == pytest.approx(4.9472214423856, abs=1e-11)
    slow = dl.steady_motion(shaft(), parameters={"Omega": 4.0})
    assert slow.near.frequencies() == pytest.approx([2.9197602641313], abs=1e-11)
    outside = dl.steady_motion(shaft(offset=0.1, tilt=0.5), parameters={"Omega": 5.0})
    assert outside["hinge.angle"] == pytest.approx(0.76565527137318, abs=1e-11)
    assert outside.near.frequencies() == pytest.approx([4.5853233984776], abs=1e-11)


def test_all_equilibria_of_a_slider_crank():
    found = dl.equilibria(slider_crank(), count=30)
    angles = [-0.963984296995719, 0.18237951455757, 0.799105907271745, 3.00636934758062]
    assert [x["bearing.angle"] for x in found] == pytest.approx(angles, abs=1e-11)
    assert [x.is_stable for x in found] == [True, False, True, False]
    rates = [
        x.near.frequencies()[0] if x.is_stable else -x.near.eigenvalues.real.max() for x in found
    ]
    expected = [12.3276429879459, -17.2796985148006, 10.3145874458849, -23.0914578594743]
    assert rates == pytest.approx(expected, abs=1e-9)
    assert found[2]["slider.x"] == pytest.approx(0.618480793212711, abs=1e-12)


def test_damped_slider_crank():
    found = dl.equilibrium(slider_crank(damping=5.0))
    assert found["bearing.angle"] == pytest.approx(0.799105907271745, abs=1e-11)
    (mode,) = found.modes()
    assert mode.growth == pytest.approx(-0.647615384769667, abs=1e-10)
    assert mode.frequency == pytest.approx(10.2942366638919, abs=1e-10)


def test_an_unstable_start_is_left():
    """Two four-bars stand upright at their start: at rest, and unstable."""
    model = dl.catalog.load("four-bars")
    still = {f"{x.name}.dot": 0.0 for x in model.coordinates}
    upright = dl.equilibrium(model, still, stable=False)
    assert not upright.is_stable
    assert upright["y3"] == pytest.approx(1.0)
    hanging = dl.equilibrium(model, still)
    assert hanging.is_stable
    assert hanging["y3"] == pytest.approx(-1.0)
    assert hanging.near.frequencies() == pytest.approx([np.sqrt(7.0 / 6.0 * 9.81)], rel=1e-12)


def test_four_bar_with_spring():
    found = dl.equilibrium(four_bar())
    assert found["A.angle"] == pytest.approx(0.80745330022495, abs=1e-11)
    assert found["coupler.yaw"] == pytest.approx(0.39146578412656, abs=1e-11)
    assert found["rocker.yaw"] == pytest.approx(1.2797219727808, abs=1e-11)
    assert found.near.frequencies() == pytest.approx([8.3754760813221], abs=1e-9)
    assert found.is_stable


def test_watt_governor():
    found = dl.steady_motion(governor(), {"theta": None})
    assert found["phi"] == pytest.approx(0.927295218001612, abs=1e-12)
    assert found.rates["theta"] == pytest.approx(9.04157066001256, abs=1e-11)
    values = found.near.eigenvalues
    expected = [-5.6043742721915 - 4.16803073494896j, -1.29125145561701, 0.0]
    for value in (*expected, -5.6043742721915 + 4.16803073494896j):
        assert np.abs(values - value).min() <= 1e-11


def test_watt_governor_of_bodies():
    found = dl.steady_motion(governor_of_bodies(), {"bearing.angle": None})
    assert found["left_arm.angle"] == pytest.approx(0.927295218001612, abs=1e-12)
    assert found.rates["bearing.angle"] == pytest.approx(9.04157066001256, abs=1e-11)
    assert found.near.is_steady
    for value in (-5.6043742721915 - 4.16803073494896j, -1.29125145561701, 0.0):
        assert np.abs(found.near.eigenvalues - value).min() <= 1e-11


@pytest.mark.parametrize(
    ("make", "shaft"), [(governor, "theta"), (governor_of_bodies, "bearing.angle")]
)
def test_where_the_governor_begins_to_hunt(make, shaft):
    model = make()

    def near(b):
        return dl.steady_motion(model, {shaft: None}, parameters={"b": b})

    found = dl.critical_value(near, "b", (0.02, 1.0))
    assert found.value == pytest.approx(0.0796640475787752, abs=1e-12)
    assert found.frequency == pytest.approx(7.9532888834658, abs=1e-8)
    assert found.kind == "flutter"
    assert found.stable_above


@pytest.mark.parametrize(
    ("model", "name", "between", "value", "kind"),
    [
        (top, "spin", (20.0, 60.0), 38.360135557633, "flutter"),
        (shaft, "Omega", (3.0, 7.0), 4.9522722057658, "divergence"),
        (disc, "v", (0.5, 2.0), 0.99045444115315, "divergence"),
    ],
)
def test_critical_values(model, name, between, value, kind):
    found = dl.critical_value(model(), name, between)
    assert found.value == pytest.approx(value, rel=1e-11)
    assert found.kind == kind


def test_campbell_of_the_rotor():
    diagram = dl.campbell(rotor(), "Omega", np.linspace(0.0, 1000.0, 11), body="rotor")
    frequencies = diagram.frequencies
    expected = {
        1: [-486.50001263, -392.2699439446, 431.2926476114, 607.4773089631],
        5: [-454.3706315414, -237.2467870931, 441.83500205, 1049.782416585],
        10: [-450.5689721208, -142.7962215496, 444.313298021, 1749.051895649],
    }
    along = np.sqrt(2e5)
    for k, known in expected.items():
        own = np.sort(frequencies[k])
        own = np.delete(own, np.argmin(np.abs(own - along)))
        assert own == pytest.approx(known, rel=1e-11)
    # a column is one mode: none jumps between speeds
    assert np.abs(np.diff(frequencies[1:], axis=0)).max() < 160.0
    assert diagram.critical_speeds()[0] == pytest.approx(441.23957385736, rel=1e-11)


def ladder(angle, load):
    """A ladder of 1 kg, and `load` kg at three quarters of it, on a floor and against a wall."""
    model = dl.Model("ladder")
    length, mass = 4.0, 1.0 + load
    center = length * (0.5 + 0.75 * load) / mass - length / 2
    body = model.add_body(
        "ladder",
        dl.Inertia(mass, (0.1, 2.0, 2.0), center=(center, 0, 0)),
        position=(-length / 2 * np.cos(angle), 0, length / 2 * np.sin(angle)),
        rotation=("y", -angle),
    )
    low, high = body.at(x=-length / 2).position, body.at(x=length / 2).position
    model.keep(low[2] >= 0, name="floor", friction=0.4, sliding=(low[0], low[1]))
    model.keep(high[0] <= 0, name="wall", friction=0.2, sliding=(high[2], high[1]))
    return model


@pytest.mark.parametrize(("load", "limit"), [(0.0, 48.99091309843), (3.0, 58.877529803208)])
def test_ladder(load, limit):
    limit = np.radians(limit)
    held = dl.contact_equilibrium(ladder(limit + 1e-6, load))
    assert held.margin > 0.0
    for name, mu in (("floor", 0.4), ("wall", 0.2)):
        assert np.linalg.norm(held.friction[name]) <= mu * held.normal[name]
    with pytest.raises(EquilibriumError, match="friction cones"):
        dl.contact_equilibrium(ladder(limit - 1e-6, load))


def test_block_on_an_incline():
    def block(alpha):
        slope = (9.81 * np.sin(alpha), 0, -9.81 * np.cos(alpha))
        model = dl.Model("block", gravity=slope)
        box = model.add_body(
            "block", dl.Inertia.box(1.0, size=(0.4, 0.3, 0.2)), position=(0, 0, 0.1)
        )
        rough = dl.Material(friction=0.5)
        model.add_shape(dl.Plane(), name="floor", material=rough)
        model.add_shape(dl.Box(0.4, 0.3, 0.2), on=box, name="box", material=rough)
        return model

    limit = np.arctan(0.5)
    held = dl.contact_equilibrium(block(limit - 1e-6))
    assert sum(held.normal.values()) == pytest.approx(9.81 * np.cos(limit - 1e-6), rel=1e-9)
    with pytest.raises(EquilibriumError, match="box on floor"):
        dl.contact_equilibrium(block(limit + 1e-6))


def test_friction_is_round():
    """A pull between the sides of any polygon: the limit is that of the circle."""
    x, y, z = dl.coordinates("x y z")
    (pull,) = dl.parameters(pull=1.0)
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2 + z.dot**2) / 2,
        potential=10.0 * z,
        forces={x: 0.8 * pull, y: 0.6 * pull},
    )
    model.keep(z >= 0, name="floor", friction=0.3, sliding=(x, y))
    held = dl.contact_equilibrium(model, parameters={"pull": 3.0 - 1e-7})
    assert held.friction["floor"] == pytest.approx([-2.4, -1.8], abs=1e-6)
    assert 0.0 <= held.margin < 1e-7
    with pytest.raises(EquilibriumError, match="floor"):
        dl.contact_equilibrium(model, parameters={"pull": 3.0 + 1e-7})


def test_a_brake_holds_what_it_can():
    model = dl.Model("arm")
    (hold,) = dl.parameters(hold=5.0)
    rod = model.add_body("rod", dl.Inertia.rod(1.0, length=1.0))
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    model.add_force(dl.Brake(hinge, torque=hold, name="brake"))
    held = dl.contact_equilibrium(model)
    assert abs(held.friction["brake"][0]) == pytest.approx(9.81 / 2, rel=1e-9)
    with pytest.raises(EquilibriumError, match="brake"):
        dl.contact_equilibrium(model, parameters={"hold": 4.9})


def test_a_cable_pulls_and_does_not_push():
    model = dl.Model("lamp")
    lamp = model.add_body("lamp", dl.Inertia.point(2.0), position=(0, 0, -1.5))
    model.keep(dl.Cable(model.world, lamp, length=1.5, name="cable"))
    assert dl.contact_equilibrium(model).normal["cable"] == pytest.approx(2.0 * 9.81)
    with pytest.raises(EquilibriumError, match="pull"):
        dl.contact_equilibrium(model, {"lamp.z": 1.5})
    with pytest.raises(EquilibriumError, match="'cable'"):
        dl.contact_equilibrium(model, {"lamp.z": -1.0})


def prism(twist):
    """Struts, side cables and rings of a tensegrity prism, as rows (|d|^2 - l^2) / 2."""
    names = [f"{ring}{i}{axis}" for ring in "bt" for i in range(3) for axis in "xyz"]
    place = np.array(dl.coordinates(" ".join(names)), dtype=object).reshape(2, 3, 3)
    angles = 2.0 * np.pi / 3.0 * np.arange(3) + np.array([[0.0], [twist]])
    start = np.stack([np.cos(angles), np.sin(angles), np.array([[0.0] * 3, [1.0] * 3])], axis=2)
    rows = {}
    for i in range(3):
        for name, a, b in (
            (f"strut{i}", (0, i), (1, i)),
            (f"side{i}", (0, i), (1, (i - 1) % 3)),
            (f"bottom{i}", (0, i), (0, (i + 1) % 3)),
            (f"top{i}", (1, i), (1, (i + 1) % 3)),
        ):
            d, own = place[a] - place[b], start[a] - start[b]
            rows[name] = (d @ d - float(own @ own)) / 2
    return dl.Model.from_lagrangian(
        kinetic=sum(x.dot**2 for x in place.ravel()) / 2,
        constraints=rows,
        initial=dict(zip(place.ravel(), map(float, start.ravel()), strict=True)),
    )


def test_tensegrity_prism():
    def margin(degrees):
        found = dl.self_stress(prism(np.radians(degrees)))
        # the margin falls to zero from both sides: its sign is that of a strut beside a side cable
        pair = dict(zip(found.rows, found.nearest, strict=True))
        sign = np.sign(abs(pair["side0"]) - abs(pair["strut0"]))
        return found.margin * sign

    twist = brentq(margin, 140.0, 160.0, xtol=1e-12)
    assert twist == pytest.approx(150.0, abs=1e-9)
    found = dl.self_stress(prism(np.radians(150.0)))
    assert len(found) == 1
    densities = found[0]
    scale = -1.0 / densities["strut0"]
    for i in range(3):
        assert densities[f"strut{i}"] * scale == pytest.approx(-1.0, abs=1e-12)
        assert densities[f"side{i}"] * scale == pytest.approx(1.0, abs=1e-12)
        for ring in ("bottom", "top"):
            assert densities[f"{ring}{i}"] * scale == pytest.approx(0.57735026918963, abs=1e-12)
    assert not len(dl.self_stress(prism(np.radians(149.0))))


def test_a_family_is_listed_once_and_what_is_stable_is_found():
    """A gyroscope hangs or stands, whatever its azimuth and spin; a disc rests wherever it is."""
    hangs, stands = sorted(
        dl.equilibria(dl.catalog.load("gyroscope"), count=12), key=lambda x: -x["nod.angle"]
    )
    assert abs(hangs["nod.angle"] - np.pi / 2) < 1e-9
    assert hangs.is_stable
    assert abs(stands["nod.angle"] + np.pi / 2) < 1e-9
    assert not stands.is_stable
    assert len(dl.equilibria(dl.catalog.load("rolling-disc"), count=12)) == 1


def test_equilibria_of_coordinates_without_constraints():
    """At rest their forces are differences of terms: nothing else is there to compare with."""
    (angle,), (k,) = dl.coordinates("angle"), dl.parameters(k=3.7)
    spring = dl.Model.from_lagrangian(
        coordinates=[angle],
        kinetic=angle.dot**2 / 2,
        potential=k * (angle - 0.3) ** 2 / 2 - 9.81 * np.cos(angle),
        initial={angle: 1.0},
    )
    expected = brentq(lambda x: 3.7 * (x - 0.3) + 9.81 * np.sin(x), 0.0, 0.3, xtol=1e-15)
    assert dl.equilibrium(spring)["angle"] == pytest.approx(expected, abs=1e-13)
    found = dl.equilibria(dl.catalog.load("double-pendulum"))
    turns = {tuple(round(float(x) / np.pi) % 2 for x in rest.q): rest.is_stable for rest in found}
    assert turns == {(0, 0): True, (0, 1): False, (1, 0): False, (1, 1): False}
    assert all(np.abs(np.sin(rest.q)).max() < 1e-12 for rest in found)


def test_a_chain_hangs_down_from_anywhere():
    """Ten rods on ball joints: thirty freedoms, ten of them without stiffness."""
    rest = dl.equilibrium(dl.catalog.load("chain"))
    assert [rest[f"link{k}.z"] for k in range(10)] == pytest.approx(
        [-0.5 - k for k in range(10)], abs=1e-12
    )
    assert rest.is_stable


def test_bodies_that_only_contacts_hold_are_told_where_to_ask():
    with pytest.raises(EquilibriumError, match="contact_equilibrium"):
        dl.equilibrium(dl.catalog.load("boxes"))


def test_the_work_of_fifty_bodies_is_not_done_hinge_by_hinge():
    """Calls of Python functions, which do not depend on the machine: 89 thousand, once 457."""
    import cProfile
    import pstats

    model = dl.Model("chain", gravity=(0, -9.81, 0))
    end = model.world.at()
    for i in range(50):
        rod = model.add_body(f"rod{i}", dl.Inertia.rod(0.02, length=0.02))
        start = 0.0 if i else -np.pi / 2
        model.add_joint(dl.Revolute(end, rod.at(x=-0.01), name=f"j{i}", initial=start))
        end = rod.at(x=0.01)
    dl.equilibrium(model, {"j0.angle": -1.2})  # compiles
    watched = cProfile.Profile()
    found = watched.runcall(dl.equilibrium, model, {"j0.angle": -1.2})
    assert found.residual <= 1e-12
    assert pstats.Stats(watched).total_calls <= 150_000


@pytest.mark.parametrize("angle", [-1.2, 0.3, 2.0])
def test_a_balanced_arm_rests_where_it_is(angle):
    """A spring without free length carries a bar in every place: it has no stiffness at all."""
    model = dl.Model("balancer")
    bar = model.add_body("bar", dl.Inertia.rod(1.0, length=1.0))
    hinge = dl.Revolute(model.world, bar.at(x=-0.5), axis="y", name="hinge", initial=angle)
    model.add_joint(hinge)
    model.add_force(
        dl.Spring(model.world.at(z=0.4), bar, free_length=0.0, stiffness=9.81 / 0.4, name="spring")
    )
    for stable in (True, False):
        assert dl.equilibrium(model, stable=stable)["hinge.angle"] == pytest.approx(
            angle, abs=1e-12
        )


def test_what_no_contact_can_hold_is_told_by_its_way():
    """A ball on a slope rolls down it: the floor takes up all but that."""
    model = dl.Model("slope", gravity=(9.81 * np.sin(0.1), 0, -9.81 * np.cos(0.1)))
    rough = dl.Material(friction=0.8)
    model.add_shape(dl.Plane(), material=rough, name="floor")
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.1))
    model.add_shape(dl.Sphere(0.1), on=ball, material=rough)
    with pytest.raises(EquilibriumError, match=r"moves it along 'ball\.x\.dot'"):
        dl.contact_equilibrium(model)
