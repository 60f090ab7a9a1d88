"""An environment of many worlds, as Gymnasium has it. Imported where Gymnasium is there."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.rl.episodes import Episodes
from dalembert.rl.pictures import Pictures
from dalembert.rl.single import spaces_of

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


class VectorEnvironment(VectorEnv[Array, Any, NDArray[Any]]):
    """Many worlds at once; `dl.rl.vector_environment` makes it."""

    def __init__(
        self, episodes: Episodes, mode: AutoresetMode, render_mode: str | None, size: Any
    ) -> None:
        task = episodes.task
        self.episodes, self.mode, self.num_envs = episodes, mode, episodes.count
        self.render_mode = render_mode
        self.metadata = {
            "render_modes": ["rgb_array"],
            "render_fps": max(1, round(1.0 / task.interval)),
            "autoreset_mode": mode,
        }
        self.single_observation_space, self.single_action_space = spaces_of(task)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._pictures = Pictures(task.model, task.step, size) if render_mode else None
        self._over: Mask = np.ones(self.num_envs, dtype=bool)
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin episodes, in all worlds or in those of `options={"reset_mask": ...}`."""
        if isinstance(seed, list | tuple):
            raise OptionError(
                f"{self.episodes.task.who}: reset takes one seed for all worlds, which share a"
                f" generator, not {len(seed)}."
            )
        super().reset(seed=seed)
        if seed is not None:
            self.episodes.starts.forget()
        which = self._mask((options or {}).get("reset_mask"))
        self.episodes.begin(which, self.np_random, (options or {}).get("initial"))
        self._over[which], self._begun = False, True
        return self.episodes.observe(), {}

    def _mask(self, given: Any) -> Mask:
        if given is None:
            return np.ones(self.num_envs, dtype=bool)
        mask = np.asarray(given)
        if mask.shape != (self.num_envs,) or mask.dtype != bool or not mask.any():
            raise OptionError(
                f"{self.episodes.task.who}: reset_mask is no array of {self.num_envs} truth values"
                " of which one at least is true."
            )
        return mask

    def step(self, actions: Any) -> tuple[Array, Array, Mask, Mask, dict[str, Any]]:
        """Act in all worlds; those whose episodes are over begin anew as the mode says."""
        waiting = self._over.copy()
        if not self._begun or (self.mode == AutoresetMode.DISABLED and waiting.any()):
            which = np.flatnonzero(waiting)[:5].tolist()
            raise ResetNeeded(
                f"episodes of worlds {which} ... are over, or none was begun. Call reset() first,"
                ' with options={"reset_mask": ...} for some of them.'
            )
        episodes, some = self.episodes, bool(waiting.any())
        if some:
            episodes.spare(waiting)
        found = episodes.advance(actions)
        observations, rewards = found.observations, found.rewards
        terminated, truncated = found.terminated, found.truncated
        failures = {k: text for k, text in found.failures.items() if not waiting[k]}
        if some:
            episodes.begin(waiting, self.np_random)
            observations[waiting] = episodes.observe()[waiting]
            rewards[waiting], terminated[waiting], truncated[waiting] = 0.0, False, False
        info = self._told("failure", failures)
        self._over = terminated | truncated
        if self.mode == AutoresetMode.SAME_STEP and self._over.any():
            info = self._begin_at_once(observations, info)
        return observations, rewards, terminated, truncated, info

    def _told(self, what: str, found: dict[int, Any]) -> dict[str, Any]:
        """An info that some worlds have, in the form of Gymnasium."""
        if not found:
            return {}
        table, mask = np.full(self.num_envs, None, dtype=object), np.zeros(self.num_envs, bool)
        for world, x in found.items():
            table[world], mask[world] = x, True
        return {what: table, f"_{what}": mask}

    def _begin_at_once(self, observations: Array, info: dict[str, Any]) -> dict[str, Any]:
        """Begin the next episodes of worlds that are over, and keep what they saw last."""
        over = self._over.copy()
        last = {int(k): observations[k].copy() for k in np.flatnonzero(over)}
        self.episodes.begin(over, self.np_random)
        observations[over] = self.episodes.observe()[over]
        self._over[:] = False
        return self._told("final_obs", last) | {"final_info": info, "_final_info": over}

    def render(self) -> Any:
        """A picture of each world, (height, width, 3) bytes; None without a render mode."""
        if self._pictures is None:
            return None
        episodes = self.episodes
        worlds, times = episodes.worlds, episodes.steps * episodes.task.interval
        return tuple(
            self._pictures.frame(*state) for state in zip(worlds.q, worlds.v, times, strict=True)
        )
