"""Impacts: what restitution gives back, momentum, and energy that never grows (contact.md 13, 15).

Random impacts are many in one scene: every body or mechanism has its own piece of floor and is an
island of its own.
"""

import math

import numpy as np
import pytest

import dalembert as dl

G = 9.81
LAWS, ORDERS = ("newton", "poisson"), (1, 2)
APART = 8.0

every_law = pytest.mark.parametrize("law", LAWS)
every_order = pytest.mark.parametrize("order", ORDERS)


def impulse(law, order, **more):
    return dl.ContactImpulse(restitution=law, order=order, tolerance=1e-10, **more)


# -- forces have their share of a step, and it is not given back ---------------------------------


def falling_ball(e, **given):
    model = dl.Model("ball", gravity=(0, 0, -G))
    skin = dl.Material(friction=0.3, restitution=e)
    model.add_shape(dl.Plane(), material=skin)
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, 0.1), **given)
    model.add_shape(dl.Sphere(0.1), on=ball, material=skin)
    return model


@every_order
@pytest.mark.parametrize("e", [0.5, 1.0])
def test_poisson_gives_back_what_was_compressed_in_the_middle_of_the_step(order, e):
    h = 1e-2
    model = falling_ball(e, position=(0, 0, 0.1), velocity=(0, 0, -2.0))
    solution = dl.simulate(model, until=h, step=h, method=impulse("poisson", order))
    assert solution.v[-1, 2] == pytest.approx(e * (2.0 + G * h / 2) - G * h / 2, abs=1e-12)


@every_law
@every_order
def test_elastic_ball_comes_back_to_its_height(order, law):
    model = falling_ball(1.0, position=(0, 0, 1.1))
    solution = dl.simulate(model, until=10.0, step=1e-3, method=impulse(law, order))
    off = np.abs(solution.energy / solution.energy[0] - 1.0).max()
    assert off <= (1e-2 if order == 1 else 1e-11)


@every_law
@every_order
@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_elastic_pendulum_at_a_stop_keeps_its_energy(formulation, order, law):
    """A limit that sends back all, gravity on the way; a tree and bodies with a joint."""
    model = dl.Model("pendulum", gravity=(0, 0, -G))
    bob = model.add_body("bob", dl.Inertia.sphere(1.0, 0.1), position=(0.5, 0, 0))
    hinge = model.add_joint(dl.Revolute(model.world, bob.at(x=-0.5), axis="y", name="hinge"))
    model.set_limits(hinge, dl.Limits(upper=0.8, restitution=1.0))
    run = dl.simulate(
        model, until=3.0, step=1e-3, formulation=formulation, method=impulse(law, order)
    )
    speed = run[hinge.angle.dot]
    assert (np.diff(np.sign(speed)) < 0).sum() >= 3  # it has hit
    off = np.abs(run.energy - run.energy[0]).max() / run.kinetic.max()
    assert off <= (2e-2 if order == 1 else 1e-4)


@every_law
@every_order
def test_gravity_does_not_excite_what_rests(order, law):
    """A lively box stands on the floor; beside it, and on it, a ball bounces."""
    model = dl.Model("rest", gravity=(0, 0, -G))
    lively = dl.Material(friction=0.5, restitution=0.9)
    model.add_shape(dl.Plane(), material=lively)
    for name, x in (("box", 0.0), ("other", 3.0)):
        box = model.add_body(name, dl.Inertia.box(50.0, size=(1, 1, 1)), position=(x, 0, 0.5))
        model.add_shape(dl.Box((1, 1, 1)), on=box, material=lively)
    for name, x, z in (("on", 0.0, 1.4), ("beside", 5.0, 0.4)):
        ball = model.add_body(name, dl.Inertia.sphere(1.0, 0.1), position=(x, 0, z))
        model.add_shape(dl.Sphere(0.1), on=ball, material=lively)
    solution = dl.simulate(model, until=2.0, step=2e-3, method=impulse(law, order))
    v = solution.v.reshape(len(solution.t), -1, 6)
    assert np.abs(v[:, :2]).max() <= 1e-9
    assert v[:, 2:, 2].max() >= 2.0


@every_order
def test_islands_without_impact_are_left_as_they_are(order):
    """Bits of a sliding box do not depend on a ball that bounces elsewhere."""
    runs = []
    for bouncing in (False, True):
        model = dl.Model("two", gravity=(0, 0, -G))
        lively = dl.Material(friction=0.2, restitution=0.9)
        model.add_shape(dl.Plane(), material=lively)
        box = model.add_body(
            "box", dl.Inertia.box(5.0, size=(1, 1, 1)), position=(0, 0, 0.5), velocity=(3, 1, 0)
        )
        model.add_shape(dl.Box((1, 1, 1)), on=box, material=lively)
        if bouncing:
            ball = model.add_body("ball", dl.Inertia.sphere(1.0, 0.1), position=(30, 0, 0.12))
            model.add_shape(dl.Sphere(0.1), on=ball, material=lively)
        runs.append(dl.simulate(model, until=0.5, step=2e-3, method=impulse("poisson", order)))
    assert runs[1].statistics["contact"]["poisson"] > 0
    assert np.array_equal(runs[0].v, runs[1].v[:, :6])


# -- friction of the expansion -------------------------------------------------------------------


@pytest.mark.parametrize("mu", [0.05, 0.3, 2.0])
@pytest.mark.parametrize("e", [0.4, 1.0])
@pytest.mark.parametrize("solver", ["auto", "newton", "nsgs", "admm", "lemke", "pgs"])
def test_friction_of_expansion_is_that_of_its_whole_impulse(solver, e, mu):
    """A ball, closed form: compression m |v_n|, expansion e times that, each with friction up to
    mu of itself; the ball needs 2/7 m |slip| to roll."""
    m, v, slip = 2.0, 3.0, 4.0
    model = dl.Model("ball", gravity=(0, 0, 0))
    skin = dl.Material(friction=mu, restitution=e)
    model.add_shape(dl.Plane(), material=skin)
    ball = model.add_body(
        "ball", dl.Inertia.sphere(m, 0.1), position=(0, 0, 0.1), velocity=(slip, 0, -v)
    )
    model.add_shape(dl.Sphere(0.1), on=ball, material=skin)
    method = dl.ContactImpulse(solver=solver, restitution="poisson", tolerance=1e-9)
    after = dl.simulate(model, until=1e-3, step=1e-3, method=method).v[-1]
    pushed = min(mu * m * v * (1.0 + e), 2.0 / 7.0 * m * slip)
    assert after[2] == pytest.approx(e * v, abs=1e-7)
    assert after[0] == pytest.approx(slip - pushed / m, abs=1e-7)
    assert after[4] == pytest.approx(pushed * 0.1 / (0.4 * m * 0.01), abs=1e-5)


# -- momentum and energy of impacts in several places --------------------------------------------

every_formulation = pytest.mark.parametrize("formulation", ["maximal", "generalized"])


def planar_momentum(solution, masses, spins):
    """(p_x, p_y, L_z about the origin) at every sample."""
    q, v = (x.reshape(len(solution.t), len(masses), -1) for x in (solution.q, solution.v))
    p = np.einsum("b,tbk->tk", masses, v[..., :2])
    turning = q[..., 0] * v[..., 1] - q[..., 1] * v[..., 0]
    return np.column_stack([p, turning @ masses + v[..., 5] @ spins])


@every_law
@every_order
@every_formulation
@pytest.mark.parametrize(("mu", "e"), [(0.0, 1.0), (0.4, 1.0), (0.4, 0.6), (1.5, 0.6)])
def test_two_balls_hit_a_rod_at_once(formulation, order, law, mu, e):
    """A free rod, struck at two places from both sides, skew and with friction."""
    model = dl.Model("rod", gravity=(0, 0, 0))
    skin = dl.Material(friction=mu, restitution=e)
    size = (1.0, 0.1, 0.1)
    rod = model.add_body("rod", dl.Inertia.box(2.0, size=size))
    model.add_shape(dl.Box(size), on=rod, material=skin)
    start = [((-0.35, 0.15, 0), (1.0, -3.0, 0)), ((0.2, -0.15, 0), (0.5, 2.0, 0))]
    for name, (place, velocity) in zip(("above", "below"), start, strict=True):
        ball = model.add_body(name, dl.Inertia.sphere(1.0, 0.1), position=place, velocity=velocity)
        model.add_shape(dl.Sphere(0.1), on=ball, material=skin)
    run = dl.simulate(
        model, until=5e-3, step=1e-3, formulation=formulation, method=impulse(law, order)
    )
    masses, spins = np.array([2.0, 1.0, 1.0]), np.array([2.0 * 1.01 / 12, 4e-3, 4e-3])
    off = np.abs(planar_momentum(run, masses, spins) - planar_momentum(run, masses, spins)[0])
    assert off[:, :2].max() <= 1e-13
    # what e < 1 leaves of the depth in the middle of the step is pushed out: positions move
    assert off[:, 2].max() <= (1e-12 if order == 1 or e == 1.0 else 2e-4)
    assert abs(run["rod.wz"][-1]) > 0.1  # it has been hit
    assert run.kinetic.max() <= run.kinetic[0] * (1.0 + 1e-9)
    if mu == 0.0:
        assert run.kinetic[-1] == pytest.approx(run.kinetic[0], rel=1e-9)
    else:
        assert run.kinetic[-1] < run.kinetic[0] * (1.0 - 1e-3)


@every_law
@every_order
@every_formulation
@pytest.mark.parametrize("e", [0.7, 1.0])
def test_cradle_on_rods_gains_no_energy(formulation, order, law, e):
    """Balls on rods, all in touch: momentum is shared out, and pivots take part of second order."""
    model = dl.catalog.load("cradle", restitution=e)
    run = dl.simulate(
        model, until=3e-3, step=1e-4, formulation=formulation, method=impulse(law, order)
    )
    v = run.v.reshape(len(run.t), -1, 6)[:, :, 0]
    assert v.sum(axis=1) == pytest.approx(v[0].sum(), rel=1e-3)
    assert v[-1, -1] > 0.1 * v[0, 0]
    scale = run.kinetic[0]
    assert (run.energy - run.energy[0]).max() <= (1e-3 if order == 1 else 1e-6) * scale
    if e == 1.0:
        assert run.energy[-1] == pytest.approx(run.energy[0], abs=5e-3 * scale)
    else:
        assert run.energy[-1] < run.energy[0] - 0.05 * scale


# -- random impacts ------------------------------------------------------------------------------


STEP, SUNK = 1e-7, 1e-6
"""A step in which nothing turns, and a depth in which everything touches."""

SKINS = [
    dl.Material(friction=mu, restitution=e, name=f"mu {mu} e {e}")
    for mu in (0.0, 0.1, 0.4, 1.0, 3.0)
    for e in (0.3, 0.7, 1.0)
]


def turned(rng, how):
    """Any rotation; "flat": about the vertical, "edge": about x."""
    q = rng.normal(size=4) * {"flat": (1, 0, 0, 1), "edge": (1, 1, 0, 0), "any": 1}[how]
    return dl.Rotation.from_quaternion(q / np.linalg.norm(q))


class Impacts:
    """A floor with many islands on it, all about to hit."""

    def __init__(self, seed, one_skin):
        self.rng, self.one_skin = np.random.default_rng(seed), one_skin
        self.model = dl.Model("impacts", gravity=(0, 0, 0))
        # the floor adds nothing to the surfaces on it
        self.model.combine = dl.Combine(friction="max")
        self.model.add_shape(dl.Plane(), material=dl.Material(friction=0.0, name="floor"))
        self.islands, self.inertias, self.count = [], [], 0

    def begin(self):
        """A place for the next island, and one velocity for all of it."""
        n = len(self.islands)
        self.at = np.array([APART * (n % 20), APART * (n // 20), 0.0])
        self.velocity, self.spin = 3.0 * self.rng.normal(size=3), 4.0 * self.rng.normal(size=3)
        self.velocity[2] -= 4.0
        self.islands.append([])
        self.skin = SKINS[self.rng.integers(len(SKINS))]

    def add(self, solid, place, turn, apart=0.0):
        """A body of the island; `apart`: how much its own velocity is off that of the island."""
        rng, place = self.rng, np.asarray(place, float)
        mass = 10.0 ** rng.uniform(-1, 1)
        sizes = solid.size if isinstance(solid, dl.Box) else (solid.length, *2 * [2 * solid.radius])
        inertia = dl.Inertia.box(mass, size=tuple(map(float, sizes)))
        body = self.model.add_body(
            f"b{self.count}",
            inertia,
            position=self.at + place,
            rotation=turn,
            velocity=self.velocity + np.cross(self.spin, place) + apart * rng.normal(size=3),
            angular_velocity=self.spin + apart * rng.normal(size=3),
        )
        skin = self.skin if self.one_skin else SKINS[rng.integers(len(SKINS))]
        self.model.add_shape(solid, on=body, material=skin)
        self.islands[-1].append(self.count)
        x, y, z = (size**2 / 12.0 for size in sizes)
        self.inertias.append((mass, mass * np.array([y + z, x + z, x + y])))
        self.count += 1
        return body

    def energies(self, solution):
        """Kinetic energy of every island before and after, and its momentum."""
        T, p = np.zeros((2, len(self.islands))), np.zeros((2, len(self.islands), 3))
        for k, sample in enumerate((0, -1)):
            q, v = solution.q[sample].reshape(-1, 7), solution.v[sample].reshape(-1, 6)
            for i, bodies in enumerate(self.islands):
                for b in bodies:
                    mass, moments = self.inertias[b]
                    R = np.asarray(dl.Rotation.from_quaternion(q[b, 3:]).matrix)
                    T[k, i] += 0.5 * mass * v[b, :3] @ v[b, :3]
                    T[k, i] += 0.5 * moments @ (R.T @ v[b, 3:]) ** 2
                    p[k, i] += mass * v[b, :3]
        return T, p


def single(scene):
    """A box or a rod, on a corner, an edge, a face, an end or its side: one to four contacts."""
    rng = scene.rng
    scene.begin()
    turn = turned(rng, ("flat", "edge", "any")[rng.integers(3)])
    R = np.asarray(turn.matrix)
    if rng.random() < 0.5:
        solid = dl.Box(tuple(rng.uniform(0.1, 1.0, 3)))
        height = 0.5 * np.abs(R[2]) @ np.asarray(solid.size)
    else:
        solid = dl.Capsule(rng.uniform(0.02, 0.2), rng.uniform(0.3, 1.0), "x")
        height = solid.radius + 0.5 * solid.length * abs(R[2, 0])
    scene.add(solid, (0, 0, height - SUNK), turn)


def pile(scene):
    """Two or three boxes on each other, each with a velocity of its own."""
    rng = scene.rng
    scene.begin()
    height = -SUNK
    for _ in range(rng.integers(2, 4)):
        size = tuple(rng.uniform(0.3, 1.0, 3))
        place = (0.1 * rng.normal(), 0.1 * rng.normal(), height + 0.5 * size[2])
        scene.add(dl.Box(size), place, turned(rng, "flat"), apart=1.0)
        height += size[2] - SUNK


def chain(scene):
    """Rods in a row, with ball joints or hinges between them, all flat on the floor."""
    rng = scene.rng
    scene.begin()
    radius, x, last = rng.uniform(0.03, 0.1), 0.0, None
    for k in range(rng.integers(2, 5)):
        length = rng.uniform(0.3, 0.8)
        rod = dl.Capsule(radius, length, "x")
        body = scene.add(rod, (x + 0.5 * length + radius, 0, radius - SUNK), None)
        if last is not None:
            ends = last[0].at(x=0.5 * last[1] + radius), body.at(x=-0.5 * length - radius)
            name = f"joint {scene.count} {k}"
            if rng.random() < 0.5:
                scene.model.add_joint(dl.Spherical(*ends, name=name))
            else:
                scene.model.add_joint(dl.Revolute(*ends, axis="y", name=name))
        last = body, length
        x += length + 2.0 * radius


KINDS = {"single": single, "pile": pile, "chain": chain}


def hit(kind, law, order, formulation, *, count, seed, one_skin):
    """T of the islands before and after, and how often Poisson's law was taken."""
    scene = Impacts(seed, one_skin)
    for _ in range(count):
        KINDS[kind](scene)
    solution = dl.simulate(
        scene.model,
        until=STEP,
        step=STEP,
        formulation=formulation,
        method=impulse(law, order),
        initial_limit=math.inf,
    )
    T, p = scene.energies(solution)
    return T, p, solution


@every_law
@every_order
@pytest.mark.parametrize("one_skin", [True, False], ids=["one e", "many e"])
@pytest.mark.parametrize(
    ("kind", "formulation"),
    [("single", "maximal"), ("pile", "maximal"), ("chain", "maximal"), ("chain", "generalized")],
)
def test_random_impacts_never_gain_energy(kind, formulation, order, law, one_skin):
    count = 40 if formulation == "maximal" else 15
    T, _, _ = hit(kind, law, order, formulation, count=count, seed=order, one_skin=one_skin)
    assert (T[1] / T[0]).max() <= 1.0 + 1e-5  # they turn a little
    assert (T[1] / T[0]).min() <= 0.9


@pytest.mark.parametrize("law", ["newton", "poisson"])
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(("e", "mu"), [(1.0, 0.1), (1.0, 0.2), (0.8, 5.0)])
def test_ball_with_spin_bounces_as_in_closed_form(e, mu, order, law):
    """Garwin's ball: the impulse of friction is mu p_n, or what stops the point that touches.

    Exact with any step: the ball is far from the floor when the impact is foreseen.
    """
    mass, radius, speed, fall, spin = 0.1, 0.05, 2.0, 3.0, -30.0
    model = dl.Model("ball", gravity=(0, 0, 0))
    surface = dl.Material(friction=mu, restitution=e)
    model.add_shape(dl.Plane(), material=surface)
    ball = model.add_body(
        "ball",
        dl.Inertia.sphere(mass, radius=radius),
        position=(0, 0, 1),
        velocity=(speed, 0, -fall),
        angular_velocity=(0, spin, 0),
    )
    model.add_shape(dl.Sphere(radius), on=ball, material=surface)
    method = dl.ContactImpulse(order=order, restitution=law)
    solution = dl.simulate(model, until=0.5, step=7e-3, method=method)
    normal = mass * (1 + e) * fall
    friction = min(mu * normal, mass * (speed - radius * spin) * 2 / 7)
    turned = spin + friction * radius / (0.4 * mass * radius**2)
    expected = [speed - friction / mass, e * fall, turned]
    assert solution.v[-1, [0, 2, 4]] == pytest.approx(expected, abs=1e-7)
