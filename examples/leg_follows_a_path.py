"""A leg with two closed loops learns where its toe goes, and follows a path with it.

Hip pitch and knee are told angles; between them and the toe stand a spring, two rods and a crank.
How the toe follows is learned by trial: commands are drawn, held until the leg rests, and a
polynomial is fitted to where the toe came to be. Newton's method on it gives the commands for a
path, with the servos' lag looked ahead.

Needs the extra rl:  pip install 'dalembert[rl]'
"""

import gymnasium
import numpy as np

import dalembert as dl

TRIALS, REST = 24, 40  # worlds, actions of 0.01 s
PITCH, KNEE, X, Z = 2, 3, 10, 11  # columns of actions and of observations
LAG = 0.05  # of the servos [s]


def features(c):
    """1, and the powers and products of pitch and knee up to the second degree."""
    p, k = np.moveaxis(np.asarray(c), -1, 0)
    return np.stack([np.ones_like(p), p, k, p * p, p * k, k * k], axis=-1)


def tried(env, generator):
    """Commands of pitch and knee, and where the toe rested."""
    commands = generator.uniform((-0.2, -0.2), (0.4, 0.5), (TRIALS, 2))
    actions = np.zeros((TRIALS, 5))
    actions[:, [PITCH, KNEE]] = commands
    env.reset(seed=1)
    for _ in range(REST):
        seen, *_ = env.step(actions)
    return commands, seen[:, [X, Z]]


def wanted(t):
    """The path that the reward asks for."""
    w = 2 * np.pi
    return np.array([0.12 + 0.06 * np.sin(w * t), 0.12 + 0.02 * (1 - np.cos(w * t))])


def solved(fit, place):
    """Commands that bring the toe to a place, by Newton's method."""
    c = np.array([0.1, 0.1])
    for _ in range(20):
        p, k = c
        slope = np.array([[0, 1, 0, 2 * p, k, 0], [0, 0, 1, 0, p, 2 * k]]) @ fit
        c = c - np.linalg.solve(slope.T, features(c) @ fit - place)
    return c


if __name__ == "__main__":
    dl.rl.register()
    many = gymnasium.make_vec("dalembert/Leg-v0", num_envs=TRIALS)
    commands, places = tried(many, np.random.default_rng(1))
    fit, *_ = np.linalg.lstsq(features(commands), places, rcond=None)
    error = np.abs(features(commands) @ fit - places).max()
    print(f"toe by the polynomial: within {1e3 * error:.1f} mm of {TRIALS} trials")

    env = gymnasium.make("dalembert/Leg-v0")
    env.reset(seed=2)
    rewards = []
    for k in range(200):
        action = np.zeros(5, dtype=np.float32)
        action[[PITCH, KNEE]] = solved(fit, wanted(0.01 * k + LAG))
        _, reward, *_ = env.step(action)
        rewards.append(reward)
    print(f"mean reward of the second turn: {np.mean(rewards[100:]):.3f}")
    assert error < 5e-3
    assert np.mean(rewards[100:]) > 0.9
