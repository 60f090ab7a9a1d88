"""Random mechanisms with every kind of joint, relation and force, judged by laws alone.

    python -m tests.element_fuzz --count 1000          all of them, in child processes
    python -m tests.element_fuzz --seed 4711           one of them, told at length

Judged are: Newton's and Euler's laws of every body with the reactions that are told and the forces
of `tests.support.element_laws`; agreement of maximal and generalized coordinates, of formulas
(roll, pitch, yaw), of default options, of sessions, of many worlds; a world that is turned and
shifted as a whole; what sensors read; the balance of energy and work.
"""

from __future__ import annotations

import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from tests.support import fuzz_driver
from tests.support import mechanism_oracle as oracle
from tests.support.element_laws import Snapshot, applied, followed_angles
from tests.support.element_plan import View
from tests.support.random_elements import random_elements
from tests.support.random_mechanisms import any_rotation

import dalembert as dl
from dalembert.errors import (
    DalembertError,
    DoubtfulWarning,
    ModelError,
    NonFiniteError,
    StepSizeError,
)

STEPS = 64
FLOOR = 1e-9
FINE_ENOUGH = 1e-4
FINEST = 32 * STEPS
FAST = 1e-6
"""Of runs with error control (rtol 1e-11 a step), over thousands of steps."""
LAW = 1e-9
"""Of Newton's and Euler's laws, relative to their terms."""


@dataclass
class Verdict:
    """What became of a mechanism."""

    seed: int
    ended: str = "done"
    complaints: list[str] = field(default_factory=list)
    runs: int = 0
    error: float = 0.0
    apart: float = 0.0
    law: float = 0.0
    seconds: float = 0.0


class Motion:
    """Centres, rotations and velocities of all bodies."""

    def __init__(self, plan, solution, view=None):
        self.plan, self.solution = plan, solution
        c, R, v = oracle.states(plan, solution.q, solution.v)
        if view is not None:
            c = (c - view.p) @ view.R
            R = np.einsum("ji,kbjl->kbil", view.R, R)
            v = np.concatenate([v[..., :3] @ view.R, v[..., 3:] @ view.R], axis=-1)
        self.c, self.R, self.v = c, R, v
        k = len(c)
        self.series = np.hstack([c.reshape(k, -1), R.reshape(k, -1), v.reshape(k, -1)])
        self.size = max(1.0, float(np.abs(self.series).max()))

    def off(self, series):
        """Greatest difference at the moments of a series."""
        k = (len(self.series) - 1) // (len(series) - 1)
        return float(np.abs(self.series[::k] - series).max()) / self.size

    def end(self, other):
        """Difference at the end."""
        return float(np.abs(self.series[-1] - other.series[-1]).max()) / self.size


class Judge:
    """Runs of one plan."""

    def __init__(self, plan):
        self.plan, self.verdict = plan, Verdict(plan.seed)
        self.model = plan.model()

    def complain(self, what):
        self.verdict.complaints.append(what)

    def run(self, steps=None, model=None, view=None, **options):
        """A motion, with so many steps."""
        if steps is not None:
            options["step"] = self.plan.period / steps
        self.verdict.runs += 1
        found = dl.simulate(model or self.model, until=self.plan.period, progress=False, **options)
        return Motion(self.plan, found, view)

    def pair(self, steps, **options):
        """The finer of two motions and their difference."""
        coarse, fine = self.run(steps, **options), self.run(2 * steps, **options)
        return fine, fine.off(coarse.series)


def judge(seed):
    """Run a mechanism in every way and say what is wrong with it."""
    began = time.perf_counter()
    case = Judge(random_elements(seed))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DoubtfulWarning)
        try:
            judge_motion(case)
        except DalembertError as problem:
            case.verdict.ended = f"refused {type(problem).__name__}: {problem}"
            case.complain(f"{type(problem).__name__}: {str(problem)[:300]}")
        except Exception as problem:
            last = traceback.extract_tb(problem.__traceback__)[-1]
            where = f"{last.filename.rsplit('/', 1)[-1]}:{last.lineno}"
            case.verdict.ended = "broken"
            case.complain(f"{type(problem).__name__} in {where}: {problem}")
    case.verdict.seconds = time.perf_counter() - began
    return case.verdict


def judge_motion(case):
    """Both coordinates first, with steps that are fine enough for both, then further ways."""
    steps = STEPS
    while True:
        try:
            fine, error = case.pair(steps, formulation="maximal")
            other, own = case.pair(steps, formulation="generalized")
            if max(error, own) <= FINE_ENOUGH or steps >= FINEST:
                break
        except StepSizeError:  # it asks for a finer one, by name
            if steps >= FINEST:
                raise
        steps *= 2
    bar = error + own + FLOOR
    apart = fine.off(other.series)
    case.verdict.error, case.verdict.apart = error, apart
    if max(error, own) > FINE_ENOUGH:
        judge_fast(case)
        return
    if apart > bar:
        case.complain(f"maximal and generalized differ by {apart:.2g}, {bar:.2g} by their steps")
    for name, motion in (("maximal", fine), ("generalized", other)):
        judge_laws(case, name, motion)
        judge_verdict(case, name, motion, error)
    judge_reactions(case, fine, other, bar)
    judge_ways(case, fine, other, steps, bar)


def judge_fast(case):
    """What turns too fast for fixed steps: error control in both coordinates agrees."""
    times = np.linspace(0.0, case.plan.period, 2 * STEPS + 1)
    both = [case.run(formulation=name, times=times) for name in ("maximal", "generalized")]
    case.verdict.apart = both[0].off(both[1].series)
    if case.verdict.apart > FAST:
        case.complain(f"error control in both coordinates differs by {case.verdict.apart:.2g}")
    for name, motion in zip(("maximal", "generalized"), both, strict=True):
        judge_laws(case, name, motion)
        judge_verdict(case, name, motion, 0.0)


def held_bodies(case):
    """{joint or constraint: names of the bodies it acts on}."""
    held = {
        name: {f.body.name for f in joint.frames} - {"world"}
        for name, joint in case.model.joints.items()
    }
    edges = {f"closure{i}": x for i, x in enumerate(case.plan.closures) if x.kind == "knife"}
    return held | {name: {f"body{x.b}"} for name, x in edges.items()}


def judge_laws(case, name, motion):
    """m a and I w' + w x I w of every body against forces and reactions."""
    plan, found = case.plan, motion.solution
    seen = range(0, len(motion.c), (len(motion.c) - 1) // (2 * STEPS))
    angles = followed_angles(plan, motion, seen)
    samples = (seen[0], seen[STEPS], seen[-1])
    n = len(plan.links)
    total = {i: np.zeros((n, 6)) for i in samples}
    sizes = {i: np.zeros((n, 6)) for i in samples}
    for what, bodies in held_bodies(case).items():
        for body in bodies:
            reaction = found.reaction(what, on=body, about=case.model.bodies[body])
            k = int(body[4:])
            for i in samples:
                load = np.concatenate([reaction.force[i], reaction.torque[i]])
                total[i][k] += load
                sizes[i][k] += np.abs(load)
    for i in samples:
        c, R, v, a = motion.c[i], motion.R[i], motion.v[i], found.a[i].reshape(-1, 6)
        turns = {k: x[seen.index(i)] for k, x in angles.items()}
        forces = applied(plan, Snapshot(plan, found.t[i], c, R, v, turns))
        for k, link in enumerate(plan.links):
            moments = R[k] @ link.moments @ R[k].T
            w = v[k, 3:]
            inertia = np.concatenate(
                [link.mass * a[k, :3], moments @ a[k, 3:] + np.cross(w, moments @ w)]
            )
            off = inertia - forces[k] - total[i][k]
            size = 1.0 + np.abs(inertia).max() + np.abs(forces[k]).max() + sizes[i][k].max()
            worst = float(np.abs(off).max() / size)
            case.verdict.law = max(case.verdict.law, worst)
            if worst > LAW:
                case.complain(f"{name}: Newton's laws of body{k} off by {worst:.2g}, sample {i}")
                return


def judge_verdict(case, name, motion, error):
    """A motion that has converged is called good, unless nothing can move."""
    verdict = motion.solution.verdict
    if not verdict.is_good and error < 1e-6 and "0 degrees of freedom" not in str(verdict):
        case.complain(f"{name}: verdict {verdict}")


def judge_reactions(case, fine, other, bar):
    """Reactions of both coordinates where they are unique."""
    for name in case.model.joints:
        one, two = (x.solution.reaction(name) for x in (fine, other))
        if one.unique is False or two.unique is False:
            continue
        scale = 1.0 + np.abs(one.force).max() + np.abs(one.torque).max()
        off = (
            max(np.abs(one.force - two.force).max(), np.abs(one.torque - two.torque).max()) / scale
        )
        if off > 1e4 * bar + 1e-7:
            case.complain(f"reaction of {name}: {off:.2g} apart, {bar:.2g} the motion")


def judge_ways(case, fine, other, steps, bar):
    plan, seed = case.plan, case.plan.seed
    chance = np.random.default_rng([7, seed])
    free = case.run()
    if fine.end(free) > bar + 1e-7:
        case.complain(f"default options differ by {fine.end(free):.2g}, {bar + 1e-7:.2g} allowed")
    view = View(chance.normal(size=3), any_rotation(chance))
    turned = plan.model(view)
    # between the constraints rows that repeat others say so only to the error of a step
    repeated = 0.0 if fine.solution.statistics["unique_multipliers"] else 0.1 * bar
    for formulation, known in (("maximal", fine), ("generalized", other)):
        seen = case.run(2 * steps, model=turned, view=view, formulation=formulation)
        if known.off(seen.series) > FLOOR + repeated:
            case.complain(f"turned world, {formulation}: differs by {known.off(seen.series):.2g}")
    if seed % 5 == 0:
        judge_formulas(case, fine, steps, bar)
    if seed % 2 == 0:
        judge_worlds(case, steps, bar)
    if seed % 3 == 0:
        judge_session(case, steps)
    if seed % 4 == 0:
        judge_sensors(case, steps)
    if seed % 4 == 1:
        judge_files(case, fine)


def judge_worlds(case, steps, bar):
    """Many worlds, one of them as a run of the same steps in the coordinates of joints.

    Beside a singular position steps that are coarse make more of rounding.
    """
    plan, step = case.plan, case.plan.period / steps
    single = case.run(steps, formulation="generalized")
    names = [f"body{k}.{x}" for k in range(len(plan.links)) for x in "xyz"]
    many = dl.rollout(case.model, step=step, steps=steps, worlds=3, record=names)
    known = np.column_stack([single.solution[name] for name in names])
    off = np.abs(many.data[1] - known).max() / single.size
    if off > FLOOR + 1e-3 * bar:
        case.complain(f"rollout differs by {off:.2g} ({many.engine})")


def judge_session(case, steps):
    session = dl.Session(case.model, step=case.plan.period / steps)
    session.advance(case.plan.period / 2)
    session.advance(case.plan.period / 2)
    single = case.run(steps)
    off = np.abs(session.q - single.solution.q[-1]).max() / single.size
    if off > 1e-9:
        case.complain(f"session differs by {off:.2g}")


def judge_files(case, fine):
    """The model out of a file, and the run out of another, say what they said before."""
    here, state = dl.evaluate(case.model), (fine.solution.q[-1], fine.solution.v[-1])
    there = dl.evaluate(case.model, state, t=case.plan.period)
    with tempfile.TemporaryDirectory() as folder:
        model = dl.load(dl.save_model(case.model, Path(folder) / "model.yaml"))
        again = dl.evaluate(model)
        moved = dl.evaluate(model, state, t=case.plan.period)
        for one, two in ((here, again), (there, moved)):
            off = np.abs(one.a - two.a).max() / (1 + np.abs(one.a).max())
            if off > FLOOR:
                case.complain(f"the model out of a file accelerates otherwise: {off:.2g}")
        kept = dl.load_solution(fine.solution.save(Path(folder) / "run.npz"))
    for name in case.model.joints:
        one, two = (x.reaction(name) for x in (fine.solution, kept))
        if not (np.array_equal(one.force, two.force) and np.array_equal(one.torque, two.torque)):
            off = np.abs(one.force - two.force).max()
            case.complain(f"reaction of {name} out of a file: {off:.2g} N apart")


def judge_sensors(case, steps):
    """An IMU off the centre of mass: R^T (p'' - g) and R^T w."""
    plan = case.plan
    model = plan.model()
    body = model.bodies["body0"]
    chance = np.random.default_rng([8, plan.seed])
    p, A = 0.3 * chance.normal(size=3), any_rotation(chance)
    model.add_sensor(dl.IMU(body.at(*p, rotation=A), name="imu"))
    motion = case.run(steps, model=model)
    found = motion.solution
    read = found.sensor("imu")
    gravity = np.asarray(plan.gravity)
    worst = 0.0
    for i in range(len(found.t)):
        R, v, a = motion.R[i, 0], motion.v[i, 0], found.a[i].reshape(-1, 6)[0]
        arm = R @ (p - plan.links[0].center)
        w = v[3:]
        point = a[:3] + np.cross(a[3:], arm) + np.cross(w, np.cross(w, arm))
        known = np.concatenate([(R @ A).T @ (point - gravity), (R @ A).T @ w])
        have = np.array([read[x][i] for x in ("ax", "ay", "az", "wx", "wy", "wz")])
        worst = max(worst, np.abs(have - known).max() / (1 + np.abs(known).max()))
    if worst > 1e-9:
        case.complain(f"IMU is off by {worst:.2g}")


def judge_formulas(case, fine, steps, bar):
    """Bodies described by roll, pitch and yaw."""
    try:
        model = case.plan.model(orientation="roll-pitch-yaw")
        ends = [end_by_angles(case, model, count) for count in (steps, 2 * steps)]
    except (ModelError, StepSizeError, NonFiniteError) as problem:
        finer = isinstance(problem, StepSizeError)  # it asks for a finer step, by name
        if finer or "pitch of 90 deg" in str(problem) or "counts full turns" in str(problem):
            return
        raise
    own = np.abs(ends[1] - ends[0]).max() / fine.size
    if own > FINE_ENOUGH:
        return
    known = np.concatenate([fine.c[-1].ravel(), fine.R[-1].ravel()])
    off = np.abs(ends[1] - known).max() / fine.size
    if off > own + bar:
        case.complain(f"formulas differ by {off:.2g}, {own + bar:.2g} allowed")


def end_by_angles(case, model, count):
    plan = case.plan
    found = dl.simulate(model, until=plan.period, step=plan.period / count, progress=False)
    c, R = [], []
    for body, link in zip(model.bodies.values(), plan.links, strict=True):
        p = np.array([found[x][-1] for x in body.position])
        turn = np.array([[found[x][-1] for x in row] for row in body.rotation])
        c.append(p + turn @ link.center)
        R.append(turn.ravel())
    return np.concatenate([*c, *R])


def described(seed):
    """A line about a plan."""
    plan = random_elements(seed)
    joints = ", ".join(f"{x.kind} {x.a}-{x.b}" for x in plan.joints)
    pushes = ", ".join(f"{x.kind} {x.on}" for x in plan.pushes)
    relations = ", ".join(f"{x.kind} {x.joints}" for x in plan.relations)
    closures = ", ".join(f"{x.kind} {x.a}-{x.b}" for x in plan.closures)
    return f"{seed}: {joints}; {pushes}; {relations}; {closures}"


if __name__ == "__main__":
    sys.exit(fuzz_driver.main("tests.element_fuzz", Verdict, judge, described))
