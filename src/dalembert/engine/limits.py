"""Bounds of numbers in an engine: values that Python refuses are refused in its words."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dalembert.engine.engine import Making
from dalembert.engine.watched_formulas import Binding
from dalembert.formulas import Expression, symbols
from dalembert.formulas.llvm_text import write_program
from dalembert.model.check.contact import limits_of


def bounds_of(making: Making, model: Any, system: Any, checked: Any) -> dict[str, Any] | None:
    """The function of numbers that have bounds, these and their sentences; None without any."""
    if not model.is_maximal:
        return None
    binding = Binding(model, system.parameter_names, checked.start_of("parameters"))
    formulas: list[Any] = []
    entries = []
    for limit in limits_of(model):
        if not (isinstance(limit.quantity, Expression) and symbols([limit.quantity], "parameter")):
            continue
        bound = binding.bound([limit.quantity, *limit.gaps.values()])
        if bound is None:
            continue
        first = len(formulas)
        formulas += bound
        entries.append(
            {
                "at": first,
                "low": limit.low if math.isfinite(limit.low) else None,
                "high": limit.high if math.isfinite(limit.high) else None,
                "strict": limit.strict,
                "sentence": limit.sentence,
                "gaps": {name: first + 1 + k for k, name in enumerate(limit.gaps)} | {"x": first},
            }
        )
    if not entries:
        return None
    making.array("bounded", np.zeros(len(formulas)))
    stores = [("out", i, x) for i, x in enumerate(formulas)]
    making.program.formulas(
        "bounded", write_program("bounded", ["t", "out"], stores, binding.places)
    )
    return {"subject": f"model '{model.name}'", "entries": entries}
