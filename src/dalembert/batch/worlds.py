"""`Worlds`: many worlds of one model that are taken forward together, a few steps at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.batch.core import Ended, Rolling, Wishes
from dalembert.batch.describe import core_of, formulas_of, threads_or_all, whole
from dalembert.batch.given import read_table
from dalembert.batch.starts import starts
from dalembert.errors import OptionError
from dalembert.formulas import symbols
from dalembert.model.core.model import Model
from dalembert.simulation.prepare.time_formulas import has_time

Array = NDArray[np.float64]


class Worlds:
    """Many worlds of one model: states that can be read, set and taken forward.

    Parameters
    ----------
    model, step, parameters, method, integrator, threads, engine : as in `rollout`
    worlds : int        how many
    controls : actuators or parameters, or their names, in the order in which `advance` takes them
    observe : names and formulas that `observed` has, in this order
    initial : as in `rollout`

    Attributes
    ----------
    q, v : (worlds, n)      states; write into them to set others, on the constraints if any
    observed : (worlds, signals)    signals after the last `advance`
    status : (worlds,)      0, or the code with which a world failed (`Status`); it stays as it is
        until it is reset
    t : float               time since the first step; setting it sets all clocks  [s]
    clocks : (worlds,)      time of each world, which `reset` puts back to the start  [s]. Models
        without time in their formulas do not see it

    Examples
    --------
    >>> import dalembert as dl, numpy as np
    >>> worlds = dl.Worlds(dl.catalog.load("pendulum"), 100, step=1e-3, observe=["y"])
    >>> worlds.advance(10)
    >>> worlds.observed.shape, round(worlds.t, 6)
    ((100, 1), 0.01)
    """

    def __init__(
        self,
        model: Model,
        worlds: int,
        *,
        step: float,
        controls: Sequence[Any] = (),
        observe: Sequence[Any] = (),
        initial: Any = None,
        parameters: Mapping[Any, Any] | None = None,
        start: float = 0.0,
        method: Any = None,
        integrator: Any = None,
        threads: int | None = None,
        engine: str = "auto",
    ) -> None:
        whole("Worlds", worlds=worlds, threads=threads or 1)
        signals = formulas_of("Worlds", "observe", model, observe)
        self._core = core_of(
            "Worlds",
            model,
            worlds=worlds,
            step=step,
            start=start,
            controls=list(controls),
            parameters=parameters,
            signals=list(signals.values()),
            stops=[],
            method=method,
            integrator=integrator,
            engine=engine,
        )
        self.signal_names = tuple(signals)
        system = self._core.setup.running
        self.coordinate_names = tuple(system.coordinate_names)
        self.velocity_names = tuple(system.velocity_names)
        self._initial = starts("Worlds", self._core, initial, worlds)
        self._q: Array = self._initial[0].copy()
        self._v: Array = self._initial[1].copy()
        self._step, self._threads = float(step), threads_or_all(threads)
        self._timed = has_time(model) or bool(symbols(signals.values(), "time"))
        self._t = self._start = float(start)
        self.clocks = np.full(worlds, self._start)
        self.status = np.zeros(worlds, dtype=np.int64)
        self._rolling: dict[int, Rolling] = {}
        self._out = np.zeros((worlds, 1, self._core.width))
        self._table = np.zeros((worlds, len(self._core.controls)))
        if signals:
            self._see()

    def __len__(self) -> int:
        return len(self.q)

    def __repr__(self) -> str:
        failed = int(np.sum(self.status != 0))
        text = f"Worlds({len(self)} worlds, t = {self.t:g} s, step {self._step:g} s, {self.engine}"
        return text + (f", {failed} failed)" if failed else ")")

    @property
    def q(self) -> Array:
        """Coordinates, (worlds, nq)."""
        return self._q

    @q.setter
    def q(self, given: Any) -> None:
        self._q[...] = read_table("Worlds", "q", given, self._q.shape)

    @property
    def v(self) -> Array:
        """Velocities, (worlds, nv)."""
        return self._v

    @v.setter
    def v(self, given: Any) -> None:
        self._v[...] = read_table("Worlds", "v", given, self._v.shape)

    @property
    def t(self) -> float:
        """Time since the first step  [s]."""
        return self._t

    @t.setter
    def t(self, given: float) -> None:
        self._t = float(given)
        self.clocks[:] = self._t

    @property
    def observed(self) -> Array:
        """Signals of the present states, (worlds, signals)."""
        if not self.signal_names:
            raise OptionError("Worlds: nothing is observed. Give names or formulas as `observe`.")
        return self._out[:, 0]

    @property
    def engine(self) -> str:
        """Form the worlds are in: "lanes" or "general"."""
        return "general" if self._core.code.program is None else "lanes"

    def advance(self, steps: int = 1, controls: Any = None) -> None:
        """Take all worlds forward; `controls`: (worlds, controls), held meanwhile."""
        whole("Worlds.advance", steps=steps)
        if controls is not None:
            self._table[...] = read_table("Worlds.advance", "controls", controls, self._table.shape)
        wishes = Wishes(steps, steps, "final", begins=False, keeps=True)
        if self._differ():
            for rows in self._alike():
                self._advance_some(rows, wishes)
        else:
            rolling = self._rolling.get(steps)
            if rolling is None:
                given = (self.q, self.v, self._table, 1, wishes, self._out)
                rolling = self._rolling[steps] = self._core.rolling(*given)
            start = float(self.clocks[0]) if self._timed else self._t
            self._note(slice(None), rolling.go(start, self._threads, self.status != 0))
        self._t += steps * self._step
        self.clocks += steps * self._step

    def _advance_some(self, rows: Any, wishes: Wishes) -> None:
        """Take worlds forward that have one time."""
        q, v, table = self.q[rows], self.v[rows], self._table[rows]
        out, frozen = self._out[rows], self.status[rows] != 0
        rolling = self._core.of_worlds(rows).rolling(q, v, table, 1, wishes, out)
        ended = rolling.go(float(self.clocks[rows[0]]), self._threads, frozen)
        self.q[rows], self.v[rows], self._out[rows] = q, v, out
        self._note(rows, ended)

    def _note(self, rows: Any, ended: Ended) -> None:
        """Note worlds that failed."""
        self.status[rows] = np.where(ended.status != 0, ended.status, self.status[rows])

    def _differ(self) -> bool:
        """Whether worlds have times of their own that formulas may see."""
        return self._timed and bool(np.any(self.clocks != self.clocks[0]))

    def _alike(self) -> list[Any]:
        """Worlds by their time."""
        _, which = np.unique(self.clocks, return_inverse=True)
        return [np.flatnonzero(which == k) for k in range(which.max() + 1)]

    def reset(
        self, which: Any = slice(None), q: Any = None, v: Any = None, t: float | None = None
    ) -> None:
        """Put some worlds back to their start, or to given states and another time.

        which : indices or a mask
        """
        for table, first, given in ((self.q, self._initial[0], q), (self.v, self._initial[1], v)):
            table[which] = first[which] if given is None else given
        self.status[which] = 0
        self.clocks[which] = self._start if t is None else float(t)
        if self.signal_names:
            self._see()

    def _see(self) -> None:
        """Signals of the present states."""
        if not self._differ():
            start = float(self.clocks[0]) if self._timed else self._t
            self._core.see(self.q, self.v, self._table, start, self._out)
            return
        for rows in self._alike():
            out, core = self._out[rows], self._core.of_worlds(rows)
            states = self.q[rows], self.v[rows], self._table[rows]
            core.see(*states, float(self.clocks[rows[0]]), out)
            self._out[rows] = out
