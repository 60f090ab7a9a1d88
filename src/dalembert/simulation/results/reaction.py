"""Force and torque of a joint, drive or constraint on a body, as time series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.formulas.graph import symbols
from dalembert.model.basics.frame import WORLD, Frame, World
from dalembert.model.basics.names import nearest
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rigid_body import Body
from dalembert.model.core.by_angles import SLIP
from dalembert.model.joints.references import References
from dalembert.model.start.angle_rows import AngleRows
from dalembert.model.start.rows_numpy import Rows

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Reaction:
    """Force and torque of a joint, drive or constraint on a body.

    Attributes
    ----------
    name, on : str          the joint or constraint, and the body it acts on
    t : (k,)                sample moments  [s]
    force : (k, 3)          [N]
    torque : (k, 3)         about `about`  [N m]
    frame : str             whose axes the components are along
    about : str             the point
    unique : True, False, or None when that is not known
        False when other joints hold the same motion; then the least reactions are given.
    note : str              more about that; empty when there is nothing to say
    """

    name: str
    on: str
    t: Array
    force: Array
    torque: Array
    frame: str = WORLD
    about: str = ""
    unique: bool | None = True
    note: str = ""

    def max(self) -> float:
        """Largest magnitude of the force over the samples  [N]."""
        return _largest(self.force)

    def max_torque(self) -> float:
        """Largest magnitude of the torque over the samples  [N m]."""
        return _largest(self.torque)

    def summary(self) -> str:
        """The reaction in words: where, how large, when, whether unique."""
        head = f"Reaction of {self.name} on {self.on}"
        if not len(self.t):
            return f"{head}\n  nothing was recorded"
        lines = [head]
        for label, series, unit in (("force", self.force, "N"), ("torque", self.torque, "N m")):
            sizes = np.linalg.norm(series, axis=1)
            k = int(np.nanargmax(sizes)) if np.isfinite(sizes).any() else 0
            parts = ", ".join(f"{x:.6g}" for x in series[k])
            lines.append(
                f"  {label:<8}at most {sizes[k]:.6g} {unit}, at t = {self.t[k]:.6g} s: ({parts})"
            )
        whose = "the world" if self.frame == WORLD else self.frame
        lines.append(f"  axes    of {whose}; torque about {self.about}")
        lines.append(f"  unique  {'yes' if self.unique else self.note}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        size = f"max |force| {self.max():.4g} N" if len(self.t) else "no samples"
        mark = {True: "", False: ", not unique", None: ", uniqueness not examined"}[self.unique]
        return f"Reaction({self.name!r} on {self.on!r}, {len(self.t)} samples, {size}{mark})"


def _largest(series: Array) -> float:
    if not len(series):
        raise OptionError("reaction: nothing was recorded, so there is no largest value.")
    sizes = np.linalg.norm(series, axis=1)
    return float(np.nanmax(sizes)) if np.isfinite(sizes).any() else float("nan")


def reaction(solution: Solution, given: Any, on: Any, frame: Any, about: Any) -> Reaction:
    """The reaction of a joint or constraint; see `Solution.reaction`."""
    model = solution.model
    name = element_name(solution, given)
    acting = wrenches(solution, name)
    body = _acted_on(model, name, on, list(acting))
    where, point = _about(model, name, about, body)
    place = solution.trajectory.place(where)[0]
    force, torque = _moved(solution, acting, body, place)
    seen = WORLD
    if not (isinstance(frame, World) or frame == WORLD):
        axes = _frame(model, frame, f"reaction of '{name}': frame")
        R = solution.trajectory.place(axes)[1]
        force, torque = (np.einsum("kji,kj->ki", R, x) for x in (force, torque))
        seen = axes.label
    found = solution.statics
    return Reaction(
        name=name,
        on=body,
        t=solution.t,
        force=force,
        torque=torque,
        frame=seen,
        about=point,
        unique=found.unique.get(name, True),
        note=found.note(name),
    )


def element_name(solution: Solution, given: Any) -> str:
    """Name of the joint or constraint that is meant."""
    model = solution.model
    name = given if isinstance(given, str) else getattr(given, "name", None)
    if not isinstance(name, str):
        raise OptionError(
            f"reaction: {given!r:.60} is neither a joint nor a constraint. Give one, or its name."
        )
    if not model.bodies:
        name = name if name in solution.constraint_slices else "name"
        raise OptionError(
            f"reaction: model {model.name!r} is made of coordinates, which have no force and"
            f" torque in space. Read the multipliers instead: solution['{name}.force']."
        )
    if name in solution.constraint_slices:
        return name
    if name in model.forces:
        raise OptionError(
            f"reaction: {name!r} is a force, not a joint. Its power and work are"
            f" solution.power({name!r}) and solution.work({name!r})."
        )
    raise OptionError(
        f"reaction: model {model.name!r} has no joint or constraint {name!r}"
        f"{nearest(name, list(solution.constraint_slices))}"
    )


def wrenches(solution: Solution, name: str, *, least: bool = True) -> dict[str, Array]:
    """Force, and torque about the centre of mass, on each body: (k, 6), world components.

    `least`: those of `statics` where they are not unique, else those of the solver.
    """
    memory = solution.memory.setdefault("wrenches", {})
    least = least and solution.statics.unique.get(name) is False
    key = (name, least)
    if key not in memory:
        model = solution.model
        # between bodies with angles the velocity rows of a joint have a name of their own
        parts = [x for x in (name, f"{name} {SLIP}") if x in solution.constraint_slices]
        every = solution.statics.lam if least else solution.lam
        lam = np.concatenate([every[:, solution.constraint_slices[x]] for x in parts], axis=1)
        joint = model.joints.get(name)
        constraints = [c for c in model.constraints if c.name in parts]
        rows: Rows | AngleRows
        if model.is_maximal:
            bodies = _bodies_in(model, joint, constraints)
            joints = [] if joint is None else [joint]
            rows = Rows(model, joints, constraints, bodies)
        else:
            rows = AngleRows(model, constraints)
        q, v = solution.trajectory.columns(rows.bodies)
        pulls = rows.at(solution.t, q, v).wrenches(lam)
        memory[key] = {rows.bodies[b].name: pull for b, pull in sorted(pulls.items())}
    found: dict[str, Array] = memory[key]
    return found


def _bodies_in(model: Any, joint: Any, constraints: list[Any]) -> list[Any]:
    """Bodies whose state the rows of an element need."""
    names = {frame.body.name for frame in joint.frames} if joint is not None else set()
    formulas = [row for constraint in constraints for row in constraint.rows]
    for leaf in symbols(formulas, "coordinate", "velocity"):
        owner, _, part = leaf.name.partition(":")
        if part == "turns" and owner in model.joints:
            names |= {frame.body.name for frame in model.joints[owner].frames}
        names.add(owner if part else leaf.name.rpartition(".")[0])
    return [body for name, body in model.bodies.items() if name in names]


def _acted_on(model: Any, name: str, on: Any, bodies: list[str]) -> str:
    """Name of the body meant by `on`."""
    joint = model.joints.get(name)
    touched = [*bodies]
    ends = [frame.body.name for frame in joint.frames] if joint is not None else []
    if joint is None or WORLD in ends or any(end not in bodies for end in ends):
        touched.append(WORLD)
    if on is None:
        if len(ends) > 1:
            return str(ends[1])
        if len(bodies) == 1:
            return bodies[0]
        raise OptionError(
            f"reaction: '{name}' acts on {_listed(touched)}. Say on which: on='{bodies[0]}'."
        )
    asked = on if isinstance(on, str) else getattr(on, "name", None)
    if asked not in touched:
        raise OptionError(
            f"reaction: '{name}' acts on {_listed(touched)}, not on {asked or on!r:.60}."
            " Give on= one of them."
        )
    return str(asked)


def _listed(names: list[str]) -> str:
    named = [f"'{name}'" if name != WORLD else "the world" for name in names]
    return " and ".join([", ".join(named[:-1]), named[-1]]) if len(named) > 1 else named[0]


def _frame(model: Any, given: Any, element: str) -> Frame:
    findings = Findings()
    names = References(model.bodies, model.world, model.joints)
    found = names.frame(given, element, findings)
    if found is None:
        raise OptionError(findings[0])
    return found


def _about(model: Any, name: str, about: Any, body: str) -> tuple[Frame, str]:
    """The point torques are taken about, and what to call it."""
    if about is None:
        joint = model.joints.get(name)
        for frame in joint.frames if joint is not None else ():
            if frame.body.name == body:
                return frame, f"its origin on {body}"
        about = model.world if body == WORLD else model.bodies[body]
    if isinstance(about, str) and about in model.bodies:
        about = model.bodies[about]
    if isinstance(about, Body):
        found = _frame(model, about, f"reaction of '{name}': about").body
        assert isinstance(found, Body)
        return found.center, f"the centre of mass of {found.name}"
    frame = _frame(model, about, f"reaction of '{name}': about")
    plain = isinstance(frame.body, World) and frame.offset == (0.0, 0.0, 0.0)
    return frame, "the origin of the world" if plain else frame.label


def _moved(
    solution: Solution, acting: dict[str, Array], body: str, place: Array
) -> tuple[Array, Array]:
    """Force, and torque about a place; the world feels the opposite of all bodies together."""
    chosen = [body] if body != WORLD else list(acting)
    force, torque = np.zeros_like(place), np.zeros_like(place)
    for name in chosen:
        pull = acting[name]
        arm = solution.trajectory.body(name).center[0] - place
        force += pull[:, :3]
        torque += pull[:, 3:] + np.cross(arm, pull[:, :3])
    return (force, torque) if body != WORLD else (-force, -torque)
