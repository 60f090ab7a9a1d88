"""Random scenes with located events, run in several ways and judged by laws alone.

    python -m tests.event_fuzz --count 1000 --first 0     all of them, in child processes
    python -m tests.event_fuzz --seed 4711                one of them, told at length

Judged are, of a run in "auto" without a step: energy, which nothing but a belt can add; at every
sample gaps, forces of contacts and stops, one of both zero, Coulomb's cone, and its edge where
something slides; momentum of free bodies, across every impact by what the log tells of it, and
over the run by forces and gravity; moments of the log, in order. By turns: another tolerance, other
steps, so that events fall elsewhere in them, other samples, both kinds of coordinates, a run in two
parts by way of a folder, and fixed steps with impulses, each within what few events make of their
errors. No error but those of `dalembert.errors`, and none of these without need; no run without
end.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass, field

import numpy as np
from tests.support import fuzz_driver
from tests.support.random_events import random_events

import dalembert as dl
from dalembert.errors import DalembertError, DoubtfulWarning

GAIN = 1e-8
"""Energy that a run may gain, over what there is: gaps and velocities are closed to rounding."""

DEPTH = 1e-10
"""Depth of a contact, or a stop  [m]."""

JUMP = 1e-9
"""Part of the momentum by which impulses of an impact may be off."""

BALANCE = 1e-5
"""Part of the momentum by which that of a run may be off, besides the error of its quadrature."""

CONE = 1e-7
"""Part of the largest force by which laws of forces may be off."""

MOST = 10
"""Complaints of a scene that are told."""

FREE = ("drop", "slope", "tower", "belt")
"""Families of bodies that nothing but contacts and gravity moves, but where a spring is noted."""

FEW = 12
"""Entries of the log up to which two runs are to end alike: each makes errors larger."""

ALIKE = 1e-5
"""Difference of two runs of few events: impacts make of 1e-10 as much as their lever arms have."""

COARSE = 0.05
"""Difference of a run by steps from one with located events, over the sizes, that is no cause for a
complaint: a step puts an impact in its middle."""

LONG = 40.0
"""Seconds of computing for one run, after which it counts as too long."""


@dataclass
class Verdict:
    """What became of a scene."""

    seed: int
    ended: str = "done"
    complaints: list[str] = field(default_factory=list)
    runs: int = 0
    events: int = 0
    fallbacks: int = 0
    """Runs that went on with steps of impulses."""
    gained: float = 0.0
    apart: float = 0.0
    """Difference of runs that are to be alike."""
    seconds: float = 0.0


class Judge:
    """Runs of one scene."""

    def __init__(self, seed):
        self.seed = seed
        self.verdict = Verdict(seed)

    def complain(self, what):
        self.verdict.complaints.append(what)

    def run(self, **options):
        """A run of the scene, made anew; the way asked for."""
        scene = random_events(self.seed)
        options = {"until": scene.until, "method": method_of(scene), **options}
        self.verdict.runs += 1
        began = time.process_time()
        solution = dl.simulate(scene.model, initial=scene.initial, progress=False, **options)
        if time.process_time() - began > LONG:
            self.complain(f"{time.process_time() - began:.0f} s for a run of {scene.until:.2g} s")
        return solution


def method_of(scene):
    """The method with the law of restitution of a scene; without one where it is the default."""
    return None if scene.law == "newton" else dl.ContactImpulse(restitution=scene.law)


def judge(seed):
    """Run a scene in several ways and say what is wrong."""
    began = time.perf_counter()
    case = Judge(seed)
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DoubtfulWarning)
        try:
            judge_scene(case)
        except DalembertError as problem:
            case.verdict.ended = f"refused {type(problem).__name__}"
            case.complain(f"{type(problem).__name__}: {str(problem)[:300]}")
        except Exception as problem:
            last = traceback.extract_tb(problem.__traceback__)[-1]
            where = f"{last.filename.rsplit('/', 1)[-1]}:{last.lineno}"
            case.verdict.ended = "broken"
            case.complain(f"{type(problem).__name__} in {where}: {problem}")
    case.verdict.seconds = time.perf_counter() - began
    return case.verdict


def judge_scene(case):
    """The run as it is by default, then one of the further ways."""
    scene = random_events(case.seed)
    solution = case.run()
    case.verdict.events = len(solution.log)
    stepped = any(entry.kind == "stepping" for entry in solution.log)
    case.verdict.fallbacks = int(stepped)
    if stepped:
        case.verdict.ended = "stepping"
    judge_laws(case, scene, solution, stepped)
    if stepped:
        return
    if not scene.jointed and scene.family in FREE:
        judge_momentum(case, scene, solution)
    turn = (case.seed // 10) % 7
    tame = len({entry.t for entry in solution.log}) <= FEW
    if turn == 0 and tame:
        same(case, scene, solution, case.run(rtol=1e-10), "rtol=1e-10", ALIKE)
    elif turn == 1:
        judge_samples(case, scene, solution)
    elif turn == 2:
        same(case, scene, solution, case.run(every=5), "every=", 0.0)
    elif turn == 3 and tame and scene.jointed:
        for kind in ("generalized", "maximal"):
            same(case, scene, solution, case.run(formulation=kind), kind, ALIKE)
    elif turn == 4:
        judge_parts(case, scene, solution)
    elif turn == 6 and tame:
        judge_other_steps(case, scene, solution)
    elif turn == 5 and len({entry.t for entry in solution.log}) <= 3 and scene.e < 1.0:
        judge_steps(case, scene, solution)


def judge_laws(case, scene, solution, stepped):
    """What holds at every sample, whatever happens."""
    for name, array in (("q", solution.q), ("v", solution.v)):
        if not np.all(np.isfinite(array)):
            case.complain(f"{name} is not finite")
            return
    energy = solution.energy
    if energy is not None and not scene.driven and not stepped:
        scale = float(np.abs(solution.kinetic).max() + np.ptp(energy)) + 1e-3
        gained = float(np.diff(energy).max(initial=0.0)) / scale
        case.verdict.gained = gained
        if gained > GAIN:
            case.complain(f"energy grows by {gained:.2g} of what there is")
    moments = [entry.t for entry in solution.log]
    if moments != sorted(moments):
        case.complain("entries of the log are not in order")
    for entry in solution.log:
        if entry.kind == "impact" and not entry.impulse >= 0.0:
            case.complain(f"an impact pulls: {entry}")
    if not stepped:
        judge_contacts(case, scene, solution)
        judge_stops(case, scene, solution)


def judge_contacts(case, scene, solution):
    """Gaps and forces of shapes, at all samples."""
    if not scene.model.has_contact:
        return
    for t in solution.t:
        for one in solution.contacts(float(t)):
            push = float(one.force @ one.normal)
            rub = float(np.linalg.norm(one.force - push * one.normal))
            scale = CONE * (1.0 + abs(push))
            if one.gap < -DEPTH:
                case.complain(f"depth {-one.gap:.2g} at {t:.6g} s")
            if push < -scale:
                case.complain(f"a contact pulls with {-push:.2g} at {t:.6g} s")
            if rub > scene.mu * push + scale:
                case.complain(f"friction {rub:.3g} of {push:.3g} at {t:.6g} s")
            if one.gap > DEPTH and push > scale:
                case.complain(f"force {push:.2g} over a gap of {one.gap:.2g}")
            if one.state == "sliding" and abs(rub - scene.mu * push) > scale:
                case.complain(f"slides with {rub:.3g} of {push:.3g} at {t:.6g} s")
        if len(case.verdict.complaints) > MOST:
            return


def judge_stops(case, scene, solution):
    """Gaps and forces of stops, at all samples."""
    for one in scene.model.unilaterals:
        gap = solution[one.rows[0]]
        force = np.nan_to_num(solution[f"{one.name}.force"])
        scale = CONE * (1.0 + np.abs(force).max(initial=0.0))
        if gap.min() < -DEPTH:
            case.complain(f"{one.name}: depth {-gap.min():.2g}")
        if force.min() < -scale:
            case.complain(f"{one.name}: pulls with {-force.min():.2g}")
        if np.abs(gap * force).max() > scale:
            case.complain(f"{one.name}: force over a gap, {np.abs(gap * force).max():.2g}")


def same(case, scene, solution, other, name, allowed):
    """Complain where two runs do not end alike."""
    if any(entry.kind == "stepping" for entry in other.log):
        case.complain(f"{name}: goes on with steps")
        return
    apart = difference(scene, solution, other)
    case.verdict.apart = max(case.verdict.apart, apart)
    if apart > allowed:
        case.complain(f"{name}: the end differs by {apart:.2g}, {allowed:.2g} allowed")


def difference(scene, solution, other):
    """Greatest difference of the ends: of places relative to the size, of speeds to the fastest."""
    places = np.abs(solution.q[-1] - other.q[-1]).max()
    fastest = 1.0 + np.abs(solution.v).max()
    return float(max(places, np.abs(solution.v[-1] - other.v[-1]).max() / fastest))


def judge_parts(case, scene, solution):
    """A run in two parts by way of a folder is the run in one."""
    with tempfile.TemporaryDirectory() as folder:
        same(case, scene, solution, case.run(save=f"{folder}/kept"), "in a folder", 0.0)
        # by default the first step is a part of the run
        given = {"integrator": dl.DormandPrince(rtol=1e-12, atol=1e-12, first_step=1e-4)}
        whole = case.run(**given)
        case.run(until=0.6 * scene.until, save=f"{folder}/part", **given)
        try:
            longer = dl.resume(f"{folder}/part", until=scene.until, progress=False)
        except dl.errors.OptionError as problem:
            if "Simulate anew" in str(problem):
                return
            raise
        if len(longer.log) != len(whole.log):
            case.complain(f"in two parts: {len(longer.log)} entries, not {len(whole.log)}")
        same(case, scene, whole, longer, "in two parts", 0.0)


def judge_momentum(case, scene, solution):
    """Momentum across impacts, and over the run."""
    if "spring" in scene.notes:
        return
    plane = next(s for s in scene.model.contact_shapes if type(s.solid).__name__ == "Plane")
    normal = np.asarray(plane.solid.turn.matrix, dtype=float)[:, 2]
    masses = np.array([float(body.inertia.mass) for body in scene.model.bodies.values()])
    linear = solution.v.reshape(len(solution.t), -1, 6)[:, :, :3]
    momenta = masses[None, :, None] * linear
    scale = float(np.abs(momenta).max()) + 1e-6
    moments = sorted({entry.t for entry in solution.log if entry.kind == "impact"})
    for t in moments:
        near = np.flatnonzero(np.abs(solution.t - t) < AT_ONCE)
        if len(near) < 2:
            continue  # at the very start
        change = (momenta[near[-1]] - momenta[near[0]]).sum(axis=0)
        here = [e for e in solution.log if abs(e.t - t) < AT_ONCE and e.kind == "impact"]
        push = sum(entry.impulse for entry in here if plane.name in entry.contact)
        if abs(change @ normal - push) > JUMP * scale + RISE * masses.sum():
            case.complain(f"momentum jumps by {change @ normal:.9g}, {push:.9g} told, at {t:.9g} s")
        rub = float(np.linalg.norm(change - (change @ normal) * normal))
        if rub > scene.mu * push + JUMP * scale + RISE * masses.sum():
            case.complain(f"an impact rubs with {rub:.3g} of {push:.3g} at {t:.6g} s")
    judge_balance(case, scene, solution, momenta, scale)


AT_ONCE = 1e-12
"""Time within which samples and impacts are those of one moment  [s]."""

RISE = 3e-7
"""Velocity [m/s] of contacts that rise no higher than rounding, sqrt(2 g 8 eps), which are closed
without a word."""


def judge_balance(case, scene, solution, momenta, scale):
    """m v at the end, less that at the start: gravity, forces, and jumps at events."""
    t = solution.t
    apart = np.flatnonzero(np.diff(t) < AT_ONCE)
    fall = np.array([0.0, 0.0, -9.81])
    for k, body in enumerate(scene.model.bodies.values()):
        jumps = sum((momenta[i + 1, k] - momenta[i, k] for i in apart), np.zeros(3))
        force = solution.contact_force(body.name) + float(body.inertia.mass) * fall
        edges = [0, *(i + 1 for i in apart), len(t)]
        fine, coarse = np.zeros(3), np.zeros(3)
        for a, b in itertools.pairwise(edges):
            fine += np.trapezoid(force[a:b], t[a:b], axis=0)
            some = [*range(a, b - 1, 2), b - 1]
            coarse += np.trapezoid(force[some], t[some], axis=0)
        off = momenta[-1, k] - momenta[0, k] - jumps - fine
        allowed = BALANCE * scale + np.abs(fine - coarse).max()
        if np.abs(off).max() > allowed:
            case.complain(f"{body.name}: momentum off by {np.abs(off).max():.3g} of {scale:.3g}")


def judge_samples(case, scene, solution):
    """Samples that are asked for are those of the run, however many they are."""
    few, many = (case.run(times=np.linspace(0.0, scene.until, n)) for n in (7, 61))
    same(case, scene, solution, few, "times=", 1e-13)
    off = max(np.abs(few.q - many.q[::10]).max(), np.abs(few.v - many.v[::10]).max())
    kinds = [[(e.kind, e.contact) for e in run.log] for run in (few, many)]
    if off > 1e-12 or kinds[0] != kinds[1]:
        case.complain(f"61 samples are others than 7 of them by {off:.2g}, or the log is")


def judge_other_steps(case, scene, solution):
    """Where in a step an event falls makes no difference."""
    for part in (1e-5, 0.0137):
        given = {"integrator": dl.DormandPrince(rtol=1e-12, first_step=part * scene.until)}
        other = case.run(**given)
        same(case, scene, solution, other, f"a first step of {part}", ALIKE)
        # what flies together touches without a force: its contacts open when rounding says so
        hits = [[e for e in run.log if e.kind == "impact"] for run in (solution, other)]
        if len(hits[0]) != len(hits[1]):
            case.complain(f"a first step of {part}: {len(hits[1])} impacts, not {len(hits[0])}")
            continue
        moments = [np.sort([e.t for e in mine]) for mine in hits]
        if len(moments[0]) and np.abs(moments[0] - moments[1]).max() > ALIKE:
            case.complain(f"a first step of {part}: impacts at other moments")


def judge_steps(case, scene, solution):
    """Fixed steps come near, and nearer with half the step."""
    ends = []
    for count in (400, 800, 1600):
        method = dl.ContactImpulse(restitution="poisson" if scene.law == "poisson" else "newton")
        given = {"mode": "stepping", "step": scene.until / count, "method": method}
        ends.append(difference(scene, solution, case.run(**given)))
    if scene.law != "energetic" and min(ends) > COARSE:
        case.complain(f"steps with impulses end elsewhere: {', '.join(f'{x:.2g}' for x in ends)}")


def described(seed):
    """A line about a scene."""
    return str(random_events(seed))


if __name__ == "__main__":
    sys.exit(fuzz_driver.main("tests.event_fuzz", Verdict, judge, described))
