"""Figures of analyses: which there are of what, and their options."""

from __future__ import annotations

from typing import Any

from dalembert.analysis.kinematics.kinematics import Kinematics
from dalembert.analysis.linear.linearization import Linearization
from dalembert.analysis.linear.locus import Locus
from dalembert.errors import OptionError
from dalembert.plotting.driven import coupler_curve, over_drive
from dalembert.plotting.linear_models import campbell, frequency_response, poles, root_locus

KINDS = (Kinematics, Linearization, Locus)


def of_analysis(thing: Any, what: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The figure of a linear model, of several over a parameter, or of a driven mechanism."""
    if isinstance(thing, Kinematics):
        if what[:1] == ("coupler-curve",):
            return _called("coupler-curve", coupler_curve, thing, options, ("points",))
        _refuse("signals", options, ())
        return over_drive(thing, *what)
    if isinstance(thing, Locus):
        known: dict[str, Any] = {
            "campbell": (campbell, ()),
            "root-locus": (root_locus, ()),
        }
        default = "campbell" if thing.whirl.any() else "root-locus"
    else:
        known = {
            "frequency-response": (frequency_response, ("frequencies",)),
            "poles": (poles, ()),
        }
        default = "frequency-response" if thing.inputs and thing.outputs else "poles"
    name = what[0] if what else default
    if len(what) > 1 or name not in known:
        raise OptionError(
            f"plot: {', '.join(map(repr, what))} of {thing!r}. Give one of {', '.join(known)}."
        )
    draw, own = known[name]
    return _called(name, draw, thing, options, own)


def _called(
    name: str, draw: Any, thing: Any, options: dict[str, Any], known: tuple[str, ...]
) -> Any:
    _refuse(name, options, known)
    if name == "coupler-curve" and "points" not in options:
        raise OptionError("plot 'coupler-curve': points= is missing. Give frames of bodies.")
    return draw(thing, **options)


def _refuse(name: str, options: dict[str, Any], known: tuple[str, ...]) -> None:
    for key in options:
        if key not in known:
            have = f"It has {', '.join(known)}." if known else "It has none."
            raise OptionError(f"plot: {name!r} has no option {key!r}. {have}")
