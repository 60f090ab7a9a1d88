"""Lengths of a four-bar are sought whose coupler point passes given places: batches as objective.

SciPy's differential evolution asks for a whole generation of designs at once: each is a world of
one rollout. What it finds is refined by least squares, whose Jacobian is one rollout more. The
places come from a design that is known, so the answer can be judged.

    python four_bar_design.py [--full]
"""

import sys

import numpy as np
from scipy.optimize import differential_evolution, least_squares

import dalembert as dl

GROUND, RATE, STEP, PLACES, SIZE = 1.0, 2 * np.pi, 1e-3, 12, 12
NAMES = ("crank", "coupler", "rocker", "along", "aside")
LOW, HIGH = np.array([0.2, 0.7, 0.6, 0.2, 0.1]), np.array([0.4, 1.1, 1.0, 0.8, 0.6])
KNOWN = np.array([0.3, 0.9, 0.8, 0.5, 0.35])

a, b, c = dl.coordinates("a b c")  # angles of crank, coupler and rocker from the ground
lengths = dl.parameters(crank=0.3, coupler=0.9, rocker=0.8, along=0.5, aside=0.35)
crank, coupler, rocker, along, aside = lengths
point = (
    crank * np.cos(a) + along * np.cos(b) - aside * np.sin(b),
    crank * np.sin(a) + along * np.sin(b) + aside * np.cos(b),
)


def start(r, p, k):
    """The state with the crank along the ground, by the law of cosines, of numbers or formulas."""
    d = GROUND - r
    b0 = np.arccos((d**2 + p**2 - k**2) / (2 * d * p))
    c0 = np.pi - np.arccos((d**2 + k**2 - p**2) / (2 * d * k))
    # speeds: r w (-sin 0, cos 0) + p b' (-sin b, cos b) = k c' (-sin c, cos c)
    turn = np.sin(c0 - b0)
    b_dot, c_dot = -r * RATE * np.sin(c0) / (p * turn), -r * RATE * np.sin(b0) / (k * turn)
    return {a: 0.0, b: b0, c: c0, a.dot: RATE, b.dot: b_dot, c.dot: c_dot}


model = dl.Model.from_lagrangian(
    name="four-bar-to-be-designed",
    coordinates=[a, b, c],
    # a flywheel on the crank keeps its speed; a small mass sits at the coupler point
    kinetic=(1e6 * a.dot**2 + b.dot**2 + c.dot**2 + point[0].dot ** 2 + point[1].dot ** 2) / 2,
    constraints=[
        crank * np.cos(a) + coupler * np.cos(b) - rocker * np.cos(c) - GROUND,
        crank * np.sin(a) + coupler * np.sin(b) - rocker * np.sin(c),
    ],
    initial=start(crank, coupler, rocker),
)


def paths(designs):
    """Places of the coupler point at equal angles of the crank, (designs, 2 * PLACES)."""
    ones = np.ones(len(designs))
    state = [x * ones for x in start(*designs[:, :3].T).values()]
    found = dl.rollout(
        model,
        (np.stack(state[:3], axis=1), np.stack(state[3:], axis=1)),
        step=STEP,
        steps=1000,
        every=1000 // PLACES,
        parameters=dict(zip(lengths, designs.T, strict=True)),
        record=[*point],
    )
    return found.data[:, :PLACES].reshape(len(designs), -1)


def closes(designs):
    """Whether the crank can turn (Grashof), with room to spare."""
    r, p, k = designs[:, :3].T
    lengths_ = np.stack([r, p, k, np.full_like(r, GROUND)], axis=1)
    rest = lengths_.sum(axis=1) - lengths_.max(axis=1) - r
    return (lengths_.min(axis=1) == r) & (r + lengths_.max(axis=1) < 0.98 * rest)


WANTED = paths(KNOWN[None])[0]


def misses(designs):
    """Sum of squared distances from the places; 10 for what cannot turn."""
    found, good = np.full(len(designs), 10.0), closes(designs)
    if good.any():
        found[good] = np.sum((paths(designs[good]) - WANTED) ** 2, axis=1)
    return found


def refined(design):
    """Least squares from a design."""
    h = 1e-6

    def jacobian(design):
        around = design + h * np.concatenate([np.eye(5), -np.eye(5)])
        found = paths(around)
        return (found[:5] - found[5:]).T / (2 * h)

    return least_squares(lambda d: paths(d[None])[0] - WANTED, design, jacobian)


if __name__ == "__main__":
    rounds = 150 if "--full" in sys.argv else 15
    found = differential_evolution(
        lambda table: misses(table.T),
        list(zip(LOW, HIGH, strict=True)),
        vectorized=True,
        updating="deferred",
        polish=False,
        popsize=SIZE,
        maxiter=rounds,
        tol=1e-8,
        seed=3,
    )
    print(f"after {found.nit} generations of {SIZE * 5}: miss {found.fun:.2e} m^2")
    best = refined(found.x)
    for name, length, known in zip(NAMES, best.x, KNOWN, strict=True):
        print(f"  {name:<8}{length:.9f} m   known {known:g}")
    print(f"largest distance from a place: {np.abs(best.fun).max():.1e} m")
    assert found.fun < 0.05
    assert np.abs(best.x - KNOWN).max() < 1e-6
