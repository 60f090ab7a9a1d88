"""The part of a model that is made of bodies, joints and forces."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.errors import FormulaError, ModelError
from dalembert.formulas.expression import Expression
from dalembert.formulas.graph import symbols
from dalembert.model.basics.constraint import Constraint
from dalembert.model.basics.frame import WORLD, World
from dalembert.model.basics.inertia import Inertia
from dalembert.model.basics.names import Known, nearest
from dalembert.model.basics.quantity import Quantity, as_quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rigid_body import (
    ANGLE_NAMES,
    POSITION_NAMES,
    QUATERNION,
    ROLL_PITCH_YAW,
    Body,
    QuaternionBody,
)
from dalembert.model.basics.rotation import (
    Rotation,
    as_rotation,
    quaternion_of_matrix,
    roll_pitch_yaw_of_matrix,
)
from dalembert.model.core import by_angles, energy
from dalembert.model.forces.base import ForceElement
from dalembert.model.forces.joint_actuator import JointActuator
from dalembert.model.joints.joint import Joint
from dalembert.model.joints.motion import Motion
from dalembert.model.joints.references import References
from dalembert.model.one_sided.limits import Limits
from dalembert.model.sensors.base import Sensor
from dalembert.model.shapes.shapes import Solid, ends_somewhere, read_color, read_shapes
from dalembert.model.start import given_start, placement
from dalembert.model.start.placement import Placed, Start

if TYPE_CHECKING:
    from dalembert.model.core.equations import Description

Array = npt.NDArray[np.float64]
EPS = float(np.finfo(float).eps)

ORIENTATIONS = (QUATERNION, ROLL_PITCH_YAW)


@dataclass(frozen=True)
class Energies:
    """Energies of a model of bodies; formed when first asked for."""

    kinetic: Expression
    potential: Expression
    conserved: bool


class OfBodies(ABC):
    """Bodies, joints and forces of a `Model`, and where they are at the start."""

    name: str
    _description: Description | None
    _constraints: list[Constraint]
    _gravity: tuple[Expression, ...]
    _initial: dict[str, Quantity]
    _coordinates: tuple[Expression, ...]

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
    def constrain(self, *formulas: Any, name: str | None = None) -> Constraint:
        """Require formulas to be zero."""

    # -- editing -------------------------------------------------------------------------------

    def add_body(
        self,
        name: str,
        inertia: Inertia,
        *,
        position: Sequence[Any] | None = None,
        rotation: Any = None,
        velocity: Sequence[Any] | None = None,
        angular_velocity: Sequence[Any] | None = None,
        axes: str = "world",
        orientation: str = QUATERNION,
        shapes: Any = (),
        color: str | None = None,
    ) -> Body:
        """Rigid body, free until joints or constraints hold it.

        Parameters
        ----------
        name : str
            A Python name; it prefixes the coordinates.
        inertia : Inertia
        position : 3 numbers or formulas of parameters  [m]
            Of the body frame's origin at the start. Without it the body is placed by its joints,
            or at the origin when nothing connects it to the world.
        rotation : Rotation, 3 x 3, quaternion (w, x, y, z), or (axis, angle)
            Of the body at the start, body to world; by default that of its joints, or none when
            the position is given.
        velocity : 3 numbers or formulas of parameters  [m/s]
            Of the body frame's origin at the start, world axes.
        angular_velocity : 3 numbers or formulas of parameters  [rad/s]
            At the start, along `axes`. What is not given of the velocities follows from the
            joints, or is zero.
        axes : "world" or "body"
            Axes of `angular_velocity`.
        orientation : "quaternion" or "roll-pitch-yaw"
            Coordinates of the orientation. Quaternions have no singular position; the angles
            z-y-x, R = Rz(yaw) Ry(pitch) Rx(roll), are for formulas of them. One model has bodies
            of one kind.
        shapes : list of dl.Box, dl.Sphere, dl.Cylinder, dl.Mesh, ...
            What the body looks like, in its own frame; without them it is drawn by the measures
            of its inertia and the places of its joints.
        color : "#rrggbb", or "red", "blue", ...

        Examples
        --------
        >>> from dalembert.model import Model
        >>> model = Model()
        >>> ball = model.add_body("ball", Inertia.sphere(mass=1.0, radius=0.1), position=(0, 0, 2))
        >>> ball.position
        array([ball.x, ball.y, ball.z], dtype=object)
        >>> model.initial["ball.z"]
        2.0
        """
        findings = Findings()
        element = f"body '{name}'"
        self._may_add_body(name, orientation, element, findings)
        if not issubclass(type(inertia), Inertia):
            findings.add(element, f"inertia is {inertia!r:.60}. Give a dl.Inertia.")
        if axes not in ("world", "body"):
            findings.add(element, f"axes {axes!r} is unknown. Give 'world' or 'body'.")
        turned: Rotation | None = None
        if rotation is not None:
            try:
                turned = as_rotation(rotation)
            except ModelError as problem:
                findings.add(element, str(problem))
        drawn = read_shapes(shapes, element, findings)
        for shape in drawn:
            ends_somewhere(shape, element, findings)
        said: list[str] = []
        paint = read_color(color, said)
        for what in said:
            findings.add(element, what)
        start = Start(
            _vector(position, "position", element, findings),
            turned,
            _vector(velocity, "velocity", element, findings),
            _vector(angular_velocity, "angular_velocity", element, findings),
            axes,
        )
        try:
            body = Body.named(name, inertia, orientation=orientation)
        except (FormulaError, AttributeError, TypeError) as problem:
            fits = isinstance(name, str) and name.isidentifier()
            findings.add(
                element,
                str(problem)
                if fits
                else "the name must be a Python name: letters, digits and underscores.",
            )
        self._register((), findings)
        quantities = [inertia.mass, *inertia.center, *(e for row in inertia.matrix for e in row)]
        quantities += start.quantities
        quantities += [formula for shape in drawn for formula in shape.formulas]
        self._register([q for q in quantities if isinstance(q, Expression)], findings)
        self._bodies[name] = body
        self._starts[name] = start
        if drawn:
            self._shapes[name] = drawn
        if paint is not None:
            self._colors[name] = paint
        self._changed()
        return body

    def _may_add_body(self, name: str, orientation: str, element: str, findings: Findings) -> None:
        if self._description is not None:
            findings.add(
                element, "this model was made from formulas. Make a Model(name) for bodies."
            )
        if name == WORLD:
            findings.add(element, "that name belongs to what does not move. Choose another name.")
        if name in self._bodies:
            findings.add(element, "there is a body of that name already. Choose another name.")
        if orientation not in ORIENTATIONS:
            findings.add(
                element,
                f"orientation {orientation!r} is not available. Use 'quaternion' or "
                "'roll-pitch-yaw'.",
            )
            return
        for other in itertools.islice(self._bodies.values(), 1):  # the others are like the first
            if other.orientation != orientation:
                findings.add(
                    element,
                    f"its orientation is {orientation!r}, that of body '{other.name}' "
                    f"{other.orientation!r}. Give all bodies of a model the same.",
                )
                return

    def add_joint(self, joint: Any) -> Any:
        """Connect two bodies; returns the joint, named and bound to this model.

        Parameters
        ----------
        joint : dl.Revolute(...), dl.Spherical(...), dl.Gear(...), dl.Motion(...), ...

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("pendulum")
        >>> rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
        >>> hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y"))
        >>> hinge.name, len(hinge)
        ('revolute1', 5)
        """
        if not isinstance(joint, Joint):
            raise ModelError(
                f"model '{self.name}': {joint!r:.60} is no joint. Give for example "
                "dl.Revolute(first, second, axis='y')."
            )
        if isinstance(joint, Motion) and isinstance(joint.target, Expression):
            return self.constrain(joint.target - joint.value, name=joint.name or None)
        findings = Findings()
        name = self._free_name(joint.name, joint.kind, "joint", findings)
        made = joint.resolved(self._references(), name, findings)
        findings.raise_if_any(f"model '{self.name}'")
        rows = [] if self.is_maximal else by_angles.joint_constraints(made, findings)
        self._register(_formulas(made), findings)
        self._joints[name] = made
        self._joint_rows += rows
        self._changed()
        return made

    def add_loop(self, joint: Any) -> Any:
        """Connect two bodies by a joint that closes a loop; otherwise the same as `add_joint`.

        `dl.Tree` and generalized coordinates hang bodies on other joints where they can. Without
        it they choose by themselves which joint of a loop closes it.

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("door")
        >>> door = model.add_body("door", dl.Inertia.box(mass=20.0, size=(0.9, 0.04, 2.0)))
        >>> hinge = model.add_joint(dl.Revolute(model.world, door.at(x=-0.45), name="hinge"))
        >>> latch = model.add_loop(dl.Fixed(model.world.at(x=0.9), door.at(x=0.45), name="latch"))
        >>> dl.Tree(model).coordinate_names, model.closing
        (['hinge.angle'], ('latch',))
        """
        made = self.add_joint(joint)
        if isinstance(made, Joint):
            self._closing.append(made.name)
        return made

    def _add_element(self, force: ForceElement) -> ForceElement:
        findings = Findings()
        name = self._free_name(force.name, force.kind, "force", findings)
        made = force.resolved(self._references(), name, findings)
        findings.raise_if_any(f"model '{self.name}'")
        if not self.is_maximal:
            by_angles.check_force(made, findings)
        self._register([*_formulas(made), *made.formulas()], findings)
        self._elements[name] = made
        self._changed()
        return made

    def add_sensor(self, sensor: Any) -> Any:
        """Name something to be read; returns the sensor, named and bound to this model.

        Parameters
        ----------
        sensor : dl.IMU(...), dl.JointSensor(...), dl.PoseSensor(...), ...

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("pendulum")
        >>> rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
        >>> hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y"))
        >>> imu = model.add_sensor(dl.IMU(rod.at(x=0.5), name="imu"))
        >>> solution = dl.simulate(model, until=0.1, step=1e-2)
        >>> solution["imu.ax"][0].round(3), solution["imu.az"][0].round(3)
        (np.float64(0.0), np.float64(-4.905))
        """
        if not isinstance(sensor, Sensor):
            raise ModelError(
                f"model '{self.name}': {sensor!r:.60} is no sensor. Give for example "
                "dl.IMU(body.at(x=0.1))."
            )
        findings = Findings()
        name = self._free_name(sensor.name, sensor.kind, "sensor", findings)
        made = sensor.resolved(self, self._references(), name, findings)  # type: ignore[arg-type]
        findings.raise_if_any(f"model '{self.name}'")
        self._register(made.formulas.values(), findings)
        self._sensors[name] = made
        return made

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
        return dict(getattr(self, "_armature", {}))

    @property
    def limits(self) -> dict[str, Limits]:
        """Limits of joints, as data, by the name of the joint."""
        return dict(getattr(self, "_limits", {}))

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
        return dict(getattr(self, "_shapes", {}))

    @property
    def colors(self) -> dict[str, str]:
        """Colours that were given, by the name of the body."""
        return dict(getattr(self, "_colors", {}))

    @property
    def is_maximal(self) -> bool:
        """True for bodies with quaternions: 7 coordinates and 6 velocities each."""
        return any(isinstance(body, QuaternionBody) for body in self._bodies.values())

    @property
    def starts(self) -> dict[str, Start]:
        """The stated start of each body, by name."""
        return dict(self._starts)

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
        placed = given_start.placed(self, layers)
        found = self._placed_state(placed) if self.is_maximal else self._placed_angles(placed)
        exact = given_start.exact(self, layers)
        return self._normalised(found | exact, exact) if self.is_maximal else found | exact

    def _placed_state(self, placed: Mapping[str, Placed]) -> dict[str, float]:
        """The start of bodies with quaternions by the names of their state."""
        found: dict[str, float] = {}
        parameters = self.parameters
        for name, at in placed.items():
            body, p, R, v, w = self._bodies[name], at.p, at.R, at.v, at.w
            assert isinstance(body, QuaternionBody)
            if not body.is_centered:
                arm = R @ placement.numbers(body.inertia.center, parameters)
                p, v = p + arm, v + np.cross(w, arm)
            state = [*p, *quaternion_of_matrix(R)]
            found |= zip(body.state_names, map(float, state), strict=True)
            found |= zip(body.velocity_names, map(float, [*v, *w]), strict=True)
        return found

    def _normalised(self, state: dict[str, float], given: Mapping[str, Any]) -> dict[str, float]:
        """The state with unit quaternions, whatever was set."""
        for body in self._bodies.values():
            names = body.state_names[3:] if isinstance(body, QuaternionBody) else ()
            if not any(name in given for name in names):
                continue
            q = np.array([state[name] for name in names])
            length = float(np.sqrt(q @ q))
            if length == 0.0:
                raise ModelError(
                    f"model '{self.name}': initial '{names[0]}': the quaternion of body "
                    f"'{body.name}' is zero. Set all four of its entries."
                )
            state |= zip(names, map(float, q / length), strict=True)
        return state

    def _placed_angles(self, placed: Mapping[str, Placed]) -> dict[str, float]:
        """The start of bodies with angles, by name; what is zero is left out."""
        found: dict[str, float] = {}
        for name, at in placed.items():
            rates = np.linalg.lstsq(given_start.turning_axes(at.R), at.w, rcond=None)[0]
            rates[np.abs(rates) <= 8 * EPS * np.linalg.norm(rates)] = 0.0  # rounding of zero
            parts = (*POSITION_NAMES, *ANGLE_NAMES)
            values = zip(parts, (*at.p, *roll_pitch_yaw_of_matrix(at.R)), strict=True)
            found |= {f"{name}.{part}": float(x) for part, x in values if x != 0.0}
            speeds = zip(parts, (*at.v, *rates), strict=True)
            found |= {f"{name}.{part}.dot": float(x) for part, x in speeds if x != 0.0}
        return found

    def _body_energies(self) -> Energies:
        if self._energies is None:
            bodies = [b for b in self._bodies.values() if isinstance(b, QuaternionBody)]
            forces = list(self._elements.values())
            T = energy.kinetic(bodies)
            V = energy.potential(bodies, self._gravity, forces)
            # a joint can depend on time only by a formula of the user's
            moving = [f for j in self._joints.values() for f in _inside(j.structure())]
            conserved = energy.all_conservative(forces, [V, *moving])
            self._energies = Energies(T, V, conserved)
        return self._energies


def _vector(
    given: Sequence[Any] | None, what: str, element: str, findings: Findings
) -> tuple[Quantity, ...] | None:
    if given is None:
        return None
    entries = list(given) if isinstance(given, tuple | list | np.ndarray) else [given]
    if len(entries) != 3:
        findings.add(element, f"{what} has {len(entries)} entries. Give 3 numbers.")
        return (0.0, 0.0, 0.0)
    return tuple(as_quantity(entry, f"{element}: {what}", findings) for entry in entries)


def _formulas(element: Joint | ForceElement) -> list[Expression]:
    """Every formula of parameters in an element and its frames."""
    quantities: list[Any] = [*element.data()]
    for frame in element.frames:
        quantities += frame.offset
    quantities += _start(element)
    return [q for q in quantities if isinstance(q, Expression)] + _inside(element.structure())


def _inside(structure: Any) -> list[Expression]:
    """The formulas in nested tuples."""
    if isinstance(structure, Expression):
        return [structure]
    if isinstance(structure, tuple):
        return [formula for part in structure for formula in _inside(part)]
    return []


def _start(element: Any) -> list[Any]:
    found: list[Any] = []
    for field in ("initial", "initial_speed"):
        given = getattr(element, field, ())
        found += given if isinstance(given, tuple) else [given]
    return found
