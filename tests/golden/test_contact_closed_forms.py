"""Contact and friction against closed forms (../shared/reference/problems.md C, contact.md 15).

Steps are large on purpose: sticking, sliding in a line and static forces do not depend on them.
"""

import math

import numpy as np
import pytest

import dalembert as dl

G = 9.81
SHARP = dl.ContactImpulse(tolerance=1e-9)
SLOPE = math.radians(30.0)


def ball_on_floor(mu, *, radius=0.1, mass=1.0, gravity=(0, 0, -G), height=0.0, **material):
    model = dl.Model("ball", gravity=gravity)
    surface = dl.Material(friction=mu, **material)
    model.add_shape(dl.Plane(), material=surface, name="floor")
    place = (0, 0, radius + height)
    ball = model.add_body("ball", dl.Inertia.sphere(mass, radius), position=place)
    model.add_shape(dl.Sphere(radius), on=ball, material=surface)
    return model


def box_on_floor(mu, *, size=(0.2, 0.2, 0.2), mass=1.0, gravity=(0, 0, -G), **material):
    model = dl.Model("box", gravity=gravity)
    surface = dl.Material(friction=mu, **material)
    model.add_shape(dl.Plane(), material=surface, name="floor")
    box = model.add_body("box", dl.Inertia.box(mass, size=size), position=(0, 0, size[2] / 2))
    model.add_shape(dl.Box(size), on=box, material=surface)
    return model


# -- incline ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("tolerance", "allowed"), [(1e-9, 1e-11), (1e-6, 1e-6)])
def test_block_sticks_at_the_limit_of_friction(tolerance, allowed):
    model = dl.catalog.load("incline", angle=30.0, friction=math.tan(SLOPE) * (1 + 1e-6))
    solution = dl.simulate(
        model, until=10.0, step=5e-3, method=dl.ContactImpulse(tolerance=tolerance)
    )
    assert np.abs(solution.q - solution.q[0]).max() <= allowed
    assert solution.statistics["contact"]["residual"] <= tolerance
    assert {c.state for c in solution.contacts()} == {"sticking"}


@pytest.mark.parametrize("mu", [math.tan(SLOPE) * (1 - 1e-6), 0.4])
def test_block_slips_below_it(mu):
    model = dl.catalog.load("incline", angle=30.0, friction=mu)
    solution = dl.simulate(model, until=1.0, step=5e-3, method=SHARP)
    exact = G * (math.sin(SLOPE) - mu * math.cos(SLOPE))
    assert solution.v[-1, 0] == pytest.approx(exact, rel=1e-6, abs=2e-9)


def test_block_thrown_up_the_slope():
    # C4: stops at 0.24086856 s after 0.24086856 m, passes the start at 0.85196 m/s
    model = dl.catalog.load("incline", angle=30.0, friction=0.4, speed=-2.0)
    solution = dl.simulate(
        model, until=0.9, step=1e-3, method=dl.ContactImpulse(order=2, tolerance=1e-9)
    )
    x, t = solution.q[:, 0], solution.t
    assert x.min() == pytest.approx(-0.240868561885399, abs=2e-6)
    back = np.interp(0.0, x[t > 0.4], t[t > 0.4])
    assert back == pytest.approx(0.806312186987569, abs=2e-4)
    assert np.interp(back, t, solution.v[:, 0]) == pytest.approx(0.8519631354651, abs=2e-4)


@pytest.mark.parametrize(
    ("mu", "a", "turning"),
    [(0.3, 3.50357142857143, None), (0.1, 4.05542907888746, 2.12392730278134)],
)
def test_ball_on_the_incline_rolls_or_slips(mu, a, turning):
    # C5
    pull = (G * math.sin(SLOPE), 0, -G * math.cos(SLOPE))
    model = ball_on_floor(mu, gravity=pull)
    solution = dl.simulate(model, until=0.5, step=5e-3, method=SHARP)
    assert solution.v[-1, 0] == pytest.approx(0.5 * a, rel=1e-7)
    assert 0.1 * solution.v[-1, 4] == pytest.approx(0.5 * (turning or a), rel=1e-7)


def test_sliding_off_the_axes_keeps_its_direction():
    model = box_on_floor(0.3)
    along = np.array([math.cos(0.4), math.sin(0.4)])
    start = {"box.x.dot": 3 * along[0], "box.y.dot": 3 * along[1]}
    solution = dl.simulate(
        model, until=0.5, step=5e-3, initial=start, method=dl.ContactImpulse(tolerance=1e-10)
    )
    v = solution.v[-1, :2]
    assert abs(along[0] * v[1] - along[1] * v[0]) <= 1e-9 * np.linalg.norm(v)
    assert np.linalg.norm(v) == pytest.approx(3 - 0.3 * G * 0.5, rel=1e-9)


def test_sliding_sphere_begins_to_roll():
    # C3: rolls from t = 0.145624 s on, v = 5/7
    model = ball_on_floor(0.2)
    solution = dl.simulate(model, until=0.2, step=1e-3, initial={"ball.x.dot": 1.0}, method=SHARP)
    assert solution.v[-1, 0] == pytest.approx(5 / 7, rel=1e-7)
    slip = solution.v[:, 0] - 0.1 * solution.v[:, 4]
    rolling = solution.t[np.argmax(slip < 1e-7)]
    assert rolling == pytest.approx(0.145623998835008, abs=1e-3)


# -- static forces -----------------------------------------------------------------------------


def test_ball_in_a_groove():
    # C6: 90 degrees, m = 1
    model = dl.Model("groove")
    smooth = dl.Material(friction=0.0)
    for name, x in (("left", 1.0), ("right", -1.0)):
        model.add_shape(dl.Plane(normal=(x, 0, 1)), material=smooth, name=name)
    radius = 0.1
    place = (0, 0, radius * math.sqrt(2))
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius), position=place)
    model.add_shape(dl.Sphere(radius), on=ball, material=smooth)
    solution = dl.simulate(model, until=0.5, step=5e-3, method=SHARP)
    for name in ("left", "right"):
        force = solution.contact_force("ball", name)[-1]
        assert np.linalg.norm(force) == pytest.approx(6.93671752344003, rel=1e-7)


@pytest.mark.parametrize("forces", ["nearest", "min_norm"])
def test_ball_in_a_groove_with_a_flat_bottom(forces):
    # C6: three points, two equations. Left and right carry the same; the least norm shares out
    # N_left = N_right = sqrt(2) m g / 4 and N_bottom = m g / 2
    model = dl.Model("groove")
    smooth = dl.Material(friction=0.0)
    radius = 0.1
    height = radius * (math.sqrt(2) - 1)
    for name, normal in (("left", (1, 0, 1)), ("right", (-1, 0, 1))):
        model.add_shape(dl.Plane(normal=normal), material=smooth, name=name)
    model.add_shape(dl.Plane(position=(0, 0, height)), material=smooth, name="bottom")
    place = (0, 0, radius * math.sqrt(2))
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius), position=place)
    model.add_shape(dl.Sphere(radius), on=ball, material=smooth)
    method = dl.ContactImpulse(tolerance=1e-9, forces=forces)
    solution = dl.simulate(model, until=0.5, step=5e-3, method=method)
    left, right, bottom = (
        np.linalg.norm(solution.contact_force("ball", name)[-1])
        for name in ("left", "right", "bottom")
    )
    assert left == pytest.approx(right, rel=1e-7)
    assert math.sqrt(0.5) * (left + right) + bottom == pytest.approx(G, rel=1e-7)
    if forces == "min_norm":
        assert (left, bottom) == pytest.approx((math.sqrt(2) * G / 4, G / 2), rel=1e-6)


@pytest.mark.parametrize("start", [0.0, 0.02])
def test_four_legs_carry_the_same(start):
    # dropped on one leg first, or set down: afterwards each of four legs has a quarter
    model = dl.Model("table")
    wood = dl.Material(friction=0.5)
    model.add_shape(dl.Plane(), material=wood)
    board = model.add_body(
        "table",
        dl.Inertia.box(4.0, size=(1.0, 1.0, 0.05)),
        position=(0, 0, 0.5 + start),
        rotation=("y", start),
    )
    for k, (x, y) in enumerate([(0.4, 0.4), (0.4, -0.4), (-0.4, 0.4), (-0.4, -0.4)]):
        foot = dl.Sphere(0.05, position=(x, y, -0.45))
        model.add_shape(foot, on=board, material=wood, name=f"leg{k}")
    method = dl.ContactImpulse(forces="min_norm")
    solution = dl.simulate(model, until=2.0, step=5e-3, every=20, method=method)
    for contact in solution.contacts():
        assert contact.force == pytest.approx([0, 0, G], abs=1e-6)
    assert len(solution.contacts()) == 4


def test_heavy_on_light_and_light_on_heavy():
    # C7: 1000 kg on 1 kg
    for ratio, lower in ((1000.0, 9819.81), (1e-3, 1.001 * G)):
        model = dl.catalog.load("stack", count=2, ratio=ratio)
        solution = dl.simulate(model, until=2.0, step=5e-3, method=SHARP)
        assert solution.contact_force("box1", "box0")[-1, 2] == pytest.approx(ratio * G, rel=1e-6)
        assert solution.contact_force("box0", "floor")[-1, 2] == pytest.approx(lower, rel=1e-6)
        assert np.abs(solution.q - solution.q[0]).max() <= 1e-8


def test_soft_contact_sinks_by_the_load_over_the_stiffness():
    depths = []
    for stiffness in (1e3, 1e5, 1e7):
        model = ball_on_floor(0.5, mass=2.0, stiffness=2 * stiffness, damping=4 * stiffness**0.5)
        solution = dl.simulate(model, until=2.0, step=1e-2, method=SHARP)
        depths.append(0.1 - solution.q[-1, 2])
        assert depths[-1] == pytest.approx(2 * G / stiffness, abs=1e-9)
    assert depths[0] > depths[1] > depths[2]


def test_frequency_of_a_soft_contact_is_that_of_the_body_on_it():
    # k = m (2 pi f)^2: the sinkage is g / (2 pi f)^2 whatever the mass
    model = ball_on_floor(0.5, mass=7.0, frequency=20.0)
    solution = dl.simulate(model, until=1.0, step=5e-3, method=SHARP)
    assert 0.1 - solution.q[-1, 2] == pytest.approx(G / (40 * math.pi) ** 2, rel=1e-6)


def test_tangential_spring_gives_way_and_comes_back():
    # a force of 1 N stretches the four springs of k each by 1 / (4 k)
    model = box_on_floor(0.8, tangential_stiffness=500.0, tangential_damping=20.0)
    push = model.add_force(dl.Force("box", value=(1.0, 0, 0), name="push"))
    assert push.name == "push"
    solution = dl.simulate(model, until=2.0, step=5e-3, method=SHARP)
    moved = solution.q[-1, 0] + 0.1 * 2 * solution.q[-1, 5]  # of the lower face
    stiffness = 4 * 250.0  # two surfaces one behind the other
    assert moved == pytest.approx(1.0 / stiffness, rel=1e-3)


# -- surfaces ----------------------------------------------------------------------------------


def test_belt_takes_a_box_along():
    model = dl.Model("belt")
    belt = dl.Material(friction=0.5, surface_velocity=(1.0, 0, 0))
    model.add_shape(dl.Plane(), material=belt, name="belt")
    box = model.add_body("box", dl.Inertia.box(1.0, size=(0.2,) * 3), position=(0, 0, 0.1))
    model.add_shape(dl.Box((0.2,) * 3), on=box, material=dl.Material(friction=0.5))
    solution = dl.simulate(model, until=0.5, step=5e-3, method=SHARP)
    assert np.interp(0.1, solution.t, solution.v[:, 0]) == pytest.approx(0.05 * G, rel=1e-6)
    assert solution.v[-1, 0] == pytest.approx(1.0, abs=1e-8)


def test_rolling_and_spinning_are_resisted():
    model = ball_on_floor(0.5, rolling=0.01, torsional=0.02)
    start = {"ball.x.dot": 1.0, "ball.wy": 10.0, "ball.wz": 5.0}
    solution = dl.simulate(model, until=0.05, step=1e-3, initial=start, method=SHARP)
    # v' = -g rho / (R (1 + 2/5)),  w_z' = -mu_s g / (2/5 R^2)
    assert solution.v[-1, 0] == pytest.approx(1.0 - 0.05 * G * 0.1 / 1.4, rel=1e-5)
    assert solution.v[-1, 5] == pytest.approx(5.0 - 0.05 * 0.02 * G / (0.4 * 0.01), abs=1e-4)


# -- impacts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["newton", "poisson"])
@pytest.mark.parametrize("order", [1, 2])
def test_ball_bounces_to_the_square_of_the_restitution(order, law):
    # C1, within the step: heights of e^2k
    model = ball_on_floor(0.0, height=1.0, restitution=0.8)
    method = dl.ContactImpulse(order=order, restitution=law)
    solution = dl.simulate(model, until=2.0, step=5e-4, method=method)
    z = solution.q[:, 2] - 0.1
    tops = [z[i] for i in range(1, len(z) - 1) if z[i - 1] < z[i] >= z[i + 1]]
    assert tops == pytest.approx([0.64, 0.4096, 0.262144], abs=2e-3)
    assert z.min() >= -5e-6


def test_elastic_ball_of_second_order_keeps_its_energy():
    model = ball_on_floor(0.0, height=1.0, restitution=1.0)
    solution = dl.simulate(model, until=5.0, step=1e-3, method=dl.ContactImpulse(order=2))
    assert np.abs(solution.energy / solution.energy[0] - 1).max() <= 3e-3
    assert solution.energy[-1] == pytest.approx(solution.energy[0], rel=1e-6)


@pytest.mark.parametrize("ratio", [2.0, 4.0])
def test_rocking_block(ratio):
    # C12 (Housner): the angular velocity falls by 1 - 1.5 sin^2 alpha in an impact
    b, h = 0.1, 0.1 * ratio
    model = dl.Model("rocking")
    rough = dl.Material(friction=5.0)
    model.add_shape(dl.Plane(), material=rough)
    lean = 0.05
    # about the lower right edge
    far, angle = math.hypot(b, h) / 2, math.atan2(b, h)
    place = (b / 2 - far * math.sin(angle - lean), 0, far * math.cos(angle - lean))
    block = model.add_body(
        "block", dl.Inertia.box(1.0, size=(b, 0.2, h)), position=place, rotation=("y", lean)
    )
    model.add_shape(dl.Box(b, 0.2, h), on=block, material=rough)
    solution = dl.simulate(model, until=0.5, step=1e-4, method=SHARP)
    w = solution.v[:, 4]
    hit = np.argmax(np.abs(np.diff(w)) > 0.05 * np.abs(w).max())
    alpha = math.atan2(b, h)
    found = w[hit + 5] / w[hit - 2]
    assert found == pytest.approx(1 - 1.5 * math.sin(alpha) ** 2, rel=2e-2)


def test_cradle_with_gaps_hands_the_momentum_to_the_last_ball():
    # C14: sequential impacts
    model = dl.catalog.load("cradle", gap=1e-3)
    solution = dl.simulate(model, until=0.01, step=1e-4)
    speeds = solution.v.reshape(len(solution.t), -1, 6)[-1, :, 0]
    assert speeds == pytest.approx([0, 0, 0, 0, 1.0], abs=2e-2)


def test_cradle_in_touch_keeps_momentum_and_energy():
    # C14: one impact of all; Newton's law with simultaneous contacts
    model = dl.catalog.load("cradle")
    solution = dl.simulate(model, until=1e-3, step=1e-4)
    v = solution.v.reshape(len(solution.t), -1, 6)[:, :, 0]
    assert v.sum(axis=1) == pytest.approx(1.0, abs=1e-4)
    assert (v**2).sum(axis=1)[-1] <= 1.0 + 1e-7
    assert v[-1, -1] > v[-1, 0]


def test_impacts_with_friction_gain_no_energy():
    # Newton's law alone can: a thin rod hits the floor with its end, sliding
    gains = []
    for law in ("newton", "poisson"):
        for angle in (20.0, 40.0, 60.0, 75.0):
            for speed in (-3.0, -1.0, 1.0, 3.0):
                model = dl.catalog.load("painleve-rod", angle=angle, friction=1.0, speed=speed)
                bouncy = model.contact_shapes[0]
                model.set_contact(bouncy, "rod", restitution=0.9)
                start = {"rod.z.dot": -2.0}
                run = dl.simulate(
                    model,
                    until=2e-3,
                    step=1e-3,
                    initial=start,
                    method=dl.ContactImpulse(restitution=law),
                )
                gains.append(run.kinetic[1] / run.kinetic[0])
    assert max(gains) <= 1.0 + 0.02  # gravity during the step
    assert min(gains) < 0.9


@pytest.mark.parametrize("order", [1, 2])
def test_what_sticks_does_not_slip(order):
    """A leg that topples over its round foot: the foot rolls, whichever point of it touches."""
    model = dl.Model("leg")
    surface = dl.Material(friction=0.8)
    model.add_shape(dl.Plane(), material=surface)
    leg = model.add_body(
        "leg", dl.Inertia.cylinder(1.0, radius=0.05, length=1.0), position=(0, 0, 0.5)
    )
    model.add_shape(dl.Sphere(0.1, position=(0, 0, -0.4)), on=leg, material=surface)
    solution = dl.simulate(
        model,
        until=0.4,
        step=2e-3,
        initial={"leg.wx": 1.5},
        method=dl.ContactImpulse(order=order),
    )
    touching = [point for t in solution.t[2:] for point in solution.contacts(t)]
    sticking = [point for point in touching if point.state == "sticking"]
    assert len(sticking) > 150
    assert max(point.slip for point in sticking) <= 1e-8
