"""Where bodies are at the start: as given, else as their joints place them.

A tree is grown from the world and from the bodies with a given pose. A joint carries the pose of
one of its frames to the other, at the joint's initial coordinate; joints whose origins coincide
are used before sliding ones, then in the order they were added. Bodies that nothing connects start
at the origin. Loops need not close: the run makes its start consistent.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.model.basics.frame import WORLD, Frame
from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.basics.rotation import Rotation

if TYPE_CHECKING:
    from dalembert.model.basics.rigid_body import Body
    from dalembert.model.joints.joint import Joint

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Start:
    """The start of a body as the user stated it; None is left to its joints."""

    position: tuple[Quantity, ...] | None = None
    rotation: Rotation | None = None
    velocity: tuple[Quantity, ...] | None = None
    angular_velocity: tuple[Quantity, ...] | None = None
    axes: str = "world"

    @property
    def is_placed(self) -> bool:
        """True when the position does not come from joints."""
        return self.position is not None

    @property
    def quantities(self) -> list[Quantity]:
        """Everything that may be a formula of parameters."""
        given = (self.position, self.velocity, self.angular_velocity)
        return [entry for vector in given if vector is not None for entry in vector]


@dataclass
class Placed:
    """Origin, axes, velocity of the origin and angular velocity of a body frame, world."""

    p: Array
    R: Array
    v: Array
    w: Array

    def point(self, frame: Frame, parameters: Mapping[str, float]) -> tuple[Array, Array]:
        """Origin and axes of a frame on the body."""
        offset = numbers(frame.offset, parameters)
        return self.p + self.R @ offset, self.R @ frame.orientation.matrix


def place(
    bodies: Mapping[str, Body],
    starts: Mapping[str, Start],
    joints: Iterable[Joint],
    parameters: Mapping[str, float],
) -> dict[str, Placed]:
    """Every body at the start."""
    tree = _Tree(bodies, list(joints), parameters)
    poses = tree.poses(starts)
    return tree.velocities(starts, poses)


class _Tree:
    def __init__(
        self, bodies: Mapping[str, Body], joints: list[Joint], parameters: Mapping[str, float]
    ) -> None:
        self.bodies = bodies
        self.joints = joints
        self.parameters = parameters
        self.around: dict[str, list[int]] = {name: [] for name in (*bodies, WORLD)}
        for k, joint in enumerate(joints):
            if len(joint.frames) == 2:
                for frame in joint.frames:
                    self.around[frame.body.name].append(k)

    def grow(self, known: Mapping[str, Any]) -> Iterable[tuple[Joint | None, Frame, Frame]]:
        """Joints to go along: from a frame on a known body to one on an unknown body.

        A body that hangs on nothing comes without a joint. The caller adds the body of the second
        frame to `known`, or leaves it for another joint.
        """
        queue: list[tuple[int, int]] = []
        for name in known:
            self._reach(name, queue)
        waiting = [name for name in self.bodies if name not in known]
        for name in (WORLD, *waiting):
            if name not in known:
                alone = Frame(self.bodies[name])
                yield None, alone, alone
                self._reach(name, queue)
            while queue:
                _, k = heapq.heappop(queue)
                a, b = self.joints[k].frames
                if a.body.name in known and b.body.name in known:
                    continue
                if a.body.name not in known:
                    a, b = b, a
                yield self.joints[k], a, b
                if b.body.name in known:
                    self._reach(b.body.name, queue)

    def _reach(self, name: str, queue: list[tuple[int, int]]) -> None:
        for k in self.around[name]:
            heapq.heappush(queue, (self.joints[k].free_translations, k))

    def poses(self, starts: Mapping[str, Start]) -> dict[str, Placed]:
        """Origins and axes; a joint places a body whose rotation is given by its origin alone."""
        zero = np.zeros(3)
        known = {WORLD: Placed(zero, np.eye(3), zero, zero)}
        for name in self.bodies:
            start = starts.get(name, Start())
            if start.is_placed:
                p = numbers(start.position or (0.0,) * 3, self.parameters)
                R = np.eye(3) if start.rotation is None else start.rotation.matrix
                known[name] = Placed(p, R, zero, zero)
        for joint, near, far in self.grow(known):
            turned = starts.get(far.body.name, Start()).rotation
            if joint is None:
                R = np.eye(3) if turned is None else turned.matrix
                known[far.body.name] = Placed(zero, R, zero, zero)
                continue
            pose = joint.pose(self.parameters)
            if pose is None:
                continue
            d, E = pose
            p, A = known[near.body.name].point(near, self.parameters)
            if near is joint.frames[0]:
                p, A = p + A @ d, A @ E
            else:  # against the joint: the first frame seen from the second
                A = A @ E.T
                p = p - A @ d
            R = A @ far.orientation.matrix.T if turned is None else turned.matrix
            p = p - R @ numbers(far.offset, self.parameters)
            known[far.body.name] = Placed(p, R, zero, zero)
        return known

    def velocities(
        self, starts: Mapping[str, Start], poses: dict[str, Placed]
    ) -> dict[str, Placed]:
        """Velocities of origins and angular velocities, the poses being known."""
        known: dict[str, Placed] = {WORLD: poses[WORLD]}
        turning: dict[str, Array] = {}
        for name in self.bodies:
            start, at = starts.get(name, Start()), poses[name]
            if start.angular_velocity is not None:
                w = numbers(start.angular_velocity, self.parameters)
                turning[name] = at.R @ w if start.axes == "body" else w
            if start.velocity is not None:
                v = numbers(start.velocity, self.parameters)
                known[name] = Placed(at.p, at.R, v, turning.get(name, np.zeros(3)))
        for joint, near, far in self.grow(known):
            name = far.body.name
            at = poses[name]
            if joint is None:
                known[name] = Placed(at.p, at.R, np.zeros(3), turning.get(name, np.zeros(3)))
                continue
            twist = joint.twist(self.parameters)
            if twist is None:
                continue
            base = known[near.body.name]
            here, _ = base.point(near, self.parameters)
            there, _ = at.point(far, self.parameters)
            forward = near is joint.frames[0]
            # a twist is in the axes of the first frame, whichever side is known
            first = joint.frames[0]
            A = (base if forward else at).R @ first.orientation.matrix
            sign = 1.0 if forward else -1.0
            # the relative velocity is seen from the first body; d counts only with a slide
            d, w_known = there - here, base.w
            w = turning.get(name, w_known + sign * (A @ twist[1]))
            v_near = base.v + _cross(w_known, here - base.p)
            v_far = v_near + _cross(w_known if forward else w, d) + sign * (A @ twist[0])
            v = v_far - _cross(w, there - at.p)
            known[name] = Placed(at.p, at.R, v, w)
        return {name: known[name] for name in self.bodies}


def _cross(a: Array, b: Array) -> Array:
    """a x b, without the generality of NumPy's, which takes most of the time here."""
    return np.array(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )


def numbers(quantities: Iterable[Quantity], parameters: Mapping[str, float]) -> Array:
    """Values at the start; NaN for a formula that has none."""
    values = [value_of(quantity, parameters) for quantity in quantities]
    return np.array([np.nan if value is None else value for value in values])
