"""Outputs of a linear model: formulas, or names of signals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dalembert.errors import OptionError
from dalembert.formulas.expression import Expression, lift
from dalembert.formulas.graph import symbols
from dalembert.formulas.node import Node
from dalembert.model.basics.by_name import formula_of, unwritten


def output_formulas(model: Any, given: Any) -> dict[str, Expression]:
    """Outputs by name: from names, formulas, or a dict {name: formula}."""
    if given is None:
        return {}
    if isinstance(given, str | Node):
        given = [given]
    pairs: Sequence[tuple[Any, Any]]
    pairs = list(given.items()) if isinstance(given, Mapping) else [(None, x) for x in given]
    found: dict[str, Expression] = {}
    for name, what in pairs:
        formula = _formula(model, what)
        _only_known(model, formula)
        found[str(what if name is None else name)] = formula
    return found


def _formula(model: Any, what: Any) -> Expression:
    if isinstance(what, Node):
        return lift(what)
    if isinstance(what, str):
        formula = formula_of(model, what)
        if formula is not None:
            return formula
    reason = unwritten(model, what) if isinstance(what, str) else ""
    raise OptionError(
        f"outputs: {what!r:.60} is no signal of model {model.name!r}.{reason} Give a formula, or a"
        " name such as 'crank.x', 'bearing.angle', 'bearing.angle.dot'."
    )


def _only_known(model: Any, formula: Expression) -> None:
    names = {x.name for x in model.coordinates}
    for leaf in symbols([formula], "coordinate", "velocity"):
        owner = leaf.name.partition(":")[0] if ":" in leaf.name else leaf.name.rpartition(".")[0]
        if model.is_maximal:
            known = owner in model.bodies or owner in model.joints
        else:
            known = leaf.name in names
        if not known:
            raise OptionError(f"outputs: {leaf!r} is nothing of model {model.name!r}.")
