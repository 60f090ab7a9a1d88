"""Particles and rigid bodies placed by formulas, for `Model.from_map`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.inertia import Inertia
from dalembert.model.basics.quantity import Quantity, as_quantity, value_of
from dalembert.model.basics.reading import Findings, Reader
from dalembert.model.basics.unchanging import BY_PARAMETERS, Settled


@dataclass(frozen=True, slots=True)
class Particle(Settled):
    """A point mass whose position is a formula of the coordinates.

    Parameters
    ----------
    mass : float or formula of parameters  [kg]
    position : 2 or 3 formulas  [m]
        Entries may depend on coordinates, parameters and time.
    name : str
        For reports.

    Examples
    --------
    >>> from dalembert.formulas.variables import coordinates
    >>> (theta,) = coordinates("theta")
    >>> Particle(2.0, (np.sin(theta), -np.cos(theta)), name="bob")
    Particle('bob', mass=2.0, position=(sin(theta), -cos(theta)))
    """

    _later: ClassVar[str] = BY_PARAMETERS

    mass: Quantity
    position: Any
    name: str = "particle"

    def __post_init__(self) -> None:
        findings = Findings()
        _read_mass(self, findings)
        _read_position(self, (2, 3), findings)
        findings.raise_if_any(f"particle '{self.name}'")

    def findings(self, parameters: Mapping[str, float]) -> list[str]:
        """Reasons why the given parameter values are impossible."""
        return _mass_findings(f"particle '{self.name}'", self.mass, parameters)

    def __repr__(self) -> str:
        return f"Particle({self.name!r}, mass={self.mass}, position={_shown(self.position)})"


@dataclass(frozen=True, slots=True)
class PlanarBody(Settled):
    """A rigid body moving in the plane.

    Parameters
    ----------
    mass : float or formula of parameters  [kg]
    inertia : float or formula of parameters  [kg m^2]
        About the centre of mass. Zero is allowed: a mass that does not resist turning.
    position : 2 formulas  [m]
        Of the centre of mass.
    angle : formula  [rad]
    name : str
        For reports.

    Examples
    --------
    >>> from dalembert.formulas.variables import coordinates
    >>> x, y, theta = coordinates("x y theta")
    >>> PlanarBody(1.0, 0.5, position=(x, y), angle=theta, name="disc").inertia
    0.5
    """

    _later: ClassVar[str] = BY_PARAMETERS

    mass: Quantity
    inertia: Quantity
    position: Any
    angle: Any
    name: str = "body"

    def __post_init__(self) -> None:
        findings = Findings()
        _read_mass(self, findings)
        inertia = as_quantity(self.inertia, "inertia", findings)
        object.__setattr__(self, "inertia", inertia)
        number = value_of(inertia)
        if number is not None and number < 0.0:
            findings.append(f"inertia is {number:g} kg m^2. Give a positive number or zero.")
        _read_position(self, (2,), findings)
        object.__setattr__(self, "angle", Reader(findings).formula(self.angle, "angle"))
        findings.raise_if_any(f"body '{self.name}'")

    def findings(self, parameters: Mapping[str, float]) -> list[str]:
        """Reasons why the given parameter values are impossible."""
        return _mass_findings(f"body '{self.name}'", self.mass, parameters)

    def __repr__(self) -> str:
        return (
            f"PlanarBody({self.name!r}, mass={self.mass}, inertia={self.inertia}, "
            f"position={_shown(self.position)}, angle={self.angle!r})"
        )


@dataclass(frozen=True, slots=True)
class SpatialBody(Settled):
    """A rigid body moving in space.

    Parameters
    ----------
    mass : float or formula of parameters  [kg]
    inertia : 3 x 3, or 3 principal moments  [kg m^2]
        About the centre of mass, in body axes.
    position : 3 formulas  [m]
        Of the centre of mass, in the world.
    rotation : 3 x 3 formulas
        R_WB, takes body components to world components; must be a rotation for every state.
    name : str
        For reports.
    w_WB_B : 3 formulas, optional  [rad/s]
        Angular velocity in body axes; derived from the rotation when left out, in longer formulas.

    Examples
    --------
    >>> from dalembert.formulas.variables import coordinates
    >>> x, y, z, yaw = coordinates("x y z yaw")
    >>> c, s = np.cos(yaw), np.sin(yaw)
    >>> SpatialBody(
    ...     1.0, (1, 1, 1), position=(x, y, z), rotation=[[c, -s, 0], [s, c, 0], [0, 0, 1]]
    ... ).name
    'body'
    """

    _later: ClassVar[str] = BY_PARAMETERS

    mass: Quantity
    inertia: Any
    position: Any
    rotation: Any
    name: str = "body"
    w_WB_B: tuple[Expression, ...] | None = None

    def __post_init__(self) -> None:
        findings = Findings()
        try:
            checked = Inertia(self.mass, self.inertia)
        except ModelError as problem:
            findings.append(str(problem))
        else:
            object.__setattr__(self, "mass", checked.mass)
            object.__setattr__(self, "inertia", checked.matrix)
        _read_position(self, (3,), findings)
        rotation = Reader(findings).matrix(self.rotation, "rotation", 3)
        object.__setattr__(self, "rotation", tuple(tuple(row) for row in rotation))
        if self.w_WB_B is not None:
            rates = Reader(findings).vector(self.w_WB_B, "w_WB_B")
            if len(rates) != 3:
                findings.append(f"w_WB_B has {len(rates)} entries. Give 3.")
            object.__setattr__(self, "w_WB_B", tuple(rates))
        findings.raise_if_any(f"body '{self.name}'")

    def findings(self, parameters: Mapping[str, float]) -> list[str]:
        """Reasons why the given parameter values are impossible."""
        found = Inertia(self.mass, self.inertia).findings(parameters)
        return [f"body '{self.name}': {what}" for what in found]

    def __repr__(self) -> str:
        return f"SpatialBody({self.name!r}, mass={self.mass}, position={_shown(self.position)})"


def _mass_findings(element: str, mass: Quantity, parameters: Mapping[str, float]) -> list[str]:
    number = value_of(mass, parameters)
    if number is None or number > 0.0:
        return []
    return [f"{element}: mass is {number:g} kg. Give a positive mass."]


def _read_mass(body: Particle | PlanarBody, findings: Findings) -> None:
    mass = as_quantity(body.mass, "mass", findings)
    object.__setattr__(body, "mass", mass)
    number = value_of(mass)
    if number is not None and number <= 0.0:
        findings.append(f"mass is {number:g} kg. Give a positive mass.")


def _read_position(
    body: Particle | PlanarBody | SpatialBody, sizes: Sequence[int], findings: Findings
) -> None:
    given: Any = body.position
    entries = list(given) if isinstance(given, np.ndarray | list | tuple) else []
    if len(entries) not in sizes:
        wanted = " or ".join(map(str, sizes))
        findings.append(f"position has {len(entries)} entries. Give {wanted}.")
        entries = []
    reader = Reader(findings)
    position = tuple(reader.formula(entry, f"position[{i}]") for i, entry in enumerate(entries))
    object.__setattr__(body, "position", position)


def _shown(position: tuple[Expression, ...]) -> str:
    return f"({', '.join(repr(entry) for entry in position)})"
