"""Model-predictive path integral control of a cart-pole, faster than real time.

Fifty times a second 512 futures of the next second are run from the present state, each with
forces of its own about the last plan; the plan becomes their mean, weighted with exp(-cost)
(Williams, Aldrich & Theodorou, "Model predictive path integral control", J. Guidance, Control and
Dynamics 40(2), 2017). The pole hangs at first, is swung up, and kept upright.
"""

import time

import numpy as np

import dalembert as dl

FUTURES, HORIZON, STEP, EVERY, SPREAD, COLD = 512, 50, 0.02, 1, 6.0, 0.02
MOST, SECONDS = 20.0, 6.0  # [N], [s]

model = dl.Model("cart-pole")
cart = model.add_body("cart", dl.Inertia.box(mass=1.0, size=(0.3, 0.2, 0.15)))
pole = model.add_body("pole", dl.Inertia.rod(mass=0.1, length=1.0, axis="z"))
rail = model.add_joint(dl.Prismatic(model.world, cart, axis="x", name="rail"))
hinge = model.add_joint(dl.Revolute(cart, pole.at(z=-0.5), axis="y", name="hinge"))
model.add_force(dl.DirectDrive(rail, name="motor"))

x, angle = rail.displacement, hinge.angle
COST = (
    3.0 * (1 - np.cos(angle))
    + 0.05 * angle.dot**2
    + 0.5 * x**2
    + 0.05 * x.dot**2
    + 20.0 * dl.maximum(abs(x) - 1.5, 0)
)


def costs(state, forces):
    """Mean cost of each future from a state, for each row of forces."""
    q, v = (np.tile(part, (FUTURES, 1)) for part in state)
    found = dl.rollout(
        model,
        (q, v),
        step=STEP,
        steps=HORIZON,
        controls={"motor": forces},
        record=[COST],
        reduce="mean",
    )
    return found.data[:, 0, 0]


def decided(state, plan, generator):
    """A better plan for a state."""
    noise = SPREAD * generator.standard_normal((FUTURES, HORIZON))
    forces = np.clip(plan + noise, -MOST, MOST)
    cost = costs(state, forces) / COLD
    weights = np.exp(cost.min() - cost)
    return weights @ forces / weights.sum()


if __name__ == "__main__":
    generator = np.random.default_rng(2)
    truth = dl.Worlds(
        model,
        1,
        step=STEP / 4,
        controls=["motor"],
        observe=[angle, x],
        initial={"hinge.angle": np.pi},
    )
    plan, spent, seen = np.zeros(HORIZON), [], []
    for _ in range(round(SECONDS / STEP)):
        began = time.perf_counter()
        plan = decided((truth.q[0], truth.v[0]), plan, generator)
        spent.append(time.perf_counter() - began)
        truth.advance(4, plan[:1])
        plan = np.append(plan[1:], 0.0)
        seen.append(truth.observed[0].copy())
    lean = np.arccos(np.cos([row[0] for row in seen]))
    place = np.array([row[1] for row in seen])
    upright = np.flatnonzero(lean > 0.2)[-1] * STEP
    print(f"{FUTURES} futures of {HORIZON * STEP:g} s: {1e3 * np.median(spent):.1f} ms a decision,")
    print(f"least {1e3 * min(spent):.1f} ms; there are {1e3 * STEP:g} ms for it")
    print(f"upright from {upright:.2f} s on; the cart went as far as {np.abs(place).max():.2f} m")
    assert upright < 4.0
    assert lean[-50:].max() < 0.1
    assert np.abs(place).max() < 2.0
    assert min(spent) < STEP
