"""The description of a model turned into  M(q) v' = Q(q, v, t) + J^T lam  , as formulas.

Three kinds of description, all ending in the same `Equations`: a Lagrangian, the matrices
themselves, and masses placed by formulas of the coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dalembert.formulas.derivative import directional, jacobian
from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.expression import ZERO, Expression
from dalembert.formulas.graph import symbols
from dalembert.formulas.lagrangian import equations_from_lagrangian, equations_from_map
from dalembert.model.basics.constraint import Constraint
from dalembert.model.basics.masses import Particle, PlanarBody, SpatialBody

# Numerical identity of two formulas: sampled at random states, judged relative to their size.
SAMPLES = 7
SAMPLE_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Lagrangian:
    """Kinetic and potential energy, and a Rayleigh function D with forces -dD/dv."""

    kinetic: Expression
    potential: Expression
    dissipation: Expression


@dataclass(frozen=True, slots=True)
class Matrices:
    """M and Q given directly; the potential, if given, only says what the energy is."""

    mass: tuple[tuple[Expression, ...], ...]
    force: tuple[Expression, ...]
    potential: Expression | None


@dataclass(frozen=True, slots=True)
class Placed:
    """Masses placed by formulas of the coordinates, and gravity on them."""

    particles: tuple[Particle, ...]
    planar: tuple[PlanarBody, ...]
    spatial: tuple[SpatialBody, ...]
    gravity: tuple[Expression, ...]


Description = Lagrangian | Matrices | Placed


@dataclass(frozen=True, slots=True)
class Equations:
    """M v' = Q + J^T lam without its constraints.

    Attributes
    ----------
    mass : n x n formulas, symmetric
    force : n formulas
        Q: everything on the right-hand side but the constraint forces.
    kinetic : formula
    potential : formula or None
        None when the description does not state one.
    conserves_energy : bool
        The unconstrained motion keeps kinetic + potential.
    """

    mass: tuple[tuple[Expression, ...], ...]
    force: tuple[Expression, ...]
    kinetic: Expression
    potential: Expression | None
    conserves_energy: bool


def assemble(
    description: Description,
    coordinates: Sequence[Expression],
    forces: Mapping[Expression, Expression],
    potential: Expression,
) -> Equations:
    """Equations of the description with further forces and a further potential."""
    if isinstance(description, Lagrangian):
        return _from_lagrangian(description, coordinates, forces, potential)
    if isinstance(description, Matrices):
        return _from_matrices(description, coordinates, forces, potential)
    return _from_map(description, coordinates, forces, potential)


def _from_lagrangian(
    given: Lagrangian,
    coordinates: Sequence[Expression],
    forces: Mapping[Expression, Expression],
    potential: Expression,
) -> Equations:
    V = given.potential + potential
    applied = _with_dissipation(forces, given.dissipation, coordinates)
    M, Q = equations_from_lagrangian(given.kinetic, V, applied, coordinates)
    # With terms linear in v, or without v, T + V is not the energy integral.
    conserves = (
        not applied
        and not symbols([given.kinetic, V], "time")
        and identical([given.kinetic], [quadratic(M, coordinates)])
    )
    return Equations(_frozen(M), tuple(Q), given.kinetic, V, conserves)


def _from_matrices(
    given: Matrices,
    coordinates: Sequence[Expression],
    forces: Mapping[Expression, Expression],
    potential: Expression,
) -> Equations:
    gradient = jacobian([potential], coordinates)[0]
    Q = [
        entry - slope + forces.get(q, ZERO)
        for q, entry, slope in zip(coordinates, given.force, gradient, strict=True)
    ]
    kinetic = quadratic(given.mass, coordinates)
    if given.potential is None:
        return Equations(given.mass, tuple(Q), kinetic, None, False)
    V = given.potential + potential
    conserves = not symbols([kinetic, V, *Q], "time") and identical(
        Q, equations_from_lagrangian(kinetic, V, None, coordinates)[1]
    )
    return Equations(given.mass, tuple(Q), kinetic, V, conserves)


def _from_map(
    given: Placed,
    coordinates: Sequence[Expression],
    forces: Mapping[Expression, Expression],
    potential: Expression,
) -> Equations:
    gradient = jacobian([potential], coordinates)[0]
    applied = {
        q: forces.get(q, ZERO) - slope for q, slope in zip(coordinates, gradient, strict=True)
    }
    found = equations_from_map(
        coordinates,
        particles=given.particles,
        planar_bodies=given.planar,
        spatial_bodies=given.spatial,
        gravity=given.gravity,
        forces=applied,
    )
    V = found.potential + potential
    conserves = not any(f is not ZERO for f in forces.values()) and not symbols(
        [found.kinetic, V], "time"
    )
    return Equations(_frozen(found.mass), tuple(found.force), found.kinetic, V, conserves)


def _with_dissipation(
    forces: Mapping[Expression, Expression],
    dissipation: Expression,
    coordinates: Sequence[Expression],
) -> dict[Expression, Expression]:
    """Forces less dD/dv; entries that are zero are left out."""
    slopes = jacobian([dissipation], [q.dot for q in coordinates])[0]
    total = {q: forces.get(q, ZERO) - slope for q, slope in zip(coordinates, slopes, strict=True)}
    return {q: force for q, force in total.items() if force is not ZERO}


def quadratic(
    mass: Sequence[Sequence[Expression]], coordinates: Sequence[Expression]
) -> Expression:
    """1/2 v^T M v."""
    total = ZERO
    for i, q in enumerate(coordinates):
        total = total + mass[i][i] * q.dot**2 / 2
        for j in range(i):
            total = total + mass[i][j] * q.dot * coordinates[j].dot
    return total


def does_no_work(constraint: Constraint, velocities: Sequence[Expression]) -> bool:
    """True when the constraint forces do no work on any motion that obeys the constraint.

    The power is lam (J v). A holonomic constraint without time has J v = 0; a velocity constraint
    homogeneous of degree k has J v = k psi = 0 by Euler's theorem.
    """
    if symbols(constraint.rows, "time"):
        return False
    if constraint.kind == "holonomic":
        return True
    rates = {v: v for v in velocities}
    for row in constraint.rows:
        (power,) = directional([row], rates)
        if not any(identical([power], [degree * row]) for degree in (1, 2, 3)):
            return False
    return True


def identical(left: Sequence[Expression], right: Sequence[Expression]) -> bool:
    """True when two lists of formulas have the same values at random states.

    Formulas that are not the same node may still be equal; exact algebra on them is not needed
    to find that out. States outside a formula's domain are passed over; a pair that is nowhere
    defined is not identical.
    """
    pairs = [(a, b) for a, b in zip(left, right, strict=True) if a is not b]
    if not pairs:
        return True
    formulas = [formula for pair in pairs for formula in pair]
    generator = np.random.default_rng(20091)
    values = {
        leaf: generator.uniform(-1.0, 1.0, SAMPLES)
        for leaf in symbols(formulas, "coordinate", "velocity", "time")
    }
    for leaf in symbols(formulas, "parameter"):  # must hold whatever values they take later
        values[leaf] = (leaf.value or 1.0) * generator.uniform(0.5, 1.5, SAMPLES)
    numbers = [np.broadcast_to(number, SAMPLES) for number in evaluate(formulas, values)]
    defined = np.all(np.isfinite(numbers), axis=0)
    if not defined.any():
        return False
    first, second = np.array(numbers[::2])[:, defined], np.array(numbers[1::2])[:, defined]
    size = max(np.abs(first).max(), np.abs(second).max())
    return bool(np.abs(first - second).max() <= SAMPLE_TOLERANCE * size)


def _frozen(M: Sequence[Sequence[Expression]]) -> tuple[tuple[Expression, ...], ...]:
    return tuple(tuple(row) for row in M)
