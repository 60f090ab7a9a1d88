"""Controllers: Python functions that are called at a rate and command actuators.

A controller is no part of a model, which is data, but an option of a run, as events are. The loop
calls it between two steps, at start + k / rate; what it returns is held until the next call. The
function sees read-only arrays that are the same objects in every call, so nothing is allocated.
"""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.formulas import Expression, symbols
from dalembert.formulas.expression import parameter
from dalembert.model.basics.names import nearest
from dalembert.model.basics.unchanging import Settled
from dalembert.model.core.replacing import replace_parts, resolved
from dalembert.model.forces.torque import Torque
from dalembert.model.sensors.base import Sensor
from dalembert.system.state_layout import State

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

Array = NDArray[np.float64]

DIVIDES = 1e-9
"""Relative error with which a step divides the period of a controller."""


@dataclass(frozen=True, eq=False)
class Controller(Settled):
    """A Python function that commands actuators at a rate.

    Parameters
    ----------
    callback : callable
        ``callback(t, x)`` with the inputs in an array x, or ``callback(t, q, v)`` without inputs.
        It returns a number for one output, else as many as there are outputs. The arrays are
        read-only and the same in every call: copy what is to be remembered.
    rate : float            calls a second  [1/s]; the first one is at the start of the run
    outputs : actuators or their names, or parameters of the model that stand in its forces
    inputs : sensors, formulas, or their names ("hinge.angle", "imu"), in the order of x
    name : str              for messages; by default that of the function

    Notes
    -----
    Between two calls the commands are held (zero-order hold), whatever the steps. A fixed step
    must divide the period 1 / rate; an adaptive one ends at every call.

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("arm")
    >>> arm = model.add_body("arm", dl.Inertia.rod(mass=1.0, length=1.0))
    >>> hinge = model.add_joint(dl.Revolute(model.world, arm.at(x=-0.5), axis="y", name="hinge"))
    >>> motor = model.add_force(dl.DirectDrive(hinge, name="motor"))
    >>> def hold(t, x):
    ...     return -40.0 * x[0] - 4.0 * x[1]
    >>> control = dl.Controller(hold, rate=500.0, inputs=[hinge.angle, hinge.angle.dot],
    ...                         outputs=[motor])
    >>> solution = dl.simulate(model, until=1.0, step=1e-3, controllers=[control])
    >>> round(float(solution["motor.effort"][-1]), 1)  # it carries the weight
    -4.9
    """

    callback: Callable[..., Any]
    _: KW_ONLY
    rate: float
    outputs: Sequence[Any]
    inputs: Sequence[Any] | None = None
    name: str = ""

    def __post_init__(self) -> None:
        if not callable(self.callback):
            raise OptionError(
                f"Controller: {self.callback!r:.60} cannot be called. Give a function of (t, x)."
            )
        if not self.name:
            found = getattr(self.callback, "__name__", type(self.callback).__name__)
            object.__setattr__(self, "name", str(found))
        rate = self.rate
        good = isinstance(rate, (int, float, np.number)) and not isinstance(rate, bool)
        if not good or not 0 < rate < math.inf:
            raise OptionError(f"{self.title}: rate is {rate!r}. Give a number of calls a second.")
        object.__setattr__(self, "rate", float(rate))
        for what in ("outputs", "inputs"):
            given = getattr(self, what)
            if given is None and what == "inputs":
                continue
            if isinstance(given, str) or not isinstance(given, list | tuple | np.ndarray):
                given = [given]
            object.__setattr__(self, what, tuple(given))
        if not self.outputs:
            raise OptionError(f"{self.title}: has no outputs. Give the actuators it commands.")

    @property
    def title(self) -> str:
        """``controller 'balance'``, as messages begin."""
        return f"controller '{self.name}'"


@dataclass(frozen=True, eq=False)
class Bound:
    """Controllers of one model, with every name resolved.

    Attributes
    ----------
    controllers : as given
    inputs : formulas of all of them, one after the other
    input_slices : where those of each are; None for one that sees q and v
    names : parameters they change, one for each output
    output_slices : where those of each controller are
    """

    controllers: tuple[Controller, ...]
    inputs: tuple[Expression, ...]
    input_slices: tuple[slice | None, ...]
    names: tuple[str, ...]
    output_slices: tuple[slice, ...]

    def strides(self, step: float) -> list[int]:
        """Steps from call to call."""
        found = []
        for controller in self.controllers:
            ratio = 1.0 / (controller.rate * step)
            count = max(1, round(ratio))
            if abs(ratio - count) > DIVIDES * count:
                period = 1.0 / controller.rate
                better = period / max(1, math.ceil(ratio - DIVIDES))
                raise OptionError(
                    f"{controller.title}: the step of {step:g} s does not divide its period of "
                    f"{period:g} s (rate {controller.rate:g}). Give step={better:.10g}, or leave "
                    "the step out: adaptive steps end where a controller is called."
                )
            found.append(count)
        return found


def bind(model: Model, given: Any) -> tuple[Model, Bound | None]:
    """The model with its commands as parameters, and the controllers that change them."""
    controllers = _checked(given)
    if not controllers:
        return model, None
    made = copy.copy(model)
    inputs: list[Expression] = []
    names: list[str] = []
    input_slices: list[slice | None] = []
    output_slices: list[slice] = []
    owners: dict[str, Controller] = {}
    for controller in controllers:
        if controller.inputs is None:
            input_slices.append(None)
        else:
            seen = [f for x in controller.inputs for f in _input(model, controller, x)]
            input_slices.append(slice(len(inputs), len(inputs) + len(seen)))
            inputs += seen
        own = [_output(made, controller, x) for x in controller.outputs]
        for name in own:
            if name in owners or own.count(name) > 1:
                other = owners.get(name, controller)
                raise OptionError(
                    f"{controller.title}: {name!r} is an output of {other.title} already. Give it "
                    "to one controller, once."
                )
        owners |= dict.fromkeys(own, controller)
        output_slices.append(slice(len(names), len(names) + len(own)))
        names += own
    return made, Bound(
        tuple(controllers), tuple(inputs), tuple(input_slices), tuple(names), tuple(output_slices)
    )


def _checked(given: Any) -> list[Controller]:
    if isinstance(given, Controller):
        raise OptionError("simulate: controllers takes a list. Write controllers=[...].")
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise OptionError(f"simulate: controllers is {given!r:.60}. Give a list of dl.Controller.")
    for i, item in enumerate(given):
        if not isinstance(item, Controller):
            raise OptionError(
                f"simulate: controllers[{i}] is {item!r:.60}. Write dl.Controller(function, "
                "rate=..., outputs=[...])."
            )
    return list(given)


# -- inputs ----------------------------------------------------------------------------------------


def _input(model: Model, controller: Controller, given: Any) -> list[Expression]:
    """The formulas an input stands for."""
    where = f"{controller.title}: input"
    if isinstance(given, np.ndarray):
        return [f for x in given.ravel() for f in _input(model, controller, x)]
    if isinstance(given, Expression):
        return [given]
    sensor = given if isinstance(given, Sensor) else None
    sensors = model.sensors
    if isinstance(given, str):
        known = named_formulas(model)
        if given in known:
            return [known[given]]
        sensor = sensors.get(given)
        if given not in sensors:
            raise OptionError(
                f"{where} {given!r}: the model has no such sensor or signal"
                f"{nearest(given, [*known, *sensors])}"
            )
    if sensor is None or sensors.get(sensor.name) is not sensor:
        raise OptionError(
            f"{where} {given!r:.60} is neither a formula nor a sensor of model {model.name!r}. "
            "Use what add_sensor returned, a coordinate such as hinge.angle, or a name."
        )
    formulas = _signals(model, sensor)
    missing = [name for name in sensor.signals if name not in formulas]
    if missing:
        raise OptionError(
            f"{where} {sensor.name!r}: its {missing[0]} is found together with the motion of a"
            " step, and not known before. Read speeds and places, or the effort of a drive with kd."
        )
    return [formulas[name] for name in sensor.signals]


def named_formulas(model: Model) -> dict[str, Expression]:
    """Formulas a user may call by name: coordinates, those of joints, signals of sensors."""
    found: dict[str, Expression] = {}
    for x in model.coordinates:
        found[repr(x)] = x
    for x in model.velocities:
        found[repr(x)] = x
    for name, joint in model.joints.items():
        for part in joint.coordinates:
            formula = getattr(joint, part)
            found |= {f"{name}.{part}": formula, f"{name}.{part}.dot": formula.dot}
    for name, sensor in model.sensors.items():
        found |= {f"{name}.{signal}": f for signal, f in _signals(model, sensor).items()}
    return found


def _signals(model: Model, sensor: Sensor) -> dict[str, Expression]:
    """Signals of a sensor, as formulas of accelerations and multipliers as well."""
    return sensor.formulas | sensor.with_accelerations(model) | sensor.with_reactions(model)


# -- outputs ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Title:
    title: str


def commanded(model: Model, title: str, outputs: Sequence[Any]) -> tuple[Model, list[str]]:
    """The model with commands of actuators as parameters, and their names; `title` for messages."""
    if not outputs:
        return model, []
    made = copy.copy(model)
    return made, [_output(made, _Title(title), x) for x in outputs]


def _output(made: Model, controller: Controller | _Title, given: Any) -> str:
    """Name of the parameter an output changes; the actuator's command becomes one."""
    where = f"{controller.title}: output"
    name = given if isinstance(given, str) else getattr(given, "name", None)
    if isinstance(given, Expression) and given.op != "parameter":
        name = None
    forces = made.forces
    if name in forces and not isinstance(given, Expression):
        force = forces[name]
        field = _commanded(force)
        if field is None:
            raise OptionError(
                f"{where} {name!r} is a {force.kind}, which takes no command. Give an actuator, "
                "such as dl.DirectDrive."
            )
        return _exposed(made, name, field)
    if isinstance(name, str) and name in made.parameters:
        return name
    known = [n for n, f in forces.items() if _commanded(f)] + list(made.parameters)
    raise OptionError(
        f"{where} {name or given!r:.60} is neither an actuator nor a parameter of model "
        f"{made.name!r}{nearest(str(name), known)}"
    )


def _commanded(force: Any) -> str | None:
    """The field that a controller may set."""
    if hasattr(force, "command"):
        return "command"
    return "value" if isinstance(force, Torque) else None


def _exposed(made: Model, name: str, field: str) -> str:
    """Make a field of a force a parameter, unless it is one."""
    force: Any = made.forces[name]
    given = getattr(force, field)
    label = f"{name}.{field}"
    if isinstance(given, Expression) and given.op == "parameter":
        return given.name
    value = float(given.value) if given.op == "constant" else 0.0
    known = {symbol.name: symbol for symbol in made.parameter_symbols}
    symbol = known.get(label) or parameter(label, value)
    # the formula it takes the place of may have watched other bodies
    element = resolved(made, dataclasses.replace(force, **{field: symbol}))
    replace_parts(made, forces={name: element})
    return label


# -- where outputs are kept ------------------------------------------------------------------------


def places(system: Any, state: State, model: Model, names: Sequence[str]) -> NDArray[np.int64]:
    """(place in `work`, which name) of every entry that holds one of these parameters."""
    found: list[tuple[int, int]] = []
    for k, name in enumerate(names):
        if name in system.parameter_names:
            found.append((state.start_of("parameters") + system.parameter_names.index(name), k))
        if not system.has_bodies:
            _refuse_in_rows(model, name)
            continue
        first = state.start_of("element_data")
        actions = system.parts.actions
        for element in system.parts.recorded:
            for i, entry in enumerate(element.data):
                if not isinstance(entry, Expression):
                    continue
                if entry.op == "parameter" and entry.name == name and element in actions:
                    found.append((first + element.start + i, k))
                elif any(leaf.name == name for leaf in symbols([entry], "parameter")):
                    raise OptionError(
                        f"controller: parameter {name!r} stands in {element.name!r} in another "
                        "place than as a command. Make a parameter of its own for the controller."
                    )
        _refuse_in_bodies(model, name)
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _refuse_in_rows(model: Model, name: str) -> None:
    """Constraints and masses do not jump."""
    rows = [row for c in model.constraints for row in c.rows]
    masses = [entry for row in model.mass for entry in row]
    for what, formulas in (("a constraint", rows), ("the mass matrix", masses)):
        if any(leaf.name == name for leaf in symbols(formulas, "parameter")):
            raise OptionError(
                f"controller: parameter {name!r} stands in {what}, which a controller cannot "
                "change. Let it command a force."
            )


def _refuse_in_bodies(model: Model, name: str) -> None:
    held: list[Any] = [*model.gravity, *(row for c in model.constraints for row in c.rows)]
    for body in model.bodies.values():
        inertia = body.inertia
        held += [inertia.mass, *inertia.center, *(x for row in inertia.matrix for x in row)]
    formulas = [x for x in held if isinstance(x, Expression)]
    if any(leaf.name == name for leaf in symbols(formulas, "parameter")):
        raise OptionError(
            f"controller: parameter {name!r} stands in a mass, a constraint or gravity, which a "
            "controller cannot change. Let it command a force."
        )


# -- what was commanded ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Commands:
    """Everything that controllers commanded during a run.

    Attributes
    ----------
    names : tuple of str    parameters, such as "motor.command"
    t : (k,)                moments at which they changed  [s]
    values : (k, n)         from that moment on
    """

    names: tuple[str, ...]
    t: Array
    values: Array

    def at(self, t: Array, *, before: bool = False) -> Array:
        """Values at moments: those of the last call, the call of the moment included or not."""
        found = np.searchsorted(self.t, t, side="left" if before else "right")
        return np.asarray(self.values[np.maximum(found - 1, 0)])

    def held(self, t: Array) -> dict[str, Array]:
        """Series of each parameter."""
        return dict(zip(self.names, self.at(t).T, strict=True))


__all__ = ["Bound", "Commands", "Controller", "bind", "named_formulas", "places"]
