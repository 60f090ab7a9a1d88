"""Environments: thousand actions a second, beside Gymnasium's own of MuJoCo on equal work.

    python benchmarks/environments.py [--only single,double] [--worlds 64,1024] [--repeats 3]

The scenes are Gymnasium's files of InvertedPendulum-v5 and InvertedDoublePendulum-v5, with the
limits of their rails, in both: steps (RK4), frame skip, observations, rewards, endings and starts
are theirs. Peers are one environment in a loop, and `SyncVectorEnv` of all worlds, which is
what `gymnasium.make_vec` makes. Actions are drawn beforehand; worlds that end begin anew. Time is
that of the process (CPU), the least of the repeats; ours in one thread, then in two with wall time.
Accuracy beside it: the largest difference of observations and of rewards over the first 20 actions
from the same states. Gymnasium with its MuJoCo environments is needed where this is run.
"""

from __future__ import annotations

import argparse
import math
import os
import time
import warnings
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gymnasium
import numpy as np

import dalembert as dl

ASSETS = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"


def single(model):
    """What InvertedPendulum-v5 does."""
    x, angle = (model.joints[name] for name in ("slider", "hinge"))
    x, angle = x.displacement, angle.angle
    small = (-0.01, 0.01)
    return {
        "step": 0.02,
        "every": 2,
        "actions": {"ctrl_slide": (-3, 3)},
        "observations": [x, angle, x.dot, angle.dot],
        "reward": dl.where(abs(angle) > 0.2, 0.0, 1.0),
        "terminate": abs(angle) > 0.2,
        "reset": {x: small, angle: small, x.dot: small, angle.dot: small},
    }


def double(model):
    """What InvertedDoublePendulum-v5 does."""
    x, a, b = (model.joints[name] for name in ("slider", "hinge", "hinge2"))
    x, a, b = x.displacement, a.angle, b.angle
    tip_x, tip_z = 0.6 * (np.sin(a) + np.sin(a + b)) + x, 0.6 * (np.cos(a) + np.cos(a + b))
    far = 0.01 * tip_x**2 + (tip_z - 2) ** 2
    fast = 1e-3 * a.dot**2 + 5e-3 * b.dot**2
    rates = [dl.minimum(dl.maximum(rate, -10), 10) for rate in (x.dot, a.dot, b.dot)]

    def draw(generator, count):
        """Places drawn evenly, speeds from a normal distribution, as theirs are."""
        places = generator.uniform(-0.1, 0.1, (3, count))
        speeds = 0.1 * generator.standard_normal((3, count))
        return dict(zip((x, a, b, x.dot, a.dot, b.dot), [*places, *speeds], strict=True))

    return {
        "step": 0.01,
        "every": 5,
        "actions": {"ctrl_slide": (-1, 1)},
        "observations": [x, np.sin(a), np.sin(b), np.cos(a), np.cos(b), *rates, 0 * x],
        "reward": dl.where(tip_z > 1, 10.0, 0.0) - far - fast,
        "terminate": tip_z <= 1,
        "reset": draw,
    }


SCENES = {
    "single": ("InvertedPendulum-v5", "inverted_pendulum.xml", single),
    "double": ("InvertedDoublePendulum-v5", "inverted_double_pendulum.xml", double),
}


def timed(call, repeats):
    """Least processor time and wall time of a call, the first one left out."""
    call()
    least = (math.inf, math.inf)
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        call()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        least = min(least[0], cpu), min(least[1], wall)
    return least


def rate_of_vector(env, seconds, repeats):
    """Actions a second of CPU and of wall time of a vector environment."""
    n, space = env.num_envs, env.single_action_space
    generator = np.random.default_rng(1)
    draw = generator.uniform(space.low, space.high, (16, n, *space.shape)).astype(np.float32)
    env.reset(seed=1)
    began = time.perf_counter()
    for actions in draw:
        env.step(actions)
    count = max(16, int(16 * seconds / (time.perf_counter() - began)))

    def call():
        for k in range(count):
            env.step(draw[k % 16])

    cpu, wall = timed(call, repeats)
    return n * count / cpu, n * count / wall


def rate_of_one(env, seconds, repeats):
    """Actions a second of CPU time of one environment in a loop."""
    space = env.action_space
    generator = np.random.default_rng(1)
    draw = generator.uniform(space.low, space.high, (256, *space.shape)).astype(np.float32)
    count = int(8000 * seconds)

    def call():
        env.reset(seed=1)
        for k in range(count):
            step = env.step(draw[k % 256])
            if step[2] or step[3]:
                env.reset()

    return count / timed(call, repeats)[0]


def difference(ours, theirs):
    """Largest difference of observations and rewards over 20 actions from the same states."""
    worst, base = np.zeros(2), theirs.unwrapped
    for seed in range(5):
        theirs.reset(seed=seed)
        initial = base.data.qpos.copy()[None], base.data.qvel.copy()[None]
        ours.reset(options={"initial": initial})
        generator = np.random.default_rng(seed)
        for _ in range(20):
            action = 0.05 * generator.uniform(-1, 1, 1).astype(np.float32)
            seen, reward, over, *_ = ours.step(action)
            other, worth, ended, *_ = theirs.step(action)
            worst = np.maximum(worst, [np.abs(seen - other).max(), abs(reward - worth)])
            assert over == ended
            if over:
                break
    return worst


def measure(name, sizes, repeats):
    """Print the rows of a scene."""
    id_, file, task = SCENES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # custom data of the file are not kept
        model = dl.load_mjcf(ASSETS / file)
    settings = task(model)
    one = gymnasium.make(id_)
    off = difference(dl.rl.environment(model, **settings), one)
    print(f"{id_}: observations differ by {off[0]:.1e}, rewards by {off[1]:.1e}")
    loop = rate_of_one(one, 1.0, repeats)
    print(f"  one of Gymnasium's in a loop     {loop / 1e3:9.1f} thousand actions/s of CPU")
    for worlds in sizes:
        env = dl.rl.vector_environment(model, worlds=worlds, threads=1, **settings)
        ours, _ = rate_of_vector(env, 1.0, repeats)
        pair = dl.rl.vector_environment(model, worlds=worlds, threads=2, **settings)
        _, wall = rate_of_vector(pair, 1.0, repeats)
        sync = gymnasium.make_vec(id_, num_envs=worlds, vectorization_mode="sync")
        theirs, _ = rate_of_vector(sync, 1.0, repeats)
        sync.close()
        print(
            f"  {worlds:5d} worlds: ours {ours / 1e3:9.1f}, SyncVectorEnv {theirs / 1e3:7.1f}:"
            f" {ours / theirs:6.1f} times; two threads {wall / 1e3:9.1f} by the clock"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default=",".join(SCENES))
    parser.add_argument("--worlds", default="16,64,1024,4096")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    print(
        f"gymnasium {gymnasium.__version__}, {os.cpu_count()} processors, {os.getloadavg()[0]} load"
    )
    for name in given.only.split(","):
        measure(name, map(int, given.worlds.split(",")), given.repeats)
