"""Signals of sensors along a recorded motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.errors import OptionError
from dalembert.formulas.expression import load
from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.names import nearest
from dalembert.model.sensors.effort_sensor import EffortSensor
from dalembert.model.sensors.force_sensor import ForceSensor
from dalembert.model.sensors.imu import ACCELERATION
from dalembert.simulation.results import contact_series
from dalembert.simulation.results import work as works
from dalembert.simulation.results.resampling import resampled

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """Signals of a sensor.

    Attributes
    ----------
    name : str          of the sensor
    t : (k,)            moments  [s]
    signals : dict      name -> series; ``reading["ax"]`` is one of them
    units : dict        name -> unit
    values : (k, n)     all signals, in their order
    """

    name: str
    t: Array
    signals: dict[str, Array]
    units: dict[str, str]

    def __getitem__(self, signal: str) -> Array:
        if signal not in self.signals:
            near = nearest(str(signal), list(self.signals))
            raise OptionError(f"sensor {self.name!r} has no signal {signal!r}{near}")
        return self.signals[signal]

    @property
    def values(self) -> Array:
        """All signals, one column each."""
        return np.stack(list(self.signals.values()), axis=1)

    def __repr__(self) -> str:
        return f"Reading({self.name!r}: {', '.join(self.signals)}; {len(self.t)} moments)"


def reading(solution: Solution, given: Any, times: ArrayLike | None = None) -> Reading:
    """Reading of a sensor at the samples, or at given moments; see `Solution.sensor`."""
    sensor = _sensor(solution, given)
    if times is None:
        memory = solution.memory.setdefault("sensors", {})
        if sensor.name not in memory:
            memory[sensor.name] = _signals(solution, sensor)
        found = {name: series.copy() for name, series in memory[sensor.name].items()}
        return Reading(sensor.name, solution.t, found, dict(sensor.units))
    moments = np.atleast_1d(np.asarray(times, dtype=float))
    # all samples with them: turns are counted from the first one on
    every = np.union1d(solution.t, moments)
    found = _signals(resampled(solution, every), sensor)
    chosen = np.searchsorted(every, moments)
    at = {name: series[chosen] for name, series in found.items()}
    acting = contact_series.acts(solution, moments)
    if acting.any() and isinstance(sensor, ForceSensor | EffortSensor):
        for name, series in _signals(solution, sensor).items():
            at[name][acting] = contact_series.between(solution, series, moments[acting])
    return Reading(sensor.name, moments, at, dict(sensor.units))


def columns(solution: Solution) -> dict[str, Array]:
    """Every signal of every sensor: ``imu.ax``."""
    found: dict[str, Array] = {}
    for name in solution.model.sensors:
        shown = reading(solution, name)
        found |= {f"{name}.{signal}": series for signal, series in shown.signals.items()}
    return found


def _sensor(solution: Solution, given: Any) -> Any:
    model = solution.model
    name = given if isinstance(given, str) else getattr(given, "name", None)
    if name not in model.sensors:
        known = list(model.sensors)
        hint = nearest(name, known) if isinstance(name, str) and known else "."
        raise OptionError(f"sensor: model {model.name!r} has no sensor {name or given!r:.60}{hint}")
    return model.sensors[str(name)]


def _signals(solution: Solution, sensor: Any) -> dict[str, Array]:
    if isinstance(sensor, ForceSensor):
        return _forces(solution, sensor)
    if isinstance(sensor, EffortSensor):
        # of the force as it was during the run: a controller may have commanded it
        return {"effort": works.effort(solution, sensor.actuator.name)}
    formulas = dict(sensor.formulas) | sensor.with_accelerations(solution.model)
    ordered = [formulas[name] for name in sensor.signals]
    extra = {load(ACCELERATION, k): column for k, column in enumerate(solution.a.T)}
    series = solution.trajectory.series(ordered, extra=extra)
    return {name: np.array(x) for name, x in zip(sensor.signals, series, strict=True)}


def _forces(solution: Solution, sensor: Any) -> dict[str, Array]:
    found = solution.reaction(
        sensor.joint.name,
        on=None if sensor.on is None else sensor.on.body.name,
        frame=WORLD if sensor.frame is None else sensor.frame,
        about=sensor.about,
    )
    both = np.concatenate([found.force, found.torque], axis=1)
    return dict(zip(sensor.signals, both.T.copy(), strict=True))
