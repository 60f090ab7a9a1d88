"""Environments by a name that Gymnasium knows: ``gymnasium.make("dalembert/CartPole-v0")``."""

from __future__ import annotations

from typing import Any

from dalembert.errors import OptionError
from dalembert.model.basics.names import nearest
from dalembert.rl.gymnasium_extra import gymnasium
from dalembert.rl.make import environment, vector_environment
from dalembert.rl.tasks import TASKS


def register() -> list[str]:
    """Tell Gymnasium of the tasks that have a name; their ids.

    Examples
    --------
    >>> import dalembert as dl
    >>> dl.rl.register()
    ['dalembert/CartPole-v0', 'dalembert/DoublePendulum-v0', 'dalembert/Quadruped-v0', \
'dalembert/Leg-v0']
    """
    package = gymnasium("register")
    made = [f"dalembert/{name}" for name in TASKS]
    for name, id_ in zip(TASKS, made, strict=True):
        if id_ not in package.registry:
            package.register(
                id=id_,
                entry_point="dalembert.rl.registered:make",
                vector_entry_point="dalembert.rl.registered:make_vector",
                kwargs={"task": name},
            )
    return made


def _task(name: str, changes: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    if name not in TASKS:
        raise OptionError(f"there is no task {name!r}{nearest(name, list(TASKS))}")
    model, settings = TASKS[name]()
    return model, settings | changes


def make(task: str, **changes: Any) -> Any:
    """An environment of one world of a task; `changes` are options of `environment`."""
    model, settings = _task(task, changes)
    return environment(model, **settings)


def make_vector(task: str, num_envs: int = 1, **changes: Any) -> Any:
    """An environment of many worlds of a task."""
    model, settings = _task(task, changes)
    return vector_environment(model, worlds=num_envs, **settings)
