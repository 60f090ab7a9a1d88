"""Targets: what of a run an axis changes, found by its name.

    parameter      a parameter of the model
    initial        a coordinate or velocity at the start, of bodies and joints too: ``trunk.z``
    catalog        an option of a model of the catalog: ``count`` of ``chain``
    simulate       a number among the options of the run: ``step``, ``rtol``
    row            whatever a function of the row makes of it

A name is looked for in this order; ``initial.x`` or ``simulate.step`` names its kind itself.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dalembert.errors import OptionError
from dalembert.formulas import Expression
from dalembert.model.basics.by_name import name_of
from dalembert.model.basics.names import did_you_mean
from dalembert.model.core.model import Model

NUMBERS = ("until", "start", "step", "rtol", "atol", "initial_limit")
"""Options of `simulate` that an axis may change."""

KINDS = ("parameter", "initial", "catalog", "simulate")


@dataclass(frozen=True)
class Target:
    """One thing that changes from row to row; `whole` asks for a whole number."""

    kind: str
    name: str
    whole: bool = False


def axis_name(key: Any, model: Any) -> str:
    """The name of an axis that was given as a parameter, a coordinate, a formula or a name."""
    if isinstance(key, str):
        return key
    if isinstance(key, Expression):
        if key.op == "parameter":
            return str(key.name)
        found = name_of(model, key) if isinstance(model, Model) else None
        if found is not None:
            return found
    raise OptionError(
        f"sweep: the axis {key!r:.60} is neither a parameter nor a coordinate. Give its name."
    )


def find_target(name: str, model: Any, options: Mapping[str, Any], whole: bool) -> Target:
    """The target that the axis of this name changes.

    Parameters
    ----------
    model : Model, or None for a function of the row
    options : default values of the options of a model of the catalog, by name
    """
    if model is None:
        return Target("row", name, whole)
    head, dot, rest = name.partition(".")
    if dot and head in KINDS and rest and not _is(name, "parameter", model, options):
        if not _is(rest, head, model, options):
            raise OptionError(f"sweep: {_unknown(rest, model, options)}")
        return Target(head, rest, whole)
    for kind in KINDS:
        if _is(name, kind, model, options):
            return Target(kind, name, whole)
    raise OptionError(f"sweep: {_unknown(name, model, options)}")


def _is(name: str, kind: str, model: Model, options: Mapping[str, Any]) -> bool:
    if kind == "parameter":
        return name in model.parameters
    if kind == "initial":
        return name in start_names(model)
    return name in (options if kind == "catalog" else NUMBERS)


def start_names(model: Model) -> Any:
    """Names that a start may give: coordinates and velocities, of bodies and joints too."""
    if model.bodies:
        from dalembert.model.start.given_names import StartNames

        return StartNames(model)
    names = [coordinate.name for coordinate in model.coordinates]
    return [*names, *(f"{name}.dot" for name in names)]


def catalog_options(name: str) -> dict[str, Any]:
    """Options of a model of the catalog with their default values."""
    from dalembert import catalog

    found = inspect.signature(catalog._function(name)).parameters
    return {key: option.default for key, option in found.items()}


def _unknown(name: str, model: Model, options: Mapping[str, Any]) -> str:
    known = [*model.parameters, *options, *start_names(model), *NUMBERS]
    parts = [("parameters", model.parameters), ("options", options)]
    said = [f"{what} {', '.join(names)}" for what, names in parts if names]
    start = list(start_names(model))
    shown = ", ".join(start[:4]) + (", ..." if len(start) > 4 else "")
    return (
        f"model {model.name!r} has no {name!r} that could be changed{did_you_mean(name, known)}"
        f" There are {'; '.join([*said, f'initial values {shown}', ', '.join(NUMBERS)])}."
    )
