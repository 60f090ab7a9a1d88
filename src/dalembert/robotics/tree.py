"""`Tree`: a model of bodies in joint coordinates, and what can be calculated from them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dalembert.errors import MassMatrixError, ModelError, OptionError
from dalembert.mechanics import tree_aba, tree_crba, tree_rnea
from dalembert.mechanics import tree_configuration as configuration
from dalembert.mechanics import tree_kinematics as kinematics
from dalembert.mechanics.tree_states import read_bodies, tree_to_bodies
from dalembert.model.basics.frame import WORLD, Frame
from dalembert.model.basics.reading import Findings
from dalembert.model.core.model import Model
from dalembert.model.joints.references import References
from dalembert.model.start.states import from_center, number, rotations
from dalembert.robotics.closed import Loops
from dalembert.robotics.inverse_kinematics import Reached, Search
from dalembert.system.tree import TreeJoint, tree_of
from dalembert.system.tree_layout import (
    BODY_TABLE,
    FREE,
    GRAVITY_LENGTH,
    LINK_MASS,
    NUMBERS,
    SPHERICAL,
)

Array = npt.NDArray[np.float64]


class Placement(NamedTuple):
    """Where a frame is, in world components.

    Attributes
    ----------
    position : (3,)  [m]
    rotation : (3, 3), from the frame's axes to the world's
    """

    position: Array
    rotation: Array


class Energy(NamedTuple):
    """Kinetic and potential energy  [J]."""

    kinetic: float
    potential: float

    @property
    def total(self) -> float:
        """Their sum."""
        return self.kinetic + self.potential


class Momentum(NamedTuple):
    """Linear momentum  [kg m/s], and angular momentum about the centre of mass  [kg m^2/s]."""

    linear: Array
    angular: Array


class Tree:
    """A model of bodies in the coordinates of its joints.

    Parameters
    ----------
    model : Model of bodies, with joints
        Read as it is now; later changes of the model are not seen.
    armature, damping : dict joint -> float or one for each velocity
        Inertia of drives, added to the diagonal of the mass matrix, by default `model.armature`;
        force against each velocity.

    Attributes
    ----------
    nq, nv : int
        Numbers of coordinates and velocities. A ball joint has four and three, a free body seven
        and six: their orientation is a unit quaternion (w, x, y, z).
    coordinate_names, velocity_names : list of str
    joints : list of TreeJoint
        The joints that carry the bodies, in the order of q and v; ``.q`` and ``.v`` are slices.
    loops : list
        Joints of the model that close loops. Functions that honour them say so.

    Notes
    -----
    The tree is grown from the world, nearest joints first; those added with `Model.add_loop` carry
    a body only where no other does. The velocity of a ball joint is the angular velocity relative
    to the parent, in the axes of the joint frame there. A body that no
    joint carries is free: position and velocity of its centre of mass, quaternion and angular
    velocity, world components.

    Only gravity, armature and damping act, and what is given as `forces`; springs, motors and the
    like of the model do not.

    Examples
    --------
    >>> import numpy as np
    >>> import dalembert as dl
    >>> model = dl.Model("pendulum", gravity=(0, 0, -10.0))
    >>> rod = model.add_body("rod", dl.Inertia.rod(mass=3.0, length=1.0))
    >>> hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="-y", name="hinge"))
    >>> tree = dl.Tree(model)
    >>> tree.coordinate_names
    ['hinge.angle']
    >>> tree.mass_matrix([0.0])
    array([[1.]])
    >>> tree.gravity([0.0])
    array([15.])
    >>> tree.forward_dynamics([0.0], [0.0])
    array([-15.])
    """

    def __init__(
        self,
        model: Model,
        *,
        armature: Mapping[str, Any] | None = None,
        damping: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(model, Model):
            raise ModelError(f"Tree: {model!r:.60} is no model. Give a Model of bodies.")
        self.model = model
        self.tables = tree_of(model)
        self.nq, self.nv = self.tables.nq, self.tables.nv
        self.joints: list[TreeJoint] = self.tables.joints
        self.loops = self.tables.loops
        self.coordinate_names = self.tables.coordinate_names
        self.velocity_names = self.tables.velocity_names
        self._room = self.tables.room()
        self._read = self.tables.integers, self.tables.numbers, self._room
        self._joint = {j.name: j for j in self.joints}
        self._body = {name: k for k, name in enumerate(self.tables.bodies)}
        places = self.tables.integers[self.tables.integers[BODY_TABLE] :]
        self._links = {WORLD: 0} | {name: int(places[k]) for name, k in self._body.items()}
        self._names = References(model.bodies, model.world, model.joints)
        self._closing = Loops(model, self.loops)
        self._write("armature", armature, self.tables.armature)
        self._write("damping", damping, self.tables.damping)

    def _write(self, what: str, given: Mapping[str, Any] | None, target: Array) -> None:
        for name, value in (given or {}).items():
            here = target[self.joint(name).v]
            entries = np.asarray(value, dtype=float)
            if entries.shape not in ((), here.shape) or not (entries >= 0.0).all():
                raise OptionError(
                    f"Tree: {what} of joint '{name}' is {value!r:.60}. Give one number, or "
                    f"{len(here)}, not negative."
                )
            here[:] = entries

    def joint(self, name: str) -> TreeJoint:
        """The joint of that name that carries a body; of a free body, its name."""
        if name not in self._joint:
            near = difflib.get_close_matches(str(name), self._joint, 1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            raise OptionError(f"Tree: no joint '{name}' carries a body.{hint}")
        return self._joint[name]

    # -- configurations ------------------------------------------------------------------------

    def neutral(self) -> Array:
        """q of all joints at zero."""
        q = np.zeros(self.nq)
        for joint in self.joints:
            if joint.kind in (SPHERICAL, FREE):
                q[joint.q.stop - 4] = 1.0
        return q

    def random(self, seed: int | None = None) -> Array:
        """A configuration by chance: within limits of joints, else within half a turn or 1 m."""
        generator = np.random.default_rng(seed)
        q = self.integrate(self.neutral(), generator.uniform(-1.0, 1.0, self.nv))
        lower, upper = self.limits()
        for joint in self.joints:
            for k in range(joint.q.start, joint.q.stop):
                if joint.kind in (SPHERICAL, FREE):
                    continue
                turns = "angle" in self.coordinate_names[k].rpartition(".")[2]
                width = np.pi if turns else 1.0
                low = lower[k] if np.isfinite(lower[k]) else min(-width, upper[k] - width)
                high = upper[k] if np.isfinite(upper[k]) else max(width, low + width)
                q[k] = generator.uniform(low, high)
            if joint.kind in (SPHERICAL, FREE):
                p = generator.normal(size=4)
                q[joint.q.stop - 4 : joint.q.stop] = p / np.linalg.norm(p)
        return q

    def limits(self) -> tuple[Array, Array]:
        """Lower and upper end of every coordinate, as the model has them; infinite without."""
        lower, upper = np.full(self.nq, -np.inf), np.full(self.nq, np.inf)
        for name, found in self.model.limits.items():
            if name in self._joint:
                lower[self._joint[name].q], upper[self._joint[name].q] = found.lower, found.upper
        return lower, upper

    def start(self) -> tuple[Array, Array]:
        """q and v of the model's own start."""
        values = self.model.initial
        bodies: list[Any] = list(self.model.bodies.values())
        q = np.array([values[name] for body in bodies for name in body.state_names])
        v = np.array([values[name] for body in bodies for name in body.velocity_names])
        return self.from_bodies(q, v)

    def integrate(self, q: Any, v: Any, h: float = 1.0) -> Array:
        """q moved on along v for a time h, quaternions as such."""
        q, v = self._q(q), self._v(v)
        moved = np.empty(self.nq)
        configuration.integrate(self.tables.integers, q, v, float(h), moved)
        return moved

    def difference(self, q: Any, other: Any) -> Array:
        """The v that leads from q to the other configuration in unit time, the shorter way."""
        found = np.empty(self.nv)
        configuration.difference(self.tables.integers, self._q(q), self._q(other), found)
        return found

    def coordinate_rates(self, q: Any, v: Any) -> Array:
        """q' = N(q) v."""
        found = np.empty(self.nq)
        configuration.coordinate_rates(self.tables.integers, self._q(q), self._v(v), found)
        return found

    def to_bodies(self, q: Any, v: Any = None) -> tuple[Array, Array]:
        """State of the bodies as in solutions: 7 and 6 numbers each, in the model's order."""
        q, v = self._moved(q, v)
        n = len(self._body)
        found = np.empty(7 * n), np.empty(6 * n)
        tree_to_bodies(*self._read, q, v, *found)
        return found

    def from_bodies(self, q: Any, v: Any = None, *, near: Any = None) -> tuple[Array, Array]:
        """q and v of the tree from the state of the bodies, whose joints must be closed.

        `near` is a configuration that says how many full turns angles have.
        """
        n = len(self._body)
        q = _numbers(q, 7 * n, "state of the bodies")
        v = np.zeros(6 * n) if v is None else _numbers(v, 6 * n, "velocities of the bodies")
        begin = self.neutral() if near is None else self._q(near)
        found: tuple[Array, Array] = read_bodies(self.tables, q, v, begin)
        return found

    # -- kinematics ----------------------------------------------------------------------------

    def forward_kinematics(self, q: Any) -> dict[str, Placement]:
        """Every body's frame by its name, and every named frame as "body/frame".

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("pendulum")
        >>> rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
        >>> tip = rod.at(x=0.5, name="tip")
        >>> hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y"))
        >>> dl.Tree(model).forward_kinematics([0.0])["rod/tip"].position
        array([1., 0., 0.])
        """
        state, _ = self.to_bodies(q)
        found: dict[str, Placement] = {}
        for name, body in self.model.bodies.items():
            found[name] = self._placed(state, body.at())
            for frame in body.frames.values():
                found[frame.label] = self._placed(state, frame)
        return found

    def placement(self, frame: Any, q: Any) -> Placement:
        """Where a frame is."""
        return self._placed(self.to_bodies(q)[0], self._frame(frame))

    def jacobian(self, frame: Any, q: Any) -> Array:
        """J (6 x nv) of a frame: J v is the velocity of its origin and its angular velocity, world.

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("pendulum")
        >>> rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
        >>> hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="z"))
        >>> dl.Tree(model).jacobian(rod.at(x=0.5), [0.0]).ravel()
        array([0., 1., 0., 0., 0., 1.])
        """
        frame = self._frame(frame)
        state, _ = self.to_bodies(q)
        place = self._placed(state, frame)
        J = np.empty((6, self.nv))
        link = self._links[frame.body.name]
        kinematics.jacobian_columns(self.tables.integers, self._room, link, place.position, J)
        return J

    def velocity(self, frame: Any, q: Any, v: Any) -> Array:
        """Velocity of a frame's origin and its angular velocity (6), world."""
        found: Array = self.jacobian(frame, q) @ self._v(v)
        return found

    def acceleration(self, frame: Any, q: Any, v: Any, a: Any) -> Array:
        """Acceleration of a frame's origin and its angular acceleration (6), world."""
        frame = self._frame(frame)
        state, speeds = self.to_bodies(q, v)
        if frame.body.name == WORLD:
            return np.zeros(6)
        bodies = np.empty(6 * len(self._body))
        kinematics.spread_acceleration(self.tables.integers, self._room, self._v(a), bodies)
        b = self._body[frame.body.name]
        arm = self._placed(state, frame).position - state[7 * b : 7 * b + 3]
        linear, angular = bodies[6 * b : 6 * b + 3], bodies[6 * b + 3 : 6 * b + 6]
        spin = speeds[6 * b + 3 : 6 * b + 6]
        linear = linear + np.cross(angular, arm) + np.cross(spin, np.cross(spin, arm))
        return np.concatenate([linear, angular])

    def body_jacobian(self, q: Any) -> Array:
        """S (6 n x nv): S v are the velocities of all bodies, as `to_bodies` gives them."""
        self._moved(q, None)
        S = np.empty((self.nv, 6 * len(self._body)))
        for k, one in enumerate(np.eye(self.nv)):
            kinematics.spread_velocity(self.tables.integers, self._room, one, S[k])
        return S.T

    def center_of_mass(self, q: Any) -> Array:
        """Centre of mass of all bodies together (3)  [m]."""
        state, _ = self.to_bodies(q)
        masses = self._masses()
        found: Array = masses @ state.reshape(-1, 7)[:, :3] / masses.sum()
        return found

    def inverse_kinematics(
        self,
        frame: Any,
        target: Any,
        q0: Any = None,
        *,
        limits: Mapping[str, tuple[float, float]] | bool = True,
        tolerance: float = 1e-9,
        attempts: int = 10,
        seed: int = 0,
    ) -> Reached:
        """A configuration that brings a frame to a place; loops of the model stay closed.

        Parameters
        ----------
        frame : Frame, Body or "body/frame"
        target : Placement, (position, rotation), or position alone
            A position alone leaves the orientation open.
        q0 : configuration to begin with; by default the model's start
        limits : True for those of the model, False for none, or dict joint -> (lower, upper)
        tolerance : of position [m] and rotation [rad]
        attempts : int
            Searches, the first from q0, the others from configurations by chance.

        Returns
        -------
        Reached
            ``q``, ``success``, the errors left, and ``message`` in words. Without success, q is
            the nearest configuration found.
        """
        lower, upper = self.limits()
        if limits is not True:
            lower[:], upper[:] = -np.inf, np.inf
            for name, ends in (limits or {}).items():
                lower[self.joint(name).q], upper[self.joint(name).q] = ends
        begin = self.start()[0] if q0 is None else self._q(q0)
        search = Search(self, self._frame(frame), target, lower, upper, float(tolerance))
        return search.run(begin, int(attempts), seed)

    # -- dynamics ------------------------------------------------------------------------------

    def mass_matrix(self, q: Any) -> Array:
        """M (nv x nv), by the composite-rigid-body algorithm."""
        self._moved(q, None)
        M = np.empty((self.nv, self.nv))
        tree_crba.mass_matrix(*self._read, M)
        return M

    def bias(self, q: Any, v: Any, *, forces: Any = None) -> Array:
        """Coriolis, centrifugal, gravity and damping forces: M v' + bias = tau."""
        return self.inverse_dynamics(q, v, np.zeros(self.nv), forces=forces)

    def gravity(self, q: Any) -> Array:
        """tau that holds the tree against gravity."""
        return self.bias(q, np.zeros(self.nv))

    def inverse_dynamics(self, q: Any, v: Any, a: Any, *, forces: Any = None) -> Array:
        """tau of M v' + bias = tau for the accelerations a, by the Newton-Euler algorithm.

        `forces` are further ones on bodies: dict body -> (force 3, torque about its centre of mass
        3), world components.
        """
        q, v = self._moved(q, v)
        self._push(forces)
        tau = np.empty(self.nv)
        tree_rnea.newton_euler(*self._read, v, self._v(a), tau)
        return tau

    def forward_dynamics(self, q: Any, v: Any, tau: Any = None, *, forces: Any = None) -> Array:
        """v' under tau, by the articulated-body algorithm; loops are open.

        Raises
        ------
        MassMatrixError
            Some motion meets no inertia.
        """
        q, v = self._moved(q, v)
        self._push(forces)
        tau = np.zeros(self.nv) if tau is None else self._v(tau, "tau")
        a = np.empty(self.nv)
        status = tree_aba.articulate(*self._read, v, tau)
        if status == 0:
            status = tree_aba.accelerate(self.tables.integers, self._room, tau, a)
        if status != 0:
            raise MassMatrixError(
                "Tree: some motion of the joints meets no inertia. Give the bodies at the ends of "
                "the tree mass and moments of inertia, or the joint an armature."
            )
        return a

    def solve_mass(self, q: Any, b: Any) -> Array:
        """M^-1 b in a time proportional to the number of bodies."""
        self.forward_dynamics(q, np.zeros(self.nv))
        x = np.empty(self.nv)
        tree_aba.solve_mass(self.tables.integers, self._room, self._v(b, "b"), x)
        return x

    def momentum(self, q: Any, v: Any) -> Momentum:
        """Momentum of all bodies together; the angular one about their centre of mass."""
        state, speeds = self.to_bodies(q, v)
        masses, velocities = self._masses(), speeds.reshape(-1, 6)
        centers = state.reshape(-1, 7)[:, :3]
        linear = masses @ velocities[:, :3]
        arms = centers - masses @ centers / masses.sum()
        spins = np.einsum("bij,bj->bi", self._inertias(state), velocities[:, 3:])
        orbits = np.cross(arms, masses[:, None] * velocities[:, :3])
        return Momentum(linear, (spins + orbits).sum(axis=0))

    def energy(self, q: Any, v: Any) -> Energy:
        """Kinetic energy, armatures included, and that of gravity."""
        state, speeds = self.to_bodies(q, v)
        masses, velocities = self._masses(), speeds.reshape(-1, 6)
        moving = masses @ (velocities[:, :3] ** 2).sum(axis=1)
        w = velocities[:, 3:]
        turning = np.einsum("bi,bij,bj->", w, self._inertias(state), w)
        drives = self.tables.armature @ self._v(v) ** 2
        height = masses @ (state.reshape(-1, 7)[:, :3] @ self.tables.numbers[:3])
        return Energy(0.5 * float(moving + turning + drives), -float(height))

    # -- loops ---------------------------------------------------------------------------------

    def loop_residual(self, q: Any, t: float = 0.0) -> Array:
        """Residuals of the loop joints and constraints of the model: zero where they are closed."""
        phi: Array = self._closing.at(t, *self.to_bodies(q)).phi[0]
        return phi

    def loop_jacobian(self, q: Any, v: Any = None, t: float = 0.0) -> Array:
        """Rows J of the loop joints and constraints on v: J v = 0 keeps loops closed."""
        state = self.to_bodies(q, v)
        J: Array = self._closing.at(t, *state).dense()[0] @ self.body_jacobian(q)
        return J

    def inverse_dynamics_closed(
        self, q: Any, v: Any, a: Any, *, actuated: Sequence[str], forces: Any = None
    ) -> Array:
        """tau (nv) in the actuated joints alone that gives the accelerations a, loops closed.

        The loops carry the rest. Of many answers (more drives than freedoms) it is the one of least
        sum of squares.

        Parameters
        ----------
        q, v, a : closed: the loops' residual and rates are zero
        actuated : names of joints of the tree

        Raises
        ------
        ModelError
            These joints cannot do it.
        """
        driven = np.zeros(self.nv, dtype=bool)
        for name in actuated:
            driven[self.joint(name).v] = True
        needed = self.inverse_dynamics(q, v, a, forces=forces)
        return self._closing.least_drive(self.loop_jacobian(q, v), needed, driven)

    # -- inside --------------------------------------------------------------------------------

    def _frame(self, given: Any) -> Frame:
        findings = Findings()
        found = self._names.frame(given, "Tree", findings)
        findings.raise_if_any(f"model '{self.model.name}'")
        assert found is not None
        return found

    def _placed(self, state: Array, frame: Frame) -> Placement:
        offset = from_center(frame, self.model.parameters)
        turned = frame.orientation.matrix
        if frame.body.name == WORLD:
            return Placement(offset, turned)
        b = self._body[frame.body.name]
        R = rotations(state[7 * b + 3 : 7 * b + 7])
        return Placement(state[7 * b : 7 * b + 3] + R @ offset, R @ turned)

    def _moved(self, q: Any, v: Any) -> tuple[Array, Array]:
        """Checked arrays, after the outward pass."""
        q = self._q(q)
        v = np.zeros(self.nv) if v is None else self._v(v)
        kinematics.move(*self._read, q, v)
        return q, v

    def _q(self, given: Any) -> Array:
        return _numbers(given, self.nq, "q")

    def _v(self, given: Any, what: str = "v") -> Array:
        return _numbers(given, self.nv, what)

    def _push(self, forces: Any) -> None:
        if forces is None:
            return
        total = np.zeros(6 * len(self._body))
        for name, wrench in forces.items():
            name = getattr(name, "name", name)
            if name not in self._body:
                raise OptionError(f"Tree: there is no body {name!r:.60} to push.")
            b = self._body[name]
            total[6 * b : 6 * b + 6] += _numbers(wrench, 6, f"force on '{name}'")
        kinematics.push(self.tables.integers, self._room, total)

    def _masses(self) -> Array:
        masses = np.empty(len(self._body))
        for name, b in self._body.items():
            at = GRAVITY_LENGTH + NUMBERS * (self._links[name] - 1) + LINK_MASS
            masses[b] = self.tables.numbers[at]
        return masses

    def _inertias(self, state: Array) -> Array:
        """Inertia of every body about its centre of mass, world axes (n, 3, 3)."""
        parameters = self.model.parameters
        R = rotations(state.reshape(-1, 7)[:, 3:])
        own = [_matrix(body.inertia.matrix, parameters) for body in self.model.bodies.values()]
        return np.asarray(R @ np.array(own) @ R.transpose(0, 2, 1))

    def __repr__(self) -> str:
        closed = f", {len(self.loops)} loop joints" if self.loops else ""
        return f"Tree({self.model.name!r}, nq={self.nq}, nv={self.nv}{closed})"


def _matrix(entries: Any, parameters: Mapping[str, float]) -> list[list[float]]:
    return [[number(x, parameters) for x in row] for row in entries]


def _numbers(given: Any, size: int, what: str) -> Array:
    try:
        found = np.ascontiguousarray(given, dtype=float)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.shape != (size,):
        shape = "x".join(map(str, np.shape(given))) or "no"
        raise OptionError(f"Tree: {what} has {shape} entries. Give {size} numbers.")
    return found
