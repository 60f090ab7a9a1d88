"""The constraint step on plain arrays, for people with their own integrator.

Four functions without state, in the modular spirit of Castro (2025): advance your system by any
means, then let the constraint act. Rows of J may be dependent. With M = R^T R and C = J R^-1,

    M^-1 J^T (J M^-1 J^T)^+ r  =  R^-1 C^+ r                                (methods 2)

and C^+ is taken from C itself, never from C C^T, which would square the condition number.
NumPy only: nothing is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.errors import MassMatrixError, OptionError, ProjectionError

Array = NDArray[np.float64]

FORCE_TOLERANCE = 1e-6
"""Singular values of C below this fraction of the largest count as zero for forces."""

BADLY_SCALED = 1e-3
"""Rows smaller than this fraction of the largest are scaled up before anything is dropped."""

CORRECTION_TOLERANCE = 1e-4
"""Fraction of C's largest singular value for corrections: nearly lost directions carry noise."""


def constraint_forces(
    M: ArrayLike,
    J: ArrayLike,
    force: ArrayLike,
    rhs_a: ArrayLike = 0.0,
    *,
    nonideal: ArrayLike | None = None,
    tolerance: float = FORCE_TOLERANCE,
) -> tuple[Array, Array]:
    """Constrained acceleration and multipliers: M v' = force + J^T lam, J v' = rhs_a.

    A nonideal constraint does the work w^T C on every displacement w that it allows. Its force is
    then M v' - force = J^T lam + R^T (1 - C_J^+ C_J) R^-T C, with C_J = J R^-1 and lam that of the
    ideal constraint (Udwadia & Kalaba; methods 2.2).

    Parameters
    ----------
    M : (n, n)        mass matrix
    J : (m, n)        constraint Jacobian
    force : (n,)      applied and gyroscopic forces Q
    rhs_a : (m,)      -J' v - 2 Phi_tq v - Phi_tt
    nonideal : (n,)   C, what the constraint exerts beside its ideal force; None: nothing

    Returns
    -------
    acceleration : (n,)
    lam : (m,)        of least length when rows are dependent; J^T lam is unique

    Examples
    --------
    A pendulum of unit mass and length at rest, horizontal: it falls with g.

    >>> a, lam = constraint_forces(np.eye(2), [[2.0, 0.0]], [0.0, -9.81])
    >>> a
    array([ 0.  , -9.81])

    The bar rubs, with 2 N against the fall and 5 N along itself, which does no work:

    >>> a, lam = constraint_forces(np.eye(2), [[2.0, 0.0]], [0.0, -9.81], nonideal=[5.0, 2.0])
    >>> a, lam
    (array([ 0.  , -7.81]), array([0.]))
    """
    L, C, n, m = _factored(M, J)
    Q = _vector("force", force, n)
    y = np.linalg.solve(L, Q)
    z, lam = _respond(C, _vector("rhs_a", rhs_a, m) - C @ y, tolerance)
    if nonideal is not None:
        further = np.linalg.solve(L, _vector("nonideal", nonideal, n))
        z = z + further - _respond(C, C @ further, tolerance)[0]
    return np.asarray(np.linalg.solve(L.T, y + z), dtype=float), lam


def project_velocity(
    M: ArrayLike,
    J: ArrayLike,
    v_star: ArrayLike,
    target: ArrayLike = 0.0,
    *,
    tolerance: float = CORRECTION_TOLERANCE,
) -> tuple[Array, Array]:
    """Nearest velocity, in the mass norm, with J v = target; and the impulse that gives it.

    v = v* + M^-1 J^T Lam,  (J M^-1 J^T) Lam = target - J v*        (methods 5.1)

    Parameters
    ----------
    v_star : (n,)     velocity after an unconstrained step
    target : (m,)     -Phi_t at the end of the step, and -Phi / tau to pull a violation back

    Examples
    --------
    >>> v, impulse = project_velocity(np.eye(2), [[1.0, 0.0]], [3.0, 4.0])
    >>> v, impulse
    (array([0., 4.]), array([-3.]))
    """
    L, C, n, m = _factored(M, J)
    v = _vector("v_star", v_star, n)
    r = _vector("target", target, m) - _matrix("J", J) @ v
    z, impulse = _respond(C, r, tolerance)
    return v + np.linalg.solve(L.T, z), impulse


def project_position(
    residual: Callable[[Array], ArrayLike],
    jacobian: Callable[[Array], ArrayLike],
    q: ArrayLike,
    M: ArrayLike | None = None,
    *,
    kinematic_map: Callable[[Array], ArrayLike] | None = None,
    quaternions: Sequence[int] = (),
    add: Callable[[Array, Array], ArrayLike] | None = None,
    tolerance: float = 1e-13,
    max_iterations: int = 20,
    rank_tolerance: float = CORRECTION_TOLERANCE,
) -> Array:
    """Nearest configuration with residual(q) = 0, by Gauss-Newton steps (methods 5.2).

    d = -M^-1 J^T (J M^-1 J^T)^+ Phi; without M the Euclidean norm measures the change.

    With as many coordinates as velocities q + d is taken. With more of them, as rotations by
    quaternions have, J belongs to velocities, Phi' = J v, and q moves by N(q) d where q' = N(q) v,
    or in a way of your own.

    Parameters
    ----------
    residual, jacobian : functions of q giving Phi (m,) and J (m, nv)
    M : (nv, nv)
    kinematic_map : function of q giving N (nq, nv)
    quaternions : indices     where unit quaternions begin: they are made units after each step
    add : function of q and d giving the new q, instead of N
    tolerance : float     stop when max |Phi| is below

    Raises
    ------
    ProjectionError       no convergence; names the worst row and its residual

    Examples
    --------
    >>> q = project_position(lambda q: [q @ q - 1], lambda q: [2 * q], [1.1, 0.0])
    >>> np.round(q, 12)
    array([1., 0.])

    A unit quaternion (w, x, y, z), q' = (0, v) q / 2, whose body's z axis is to be level:

    >>> def N(q):
    ...     w, x, y, z = q / 2
    ...     return [[-x, -y, -z], [w, z, -y], [-z, w, x], [y, -x, w]]
    >>> def height(q):
    ...     w, x, y, z = q
    ...     return [1 - 2 * (x * x + y * y)]
    >>> def slope(q):
    ...     w, x, y, z = q  # z axis a, a' = v x a: a_z' = v_x a_y - v_y a_x
    ...     return [[2 * (y * z - w * x), -2 * (x * z + w * y), 0.0]]
    >>> q = project_position(height, slope, [0.8, 0.6, 0, 0], kinematic_map=N, quaternions=[0])
    >>> np.round(q, 9)
    array([0.70710678, 0.70710678, 0.        , 0.        ])
    """
    x = np.array(q, dtype=float)
    _finite("q", x)
    if add is not None and kinematic_map is not None:
        raise OptionError("project_position: add and kinematic_map exclude one another.")
    before = np.inf
    for _iteration in range(max_iterations + 1):
        phi = np.atleast_1d(np.asarray(residual(x), dtype=float))
        worst = float(np.max(np.abs(phi), initial=0.0))
        # Rounding: no further gain, and small against the coordinates themselves.
        if worst <= tolerance or (worst <= 1e3 * tolerance and worst >= 0.5 * before):
            return x
        before = worst
        J = _matrix("J", jacobian(x))
        L, C, _n, m = _factored(np.eye(J.shape[1]) if M is None else M, J)
        z, _lam = _respond(C, -_vector("residual", phi, m), rank_tolerance)
        d = np.asarray(np.linalg.solve(L.T, z), dtype=float)
        x = _moved(x, d, kinematic_map, quaternions) if add is None else _added(add(x, d), x)
        if not np.all(np.isfinite(x)):
            break
    row = int(np.argmax(np.abs(phi)))
    raise ProjectionError(
        f"project_position: row {row} is still off by {phi[row]:.3g} after {max_iterations} steps. "
        "Start closer to the constraints, or check that they do not contradict one another."
    )


def _moved(
    q: Array, d: Array, kinematic_map: Callable[[Array], ArrayLike] | None, quaternions: Any
) -> Array:
    """q + N(q) d, its quaternions units again."""
    if kinematic_map is not None:
        N = _matrix("kinematic_map", kinematic_map(q))
        if N.shape != (len(q), len(d)):
            raise OptionError(
                f"project_position: kinematic_map gives {N.shape}, expected {len(q), len(d)}: "
                "one row a coordinate, one column a column of J."
            )
        d = N @ d
    elif len(d) != len(q):
        raise OptionError(
            f"project_position: J has {len(d)} columns for {len(q)} coordinates. Give "
            "kinematic_map=N with q' = N(q) v (and quaternions=[where they begin]), or add=."
        )
    q = q + d
    for at in quaternions:
        unit = q[at : at + 4]
        if len(unit) < 4:
            raise OptionError(f"project_position: no quaternion begins at {at} of {len(q)}.")
        unit /= np.linalg.norm(unit)
    return q


def _added(given: ArrayLike, before: Array) -> Array:
    """The result of the caller's `add`."""
    q = np.asarray(given, dtype=float)
    if q.shape != before.shape:
        raise OptionError(
            f"project_position: add returns {q.shape}, expected {before.shape}. Return the new q."
        )
    return q


def compliant_velocity(
    M: ArrayLike,
    J: ArrayLike,
    v_star: ArrayLike,
    phi: ArrayLike,
    step: float,
    stiffness: ArrayLike,
    damping: ArrayLike,
    *,
    phi_t: ArrayLike = 0.0,
) -> tuple[Array, Array]:
    """Velocity after an implicit spring-damper on every row, and its impulse.

    (M + h (h kp + kd) J^T J) v = M v* - h J^T (kp Phi + (h kp + kd) Phi_t)      (methods 5.3)

    Parameters
    ----------
    phi : (m,)                    violation at the start of the step
    step : float                  h  [s]
    stiffness, damping : float or (m,)   kp, kd of the rows
    phi_t : (m,)                  explicit time derivative at the end of the step

    Examples
    --------
    >>> v, _ = compliant_velocity(np.eye(1), [[1.0]], [1.0], [0.0], 1e-3, 1e12, 0.0)
    >>> bool(abs(v[0]) < 1e-5)
    True
    """
    mass, rows = _matrix("M", M), _matrix("J", J)
    n, m = _factored(mass, rows)[2:]
    if not (np.isfinite(step) and step > 0):
        raise OptionError(f"compliant_velocity: step is {step!r}. Give a positive time in seconds.")
    kp, kd = _vector("stiffness", stiffness, m), _vector("damping", damping, m)
    if np.any(kp < 0) or np.any(kd < 0):
        raise OptionError("compliant_velocity: stiffness and damping must not be negative.")
    v = _vector("v_star", v_star, n)
    gain = step * kp + kd
    # For the change w = v - v*, which keeps the digits of a stiff row.
    pull = kp * _vector("phi", phi, m) + gain * (rows @ v + _vector("phi_t", phi_t, m))
    H = mass + step * rows.T @ (gain[:, None] * rows)
    w = np.linalg.solve(H, -step * rows.T @ pull)
    return v + w, -step * (pull + gain * (rows @ w))


def _respond(C: Array, r: Array, tolerance: float) -> tuple[Array, Array]:
    """z = C^+ r and lam = (C^T)^+ z, both of least length."""
    if C.shape[0] == 0:
        return np.zeros(C.shape[1]), np.zeros(0)
    # Rows in another unit are no nearly lost directions.
    size = np.linalg.norm(C, axis=1)
    unit = np.ones(len(size))
    small = (size < BADLY_SCALED * size.max()) & (size > 0)
    unit[small] = size.max() / size[small]
    C, r = unit[:, None] * C, unit * r
    U, sigma, Vt = np.linalg.svd(C, full_matrices=False)
    keep = sigma > tolerance * sigma[0] if sigma[0] > 0 else np.zeros(len(sigma), dtype=bool)
    y = (U[:, keep].T @ r) / sigma[keep]
    return Vt[keep].T @ y, unit * (U[:, keep] @ (y / sigma[keep]))


def _factored(M: ArrayLike, J: ArrayLike) -> tuple[Array, Array, int, int]:
    """L of M = L L^T, C = J L^-T, and the counts."""
    mass, rows = _matrix("M", M), _matrix("J", J)
    n = mass.shape[0]
    if mass.shape != (n, n):
        raise OptionError(f"M has shape {mass.shape}. Give a square matrix.")
    if rows.shape[1] != n:
        raise OptionError(
            f"J has {rows.shape[1]} columns, but M is {n} x {n}. Give one a velocity."
        )
    try:
        L: Array = np.asarray(np.linalg.cholesky(mass), dtype=float)
    except np.linalg.LinAlgError:
        raise MassMatrixError(
            "M is not positive definite. Give every velocity a positive mass or inertia."
        ) from None
    C: Array = np.asarray(np.linalg.solve(L, rows.T).T, dtype=float)
    return L, C, n, rows.shape[0]


def _matrix(name: str, value: ArrayLike) -> Array:
    x = np.atleast_2d(np.asarray(value, dtype=float))
    if x.ndim != 2:
        raise OptionError(f"{name} has shape {x.shape}. Give a matrix.")
    _finite(name, x)
    return x


def _vector(name: str, value: ArrayLike, count: int) -> Array:
    x = np.asarray(value, dtype=float)
    if x.ndim == 0:
        x = np.full(count, float(x))
    if x.shape != (count,):
        raise OptionError(f"{name} has shape {x.shape}, expected ({count},).")
    _finite(name, x)
    return x


def _finite(name: str, x: Any) -> None:
    if not np.all(np.isfinite(x)):
        raise OptionError(f"{name} holds NaN or infinity. Give finite numbers.")
