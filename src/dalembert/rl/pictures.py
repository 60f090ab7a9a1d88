"""Pictures of a world, for `render`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.batch.worlds import Worlds
from dalembert.model.core.model import Model
from dalembert.plotting.frame import Frames
from dalembert.scene.describe import describe
from dalembert.scene.poses import place

Array = NDArray[np.float64]


class Pictures:
    """Draws states of a run; bodies are placed by one world more."""

    def __init__(self, model: Model, step: float, size: tuple[int, int]) -> None:
        self._model, self._scene = model, describe(model)
        self._frames = Frames(self._scene, size)
        self._step = step
        self._placing: Worlds | None = None

    def frame(self, q: Array, v: Array, t: float) -> Any:
        """The picture, (height, width, 3) bytes."""
        if self._model.is_maximal:
            placing = self._placing = self._placing or self._bodies()
            placing.reset(q=q, v=v)
            q, v = placing.observed[0], np.zeros(6 * len(self._model.bodies))
        return self._frames.draw(
            t, *place(self._scene, self._model, np.array([t]), q[None], v[None])
        )

    def _bodies(self) -> Worlds:
        """A world in which bodies are observed; made for the first picture."""
        bodies: list[Any] = list(self._model.bodies.values())
        names = [name for body in bodies for name in body.state_names]
        return Worlds(self._model, 1, step=self._step, observe=names)
