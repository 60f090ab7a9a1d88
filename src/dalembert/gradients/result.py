"""Derivatives of a run, as they are returned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.model.basics.names import nearest

Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Sensitivity:
    """Outputs of a run and their exact derivatives.

    Attributes
    ----------
    t : (samples,)                                      [s]
    values : (samples, outputs)
    derivatives : (samples, outputs, variables)
    outputs, variables : names, in this order; a control of several rows is one variable each
    mode : "forward" or "adjoint"
    step : longest step  [s]
    events : (name, time) of the events that were met
    contact : "smooth: ..." where shapes touch by springs and regularised friction; "" without any

    With parameters of many worlds all but the names have a first axis for them.

    Examples
    --------
    >>> import dalembert as dl, numpy as np
    >>> (x,), (k,) = dl.coordinates("x"), dl.parameters(k=4.0)
    >>> model = dl.Model.from_lagrangian(
    ...     kinetic=x.dot**2 / 2, potential=k * x**2 / 2, coordinates=[x], initial={x: 1.0})
    >>> found = dl.sensitivity(model, [x], [k, x], until=1.0)
    >>> float(found["x", "k"].round(9)), float(found["x", "x"].round(9))
    (-0.227324357, -0.416146837)
    """

    t: Array
    values: Array
    derivatives: Array
    outputs: tuple[str, ...]
    variables: tuple[str, ...]
    mode: str
    step: float
    events: tuple[Any, ...] = ()
    contact: str = ""

    def __repr__(self) -> str:
        of, by = (", ".join(dict.fromkeys(x)) for x in (self.outputs, self.variables))
        return f"Sensitivity({of} by {by}, {len(self.t)} samples, {self.mode})"

    def __str__(self) -> str:
        """Values and derivatives at the last sample, and what the run went through."""
        if self.values.ndim > 2:
            return f"derivatives of {len(self.values)} worlds"
        wide = max(map(len, ("", *self.outputs)))
        rows = [f"at {self.t[-1]:g} s, {self.mode}, step {self.step:.3g} s"]
        for i, name in enumerate(self.outputs):
            rows.append(f"{name:{wide}} = {self.values[-1, i]:.9g}")
            by = zip(self.variables, self.derivatives[-1, i], strict=True)
            rows += [f"{'':{wide}}   d/d {variable} = {slope:.9g}" for variable, slope in by]
        if self.events:
            rows.append(f"through {len(self.events)} events")
        return "\n".join([*rows, f"contact is {self.contact}"] if self.contact else rows)

    def __getitem__(self, key: tuple[Any, Any]) -> Any:
        """The derivative of an output by a variable, at the last sample; of all rows of a control.

        Given as (output, variable), each by its name or formula.
        """
        if not isinstance(key, tuple) or len(key) != 2:
            raise OptionError(f"Sensitivity: {key!r:.60}: give [output, variable].")
        of, by = (k if isinstance(k, str) else repr(k) for k in key)
        for name, known in ((of, self.outputs), (by, self.variables)):
            if name not in known:
                raise OptionError(
                    f"Sensitivity: there is no {name!r}{nearest(name, list(dict.fromkeys(known)))}"
                )
        columns = [k for k, name in enumerate(self.variables) if name == by]
        found = self.derivatives[..., -1, self.outputs.index(of), :][..., columns]
        return found[..., 0] if len(columns) == 1 else found
