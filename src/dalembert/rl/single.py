"""An environment of one world, as Gymnasium has it. Imported where Gymnasium is there."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from dalembert.rl.episodes import Episodes
from dalembert.rl.pictures import Pictures

Array = NDArray[np.float64]

ALL = np.ones(1, dtype=bool)


def spaces_of(task: Any) -> tuple[Any, Any]:
    """Spaces of observations and of actions."""
    box = gymnasium.spaces.Box
    if task.choices is not None:
        return box(*task.bounds, dtype=np.float64), gymnasium.spaces.Discrete(len(task.choices))
    return box(*task.bounds, dtype=np.float64), box(
        task.low.astype(np.float32), task.high.astype(np.float32), dtype=np.float32
    )


class Environment(gymnasium.Env[Array, Any]):
    """One world; `dl.rl.environment` makes it."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 50}  # noqa: RUF012

    def __init__(self, episodes: Episodes, render_mode: str | None, size: tuple[int, int]) -> None:
        task = episodes.task
        self.episodes, self.render_mode = episodes, render_mode
        self.metadata = self.metadata | {"render_fps": max(1, round(1.0 / task.interval))}
        self.observation_space, self.action_space = spaces_of(task)
        self._pictures = Pictures(task.model, task.step, size) if render_mode else None
        self._over: bool | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin an episode; `options={"initial": {...}}` says where."""
        super().reset(seed=seed)
        if seed is not None:
            self.episodes.starts.forget()
        self.episodes.begin(ALL, self.np_random, (options or {}).get("initial"))
        self._over = False
        return self.episodes.observe()[0], {}

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Act, and see what comes of it."""
        if self._over is not False:
            raise ResetNeeded("the episode is over, or none was begun. Call reset() first.")
        found = self.episodes.advance(np.asarray(action).reshape(1, -1))
        terminated, truncated = bool(found.terminated[0]), bool(found.truncated[0])
        self._over = terminated or truncated
        info = {"failure": found.failures[0]} if found.failures else {}
        return found.observations[0], float(found.rewards[0]), terminated, truncated, info

    def render(self) -> Any:
        """The world as it is, (height, width, 3) bytes; None without a render mode."""
        if self._pictures is None:
            return None
        worlds, t = self.episodes.worlds, self.episodes.steps[0] * self.episodes.task.interval
        return self._pictures.frame(worlds.q[0], worlds.v[0], float(t))
