"""Models stated by formulas: a Lagrangian, matrices, or masses placed by formulas."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from dalembert.formulas.expression import ZERO, Expression, coordinate
from dalembert.formulas.graph import symbols
from dalembert.model.basics.masses import Particle, PlanarBody, SpatialBody
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings, Reader, given_parameters, is_sympy, names_in
from dalembert.model.core import read_description
from dalembert.model.core.equations import Description, Equations, Lagrangian, Matrices
from dalembert.model.core.of_contact import OfContact
from dalembert.model.core.read_description import Element

Constraints = Mapping[str, Any] | Iterable[Any]


class FromFormulas(OfContact):
    """Ways to begin a `Model` other than adding bodies to an empty one."""

    points: dict[str, tuple[Expression, ...]]
    lines: list[tuple[str, ...]]
    suggested: dict[str, Any]
    _description: Description | None
    _forces: dict[Expression, Expression]
    _potential: Expression
    _initial: dict[str, Quantity]

    @abstractmethod
    def _assembled(self) -> Equations: ...

    @classmethod
    def from_lagrangian(
        cls,
        *,
        kinetic: Any,
        potential: Any = 0.0,
        constraints: Constraints = (),
        forces: Mapping[Any, Any] | None = None,
        dissipation: Any = None,
        coordinates: Iterable[Any] | None = None,
        parameters: Mapping[Any, Any] | None = None,
        name: str = "model",
        initial: Mapping[Any, Any] | None = None,
        points: Mapping[str, Any] | None = None,
        lines: Iterable[Sequence[str]] | None = None,
        suggested: Mapping[str, Any] | None = None,
    ) -> Self:
        """Model of a kinetic and a potential energy: d/dt dL/dv - dL/dq = forces + J^T lam.

        Parameters
        ----------
        kinetic : formula  [J]
            Quadratic in the velocities.
        potential : formula  [J]
            Of coordinates, parameters and time.
        constraints : formulas that are zero
            A list of formulas or arrays of them, of (name, formula) pairs, or a dict by name. A
            formula that contains a velocity is a velocity (nonholonomic) constraint.
        forces : dict coordinate -> formula
            Generalised forces that come from no potential.
        dissipation : formula  [W]
            Rayleigh function D; adds the forces -dD/dv.
        coordinates : list of coordinates
            Their order; by default those found in the formulas, in the order they were made.
        parameters : dict name -> value
            Needed only for SymPy formulas, whose symbols carry no value.
        initial : dict coordinate or velocity -> number or formula of parameters
            Start of a run unless `simulate` is told otherwise; what is missing is 0.
        points, lines : dict name -> 2 or 3 formulas, list of tuples of point names
            For drawing.
        suggested : dict
            Interval and step to run by default: ``{"until": 10.0, "step": 1e-3}``.

        Raises
        ------
        ModelError
            Everything that is wrong, at once.

        Examples
        --------
        >>> from dalembert.formulas.variables import coordinates, parameters
        >>> from dalembert.model import Model
        >>> x, y = coordinates("x y")
        >>> m, l, g = parameters(m=1.0, l=1.0, g=9.81)
        >>> model = Model.from_lagrangian(
        ...     kinetic=m * (x.dot**2 + y.dot**2) / 2,
        ...     potential=m * g * y,
        ...     constraints=[x**2 + y**2 - l**2],
        ... )
        >>> model.mass[0]
        (m, 0)
        >>> model.conservative
        True
        """
        raw = (kinetic, potential, constraints, forces, dissipation, points)
        made = cls(name)  # type: ignore[call-arg]
        reader = made._begin(raw, coordinates, parameters)
        T = reader.formula(kinetic, "kinetic")
        V = reader.formula(potential, "potential")
        D = ZERO if dissipation is None else reader.formula(dissipation, "dissipation")
        moving = symbols([V], "velocity")
        if moving:
            reader.findings.add(
                "potential",
                f"depends on the velocity {moving[0]!r}. Give such forces in forces=.",
            )
        made._description = Lagrangian(T, V, D)
        return made._finish(
            [("kinetic", [T]), ("potential", [V]), ("dissipation", [D])],
            reader,
            coordinates=coordinates,
            constraints=constraints,
            forces=forces,
            initial=initial,
            points=points,
            lines=lines,
            suggested=suggested,
        )

    @classmethod
    def from_matrices(
        cls,
        *,
        coordinates: Iterable[Any],
        mass: Any,
        force: Any,
        bias: Any = None,
        constraints: Constraints = (),
        potential: Any = None,
        forces: Mapping[Any, Any] | None = None,
        parameters: Mapping[Any, Any] | None = None,
        name: str = "model",
        initial: Mapping[Any, Any] | None = None,
        points: Mapping[str, Any] | None = None,
        lines: Iterable[Sequence[str]] | None = None,
        suggested: Mapping[str, Any] | None = None,
    ) -> Self:
        """Model of the equations themselves:  M(q) v' + bias = force + J^T lam.

        Parameters
        ----------
        coordinates : list of n coordinates
        mass : n x n formulas
            Symmetric.
        force : n formulas
            tau, or the whole right-hand side Q when `bias` is left out.
        bias : n formulas
            c(q, v): Coriolis, centrifugal and gyroscopic terms; subtracted from `force`.
        potential : formula  [J]
            Only says what the energy is; `force` must contain its forces already.

        Other parameters are those of `from_lagrangian`.

        Examples
        --------
        >>> from dalembert.formulas.variables import coordinates
        >>> from dalembert.model import Model
        >>> x, y = coordinates("x y")
        >>> model = Model.from_matrices(
        ...     coordinates=[x, y],
        ...     mass=[[1.0, 0.0], [0.0, 1.0]],
        ...     force=[0.0, -9.81],
        ...     potential=9.81 * y,
        ...     constraints={"bar": x**2 + y**2 - 1},
        ... )
        >>> model.conservative
        True
        """
        raw = (mass, force, bias, constraints, potential, forces, points)
        made = cls(name)  # type: ignore[call-arg]
        order = list(coordinates)
        reader = made._begin(raw, order, parameters)
        size = len(order)
        M = reader.matrix(mass, "mass", size)
        Q = reader.sized(force, "force", size)
        if bias is not None:
            c = reader.sized(bias, "bias", size)
            Q = [tau - entry for tau, entry in zip(Q, c, strict=True)]
        V = None if potential is None else reader.formula(potential, "potential")
        made._description = Matrices(tuple(map(tuple, M)), tuple(Q), V)
        return made._finish(
            [
                ("mass", [entry for row in M for entry in row]),
                ("force", Q),
                ("potential", [] if V is None else [V]),
            ],
            reader,
            coordinates=order,
            constraints=constraints,
            forces=forces,
            initial=initial,
            points=points,
            lines=lines,
            suggested=suggested,
        )

    @classmethod
    def from_map(
        cls,
        *,
        particles: Iterable[Particle] = (),
        bodies: Iterable[PlanarBody | SpatialBody] = (),
        gravity: Sequence[Any] | None = None,
        coordinates: Iterable[Any] | None = None,
        constraints: Constraints = (),
        forces: Mapping[Any, Any] | None = None,
        potential: Any = 0.0,
        parameters: Mapping[Any, Any] | None = None,
        name: str = "model",
        initial: Mapping[Any, Any] | None = None,
        points: Mapping[str, Any] | None = None,
        lines: Iterable[Sequence[str]] | None = None,
        suggested: Mapping[str, Any] | None = None,
    ) -> Self:
        """Model of masses whose places x(q, t) are formulas of the coordinates.

        Parameters
        ----------
        particles : list of Particle
        bodies : list of PlanarBody or SpatialBody
        gravity : 2 or 3 numbers or formulas of parameters  [m/s^2]
            By default 9.81 along -y in the plane and along -z in space.
        potential : formula  [J]
            In addition to gravity, for example of springs.

        Other parameters are those of `from_lagrangian`.

        Examples
        --------
        >>> import numpy as np
        >>> from dalembert.formulas.variables import coordinates
        >>> from dalembert.model import Model
        >>> (theta,) = coordinates("theta")
        >>> model = Model.from_map(particles=[Particle(2.0, (np.sin(theta), -np.cos(theta)))])
        >>> len(model.coordinates), model.conservative
        (1, True)
        """
        raw = (constraints, forces, potential, points)
        made = cls(name)  # type: ignore[call-arg]
        masses = [*particles, *bodies]
        places = [getattr(mass, "position", ()) for mass in masses]
        reader = made._begin((raw, places), coordinates, parameters)
        placed = read_description.read_masses(masses, gravity, reader.findings)
        V = reader.formula(potential, "potential")
        made._description = placed
        made._potential = V
        made._gravity = placed.gravity
        return made._finish(
            [("potential", [V]), *read_description.placed_formulas(placed)],
            reader,
            coordinates=coordinates,
            constraints=constraints,
            forces=forces,
            initial=initial,
            points=points,
            lines=lines,
            suggested=suggested,
        )

    # -- private -------------------------------------------------------------------------------

    def _begin(
        self, raw: Any, coordinates: Iterable[Any] | None, parameters: Mapping[Any, Any] | None
    ) -> Reader:
        """A reader that knows the names SymPy formulas may use."""
        findings = Findings()
        names = names_in(raw)
        for given in [] if coordinates is None else coordinates:
            if is_sympy(given):
                label = read_description.sympy_name(given)
                names[label] = coordinate(label)
            elif isinstance(given, Expression) and given.op == "coordinate":
                names[given.name] = given
        names |= given_parameters(parameters, findings)
        return Reader(findings, names)

    def _finish(
        self,
        elements: list[Element],
        reader: Reader,
        *,
        coordinates: Iterable[Any] | None,
        constraints: Constraints,
        forces: Mapping[Any, Any] | None,
        initial: Mapping[Any, Any] | None,
        points: Mapping[str, Any] | None,
        lines: Iterable[Sequence[str]] | None,
        suggested: Mapping[str, Any] | None,
    ) -> Self:
        """Read what all constructors share; raise once; derive the equations."""
        findings = reader.findings
        rows = read_description.read_constraints(constraints, reader)
        elements += [(f"constraint '{c.name}'", list(c.rows)) for c in rows]
        if coordinates is None:
            order = read_description.collect_coordinates(elements)
        else:
            order = read_description.read_coordinates(coordinates, findings)
        if not order:
            findings.add("coordinates", "there are none. Make some with dl.coordinates('x y').")
        applied = read_description.read_forces(forces or {}, reader, order)
        elements += [(f"force on '{q.name}'", [force]) for q, force in applied.items()]
        drawn = read_description.read_points(points or {}, reader)
        elements += [(f"point '{name}'", list(place)) for name, place in drawn.items()]
        start = read_description.read_initial(
            initial or {}, read_description.state_names(order), findings
        )
        self._coordinates = tuple(order)
        self._constraints = rows
        self._forces = {q: force for q, force in applied.items() if force is not ZERO}
        self._initial = start
        self.points = drawn
        self.lines = read_description.read_lines(lines or [], drawn, findings)
        self.suggested = dict(suggested or {})
        read_description.only_known(elements, order, findings)
        values = [value for value in start.values() if isinstance(value, Expression)]
        self._register([f for _, formulas in elements for f in formulas] + values, findings)
        self._assembled()
        return self
