"""The verdict on a run: good, doubtful or failed; with reasons, and what to do about each.

A run that reached its end may still be wrong. Every rule looks at one figure of the fidelity report
and compares it with a scale of the run itself: the size of the mechanism, its speed, the energy it
exchanges, the order of its method. A rule gives a `Reason` or None; the worst word of all reasons
is the verdict. The table of `docs/how-to/results.md` has a line for each.

To add a rule: a function of `Facts`, and its line in `RULES` and in that table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.model.one_sided.rows import hard_only
from dalembert.simulation.prepare.asked_speeds import NOTED
from dalembert.simulation.prepare.given_places import place_remedy
from dalembert.simulation.results.figures import energy_scale
from dalembert.simulation.results.mirror_images import side_unknown
from dalembert.simulation.results.passed_limits import lifted, limit_passed, overlap, starts_outside
from dalembert.simulation.results.row_speeds import speed_of_row
from dalembert.simulation.results.scales import (
    REST,
    sampling_limits,
    share,
    stands,
)
from dalembert.simulation.results.verdict_facts import Facts

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

GOOD, DOUBTFUL, FAILED = WORDS = ("good", "doubtful", "failed")

EXACT = 1e-6
"""Relative violation up to which a method without drift has kept the constraints."""

POSITION, VELOCITY = 1e-3, 5e-3
"""Violation up to which other methods have kept them: over the size of row and motion."""

BROKEN, LOST = 0.1, 0.5
"""Violation and error of the energy from which it is another mechanism, another motion."""

RESIDUAL = 1e-3
"""Residual of the laws of contact, over the speed, up to which they are met."""

COARSE = 0.1
"""Change of energy, over what is exchanged, that contacts did not work and steps have lost."""

MISSED = 0.05
"""Errors of all steps, over the motion, that are too many."""

DEEP = 1e-2
"""Penetration, over the smallest shape or as an angle, that can be seen."""


@dataclass(frozen=True)
class Reason:
    """Why a run is not good.

    Attributes
    ----------
    rule : str      name of the rule, a key of `RULES`
    word : str      "doubtful" or "failed"
    text : str      what is wrong, a sentence
    remedy : str    what to do, a sentence
    """

    rule: str
    word: str
    text: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.text} {self.remedy}".strip()


@dataclass(frozen=True)
class Verdict:
    """How far a run can be trusted.

    Attributes
    ----------
    word : "good", "doubtful" or "failed"
    reasons : tuple of Reason       none where it is good

    Examples
    --------
    >>> import dalembert as dl
    >>> dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-3).verdict
    Verdict('good')
    >>> coarse = dl.simulate(dl.catalog.load("pendulum"), until=10.0, step=0.5)
    >>> coarse.verdict.word, coarse.verdict.reasons[0].rule
    ('failed', 'energy')
    """

    word: str
    reasons: tuple[Reason, ...] = ()

    @property
    def is_good(self) -> bool:
        """True where no rule has anything to say."""
        return self.word == GOOD

    def __str__(self) -> str:
        return ": ".join([self.word, *([" ".join(map(str, self.reasons))] if self.reasons else [])])

    def __repr__(self) -> str:
        return f"Verdict({str(self)!r})"


Rule = Callable[[Facts], "Reason | None"]


def judge(solution: Solution, figures: dict[str, Any]) -> Verdict:
    """The verdict of all rules on a run with this report."""
    facts = Facts(solution, figures)
    found = [reason for rule in RULES.values() if (reason := rule(facts)) is not None]
    found.sort(key=lambda reason: -WORDS.index(reason.word))
    return Verdict(found[0].word if found else GOOD, tuple(found))


# -- rules ----------------------------------------------------------------------------------------


def ended(facts: Facts) -> Reason | None:
    """A run that stopped against the user's will."""
    solution = facts.solution
    return Reason("status", FAILED, solution.message) if solution.status.failed else None


def finite(facts: Facts) -> Reason | None:
    """Numbers that are none."""
    solution = facts.solution
    blocks = [solution.q, solution.v]
    blocks += [] if solution.energy is None else [solution.energy[:, None]]
    if all(bool(np.all(np.isfinite(block))) for block in blocks):
        return None
    text = "States or energies of the run are not finite numbers."
    return Reason("finite", FAILED, text, "Take a smaller step, and look where it begins.")


def ignored(facts: Facts) -> Reason | None:
    """Reason to doubt a run: parts of the model that the method does not know; None without any."""
    method, model = facts.solution.method, facts.solution.model
    unknown = [] if getattr(method, "impulses", True) else hard_only(model)
    if not unknown:
        return None
    text = f"{type(method).__name__} does not know {'; '.join(unknown)}: the run is without them."
    return Reason("ignored", DOUBTFUL, text, "Use method=dl.ContactImpulse().")


def positions(facts: Facts) -> Reason | None:
    """Joints and constraints that came apart."""
    worst = facts.solution.worst
    size = float(worst.get("phi_size") or 1.0) * facts.length
    return _kept(facts, "positions", "worst_phi", size, POSITION)


def velocities(facts: Facts) -> Reason | None:
    """Velocities that lead away from the constraints."""
    worst = facts.solution.worst
    of_bodies = speed_of_row(facts.solution, worst.get("phi_dot_row") or "")
    speed = facts.speed if of_bodies is None else max(of_bodies, facts.slow)
    size = float(worst.get("phi_dot_size") or 1.0) * speed
    parted = float(facts.solution.statistics.get("parted") or 0.0) / facts.speed
    kept = _kept(facts, "velocities", "worst_phi_dot", size, VELOCITY)
    if kept is not None or parted <= VELOCITY:
        return kept
    text = f"Joints turned by {share(parted)} of the speed in a step, which is too coarse for that."
    return Reason("velocities", DOUBTFUL, text, facts.finer(parted / VELOCITY, at_order_1=True))


def _kept(facts: Facts, rule: str, key: str, size: float, usual: float) -> Reason | None:
    value = facts.figures[key]
    if value is None or not facts.figures["constraint_rows"]:
        return None
    relative = value / size
    allowed = EXACT if facts.is_exact else usual
    if relative <= allowed:
        return None
    level = "|phi|" if rule == "positions" else "|phi'|"
    of = "size of the motion" if rule == "positions" else "speed of what it holds"
    text = f"The constraints were not kept: {level} reached {value:.1e} in"
    text += f" {facts.figures[f'{key}_row']!r}, {share(relative)} of the {of}."
    remedy = facts.finer(relative / allowed)
    if not facts.is_exact and facts.figures["contact"] is None:
        remedy = f"{remedy[:-1]}, or a method without drift (Projection)."
    elif getattr(facts.solution.method, "order", 99) == 1:
        remedy = f"{remedy[:-1]}, or order=2 of the method."
    return Reason(rule, FAILED if relative > BROKEN else DOUBTFUL, text, remedy)


def energy(facts: Facts) -> Reason | None:
    """An energy that should be constant and is not."""
    figures = facts.figures
    conservative = bool(getattr(facts.solution.model, "conservative", False)) and facts.idle
    relative = figures["energy_change_relative"]
    if not conservative or relative is None or relative <= facts.energy_allowed:
        return None
    text = f"The energy, which is constant, changed by {share(relative)} of what was exchanged."
    word = FAILED if relative > LOST else DOUBTFUL
    return Reason("energy", word, text, facts.finer(relative / facts.energy_allowed))


def balance(facts: Facts) -> Reason | None:
    """Work and energy that do not agree, by more than the integral of the samples may be off."""
    figures = facts.figures
    relative = figures["energy_balance_relative"]
    if relative is None or relative <= facts.energy_allowed or sampling_limits(figures):
        return None
    text = f"Energy and work disagree by {share(relative)} of what was exchanged."
    word = FAILED if relative > LOST else DOUBTFUL
    return Reason("balance", word, text, facts.finer(relative / facts.energy_allowed))


def steps(facts: Facts) -> Reason | None:
    """Reason to doubt a fixed step: what Newton's law misses between the samples; None if fine.

    Methods and integrators of first order are chosen for what they are. An energy that is lost
    says it already.
    """
    off = facts.figures["step_error"]
    if off is None or off <= MISSED or facts.order < 2:
        return None
    if energy(facts) is not None or balance(facts) is not None:
        return None
    text = (
        f"The step is too coarse for the motion: between its ends velocities change by {share(off)}"
    )
    text += " of the largest beyond what the forces do, all steps together."
    return Reason("steps", DOUBTFUL, text, facts.finer(off / MISSED))


def events(facts: Facts) -> Reason | None:
    """Reason to doubt a run: an event swings too fast to be followed; None if none does."""
    t = facts.figures["swung_at"]
    if t is None:
        return None
    text = f"The formula of an event swings too fast for the step at t = {t:.6g} s: moments at"
    text += " which it crosses zero may be missed."
    todo = "Take a smaller step." if facts.solution.step else "Give the integrator a max_step."
    return Reason("events", DOUBTFUL, text, todo)


def coarse(facts: Facts) -> Reason | None:
    """Energy that went neither into the motion nor into contacts: it was lost between steps."""
    relative = facts.figures["contact_balance_relative"]
    if relative is None or relative <= COARSE:
        return None
    text = f"{share(relative)} of the energy that was exchanged is neither in the motion nor in the"
    text += " work of contacts"
    if (deep := overlap(facts.solution)) is not None:
        return _pushed_apart(facts, "coarse", f"{text}: {deep}", relative)
    if _is_lift(facts, relative):
        return None
    text = f"The step is too coarse for the contacts: {text}."
    word = FAILED if relative > LOST else DOUBTFUL
    return Reason("coarse", word, text, facts.finer(relative / COARSE, at_order_1=True))


def _is_lift(facts: Facts, relative: float) -> bool:
    """Whether bodies that were pushed out of one another, by little, account for the energy."""
    scale = energy_scale(facts.solution)
    return scale is not None and relative * scale <= 1.01 * lifted(facts.solution)


def _pushed_apart(facts: Facts, rule: str, text: str, relative: float) -> Reason:
    word = FAILED if relative > LOST and not _is_lift(facts, relative) else DOUBTFUL
    return Reason(rule, word, f"{text}, and were pushed apart.", "Start them apart.")


def gained(facts: Facts) -> Reason | None:
    """Energy beyond the work of all that gives any: the steps made it."""
    relative = facts.figures["energy_gain_relative"]
    if relative is None or relative <= COARSE:
        return None
    text = f"The motion gained energy that nothing gave, {share(relative)} of what was exchanged:"
    word = FAILED if relative > LOST else DOUBTFUL
    if starts_outside(facts.solution):
        text += " joints that start outside their limits were pushed within them."
        return Reason("gained", word, text, "Start within them.")
    if (deep := overlap(facts.solution)) is not None:
        told = facts.figures["contact_balance_relative"] or 0.0
        return None if told > COARSE else _pushed_apart(facts, "gained", f"{text} {deep}", relative)
    if _is_lift(facts, relative):
        return None
    text += " the step is too long for the forces."
    return Reason("gained", word, text, facts.finer(relative / COARSE))


def start(facts: Facts) -> Reason | None:
    """Places and speeds that were asked for at the start and could not be had."""
    places, speeds = facts.figures["changed_places"], facts.figures["changed_speeds"]
    largest = max((abs(one["asked"]) for one in speeds), default=0.0)
    if speeds and abs(speeds[0]["taken"] - speeds[0]["asked"]) <= NOTED * largest:
        speeds = []
    if not places and not speeds:
        return None
    first = (places or speeds)[0]
    text = f"At the start {first['name']} was given as {first['asked']:.6g}, but "
    if first["name"].startswith("initial of"):
        text += f"its bodies are placed where it is {first['taken']:.6g}."
        todo = "Leave out the place of one of them, or initial."
    else:
        text += f"the constraints leave {first['taken']:.6g}."
        todo = "Find speeds that go together with dl.assemble(model, velocities=...)."
        todo = place_remedy(facts.solution.model) if places else todo
    return Reason("start", DOUBTFUL, text, todo)


def freedom(facts: Facts) -> Reason | None:
    """A mechanism that cannot move."""
    figures = facts.figures
    if figures["degrees_of_freedom"] != 0 or not stands(facts.solution):
        return None
    text = "Nothing can move: the constraints leave 0 degrees of freedom"
    moved = figures["initial_move_q"] or 0.0
    if moved > REST * facts.length:
        text += f", and the start was moved by {moved:.2g} to meet them"
    remedy = "Look for joints that hold too much with model.check()."
    return Reason("freedom", DOUBTFUL, f"{text}.", remedy)


def side(facts: Facts) -> Reason | None:
    """A position that cannot be told from its mirror image."""
    found = side_unknown(facts.solution)
    return Reason("side", DOUBTFUL, *found) if found else None


def laws(facts: Facts) -> Reason | None:
    """Steps in which the laws of contact were not met."""
    contact = facts.figures["contact"]
    if contact is None:
        return None
    relative = contact["residual"] / facts.speed
    if relative > RESIDUAL:
        text = (
            f"The laws of contact were met to {contact['residual']:.1e} m/s only, {share(relative)}"
            f" of the speed; {contact['stalled']} of {facts.figures['steps']} steps are above the"
            " tolerance."
        )
        word = FAILED if relative > BROKEN else DOUBTFUL
        remedy = 'Take a smaller step, another solver or profile="accurate".'
        return Reason("laws", word, text, remedy)
    if contact["flagged"]:
        text = f"In {contact['flagged']} steps rigid contacts did work, which they cannot."
        return Reason("laws", DOUBTFUL, text, "Take a smaller step, or another solver.")
    return None


def penetration(facts: Facts) -> Reason | None:
    """Bodies within one another."""
    contact = facts.figures["contact"]
    if contact is None:
        return None
    size, angle = contact.get("size") or facts.length, contact.get("penetration_angle", 0.0)
    if contact["penetration"] > DEEP * size:
        part = share(contact["penetration"] / size)
        text = f"Bodies or stops were passed by {contact['penetration']:.1e} m, {part} of the"
        text += " smallest shape" if contact.get("size") else " size of the mechanism"
        if (deep := overlap(facts.solution, 0.5 * contact["penetration"])) is not None:
            remedy = "Start them apart, or let them pass: model.ignore_contact."
            return Reason("penetration", DOUBTFUL, f"{text}: {deep}.", remedy)
        remedy = "Start them apart, or take a smaller step."
        return Reason("penetration", DOUBTFUL, f"{text}.", remedy)
    if angle > DEEP:
        return Reason("penetration", DOUBTFUL, *limit_passed(facts.solution, angle))
    return None


RULES: dict[str, Rule] = {
    "status": ended,
    "finite": finite,
    "ignored": ignored,
    "positions": positions,
    "velocities": velocities,
    "energy": energy,
    "balance": balance,
    "steps": steps,
    "events": events,
    "coarse": coarse,
    "gained": gained,
    "start": start,
    "freedom": freedom,
    "side": side,
    "laws": laws,
    "penetration": penetration,
}
"""Name -> rule, in the order in which reasons of one word are told."""
