"""`Tree`: a model of bodies in joint coordinates, and what can be calculated from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.errors import MassMatrixError
from dalembert.mechanics import tree_aba, tree_crba, tree_rnea
from dalembert.mechanics import tree_kinematics as kinematics
from dalembert.model.basics.frame import WORLD
from dalembert.robotics.answers import Energy, Momentum, Placement
from dalembert.robotics.coordinates import TreeCoordinates
from dalembert.robotics.inverse_kinematics import Reached, Search

__all__ = ["Energy", "Momentum", "Placement", "Tree"]

Array = npt.NDArray[np.float64]


class Tree(TreeCoordinates):
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

    def __repr__(self) -> str:
        closed = f", {len(self.loops)} loop joints" if self.loops else ""
        return f"Tree({self.model.name!r}, nq={self.nq}, nv={self.nv}{closed})"
