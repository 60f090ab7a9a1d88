"""`assemble`: from a rough guess to a closed mechanism with consistent velocities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import AssemblyError, OptionError
from dalembert.model.check.bodies import Move, moved
from dalembert.model.check.conflict import conflict
from dalembert.model.core.model import Model
from dalembert.model.start.closing import Closing
from dalembert.model.start.rows_numpy import Rows
from dalembert.model.start.states import States, number
from dalembert.simulation.assembly.asked_places import near
from dalembert.simulation.assembly.body_start import asked_angles, read_body_state
from dalembert.simulation.assembly.held_coordinates import held_angles, position_rows, velocity_rows
from dalembert.simulation.assembly.turning import turned

Array = NDArray[np.float64]

SPEED = 1e-9
"""Velocity residual, over the speeds, that counts as none."""

DEPENDENT = 1e-7
"""Singular value of rows of unit size below which they are dependent."""

FULL = 400
"""Rows and velocities up to which velocities are found with full matrices."""

MOST = 60
"""Joints up to which a contradiction of speeds is reduced one by one."""

SMALL = 1e-9
"""Moves that are not worth a word  [m], [rad]."""


@dataclass(frozen=True, eq=False, repr=False)
class Assembly:
    """A closed configuration with velocities: ``simulate(model, ..., initial=assembly)``.

    Attributes
    ----------
    q, v : state
    t : moment it is consistent at  [s]
    moves : dict body -> Move       distance [m] and angle [rad] from the guess
    residual, velocity_residual     largest that is left
    degrees_of_freedom : int or None
        Left free, what is held apart; None for models too large to say.
    held : tuple of str             what was held
    angles : those of joints with their full turns, by the angle in (-pi, pi], where they are known
    """

    model: Model
    t: float
    q: Array
    v: Array
    moves: Mapping[str, Move]
    residual: float
    velocity_residual: float
    degrees_of_freedom: int | None
    held: tuple[str, ...] = ()
    angles: Mapping[Any, float] = field(default_factory=dict)

    @property
    def state(self) -> dict[str, float]:
        """The state by name, as `model.set_initial` takes it."""
        bodies: list[Any] = list(self.model.bodies.values())
        names = [name for body in bodies for name in body.state_names]
        speeds = [name for body in bodies for name in body.velocity_names]
        return dict(zip([*names, *speeds], map(float, [*self.q, *self.v]), strict=True))

    def __iter__(self) -> Iterator[Array]:
        """q, then v."""
        return iter((self.q, self.v))

    def __getitem__(self, signal: Any) -> float:
        """Value of a coordinate, a joint coordinate or any formula, by name or itself."""
        from dalembert.formulas.expression import lift
        from dalembert.formulas.node import Node
        from dalembert.simulation.assembly.held_coordinates import read
        from dalembert.simulation.motion.trajectory import Trajectory
        from dalembert.simulation.motion.turns import Turns, hinges_of

        if isinstance(signal, Node):
            formula = lift(signal)
        else:
            formula = read(self.model, signal, "assembly").formula
        state = (np.array([self.t]), self.q[None, :], self.v[None, :])
        angles = np.array([[self.angles.get(raw, 0.0) for raw in hinges_of(self.model)]])
        turned = Turns.of(self.model, *state, angles)
        along = Trajectory(self.model, *state, turned=turned)
        return float(along.series([formula])[0][0])

    def summary(self) -> str:
        """A text: how far bodies moved, and the freedom and residual that are left."""
        lines = [f"Assembly of {self.model.name}"]
        far = {
            name: move
            for name, move in self.moves.items()
            if move.distance > SMALL or move.angle > SMALL
        }
        for name, move in far.items():
            lines.append(
                f"  {name:<18}moved by {move.distance:.4g} m,"
                f" turned by {np.degrees(move.angle):.4g} degrees"
            )
        if not far:
            lines.append("  nothing moved")
        for label in self.held:
            lines.append(f"  {'held':<18}{label}")
        freedom = self.degrees_of_freedom
        left = "not counted: the model is too large" if freedom is None else str(freedom)
        lines.append(f"  {'left free':<18}{left}{'' if freedom is None else _freedom(freedom)}")
        lines.append(f"  {'residual':<18}{self.residual:.1e} in positions,")
        lines[-1] += f" {self.velocity_residual:.1e} in velocities"
        return "\n".join(lines)

    def __repr__(self) -> str:
        moving = [name for name, move in self.moves.items() if move.distance > SMALL]
        return f"Assembly({self.model.name!r}, {len(moving)} bodies moved)"


def _freedom(count: int) -> str:
    return " degree of freedom" if count == 1 else " degrees of freedom"


def assemble(
    model: Model,
    hold: Any = None,
    *,
    initial: Any = None,
    velocities: Mapping[Any, float] | None = None,
    start: float = 0.0,
) -> Assembly:
    """The closed configuration nearest to a guess, and velocities that go with it.

    Parameters
    ----------
    hold : what must not change, or must take a value
        A list of names or a dict {name: value}. A joint stands for its angle or displacement, a
        body for its whole position; "crank.x", "crank.pitch" and formulas are coordinates.
    initial : guess, as for `simulate`; by default the model's own start
    velocities : dict {joint, coordinate or formula: speed}
        Speeds to be met; everything else changes as little as possible, in kinetic energy.
    start : float   moment at which drives are read  [s]

    Raises
    ------
    AssemblyError   names the joints and held values that cannot be met together

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("slider-crank")
    >>> crank, rod = (model.add_body(n, dl.Inertia.rod(1.0, length=1.0)) for n in ("crank", "rod"))
    >>> block = model.add_body("block", dl.Inertia.point(1.0))
    >>> bearing = model.add_joint(dl.Revolute(model.world, crank.at(x=-0.5), axis="-y"))
    >>> pin = model.add_joint(dl.Revolute(crank.at(x=0.5), rod.at(x=-0.5), axis="-y"))
    >>> wrist = model.add_joint(dl.Revolute(rod.at(x=0.5), block, axis="-y"))
    >>> guide = model.add_joint(dl.Prismatic(model.world, block, axis="x"))
    >>> made = dl.assemble(model, hold={bearing: 1.0}, velocities={bearing: 3.0})
    >>> round(made[block.x], 6), round(made[block.velocity[0]], 6)
    (1.080605, -5.048826)
    """
    if not isinstance(model, Model) or not model.is_maximal:
        raise OptionError(
            "assemble: give a model of bodies with quaternions. Other models are put on their"
            " constraints by simulate."
        )
    q, v = read_body_state(model, initial)
    rows = Rows(model)
    held = position_rows(model, hold, start, q)
    speeds = velocity_rows(model, velocities)
    holds = Rows(model, [], held) if held else None
    asked = asked_angles(model, initial)
    beside, angles = turned(model, rows, hold, asked, start, q)
    asked = {**asked, **held_angles(model, hold)}
    closing = Closing(rows, holds, angles=angles or near(rows, asked, q, start))
    found = closing.close(start, beside)
    if not found.is_closed:
        reason = conflict(rows, holds, start, q, found)
        raise AssemblyError(
            f"assemble: model {model.name!r} does not close. {reason} Change a length, a frame or"
            " a held value, or give a better guess.",
            conflict=reason.names,
        )
    found = closing.nearer(start, beside, found)
    v = consistent_velocities(model, rows, speeds, start, found.q, v)
    phi, phi_dot = rows.residuals(start, found.q, v)
    return Assembly(
        model=model,
        t=float(start),
        q=found.q,
        v=v,
        moves=moved(model, q, found.q),
        residual=float(np.abs(phi).max(initial=0.0)),
        velocity_residual=float(np.abs(phi_dot).max(initial=0.0)),
        degrees_of_freedom=_left(closing, rows, holds, start, found.q),
        held=tuple(c.name for c in (*held, *speeds)),
        angles={**found.angles, **near(rows, asked, found.q, start)},
    )


def _left(closing: Closing, rows: Rows, holds: Rows | None, t: float, q: Array) -> int | None:
    """Velocities that neither joints nor held coordinates stop."""
    if not closing.is_small:
        return None
    still = np.zeros(rows.velocities)
    parts = [rows, *([] if holds is None else [holds])]
    J = np.concatenate([part.at(t, q, still).dense()[0] for part in parts]) / closing.metric
    sizes = np.linalg.norm(J, axis=1, keepdims=True)
    values = np.linalg.svd(J / np.where(sizes > 1e-9, sizes, 1.0), compute_uv=False)
    return rows.velocities - int((values > DEPENDENT * values.max(initial=0.0)).sum())


# -- velocities -----------------------------------------------------------------------------------


def consistent_velocities(
    model: Model, rows: Rows, speeds: list[Any], t: float, q: Array, v: Array
) -> Array:
    """The velocity nearest to v, in kinetic energy, that meets all rows and held speeds."""
    held = Rows(model, [], speeds)
    parts = [part for part in (rows, held) if part.count]
    if not parts:
        return v
    root = _inverse_root_of_mass(model, q)
    names = [name for part in parts for name in part.names]
    owners = [owner for part in parts for owner in part.owners]
    rest = np.zeros(0)
    scale = 1.0
    for _ in range(8):  # once, unless rows are not linear in v
        found = [part.at(t, q, v) for part in parts]
        rest = np.concatenate([part.phi_dot[0] for part in found])
        asked = np.concatenate([part.phi_t[0] for part in found])
        scale = max(1e-3, float(np.abs(asked).max(initial=0.0)), float(np.abs(v).max(initial=0.0)))
        if np.abs(rest).max(initial=0.0) <= 1e-3 * SPEED * scale:
            return v
        change = _least_change(found, root, -rest)
        if np.abs(change).max(initial=0.0) <= 1e-15 * scale:
            break
        v = v + change
    found = [part.at(t, q, v) for part in parts]
    rest = np.concatenate([part.phi_dot[0] for part in found])
    if np.abs(rest).max(initial=0.0) > SPEED * scale:
        worst = int(np.argmax(np.abs(rest)))
        guilty = _guilty(found, root, rest, owners)
        raise AssemblyError(
            f"assemble: model {model.name!r}: {', '.join(map(repr, guilty[:8]))} ask for speeds"
            f" that do not go together; {names[worst]!r} is off by {rest[worst]:.3g}. Change a"
            " prescribed or held speed, or start beside a singular position.",
            conflict=guilty,
        )
    return v


def _guilty(found: list[Any], root: Any, rest: Array, owners: list[str]) -> tuple[str, ...]:
    """Joints and held speeds of which none can be spared for the contradiction."""
    large = np.abs(rest) > 1e-6 * np.abs(rest).max()
    needed = list(dict.fromkeys(o for o, x in zip(owners, large, strict=True) if x))
    if len(needed) > MOST or sum(part.phi_dot.shape[1] for part in found) > FULL:
        return tuple(needed)
    J = np.concatenate([part.dense()[0] for part in found]) @ root.toarray()
    sizes = np.linalg.norm(J, axis=1)
    weight = 1.0 / np.where(sizes > 1e-9, sizes, 1.0)
    J, b = weight[:, None] * J, weight * rest
    for name in reversed(needed.copy()):
        mine = np.array([owner in needed and owner != name for owner in owners])
        left = b[mine] - J[mine] @ np.linalg.lstsq(J[mine], b[mine], rcond=1e-9)[0]
        if np.abs(left).max(initial=0.0) > 1e-6 * np.abs(b).max():
            needed.remove(name)
    return tuple(needed)


def _least_change(found: list[Any], root: Any, rest: Array) -> Array:
    """dv of least kinetic energy with J dv = rest, rows of any rank; root = M^-1/2."""
    from scipy.sparse import csr_array, diags_array, eye_array, vstack

    J = csr_array(vstack([part.sparse() for part in found]) @ root)
    sizes = np.sqrt(np.asarray((J * J).sum(axis=1)).ravel())
    weight = 1.0 / np.where(sizes > 1e-9, sizes, 1.0)
    J = csr_array(diags_array(weight) @ J)
    rest = weight * rest
    n = J.shape[1]
    if n + J.shape[0] <= FULL:
        return np.asarray(root @ np.linalg.lstsq(J.toarray(), rest, rcond=1e-9)[0])
    from scipy.sparse.linalg import splu

    # steps of refinement with J^T J + eps stay in the range of J^T: of least size
    factors = splu((J.T @ J + 1e-10 * eye_array(n)).tocsc(), permc_spec="MMD_AT_PLUS_A")
    y = np.zeros(n)
    for _ in range(4):
        y = y + factors.solve(J.T @ (rest - J @ y))
    return np.asarray(root @ y)


def _inverse_root_of_mass(model: Model, q: Array) -> Any:
    """M^-1/2, a block a body; an axis without inertia counts as one with little."""
    from scipy.sparse import block_diag

    parameters = model.parameters
    R = States.of(0.0, q, np.zeros(6 * len(model.bodies))).R[:, 0]
    blocks = []
    for b, body in enumerate(model.bodies.values()):
        mass = number(body.inertia.mass, parameters)
        matrix = np.array([[number(x, parameters) for x in row] for row in body.inertia.matrix])
        moments, axes = np.linalg.eigh(R[b] @ matrix @ R[b].T)
        moments = np.maximum(moments, max(1e-3 * float(moments.max()), 1e-6 * mass))
        block = np.eye(6) / np.sqrt(mass)
        block[3:, 3:] = axes @ np.diag(1.0 / np.sqrt(moments)) @ axes.T
        blocks.append(block)
    return block_diag(blocks, format="csr")
