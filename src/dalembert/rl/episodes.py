"""Episodes of many worlds: actions in, observations, rewards and endings out. No Gymnasium here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.batch.given import read_table
from dalembert.batch.worlds import Worlds
from dalembert.errors import OptionError
from dalembert.formulas import Condition
from dalembert.rl.episode_formulas import Watched
from dalembert.rl.starts import Starts
from dalembert.rl.task import Task
from dalembert.simulation.status import Status

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Step:
    """Answers of a step, a row for each world.

    `failures`: sentences by world, for those that could not go on.
    """

    observations: Array
    rewards: Array
    terminated: Mask
    truncated: Mask
    failures: dict[int, str]


class Episodes:
    """Worlds of a task, each in an episode of its own.

    Parameters
    ----------
    task : Task
    worlds : int
    reset : where episodes start (`Starts`)
    options : of `Worlds`: parameters, method, integrator, threads, engine
    """

    def __init__(self, task: Task, worlds: int, reset: Any, **options: Any) -> None:
        self.task, self.count = task, worlds
        formulas = [*task.observations.values(), task.reward, *task.endings]
        self._watched = Watched(task.who, formulas, {name: k for k, name in enumerate(task.names)})
        signals = self._watched.signals
        shared = {"step": task.step, "controls": task.actions, "observe": signals, **options}
        self.worlds = Worlds(task.model, worlds, **shared)
        if len(self.worlds.signal_names) != len(signals):
            raise OptionError(
                f"{task.who}: two formulas read alike. Give one of them another form."
            )
        rows = task.has_rows(len(self.worlds.velocity_names))
        nursery = Worlds(task.model, worlds, **shared)
        self.starts = Starts(task.who, task.model, reset, nursery, rows)
        self.steps = np.zeros(worlds, dtype=np.int64)
        self._actions = np.clip(np.zeros((worlds, len(task.names))), task.low, task.high)
        if task.choices is not None:
            self._actions[:] = task.choices[0]
        self._signals = np.zeros((worlds, len(signals)))
        self._sound = np.zeros((worlds, len(task.observations)))

    def begin(self, which: Mask, generator: np.random.Generator, given: Any = None) -> None:
        """Start episodes in some worlds, from drawn states or from given ones."""
        count, worlds = int(which.sum()), self.worlds
        self.steps[which] = 0
        if given is None:
            worlds.q[which], worlds.v[which], self._signals[which] = self.starts.take(
                generator, count
            )
            worlds.status[which] = 0
            return
        self._set_clock()
        worlds.reset(which, *self.starts.read(given, count))
        self._look(which)

    def _look(self, which: Any) -> None:
        """Take over the signals of some worlds."""
        if self._watched.signals:
            self._signals[which] = self.worlds.observed[which]

    def spare(self, which: Mask) -> None:
        """Let some worlds stand at a sound state while the others are taken forward."""
        self.worlds.q[which], self.worlds.v[which] = self.starts.begin
        self.worlds.status[which] = 0

    def _set_clock(self) -> None:
        """Let the time of each world be that of its episode; where it plays no part it is 0.

        Rounding depends on time, and episodes must not depend on those before them.
        """
        self.worlds.t = 0.0
        if self.task.depends_on_time:
            self.worlds.clocks[:] = self.steps * self.task.interval

    def observe(self) -> Array:
        """Observations of all worlds as they are."""
        found = self._watched(self._signals, self._actions, self.steps * self.task.interval)
        made = np.stack(found[: len(self.task.observations)], axis=1)
        self._sound = made
        return made.copy()

    def advance(self, actions: Any) -> Step:
        """Take all worlds to their next observation; actions are cut off at their bounds."""
        task, worlds = self.task, self.worlds
        self._actions = self._read(actions)
        self._set_clock()
        worlds.advance(task.every, self._actions)
        self.steps += 1
        self._look(slice(None))
        found = self._watched(self._signals, self._actions, self.steps * task.interval)
        n = len(task.observations)
        observations, rewards = np.stack(found[:n], axis=1), np.array(found[n])
        terminated = self._ended(found[n + 1 :])
        failures = self._failures(observations, rewards)
        for world in failures:
            observations[world], rewards[world] = self._sound[world], 0.0
            terminated[world] = True
        self._sound = observations
        truncated = (self.steps >= task.most) & ~terminated if task.most else ~terminated & False
        return Step(observations.copy(), rewards, terminated, truncated, failures)

    def _read(self, actions: Any) -> Array:
        """Values of actions, a row for each world; choices are given by their numbers."""
        task, shape = self.task, self._actions.shape
        if task.choices is not None:
            return task.choices[self._chosen(actions, len(task.choices))]
        given = np.reshape(actions, shape) if np.size(actions) == self._actions.size else actions
        table = read_table(f"{task.who}: step", "actions", given, shape)
        return np.clip(table, task.low, task.high)

    def _chosen(self, actions: Any, count: int) -> NDArray[np.int64]:
        """Numbers of choices."""
        given = np.asarray(actions)
        whole = given.size == self.count and given.dtype.kind in "iuf"
        numbers = given.reshape(-1).astype(np.int64) if whole else np.full(1, -1)
        if (
            not whole
            or np.any(numbers != given.reshape(-1))
            or not np.all((numbers >= 0) & (numbers < count))
        ):
            raise OptionError(
                f"{self.task.who}: step: actions is {actions!r:.60}. Give a whole number from 0 to"
                f" {count - 1} for each of {self.count} worlds."
            )
        return numbers

    def _ended(self, values: list[Any]) -> Mask:
        ended = np.zeros(self.count, dtype=bool)
        for ending, x in zip(self.task.endings, values, strict=True):
            ended |= x if isinstance(ending, Condition) else x < 0.0
        return ended

    def _failures(self, observations: Array, rewards: Array) -> dict[int, str]:
        """Worlds that could not go on, with what happened."""
        status = self.worlds.status
        sound = _finite(self.worlds.q) & _finite(self.worlds.v)
        seen = _finite(observations) & _finite(rewards[:, None])
        found = {}
        for world in np.flatnonzero((status != 0) | ~sound | ~seen).tolist():
            code = Status(int(status[world])) if status[world] else Status.NON_FINITE
            what = code.meaning
            if sound[world] and not status[world]:
                what = "an observation or the reward is no finite number"
            found[world] = f"world {world}: {what}"
        return found


def _finite(table: Array) -> Mask:
    """Rows without a number that is not finite."""
    return np.asarray(np.isfinite(table).all(axis=1))
