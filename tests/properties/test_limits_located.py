"""Random models of formulas with limits: the laws of one-sided constraints hold at every sample.

phi >= 0, lam >= 0, one of them zero; energy does not grow; what happens is in the log.
"""

import numpy as np
import pytest

import dalembert as dl

SEEDS = [*range(24), 1032, 1330]
"""The last two: a strap that carried nothing sank to 1e-10; one that parts is struck by another."""


def random_model(seed):
    """Masses on springs between walls, some tied by a rod, some pushed, with random restitution."""
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 5))
    names = " ".join(f"x{k}" for k in range(count))
    coordinates = dl.coordinates(names)
    masses = random.uniform(0.2, 3.0, count)
    kinetic = sum(m * x.dot**2 / 2 for m, x in zip(masses, coordinates, strict=True))
    potential = sum(
        k * (x - a) ** 2 / 2
        for x, k, a in zip(
            coordinates, random.uniform(0.0, 40.0, count), random.normal(0, 0.5, count), strict=True
        )
    )
    potential = potential + sum(random.normal(0, 5.0) * x for x in coordinates)
    coupling = random.uniform(0.0, 3.0)
    potential = potential + coupling * np.cos(coordinates[0] - coordinates[1])
    model = dl.Model.from_lagrangian(kinetic=kinetic, potential=potential)
    for k, x in enumerate(coordinates):
        e = float(random.choice([0.0, 0.0, 0.5, 0.9]))
        model.keep(x + random.uniform(0.3, 0.6) >= 0, restitution=e, name=f"low{k}")
        if random.random() < 0.5:
            model.keep(random.uniform(0.3, 0.6) - np.sin(x) >= 0, restitution=e, name=f"high{k}")
    if random.random() < 0.5:
        a, b = coordinates[:2]
        model.keep(1.2 - (a - b) ** 2 >= 0, name="strap")
    initial = {x: random.uniform(-0.25, 0.25) for x in coordinates}
    initial |= {x.dot: random.normal(0, 2.0) for x in coordinates}
    return model, initial


@pytest.mark.parametrize("seed", SEEDS)
def test_laws_of_limits(seed):
    model, initial = random_model(seed)
    solution = dl.simulate(model, until=3.0, initial=initial)
    assert not any(entry.kind == "stepping" for entry in solution.log)
    for one in model.unilaterals:
        phi = solution[one.rows[0]]
        force = solution[f"{one.name}.force"]
        assert phi.min() > -1e-10
        touching = force[np.isfinite(force)]
        assert touching.min(initial=0.0) > -1e-8 * (1.0 + np.abs(touching).max(initial=0.0))
        product = np.abs(phi * force)[np.isfinite(force)]
        assert product.max(initial=0.0) < 1e-8 * (1.0 + np.abs(touching).max(initial=0.0))
    energy = solution.energy
    scale = np.abs(solution.kinetic).max() + 1.0
    assert np.diff(energy).max() < 1e-9 * scale
    impacts = [entry for entry in solution.log if entry.kind == "impact"]
    assert all(entry.impulse >= 0.0 for entry in impacts)
    for t in {entry.t for entry in impacts}:
        # what parts may be struck with what approaches, at one instant
        assert min(entry.before for entry in impacts if entry.t == t) <= 0.0
