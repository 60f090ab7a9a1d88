"""Impacts that give nothing back: the same wherever in a step they fall, and as e -> 0 has them."""

import numpy as np
import pytest

import dalembert as dl

OFFSETS = (0.05, 0.3, 0.5, 0.7, 0.95)
STEP = 1e-5

every_order = pytest.mark.parametrize("order", [1, 2])


def rod(e, offset, slip):
    """A rod that comes down on a tip, turning; the tip is `offset` of a step off a whole number."""
    model = dl.Model("rod", gravity=(0, 0, 0))
    skin = dl.Material(friction=0.3, restitution=e)
    model.add_shape(dl.Plane(), material=skin)
    late, angle, spin = (2 + offset) * STEP, 0.6, 0.3
    body = model.add_body(
        "rod",
        dl.Inertia.box(1.0, size=(1.0, 0.02, 0.02)),
        position=(0, 0, 0.01 + 0.5 * np.sin(angle) + late),
        velocity=(*slip, -1.0),
        angular_velocity=(0, spin, 0),
        rotation=dl.Rotation.about("y", angle - spin * late),
    )
    model.add_shape(dl.Sphere(0.01, position=(0.5, 0, 0)), on=body, material=skin)
    return model


def leg(e, offset, slip):
    """Two links from the world, the foot on its way to the floor."""
    model = dl.Model("leg", gravity=(0, 0, 0))
    skin = dl.Material(friction=0.3, restitution=e)
    height = 0.05 + (2 + offset) * STEP
    model.add_shape(dl.Plane("z", -height - 1.0), material=skin)
    box = dl.Inertia.box(1.0, size=(0.1, 0.1, 0.5))
    thigh = model.add_body("thigh", box, position=(0.3, 0, -0.25))
    shank = model.add_body("shank", box, position=(0.3, 0, -0.75))
    hip = model.world.at(0.0, 0.0, 0.0)
    model.add_joint(dl.Revolute(hip, thigh.at(-0.3, 0, 0.25), axis="y", initial_speed=2.0))
    knee = dl.Revolute(thigh.at(0, 0, -0.25), shank.at(0, 0, 0.25), axis="y")
    model.add_joint(knee)
    model.add_shape(dl.Sphere(0.05, position=(0, 0, -0.25)), on=shank, material=skin)
    return model


def after(model, order, formulation="maximal", law="newton"):
    method = dl.ContactImpulse(order=order, restitution=law, tolerance=1e-11)
    until = 8 * STEP
    return dl.simulate(model, until=until, step=STEP, method=method, formulation=formulation).v[-1]


@every_order
@pytest.mark.parametrize("slip", [(-0.3, 0.0), (-0.1, 0.3), (0.3, 0.3)])
def test_a_rod_lands_the_same_wherever_in_the_step(order, slip):
    """Sliding that stops, turns about and turns aside; before, they were up to 1.4 rad/s apart."""
    found = [after(rod(0.0, offset, slip), order) for offset in OFFSETS]
    expected = after(rod(2e-3, 0.5, slip), order)
    assert np.ptp(found, axis=0).max() <= 50 * STEP
    # e of 0.002 gives back so much of the normal velocity and of what friction takes with it
    assert np.abs(found - expected).max() <= 50 * STEP + 20 * 2e-3


@every_order
@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("law", ["newton", "poisson"])
def test_a_leg_lands_the_same_wherever_in_the_step(order, formulation, law):
    found = [after(leg(0.0, offset, None), order, formulation, law) for offset in OFFSETS]
    assert np.abs(found[0][0] - 0.5) > 0.05  # it has hit
    assert np.ptp(found, axis=0).max() <= 50 * STEP


@every_order
def test_tiny_restitution_is_none(order):
    """What would leave with less than the threshold stays: the same bits."""
    one, other = (after(rod(e, 0.4, (-0.3, 0.0)), order) for e in (0.0, 1e-12))
    assert np.array_equal(one, other)


@every_order
def test_islands_without_impact_do_not_notice(order):
    """Bits of a box that slides beside a rod that lands."""
    found = []
    for landing in (False, True):
        model = rod(0.0, 0.4, (-0.3, 0.0)) if landing else dl.Model("box", gravity=(0, 0, 0))
        skin = dl.Material(friction=0.3)
        if not landing:
            model.add_shape(dl.Plane(), material=skin)
        box = model.add_body(
            "box", dl.Inertia.box(1.0, size=(1, 1, 1)), position=(9, 0, 0.5), velocity=(1, 2, 0)
        )
        model.add_shape(dl.Box((1, 1, 1)), on=box, material=skin)
        model.add_force(dl.Force(box, value=(0, 0, -10.0)))
        found.append(after(model, order)[-6:])
    assert np.array_equal(*found)


@every_order
def test_a_stop_of_what_rubs_is_complete_in_its_step(order):
    """A box slides aslant against a stop above its middle and tips: its edges rub meanwhile."""
    found = []
    for offset in OFFSETS:
        model = dl.Model("tipping")
        skin = dl.Material(friction=0.5)
        model.add_shape(dl.Plane(), material=skin)
        box = model.add_body(
            "box", dl.Inertia.box(1.0, size=(1, 1, 1)), position=(0, 0, 0.5), velocity=(1, 0.5, 0)
        )
        model.add_shape(dl.Box((1, 1, 1)), on=box, material=skin)
        reach = (2 + offset) * STEP
        end = model.world.at(0, 0, 0.5)
        model.keep(dl.Stop(end, box.at(z=0.3), axis="-x", gap=-reach, name="wall"))
        found.append(after(model, order))
    assert abs(found[0][0]) < 0.9  # it has hit
    assert np.ptp(found, axis=0).max() <= 200 * STEP


def two_in_flight():
    """Two balls that meet in flight, spinning."""
    model = dl.Model("two", gravity=(0, 0, 0))
    skin = dl.Material(friction=0.4)
    starts = (
        (1.0, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 2.0, 3.0)),
        (2.0, (0.25, 0.05, 0.02), (-1.0, 0.3, 0.1), (-2.0, 4.0, 1.0)),
    )
    for name, (mass, place, velocity, spin) in zip("ab", starts, strict=True):
        inertia = dl.Inertia(mass, (4e-3 * mass,) * 3)
        moving = {"velocity": velocity, "angular_velocity": spin}
        body = model.add_body(name, inertia, position=place, **moving)
        model.add_shape(dl.Sphere(0.1), on=body, material=skin)
    return model


def momenta(run):
    """Momentum and angular momentum of `two_in_flight`, and the first ball's impulse."""
    q, v = run.q.reshape(-1, 2, 7)[..., :3], run.v.reshape(-1, 2, 6)
    mass = np.array([1.0, 2.0])
    p = np.einsum("k,tki->ti", mass, v[..., :3])
    L = np.einsum("k,tki->ti", mass, np.cross(q, v[..., :3]) + 4e-3 * v[..., 3:])
    return p, L, np.linalg.norm(v[-1, 0, :3] - v[0, 0, :3])


@every_order
@pytest.mark.parametrize("step", [4e-3, 1e-3, 2.5e-4])
def test_momentum_of_two_bodies_in_flight(order, step):
    """Linear momentum to rounding; that about a point but for what positions go in a step.

    They follow velocities up to the surface: h (v_a - v_b) x impulse at most (theory/contact.md).
    """
    method = dl.ContactImpulse(order=order, tolerance=1e-12)
    run = dl.simulate(two_in_flight(), until=0.1, step=step, method=method, progress=False)
    p, L, impulse = momenta(run)
    apart = np.linalg.norm(np.subtract((1.0, 0.0, 0.0), (-1.0, 0.3, 0.1)))
    assert impulse > 0.5
    assert np.abs(p - p[0]).max() < 1e-12
    assert np.linalg.norm(L - L[0], axis=1).max() < step * apart * impulse


def test_momentum_of_two_bodies_where_the_impact_is_located():
    """Located events, the default, have the instant of the impact: both momenta to rounding."""
    run = dl.simulate(two_in_flight(), until=0.1, progress=False)
    p, L, impulse = momenta(run)
    assert impulse > 0.5
    assert np.abs(p - p[0]).max() < 1e-14
    assert np.abs(L - L[0]).max() < 1e-14


@every_order
@pytest.mark.parametrize("mu", [0.8, 3.2, 8.0])
def test_a_box_that_comes_down_flat_ends_on_all_of_its_corners(order, mu):
    """What the impact has stopped is on the floor, and rests: before, one side hung in the air.

    A part of the impact, with all of the friction, would tip it: 2e-5 m at this step, from where it
    fell with sqrt(2 g phi), 1e-3 of its speed at any step (random impact 3000797).
    """
    h = 6.25e-5
    for offset in OFFSETS:
        model = dl.Model("box", gravity=(0, 0, -1.0))
        skin = dl.Material(friction=mu)
        model.add_shape(dl.Plane(), material=skin)
        size = (0.47, 0.34, 0.57)
        body = model.add_body(
            "box",
            dl.Inertia.box(1.0, size=size),
            position=(0, 0, 0.5 * size[2] + (2 + offset) * 1.45 * h),
            velocity=(-0.95, 0, -1.45),
        )
        model.add_shape(dl.Box(size), on=body, material=skin)
        method = dl.ContactImpulse(order=order, tolerance=1e-11)
        found = dl.simulate(model, until=32 * h, step=h, method=method)
        turned = np.abs(found.q[-1, 4:6]).max()
        assert turned * size[0] <= 1e-11 + 1e-3 * h**2
        assert abs(found.q[-1, 2] - 0.5 * size[2]) <= 1e-11 + 5 * h**2  # g h^2
        assert np.abs(found.v[-1, [2, 3, 4, 5]]).max() <= 1e-9
        assert abs(found.v[-1, 0]) <= max(0.0, 0.95 - mu * 1.45) + 50 * h
