"""Published benchmarks of contact (../shared/reference/problems.md C2, C8, C9, C10, C14).

C2, C8, C9, C10 are those of SimBenchmark (Kang and Hwangbo 2018), whose published figures for other
engines are in the comments.
"""

import math

import numpy as np
import pytest

import dalembert as dl

G = 9.81


def balls(places, *, mass, radius, gravity=G, floor=True, velocities=None, **material):
    """Free balls, by default above a floor."""
    model = dl.Model("balls", gravity=(0, 0, -gravity))
    surface = dl.Material(**material)
    if floor:
        model.add_shape(dl.Plane(), material=surface, name="floor")
    for k, place in enumerate(places):
        ball = model.add_body(
            f"ball{k}",
            dl.Inertia.sphere(mass, radius),
            position=tuple(place),
            velocity=(0, 0, 0) if velocities is None else velocities[k],
        )
        model.add_shape(dl.Sphere(radius), on=ball, material=surface)
    return model


def grid(count, apart):
    return [(apart * i, apart * j) for i in range(count) for j in range(count)]


# -- C2: 49 balls that bounce for ever -----------------------------------------------------------


@pytest.mark.parametrize("law", ["newton", "poisson"])
@pytest.mark.parametrize(("order", "allowed"), [(1, 200.0), (2, 1e-12)])
def test_bouncing_balls_keep_their_energy(order, allowed, law):
    """Mean squared error at the step 1e-3: ODE 185, DART 72274 J^2; of second order 7e-21 here."""
    places = [(x, y, 5.1) for x, y in grid(7, 0.4)]
    model = balls(places, mass=10.0, radius=0.1, friction=0.0, restitution=1.0)
    method = dl.ContactImpulse(order=order, restitution=law)
    solution = dl.simulate(model, until=20.0, step=1e-3, every=10, method=method)
    energy = solution.energy - 49 * 10.0 * G * 0.1
    assert energy[0] == pytest.approx(24034.5)
    assert np.mean((energy - 24034.5) ** 2) <= allowed


# -- C8: balls on a box that is pulled -----------------------------------------------------------


def pulled_box():
    model = dl.Model("rolling")
    floor, wood, rubber = (dl.Material(friction=0.4, name=n) for n in ("floor", "wood", "rubber"))
    model.add_shape(dl.Plane(), material=floor)
    size = (20.0, 20.0, 1.0)
    box = model.add_body("box", dl.Inertia.box(10.0, size=size), position=(0, 0, 0.5))
    model.add_shape(dl.Box(size), on=box, material=wood)
    for k, (x, y) in enumerate(grid(5, 2.0)):
        place = (x - 4.0, y - 4.0, 1.5)
        ball = model.add_body(f"ball{k}", dl.Inertia.sphere(1.0, 0.5), position=place)
        model.add_shape(dl.Sphere(0.5), on=ball, material=rubber)
    model.set_contact("wood", "rubber", friction=0.8)
    model.add_force(dl.Force("box", value=(150.0 * 0.5, 150.0 * math.sqrt(0.75), 0)))
    return model


@pytest.mark.parametrize("order", [1, 2])
def test_balls_roll_on_a_box_that_is_pulled(order):
    """Squared errors of both speeds, mean over time: Bullet 5.7e-9, RaiSim 4.1e-7, MuJoCo 2.4e-3,
    ODE and DART 3.14 (their pyramid holds it); here 1.3e-10 by default."""
    method = dl.ContactImpulse(order=order)
    solution = dl.simulate(pulled_box(), until=4.0, step=1e-3, every=5, method=method)
    # box: M a = F - mu (M + 25 m) g - 25 f,   ball: m a_b = f,   a - a_b = R^2 f / (2/5 m R^2)
    f = (150.0 - 0.4 * (10.0 + 25.0) * G) / (3.5 * 10.0 + 25.0)
    assert (3.5 * f, f) == pytest.approx((0.7385, 0.211))
    v, t = solution.v.reshape(len(solution.t), -1, 6), solution.t[:, None]
    along = np.array([0.5, math.sqrt(0.75), 0.0])
    off = ((v[:, 0, :3] - 3.5 * f * t * along) ** 2).sum(axis=1)
    off += ((v[:, 1, :3] - f * t * along) ** 2).sum(axis=1)
    assert off.mean() <= 2e-9
    assert abs(math.atan2(v[-1, 0, 1], v[-1, 0, 0]) - math.pi / 3) <= 1e-7
    assert solution.statistics["contact"]["stalled"] == 0


# -- C9: 216 spheres fall apart ------------------------------------------------------------------


@pytest.mark.parametrize(("step", "deepest"), [(1e-3, 1e-6), (5e-3, 1e-5)])
def test_cube_of_spheres_does_not_overlap(step, deepest):
    """Largest and mean penetration 7e-9 and 8e-11 m at 1e-3 s, 1.7e-6 and 6e-8 at 5e-3 s."""
    random = np.random.default_rng(0)
    places = [
        (x + random.uniform(-1e-3, 1e-3), y + random.uniform(-1e-3, 1e-3), 0.101 + 0.21 * k)
        for x, y in grid(6, 0.21)
        for k in range(6)
    ]
    model = balls(places, mass=10.0, radius=0.1, friction=0.0)
    solution = dl.simulate(model, until=1.0, step=step, every=10)
    worst = 0.0
    first, second = np.triu_indices(216, 1)
    for x in solution.q.reshape(len(solution.t), -1, 7)[..., :3]:
        apart = np.linalg.norm(x[first] - x[second], axis=1)
        worst = max(worst, (0.2 - apart).max(), (0.1 - x[:, 2]).max())
    assert worst <= deepest
    assert solution.q.reshape(len(solution.t), -1, 7)[-1, :, 2].max() < 0.6


# -- C10: a quadruped ----------------------------------------------------------------------------


def momentum(model, solution):
    """Of all bodies, at every sample."""
    masses = [float(body.inertia.mass) for body in model.bodies.values()]
    return np.einsum("b,tbk->tk", masses, solution.v.reshape(len(solution.t), -1, 6)[..., :3])


@pytest.mark.parametrize(
    ("formulation", "method", "allowed"),
    [
        ("maximal", dl.ContactImpulse(), 1.0),
        ("maximal", dl.ContactImpulse(order=2), 1e-7),
        ("generalized", dl.ContactImpulse(order=2), 1e-4),
        ("generalized", dl.Projection(), 1e-7),
    ],
    ids=lambda x: x if isinstance(x, str) else f"{getattr(x, 'order', x)}",
)
def test_thrown_quadruped_falls_freely(formulation, method, allowed):
    """Legs on springs, a push of 200 N on the trunk for a second. Mean squared error of the energy
    in the fall at the step 1e-5: MuJoCo's Euler 3.5e-4, ODE 3.9e-4 J^2; at 1e-3 here."""
    model = dl.catalog.load("quadruped", stance=False, driven=False)
    push = dl.where(dl.time < 1.0, 200.0, 0.0)
    model.add_force(dl.Force("trunk", value=(0, 0, push)))
    solution = dl.simulate(
        model, until=3.0, step=1e-3, every=10, formulation=formulation, method=method
    )
    fall = solution.energy[solution.t >= 1.0 - 1e-9]
    assert np.mean((fall - fall[0]) ** 2) <= allowed
    if formulation == "maximal":
        p = momentum(model, solution)[:, 2]
        total = sum(float(body.inertia.mass) for body in model.bodies.values())
        assert p[-1] - p[100] == pytest.approx(-2.0 * total * G, rel=1e-9)


@pytest.mark.parametrize(
    ("formulation", "order", "e", "allowed"),
    [
        ("maximal", 1, 0.5, 1e-10),
        ("maximal", 2, 0.5, 1e-10),
        ("generalized", 2, 0.5, 5e-3),
        ("generalized", 2, 1.0, 5e-3),
    ],
)
def test_ball_that_hits_a_quadruped_changes_no_momentum(formulation, order, e, allowed):
    """50 N s. On a tree the momentum is that of joint velocities at either end of a step: it is
    kept to the order of the step, also where it is struck."""
    model = dl.catalog.load("quadruped", stance=False, driven=False, gravity=0.0)
    skin = dl.Material(friction=0.5, restitution=e)
    for name in list(model.bodies):
        for solid in model.shapes.get(name, ()):
            model.add_shape(
                solid, on=name, material=skin, group="robot", ignores="robot", drawn=False
            )
    shot = model.add_body(
        "ball", dl.Inertia.sphere(10.0, 0.1), position=(0, 5.3, 0.3), velocity=(0, -5.0, 0)
    )
    model.add_shape(dl.Sphere(0.1), on=shot, material=skin)
    solution = dl.simulate(
        model,
        until=3.0,
        step=1e-3,
        every=10,
        formulation=formulation,
        # impulses: between them, in bodies, the solve of joints rounds to 1e-11 of the momentum
        method=dl.ContactImpulse(order=order, smooth=formulation == "generalized"),
    )
    p = momentum(model, solution)
    assert np.abs(p - p[0]).max() <= allowed
    assert solution["ball.y.dot"][-1] > -4.5  # it has hit
    # springs of the legs swing fast
    assert solution.energy.max() <= solution.energy[0] * (1 + (3e-3 if e == 1.0 else 1e-12))


# -- C14: balls in a row -------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["newton", "poisson"])
@pytest.mark.parametrize("order", [1, 2])
def test_row_of_balls(order, law):
    """One after the other the last one leaves alone; all at once Newton's and Poisson's law share
    the momentum out. Momentum and energy stay in both."""
    for gap, expected in ((1e-3, [0, 0, 0, 0, 1.0]), (0.0, [-0.6, 0.4, 0.4, 0.4, 0.4])):
        places = [((0.1 + gap) * k, 0, 0) for k in range(5)]
        speeds = [(1.0, 0, 0)] + [(0, 0, 0)] * 4
        model = balls(
            places,
            mass=1.0,
            radius=0.05,
            gravity=0.0,
            floor=False,
            velocities=speeds,
            friction=0.0,
            restitution=1.0,
        )
        method = dl.ContactImpulse(order=order, restitution=law, tolerance=1e-12)
        solution = dl.simulate(model, until=0.02, step=1e-4, method=method)
        v = solution.v.reshape(len(solution.t), -1, 6)[:, :, 0]
        assert v[-1] == pytest.approx(expected, abs=1e-9)
        assert v.sum(axis=1) == pytest.approx(1.0, abs=1e-13)
        assert (v**2).sum(axis=1)[-1] == pytest.approx(1.0, abs=1e-9)
