"""A quadruped on its four feet follows a height with its trunk: standing still, and by geometry.

Twelve servos are told angles fifty times a second. Thigh and shank are equally long: a hip that
turns by d and a knee that turns by -2 d keep the foot below the hip, and put the hip at the height
2 l cos(bend + d).

Needs the extra rl:  pip install 'dalembert[rl]'
"""

import gymnasium
import numpy as np

import dalembert as dl

BEND, REACH = 0.75, 0.42  # of the thigh as it stands [rad], thigh and shank together [m]
WORLDS, ACTIONS = 8, 150


def stand(t):
    return np.zeros(12)


def squat(t):
    """Angles for the height that the reward asks for, a servo's lag ahead."""
    height = REACH * np.cos(BEND) - 0.04 * (1 - np.cos(4.0 * (t + 0.03))) / 2
    d = np.arccos(height / REACH) - BEND
    return np.tile([0.0, d, -2 * d], 4)


def play(env, policy):
    """Mean reward of an action in each world."""
    env.reset(seed=1)
    total = np.zeros(WORLDS)
    for k in range(ACTIONS):
        _, reward, terminated, _, info = env.step(np.tile(policy(0.02 * k), (WORLDS, 1)))
        assert not terminated.any(), info
        total += reward
    return total / ACTIONS


if __name__ == "__main__":
    dl.rl.register()
    env = gymnasium.make_vec("dalembert/Quadruped-v0", num_envs=WORLDS)
    standing, squatting = play(env, stand), play(env, squat)
    print(f"mean reward, standing {standing.mean():.3f}, squatting {squatting.mean():.3f}")
    assert standing.max() < 0.8
    assert squatting.min() > 0.98
