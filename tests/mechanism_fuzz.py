"""Random mechanisms, run in every way there is and judged by laws alone.

    python -m tests.mechanism_fuzz --count 10000          all of them, in child processes
    python -m tests.mechanism_fuzz --seed 4711            one of them, told at length

Judged are (`tests.support.mechanism_oracle` computes them from the plan): d'Alembert's principle at
several moments; energy, where nothing takes any; momentum, where nothing holds the mechanism;
agreement of maximal and generalized coordinates, formulas, adaptive steps, other methods, joints
given once or twice, other units, stops that nothing touches, and any sampling, within the errors
that halving the step shows. No error but those of `dalembert.errors`, and none of these without
need.
"""

from __future__ import annotations

import math
import sys
import time
import traceback
import warnings
from dataclasses import dataclass, field, replace

import numpy as np
from tests.support import fuzz_driver
from tests.support import mechanism_oracle as oracle
from tests.support.random_mechanisms import TURNING, random_mechanism

import dalembert as dl
from dalembert.errors import DalembertError, DoubtfulWarning, NonFiniteError, StepSizeError

STEPS = 64
"""Steps of the coarse runs, over a time in which a mechanism moves by about its size."""

FLOOR = 1e-9
"""Rounding, and what a motion makes of it in that time; relative."""

PRINCIPLE = 1e-6
"""Of d'Alembert's principle, in which J' v is a difference; relative to its terms."""

FINE_ENOUGH = 1e-3
"""Change by halving the step above which both are made finer, as where a run asks for it."""

CONVERGING = 8
"""Factor by which halving the step makes the error of a fast motion less, where it goes on."""

FINEST = 16
"""Times the coarse count of steps, for each time round that the motion goes."""

EXACT = 1e-12
"""Residual in m/s that impulses are solved to where the usual one shows."""

USUAL = 1e-8
"""Residual in m/s that impulses are solved to without being asked."""

GROWTH = 100.0
"""Times that residual by which the velocity may be off at the end. Steps leave it in directions of
their own: it grows as the root of their number, 45 of 2048, or by the motion. Seen: 1.5."""

METHODS = (
    (dl.BraunGoldfarb(), 4),
    (dl.Rattle(), 2),
    (dl.AugmentedLagrangian(), 4),
    (dl.Partitioning(), 4),
    (dl.ContactImpulse(order=1), 1),
    (dl.ContactImpulse(order=2), 2),
    (dl.VelocitySplitting(), 1),
)
"""What keeps constraints for good, with its order."""


@dataclass
class Verdict:
    """What became of a mechanism."""

    seed: int
    ended: str = "done"
    complaints: list[str] = field(default_factory=list)
    runs: int = 0
    error: float = 0.0
    """Change of the motion by halving the step."""
    energy: float = 0.0
    apart: float = 0.0
    """Greatest difference of maximal and generalized coordinates."""
    seconds: float = 0.0


class Judge:
    """Runs of one plan."""

    def __init__(self, plan):
        self.plan = plan
        self.verdict = Verdict(plan.seed)
        self.model = plan.model()
        self.steps = STEPS

    def complain(self, what):
        self.verdict.complaints.append(what)

    def run(self, plan=None, steps=None, model=None, **options):
        """Motion in units of the plan: places (samples, ...) and velocities, and the solution."""
        plan = plan or self.plan
        model = model or (self.model if plan is self.plan else plan.model())
        if steps is not None:
            options["step"] = plan.period / steps
        self.verdict.runs += 1
        solution = dl.simulate(model, until=plan.period, progress=False, **options)
        return Motion(plan, solution)

    def pair(self, steps, **options):
        """The finer of two motions, one with half the other's step, and their difference."""
        coarse, fine = self.run(steps=steps, **options), self.run(steps=2 * steps, **options)
        return fine, coarse.off(fine.every(2))


class Motion:
    """Places and velocities of all bodies, divided by the plan's size and period."""

    def __init__(self, plan, solution):
        self.plan, self.solution = plan, solution
        self.t = solution.t / plan.period
        self.states = oracle.states(plan, solution.q, solution.v)
        c, R, self.v = self.states
        unit = plan.size / plan.period
        v = self.v / np.array([unit] * 3 + [1.0 / plan.period] * 3)
        count = len(c)
        places = [c.reshape(count, -1) / plan.size, R.reshape(count, -1)]
        self.series = np.hstack([*places, v.reshape(count, -1)])
        # a fast body is followed relative to its speed
        self.size = max(1.0, np.abs(self.series).max())

    @property
    def rounds(self):
        """Times round that the quickest part of the motion goes in the period, one or more.

        A velocity v that turns at a rate w has an acceleration w v: a point near the line through
        two others that are held goes round 32 times where the mechanism moves by its size once.
        """
        unit = np.array([self.plan.size] * 3 + [1.0] * 3)
        v, a = (np.abs(x.reshape(len(x), -1, 6) / unit).max() for x in (self.v, self.solution.a))
        return max(1, math.ceil(a / v * self.plan.period / math.tau)) if v > 0.0 else 1

    def every(self, k):
        """Every k-th sample."""
        return self.series[::k]

    def off(self, series):
        """Greatest difference from a series at its moments, every k-th of ours, relative."""
        k = (len(self.series) - 1) // (len(series) - 1)
        return float(np.abs(self.every(k) - series).max()) / self.size

    def end(self, series):
        """Difference at the end."""
        return float(np.abs(self.series[-1] - series[-1]).max()) / self.size


def judge(seed):
    """Run a mechanism in every way and say what is wrong with it."""
    began = time.perf_counter()
    plan = random_mechanism(seed)
    case = Judge(plan)
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
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
    """Both coordinates first, then one or the other of the further ways."""
    steps, before, finest = STEPS, math.inf, FINEST * STEPS
    while True:
        last = steps >= finest
        try:
            fine, error = case.pair(steps, formulation="maximal")
            finest = FINEST * STEPS * fine.rounds
            last = steps >= finest
            if error <= FINE_ENOUGH or (last and error > before / CONVERGING):
                break
            before = error
        except StepSizeError:  # it asks for a finer one, by name
            if last:
                raise
        steps *= 2
    while True:
        other, own = case.pair(steps, formulation="generalized")
        bar = error + own + FLOOR
        apart = fine.off(other.series)
        if apart <= bar or steps >= finest:
            break
        # beside a singular position halving a coarse step says little: they must meet further on
        steps *= 2
        fine, error = case.pair(steps, formulation="maximal")
    case.verdict.error, case.verdict.apart = error, apart
    if error > FINE_ENOUGH:
        case.complain(f"maximal does not converge: {error:.2g} with {steps} steps")
    if own > 4 * error + FINE_ENOUGH:
        case.complain(f"generalized does not converge: {own:.2g}, maximal {error:.2g}")
    if apart > bar:
        case.complain(f"maximal and generalized differ by {apart:.2g}, {bar:.2g} by their steps")
    for name, motion in (("maximal", fine), ("generalized", other)):
        judge_laws(case, name, motion, bar)
    judge_ways(case, fine, steps, bar)


def judge_laws(case, name, motion, bar):
    """d'Alembert's principle, energy and momentum along a motion."""
    plan, (c, R, v) = case.plan, motion.states
    for i in (0, len(c) // 2, len(c) - 1):
        off, held, size = oracle.acceleration_error(plan, c[i], R[i], v[i], motion.solution.a[i])
        if off > PRINCIPLE * size:
            case.complain(
                f"{name}: d'Alembert's principle is off by {off / size:.2g} at sample {i}"
            )
        if held > PRINCIPLE * size:
            case.complain(f"{name}: J a + J' v is off by {held / size:.2g} at sample {i}")
    some = range(0, len(c), max(1, len(c) // 8))
    if plan.conservative:
        E = np.array([oracle.energy(plan, c[i], R[i], v[i]) for i in some])
        unit = energy_unit(plan, motion)
        change = float(np.ptp(E)) / unit
        case.verdict.energy = max(case.verdict.energy, change)
        if change > 20 * bar:
            case.complain(f"{name}: energy changes by {change:.2g} of what moves")
    if plan.family == "floating":
        kept = [oracle.momentum(plan, c[i], R[i], v[i]) for i in some]
        p, L = (np.array([pair[k] for pair in kept]) for k in (0, 1))
        mass = sum(link.mass for link in plan.links)
        unit = mass * plan.size / plan.period * motion.size
        for what, series, one in (("linear", p, unit), ("angular", L, unit * plan.size)):
            change = float(np.abs(series - series[0]).max()) / one
            if change > 20 * bar:
                case.complain(f"{name}: {what} momentum changes by {change:.2g}")


def energy_unit(plan, motion):
    """Energy by which changes are measured: that of the motion, or of moving by its size."""
    mass = sum(link.mass for link in plan.links)
    return motion.size**2 * mass * (plan.size / plan.period) ** 2


def judge_ways(case, fine, steps, bar):
    """Further ways, by turns: each must give the motion found before."""
    plan, seed = case.plan, case.plan.seed // 5

    def same(name, motion, allowed, series=fine.series):
        off = motion.off(series)
        if off > allowed:
            case.complain(f"{name}: differs by {off:.2g}, {allowed:.2g} allowed")

    free = case.run()
    off = free.end(fine.series)
    if off > bar + 1e-7:
        case.complain(f"default options: differ by {off:.2g} at the end, {bar + 1e-7:.2g} allowed")
    if plan.repeated:
        once, twice = (case.run(plan.alone(), count) for count in (steps, 2 * steps))
        same("joints given once", twice, bar + once.off(twice.every(2)))
    if seed % 3 == 0:
        factors = (10.0 ** ((seed % 7) - 3), 10.0 ** ((seed % 11) - 5), 10.0 ** ((seed % 5) - 2))
        same(f"in units {factors}", case.run(plan.scaled(*factors), 2 * steps), bar)
    if seed % 3 == 1:
        judge_sampling(case, fine, steps, bar)
    if seed % 4 == 0:
        judge_method(case, fine, steps, bar, *METHODS[(seed // 4) % len(METHODS)])
    if seed % 4 == 1:
        stopped = plan.model()
        for body in stopped.bodies.values():
            stopped.keep(body.x >= -1e4 * plan.size * fine.size, name=f"far from {body.name}")
        same("stops that nothing touches", case.run(model=stopped, steps=2 * steps), bar)
    if seed % 20 == 2 and not any(joint.kind == "Screw" for joint in plan.joints):
        judge_formulas(case, fine, steps, bar)


def judge_sampling(case, fine, steps, bar):
    """States and angles do not depend on which of them are kept."""
    plan, period = case.plan, case.plan.period
    few = case.run(steps=2 * steps, formulation="maximal", every=2 * steps)
    if few.end(fine.series) > 0.0:
        case.complain(f"every= changes the motion by {few.end(fine.series):.2g}")
    times = period * np.array([0.0, 0.31, 0.77, 1.0])
    some = case.run(steps=2 * steps, formulation="maximal", times=times)
    if some.end(fine.series) > FLOOR:
        case.complain(f"times= changes the motion by {some.end(fine.series):.2g}")
    for i, joint in enumerate(plan.joints):
        if joint.kind in TURNING:
            angle = case.model.joints[f"joint{i}"].angle
            whole = fine.solution[angle]
            for name, other in (("every=", few), ("times=", some)):
                off = abs(other.solution[angle][-1] - whole[-1])
                if off > FLOOR * max(1.0, abs(whole[-1])):
                    case.complain(f"angle of joint{i} with {name}: {off:.3g} rad off")


def judge_method(case, fine, steps, bar, method, order):
    """Another method: its own error by halving the step, in both kinds of coordinates.

    Terms of first and second order may cancel at one step, where halving it shows little of either;
    then finer steps tell.
    """
    for formulation in ("maximal", "generalized"):
        name = f"{type(method).__name__} of order {order}, {formulation}"
        try:
            for count in (steps, 4 * steps):
                off, allowed = method_error(case, fine, count, bar, method, formulation, name)
                if off <= allowed:
                    break
            else:
                case.complain(f"{name}: differs by {off:.2g}, {allowed:.2g} allowed")
        except DalembertError as problem:
            if "formulation" in str(problem) or "Choose" in str(problem):
                continue  # a combination refused by name
            case.complain(f"{name}: {type(problem).__name__}: {str(problem)[:200]}")


def method_error(case, fine, steps, bar, method, formulation, name):
    """How far a method is off with so many steps, and how far it may be."""
    better, own = case.pair(steps, method=method, formulation=formulation)
    off = better.off(fine.series)
    if off > 3 * own + bar and isinstance(method, dl.ContactImpulse):
        # its solver leaves 1e-8 m/s, whatever the step is: what it has left tells nothing
        exact = dl.AutomaticContact(tolerance=EXACT)
        tight = replace(method, solver=exact)
        better, own = case.pair(steps, method=tight, formulation=formulation)
        shown, off = off, better.off(fine.series)
        left = 3 * own + bar + GROWTH * USUAL * case.plan.period / case.plan.size / fine.size
        if shown > left:
            case.complain(f"{name}: its tolerance explains {left:.2g}, not {shown:.2g}")
    return off, 3 * own + bar


def judge_formulas(case, fine, steps, bar):
    """The bodies described by formulas of roll, pitch and yaw.

    Near a pitch of 90 deg these move much faster than the body: a step that is too long for them is
    refused by name, and halved.
    """
    model = case.plan.model(orientation="roll-pitch-yaw")
    while True:
        try:
            found = [end_by_angles(case, model, count) for count in (steps, 2 * steps)]
            break
        except (StepSizeError, NonFiniteError) as problem:
            if "pitch of 90 deg" not in str(problem) or steps >= FINEST * STEPS:
                raise
        steps *= 2
    own = np.abs(found[1] - found[0]).max() / fine.size
    c, R, _ = fine.states
    known = [[*a / case.plan.size, *b.ravel()] for a, b in zip(c[-1], R[-1], strict=True)]
    off = np.abs(found[1] - np.concatenate(known)).max() / fine.size
    if off > own + bar:
        case.complain(f"formulas: differ by {off:.2g}, {own + bar:.2g} allowed")


def end_by_angles(case, model, count):
    """Centres and rotations at the end of so many steps with roll, pitch and yaw."""
    plan = case.plan
    case.verdict.runs += 1
    solution = dl.simulate(model, until=plan.period, step=plan.period / count, progress=False)
    ends = []
    for body, link in zip(model.bodies.values(), plan.links, strict=True):
        p = np.array([solution[x][-1] for x in body.position])
        R = np.array([[solution[x][-1] for x in row] for row in body.rotation])
        ends += [*(p + R @ link.center) / plan.size, *R.ravel()]
    return np.array(ends)


def described(seed):
    """A line about a plan."""
    plan = random_mechanism(seed)
    kinds = ", ".join(f"{x.kind} {x.a}-{x.b}" for x in plan.joints)
    return (
        f"{seed}: {plan.family}, {len(plan.links)} bodies, {oracle.freedom(plan)} freedoms, size"
        f" {plan.size:.3g} m, period {plan.period:.3g} s, joints {kinds}; {plan.repeated} repeated"
    )


if __name__ == "__main__":
    sys.exit(fuzz_driver.main("tests.mechanism_fuzz", Verdict, judge, described))
