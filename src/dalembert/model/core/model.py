"""The description of a mechanical system: plain Python, picklable, printable.

A model is stated in one of four ways: a Lagrangian, the matrices themselves, masses placed by
formulas, or bodies added one by one. Nothing is compiled here; `simulate` builds a system of it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dalembert.errors import ModelError
from dalembert.formulas.expression import ZERO, Expression
from dalembert.formulas.graph import symbols
from dalembert.model.basics import by_name
from dalembert.model.basics.constraint import Constraint
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.names import nearest
from dalembert.model.basics.quantity import Quantity, as_quantity
from dalembert.model.basics.reading import Findings, Reader
from dalembert.model.check.contact import parameter_findings
from dalembert.model.core import read_description
from dalembert.model.core.equations import (
    Description,
    Equations,
)
from dalembert.model.core.queries import Queries
from dalembert.model.core.read_description import STANDARD_GRAVITY, Element
from dalembert.model.forces.base import ForceElement
from dalembert.model.forces.potential import Potential
from dalembert.model.joints.joint import positive_findings
from dalembert.model.start import given_names, given_start
from dalembert.model.text import plain


class Model(Queries):
    """A mechanical system, described.

    Parameters
    ----------
    name : str
    gravity : sequence of 3  [m/s^2]
        Acts on the bodies added with `add_body`.

    Attributes
    ----------
    losses : tuple
        What the file the model was read from says and the model does not, with file and line.

    See Also
    --------
    Model.from_lagrangian, Model.from_matrices, Model.from_map

    Examples
    --------
    >>> from dalembert.model import Inertia
    >>> model = Model("tank")
    >>> ship = model.add_body("ship", Inertia.box(mass=120.0, size=(3.0, 0.5, 0.4)))
    >>> mount = model.constrain(ship.roll, ship.yaw, ship.x, ship.y, ship.z, name="mount")
    >>> model
    Model('tank': 1 body, 5 constraint rows)
    """

    def __init__(
        self,
        name: str = "model",
        *,
        gravity: Sequence[Any] = (0.0, 0.0, -STANDARD_GRAVITY),
    ) -> None:
        if not isinstance(name, str) or not name.strip():
            raise ModelError(f"model: the name is {name!r:.60}. Give a text.")
        findings = Findings()
        super().__init__()
        self.name = name
        self.points: dict[str, tuple[Expression, ...]] = {}
        self.lines: list[tuple[str, ...]] = []
        self.suggested: dict[str, Any] = {}
        self.losses: tuple[Any, ...] = ()  # what its file says and the model does not
        self._gravity = read_description.read_gravity(gravity, 3, findings)
        findings += read_description.gravity_findings(self._gravity)
        self._constraints: list[Constraint] = []
        self._forces: dict[Expression, Expression] = {}
        self._potential: Expression = ZERO
        self._description: Description | None = None
        self._coordinates: tuple[Expression, ...] = ()
        self._initial: dict[str, Quantity] = {}
        self._parameters: dict[str, Expression] = {}
        self._values: dict[str, float] = {}
        self._equations: Equations | None = None
        self._register(self._gravity, findings)

    # -- editing -------------------------------------------------------------------------------

    def constrain(
        self, *formulas: Any, name: str | None = None, nonideal: Any = None
    ) -> Constraint:
        """Require formulas to be zero; returns the constraint, whose ``.force`` can be plotted.

        Parameters
        ----------
        *formulas : formulas or arrays of them
            phi(q, t), or psi(q, v, t) for a velocity constraint; not both in one call.
        name : str
            By default c1, c2, ...
        nonideal : {coordinate: formula}, or a force on bodies
            C(q, v, t), the work of which the constraint does; `dl.reaction(name)` may stand in it.

        Examples
        --------
        >>> from dalembert.model import Inertia
        >>> model = Model()
        >>> ball = model.add_body("ball", Inertia.sphere(mass=1.0, radius=0.1))
        >>> model.constrain(ball.position @ ball.position - 1, name="string")
        Constraint('string': 1 holonomic row)
        """
        findings = Findings()
        reader = Reader(findings, self._names)
        made = read_description.read_constraint(name, list(formulas), reader, self._constraints)
        if made is not None:
            if taken := self._holder(made.name):
                findings.add(
                    f"constraint '{made.name}'",
                    f"there is a {taken} of that name already. Choose another name.",
                )
            self._only_known([(f"constraint '{made.name}'", list(made.rows))], findings)
        self._register(() if made is None else made.rows, findings)
        assert made is not None
        if nonideal is not None:
            self.add_force(nonideal)
        self._constraints.append(made)
        self._energies = None
        return made

    def add_force(self, force: ForceElement | Mapping[Any, Any]) -> Any:
        """Add a force on bodies, or generalised forces {coordinate: formula}.

        Parameters
        ----------
        force : dl.Force(...), dl.Torque(...), dl.Spring(...), ..., or dict coordinate -> formula
            A dict is for models made of coordinates; its forces on one coordinate add up.

        Returns
        -------
        The force, named and bound to this model; None for a dict.

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model()
        >>> ball = model.add_body("ball", dl.Inertia.sphere(mass=1.0, radius=0.1))
        >>> model.add_force(dl.Force(ball, value=-2.0 * ball.velocity, name="drag"))
        Force(ball, value=(-2*ball.x.dot, -2*ball.y.dot, -2*ball.z.dot), name='drag')
        >>> model.conservative
        False
        """
        if isinstance(force, ForceElement):
            return self._add_element(force)
        if self.is_maximal:
            raise ModelError(
                f"model '{self.name}': {force!r:.60} is no force on a body. Give for example "
                "dl.Force(body, value=(fx, fy, fz)) or dl.Torque(body, about='z', value=m)."
            )
        findings = Findings()
        read = read_description.read_forces(force, Reader(findings, self._names), self.coordinates)
        self._only_known([(f"force on '{q.name}'", [x]) for q, x in read.items()], findings)
        self._register(read.values(), findings)
        for symbol, entry in read.items():
            self._forces[symbol] = self._forces.get(symbol, ZERO) + entry
        self._equations = None
        return None

    def add_potential(self, potential: Any) -> None:
        """Add a potential energy, for example that of a spring.

        Examples
        --------
        >>> from dalembert.model import Inertia
        >>> model = Model(gravity=(0, 0, 0))
        >>> ball = model.add_body("ball", Inertia.sphere(1.0, 0.1), orientation="roll-pitch-yaw")
        >>> model.add_potential(5.0 * ball.x**2)
        >>> model.force[0]
        -10*ball.x
        """
        findings = Findings()
        V = Reader(findings, self._names).formula(potential, "potential")
        self._only_known([("potential", [V])], findings)
        if symbols([V], "velocity"):
            findings.add("potential", "depends on a velocity. Use add_force for such forces.")
        if self.is_maximal:
            findings.raise_if_any(f"model '{self.name}'")
            self._add_element(Potential(V))
            return
        self._register([V], findings)
        self._potential = self._potential + V
        self._equations = None

    def set_initial(self, values: Mapping[Any, Any]) -> None:
        """Set the state a run starts from unless `simulate` is told otherwise.

        Parameters
        ----------
        values : dict coordinate or velocity (or its name) -> number or formula of parameters
            Of a body also ``"trunk.z"``, ``"trunk.pitch"``, ``"trunk.position"``,
            ``"trunk.rotation"``, ``"trunk.velocity"``, ``"trunk.angular_velocity"``; of a joint
            ``"knee.angle"``. Bodies that were given nothing follow their joints.

        Examples
        --------
        >>> from dalembert.model import Inertia
        >>> model = Model()
        >>> ball = model.add_body(
        ...     "ball", Inertia.sphere(mass=1.0, radius=0.1), orientation="roll-pitch-yaw"
        ... )
        >>> model.set_initial({ball.z: 2.0, ball.z.dot: 1.0})
        >>> model.initial
        {'ball.z': 2.0, 'ball.z.dot': 1.0}
        """
        findings = Findings()
        if self._bodies and isinstance(values, Mapping):
            keys = {self._start_key(key): value for key, value in values.items()}
            values = given_start.expanded(self, keys)
        read = read_description.read_initial(values, self._start_names(), findings)
        self._register([v for v in read.values() if isinstance(v, Expression)], findings)
        self._initial |= read

    def add_point(self, name: str, position: Any) -> None:
        """Name a point to be drawn: a frame, or 2 or 3 formulas of the coordinates."""
        findings = Findings()
        place = position.position if isinstance(position, Frame) else position
        read = read_description.read_points({name: place}, Reader(findings, self._names))
        formulas = list(read.get(name, ()))
        self._only_known([(f"point '{name}'", formulas)], findings)
        self._register(formulas, findings)
        self.points |= read

    def add_line(self, *points: str) -> None:
        """Draw a line through named points."""
        findings = Findings()
        read = read_description.read_lines([points], self.points, findings)
        findings.raise_if_any(f"model '{self.name}'")
        self.lines += read

    def with_parameters(self, **values: float) -> Model:
        """Copy with other parameter values and the same formulas: nothing is compiled again.

        Examples
        --------
        >>> from dalembert.formulas.variables import coordinates, parameters
        >>> (x,) = coordinates("x")
        >>> (m,) = parameters(m=1.0)
        >>> model = Model.from_lagrangian(kinetic=m * x.dot**2 / 2)
        >>> model.with_parameters(m=3.0).parameters
        {'m': 3.0}
        """
        findings = Findings()
        read: dict[str, float] = {}
        for name, value in values.items():
            if name not in self._parameters:
                known = list(self._parameters)
                findings.add(f"parameter '{name}'", f"is unknown{nearest(name, known)}")
                continue
            number = as_quantity(value, f"parameter '{name}'", findings)
            read[name] = number if isinstance(number, float) else number.value
        made = copy.copy(self)
        made._values |= read
        if self.is_maximal:
            findings += read_description.gravity_findings(self._gravity, made.parameters)
        for mass in made._masses():
            findings += mass.findings(made.parameters)
        for element in (*made._joints.values(), *made._elements.values()):
            findings += positive_findings(element, made.parameters)
        findings += parameter_findings(made)
        findings.raise_if_any(f"model '{self.name}'")
        return made

    # -- telling -------------------------------------------------------------------------------

    def check(self) -> Any:
        """Plausibility of the whole model at its initial state; raises ModelError for errors.

        Returns
        -------
        Findings
            Sentences about what is legal but doubtful; empty when there is nothing. For bodies it
            also has degrees_of_freedom, rank, redundant, ...; printing it shows all of that.

        Examples
        --------
        >>> from dalembert.formulas.variables import coordinates
        >>> x, y = coordinates("x y")
        >>> model = Model.from_lagrangian(
        ...     kinetic=(x.dot**2 + y.dot**2) / 2,
        ...     constraints={"bar": x**2 + y**2 - 1},
        ...     initial={x: 3.0},
        ... )
        >>> model.check()[0][:51]
        "constraint 'bar': is violated by 8 at the initial s"
        """
        from dalembert.model.check.check import check

        return check(self)

    def summary(self) -> str:
        """The model in words: coordinates, parameters, constraints, initial state."""
        return plain.summary(self)

    def equations(self) -> str:
        """The equations of motion and constraints as text; a notebook shows them as formulas."""
        return plain.Equations(plain.equations(self), self)

    def latex(self) -> str:
        """The equations of motion and constraints as LaTeX (needs SymPy)."""
        return plain.latex(self)

    def __repr__(self) -> str:
        m = self.row_count
        if self.is_maximal:
            n, j = len(self._bodies), len(self._joints)
            shown = f"{n} {'body' if n == 1 else 'bodies'}"
            shown += f", {j} joint{'s' * (j != 1)}" if j else ""
        else:
            n = len(self.coordinates)
            shown = f"{n} coordinate{'s' * (n != 1)}"
        if m:
            shown += f", {m} constraint row{'s' * (m != 1)}"
        return f"Model({self.name!r}: {shown})"

    def _repr_html_(self) -> str:
        """Tables of bodies, joints and doubts, for notebooks; never fails."""
        from html import escape

        try:
            from dalembert.model.text.html import of_model

            return of_model(self)
        except Exception:  # a display must not stop a notebook
            return f"<pre>{escape(repr(self))}</pre>"

    def __copy__(self) -> Model:
        made = type(self).__new__(type(self))
        for attribute, value in self.__dict__.items():
            # what is edited in place is copied; formulas are shared
            editable = isinstance(value, dict | list)
            setattr(made, attribute, value.copy() if editable else value)
        return made

    def __getstate__(self) -> dict[str, Any]:
        # derived again when asked for
        return self.__dict__ | {"_equations": None, "_energies": None}

    # -- private -------------------------------------------------------------------------------

    def _register(self, formulas: Iterable[Expression], findings: Findings) -> None:
        """Take note of the parameters, one value each, and raise what was found.

        Nothing of the model is changed when there is a finding.
        """
        known = dict(self._parameters)
        for symbol in symbols(list(formulas), "parameter", "acceleration"):
            if symbol.op == "acceleration":
                findings.add(
                    f"'{symbol!r}'",
                    "is an acceleration: these follow from the equations and stand in none. Read it"
                    " from a solution, or use coordinates and velocities.",
                )
                continue
            other = known.setdefault(symbol.name, symbol)
            if other is not symbol:
                low, high = sorted((other.value, symbol.value))
                findings.add(
                    f"parameter '{symbol.name}'",
                    f"is used with the values {low:g} and {high:g}. Make it "
                    "once with dl.parameters and use that one; change it with with_parameters.",
                )
        findings.raise_if_any(f"model '{self.name}'")
        self._parameters = known

    def _changed(self) -> None:
        self._equations = self._energies = None

    def _start_names(self) -> Any:
        """Names that a start may give."""
        if self._bodies:
            return given_names.StartNames(self)
        return read_description.state_names(self.coordinates)

    def _start_key(self, key: Any) -> Any:
        """The name that a formula of a body or joint has in a start, else what was given."""
        if isinstance(key, Expression) and key.op not in ("coordinate", "velocity"):
            return by_name.name_of(self, key) or key
        return key

    def _only_known(self, elements: list[Element], findings: Findings) -> None:
        """Note every symbol in the formulas that the model does not have."""
        if not self.is_maximal:
            read_description.only_known(elements, self.coordinates, findings)
            return
        for element, formulas in elements:
            self._only_bodies(element, formulas, findings)
