"""The initial state as the user gave it, read and checked."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import numpy as np

from dalembert.errors import ModelError, OptionError
from dalembert.formulas import Expression
from dalembert.simulation.assembly.body_start import read_body_state, refuse_flat


def read_initial(model: Any, given: Any) -> tuple[np.ndarray, np.ndarray]:
    """(q0, v0) from what the user gave, the model's own initial state, and zero."""
    if model.is_maximal:
        return read_body_state(model, given)
    names = [x.name for x in model.coordinates]
    n = len(names)
    if given is not None and not isinstance(given, Mapping):
        return _from_arrays(given, names)
    q, v = np.zeros(n), np.zeros(n)
    for source in (model.initial, given or {}):
        for key, value in source.items():
            name = _key_name(key)
            try:
                number = float(value)
            except (TypeError, ValueError):
                raise OptionError(f"initial: {name!r} is {value!r}. Give a number.") from None
            if not np.isfinite(number):
                raise OptionError(f"initial: {name!r} is {number}. Give a finite number.")
            target, base = (v, name[:-4]) if name.endswith(".dot") else (q, name)
            if base not in names:
                near = difflib.get_close_matches(base, names, n=1)
                hint = f" Did you mean {near[0]!r}?" if near else ""
                raise ModelError(
                    f"initial: model {model.name!r} has no coordinate {base!r}.{hint}"
                    f" Its coordinates are {', '.join(names)}."
                )
            target[names.index(base)] = number
    return q, v


def _key_name(key: Any) -> str:
    if isinstance(key, Expression) and key.op in ("coordinate", "velocity"):
        return key.name if key.op == "coordinate" else f"{key.name.removesuffix('.dot')}.dot"
    if isinstance(key, str):
        return key[:-1] + ".dot" if key.endswith("'") else key
    raise OptionError(
        f"initial: the key {key!r} is neither a coordinate nor a velocity nor a name. "
        "Write for example {x: 1.0, x.dot: 0.5}."
    )


def _from_arrays(given: Any, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    n = len(names)
    refuse_flat(given, names)
    try:
        q, v = (np.array(part, dtype=float) for part in given)
    except (TypeError, ValueError):
        raise OptionError(
            "initial: give a dict {coordinate: value} or a pair of arrays (q0, v0)."
        ) from None
    for label, x in (("q0", q), ("v0", v)):
        if x.shape != (n,):
            raise OptionError(f"initial: {label} has shape {x.shape}, expected ({n},): {names}.")
        bad = np.flatnonzero(~np.isfinite(x))
        if bad.size:
            raise OptionError(
                f"initial: {label}[{bad[0]}] ({names[bad[0]]}) is {x[bad[0]]}. "
                "Give a finite number."
            )
    return q, v
