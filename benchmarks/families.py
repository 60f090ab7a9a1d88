"""Scenes of rigid bodies that come in sizes: what is run, and how everybody's motion is judged."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import bodies
import numpy as np
from scenes import EVERY
from tables import Row

from peers import chains, linkage

STAGES = 4  # right-hand sides in a step of RK4
ENOUGH = 30.0  # repeats end when this time has passed, but there are two at least  [s]


@dataclass(frozen=True)
class Family:
    """One kind of mechanism in several sizes."""

    name: str
    title: str
    sizes: tuple[int, ...]
    step: float  # [s]
    until: float  # [s]
    model: Callable[[int], Any]  # size -> dalembert model
    measures: Callable[[int, Any], Row]  # (size, solution) -> error, energy
    headings: tuple[str, str, str]  # of size, error and energy
    peers: tuple[str, ...] = ()  # programs in peers/, with their arguments

    @property
    def steps(self) -> int:
        """Number of steps of one run."""
        return round(self.until / self.step)


def split(solution: Any) -> tuple[np.ndarray, ...]:
    """Centres (k, b, 3), quaternions (k, b, 4), velocities and rates (k, b, 3)."""
    q = solution.q.reshape(len(solution.t), -1, 7)
    v = solution.v.reshape(len(solution.t), -1, 6)
    return q[..., :3], q[..., 3:], v[..., :3], v[..., 3:]


def upward(quaternions: np.ndarray) -> np.ndarray:
    """World components of the body z axis."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    return np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=-1)


def linkage_measures(loops: int, solution: Any) -> Row:
    """Error of B0 at the end and worst energy error, as for the peers."""
    order = bodies.linkage_order(loops)
    centres, quaternions, velocities, rates = (part[:, order] for part in split(solution))
    angles = 2.0 * np.arctan2(quaternions[..., 3], quaternions[..., 0])
    found = linkage.measures(loops, centres[..., :2], angles, velocities[..., :2], rates[..., 2])
    return {"error": found["error"], "energy": found["energy"]}


def chain_measures(kind: str, count: int, solution: Any) -> Row:
    """Error of the compared point at the end and worst energy error, as for the peers."""
    centres, quaternions, velocities, rates = split(solution)
    up = upward(quaternions)
    samples = zip(centres, up, velocities, rates, strict=True)
    energies = np.array([chains.energy(*sample) for sample in samples])
    change = float(np.abs(energies - energies[0]).max())
    return {
        "error": chains.error(kind, count, centres[-1], up[-1]),
        "energy": change / chains.energy_scale(kind, count),
    }


def grid_measures(side: int, solution: Any) -> Row:
    """Energy error, relative to the weight times the side; there is no reference."""
    if not np.isfinite(solution.q).all():
        raise RuntimeError("grid: the motion is not finite")
    change = float(np.abs(solution.energy - solution.energy[0]).max())
    return {"energy": change / (side**2 * chains.GRAVITY * side)}


CHAIN_HEADINGS = ("bodies", "error at 1 s", "energy / (m g L)")

FAMILIES = (
    Family(
        name="linkage",
        title="N four-bar linkages from rigid bodies, through their singular positions; "
        "h = 1e-3 s, 10 s",
        sizes=linkage.SIZES,
        step=linkage.STEP,
        until=linkage.UNTIL,
        model=bodies.linkage_model,
        measures=linkage_measures,
        headings=("N", "error at 10 s", "energy [J]"),
        peers=("mujoco_linkage.py RK4", "exudyn_linkage.py"),
    ),
    *(
        Family(
            name=kind,
            title=f"{title} of rods with ball joints; h = 1e-3 s, 1 s",
            sizes=chains.SIZES,
            step=chains.STEP,
            until=chains.CHECK,
            model=partial(bodies.chain_model, kind),
            measures=partial(chain_measures, kind),
            headings=CHAIN_HEADINGS,
            peers=(f"mujoco_chains.py {kind}", f"exudyn_chains.py {kind}"),
        )
        for kind, title in (("chain", "Hanging chain"), ("ring", "Closed loop"))
    ),
    Family(
        name="grid",
        title="Net of 32 x 32 plates with ball joints; h = 1e-3 s, 1 s",
        sizes=(32,),
        step=1e-3,
        until=1.0,
        model=bodies.grid_model,
        measures=grid_measures,
        headings=("side", "error", "energy / (m g L)"),
    ),
)


def measure(family: Family, size: int, repeats: int) -> Row:
    """Whole `simulate` calls with the default method, least CPU time; the first call compiles."""
    import dalembert as dl

    model = family.model(size)

    def run(until: float) -> Any:
        return dl.simulate(
            model, until=until, step=family.step, integrator=dl.RK4(), every=EVERY, progress=False
        )

    solution = run(family.until)
    whole, start, steps = math.inf, math.inf, math.inf
    begin = time.perf_counter()
    for repeat in range(repeats):
        if repeat >= 2 and time.perf_counter() - begin > ENOUGH:
            break
        start = min(start, _cpu(lambda: run(family.step)))
        began = time.process_time()
        again = run(family.until)
        whole = min(whole, time.process_time() - began)
        steps = min(steps, again.statistics["cpu_time"])
    count = len(model.bodies)
    advance = (whole - start) / (family.steps - 1)
    return {
        "engine": "dalembert",
        "version": dl.__version__,
        "variant": f"{type(solution.method).__name__}, RK4",
        "size": size,
        "us_per_step": whole / family.steps * 1e6,
        "us_alone": steps / family.steps * 1e6,
        "us_per_body_rhs": advance / count / STAGES * 1e6,
        "worst_phi": float(solution.worst["phi"]),
        "worst_phi_dot": float(solution.worst["phi_dot"]),
        **family.measures(size, solution),
        "note": f"{family.steps} steps in {whole:.3g} s, start {start * 1e3:.3g} ms of it; "
        f"every {EVERY}th recorded",
    }


def _cpu(run: Callable[[], object]) -> float:
    """CPU time of the process for one call  [s]."""
    start = time.process_time()
    run()
    return time.process_time() - start
