"""The tolerance of a run that was given no step: of its integrator, or of steps with impulses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dalembert.enforcement.protocol import Method
from dalembert.integration.dormand_prince import DEFAULT_RTOL, ErrorControl
from dalembert.integration.protocol import Integrator
from dalembert.model.one_sided.rows import BOX, one_sided_rows
from dalembert.simulation.prepare.modes import SOFT, are_few, given, who_gives
from dalembert.simulation.prepare.step_choice import chosen_step

LONGEST, PARTS = 20.0, 10
"""Longest step with impulses of the usual tolerance, over the one that the rule of steps has; parts
of a run at least."""

JOINTED = 1e-2
"""Tolerance of steps with impulses of a model with joints that was given none."""

TIGHTEST = 1e-6
"""Tightest tolerance of steps in a run that began with located events, whose own may be more."""


def with_tolerance(
    integrator: Integrator,
    method: Method,
    step: float | None,
    model: Any,
    initial: Any,
    span: Any,
    controllers: Sequence[Any],
    tolerances: tuple[float | None, float | None],
) -> tuple[Integrator, float | None]:
    """The integrator, and the step that dampers are looked at with.

    With impulses and no step: one that follows the tolerances rtol and atol, and the rule's step.
    """
    if step is not None or method.advance is None or not method.impulses:
        return integrator, step
    if not isinstance(span, int | float | np.number) or not span > 0.0:
        return integrator, None  # told by the checks of options
    both = zip(("rtol", "atol"), tolerances, strict=True)
    given: dict[str, Any] = {name: x for name, x in both if x is not None}
    rates = [one.rate for one in controllers if hasattr(one, "rate")]
    rule = chosen_step(model, initial, float(span), rates).step
    most = min(longest_of(model, given.get("rtol")) * rule, float(span) / PARTS)
    steps = {f"steps_{name}": x for name, x in given.items()}
    if not given:
        steps = usual_steps(model, min(rule, most))
    return ErrorControl(**given, **steps, most=most), rule


def longest_of(model: Any, rtol: float | None) -> float:
    """Longest step of a tolerance that was asked for, over that of the rule.

    It goes with the root of a tolerance coarser than the usual one, as steps of second order do.
    In long steps of piles what is left of the laws counts for more, and they pay only where
    contacts are few.
    """
    usual = ErrorControl.steps_rtol
    if not are_few(model):
        return LONGEST
    return LONGEST * math.sqrt(max(1.0, (usual if rtol is None else rtol) / usual))


def usual_steps(model: Any, rule: float) -> dict[str, Any]:
    """Options of steps that were given no tolerance; `rule`: their step by the rule."""
    if model.is_maximal and model.joints and not (has_springs(model) or rubs_by_load(model)):
        # what joints hold moves at rates that a tolerance may follow with steps far shorter than
        # contacts need: without one that was asked for they are no shorter than those of the rule
        return {"steps_rtol": JOINTED, "least": rule}
    return {}


def has_springs(model: Any) -> bool:
    """Whether anything gives way where it is touched: the rule of steps knows no springs."""
    stops = [row.stop for row in one_sided_rows(model)]
    return any(who_gives(model, name) for name in SOFT) or any(
        given(stop.stiffness) or given(stop.frequency) for stop in stops
    )


def rubs_by_load(model: Any) -> bool:
    """Whether friction goes with the force in a joint: it follows the motion at any step."""
    return any(row.law == BOX and row.joint for row in one_sided_rows(model))


def control_with_rule(integrator: Any, model: Any, rule: float) -> ErrorControl:
    """Error control of steps with impulses in a run that goes on with them after located events.

    Of the tolerance of the run, if it was given one.
    """
    steps = usual_steps(model, rule)
    if integrator.rtol != DEFAULT_RTOL or integrator.atol is not None:
        steps = {"steps_rtol": max(integrator.rtol, TIGHTEST), "steps_atol": integrator.atol}
    return ErrorControl(rtol=integrator.rtol, atol=integrator.atol, **steps, most=LONGEST * rule)
