"""Inputs for prescribed outputs, as they are returned."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.model.basics.names import nearest

Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Servo:
    """Inputs with which outputs follow what is prescribed, and the motion that belongs to them.

    Attributes
    ----------
    t : (samples,)  [s]
    inputs : name -> (samples,)
    q, v, a : (samples, n)      coordinates, velocities, accelerations
    coordinates : names
    realisation : "orthogonal": inputs act on all prescribed outputs at once; "mixed": on some
        combinations of them; "tangent": on none
    index : of the differential-algebraic equations
    flat : whether everything follows from the outputs, without an integration
    internal : how many states are integrated
    eigenvalues : of the internal dynamics, linearised where the outputs come to rest; None where
        they do not, or there is none
    """

    t: Array
    inputs: dict[str, Array]
    q: Array
    v: Array
    a: Array
    coordinates: tuple[str, ...]
    realisation: str
    index: int
    flat: bool
    internal: int
    eigenvalues: Array | None
    multipliers: Array
    _replay: Any = field(repr=False, compare=False, default=None)

    def __getitem__(self, name: Any) -> Array:
        """An input, a coordinate or a velocity by its name."""
        key = name if isinstance(name, str) else repr(name)
        if key in self.inputs:
            return self.inputs[key]
        names, name = list(self.coordinates), key.removesuffix(".dot")
        if name not in names:
            known = [*self.inputs, *names, *(f"{x}.dot" for x in names)]
            raise OptionError(f"Servo: there is no {key!r}{nearest(key, known)}")
        return (self.q if name == key else self.v)[:, names.index(name)]

    def __repr__(self) -> str:
        return (
            f"Servo({', '.join(self.inputs)}: {len(self.t)} samples, {self.realisation}"
            f" realisation, index {self.index})"
        )

    def __str__(self) -> str:
        kind = "flat: no state is left to integrate" if self.flat else ""
        if not self.flat:
            kind = f"{self.internal} states of internal dynamics were integrated"
        lines = [f"{self.realisation} realisation, index {self.index}; {kind}"]
        if self.eigenvalues is not None and len(self.eigenvalues):
            shown = ", ".join(f"{x:.6g}" for x in self.eigenvalues)
            lines.append(f"at rest the internal dynamics have the eigenvalues {shown}")
        return "\n".join(lines)

    def replay(self, step: float | None = None) -> Array:
        """Errors of the outputs (samples, outputs) when the inputs are played to the model alone.

        The model begins where this motion begins and knows nothing of the outputs.
        """
        return np.asarray(self._replay(self, step))
