"""Coordinates of a tree of joints: their names, limits and differences, and states of bodies."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.errors import ModelError, OptionError
from dalembert.mechanics import tree_configuration as configuration
from dalembert.mechanics import tree_kinematics as kinematics
from dalembert.mechanics.tree_states import read_bodies, tree_to_bodies
from dalembert.model.basics.frame import WORLD, Frame
from dalembert.model.basics.reading import Findings
from dalembert.model.core.model import Model
from dalembert.model.joints.references import References
from dalembert.model.start.states import from_center, number, rotations
from dalembert.robotics.answers import Placement
from dalembert.robotics.loops import Loops
from dalembert.system.tree import TreeJoint, tree_of
from dalembert.system.tree_layout import FREE, SPHERICAL, Constants, Head

Array = npt.NDArray[np.float64]


class TreeCoordinates:
    """A model of bodies in the coordinates of its joints (`robotics.tree.Tree` says more)."""

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
        places = self.tables.integers[Head(self.tables.integers, 0).body_table :]
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
        constants = Constants(self.tables.integers, self.tables.numbers)
        for name, b in self._body.items():
            masses[b] = constants.link(self._links[name]).mass
        return masses

    def _inertias(self, state: Array) -> Array:
        """Inertia of every body about its centre of mass, world axes (n, 3, 3)."""
        parameters = self.model.parameters
        R = rotations(state.reshape(-1, 7)[:, 3:])
        own = [_matrix(body.inertia.matrix, parameters) for body in self.model.bodies.values()]
        return np.asarray(R @ np.array(own) @ R.transpose(0, 2, 1))


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
