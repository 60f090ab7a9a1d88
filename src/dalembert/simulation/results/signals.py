"""Series of a solution by name or formula, and what to say of names that it does not know."""

from __future__ import annotations

import difflib
import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.graph import symbols
from dalembert.formulas.node import Node
from dalembert.model.basics.by_name import formula_of, frame_names, joint_names, unwritten
from dalembert.model.basics.constraint import ConstraintForce
from dalembert.simulation.motion import values
from dalembert.simulation.results import contact_series, resampling, sensing
from dalembert.simulation.results import work as works

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]


def series(solution: Solution, signal: Any) -> Array:
    """Series of a formula, a name, a constraint force, or an array of these."""
    if isinstance(signal, str):
        return _named(solution, signal)
    if isinstance(signal, ConstraintForce):
        return _force(solution, signal.name)
    if isinstance(signal, Node):
        return formulas(solution, [signal])[0]
    if isinstance(signal, list | tuple | np.ndarray):
        return np.stack([series(solution, part) for part in signal], axis=1)
    raise TypeError(
        f"solution[...] takes a formula, a name or a constraint's .force, not {signal!r}."
        " For a sample by number use solution.q[i]."
    )


def sampled(solution: Solution, signal: Any, times: Array) -> Array:
    """A signal's value at any moments, from the interpolated state."""
    if isinstance(signal, list | tuple | np.ndarray):
        return np.stack([sampled(solution, part, times) for part in signal], axis=-1)
    known = formula_of(solution.model, signal) if isinstance(signal, str) else signal
    flat = times.ravel()
    if isinstance(known, Node):
        q, v = solution.at(flat)
        found = formulas(solution, [known], flat, q, v)[0]
    else:
        found = _worked_out(solution, signal, flat)
    return found.reshape(*times.shape, *found.shape[1:])


def _worked_out(solution: Solution, signal: Any, times: Array) -> Array:
    """Values of forces, energies and sensors, by the equations at these moments."""
    here = series(solution, signal)  # says what is no signal
    owner, _, part = signal.rpartition(".") if isinstance(signal, str) else ("", "", "force")
    if owner in solution.model.sensors:
        return sensing.reading(solution, owner, times)[part]
    touch, rows = solution.touch, part in ("force", "effort", "friction")
    if rows and touch is not None and {owner, signal} & {*touch.elements, *touch.sides}:
        return contact_series.between(solution, here, times)
    every = np.union1d(solution.t, times)
    found = series(resampling.resampled(solution, every), signal)[np.searchsorted(every, times)]
    acting = contact_series.acts(solution, times)
    if acting.any() and rows:
        found[acting] = contact_series.between(solution, here, times[acting])
    return found


def _named(solution: Solution, name: str) -> Array:
    for names, block in (
        (solution.acceleration_names, solution.a),
        (solution.velocity_names, solution.v),
        (solution.coordinate_names, solution.q),
    ):
        if name in names:
            return block[:, names.index(name)]
    owner, _, part = name.rpartition(".")
    if part == "force" and owner in solution.constraint_slices:
        return _force(solution, owner)
    if part == "effort" and works.has_effort(solution.model, owner):
        return works.effort(solution, owner)
    if part in ("force", "effort") and solution.touch is not None:
        found = solution.touch.force_of(owner)
        if found is not None:
            return found
    if part == "friction" and solution.touch is not None:
        found = solution.touch.force_of(name)
        if found is not None:
            return found
    if owner in solution.model.sensors:
        return sensing.reading(solution, owner)[part]
    if solution.commands is not None and name in solution.commands.names:
        return solution.commands.held(solution.t)[name]
    if name in ("t", "time"):
        return solution.t
    if name == "kinetic":
        return solution.kinetic
    if name in ("potential", "energy"):
        series = solution.potential if name == "potential" else solution.energy
        if series is None:
            raise OptionError(
                f"Model {solution.model.name!r} states no potential energy, so {name!r} is unknown."
                " Give `potential=` when describing the model."
            )
        return series
    formula = formula_of(solution.model, name)
    if formula is not None:
        return formulas(solution, [formula])[0]
    raise OptionError(_unknown(solution, name))


def _force(solution: Solution, constraint: str) -> Array:
    if constraint not in solution.constraint_slices:
        found = None if solution.touch is None else solution.touch.force_of(constraint)
        if found is not None:
            return found
        raise OptionError(_unknown(solution, constraint))
    columns = solution.lam[:, solution.constraint_slices[constraint]]
    return columns[:, 0] if columns.shape[1] == 1 else columns


def _unknown(solution: Solution, name: str) -> str:
    known = [*solution.coordinate_names, "energy", "kinetic", "potential", "t"]
    known += [*joint_names(solution.model), *frame_names(solution.model)]
    known += solution.velocity_names
    known += [f"{c}.force" for c in solution.constraint_slices]
    known += [f"{n}.effort" for n in solution.model.forces if works.has_effort(solution.model, n)]
    known += [f"{n}.{s}" for n, sensor in solution.model.sensors.items() for s in sensor.signals]
    near = difflib.get_close_matches(name, [*known, *solution.constraint_slices], n=1, cutoff=0.5)
    # A constraint is not a series; its force is.
    found = [f"{n}.force" if n in solution.constraint_slices else n for n in near]
    hint = f" Did you mean {found[0]!r}?" if found else ""
    hint = unwritten(solution.model, name) or hint
    return f"Model {solution.model.name!r} has no signal {name!r}.{hint} {_known(solution)}"


def _known(solution: Solution) -> str:
    """Signals there are, a few of a large model."""
    if not solution.model.is_maximal:
        return f"Coordinates: {', '.join(solution.coordinate_names)}."
    body = next(iter(solution.model.bodies))
    some = [f"{body}.{part}" for part in ("x", "roll", "x.dot", "wx")]
    some += itertools.islice(joint_names(solution.model), 2)
    return f"There are for example {', '.join(some)}; each with .dot and .ddot."


def formulas(
    solution: Solution,
    wanted: list[Any],
    t: Array | None = None,
    q: Array | None = None,
    v: Array | None = None,
) -> list[Array]:
    """Evaluate formulas on samples (of the run unless given)."""
    t = solution.t if t is None else t
    q = solution.q if q is None else q
    v = solution.v if v is None else v
    held = None if solution.commands is None else solution.commands.held(t)
    known = values.known_values(solution.model, wanted, t, q, v, held, solution.turned)
    if symbols(wanted, "acceleration"):
        known |= values.accelerations(
            solution.model, solution.a if t is solution.t else _rates(solution, t)
        )
    moving = symbols(wanted, "coordinate", "velocity", "acceleration")
    unknown = [s for s in moving if s not in known]
    if unknown:
        raise OptionError(_unknown(solution, unknown[0].name))
    series = evaluate(wanted, known)
    return [np.broadcast_to(np.asarray(s, dtype=float), t.shape).copy() for s in series]


def _rates(solution: Solution, t: Array) -> Array:
    """Accelerations at other moments, from the equations there."""
    every, back = np.unique(t, return_inverse=True)
    return resampling.resampled(solution, every).a[back]
