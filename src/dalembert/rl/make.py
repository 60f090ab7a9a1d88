"""`environment` and `vector_environment`: a model and a task become an environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dalembert.batch.describe import whole
from dalembert.errors import OptionError
from dalembert.model.core.model import Model
from dalembert.rl.episodes import Episodes
from dalembert.rl.gymnasium_extra import gymnasium
from dalembert.rl.task import read_task


def environment(
    model: Model,
    *,
    step: float,
    every: int = 1,
    actions: Mapping[Any, tuple[float, float]] | Sequence[Mapping[Any, float]],
    observations: Any,
    reward: Any,
    terminate: Any = None,
    truncate: float | None = None,
    reset: Any = None,
    parameters: Mapping[Any, float] | None = None,
    method: Any = None,
    integrator: Any = None,
    engine: str = "auto",
    render_mode: str | None = None,
    size: tuple[int, int] = (480, 360),
) -> Any:
    """A `gymnasium.Env` of one world.

    Parameters
    ----------
    step : float            length of a step of the run  [s]
    every : int             steps from action to action
    actions : {actuator or parameter, or its name: (low, high)}; cut off there, held for the steps.
        Or a list of choices, each {actuator: value}: actions are whole numbers then (`Discrete`)
    observations : names and formulas, or {name or formula: (low, high)} to say how far they go
    reward : formula, of the state, `action` and `time` at the end of the steps; or a number
    terminate : condition (``abs(hinge.angle) > 0.2``), or formula that ends an episode where it
        is negative; or several
    truncate : float        time after which an episode is cut off  [s]
    reset : {coordinate or velocity: (low, high)}, drawn evenly; or a function of a
        `numpy.random.Generator` and a count n that returns {name: n numbers} or tables (q, v).
        States of models with loops are brought onto the constraints.
    parameters, method, integrator, engine : as in `rollout`
    render_mode : "rgb_array", or None
    size : (width, height) of pictures, in pixels

    Returns
    -------
    gymnasium.Env           `time` in formulas is that of the episode. A world that cannot go on
        terminates with its last sound observation, the reward 0, and ``info["failure"]``

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("pendulum")
    >>> bob = model.add_body("bob", dl.Inertia.rod(mass=1.0, length=1.0, axis="z"))
    >>> pin = model.add_joint(dl.Revolute(model.world, bob.at(z=0.5), axis="y", name="pin"))
    >>> motor = model.add_force(dl.DirectDrive(pin, name="motor"))
    >>> env = dl.rl.environment(
    ...     model, step=0.01, every=2, actions={motor: (-2, 2)},
    ...     observations=[pin.angle, pin.angle.dot], truncate=5.0,
    ...     reward=-pin.angle**2 - 0.01 * dl.rl.action(motor) ** 2,
    ...     reset={"pin.angle": (-0.1, 0.1)})
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step([0.5])
    >>> observation.shape, terminated
    ((2,), False)
    """
    who = "environment"
    gymnasium(who)
    from dalembert.rl.single import Environment

    _check_mode(who, render_mode)
    task = read_task(
        who,
        model,
        step=step,
        every=every,
        actions=actions,
        observations=observations,
        reward=reward,
        terminate=terminate,
        truncate=truncate,
    )
    options = {"parameters": parameters, "method": method, "integrator": integrator}
    episodes = Episodes(task, 1, reset, threads=1, engine=engine, **options)
    return Environment(episodes, render_mode, size)


def vector_environment(
    model: Model,
    *,
    worlds: int,
    step: float,
    every: int = 1,
    actions: Mapping[Any, tuple[float, float]] | Sequence[Mapping[Any, float]],
    observations: Any,
    reward: Any,
    terminate: Any = None,
    truncate: float | None = None,
    reset: Any = None,
    autoreset: Any = "NextStep",
    parameters: Mapping[Any, Any] | None = None,
    method: Any = None,
    integrator: Any = None,
    threads: int | None = None,
    engine: str = "auto",
    render_mode: str | None = None,
    size: tuple[int, int] = (480, 360),
) -> Any:
    """A `gymnasium.vector.VectorEnv` of many worlds, taken forward together.

    Parameters
    ----------
    worlds : int            how many
    autoreset : "NextStep", "SameStep" or "Disabled", or a `gymnasium.vector.AutoresetMode`
    parameters : {parameter or its name: a number, or one for each world}
    threads : int           as many as there are processors by default

    Other parameters are those of `environment`. Worlds share a generator: the same seed gives the
    same bits for the same number of worlds, whatever the number of threads.

    Returns
    -------
    gymnasium.vector.VectorEnv      worlds that cannot go on terminate by themselves,
        ``info["failure"]`` names them, and the others go on
    """
    who = "vector_environment"
    gymnasium(who)
    from dalembert.rl.vector import VectorEnvironment

    _check_mode(who, render_mode)
    whole(who, worlds=worlds)
    mode = _autoreset(who, autoreset)
    task = read_task(
        who,
        model,
        step=step,
        every=every,
        actions=actions,
        observations=observations,
        reward=reward,
        terminate=terminate,
        truncate=truncate,
    )
    options = {"parameters": parameters, "method": method, "integrator": integrator}
    episodes = Episodes(task, worlds, reset, threads=threads, engine=engine, **options)
    return VectorEnvironment(episodes, mode, render_mode, size)


def _check_mode(who: str, render_mode: Any) -> None:
    if render_mode not in (None, "rgb_array"):
        raise OptionError(f"{who}: render_mode is {render_mode!r}. Give 'rgb_array' or None.")


def _autoreset(who: str, given: Any) -> Any:
    from gymnasium.vector import AutoresetMode

    try:
        return given if isinstance(given, AutoresetMode) else AutoresetMode(given)
    except ValueError:
        shown = ", ".join(repr(mode.value) for mode in AutoresetMode)
        raise OptionError(f"{who}: autoreset is {given!r}. Give {shown}.") from None
