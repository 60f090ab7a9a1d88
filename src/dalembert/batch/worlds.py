"""`Worlds`: many worlds of one model that are taken forward together, a few steps at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.batch.core import Rolling, Wishes
from dalembert.batch.describe import core_of, formulas_of, threads_or_all, whole
from dalembert.batch.given import read_table
from dalembert.batch.starts import starts
from dalembert.errors import OptionError
from dalembert.model.core.model import Model

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
    t : float               time, the same for all  [s]

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
        self.t, self._step, self._threads = float(start), float(step), threads_or_all(threads)
        self.status = np.zeros(worlds, dtype=np.int64)
        self._rolling: dict[int, Rolling] = {}
        self._out = np.zeros((worlds, 1, self._core.width))
        self._table = np.zeros((worlds, len(self._core.controls)))
        if signals:
            self._see()

    def __len__(self) -> int:
        return len(self.q)

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
        rolling = self._rolling.get(steps)
        if rolling is None:
            wishes = Wishes(steps, steps, "final", begins=False, keeps=True)
            given = (self.q, self.v, self._table, 1, wishes, self._out)
            rolling = self._rolling[steps] = self._core.rolling(*given)
        ended = rolling.go(self.t, self._threads, self.status != 0)
        self.status[ended.status != 0] = ended.status[ended.status != 0]
        self.t += steps * self._step

    def reset(self, which: Any = slice(None), q: Any = None, v: Any = None) -> None:
        """Put some worlds back to their start, or to given states; `which`: indices or a mask."""
        for table, first, given in ((self.q, self._initial[0], q), (self.v, self._initial[1], v)):
            table[which] = first[which] if given is None else given
        self.status[which] = 0
        if self.signal_names:
            self._see()

    def _see(self) -> None:
        """Signals of the present states."""
        self._core.see(self.q, self.v, self._table, self.t, self._out)
