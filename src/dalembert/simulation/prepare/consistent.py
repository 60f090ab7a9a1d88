"""The initial state: read, checked, moved onto the constraints."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dalembert import _jit
from dalembert.errors import (
    InconsistentError,
    MassMatrixError,
    ModelError,
    NonFiniteError,
    OptionError,
    ProjectionError,
)
from dalembert.formulas import Expression
from dalembert.mechanics.choose_solve import install
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import accelerate
from dalembert.mechanics.projection import (
    MASS_NORM,
    ROUNDING,
    project_position,
    project_velocity,
)
from dalembert.simulation.prepare.asked_speeds import Speeds, Taken
from dalembert.simulation.prepare.body_rows import MANY_ROWS, body_rank, body_row_sizes
from dalembert.simulation.prepare.body_start import read_body_state, refuse_flat
from dalembert.simulation.prepare.start_bodies import Placing
from dalembert.system.body_system import BodySystem
from dalembert.system.borders import NON_FINITE, NOT_POSITIVE_DEFINITE, OK, evaluate
from dalembert.system.layout import (
    FAILED_INDEX,
    FORCE,
    JACOBIAN,
    LAST_ANGLES,
    LENGTH,
    MASS,
    PHI,
    PHI_DOT,
    RANK,
    RHS_A,
    ROW_SCALE,
    ROW_SIZE,
    ROW_TOLERANCE,
)
from dalembert.system.system import System

AnySystem = System | BodySystem

SMALLEST = 1e-8
"""Coordinates below this at the start say nothing about the size of a mechanism."""

BADLY_SCALED = 1e-3
"""Rows smaller than this fraction of the largest are scaled up for the rank decision."""

NOTHING = 1e-12
"""Terms of a row, over the size of the mechanism, that are the rounding of zero."""

SPREAD = 1e-11
"""Part of the greatest acceleration of a mechanism that may be rounding in any other."""

INTERPRETED = 20_000
"""Size of the dense solve up to which the kernels run as plain Python: milliseconds, against
seconds of compilation that the run itself may not need."""

SEED = 0
"""Seed of the states around the start that tell how large rows are: the only chance in a run."""

CAP = 100
"""Gauss-Newton steps allowed for the initial state."""


@dataclass(frozen=True)
class Start:
    """A consistent initial state and what is known of the rows there."""

    q: np.ndarray
    v: np.ndarray
    move_q: float
    move_v: float
    rank: int
    row_scale: np.ndarray
    row_tolerance: np.ndarray
    row_size: np.ndarray
    t: float
    length: float
    """Size of the coordinates: the largest at the start, at most 1; 1 when all are zero."""
    changed: tuple[Taken, ...] = ()
    """Speeds that were asked for and could not be had."""


def read_initial(model: Any, given: Any) -> tuple[np.ndarray, np.ndarray]:
    """(q0, v0) from what the user gave, the model's own initial state, and zero."""
    if model.is_maximal:
        return read_body_state(model, given)
    names = [x.name for x in model.coordinates]
    n = len(names)
    if given is not None and not isinstance(given, Mapping):
        return _from_arrays(given, names)
    q, v = np.zeros(n), np.zeros(n)
    for source in (model.initial, given or {}):
        for key, value in source.items():
            name = _key_name(key)
            try:
                number = float(value)
            except (TypeError, ValueError):
                raise OptionError(f"initial: {name!r} is {value!r}. Give a number.") from None
            if not np.isfinite(number):
                raise OptionError(f"initial: {name!r} is {number}. Give a finite number.")
            target, base = (v, name[:-4]) if name.endswith(".dot") else (q, name)
            if base not in names:
                near = difflib.get_close_matches(base, names, n=1)
                hint = f" Did you mean {near[0]!r}?" if near else ""
                raise ModelError(
                    f"initial: model {model.name!r} has no coordinate {base!r}.{hint}"
                    f" Its coordinates are {', '.join(names)}."
                )
            target[names.index(base)] = number
    return q, v


def _key_name(key: Any) -> str:
    if isinstance(key, Expression) and key.op in ("coordinate", "velocity"):
        return key.name if key.op == "coordinate" else f"{key.name.removesuffix('.dot')}.dot"
    if isinstance(key, str):
        return key[:-1] + ".dot" if key.endswith("'") else key
    raise OptionError(
        f"initial: the key {key!r} is neither a coordinate nor a velocity nor a name. "
        "Write for example {x: 1.0, x.dot: 0.5}."
    )


def _from_arrays(given: Any, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    n = len(names)
    refuse_flat(given, names)
    try:
        q, v = (np.array(part, dtype=float) for part in given)
    except (TypeError, ValueError):
        raise OptionError(
            "initial: give a dict {coordinate: value} or a pair of arrays (q0, v0)."
        ) from None
    for label, x in (("q0", q), ("v0", v)):
        if x.shape != (n,):
            raise OptionError(f"initial: {label} has shape {x.shape}, expected ({n},): {names}.")
        bad = np.flatnonzero(~np.isfinite(x))
        if bad.size:
            raise OptionError(
                f"initial: {label}[{bad[0]}] ({names[bad[0]]}) is {x[bad[0]]}. "
                "Give a finite number."
            )
    return q, v


def row_sizes(
    work: Any, sizes: Any, system: AnySystem, t: float, q: Any, v: Any, length: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Size of each row of J, of the largest product |J_ik q_k| in it, and of its row in C.

    The greatest of the start and eight states around it: at a singular start a row may vanish that
    is perfectly large elsewhere. The products tell how coarsely the row rounds; C = J R^-1 is what
    the rank is decided on, masses included.
    """
    n, m = system.extents.nv, system.extents.rows
    generator = np.random.default_rng(SEED)
    size, product, weight = np.zeros(m), np.zeros(m), np.zeros(m)
    if isinstance(system, BodySystem):
        return body_row_sizes(work, sizes, system, t, q, v)
    for trial in range(9):
        moved = q if trial == 0 else q + 0.1 * generator.standard_normal(n) * (length + np.abs(q))
        evaluate(work, sizes, t, moved, v)
        J = np.abs(work[sizes[JACOBIAN] : sizes[JACOBIAN] + m * n].reshape(m, n))
        J[~np.isfinite(J)] = 0.0
        size = np.fmax(size, np.sqrt((J * J).sum(axis=1)))
        product = np.fmax(product, (J * np.abs(q)).max(axis=1, initial=0.0))
        weight = np.fmax(weight, _weights(work, sizes, n, m))
    return np.where(size > 0, size, 1.0), product, np.where(weight > 0, weight, 1.0)


def _weights(work: Any, sizes: Any, n: int, m: int) -> np.ndarray:
    """Sizes of the rows of C at the last evaluated state; zero where there is no such thing."""
    J = work[sizes[JACOBIAN] : sizes[JACOBIAN] + m * n].reshape(m, n)
    M = np.tril(work[sizes[MASS] : sizes[MASS] + n * n].reshape(n, n))
    try:
        R = np.linalg.cholesky(M)
        weight = np.linalg.norm(np.linalg.solve(R, J.T), axis=0)
    except np.linalg.LinAlgError:
        return np.zeros(m)
    return np.asarray(np.where(np.isfinite(weight), weight, 0.0))


def open_checked(system: AnySystem, parameters: Any) -> tuple[Any, Any]:
    """Arrays with the automatic form of the solve."""
    work, sizes, _ = system.open(parameters)
    install("automatic", sizes)
    system.prepare(work, sizes)
    return work, sizes


def make_consistent(
    system: AnySystem,
    parameters: Any,
    t: float,
    q0: np.ndarray,
    v0: np.ndarray,
    *,
    limit: float,
    move: bool,
    bodies: Placing | None = None,
    angles: np.ndarray | None = None,
    speeds: Speeds | None = None,
) -> Start:
    """Move (q0, v0) onto the constraints (methods 5.2) and check the equations there.

    Parameters
    ----------
    limit : how far q may be moved, over its largest entry or 1
    bodies : for a model of bodies: which of them are held to the limit, and how to assemble them
    speeds : those that were asked for; they are kept where the constraints allow it
    angles : those whose turns are counted, at a moment near this one (the LAST_ANGLES of a run)

    Raises
    ------
    MassMatrixError     the mass matrix is not positive definite there
    ProjectionError     no state on the constraints was found, or it is farther than `limit`
    InconsistentError   dependent rows demand different accelerations
    """
    n, m = system.extents.nv, system.extents.rows
    if n * n * (n + m) <= INTERPRETED:
        with _jit.interpreted():
            return _make_consistent(
                system,
                parameters,
                t,
                q0,
                v0,
                limit=limit,
                move=move,
                bodies=bodies,
                angles=angles,
                speeds=speeds,
            )
    return _make_consistent(
        system,
        parameters,
        t,
        q0,
        v0,
        limit=limit,
        move=move,
        bodies=bodies,
        angles=angles,
        speeds=speeds,
    )


def row_tolerances(product: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Rounding of each row: by its largest term, or by `whole` where all its terms vanish."""
    return np.asarray(ROUNDING * np.where(product > NOTHING * whole, product, whole))


def _make_consistent(
    system: AnySystem,
    parameters: Any,
    t: float,
    q0: np.ndarray,
    v0: np.ndarray,
    *,
    limit: float,
    move: bool,
    bodies: Placing | None,
    angles: np.ndarray | None,
    speeds: Speeds | None,
) -> Start:
    work, sizes = open_checked(system, parameters)
    if angles is not None:
        work[sizes[LAST_ANGLES] : sizes[LAST_ANGLES] + len(angles)] = angles
    n, m = system.extents.nv, system.extents.rows
    q, v = q0.copy(), v0.copy()
    largest = float(np.max(np.abs(q), initial=0.0))
    # Smaller than any mechanism: a start that is meant to be zero.
    length = min(1.0, largest) if largest > SMALLEST else 1.0
    size, product, weight = row_sizes(work, sizes, system, t, q, v, length)
    scale = np.ones(m)
    if m:
        small = weight < BADLY_SCALED * weight.max()
        scale[small] = weight.max() / weight[small]
    tolerance = row_tolerances(product, size * length)
    work[sizes[ROW_SCALE] : sizes[ROW_SCALE] + m] = scale
    work[sizes[ROW_TOLERANCE] : sizes[ROW_TOLERANCE] + m] = tolerance
    work[sizes[ROW_SIZE] : sizes[ROW_SIZE] + m] = size
    work[sizes[LENGTH]] = length

    changed: list[Taken] = []
    a, lam = np.zeros(n), np.zeros(m)
    status = accelerate(work, sizes, t, q, v, a, lam)
    _refuse_mass(status, system, sizes, parameters)
    if status == NON_FINITE or not np.all(np.isfinite(a)):
        raise NonFiniteError(_not_finite(work, sizes, system))
    if move:
        status = project_position(work, sizes, t, q, v, MASS_NORM, CAP)
        _refuse_mass(status, system, sizes, parameters)
        allowed = limit * max(1.0, largest)
        found = status == OK and bool(np.all(np.isfinite(q)))
        if bodies is not None and not (found and np.max(np.abs(q - q0), initial=0.0) <= allowed):
            # far from closed: the joints are put together the right way round
            q = bodies.assembled(t, q0)
            _refuse_far(system, np.abs(q - q0) * bodies.limited, allowed)
            made = _make_consistent(
                system,
                parameters,
                t,
                q,
                v0,
                limit=np.inf,
                move=True,
                bodies=None,
                angles=angles,
                speeds=speeds,
            )
            return replace(made, move_q=float(np.max(np.abs(made.q - q0))))
        if not found:
            raise ProjectionError(_unreachable(work, sizes, system, t, q0, v0))
        _refuse_far(system, np.abs(q - q0), allowed)
        status = project_velocity(work, sizes, t, q, v, MASS_NORM)
        if status != OK:
            raise ProjectionError(_no_velocity(work, sizes, system, t, q, v))
        if speeds is not None and speeds.asked:
            v, changed = _with_asked(work, sizes, system, t, q, v, v0, speeds)
    _refuse_mass(accelerate(work, sizes, t, q, v, a, lam), system, sizes, parameters)
    rank = int(sizes[RANK])
    if isinstance(system, BodySystem):
        rank = body_rank(work, sizes, system)
    if rank < m and move:
        _refuse_contradiction(work, sizes, system, a)
    return Start(
        q,
        v,
        float(np.max(np.abs(q - q0), initial=0.0)),
        float(np.max(np.abs(v - v0), initial=0.0)),
        rank,
        scale,
        tolerance,
        size,
        t,
        length,
        tuple(changed),
    )


def _with_asked(
    work: Any,
    sizes: Any,
    system: AnySystem,
    t: float,
    q: np.ndarray,
    v: np.ndarray,
    v0: np.ndarray,
    speeds: Speeds,
) -> tuple[np.ndarray, list[Taken]]:
    """The velocity with the speeds that were asked for, v where they do not go together."""
    n, m = system.extents.nv, system.extents.rows

    def rows() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        evaluate(work, sizes, t, q, v0)
        J = work[sizes[JACOBIAN] : sizes[JACOBIAN] + m * n].reshape(m, n)
        L = np.tril(work[sizes[MASS] : sizes[MASS] + n * n].reshape(n, n))
        M = L + np.tril(L, -1).T
        return J.copy(), _row_values(work, sizes, PHI_DOT, m), M

    changed = speeds.changed(t, q, v)
    if changed:
        held = speeds.held(t, q, v0, rows)
        if held is not None and project_velocity(work, sizes, t, q, held, MASS_NORM) == OK:
            v, changed = held, speeds.changed(t, q, held)
    speeds.refuse(changed)
    return v, changed


def _refuse_far(system: AnySystem, way: np.ndarray, allowed: float) -> None:
    if np.max(way, initial=0.0) > allowed:
        k = int(np.argmax(way))
        raise ProjectionError(
            f"Initial state: coordinate {system.coordinate_names[k]!r} would have to move by "
            f"{way[k]:.3g} to meet the constraints, more than the limit {allowed:.3g}. "
            "Start closer, or raise initial_limit."
        )


def _refuse_mass(
    status: int, system: AnySystem, sizes: Any, parameters: Sequence[float] = ()
) -> None:
    if status != NOT_POSITIVE_DEFINITE:
        return
    name = system.velocity_names[int(sizes[FAILED_INDEX])].removesuffix(".dot")
    below = [
        f"{name} = {value:g}"
        for name, value in zip(system.parameter_names, parameters, strict=False)
        if value <= 0.0
    ]
    if below:
        raise MassMatrixError(
            f"Initial state: with {', '.join(below)} the kinetic energy of coordinate {name!r} is "
            "not positive: the mass matrix is not positive definite. Give masses and inertias "
            "values above zero."
        )
    raise MassMatrixError(
        f"Initial state: the mass matrix is not positive definite; coordinate {name!r} has no "
        "inertia of its own there. Give it mass, or leave the coordinate out."
    )


def _not_finite(work: Any, sizes: Any, system: AnySystem) -> str:
    """Which formula is not a number at the initial state."""
    n, m = system.extents.nv, system.extents.rows
    for field, count, names, what in (
        (FORCE, n, system.velocity_names, "the force on"),
        (PHI, system.extents.holonomic, system.row_names, "constraint"),
        (RHS_A, m, system.row_names, "the second derivative of constraint"),
    ):
        bad = np.flatnonzero(~np.isfinite(_row_values(work, sizes, field, count)))
        if bad.size:
            name = names[int(bad[0])].removesuffix(".dot")
            return (
                f"Initial state: {what} {name!r} is not a finite number there. "
                "Check the formula (a division by zero, a root of a negative number), or start "
                "elsewhere."
            )
    return (
        "Initial state: the accelerations are not finite numbers there. Check the mass matrix and "
        "the derivatives of the constraints, or start elsewhere."
    )


def _row_values(work: Any, sizes: Any, field: int, m: int) -> np.ndarray:
    return np.array(work[sizes[field] : sizes[field] + m])


def _unreachable(work: Any, sizes: Any, system: AnySystem, t: float, q: Any, v: Any) -> str:
    evaluate(work, sizes, t, q, v)
    phi = _row_values(work, sizes, PHI, system.extents.holonomic)
    worst = np.argsort(-np.abs(phi))[:3]
    rows = ", ".join(f"{system.row_names[i]!r} (off by {phi[i]:.3g})" for i in worst)
    return (
        f"Initial state: no configuration near the given one meets all constraints; worst there: "
        f"{rows}. They may contradict one another or be out of reach; "
        "check their formulas or start closer."
    )


def _no_velocity(work: Any, sizes: Any, system: AnySystem, t: float, q: Any, v: Any) -> str:
    evaluate(work, sizes, t, q, v)
    residual = _row_values(work, sizes, PHI_DOT, system.extents.rows)
    i = int(np.argmax(np.abs(residual)))
    return (
        f"Initial state: no velocity meets all constraints; {system.row_names[i]!r} is off by "
        f"{residual[i]:.3g}. Prescribed motions may contradict one another."
    )


def _missed(J: Any, a: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """|J a - wanted| of every row, and what of it may be rounding: its own, or of the fastest."""
    terms = np.abs(J) @ np.abs(a) + np.abs(wanted)
    size = np.abs(J) @ np.ones_like(a)
    fastest = float((terms / np.where(size > 0.0, size, np.inf)).max(initial=0.0))
    allowed = np.maximum(1e-6 * np.maximum(1.0, terms), SPREAD * fastest * size)
    return np.abs(J @ a - wanted), allowed


def _refuse_contradiction(work: Any, sizes: Any, system: AnySystem, a: np.ndarray) -> None:
    n, m = system.extents.nv, system.extents.rows
    wanted = _row_values(work, sizes, RHS_A, m)
    if isinstance(system, BodySystem):
        J: Any = system.jacobian(work, sizes)
    else:
        J = work[sizes[JACOBIAN] : sizes[JACOBIAN] + m * n].reshape(m, n)
    miss, allowed = _missed(J, a, wanted)
    if (miss > allowed).any() and m <= MANY_ROWS:
        # A direction nearly lost may be what is left open: whether any acceleration will do.
        size = np.linalg.norm(J, axis=1)
        size = np.where(size > 0.0, size, 1.0)
        least = np.linalg.lstsq(J / size[:, None], wanted / size, rcond=FORCE_TOLERANCE)[0]
        miss, allowed = _missed(J, least, wanted)
    bad = np.flatnonzero(miss > allowed)
    if bad.size:
        names = ", ".join(repr(system.row_names[i]) for i in bad[:4])
        raise InconsistentError(
            f"Constraints {names} depend on one another but demand different accelerations "
            f"(by {miss[bad[0]]:.3g}). Remove one of them, or correct its right-hand side."
        )
