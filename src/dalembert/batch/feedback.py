"""Feedback of many worlds: formulas within the kernels, or a Python function of all at once."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from dalembert.batch.given import name_of
from dalembert.errors import OptionError
from dalembert.formulas import Expression, constant
from dalembert.model.basics.unchanging import Settled
from dalembert.model.core.model import Model
from dalembert.model.core.replacing import replace_parts, resolved
from dalembert.simulation.prepare.controllers import commanded


@dataclass(frozen=True, eq=False)
class Feedback(Settled):
    """A Python function that commands the actuators of all worlds at once.

    Parameters
    ----------
    function : ``function(t, x)`` with the inputs of all worlds in x, (worlds, inputs); it returns
        (worlds, outputs) numbers, which are held until the next call
    outputs : actuators or parameters, or their names
    inputs : names and formulas
    every : int         steps from call to call
    """

    function: Callable[[float, Any], Any]
    _: KW_ONLY
    outputs: Sequence[Any]
    inputs: Sequence[Any]
    every: int = 1

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise OptionError(
                f"Feedback: {self.function!r:.60} cannot be called. Give a function of (t, x)."
            )
        if isinstance(self.every, bool) or not isinstance(self.every, int) or self.every < 1:
            raise OptionError(f"Feedback: every is {self.every!r}. Give a whole number of steps.")
        for what in ("outputs", "inputs"):
            given = getattr(self, what)
            if isinstance(given, str | Expression):
                given = [given]
            if not len(given):
                raise OptionError(f"Feedback: it has no {what}. Give names or formulas.")
            object.__setattr__(self, what, tuple(given))


def with_formulas(model: Model, who: str, feedback: Mapping[Any, Any]) -> Model:
    """The model with formulas as commands of actuators."""
    made = copy.copy(model)
    for key, formula in feedback.items():
        name = name_of(key)
        commanded(made, who, [key])  # says who takes no command
        force: Any = made.forces.get(name)
        if force is None:
            raise OptionError(
                f"{who}: feedback for {name!r}, which is a parameter. Give formulas to actuators;"
                " write a parameter's formula into the model itself."
            )
        field = "command" if hasattr(force, "command") else "value"
        if not isinstance(formula, Expression):
            formula = constant(float(formula))
        element = resolved(made, dataclasses.replace(force, **{field: formula}))
        replace_parts(made, forces={name: element})
    return made


def mlp(inputs: Sequence[Any], layers: Sequence[tuple[Any, Any]], activation: str = "tanh") -> Any:
    """Outputs of a multilayer perceptron as formulas of its inputs.

    Parameters
    ----------
    inputs : formulas
    layers : (W, b) of each layer, W with a row for each output; the activation follows all but
        the last
    activation : "tanh" or "relu"

    Examples
    --------
    >>> import dalembert as dl, numpy as np
    >>> x, y = dl.coordinates("x y")
    >>> dl.mlp([x, y], [(np.array([[1.0, 2.0]]), np.array([0.5]))])[0]
    x + 2*y + 0.5
    """
    if activation not in ("tanh", "relu"):
        raise OptionError(f"mlp: activation is {activation!r}. Give 'tanh' or 'relu'.")
    x = np.array(list(inputs), dtype=object)
    for k, (W, b) in enumerate(layers):
        weights, offsets = np.asarray(W, dtype=float), np.asarray(b, dtype=float)
        if weights.ndim != 2 or weights.shape[1] != len(x) or offsets.shape != (len(weights),):
            raise OptionError(
                f"mlp: layer {k} has W of the shape {weights.shape} and b of {offsets.shape} for"
                f" {len(x)} inputs. W has a row for each output and a column for each input."
            )
        x = weights.astype(object) @ x + offsets.astype(object)
        if k < len(layers) - 1:
            x = np.array([np.tanh(y) if activation == "tanh" else np.maximum(y, 0.0) for y in x])
    return x
