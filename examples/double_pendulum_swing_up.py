"""A double pendulum is swung up, slowly at the top, by a motor at its elbow: cross-entropy method.

What is sought is a torque over time, straight between a few values. In every round many are drawn
from a normal distribution, each is played in a world of its own, and the distribution becomes that
of the best ones (Rubinstein, "The cross-entropy method for combinatorial and continuous
optimization", 1999).

Needs the extra rl:  pip install 'dalembert[rl]'
"""

import gymnasium
import numpy as np

import dalembert as dl

WORLDS, BEST, ROUNDS, KNOTS, ACTIONS = 256, 16, 20, 12, 80  # 80 actions are 4 s


def worth(env, torques):
    """Largest of (height of the tip, 1 upright, less 0.01 times its squared speeds), by row."""
    hanging = {name: np.zeros(len(torques)) for name in ("shoulder.angle", "elbow.angle")}
    env.reset(options={"initial": hanging})
    best = np.zeros(len(torques))
    for k in range(torques.shape[1]):
        seen, *_ = env.step(torques[:, k, None])
        cos_a, sin_a, cos_b, sin_b = seen[:, :4].T
        tip = -cos_a - (cos_a * cos_b - sin_a * sin_b)
        slow = 0.01 * np.sum(seen[:, 4:] ** 2, axis=1)
        best = np.maximum(best, (tip + 2) / 4 - slow)
    return best


def over_time(knots):
    """Torques of all actions, straight between the knots."""
    at, places = np.linspace(0, 1, ACTIONS), np.linspace(0, 1, knots.shape[1])
    return np.array([np.interp(at, places, row) for row in knots])


if __name__ == "__main__":
    dl.rl.register()
    env = gymnasium.make_vec("dalembert/DoublePendulum-v0", num_envs=WORLDS)
    generator = np.random.default_rng(1)
    mean, spread, history = np.zeros(KNOTS), np.full(KNOTS, 6.0), []
    for _ in range(ROUNDS):
        knots = np.clip(mean + spread * generator.standard_normal((WORLDS, KNOTS)), -10, 10)
        reached = worth(env, over_time(knots))
        best = knots[np.argsort(-reached)[:BEST]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.1
        history.append(reached.max())
        if history[-1] > 0.96:
            break
    print("best by round:", " ".join(f"{x:.2f}" for x in history))

    # 1 is upright and at rest
    held = worth(env, np.tile(np.linspace(-10, 10, WORLDS)[:, None], (1, ACTIONS)))
    print(f"with a torque that does not change: {held.max():.2f}")
    assert history[-1] > 0.96
    assert held.max() < 0.6
