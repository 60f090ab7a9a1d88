"""Run random impacts many times over and judge them by laws alone.

    python -m tests.impact_fuzz --count 3000 --first 0  all of them, in child processes
    python -m tests.impact_fuzz --seed 4711             one of them, told at length

Every impact is run from several moments of its flight, so that it falls at different places in a
step, with steps h and h / 16, by both orders and, where it has joints, in both formulations. What
is judged:

* where in a step it falls makes no difference, but for O(h): what it makes falls with h;
* orders, formulations, and e = 0 and e = 1e-12 without gravity, agree in the same way;
* impulses are momentum, also that about the centres of bodies, in every step;
* they are within Coulomb's cone, push, and rub against the sliding they leave;
* kinetic energy does not grow, and is kept where e = 1 and nothing rubs;
* Newton's law: what approached leaves with e times the speed;
* sampling, and turning, moving, and other units of the scene change nothing but rounding.

Where the laws themselves leave the answer open, agreement is not asked for (`is_open`):

* the tip of a chain may stick or slide, both by Coulomb's and Newton's law, where pushing makes it
  slide, too (Painlevé); `tests.support.impact_answers` counts the answers from the plan;
* Poisson's law gives back a part of impulses, which with fewer freedoms than the contact has rows
  are not unique; Newton's is made by it where it would create energy, and the run tells so;
* a tip that an impact has brought to rest may lift off or be held, both by Coulomb's law, where
  friction is large. Each run must have taken one of these forces, which are computed from the plan;
* a rod that jams has no answer at all: a run that tells that a step is not solved is judged by its
  momentum alone.
"""

from __future__ import annotations

import sys
import time
import traceback
import warnings
from dataclasses import dataclass, field

import numpy as np
from tests.support import fuzz_driver
from tests.support.impact_answers import has_one_answer, takes_one_of_several
from tests.support.random_impacts import random_impact, rotation
from tests.support.random_scenes import Dice

import dalembert as dl
from dalembert.errors import DalembertError

STEPS, FINER = 4, 16
"""Steps of the flight with the coarse step, and how many times finer the fine one is."""

OFFSETS = (0.13, 0.48, 0.83)
"""Parts of a step that the flight is begun later."""

FALL = 0.35
"""Of a difference, what may be left with a step 16 times finer: 1/16 and its chance."""

SAME, TOLERANCE = 1e-6, 1e-10
"""Difference over the speed of the scene that is none; tolerance of all solves  [m/s]."""


@dataclass
class Verdict:
    """What became of an impact."""

    seed: int
    ended: str = "done"
    complaints: list[str] = field(default_factory=list)
    runs: int = 0
    unsolved: int = 0
    """Of the runs, those with a step that is not solved, and told so."""
    spread: float = 0.0
    """Largest part of the speed that is left of a difference with the fine step."""
    poisson: int = 0
    """Steps that were made by Poisson's law."""
    seconds: float = 0.0


class Runs:
    """Runs of one impact."""

    def __init__(self, impact, verdict):
        self.impact, self.verdict, self.models = impact, verdict, {}

    def model(self, impact, frame):
        key = impact.e, tuple(sorted((k, str(x)) for k, x in frame.items()))
        if key not in self.models:
            self.models[key] = impact.build(**frame)
        return self.models[key]

    def run(self, fine, offset=0.0, order=2, formulation="maximal", e=None, frame=None, **more):
        """A run that begins its flight later by a part of a step."""
        frame = frame or {}
        impact = self.impact if e is None else self.impact.with_(e=e)
        h = frame.get("unit", 1.0) * impact.flight / (STEPS * fine)
        model = self.model(impact, frame)
        method = dl.ContactImpulse(order=order, restitution=impact.law, tolerance=TOLERANCE)
        given = {"method": method, "formulation": formulation, "progress": False}
        if offset:
            begin = dl.simulate(model, until=offset * h, step=offset * h, **given)
            given["initial"] = begin.q[-1], begin.v[-1]
        self.verdict.runs += 1
        found = dl.simulate(model, until=round(1.5 * STEPS * fine) * h, step=h, **given, **more)
        told = found.statistics["contact"]
        self.verdict.unsolved += int(told["stalled"] > 0)
        self.verdict.poisson += told["poisson"]
        return found


def just_after(impact, solution):
    """Velocities after the step of the largest change, and one more, over the speed."""
    changes = np.abs(np.diff(solution.v, axis=0)).max(axis=1)
    return scaled(impact, solution, sample=min(int(np.argmax(changes)) + 2, len(solution.t) - 1))


def scaled(impact, solution, unit=1.0, sample=-1):
    """Velocities at the end of a run, all in m/s, over the speed of the scene."""
    v = solution.v[sample].reshape(-1, 6).copy()
    v[:, 3:] *= impact.size * unit
    return v / impact.speed


def judge(impact):
    """All runs of an impact, and what is wrong with them."""
    verdict = Verdict(impact.seed)
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            runs = Runs(impact, verdict)
            judge_agreement(impact, runs, verdict)
            if not verdict.unsolved:
                judge_sameness(impact, runs, verdict, is_open(impact, verdict))
        except DalembertError as problem:
            verdict.ended = f"stopped {type(problem).__name__}"
            verdict.complaints.append(f"{type(problem).__name__}: {problem}"[:300])
        except Exception as problem:
            last = traceback.extract_tb(problem.__traceback__)[-1]
            where = f"{last.filename.rsplit('/', 1)[-1]}:{last.lineno}"
            verdict.ended = "broken"
            verdict.complaints.append(f"{type(problem).__name__} in {where}: {problem}"[:300])
    verdict.seconds = time.perf_counter() - began
    return verdict


def is_open(impact, verdict):
    """Whether the laws of impact leave the answer open, after the runs of a verdict."""
    if impact.kind != "chain" or impact.mu == 0.0:
        return False
    by_poisson = verdict.poisson > 0 or impact.law == "poisson"
    if impact.has_few_freedoms and impact.e > 1e-9 and by_poisson:
        return True
    return not has_one_answer(impact)


def apart(found):
    """Largest difference between any two of the velocities."""
    return float(np.ptp(np.array(found), axis=0).max())


def judge_agreement(impact, runs, verdict):
    """What is to fall with the step: differences by offset, order, formulation and a tiny e."""
    dice = Dice(3_000_000 + impact.seed)
    mine = dice.pick("maximal", "generalized") if impact.is_jointed else "maximal"
    order, middle = dice.pick(1, 2), OFFSETS[1]

    made = []

    def one(fine, offset, order, formulation):
        run = runs.run(fine, offset, order, formulation)
        made.append(run)
        judge_laws(impact, run, order, formulation, fine, verdict.complaints.append)
        return run

    def differences(fine):
        found = {offset: one(fine, offset, order, mine) for offset in OFFSETS}
        ends = {offset: scaled(impact, run) for offset, run in found.items()}
        told = {f"offset, order {order}, {mine}": apart([*ends.values()])}
        other = scaled(impact, one(fine, middle, 3 - order, mine))
        told[f"order, {mine}"] = apart([other, ends[middle]])
        if impact.is_jointed:
            formulation = "maximal" if mine == "generalized" else "generalized"
            other = scaled(impact, one(fine, middle, order, formulation))
            told[f"formulation, order {order}"] = apart([other, ends[middle]])
        if impact.e in (0.0, 1e-12) and not impact.gravity:
            e = 1e-12 if impact.e == 0.0 else 0.0
            other = just_after(impact, runs.run(fine, middle, order, mine, e=e))
            told[f"e, order {order}, {mine}"] = apart([other, just_after(impact, found[middle])])
        return told

    def left(before, fine):
        """What may be left of a difference: some of it, and what weight does in such a step."""
        h = impact.flight / (STEPS * fine)
        return FALL * before + SAME + (1.0 + impact.mu) * impact.gravity * h / impact.speed

    coarse, fine = differences(1), differences(FINER)
    bad = [name for name in fine if fine[name] > left(coarse[name], FINER)]
    if verdict.unsolved:
        # a hinged rod that jams has no answer by Newton's law: what is reported must be true
        verdict.complaints = [c for c in verdict.complaints if "momentum" in c]
        return
    if bad and is_open(impact, verdict):
        return
    if bad:
        # the step may still be too coarse for what happens
        made.clear()
        finer = differences(FINER * FINER)
        bad = [name for name in bad if finer[name] > left(fine[name], FINER * FINER)]
        if bad and all(takes_one_of_several(impact, run) for run in made):
            return
        for name in bad:
            verdict.complaints.append(
                f"{name}: {coarse[name]:.3g}, {fine[name]:.3g}, {finer[name]:.3g} of the speed, "
                "with steps of 1, 1/16, 1/256"
            )
    verdict.spread = max(fine.values(), default=0.0)


def judge_sameness(impact, runs, verdict, left_open):
    """What is to be the same to rounding: sampling; place, direction, units if there is one end."""
    dice = Dice(2_000_000 + impact.seed)
    order = dice.pick(1, 2)
    formulation = dice.pick("maximal", "generalized") if impact.is_jointed else "maximal"
    base = runs.run(1, OFFSETS[2], order, formulation)
    end = float(base.t[-1])
    name, more = dice.pick(("every", {"every": 4}), ("times", {"times": [0.0, 0.37 * end, end]}))
    other = runs.run(1, OFFSETS[2], order, formulation, **more)
    if not np.array_equal(other.v[-1], base.v[-1]):
        off = apart([other.v[-1], base.v[-1]])
        verdict.complaints.append(f"{name}= changes the end by {off:.3g}")
    expected = scaled(impact, base)
    turn = rotation(dice, False)
    for name, frame in (
        ("turned and moved", {"turn": turn, "move": tuple(dice.vector(impact.size))}),
        ("other units", {"unit": dice.decades(0.1, 10.0), "heavy": dice.decades(1e-3, 1e3)}),
    ):
        other = runs.run(1, OFFSETS[2], order, formulation, frame=frame)
        found = scaled(impact, other, frame.get("unit", 1.0))
        if "turn" in frame:
            found = found.reshape(-1, 2, 3) @ turn
            found = found.reshape(-1, 6)
        off = apart([found, expected])
        if off > SAME and not left_open and not verdict.unsolved:  # no answer: told by the run
            verdict.complaints.append(f"{name}: the end is another by {off:.3g} of the speed")


# -- laws of a run -------------------------------------------------------------------------------


def judge_laws(impact, run, order, formulation, fine, complain):
    """Momentum, Coulomb's law, energy and Newton's law in a run with all its samples."""
    where = f"order {order}, {formulation}, 1/{fine}"
    h = float(run.t[1] - run.t[0])
    table = run._touch("contacts").table if impact.has_contacts else np.zeros((0, 19))
    mass = np.array([t.mass for t in impact.things])
    v = run.v.reshape(len(run.t), -1, 6)
    impulse = np.abs(h * table[:, 11:14]).max(initial=0.0)
    slack = 1e-8 * impulse + 1e-9 * mass.max() * impact.speed
    # contacts push, within the cone
    n, f = table[:, 7:10], h * table[:, 11:14]
    push = np.sum(n * f, axis=1)
    rub = f - push[:, None] * n
    size = np.linalg.norm(rub, axis=1)
    if np.any(push < -slack):
        complain(f"{where}: a contact pulls by {-push.min():.3g} N s")
    if np.any(size > impact.mu * push + slack):
        complain(f"{where}: friction of {np.max(size - impact.mu * push):.3g} N s beyond the cone")
    judge_energy(impact, run, order, where, complain)
    if not impact.is_jointed and not impact.stops:
        judge_momentum(impact, run, table, v, mass, h, where, complain)
    if impact.kind in ("body", "pair") and impact.e < 1e-9 and len(table):
        judge_one(impact, run, table, v, h, order, where, complain)


def judge_energy(impact, run, order, where, complain):
    """Energy does not grow; it is kept where nothing is lost.

    Bodies that turn have forces of inertia, which a step follows to its order.
    """
    T, E = run.kinetic, run.energy if impact.gravity else run.kinetic
    h = float(run.t[1] - run.t[0]) / impact.size
    turning = max(
        float(np.abs(run.v.reshape(len(run.t), -1, 6)[..., 3:]).max()) * impact.size, impact.speed
    )
    round_ = all(np.ptp(np.diag(t.inertia)) < 1e-12 * t.inertia[0, 0] for t in impact.things)
    smooth = not impact.is_jointed and not impact.gravity and (impact.planar or round_)
    allowed = 1e-8 if smooth else 30.0 * h * max(1.0, turning)
    grown = float((E - E[0]).max() / T[0])
    if grown > allowed:
        complain(f"{where}: energy grows by {grown:.3g} of the kinetic energy")
    if impact.mu == 0.0 and impact.e == 1.0 and not impact.stops:
        lost = float((E[0] - E[-1]) / T[0])
        if lost > allowed:
            complain(f"{where}: {lost:.3g} of the energy is lost by what gives back all")


def judge_momentum(impact, run, table, v, mass, h, where, complain):
    """Impulses of every step are the change of momentum of every body."""
    weight = np.array([0.0, 0.0, -impact.gravity * h])
    for k, m in enumerate(mass):
        pushed = np.nan_to_num(run.contact_force(f"b{k}")) * h
        change = m * (np.diff(v[:, k, :3], axis=0) - weight)
        off = float(np.abs(change - pushed[1:]).max())
        if off > 1e-9 * (m * impact.speed + np.abs(pushed).max()):
            complain(f"{where}: impulses on b{k} are {off:.3g} N s from its momentum")


def turn_of_normal(table, k):
    """The largest turn of the normal of the only contact in a step around sample k  [rad]."""
    near = {int(row[0]): row[7:10] for row in table if abs(row[0] - k) <= 2}
    pairs = [(n, near[i + 1]) for i, n in near.items() if i + 1 in near]
    return max((float(np.linalg.norm(b - a)) for a, b in pairs), default=0.0)


def judge_one(impact, run, table, v, h, order, where, complain):
    """A step in which a single contact hits without giving back: it stops, and rubs as it slides.

    Velocities are those of the points that touch, at the end of the step; in one step they turn by
    w h of themselves, and the point is told to half of a gap of u h. Small tips that slide over one
    another turn the normal faster than bodies turn: it is seen in the run.
    """
    sample = table[:, 0].astype(int)
    push = np.sum(table[:, 7:10] * table[:, 11:14], axis=1) * h
    hit = int(np.argmax(push))
    if np.sum((sample == sample[hit]) & (push > 0.0)) != 1 or sample[hit] == 0:
        return
    k, n = sample[hit], table[hit, 7:10]
    # without friction an impact may be finished in the next step
    later = k + (1 if impact.mu == 0.0 else 0)
    if later == len(run.t):
        return  # the run ends in between: what is left closes the gap in the next step
    q = run.q.reshape(len(run.t), -1, 7)
    points = []
    for row in (k - 1, later):
        ends = []
        for b, sign in zip(range(len(impact.things)), (-1.0, 1.0), strict=False):
            if len(impact.things) == 1:
                sign = 1.0
            arm = table[hit, 4:7] - q[row, b, :3]
            ends.append(sign * (v[row, b, :3] + np.cross(v[row, b, 3:], arm)))
        points.append(sum(ends))
    if len(impact.things) == 2:
        # n points from the first shape of the contact to the second
        sense = 1.0 if n @ points[0] < 0.0 else -1.0
        points = [sense * u for u in points]
    before, after = points
    if -n @ before < 0.05 * impact.speed:
        return
    turning = np.abs(v[k - 1 : k + 1, :, 3:]).max() * h
    slack = (10.0 * turning + 2e-7) * np.abs(points).max() + 2.0 * impact.gravity * h
    slack += 4.0 * h / impact.size * impact.speed * max(impact.speed, 1.0)
    slack += np.abs(points).max() * turn_of_normal(table, k)
    slack *= 1.0 + later - k
    if abs(n @ after) > slack:
        complain(f"{where}: it leaves with {n @ after:.3g} m/s, {slack:.3g} by turning")
    slide = after - (n @ after) * n
    rub = h * table[hit, 11:14] - push[hit] * n
    if len(impact.things) == 2:
        rub *= sense if n @ before < 0.0 else 1.0
    fast = float(np.linalg.norm(slide))
    if fast > 30.0 * slack and impact.mu > 0.0:
        along = rub / (impact.mu * push[hit]) + slide / fast
        if np.linalg.norm(along) > 4.0 * slack / fast + 1e-6:
            complain(f"{where}: friction is {np.linalg.norm(along):.3g} from against the sliding")


def judge_seed(seed):
    """Verdict on impact number `seed`."""
    return judge(random_impact(seed))


if __name__ == "__main__":
    sys.exit(fuzz_driver.main("tests.impact_fuzz", Verdict, judge_seed, random_impact))
