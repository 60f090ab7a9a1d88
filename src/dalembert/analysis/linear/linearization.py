"""A linear model of the motion near a state, and what is asked of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.analysis.linear.modes import Mode, eigen, modes_of
from dalembert.analysis.linear.reduce import Reduced
from dalembert.analysis.linear.shapes import shape_motion
from dalembert.analysis.table import text_table
from dalembert.errors import OptionError

Array = NDArray[np.float64]

STILL = 1e-8
"""Rates, over the largest that enter, up to which a state is steady or at rest."""

TURNS = 1e-6
"""Change of A, over its size, a thousandth of a radian later, up to which it stays the same."""

FELT = 1e-9
"""Entry of A, over the largest, up to which a state does not depend on another."""

UNSTABLE = 1e-7
"""Growth, over the largest eigenvalue, from which on a mode counts as growing."""


@dataclass(frozen=True, eq=False, repr=False)
class Linearization:
    """x' = A x + B u,  y = C x + D u,  x and y being differences from the state.

    Attributes
    ----------
    A, B, C, D : matrices
    states, inputs, outputs : names
    t, q, v, a : the state, and its accelerations
    y : values of the outputs at the state
    drift : rates of the states at the state itself; zero at an equilibrium
    left_out : parts of the model that it does not have
    chosen : coordinates that were asked for as states, or None
    """

    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    model: Any
    t: float
    q: Array
    v: Array
    a: Array
    y: Array
    near: Reduced
    drift: Array
    left_out: tuple[str, ...] = ()
    chosen: Any = None

    @cached_property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """All eigenvalues of A  [1/s]."""
        values = eigen(self.A, self.near)[0]
        return np.asarray(values[np.lexsort((values.real.round(9), values.imag))])

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The states that are coordinates; the others are velocities."""
        return self.states[: len(self.near.Fx)]

    @property
    def is_equilibrium(self) -> bool:
        """Whether the state is at rest and stays there."""
        return bool(np.abs(self.drift).max(initial=0.0) <= STILL * max(1.0, self._scale))

    @cached_property
    def is_steady(self) -> bool:
        """Whether velocities stay as they are, and A stays the same along the motion (3.4).

        States that nothing depends on, such as the place of a wheel that rolls, are left out.
        """
        n, felt = len(self.near.Fx), self._felt
        still = np.abs(self.drift[n:]).max(initial=0.0) <= STILL * max(1.0, self._scale)
        way = self.A[felt] @ np.concatenate([self.drift[:n], np.zeros(len(self.drift) - n)])
        if not still or np.abs(way).max(initial=0.0) > 1e-7 * max(1.0, self._scale):
            return False
        if not np.any(self.drift):
            return True
        from dalembert.analysis.linear.linearize import next_along

        later = next_along(self)
        if later.states != self.states:
            return False
        change = np.abs(later.A - self.A)[np.ix_(felt, felt)].max(initial=0.0)
        return bool(change <= TURNS * max(1.0, float(np.abs(self.A).max(initial=0.0))))

    @property
    def _felt(self) -> NDArray[np.int64]:
        """States that others depend on, or that depend on themselves."""
        felt = np.arange(len(self.A))
        nothing = FELT * float(np.abs(self.A).max(initial=0.0))
        while True:
            held = np.abs(self.A[np.ix_(felt, felt)]).max(axis=0, initial=0.0) > nothing
            if held.all():
                return felt
            felt = felt[held]

    @property
    def _scale(self) -> float:
        """Accelerations of single bodies or coordinates, were they free."""
        return float(np.abs(self.a).max(initial=0.0) + np.abs(self.A).max(initial=0.0))

    @property
    def is_stable(self) -> bool:
        """Whether no mode grows; modes with eigenvalue 0 or on the axis do not."""
        values = self.eigenvalues
        size = float(np.abs(values).max(initial=0.0))
        return bool(values.real.max(initial=0.0) <= UNSTABLE * max(size, 1e-300))

    def modes(self) -> list[Mode]:
        """Modes, slow ones first; of a pair of conjugates the one with positive frequency."""
        return modes_of(self.A, self.near, self.states)

    def frequencies(self) -> Array:
        """Angular frequencies of the modes that swing, ascending  [rad/s]."""
        found = [float(m.frequency) for m in self.modes()]
        size = max(found, default=0.0)
        return np.array(sorted(x for x in found if x > 1e-9 * size))

    def shape(
        self, mode: Any = 0, *, amplitude: float | None = None, cycles: int = 2, samples: int = 60
    ) -> Any:
        """A mode as a motion that can be played: a `Solution` for `save_html` or `view`.

        Parameters
        ----------
        mode : Mode, or its number in `modes()`
        amplitude : of its largest coordinate; by default a tenth of the model's size
        cycles, samples : how many, and samples in each
        """
        if isinstance(mode, int | np.integer):
            known = self.modes()
            if not -len(known) <= mode < len(known):
                raise OptionError(f"shape: there are {len(known)} modes, and none {mode}.")
            mode = known[mode]
        return shape_motion(self, mode, amplitude, cycles, samples)

    # -- responses -------------------------------------------------------------------------------

    def frequency_response(self, frequencies: ArrayLike) -> NDArray[np.complex128]:
        """G(i w) = C (i w - A)^-1 B + D, (frequencies, outputs, inputs)."""
        if not self.inputs or not self.outputs:
            raise OptionError("frequency_response: give inputs= and outputs= to linearize.")
        w = np.atleast_1d(np.asarray(frequencies, dtype=float))
        if not np.isfinite(w).all():
            raise OptionError("frequency_response: a frequency is not finite.")
        unit = np.eye(len(self.A))
        with np.errstate(all="ignore"):
            return np.array(
                [self.C @ np.linalg.solve(1j * x * unit - self.A, self.B) + self.D for x in w]
            )

    def to_scipy(self) -> Any:
        """`scipy.signal.StateSpace` of A, B, C, D."""
        from scipy.signal import StateSpace

        return StateSpace(self.A, *self._filled())

    def to_control(self) -> Any:
        """`control.StateSpace` of python-control, with the names; it must be installed."""
        try:
            import control
        except ImportError:
            raise OptionError(
                "to_control needs the package python-control. Install it: pip install control."
            ) from None
        B, C, D = self._filled()
        names: dict[str, Any] = {"states": [x.replace(".", "_") for x in self.states]}
        if self.inputs:
            names["inputs"] = [x.replace(".", "_") for x in self.inputs]
        if self.outputs:
            names["outputs"] = [x.replace(".", "_") for x in self.outputs]
        return control.ss(self.A, B, C, D, **names)

    def _filled(self) -> tuple[Array, Array, Array]:
        """B, C, D; without inputs one that does nothing, without outputs the states."""
        n = len(self.A)
        B = self.B if self.inputs else np.zeros((n, 1))
        C = self.C if self.outputs else np.eye(n)
        D = self.D if self.inputs and self.outputs else np.zeros((len(C), B.shape[1]))
        return B, C, D

    # -- telling ---------------------------------------------------------------------------------

    def summary(self) -> str:
        """A text: what state it is, and a table of modes."""
        told = "stable" if self.is_stable else "unstable"
        if self.is_equilibrium:
            kind = f"an equilibrium; {told}"
        elif self.is_steady:
            kind = f"a steady motion; {told}"
        else:
            kind = "a moving state: A holds at this instant, and its modes do not tell stability"
        head = f"{self.model.name} near {kind}"
        rows = [
            [
                f"{k}",
                f"{m.eigenvalue.real + 0.0:.6g}",
                f"{m.frequency:.6g}",
                f"{m.frequency / (2 * np.pi):.6g}",
                f"{m.damping:.4g}",
                self.states[int(np.argmax(np.abs(m.shape[: max(1, len(self.coordinates))])))],
            ]
            for k, m in enumerate(self.modes())
        ]
        table = text_table(["mode", "growth 1/s", "rad/s", "Hz", "damping", "mostly"], rows)
        more = [f"left out: {', '.join(self.left_out)}"] if self.left_out else []
        return "\n".join([head, table, *more])

    def __repr__(self) -> str:
        return (
            f"Linearization({self.model.name!r}: {len(self.states)} states,"
            f" {len(self.inputs)} inputs, {len(self.outputs)} outputs)"
        )
