"""Parts of a model of bodies: how they are kept, named and listed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from dalembert.errors import ChangeError
from dalembert.formulas.expression import Expression
from dalembert.formulas.graph import symbols
from dalembert.model.basics.constraint import Constraint
from dalembert.model.basics.frame import World
from dalembert.model.basics.names import Known, Told, did_you_mean, nearest
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rigid_body import Body, QuaternionBody
from dalembert.model.core import energy
from dalembert.model.core.read_body import inside
from dalembert.model.forces.base import ForceElement
from dalembert.model.forces.joint_actuator import JointActuator
from dalembert.model.joints.joint import Joint
from dalembert.model.joints.references import References
from dalembert.model.one_sided.limits import Limits
from dalembert.model.sensors.base import Sensor
from dalembert.model.shapes.solid import Solid
from dalembert.model.start import given_start
from dalembert.model.start.placement import Start
from dalembert.model.start.start_by_name import start_by_name

if TYPE_CHECKING:
    from dalembert.model.core.equations import Description

Array = npt.NDArray[np.float64]


WITH_PARAMETERS = (
    "Use model.with_parameters(l=2.0), a model with another value, or"
    " simulate(..., parameters={'l': 2.0})."
)
"""How parameters get other values."""

OPEN = ("name", "points", "lines", "suggested", "losses")
"""Attributes of a model that are assigned."""


@dataclass(frozen=True)
class Energies:
    """Energies of a model of bodies; formed when first asked for."""

    kinetic: Expression
    potential: Expression
    conserved: bool


class Inventory(ABC):
    """Bodies, joints, forces and sensors of a `Model` by name, and where they are at the start."""

    name: str
    _description: Description | None
    _constraints: list[Constraint]
    _gravity: tuple[Expression, ...]
    _initial: dict[str, Quantity]
    _coordinates: tuple[Expression, ...]
    _stated_here: ClassVar[bool] = True
    """Whether it is a class of the package: those of users have attributes of their own."""

    def __init_subclass__(cls) -> None:
        """Let Python's own messages say ``Model.add_body()``, not the class it is written in."""
        cls._stated_here = cls.__module__.startswith(__package__)
        if cls._stated_here:
            for name, member in vars(cls).items():
                function = getattr(member, "__func__", member)
                if isinstance(function, FunctionType):
                    function.__qualname__ = f"Model.{name}"

    def __init__(self) -> None:
        self._world = World()
        self._bodies: dict[str, Body] = {}
        self._starts: dict[str, Start] = {}
        self._shapes: dict[str, tuple[Solid, ...]] = {}
        self._colors: dict[str, str] = {}
        self._joints: dict[str, Joint] = {}
        self._elements: dict[str, ForceElement] = {}
        self._sensors: dict[str, Sensor] = {}
        self._joint_rows: list[Constraint] = []
        self._closing: list[str] = []
        self._limits: dict[str, Limits] = {}
        self._armature: dict[str, tuple[float, ...]] = {}
        self._numbered: dict[str, int] = {}
        self._energies: Energies | None = None

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse to assign what a model answers, and what it does not know."""
        known = getattr(type(self), name, None)
        if isinstance(known, property) and known.fset is None:
            way = {
                "gravity": "Give it when the model is made: dl.Model(name, gravity=(0, 0, -9.81)).",
                "parameters": WITH_PARAMETERS,
                "initial": "Use set_initial.",
            }.get(name, f"It follows from what was added (see help(dl.Model.{name})).")
            raise ChangeError(f"model '{self.name}': {name} is not assigned. {way}")
        if not (name.startswith("_") or known or name in OPEN) and self._stated_here:
            public = [*OPEN, *(other for other in dir(type(self)) if not other.startswith("_"))]
            raise ChangeError(
                f"model '{self.__dict__.get('name', '')}' has no '{name}'"
                f"{did_you_mean(name, public)} What is yours is kept elsewhere, or in a subclass."
            )
        if callable(known) and self._stated_here:
            raise ChangeError(
                f"model '{self.name}': {name} is a method and not assigned. Call it (see "
                f"help(dl.Model.{name}))."
            )
        super().__setattr__(name, value)

    # -- what `Model` gives --------------------------------------------------------------------

    @property
    @abstractmethod
    def parameters(self) -> dict[str, float]:
        """Current values of the parameters by name."""

    @abstractmethod
    def initial_numbers(self) -> dict[str, float]:
        """Values set for the start, by name."""

    @abstractmethod
    def _register(self, formulas: Iterable[Expression], findings: Findings) -> None: ...

    @abstractmethod
    def _changed(self) -> None: ...

    @abstractmethod
    def _names(self) -> dict[str, Expression]: ...

    @abstractmethod
    def _only_known(self, elements: Any, findings: Findings) -> None: ...

    @abstractmethod
    def constrain(
        self, *formulas: Any, name: str | None = None, nonideal: Any = None
    ) -> Constraint:
        """Require formulas to be zero."""

    # -- reading -------------------------------------------------------------------------------

    @property
    def world(self) -> World:
        """The surroundings, which do not move; used like a body."""
        return self._world

    @property
    def bodies(self) -> dict[str, Body]:
        """Bodies added with `add_body`, by name."""
        return Known("body", self._bodies)

    @property
    def joints(self) -> dict[str, Joint]:
        """Joints added with `add_joint`, then those of `add_loop`, by name."""
        closing = {name: self._joints[name] for name in self.closing}
        carrying = {n: joint for n, joint in self._joints.items() if n not in closing}
        return Known("joint", carrying | closing)

    @property
    def closing(self) -> tuple[str, ...]:
        """Names of joints added with `add_loop`."""
        return tuple(getattr(self, "_closing", ()))

    @property
    def armature(self) -> dict[str, tuple[float, ...]]:
        """Inertia of drives along the coordinates of joints, as data, by the joint's name."""
        return Told("armatures", "Use set_armature.", getattr(self, "_armature", {}))

    @property
    def limits(self) -> dict[str, Limits]:
        """Limits of joints, as data, by the name of the joint."""
        return Told("limits", "Use set_limits.", getattr(self, "_limits", {}))

    @property
    def forces(self) -> dict[str, ForceElement]:
        """Forces, springs, motors, ... added with `add_force`, by name."""
        return Known("force", self._elements)

    @property
    def actuators(self) -> dict[str, JointActuator]:
        """The forces that are actuators, by name."""
        found = {n: f for n, f in self._elements.items() if isinstance(f, JointActuator)}
        return Known("actuator", found)

    @property
    def sensors(self) -> dict[str, Sensor]:
        """Sensors added with `add_sensor`, by name."""
        return Known("sensor", getattr(self, "_sensors", {}))

    @property
    def shapes(self) -> dict[str, tuple[Solid, ...]]:
        """Shapes that were given, by the name of the body; "world" is what does not move."""
        return Told("shapes", "Give them to add_body.", getattr(self, "_shapes", {}))

    @property
    def colors(self) -> dict[str, str]:
        """Colours that were given, by the name of the body."""
        return Told("colours", "Give them to add_body.", getattr(self, "_colors", {}))

    @property
    def is_maximal(self) -> bool:
        """True for bodies with quaternions: 7 coordinates and 6 velocities each."""
        return any(isinstance(body, QuaternionBody) for body in self._bodies.values())

    @property
    def starts(self) -> dict[str, Start]:
        """The stated start of each body, by name."""
        return Told("starts", "Use set_initial.", self._starts)

    def placement(self) -> dict[str, tuple[Array, Array, Array, Array]]:
        """Start of every body frame: position, rotation R_WB, velocity, angular velocity, world.

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("pendulum")
        >>> rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
        >>> hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y"))
        >>> model.placement()["rod"][0]
        array([0.5, 0. , 0. ])
        """
        found = given_start.placed(self, [self.initial_numbers()])
        return {name: (at.p, at.R, at.v, at.w) for name, at in found.items()}

    def start_by_name(self, layers: Sequence[Mapping[str, float]]) -> dict[str, float]:
        """The state at the start by name, with what layers of names give; later ones count more."""
        return start_by_name(self, layers)

    def _body_energies(self) -> Energies:
        if self._energies is None:
            bodies = [b for b in self._bodies.values() if isinstance(b, QuaternionBody)]
            forces = list(self._elements.values())
            T = energy.kinetic(bodies)
            V = energy.potential(bodies, self._gravity, forces)
            # a joint can depend on time only by a formula of the user's
            moving = [f for j in self._joints.values() for f in inside(j.structure())]
            conserved = energy.all_conservative(forces, [V, *moving])
            self._energies = Energies(T, V, conserved)
        return self._energies

    # -- names ---------------------------------------------------------------------------------

    def _free_name(self, given: str, kind: str, what: str, findings: Findings) -> str:
        """The given name if nothing else has it, or a numbered one."""
        if not given:
            number = self._numbered.get(kind, 0) + 1
            while self._holder(f"{kind}{number}"):
                number += 1
            self._numbered[kind] = number
            return f"{kind}{number}"
        element = f"{what} '{given}'"
        if not given.strip() or any(mark in given for mark in ":/"):
            findings.add(element, "the name is empty or contains ':' or '/'. Choose another name.")
        holder = self._holder(given)
        if holder:
            findings.add(element, f"there is a {holder} of that name already. Choose another name.")
        return given

    def _holder(self, name: str) -> str:
        """Kind of the element that has a name already: "joint", "force", ..., or "" for none.

        Asked for each element, so it does not list them all.
        """
        if name in self._joints:
            return "joint"
        if name in self._elements:
            return "force"
        if name in getattr(self, "_unilaterals", ()):
            return "one-sided constraint"
        taken = any(constraint.name == name for constraint in self._constraints)
        return "constraint" if taken else ""

    def _references(self) -> References:
        return References(self._bodies, self._world, self._joints)

    def _only_bodies(
        self, element: str, formulas: Iterable[Expression], findings: Findings
    ) -> None:
        """Note every symbol that belongs to no body or joint of this model."""
        for leaf in symbols(list(formulas), "coordinate", "velocity"):
            name, _, part = leaf.name.partition(":")
            if part == "turns" and name in self._joints:
                continue
            body = self._bodies.get(name if part else leaf.name.rpartition(".")[0])
            if isinstance(body, QuaternionBody) and (part or leaf.name in body.center_names):
                continue
            known = [q for b in self._bodies.values() for q in getattr(b, "state_names", ())[:3]]
            findings.add(
                element,
                f"contains '{leaf!r}', which is no coordinate of this model"
                f"{nearest(leaf.name, known)}",
            )
