"""Power and work of forces, drives and constraints; the balance of energy they make.

The power of a force element is the sum of F . v + T . w over its frames, that of a joint or
constraint the same with its reaction, lam . (J v): zero unless it contains time. Whatever the
forces do beyond their potential, together with the drives, is the change of energy:

    E(t) - E(0) = sum over forces of (W + V(t) - V(0)) + sum over drives of W.

Integrals are those of the samples (`simulation.results.quadrature`).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import DoubtfulWarning, OptionError
from dalembert.formulas.derivative import time_derivative
from dalembert.formulas.expression import ZERO, Expression
from dalembert.formulas.graph import symbols
from dalembert.model.basics.element import dot
from dalembert.model.basics.names import nearest
from dalembert.model.core.equations import does_no_work
from dalembert.model.forces.on_joint import OnJoint
from dalembert.model.joints.motion import Motion
from dalembert.simulation.motion.trajectory import Trajectory, of_element
from dalembert.simulation.motion.values import rates
from dalembert.simulation.results import force_rows, inactive
from dalembert.simulation.results.body_energy import stored_energy
from dalembert.simulation.results.quadrature import cumulative
from dalembert.simulation.results.reaction import wrenches

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]

RARE = 0.05
"""Part of a work that its samples may miss before that is told."""

ENTRIES = 20_000_000
"""Forces times samples that a report works out."""


def power(solution: Solution, given: Any) -> Array:
    """Power of a force, joint or constraint at each sample; see `Solution.power`."""
    name = _name(solution, given)
    memory = solution.memory.setdefault("power", {})
    if name not in memory:
        if name in solution.model.forces:
            plain = inactive.by_parts(solution, name, _force_power)
            memory[name] = force_rows.power(solution, name, plain)
        else:
            memory[name] = _constraint_power(solution, name)
    found: Array = memory[name].copy()
    return found


def work(solution: Solution, given: Any) -> Array:
    """Work from the first sample on; see `Solution.work`."""
    name = _name(solution, given)
    done, off = _work(solution, name)
    largest = float(np.max(np.abs(done), initial=0.0))
    if solution.touch is None and len(solution.t) > 1:  # impacts are jumps, at any distance
        off = max(off, _unseen(solution) * largest)
    rounding = 1e-9 * float(np.max(solution.kinetic, initial=0.0))
    if off > max(RARE * largest, rounding):
        warnings.warn(
            f"work of {name!r}: {largest:.3g} J, off by {off:.1g} J or more: the"
            f" {len(solution.t)} samples are too far apart to tell. Record more of them.",
            DoubtfulWarning,
            stacklevel=3,
        )
    return done


def _work(solution: Solution, name: str) -> tuple[Array, float]:
    force = solution.model.forces.get(name)
    called = None
    if force is not None and _is_commanded(solution, force):
        called = _work_between_calls(solution, force)
    if force is not None and solution.touch is not None:
        plain = inactive.by_parts(solution, name, _force_power)
        found = force_rows.work(solution, name, plain)
        if found is not None:
            return found if called is None else _where_smooth(solution, called, found)
    if called is not None:
        return called
    return cumulative(solution.t, power(solution, name), force_rows.jumps(solution))


def _where_smooth(
    solution: Solution, one: tuple[Array, float], other: tuple[Array, float]
) -> tuple[Array, float]:
    """The first work in smooth steps, the other in steps with impulses."""
    assert solution.touch is not None
    smooth = np.asarray(solution.touch.smooth[1:], dtype=bool)
    steps = np.where(smooth, np.diff(one[0]), np.diff(other[0]))
    off = one[1] * bool(smooth.any()) + other[1] * bool(not smooth.all())
    return np.concatenate([[0.0], np.cumsum(steps)]), off


def _is_commanded(solution: Solution, force: Any) -> bool:
    """Whether controllers changed something in a force during the run."""
    if solution.commands is None or len(solution.t) < 2:
        return False
    held = [x for x in (*force.data(), *force.formulas()) if isinstance(x, Expression)]
    return any(leaf.name in solution.commands.names for leaf in symbols(held, "parameter"))


def _work_between_calls(solution: Solution, force: Any) -> tuple[Array, float]:
    """The power jumps at calls of controllers: Gauss' formula from call to call, sample to sample.

    The error is told by the formula of one point less.
    """
    commands, t = solution.commands, solution.t
    assert commands is not None
    inside = commands.t[(commands.t > t[0]) & (commands.t < t[-1])]
    ends = np.union1d(t, inside)
    h = np.diff(ends)
    totals = []
    for points in (3, 2):
        nodes, weights = np.polynomial.legendre.leggauss(points)
        moments = ends[:-1, None] + 0.5 * h[:, None] * (1.0 + nodes)
        values = inactive.between(solution, force.name, moments.ravel(), _force_power)
        parts = 0.5 * h * (values.reshape(moments.shape) @ weights)
        every = np.concatenate([[0.0], np.cumsum(parts)])
        totals.append(every[np.searchsorted(ends, t)])
    return totals[0], float(np.max(np.abs(totals[0] - totals[1])))


def _name(solution: Solution, given: Any) -> str:
    model = solution.model
    if not model.bodies:
        raise OptionError(
            f"work: model {model.name!r} is made of coordinates; its forces have no names. Read"
            " the power as a formula, such as solution[f * x.dot]."
        )
    name = given if isinstance(given, str) else getattr(given, "name", None)
    known = [*model.forces, *model.joints, *(c.name for c in model.constraints)]
    if name not in known:
        hint = nearest(name, known) if isinstance(name, str) else ". Give a force or its name."
        raise OptionError(f"work: model {model.name!r} has no force or joint {given!r:.60}{hint}")
    return str(name)


def has_effort(model: Any, name: str) -> bool:
    """Whether a force of that name acts along the coordinate of a joint."""
    force = model.forces.get(name)
    return isinstance(force, OnJoint) and force.coordinate in ("angle", "displacement")


def effort(solution: Solution, name: str) -> Array:
    """Torque or force of a motor, another force in a joint, or a drive, along its coordinate."""
    drive: Any = solution.model.joints.get(name)
    if isinstance(drive, Motion):
        column = solution.lam[:, solution.constraint_slices[name]][:, 0]
        return np.asarray(column * solution.trajectory.series([drive.lever(drive.views)])[0])
    return force_rows.effort(solution, name, inactive.by_parts(solution, name, _force_effort))


def _force_effort(trajectory: Trajectory, force: Any) -> Array:
    views, data, angles = of_element(force)
    formula = force.effort(views, data, list(angles))
    return trajectory.series([formula], angles)[0].copy()


def speed(solution: Solution, name: str) -> Array:
    """Speed of the coordinate of a motor, another force in a joint, or a drive."""
    drive: Any = solution.model.joints.get(name)
    if isinstance(drive, Motion):
        return solution.trajectory.series(time_derivative([drive.value]))[0].copy()
    force: Any = solution.model.forces[name]
    views, _, angles = of_element(force)
    return solution.trajectory.series([force.rate(views)], angles)[0].copy()


def _force_power(trajectory: Trajectory, force: Any) -> Array:
    views, data, angles = of_element(force)
    total: Expression = ZERO
    for view, (pull, torque) in zip(views, force.loads(views, data, list(angles)), strict=True):
        total = total + dot(pull, view.velocity) + dot(torque, view.angular_velocity)
    return trajectory.series([total], angles)[0].copy()


def _constraint_power(solution: Solution, name: str, *, least: bool = True) -> Array:
    total = np.zeros(len(solution.t))
    for body, pull in wrenches(solution, name, least=least).items():
        states = solution.trajectory.body(body)
        moved = np.concatenate([states.velocity[0], states.spin[0]], axis=1)
        total += (pull * moved).sum(axis=1)
    return total


@dataclass(frozen=True)
class Balance:
    """Energy and work at the samples.

    Attributes
    ----------
    work : (k,)         of forces beyond their potential and of drives  [J]
    given : (k,)        the part of it that gave energy, from sample to sample  [J]
    residual : (k,)     E - E(0) - work  [J]
    quadrature : float  how far the integrals of the samples may be off  [J]
    """

    work: Array
    given: Array
    residual: Array
    quadrature: float


def balance(solution: Solution) -> Balance | None:
    """The balance of energy of a model of bodies; None where it cannot be made."""
    model, energy = solution.model, solution.energy
    if not model.bodies or energy is None or len(solution.t) < 2 or model.generalised_forces:
        return None
    forces = [force for force in model.forces.values() if not force.conservative]
    drives = working(model)
    if (len(forces) + len(drives)) * len(solution.t) > ENTRIES:
        return None
    if not (np.isfinite(energy).all() and np.isfinite(solution.lam).all()):
        return None
    total, given, error = np.zeros(len(solution.t)), np.zeros(len(solution.t)), 0.0
    for force in forces:
        done, off = _work(solution, force.name)
        stored = stored_energy(solution.trajectory, force)
        if stored is not None:
            done = done + stored - stored[0]
        total, given, error = total + done, given + _rises(done), error + off
    for name in drives:
        # their sum does not depend on how dependent rows share a load
        done, off = cumulative(solution.t, _constraint_power(solution, name, least=False))
        total, given, error = total + done, given + _rises(done), error + off
    # power at samples that are too rare says nothing of what flows in between
    exchanged = max(np.max(solution.kinetic), np.max(np.abs(energy - energy[0])))
    error = max(error, _unseen(solution) * float(exchanged))
    return Balance(total, given, energy - energy[0] - total, error)


def _rises(work: Array) -> Array:
    """Sum of what a work has grown by, from sample to sample."""
    return np.concatenate([[0.0], np.cumsum(np.maximum(np.diff(work), 0.0))])


def _unseen(solution: Solution) -> float:
    """Part of the motion between two samples that they do not tell of, 0 to 1: the largest.

    Where q, q' and q'' at both ends do not fit together, q has done something in between:
    q1 - q0 = h (q0' + q1') / 2 - h^2 (q1'' - q0'') / 12 + O(h^5).
    """
    first, second = rates(solution.model, solution.q, solution.v, solution.a)
    h = np.diff(solution.t)[:, None]
    way = np.diff(solution.q, axis=0)
    foretold = 0.5 * h * (first[1:] + first[:-1]) - h * h / 12.0 * np.diff(second, axis=0)
    scale = np.maximum(np.abs(way), h * np.maximum(np.abs(first[1:]), np.abs(first[:-1])))
    largest = np.max(scale, axis=1, initial=0.0)
    missed = np.max(np.abs(way - foretold), axis=1, initial=0.0)
    missed[h[:, 0] <= 1e-9 * (solution.t[-1] - solution.t[0])] = 0.0  # one moment, and rounding
    return float(min(1.0, np.max(missed / np.where(largest > 0.0, largest, 1.0), initial=0.0)))


def working(model: Any) -> list[str]:
    """Joints and constraints whose forces may do work."""
    found = []
    constraints = model.constraints
    if model.is_maximal:
        for joint in model.joints.values():
            if symbols([row for rows in joint.formulas() for row in rows], "time"):
                found.append(joint.name)
    return found + [c.name for c in constraints if not does_no_work(c, model.velocities)]
