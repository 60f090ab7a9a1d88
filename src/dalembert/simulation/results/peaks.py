"""The largest reactions, motor torques and powers of a run, with moment and unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.model.basics.names import nearest
from dalembert.model.forces.on_joint import OnJoint
from dalembert.model.joints.motion import Motion
from dalembert.simulation.motion.trajectory import of_element
from dalembert.simulation.results import work as works

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Peak:
    """One largest value.

    Attributes
    ----------
    name : str          joint, constraint, force or drive
    kind : "joint", "constraint", "drive" or "force"
    what : "force", "torque", "effort", "power" or "multiplier"
    value : float       with its sign; the magnitude of a force or torque
    unit : str
    t : float           moment  [s]
    on : str            body that a force or torque acts on; empty for others
    vector : 3 numbers  force or torque at that moment, world axes, as `Solution.reaction` gives it
    unique : bool       False where joints share a load that the motion does not determine
    """

    name: str
    kind: str
    what: str
    value: float
    unit: str
    t: float
    on: str = ""
    vector: tuple[float, ...] = ()
    unique: bool = True


def peaks(solution: Solution, names: Sequence[str] = ()) -> list[Peak]:
    """The largest values of joints and constraints, then of motors and other forces.

    Parameters
    ----------
    names : joints, constraints and forces; by default all of them
    """
    if not len(solution.t):
        raise OptionError("reactions: nothing was recorded, so there is no largest value.")
    model = solution.model
    known = [*solution.constraint_slices, *model.forces]
    for name in names:
        if name not in known:
            raise OptionError(
                f"reactions: model {model.name!r} has no joint, constraint or force {name!r}"
                f"{nearest(name, known)}"
            )
    found: list[Peak] = []
    for name in names or known:
        found += _of_force(solution, name) if name in model.forces else _of_rows(solution, name)
    return found


def _of_rows(solution: Solution, name: str) -> Iterator[Peak]:
    """A joint, drive or constraint."""
    model = solution.model
    if not model.bodies:
        columns = solution.lam[:, solution.constraint_slices[name]]
        for label, series in zip(_labels(name, columns), columns.T, strict=True):
            yield from _signed(solution, label, "constraint", "multiplier", "", series)
        return
    joint = model.joints.get(name)
    kind = "joint" if joint is not None else "constraint"
    if isinstance(joint, Motion) and len(joint) == 1:
        effort = works.effort(solution, name)
        yield from _signed(solution, name, "drive", "effort", joint.unit, effort)
        yield from _signed(solution, name, "drive", "power", "W", solution.power(name))
        return
    found = solution.reaction(name)
    mine = found.unique is not False
    for what, series, unit in (("force", found.force, "N"), ("torque", found.torque, "N m")):
        yield _largest(solution, name, kind, what, unit, series, found.on, mine)


def _of_force(solution: Solution, name: str) -> Iterator[Peak]:
    """A motor, or another force on bodies."""
    force: Any = solution.model.forces[name]
    if isinstance(force, OnJoint) and works.has_effort(solution.model, name):
        unit = "N m" if force.coordinate == "angle" else "N"
        yield from _signed(solution, name, "force", "effort", unit, solution[f"{name}.effort"])
    else:
        views, data, angles = of_element(force)
        loads = force.loads(views, data, list(angles))
        frames = force.acted_frames()
        if loads and len(frames) <= len(loads):
            pull, torque = loads[len(frames) - 1] if frames else loads[-1]
            on = frames[-1].body.name if frames else ""
            series = solution.trajectory.series([*pull, *torque], angles)
            both = np.stack(series, axis=1)
            for what, part, unit in (("force", both[:, :3], "N"), ("torque", both[:, 3:], "N m")):
                if np.any(part):
                    yield _largest(solution, name, "force", what, unit, part, on, True)
    yield from _signed(solution, name, "force", "power", "W", solution.power(name))


def _labels(name: str, columns: Array) -> list[str]:
    count = columns.shape[1]
    return [name] if count == 1 else [f"{name}[{k}]" for k in range(count)]


def _signed(
    solution: Solution, name: str, kind: str, what: str, unit: str, series: Array
) -> Iterator[Peak]:
    """The largest value; and the lowest, where it has another sign."""
    known = np.where(np.isfinite(series), series, 0.0)
    high, low = int(np.argmax(known)), int(np.argmin(known))
    shown = [high] if known[high] > 0.0 or known[low] == 0.0 else []
    for k in [*shown, *([low] if known[low] < 0.0 else [])]:
        yield Peak(name, kind, what, float(known[k]), unit, float(solution.t[k]))


def _largest(
    solution: Solution,
    name: str,
    kind: str,
    what: str,
    unit: str,
    series: Array,
    on: str,
    unique: bool,
) -> Peak:
    sizes = np.linalg.norm(np.where(np.isfinite(series), series, 0.0), axis=1)
    k = int(np.argmax(sizes))
    vector = tuple(float(x) for x in series[k])
    return Peak(name, kind, what, float(sizes[k]), unit, float(solution.t[k]), on, vector, unique)
