"""Formulas that are looked at while an engine runs: points, energies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dalembert.engine import full_turns
from dalembert.formulas import Expression, constant, substitute, symbols, time
from dalembert.formulas.expression import ZERO
from dalembert.formulas.orientation import quaternion, rotation
from dalembert.model.basics.by_name import formula_of
from dalembert.scene.formula_points import points_of
from dalembert.simulation.motion.values import rotation_entries, velocity_symbols


def kinetic_energy(model: Any) -> Expression | None:
    """Kinetic energy of a model, rotors of drives included, as a formula of its own coordinates.

    None where a rotor turns about an axis whose speed is no formula, as in a ball joint.
    """
    if not model.is_maximal:
        found: Expression = model.kinetic
        return found
    total = ZERO
    for body in model.bodies.values():
        v = body.velocity_symbols
        R, theta, mass = rotation(body.name), body.inertia.matrix, body.inertia.mass
        w = [sum((R[i, k] * v[3 + i] for i in range(3)), ZERO) for k in range(3)]
        total = total + 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
        for i in range(3):
            for k in range(3):
                total = total + 0.5 * theta[i][k] * w[i] * w[k]
    rotors = _rotors(model)
    return None if rotors is None else total + rotors


def _rotors(model: Any) -> Expression | None:
    """1/2 I_a x'^2 of joints whose drives have inertia."""
    total = ZERO
    for name, values in model.armature.items():
        parts = model.joints[name].named_parts
        for k, inertia in enumerate(values):
            if not inertia:
                continue
            rate = formula_of(model, f"{name}.{parts[k]}.dot") if k < len(parts) else None
            if rate is None:
                return None
            total = total + 0.5 * inertia * rate * rate
    return total


def potential_energy(model: Any) -> Expression | None:
    """Potential energy, full turns those of an array (`full_turns`); None where there is none."""
    if not model.is_maximal:
        found: Expression | None = model.potential
        return found
    total = ZERO
    for body in model.bodies.values():
        for g, x in zip(model.gravity, body.state_symbols[:3], strict=True):
            total = total - body.inertia.mass * g * x
    for force in model.forces.values():
        try:
            energy = full_turns.of_force(model, force, "energy")
        except full_turns.UncountedError:
            return None
        total = total if energy is None else total + energy
    return total


def free_points(model: Any, names: Sequence[str]) -> list[Expression]:
    """Three formulas for each of the named points."""
    if not names:
        return []
    known, found = points_of(model), []
    for name in names:
        place = list(known[name])
        found += [*place, *[ZERO] * (3 - len(place))]
    return found


class Binding:
    """Where the symbols of a model's formulas are read in an engine."""

    def __init__(
        self, model: Any, parameters: Sequence[str], first: int, free: Sequence[str] = ()
    ) -> None:
        self._model, self._parameters, self._first = model, list(parameters), first
        self._free = list(free)  # parameters that stand in an array of their own
        self.places: dict[Any, tuple[str, int | None]] = {time: ("t", None)}
        self.places |= {x: ("q", k) for k, x in enumerate(model.coordinates)}
        self.places |= {x: ("v", k) for k, x in enumerate(velocity_symbols(model))}
        self.places |= full_turns.places(model)

    def bound(self, formulas: Sequence[Any]) -> list[Expression] | None:
        """The formulas with rotations and unknown parameters put in; None: something is unknown."""
        model, given = self._model, {}
        formulas = [_lifted(x) for x in formulas]
        for leaf in symbols(formulas, "parameter"):
            if leaf.name in self._parameters:
                at = self._first + self._parameters.index(leaf.name)
                self.places[leaf] = ("work", at)
            elif leaf.name in self._free:
                self.places[leaf] = ("free", self._free.index(leaf.name))
            else:
                given[leaf] = constant(model.parameters.get(leaf.name, leaf.value))
        if model.is_maximal:
            owners = {x.name.partition(":")[0] for x in symbols(formulas, "coordinate")}
            for name in owners & set(model.bodies):
                given |= zip(rotation(name).ravel(), _rotation(name), strict=True)
        made = substitute(formulas, given)
        leaves = symbols(made, "coordinate", "velocity", "parameter", "load")
        return made if all(leaf in self.places for leaf in leaves) else None


def _lifted(x: Any) -> Expression:
    return x if isinstance(x, Expression) else constant(float(x))


def _rotation(name: str) -> list[Expression]:
    """Entries of R as formulas of the quaternion."""
    return rotation_entries(*quaternion(name))
