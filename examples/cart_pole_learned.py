"""A pole is balanced by what was learned: augmented random search on many worlds at once.

The policy is linear, force = w . (observation / its spread). In every round directions of w are
drawn; each is played forwards and backwards, one world each, and w moves along those that were
worth more (Mania, Guy & Recht, "Simple random search provides a competitive approach to
reinforcement learning", 2018, algorithm 2, V2-t).

Needs the extra rl:  pip install 'dalembert[rl]'
"""

import time

import gymnasium
import numpy as np

import dalembert as dl

DIRECTIONS, BEST, STEP, NOISE = 32, 8, 0.5, 0.3


def returns(env, weights, spread, seed):
    """Sum of the rewards of one episode for each row of weights, and everything that was seen."""
    observations, _ = env.reset(seed=seed)
    total, alive, seen = np.zeros(len(weights)), np.ones(len(weights), dtype=bool), []
    while alive.any():
        seen.append(observations[alive])
        force = np.einsum("ij,ij->i", weights, observations / spread)
        observations, rewards, terminated, truncated, _ = env.step(10.0 * force[:, None])
        total += rewards * alive
        alive &= ~(terminated | truncated)
    return total, np.concatenate(seen)


def learn(env, rounds, most, seed=0):
    """Weights, the spread of observations, and the mean return of each round.

    Rounds end when the directions earn nearly the most there is.
    """
    generator = np.random.default_rng(seed)
    size = env.single_observation_space.shape[0]
    w, spread, history = np.zeros(size), np.ones(size), []
    for k in range(rounds):
        directions = generator.standard_normal((DIRECTIONS, size))
        tried = np.concatenate([w + NOISE * directions, w - NOISE * directions])
        total, seen = returns(env, tried, spread, seed=1000 + k)
        plus, minus = total[:DIRECTIONS], total[DIRECTIONS:]
        top = np.argsort(-np.maximum(plus, minus))[:BEST]
        scale = np.std(np.concatenate([plus[top], minus[top]])) + 1e-9
        w = w + STEP / (BEST * scale) * (plus[top] - minus[top]) @ directions[top]
        spread = seen.std(axis=0) + 1e-9 if k == 0 else spread
        history.append(total.mean())
        if total.mean() > 0.99 * most:
            break
    return w, spread, history


if __name__ == "__main__":
    dl.rl.register()
    # so few small worlds are not worth a second thread
    settings = {"num_envs": 2 * DIRECTIONS, "truncate": 5.0, "threads": 1}
    env = gymnasium.make_vec("dalembert/CartPole-v0", **settings)
    began = time.perf_counter()
    w, spread, history = learn(env, rounds=60, most=250.0)
    spent = time.perf_counter() - began
    print("mean return by round:", " ".join(f"{x:.0f}" for x in history))

    judged = gymnasium.make_vec("dalembert/CartPole-v0", num_envs=100)
    total, _ = returns(judged, np.tile(w, (100, 1)), spread, seed=99)
    print(f"learned in {spent:.1f} s; 100 episodes of 500 actions: worst {total.min():.0f}")

    # a pole that is balanced for 10 s has 500 actions of reward 1
    assert total.min() == 500.0
    assert history[0] < 100.0
