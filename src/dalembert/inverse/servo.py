"""`servo`: inputs with which outputs of a model follow what is prescribed (servo 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.batch.given import name_of
from dalembert.errors import OptionError
from dalembert.formulas import Expression, maximum, minimum, substitute, symbols, time
from dalembert.formulas.expression import lift
from dalembert.inverse.array import Openness, openness, refuse_changing, solve
from dalembert.inverse.internal import Internal, bounded_motion, integrate
from dalembert.inverse.jets import Jets, Plant, plant_of
from dalembert.inverse.of_bodies import bodies_of
from dalembert.inverse.replay import replay
from dalembert.inverse.result import Servo
from dalembert.model.basics.by_name import formula_of
from dalembert.model.basics.names import nearest
from dalembert.numerics.one_thread import one_thread
from dalembert.simulation.prepare import options
from dalembert.simulation.prepare.initial_state import read_initial

Array = NDArray[np.float64]

SAMPLES = 401
"""Samples where none are asked for."""


@one_thread()
def servo(
    model: Any,
    outputs: Mapping[Any, Any],
    inputs: Sequence[Any],
    until: float | None = None,
    *,
    at: Any = None,
    start: float = 0.0,
    initial: Any = None,
    parameters: Mapping[Any, float] | None = None,
    bounded: bool = False,
) -> Servo:
    """Inputs with which outputs follow what is prescribed, for models with too few of them, too.

    Parameters
    ----------
    outputs : {formula of coordinates and time: formula of the time}
    inputs : parameters that stand in the forces, or actuators of bodies, as many as outputs
    until, at : end of the path, or moments at which inputs are wanted
    initial : as in `simulate`: where internal states begin, and where the search does
    bounded : where the internal dynamics are unstable, look for the motion that stays bounded; it
        begins before the path and ends behind it

    Returns
    -------
    Servo                   inputs, motion, and what kind of problem it was

    Raises
    ------
    OptionError             as many outputs as inputs are needed; inputs that do not reach outputs
    SimulationError         a path that cannot be followed; unstable internal dynamics

    Examples
    --------
    A force on one of two carts that are tied by a spring, such that the other one follows a path:

    >>> import dalembert as dl
    >>> (x, y), (F,) = dl.coordinates("x y"), dl.parameters(F=0.0)
    >>> carts = dl.Model.from_lagrangian(
    ...     kinetic=(x.dot**2 + y.dot**2) / 2, potential=5 * (x - y) ** 2,
    ...     forces={x: F}, coordinates=[x, y])
    >>> found = dl.servo(carts, {y: dl.time**4}, [F], until=1.0)
    >>> print(found)
    tangent realisation, index 5; flat: no state is left to integrate
    >>> round(float(found["F"][-1]), 9)
    26.4
    """
    who = "servo"
    model = options.model_with(model, parameters, who)
    times = _times(who, until, at, start)
    wanted = _wanted(who, model, outputs, (float(start), float(times[-1])))
    if not isinstance(inputs, str) and len(wanted) != len(inputs):
        raise OptionError(
            f"{who}: {len(wanted)} outputs and {len(inputs)} inputs. Prescribe as many as there are"
            " inputs."
        )
    one = _of_bodies if model.is_maximal else _of_formulas
    names, coordinates, plant, (q, v), again = one(who, model, wanted, inputs, start, initial)
    _refuse_idle(who, plant, names)
    jets, z, left = _array(who, plant, float(start), q, v)
    kind = _realisation(plant, float(start), z, jets)
    if left.free == 0:
        found = _along(jets, float(start), z, times, left)
        eigenvalues = None
    else:
        internal = Internal(jets, float(start), z, left, float(times[-1]))
        eigenvalues = internal.eigenvalues
        follow = bounded_motion if bounded else integrate
        found = follow(internal, times)
        refuse_changing(jets, times, found, left)
    told = names, coordinates, kind, eigenvalues
    return _result(jets, times, found, left, told, again)


Read = tuple[list[str], tuple[str, ...], Plant, tuple[Array, Array], Any]
"""Names of inputs and coordinates, the plant, its start, how inputs are played back."""


def _of_formulas(
    who: str, model: Any, wanted: Mapping[Any, Any], inputs: Any, start: float, initial: Any
) -> Read:
    names = _inputs(who, model, inputs)
    errors = [y - path for y, path in wanted.items()]
    plant = plant_of(model, names, errors, model.parameters)

    def again(found: Servo, step: float | None) -> Array:
        return replay(model, found, errors, step)

    coordinates = tuple(x.name for x in model.coordinates)
    return names, coordinates, plant, read_initial(model, initial), again


def _of_bodies(
    who: str, model: Any, wanted: Mapping[Any, Any], inputs: Any, start: float, initial: Any
) -> Read:
    found = bodies_of(who, model, wanted, inputs, float(start), initial)

    def again(one: Servo, step: float | None) -> Array:
        return found.replay(one)

    names = [x if isinstance(x, str) else name_of(x) for x in inputs]
    return names, found.coordinates, found.plant, (found.q, found.v), again


def _refuse_idle(who: str, plant: Plant, names: Sequence[str]) -> None:
    """Refuse inputs that no force holds."""
    held = {x.name for x in symbols(list(plant.force), "parameter")}
    for name, symbol in zip(names, plant.inputs, strict=False):
        if symbol.name not in held:
            raise OptionError(f"{who}: the input {name!r} stands in no force of the model.")
    if len(plant.inputs) != len(names):
        lost = [n for n in names if n not in [x.name for x in plant.inputs]]
        raise OptionError(f"{who}: the input {lost[0]!r} stands in no force of the model.")


def _times(who: str, until: Any, at: Any, start: float) -> Array:
    if (until is None) == (at is None):
        raise OptionError(f"{who}: give until=..., or at=[...].")
    made = np.linspace(start, float(until), SAMPLES) if at is None else np.asarray(at, dtype=float)
    if made.ndim != 1 or not len(made) or not np.all(np.isfinite(made)):
        raise OptionError(f"{who}: moments are finite numbers.")
    if np.any(np.diff(made) <= 0) or made[0] < start or made[-1] <= start:
        raise OptionError(f"{who}: moments increase, from the start at {start:g} s on.")
    return np.asarray(made)


def _inputs(who: str, model: Any, given: Sequence[Any]) -> list[str]:
    names = [x if isinstance(x, str) else name_of(x) for x in given]
    for name in names:
        if name not in model.parameters:
            raise OptionError(
                f"{who}: the input {name!r} is no parameter of model {model.name!r}"
                f"{nearest(name, list(model.parameters))}"
            )
    if not names or len(set(names)) < len(names):
        raise OptionError(f"{who}: inputs are {names!r}. Name each once.")
    return names


def _wanted(who: str, model: Any, outputs: Any, span: tuple[float, float]) -> dict[Any, Any]:
    """Outputs as formulas, and what is prescribed, which rests before and behind the path."""
    if not isinstance(outputs, Mapping) or not outputs:
        raise OptionError(
            f"{who}: outputs are {{formula: path}}, for example {{x: 0.1 * dl.time}}."
        )
    held = maximum(minimum(time, lift(span[1])), lift(span[0]))
    made = {}
    for key, path in outputs.items():
        formula = formula_of(model, key) if isinstance(key, str) else key
        if not isinstance(formula, Expression) or symbols([formula], "velocity", "acceleration"):
            raise OptionError(
                f"{who}: the output {key!r:.60} is no formula of coordinates of model"
                f" {model.name!r}."
            )
        wanted = lift(path)
        if not isinstance(wanted, Expression) or symbols([wanted], "coordinate", "velocity"):
            raise OptionError(f"{who}: the path of {key!r:.60} is no formula of the time alone.")
        (made[formula],) = substitute([wanted], {time: held})
    return made


def _array(who: str, plant: Plant, t: float, q: Array, v: Array) -> tuple[Jets, Array, Openness]:
    """The lowest array that settles inputs and whose states are not fewer in the next one."""
    known: tuple[Jets, Array, Openness] | None = None
    for order in range(2, 2 * len(plant.coordinates) + 4):
        jets = Jets(plant, order)
        z = _guess(jets, t, q, v) if known is None else _longer(known[0], known[1], jets)
        z = solve(jets, t, z)
        left = openness(jets, t, z)
        if left.settled and left.free == 0:
            return jets, z, left
        if known is not None and known[2].settled and known[2].free == left.free:
            return known
        known = jets, z, left
    raise OptionError(
        f"{who}: the inputs do not follow from the prescribed outputs, whatever is differentiated:"
        " an input does not reach the outputs, or two of them do the same. Choose other inputs."
    )


def _guess(jets: Jets, t: float, q: Array, v: Array) -> Array:
    """The start of the model, with inputs and multipliers that hold it as well as they can."""
    z = np.zeros(jets.size)
    z[jets.q(0)], z[jets.q(1)] = q, v
    residual, slopes = jets.at(t, z)
    motion = slice(jets.count - jets.n * jets.inner, jets.count - jets.n * (jets.inner - 1))
    held = np.r_[np.arange(jets.size)[jets.u(0)], np.arange(jets.size)[jets.multipliers(0)]]
    z[held] -= np.linalg.lstsq(slopes[motion][:, held], residual[motion], rcond=1e-10)[0]
    return z


def _longer(old: Jets, z: Array, new: Jets) -> Array:
    """A solution of one order as a guess for the next."""
    made = np.zeros(new.size)
    for k in range(old.order + 1):
        made[new.q(k)] = z[old.q(k)]
    for k in range(old.inner):
        made[new.u(k)] = z[old.u(k)]
        made[new.multipliers(k)] = z[old.multipliers(k)]
    return made


def _realisation(plant: Plant, t: float, z: Array, jets: Jets) -> str:
    """How inputs act on the outputs' accelerations: rank of C M^-1 B^T (servo (2))."""
    two = Jets(plant, 2)
    short = np.zeros(two.size)
    for k in range(3):
        short[two.q(k)] = z[jets.q(k)]
    short[two.u(0)], short[two.multipliers(0)] = z[jets.u(0)], z[jets.multipliers(0)]
    _, slopes = two.at(t, short)
    n, m, r = two.n, two.m, two.r
    outer = m + r
    motion = slopes[3 * outer :]
    second = slopes[2 * outer : 3 * outer]
    a = np.arange(two.size)[two.q(2)]
    lam = np.arange(two.size)[two.multipliers(0)]
    u = np.arange(two.size)[two.u(0)]
    # M a - B u - J^T lam = 0 and J a = 0 for a change of u alone
    K = np.block([[motion[:, a], motion[:, lam]], [second[m:][:, a], np.zeros((r, r))]])
    right = np.vstack([-motion[:, u], np.zeros((r, m))])
    moved = np.linalg.lstsq(K, right, rcond=1e-12)[0][:n]
    C = second[:m][:, a]
    P = C @ moved
    size = np.linalg.norm(C, axis=1)[:, None] * np.linalg.norm(moved, axis=0)[None, :]
    relative = np.divide(P, size, out=np.zeros_like(P), where=size > 0)
    rank = int(np.sum(np.linalg.svd(relative, compute_uv=False) > 1e-7))
    return "tangent" if rank == 0 else "orthogonal" if rank == m else "mixed"


def _along(jets: Jets, t: float, z: Array, times: Array, left: Openness) -> Array:
    """Solutions at all moments, each from the one before."""
    made = np.zeros((len(times), jets.size))
    longest = (times[-1] - t) / SAMPLES
    met = [(t, z)]
    for k, moment in enumerate(times):
        while moment - t > longest:  # never far from what is known
            z, t = solve(jets, t + longest, _ahead(jets, z, longest)), t + longest
            met.append((t, z))
        z, t = solve(jets, float(moment), _ahead(jets, z, float(moment) - t)), float(moment)
        met.append((t, z))
        made[k] = z
    refuse_changing(jets, [t for t, _ in met], [z for _, z in met], left)
    return made


def _ahead(jets: Jets, z: Array, h: float) -> Array:
    """The unknowns a little later, by their derivatives."""
    made = z.copy()
    for level in range(jets.order + 1):
        factor = 1.0
        total = np.zeros(jets.n)
        for k in range(level, jets.order + 1):
            total += factor * z[jets.q(k)]
            factor *= h / (k - level + 1)
        made[jets.q(level)] = total
    return made


def _result(jets: Jets, times: Array, found: Array, left: Openness, told: Any, again: Any) -> Servo:
    names, coordinates, kind, eigenvalues = told
    u = found[:, jets.u(0)]
    return Servo(
        t=times,
        inputs={name: u[:, k].copy() for k, name in enumerate(names)},
        q=found[:, jets.q(0)].copy(),
        v=found[:, jets.q(1)].copy(),
        a=found[:, jets.q(2)].copy(),
        coordinates=coordinates,
        realisation=kind,
        index=jets.order + 1,
        flat=left.free == 0,
        internal=left.free,
        eigenvalues=eigenvalues,
        multipliers=found[:, jets.multipliers(0)].copy(),
        _replay=again,
    )
