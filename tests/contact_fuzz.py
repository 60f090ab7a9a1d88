"""Run random scenes step by step and judge every step by what is computed here.

    python -m tests.contact_fuzz --count 10000            all of them, in child processes
    python -m tests.contact_fuzz --seed 4711              one of them, told at length

Judged are, after every step: numbers are finite; the reported residual is that of the laws, found
again from dense matrices (`tests.support.contact_oracle`); the velocities are those of the
impulses; impulses that keep the laws take energy and give none; what does not bounce, is not driven
and holds no springs does not gain energy; bodies are pushed equally and oppositely, no contact does
work, and penetration is what is told and does not grow (`tests.support.fuzz_laws`). No error but
those of `dalembert.errors`, no warning of NumPy, and every step ends.
"""

from __future__ import annotations

import sys
import time
import traceback
import warnings
from dataclasses import dataclass, field
from importlib import import_module

import numpy as np
from tests.support import contact_oracle as oracle
from tests.support import fuzz_driver
from tests.support import fuzz_laws as laws
from tests.support.random_scenes import random_scene

import dalembert as dl
from dalembert.contact.given.recorded import next_step
from dalembert.contact.run.record_layout import PRESSED
from dalembert.errors import DalembertError, DoubtfulWarning
from dalembert.integration import loop
from dalembert.simulation.motion.turns import Turns
from dalembert.simulation.results.energies import energies as energies_of
from dalembert.simulation.run.diagnosis import diagnosed
from dalembert.simulation.status import Status
from dalembert.system.borders import NEEDS_GENERAL, NEEDS_ROOM, OK

KINDS = {
    "EQ": oracle.EQ,
    "UNI": oracle.UNI,
    "BOX": oracle.BOX,
    "CONE": oracle.CONE,
    "ROLL": oracle.ROLL,
}


@dataclass
class Verdict:
    """What became of a scene."""

    seed: int
    ended: str = "done"
    """done, refused (not even begun) or stopped, with the name of the error."""
    complaints: list[str] = field(default_factory=list)
    steps: int = 0
    stalled: int = 0
    contacts: int = 0
    residual: float = 0.0
    seconds: float = 0.0
    slowest: float = 0.0


def run_of(scene):
    """Setup and run of a scene as `simulate` makes them, before its first step."""
    module = import_module("dalembert.simulation.simulate")
    kept, module.conclude = module.conclude, lambda setup, run, *rest, **named: (setup, run)
    try:
        return dl.simulate(
            scene.model,
            until=scene.steps * scene.step,
            step=scene.step,
            method=scene.method,
            formulation=scene.formulation,
            initial_limit=10.0,
            progress=False,
        )
    finally:
        module.conclude = kept


def dense(problem):
    """A problem of the package as one of the oracle."""
    blocks = []
    for b in problem.blocks:
        rows = b.J_a, b.J_b, b.bias, b.R
        bounds = {"lo": b.lower, "hi": b.upper, "length": b.length}
        blocks.append(oracle.Block(KINDS[b.kind], b.a, b.b, *rows, tuple(b.mu), **bounds))
    free = [c.v_free for c in problem.cliques]
    return oracle.Problem([c.A for c in problem.cliques], np.concatenate(free), blocks)


def judge_problem(solved, passive, complain):
    """Residual and momentum of a solved step, and the energy that its impulses bring."""
    problem, v, lam = dense(solved.problem), solved.v, solved.lam
    if not (np.isfinite(v).all() and np.isfinite(lam).all()):
        complain("v or lam of the problem is not finite")
        return
    J = problem.jacobian()
    size = np.abs(J) @ (np.abs(v) + np.abs(problem.v_free)) + np.abs(problem.stacked("bias"))
    size += problem.stacked("R") * np.abs(lam)
    w = problem.weights()
    floor = 1e-12 * np.max(size + w * np.abs(lam), initial=0.0)
    if not solved.repeated:
        found = oracle.residual(problem, v, lam)
        told = solved.info.residual
        if not abs(found - told) <= 1e-6 * max(found, told) + floor:
            complain(f"residual {told:.3g} is told, {found:.3g} found")
    judge_momentum(problem, solved, complain)
    if passive and not solved.repeated:
        # T(v+) - T(v*) = lam . J (v+ + v*) / 2; with `order=2` rows have the bias of curved ways
        gain = 0.5 * lam @ (J @ (v + problem.v_free))
        slack = np.abs(lam) @ (solved.info.residual + 1e-10 * size + 0.0 * w)
        slack += 1e-14 * float(problem.v_free @ problem.mass() @ problem.v_free)
        if gain > 4.0 * slack:
            complain(f"impulses bring {gain:.3g} J, {slack:.3g} J by the residual")


def judge_momentum(problem, solved, complain):
    """A (v - v*) = J^T lam to rounding, or to what is reported."""
    J, M, v, lam = problem.jacobian(), problem.mass(), solved.v, solved.lam
    # in units in which every velocity has the mass one
    unit = np.sqrt(np.diag(M))
    off = np.abs(M @ (v - problem.v_free) - J.T @ lam) / unit
    push = (np.abs(J.T) @ np.abs(lam) + np.abs(M) @ (np.abs(v) + np.abs(problem.v_free))) / unit
    told = 1.001 * solved.info.r_momentum * unit
    allowed = 1e-9 * push + 1e-13 * push.max(initial=0.0)
    for first, last in zip(problem.first[:-1], problem.first[1:], strict=True):
        here = slice(first, last)
        wrong = off[here] > np.maximum(allowed[here].max(initial=0.0), told[here])
        if wrong.any():
            k = first + int(np.argmax(np.where(wrong, off[here], 0.0)))
            complain(f"momentum is off by {off[k] / unit[k]:.3g} of {push[k] / unit[k]:.3g} m/s")


def energies(setup, run):
    """Kinetic and potential energy now."""
    q, v = run.states(run.q[None], run.v[None])
    t = np.array([run.clock.t])
    turned = Turns.of(setup.model, t, q, v, run.angles_now[None])
    with np.errstate(all="ignore"):
        T, V = energies_of(setup.model, t, q, v, turned)
    return float(T[0]), 0.0 if V is None else float(V[0])


def take_step(run):
    """One step; its status.

    A chunk may end before it, for room in the logs or to remember a state: those are not steps.
    """
    done = run.clock.done
    while True:
        status = run.chunk(1)
        if status in (NEEDS_GENERAL, NEEDS_ROOM):
            run.provide(status)
        elif status != loop.MORE or run.clock.done > done:
            return status
        else:
            run.make_room()


def judge(scene):
    """Run a scene and say what is wrong with it."""
    verdict = Verdict(scene.seed)
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DoubtfulWarning)
        try:
            setup, run = run_of(scene)
            judge_run(scene, setup, run, verdict)
        except DalembertError as problem:
            verdict.ended = f"refused {type(problem).__name__}: {problem}"
        except Exception as problem:
            last = traceback.extract_tb(problem.__traceback__)[-1]
            where = f"{last.filename.rsplit('/', 1)[-1]}:{last.lineno}"
            verdict.ended = "broken"
            verdict.complaints.append(f"{type(problem).__name__} in {where}: {problem}")
    verdict.seconds = time.perf_counter() - began
    return verdict


def order_of(contacts):
    """Order of the next step, which may depend on what pushed in the last."""
    if contacts.order_by_step:
        return 1 if contacts.near == PRESSED else 2
    return 1 + contacts.second_order


def judge_smooth(solved, complain):
    """After a smooth step: one with impulses would have had none of stops and contacts."""
    if solved is None:
        return
    row = 0
    for block in solved.problem.blocks:
        pushed = float(np.abs(solved.lam[row : row + block.dim]).max())
        row += block.dim
        if block.kind != "EQ" and pushed > 0.0:
            complain(f"a step without impulses, where a {block.kind} row has {pushed:.3g} N s")


def judge_run(scene, setup, run, verdict):
    """All steps of a run."""

    def complain(what):
        verdict.complaints.append(f"step {verdict.steps}: {what}")

    exact = scene.method.contact_solver().law == "cone"
    passive = not (scene.driven or scene.bouncing or scene.soft)
    begin = energies(setup, run)
    lost = turned = 0.0
    orders = set()
    watch = laws.Watch()
    alone = run._on_tree is None and setup.model.is_maximal and not scene.model.joints
    watched = alone and not run.state.sides
    for _ in range(scene.steps):
        t, h = float(run.clock.t), float(loop.next_step(run.clock_numbers, run.clock_counts))
        # None where room is missing: the step itself will ask for it
        _, solved = next_step(run.work, run.sizes, t, h, run.q, run.v)
        order = order_of(laws.contact_part(run))
        orders.add(order)
        free = watched and order == 1
        q, v = run.states(run.q[None], run.v[None])
        poses, speeds = q.reshape(-1, 7).copy(), v.reshape(-1, 6).copy()
        turned = max(turned, h * float(np.abs(speeds[:, 3:]).max(initial=0.0)))
        if solved is not None and solved.problem.cliques:
            first = laws.first_contact(run)
            if run._on_tree is None:
                laws.judge_reaction(solved, first, order, poses, complain)
            if passive and exact and order == 1 and not solved.repeated:
                laws.judge_work(dense(solved.problem), solved, first, complain)
            judge_problem(solved, passive and exact and order == 1, complain)
        drives, at = [], run.q.copy()
        if run._on_tree is not None and order == 1 and solved is not None:
            drives = laws.drives_now(run, t)
        before = time.perf_counter()
        status = take_step(run)
        verdict.slowest = max(verdict.slowest, time.perf_counter() - before)
        if status not in (OK, loop.MORE):
            name = diagnosed(run, Status(status)).name
            verdict.ended = f"stopped {name}"
            if name in ("RANK_DEFICIENT", "NOT_POSITIVE_DEFINITE"):
                complain(f"stopped by {name}")
            return
        verdict.steps += 1
        if not (np.isfinite(run.q).all() and np.isfinite(run.v).all()):
            complain("the state is not finite")
            return
        contacts = laws.contact_part(run)
        residual = float(contacts.solve_report.residual)
        if contacts.step_report.was_smooth:
            judge_smooth(solved, complain)
            continue
        if solved is not None and not residual == solved.info.residual:
            complain(f"the step tells {residual:.3g}, its problem {solved.info.residual:.3g}")
        if drives and not solved.repeated:
            laws.judge_drives(run, h, at, drives, complain)
        laws.judge_looks(run, watch, free, complain)
        if not scene.method.sleeping:
            simple = free and solved is not None and not solved.repeated
            laws.judge_penetration(run, h, poses, speeds, simple, watch, complain)
        if passive and exact and contacts.flagged_now:
            complain("the step itself says that its contacts have done work")
        verdict.stalled = contacts.stalled_steps
        verdict.contacts = max(verdict.contacts, contacts.contacts)
        verdict.residual = max(verdict.residual, residual)
        if solved is not None:
            lost += residual * float(np.abs(solved.lam).sum())
    if passive and exact and (orders == {1} or turned <= 1.0):
        # second order follows turns: one of a radian a step is none that it could follow
        judge_energy(scene, setup, run, begin, lost, complain)


def judge_energy(scene, setup, run, begin, lost, complain):
    """Energy at the end of a run against that at its start."""
    T, V = energies(setup, run)
    g = 9.81 * scene.steps * scene.step
    masses = [float(b.inertia.mass) for b in scene.model.bodies.values()]
    # contacts are pushed apart at 1 m/s, and what is on a lever goes further
    lifted = 10.0 * sum(masses) * len(masses) * g
    limit = begin[0] + begin[1] + lifted + 10.0 * lost
    if run._on_tree is not None:
        # forces of inertia are explicit where they change velocities by less than a fifth a step
        limit += begin[0] * (1.05**scene.steps - 1.0)
    if T + V > limit + 1e-6 * (abs(begin[0]) + abs(V) + abs(begin[1])):
        complain(
            f"energy {begin[0]:.3g} + {begin[1]:.3g} J has become {T:.3g} + {V:.3g} J, "
            f"{lifted:.3g} J by lifting"
        )


# -- many ------------------------------------------------------------------------------------------


def judge_seed(seed):
    """The scene of a seed, judged; one that is refused as it is described is told as such."""
    try:
        return judge(random_scene(seed))
    except DalembertError as problem:
        return Verdict(seed, f"refused {type(problem).__name__}: {problem}")


def many(first, count):
    """All scenes, through children that may die."""
    return fuzz_driver.many("tests.contact_fuzz", Verdict, first, count)


if __name__ == "__main__":
    sys.exit(fuzz_driver.main("tests.contact_fuzz", Verdict, judge_seed, random_scene))
