"""`root_locus` and `campbell`: eigenvalues over a parameter (analysis 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, linear_sum_assignment

from dalembert.analysis.linear.family import Family, checked_values, family
from dalembert.analysis.linear.linearization import Linearization
from dalembert.analysis.linear.whirl import whirls
from dalembert.analysis.table import text_table
from dalembert.errors import OptionError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Locus:
    """Eigenvalues of linear models over a parameter, followed from one value to the next.

    Attributes
    ----------
    parameter : its name
    values : (k,)
    eigenvalues : (k, n)  [1/s]; a column is one eigenvalue followed
    whirl : (k, n)   1 where the mode turns forward about its axis, -1 backward, 0 neither; only
        of `campbell` with a body
    """

    parameter: str
    values: Array
    eigenvalues: NDArray[np.complex128]
    models: tuple[Linearization, ...]
    whirl: Array
    rotor: Any
    _parts: NDArray[np.bool_]
    _family: Family

    @property
    def frequencies(self) -> Array:
        """(k, n) angular frequencies of modes that swing; backward whirl is negative."""
        chosen = self._chosen
        found = self.eigenvalues.imag[:, chosen]
        return np.asarray(np.where(self.whirl[:, chosen] < 0.0, -found, found))

    @property
    def whirl_of_frequencies(self) -> Array:
        """(k, n) whirl of the columns of `frequencies`."""
        return np.asarray(self.whirl[:, self._chosen])

    @property
    def _chosen(self) -> list[int]:
        """Columns that swing, of conjugates the one above the axis."""
        return [j for j in range(self.eigenvalues.shape[1]) if self._swings(j)]

    def _swings(self, j: int) -> bool:
        part = self.eigenvalues[:, j].imag
        return bool(np.all(part > 1e-9 * np.abs(self.eigenvalues).max()))

    def critical_speeds(self, multiple: float = 1.0) -> Array:
        """Values at which a frequency is `multiple` times the parameter, each solved for.

        Where whirl is known, those of modes whose orbits have a part that turns forward, for
        negative multiples backward: an unbalance excites no others. In bearings that are the same
        all around that are the forward modes, in others as a rule all (analysis 5.2).
        """
        side, found = 0 if multiple > 0.0 else 1, []
        for j in self._chosen:
            frequency = self.eigenvalues[:, j].imag
            gap = frequency - abs(multiple) * self.values
            for k in range(len(gap) - 1):
                if gap[k] * gap[k + 1] > 0.0 or not self._parts[k + 1, j, side]:
                    continue
                low, high = map(float, self.values[k : k + 2])
                ends = np.interp([low, high], self.values, frequency)

                def off(x: float, low: float = low, high: float = high, ends: Any = ends) -> float:
                    near = float(np.interp(x, [low, high], ends))
                    return self._nearest(x, near, side) - abs(multiple) * x

                found.append(float(brentq(off, low, high, xtol=1e-13, rtol=1e-14)))
        return np.array(sorted(found))

    def _nearest(self, value: float, frequency: float, side: int) -> float:
        """The frequency of the mode in question at a value of the parameter."""
        own, _, _, parts = whirls(self._family(value), self.rotor)
        swinging = (own.imag > 0.0) & parts[:, side]
        some = own.imag[swinging] if swinging.any() else own.imag
        return float(some[np.argmin(np.abs(some - frequency))])

    def table(self) -> str:
        """A text: eigenvalues by value."""
        columns = [f"{i}" for i in range(self.eigenvalues.shape[1])]
        rows = [
            [f"{p:.6g}", *(f"{x.real:.4g}{x.imag:+.6g}j" for x in row)]
            for p, row in zip(self.values, self.eigenvalues, strict=True)
        ]
        return text_table([self.parameter, *columns], rows)

    def __repr__(self) -> str:
        low, high = self.values[0], self.values[-1]
        n = self.eigenvalues.shape[1]
        return f"Locus({self.parameter} = {low:g} ... {high:g}, {n} eigenvalues)"


def root_locus(model: Any, parameter: Any = None, values: Any = (), *, state: Any = None) -> Locus:
    """Eigenvalues of the motion near a state over values of a parameter.

    Parameters
    ----------
    model : Model, or a function of the value that returns a linearization or an equilibrium
    parameter : name of a parameter of the model
    values : of the parameter
    state : as for `linearize`, or a function of the value; by default the model's own start, which
        may be given by formulas of the parameter

    Examples
    --------
    >>> import numpy as np
    >>> import dalembert as dl
    >>> (x,) = dl.coordinates("x")
    >>> (c,) = dl.parameters(c=0.0)
    >>> model = dl.Model.from_lagrangian(
    ...     kinetic=x.dot**2 / 2, potential=2 * x**2, forces={x: -c * x.dot}
    ... )
    >>> locus = dl.root_locus(model, "c", [0.0, 2.0, 5.0])
    >>> np.sort(locus.eigenvalues.real).round(3).tolist()[1:]
    [[-1.0, -1.0], [-4.0, -1.0]]
    """
    make, name = family(model, parameter, state, "root_locus")
    return _followed(make, name, checked_values(values, "root_locus"), None)


def campbell(
    model: Any,
    parameter: Any = None,
    speeds: Any = (),
    *,
    body: str | None = None,
    axis: Any = "z",
    state: Any = None,
) -> Locus:
    """Frequencies over the speed of a rotor; with `body` forward and backward whirl are told apart.

    Parameters
    ----------
    body : name of the body that whirls
    axis : of its rotation, "x", "y", "z" or 3 numbers
    model, parameter, speeds, state : as for `root_locus`
    """
    make, name = family(model, parameter, state, "campbell")
    speeds = checked_values(speeds, "campbell")
    if body is not None and body not in make(float(speeds[0])).model.bodies:
        raise OptionError(f"campbell: the model has no body {body!r}.")
    return _followed(make, name, speeds, None if body is None else (body, axis))


def _followed(make: Family, name: str, values: Array, whirling: Any) -> Locus:
    models = tuple(make(float(value)) for value in values)
    rows: list[Any] = []
    marks: list[Any] = []
    parts: list[Any] = []
    shapes: Any = None
    for near in models:
        own, vectors, turned, part = whirls(near, whirling)
        vectors = vectors / np.linalg.norm(vectors, axis=0)
        order = np.lexsort((own.real, own.imag))
        if rows:
            order = _matched(rows, shapes, own, vectors)
        rows.append(own[order])
        marks.append(turned[order])
        parts.append(part[order])
        shapes = vectors[:, order]
    told = np.array(marks), whirling, np.array(parts)
    return Locus(name, values, np.array(rows), models, *told, make)


def _matched(rows: list[Any], shapes: Any, own: Any, vectors: Any) -> Any:
    """The order in which eigenvalues and shapes continue those before."""
    if len(rows[-1]) != len(own):
        raise OptionError("The number of independent coordinates changes with the parameter.")
    expected = rows[-1] if len(rows) < 2 else 2.0 * rows[-1] - rows[-2]
    size = max(1e-300, float(np.abs(own).max()))
    far = np.abs(expected[:, None] - own[None, :]) / size
    unlike = 1.0 - np.abs(shapes.conj().T @ vectors)
    return linear_sum_assignment(far + 0.3 * unlike)[1]
