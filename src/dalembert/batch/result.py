"""Result of a rollout: tables, and for every world how it ended."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.model.basics.names import nearest

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rollout:
    """Many worlds of one model.

    Attributes
    ----------
    t : (samples,)  [s]
    data : (worlds, samples, width); states, coordinates first, or signals
    status : for every world how it ended, 0 (OK) where nothing failed (`simulation.status.Status`)
    ended : for every world the steps until a stop ended it, -1: none did
    left : for every world the step at which it left the fast form, -1: it did not
    engine : "lanes" or "general", and the reason where it is general
    seconds : time of the whole call
    """

    t: Array
    data: Array
    coordinate_names: tuple[str, ...]
    velocity_names: tuple[str, ...]
    signal_names: tuple[str, ...]
    status: NDArray[np.int64]
    ended: NDArray[np.int64]
    left: NDArray[np.int64]
    engine: str
    reason: str
    seconds: float

    @property
    def q(self) -> Array:
        """Coordinates, (worlds, samples, nq)."""
        self._need_states()
        return self.data[:, :, : len(self.coordinate_names)]

    @property
    def v(self) -> Array:
        """Velocities, (worlds, samples, nv)."""
        self._need_states()
        return self.data[:, :, len(self.coordinate_names) :]

    def _need_states(self) -> None:
        if self.signal_names:
            raise OptionError("rollout: signals were recorded, not states. Ask for them by name.")

    def __getitem__(self, name: str) -> Array:
        """A signal, coordinate or velocity by name, (worlds, samples)."""
        names = self.signal_names or (*self.coordinate_names, *self.velocity_names)
        if name not in names:
            raise OptionError(f"rollout: {name!r} was not recorded{nearest(name, names)}")
        return self.data[:, :, names.index(name)]

    @property
    def failed(self) -> NDArray[np.int64]:
        """Worlds that did not reach the end."""
        return np.flatnonzero(self.status != 0)

    def __repr__(self) -> str:
        worlds, samples, width = self.data.shape
        gone = int(np.sum(self.left >= 0))
        text = f"Rollout({worlds} worlds, {samples} samples of {width} numbers, {self.engine}"
        if gone:
            text += f", {gone} finished in the general form"
        if len(self.failed):
            text += f", {len(self.failed)} failed"
        return text + f", {self.seconds:.3g} s)"
