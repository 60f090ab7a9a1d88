"""Formulas as text that a model file may hold, and the names that formulas of a file may use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression, coordinate
from dalembert.formulas.graph import substitute, symbols
from dalembert.formulas.text import to_text
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.rigid_body import Body
from dalembert.model.joints.joint import Joint

LONGEST = 20_000
"""Characters of one formula; shared parts are written out each time, so text can explode."""


def text_of(formula: Expression, names: Mapping[Expression, str] | None = None) -> str:
    """The formula as text that a file may hold; `names` of symbols that stand for something."""
    replaced: dict[Any, Any] = {
        leaf: coordinate(file_name(leaf.name))
        for leaf in symbols([formula], "coordinate", "velocity")
        if ":" in leaf.name
    }
    replaced |= {symbol: coordinate(name) for symbol, name in (names or {}).items()}
    if replaced:
        (formula,) = substitute([formula], replaced)
    text = to_text(formula, limit=LONGEST)
    if len(text) > LONGEST:
        raise ModelError(
            f"the formula {text[:60]}... is too long to be written as text. Keep this model as a "
            "Python file."
        )
    return text


def file_name(symbol: str) -> str:
    """``ship:R01`` -> ``ship.R01``, ``ship:w0`` -> ``ship.wx``: what a file calls a symbol."""
    name, _, part = symbol.partition(":")
    if part[0] == "w":
        return f"{name}.w{'xyz'[int(part[1])]}"
    if part[0] == "q":
        return f"{name}.q{'wxyz'[int(part[1])]}"
    return f"{name}.{part}"


def body_symbols(body: Body) -> dict[str, Expression]:
    """Everything formulas of a file may say about a body, by name."""
    parts = ("x", "y", "z", "roll", "pitch", "yaw")
    found = _with_rates(body.name, {part: getattr(body, part) for part in parts})
    if body.orientation == "quaternion":
        own = [*getattr(body, "center_symbols", ()), *body.rotation.ravel()]
        own += [*body.quaternion, *body.angular_velocity]
        found |= {file_name(s.name) if ":" in s.name else s.name: s for s in own}
    return found


def joint_symbols(joint: Joint) -> dict[str, Expression]:
    """Coordinates of a joint, by name."""
    found = _with_rates(joint.name, {part: getattr(joint, part) for part in joint.coordinates})
    for leaf in symbols(list(found.values()), "coordinate"):
        if leaf.name.endswith(":turns"):
            found[file_name(leaf.name)] = leaf
    return found


def _with_rates(name: str, parts: Mapping[str, Expression]) -> dict[str, Expression]:
    """Formulas as ``name.part``, and ``name.part.dot`` where the parser cannot find it itself."""
    found: dict[str, Expression] = {}
    for part, formula in parts.items():
        found[f"{name}.{part}"] = formula
        if formula.op != "coordinate":
            found[f"{name}.{part}.dot"] = formula.dot
    return found


def number_of(quantity: Quantity) -> float | str:
    """A number as a number, a formula as text."""
    if isinstance(quantity, Expression):
        return quantity.value if quantity.op == "constant" else text_of(quantity)
    return quantity
