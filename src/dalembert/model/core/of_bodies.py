"""Adding bodies, joints, forces and sensors to a model."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.inertia import Inertia
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rigid_body import QUATERNION, ROLL_PITCH_YAW, Body
from dalembert.model.core import by_angles
from dalembert.model.core.inventory import Inventory
from dalembert.model.core.read_body import (
    AXES,
    formulas_of_body,
    formulas_of_element,
    make_body,
    read_look,
    read_turn,
    read_vector,
)
from dalembert.model.forces.base import ForceElement
from dalembert.model.joints.joint import Joint
from dalembert.model.joints.motion import Motion
from dalembert.model.sensors.base import Sensor
from dalembert.model.start.placement import Start

ORIENTATIONS = (QUATERNION, ROLL_PITCH_YAW)


class OfBodies(Inventory):
    """Editing of the bodies, joints and forces of a `Model`."""

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
        if axes not in AXES:
            findings.add(element, f"axes {axes!r} is unknown. Give 'world' or 'body'.")
        turned = read_turn(rotation, element, findings)
        look = read_look(shapes, color, element, findings)
        start = Start(
            read_vector(position, "position", element, findings),
            turned,
            read_vector(velocity, "velocity", element, findings),
            read_vector(angular_velocity, "angular_velocity", element, findings),
            axes,
        )
        body = make_body(name, inertia, orientation, element, findings)
        findings.raise_if_any(f"model '{self.name}'")
        assert body is not None
        self._register(formulas_of_body(inertia, start, look), findings)
        self._bodies[name] = body
        self._starts[name] = start
        if look.shapes:
            self._shapes[name] = look.shapes
        if look.color is not None:
            self._colors[name] = look.color
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
        self._register(formulas_of_element(made), findings)
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
        self._register([*formulas_of_element(made), *made.formulas()], findings)
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
