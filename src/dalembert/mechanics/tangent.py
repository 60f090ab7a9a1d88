"""Tangent matrices of bodies by differences, for implicit methods (`equations.Tangent`).

    K = d(M a - Q - J^T lam)/dq,  D = d(M a - Q - J^T lam)/dv,  Jdot = d(Phi')/dq

with a and lam read from `work`, q displaced in its tangent space. Only the convergence of Newton's
method depends on their digits, so one-sided differences with half the digits will do.
"""

from dalembert._jit import border, kernel
from dalembert.mechanics.incidence import pull
from dalembert.mechanics.maximal import mass_times
from dalembert.mechanics.motion import displace
from dalembert.system.borders import OK, STATE, evaluate
from dalembert.system.layout import (
    BODIES,
    CHANGE,
    CHANGE_MASS,
    DAMPING,
    FORCE,
    JACOBIAN,
    JACOBIAN_DOT,
    LAM,
    MASS,
    NQ,
    NV,
    PHI_DOT,
    REST_BOTTOM,
    REST_TOP,
    ROWS,
    STIFFNESS,
    TANGENT_Q,
    VDOT,
    matrix,
    vector,
)

NUDGE = 1.5e-8
"""Displacement, square root of rounding  [m, rad, m/s, rad/s]."""


@kernel
def imbalance(work, sizes, t, q, v, out):
    """M a - Q - J^T lam at (t, q, v)."""
    evaluate(work, sizes, t, q, v)
    a, lam = vector(work, sizes, VDOT, NV), vector(work, sizes, LAM, ROWS)
    force = vector(work, sizes, FORCE, NV)
    if sizes[BODIES] > 0:
        mass_times(work, sizes, a, out)
        for k in range(sizes[NV]):
            out[k] = force[k] - out[k]
        pull(work, sizes, lam, out)
        for k in range(sizes[NV]):
            out[k] = -out[k]
        return
    M = matrix(work, sizes, MASS, NV, NV)
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    for k in range(sizes[NV]):
        total = -force[k]
        for j in range(sizes[NV]):
            total += M[k, j] * a[j]
        for i in range(sizes[ROWS]):
            total -= J[i, k] * lam[i]
        out[k] = total


@border(STATE)
def tangent_bodies(work, sizes, t, q, v):
    """One column at a time; the last evaluation is that of the undisturbed state."""
    n, m = sizes[NV], sizes[ROWS]
    K = matrix(work, sizes, STIFFNESS, NV, NV)
    D = matrix(work, sizes, DAMPING, NV, NV)
    Jdot = matrix(work, sizes, JACOBIAN_DOT, ROWS, NV)
    base = vector(work, sizes, REST_TOP, NV)
    moved = vector(work, sizes, CHANGE_MASS, NV)
    rate = vector(work, sizes, REST_BOTTOM, ROWS)
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    step = vector(work, sizes, CHANGE, NV)
    place = vector(work, sizes, TANGENT_Q, NQ)
    imbalance(work, sizes, t, q, v, base)
    for i in range(m):
        rate[i] = phi_dot[i]
    for k in range(n):
        step[k] = 0.0
    for k in range(n):
        for i in range(sizes[NQ]):
            place[i] = q[i]
        step[k] = 1.0
        displace(work, sizes, NUDGE, step, place)
        step[k] = 0.0
        imbalance(work, sizes, t, place, v, moved)
        for i in range(n):
            K[i, k] = (moved[i] - base[i]) / NUDGE
        for i in range(m):
            Jdot[i, k] = (phi_dot[i] - rate[i]) / NUDGE
    for k in range(n):
        kept = v[k]
        v[k] = kept + NUDGE
        imbalance(work, sizes, t, q, v, moved)
        v[k] = kept
        for i in range(n):
            D[i, k] = (moved[i] - base[i]) / NUDGE
    evaluate(work, sizes, t, q, v)
    return OK
