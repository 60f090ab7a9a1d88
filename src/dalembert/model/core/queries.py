"""Answers of a model about itself: coordinates, parameters, rows, energies, equations."""

from __future__ import annotations

from dalembert.errors import FormulaError, ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.constraint import Constraint
from dalembert.model.basics.masses import Particle, PlanarBody, SpatialBody
from dalembert.model.basics.names import Told
from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.basics.rigid_body import AngleBody, Body
from dalembert.model.core import by_angles, read_description
from dalembert.model.core.equations import Description, Equations, Placed, assemble, does_no_work
from dalembert.model.core.from_formulas import FromFormulas
from dalembert.model.core.inventory import WITH_PARAMETERS


class Queries(FromFormulas):
    """Answers of a `Model`."""

    _equations: Equations | None
    _parameters: dict[str, Expression]
    _values: dict[str, float]

    @property
    def coordinates(self) -> list[Expression]:
        """The coordinates q, in the order of every array."""
        return [*self._coordinates, *(q for b in self._bodies.values() for q in b.coordinates)]

    @property
    def velocities(self) -> list[Expression]:
        """The velocities v, in the order of every array; as many as coordinates, or 6 a body."""
        if self.is_maximal:
            return [v for b in self._bodies.values() for v in getattr(b, "velocity_symbols", ())]
        return [q.dot for q in self.coordinates]

    @property
    def parameters(self) -> dict[str, float]:
        """Current values of the parameters by name, sorted."""
        values = {p.name: self._values.get(p.name, p.value) for p in self.parameter_symbols}
        return Told("parameters", WITH_PARAMETERS, values)

    @property
    def parameter_symbols(self) -> list[Expression]:
        """The parameters as they stand in the formulas, in the order of `parameters`."""
        return [self._parameters[name] for name in sorted(self._parameters)]

    @property
    def constraints(self) -> list[Constraint]:
        """The constraints, in the order they were given.

        Between bodies with roll-pitch-yaw those of the joints come first.
        """
        return [*self._joint_rows, *self._constraints]

    @property
    def row_names(self) -> list[str]:
        """One name for each constraint row: those of joints, then of constraints, as given."""
        joints = self.joints.values() if self.is_maximal else ()
        names = [name for joint in joints for name in joint.row_names]
        return names + [name for constraint in self.constraints for name in constraint.row_names]

    @property
    def row_count(self) -> int:
        """Number of constraint rows."""
        joints = self.joints.values() if self.is_maximal else ()
        return sum(map(len, joints)) + sum(map(len, self.constraints))

    def masses(self) -> dict[str, Quantity]:
        """Masses of particles and bodies by name [kg]; empty for models made of formulas."""
        return {
            mass.name: mass.inertia.mass if isinstance(mass, Body) else mass.mass
            for mass in self._masses()
        }

    @property
    def gravity(self) -> tuple[Expression, ...]:
        """Acceleration of gravity on bodies and particles [m/s^2]."""
        return self._gravity

    @property
    def initial(self) -> dict[str, float]:
        """Initial state by name ("x", "x.dot"), with the current parameters; missing means 0."""
        numbers = self.initial_numbers()
        found = self.start_by_name([numbers]) if self._bodies else numbers
        return Told("initial values", "Use set_initial.", found)

    def initial_numbers(self) -> dict[str, float]:
        """Values set for the start, by name, with the current parameters."""
        found: dict[str, float] = {}
        for name, quantity in self._initial.items():
            number = value_of(quantity, self.parameters)
            if number is None:
                raise ModelError(
                    f"model '{self.name}': initial '{name}': {quantity!r} is not a finite number "
                    "with the current parameters. Change the parameters or the initial value."
                )
            found[name] = number
        return found

    @property
    def description(self) -> Description | None:
        """Lagrangian, matrices or placed masses as given; None for a model of bodies."""
        return self._description

    @property
    def extra_potential(self) -> Expression:
        """Potential energy in addition to what the description contains [J]."""
        return self._potential

    @property
    def generalised_forces(self) -> dict[Expression, Expression]:
        """Forces that come from no potential, by coordinate."""
        return Told("generalised forces", "Use add_force.", self._forces)

    @property
    def initial_formulas(self) -> dict[str, Quantity]:
        """Initial state by name, as given: numbers, or formulas of parameters."""
        return Told("initial values", "Use set_initial.", self._initial)

    @property
    def mass(self) -> tuple[tuple[Expression, ...], ...]:
        """Mass matrix M(q, t), n x n formulas, symmetric."""
        return self._assembled().mass

    @property
    def force(self) -> tuple[Expression, ...]:
        """Q(q, v, t), n formulas: everything on the right-hand side but constraint forces."""
        return self._assembled().force

    @property
    def kinetic(self) -> Expression:
        """Kinetic energy [J]."""
        return self._body_energies().kinetic if self.is_maximal else self._assembled().kinetic

    @property
    def potential(self) -> Expression | None:
        """Potential energy [J]; None when the model states none."""
        return self._body_energies().potential if self.is_maximal else self._assembled().potential

    @property
    def conservative(self) -> bool:
        """True when kinetic + potential energy must be constant.

        No explicit time in energies or constraints, no forces without potential, and velocity
        constraints homogeneous in the velocities (those do no work).
        """
        if self.is_maximal:
            conserved = self._body_energies().conserved
        else:
            conserved = self._assembled().conserves_energy
        return conserved and all(
            does_no_work(constraint, self.velocities) for constraint in self.constraints
        )

    # -- private -------------------------------------------------------------------------------

    def _names(self) -> dict[str, Expression]:
        return {q.name: q for q in self.coordinates} | self._parameters

    def _masses(self) -> list[Particle | PlanarBody | SpatialBody | Body]:
        if isinstance(self._description, Placed):
            given = self._description
            return [*given.particles, *given.planar, *given.spatial]
        return list(self._bodies.values())

    def _assembled(self) -> Equations:
        if self._equations is None:
            description = self._description
            if description is None:
                if self.is_maximal:
                    raise ModelError(
                        f"model '{self.name}': its bodies have no mass matrix of formulas. Give "
                        "them orientation='roll-pitch-yaw' to get one."
                    )
                bodies = tuple(
                    body.as_spatial()
                    for body in self._bodies.values()
                    if isinstance(body, AngleBody)
                )
                description = Placed((), (), bodies, self._gravity)
            if not self.coordinates:
                raise ModelError(f"model '{self.name}': has no coordinates. Add a body first.")
            forces, potential = by_angles.generalised(
                self._elements.values(), self.coordinates, self._forces
            )
            try:
                found = assemble(description, self.coordinates, forces, self._potential + potential)
            except FormulaError as problem:
                raise ModelError(f"model '{self.name}': {problem}") from problem
            rows = [row for constraint in self.constraints for row in constraint.rows]
            findings = read_description.check_mass_matrix(found.mass, self.coordinates, rows)
            findings.raise_if_any(f"model '{self.name}'")
            self._equations = found
        return self._equations
