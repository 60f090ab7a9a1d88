"""Position and velocity projection onto the constraints (methods 5.2).

    position:  delta = -W^-1 J^T (J W^-1 J^T)^+ Phi,   q <- q (+) N delta,   repeated
    velocity:  v <- v - W^-1 J^T (J W^-1 J^T)^+ Phi'

W = M is the kinetic-energy norm, W = 1 the Euclidean one. A residual at the level of rounding is
left alone: projecting it would only add noise.
"""

from dalembert._jit import kernel
from dalembert.mechanics.dense import FINE_TOLERANCE, PROJECTION_TOLERANCE
from dalembert.mechanics.dual import BY_DUAL
from dalembert.mechanics.maximal import measure_evenly
from dalembert.mechanics.motion import displace
from dalembert.mechanics.proximal import FINEST_TOLERANCE
from dalembert.mechanics.ratios import place_ratio, scale_of, speed_ratio, velocity_factor
from dalembert.mechanics.settle import FAST, settle
from dalembert.system.borders import NO_CONVERGENCE, OK, evaluate, factor, residual, respond
from dalembert.system.layout import (
    BODIES,
    BOTTOM,
    BRANCH,
    CORRECTION,
    CORRECTION_LAM,
    DROPPED,
    DUAL_COLUMN_COUNT,
    DUAL_OFF,
    DUAL_ROW_COUNT,
    DUAL_ROWS,
    EVALUATED_TIME,
    FACTORED,
    FACTORED_TIME,
    FACTORISATIONS,
    HOLONOMIC,
    ITERATIONS,
    JACOBIAN,
    KEPT_Q,
    LENGTH,
    MASS,
    MECHANISM,
    NQ,
    NV,
    PHI,
    PHI_DOT,
    PROJECTIONS,
    RANK,
    ROW_TOLERANCE,
    ROWS,
    SEEN,
    STEP_FACTORISATIONS,
    TREE_ELEMENTS,
    matrix,
    vector,
)

MASS_NORM, EUCLIDEAN_NORM = 0, 1

ROUNDING = 8 * 2.220446049250313e-16
"""Residual of a row, over the largest of its terms, that counts as rounding."""


WORTH = 0.2
"""Ratio to which conjugate gradients must bring the residual of positions down."""

LEAP = 1e-2
"""Part of its size by which a second or third attempt may change a position or velocity. What is
missing along a direction that is nearly lost for a moment is noise. Rows that imply one another but
for small errors of the model (hinges whose axes are 1e-9 m apart) would hold what they never held,
and more than this. With 1e-3 or 1e-1 no digit of the first 90 or 150 random mechanisms changes
(`tests.mechanism_fuzz`), nor of doors on hinges 1e-9 to 1e-6 m apart; without any bound these
would start with other speeds than given, and are refused."""

COARSE = 1e3
"""Multiple of the threshold up to which a residual that no longer falls is put down to rounding."""

NOTICED = 10.0
"""Multiple of the threshold that is rounding on a tree far from any singular position: angles that
have grown round that coarsely."""

IMPLIED = 1e6
"""Multiple of the threshold up to which a row may still follow from others that hold."""

NO_MATTER, COARSER, LET_DOWN = 0, 1, 2
"""Verdicts on rows that are left out as following from others; DUAL_OFF holds the last one."""

ACCEPTABLE = 1e9
"""Multiple of the rounding threshold above which a residual that no longer falls is a failure:
about 4e-6 of the row's size. Below it the state is kept (a singular position may hold back the
last digits) and the violation stands in the fidelity report."""


@kernel
def learn_rounding(work, sizes, q):
    """Raise the threshold of rows whose residual no longer falls: that is their rounding.

    Large coordinates round coarsely, by eps |J_ik q_k|, and a run may start where they are small.
    Without this every step would try again in vain.
    """
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    phi = vector(work, sizes, PHI, ROWS)
    tolerance = vector(work, sizes, ROW_TOLERANCE, ROWS)
    for i in range(sizes[HOLONOMIC]):
        limit = COARSE * tolerance[i]
        if sizes[MECHANISM] == 0:
            for k in range(sizes[NV]):
                limit = max(limit, ROUNDING * abs(J[i, k] * q[k]))
        if abs(phi[i]) <= limit:
            tolerance[i] = max(tolerance[i], 2.0 * abs(phi[i]))


@kernel
def factor_in_norm(work, sizes, norm, tolerance):
    """Factor the last evaluated state for a correction measured in the given norm."""
    if norm == EUCLIDEAN_NORM and sizes[BODIES] > 0:
        measure_evenly(work, sizes)
    elif norm == EUCLIDEAN_NORM:
        M = matrix(work, sizes, MASS, NV, NV)
        for i in range(sizes[NV]):
            for j in range(sizes[NV]):
                M[i, j] = 1.0 if i == j else 0.0
    return factor(work, sizes, tolerance)


@kernel
def implied_rows(work, sizes, count, values, scale):
    """Verdict on rows that bodies leave out as following from the others.

    NO_MATTER: nothing, or other rows are violated too. COARSER: they follow, with the rounding of
    all others in them; this once all rows take part. LET_DOWN: they do not follow.
    """
    if sizes[DUAL_COLUMN_COUNT] == 0 or sizes[DUAL_ROW_COUNT] == sizes[ROWS]:
        return NO_MATTER
    if sizes[DUAL_OFF] != 0:
        return NO_MATTER
    tolerance = vector(work, sizes, ROW_TOLERANCE, ROWS)
    for i in range(sizes[DUAL_ROW_COUNT]):
        row = sizes[sizes[DUAL_ROWS] + i]
        if row < count and not abs(values[row]) <= tolerance[row] * scale:
            return NO_MATTER
    for i in range(count):
        if not abs(values[i]) <= IMPLIED * tolerance[i] * scale:
            return LET_DOWN
    return COARSER


@kernel
def has_factors(work, sizes, t, norm):
    """Whether bodies have factors of this very moment, left by the last stage of the step.

    M and J may be frozen at a predicted state (methods 5.2): the residual is always the true one.
    """
    return (
        norm == MASS_NORM
        and sizes[FACTORED] > 0
        and work[sizes[FACTORED_TIME]] == t
        and work[sizes[EVALUATED_TIME]] == t
    )


@kernel
def is_well_posed(sizes):
    """Whether the last factors are those of loops on a tree that have lost no direction."""
    return sizes[TREE_ELEMENTS] > 0 and sizes[BRANCH] == BY_DUAL and sizes[DROPPED] == 0


@kernel
def has_factors_of_step(sizes, norm):
    """Whether a tree has factors of an earlier moment of this step, which may do for a while."""
    if sizes[MECHANISM] == 0 or sizes[BODIES] > 0 or norm != MASS_NORM or sizes[FACTORED] == 0:
        return False
    return sizes[FACTORISATIONS] > sizes[STEP_FACTORISATIONS]


@kernel
def project_position(work, sizes, t, q, v, norm, cap):
    """Move q onto Phi(q, t) = 0 by at most `cap` Gauss-Newton steps."""
    phi = vector(work, sizes, PHI, HOLONOMIC)
    bottom = vector(work, sizes, BOTTOM, ROWS)
    delta = vector(work, sizes, CORRECTION, NV)
    residual(work, sizes, t, q, v)
    ratio = place_ratio(work, sizes)
    stalled = 0
    tolerance_of_rank = PROJECTION_TOLERANCE
    stale = has_factors_of_step(sizes, norm)
    for _iteration in range(cap):
        if ratio <= 1.0:
            return OK
        if stalled > 0 or not (stale or has_factors(work, sizes, t, norm)):
            evaluate(work, sizes, t, q, v)
            status = factor_in_norm(work, sizes, norm, tolerance_of_rank)
            if status != OK:
                return status
        for i in range(sizes[ROWS]):
            bottom[i] = -phi[i] if i < sizes[HOLONOMIC] else 0.0
        respond(work, sizes, bottom, delta, vector(work, sizes, CORRECTION_LAM, ROWS))
        sizes[ITERATIONS] += 1
        if tolerance_of_rank == FINE_TOLERANCE:
            length = work[sizes[LENGTH]]
            if not is_noise(sizes, delta, length):
                break
        displace(work, sizes, 1.0, delta, q)
        residual(work, sizes, t, q, v)
        before = ratio
        ratio = place_ratio(work, sizes)
        stale = stale and ratio < FAST * before
        # Two steps without gain: rounding, or a direction the rank tolerance has dropped.
        stalled = stalled + 1 if not ratio < 0.5 * before else 0
        if stalled == 2 and tolerance_of_rank == FINE_TOLERANCE:
            # Far along a direction nearly lost, and in vain.
            displace(work, sizes, -1.0, delta, q)
            residual(work, sizes, t, q, v)
            ratio = place_ratio(work, sizes)
        if stalled == 2:
            verdict = implied_rows(work, sizes, sizes[HOLONOMIC], phi, 1.0)
            if verdict != NO_MATTER:
                sizes[DUAL_OFF] = verdict
                stalled = 1
        if stalled == 2 and ratio <= NOTICED and is_well_posed(sizes):
            # Not learnt: rows that others imply would drift with the thresholds.
            return OK
        if stalled == 2 and sizes[MECHANISM] == 1 and tolerance_of_rank != FINE_TOLERANCE:
            # Directions nearly lost may hold it back, as in a net that lies flat.
            tolerance_of_rank = FINE_TOLERANCE
            stalled = 1
        elif stalled == 2 and by_gradients(work, sizes, t, q, v, norm, ratio):
            ratio = place_ratio(work, sizes)
            stalled = 1
        elif stalled == 2:
            if sizes[RANK] == sizes[ROWS]:
                learn_rounding(work, sizes, q)
                ratio = place_ratio(work, sizes)
            break
    if ratio <= ACCEPTABLE:
        return OK
    return NO_CONVERGENCE


@kernel
def is_noise(sizes, delta, size):
    """Whether a further attempt at residuals changes x, of the given size, within reason."""
    for k in range(sizes[NV]):
        if not abs(delta[k]) <= LEAP * size:
            return False
    return True


@kernel
def by_gradients(work, sizes, t, q, v, norm, ratio):
    """A step by conjugate gradients; False where it was not worth while and is undone."""
    if sizes[BODIES] == 0:
        return False
    phi = vector(work, sizes, PHI, HOLONOMIC)
    bottom = vector(work, sizes, BOTTOM, ROWS)
    delta = vector(work, sizes, CORRECTION, NV)
    kept = vector(work, sizes, KEPT_Q, NQ)
    for i in range(sizes[NQ]):
        kept[i] = q[i]
    evaluate(work, sizes, t, q, v)
    status = factor_in_norm(work, sizes, norm, FINEST_TOLERANCE)
    # Nobody else is to respond with these factors.
    sizes[FACTORED] = 0
    if status == OK:
        for i in range(sizes[ROWS]):
            bottom[i] = -phi[i] if i < sizes[HOLONOMIC] else 0.0
        respond(work, sizes, bottom, delta, vector(work, sizes, CORRECTION_LAM, ROWS))
        sizes[ITERATIONS] += 1
        length = work[sizes[LENGTH]]
        if not is_noise(sizes, delta, length):
            return False
        displace(work, sizes, 1.0, delta, q)
        residual(work, sizes, t, q, v)
        if place_ratio(work, sizes) < WORTH * ratio:
            return True
        for i in range(sizes[NQ]):
            q[i] = kept[i]
        residual(work, sizes, t, q, v)
    return False


@kernel
def project_velocity(work, sizes, t, q, v, norm):
    """Move v onto Phi'(q, v, t) = 0; one step for rows linear in v, a few for others."""
    residual(work, sizes, t, q, v)
    return correct_velocity(work, sizes, t, q, v, norm)


@kernel
def correct_velocity(work, sizes, t, q, v, norm):
    """Move v onto Phi'(q, v, t) = 0, PHI_DOT being that of (t, q, v); in the end it is again."""
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    bottom = vector(work, sizes, BOTTOM, ROWS)
    delta = vector(work, sizes, CORRECTION, NV)
    ratio = speed_ratio(work, sizes, v)
    tolerance_of_rank = PROJECTION_TOLERANCE
    stale = has_factors_of_step(sizes, norm)
    frozen = stale or has_factors(work, sizes, t, norm)
    for _iteration in range(8):
        if ratio <= 1.0:
            return OK
        if not frozen:
            evaluate(work, sizes, t, q, v)
            status = factor_in_norm(work, sizes, norm, tolerance_of_rank)
            if status != OK:
                return status
        for i in range(sizes[ROWS]):
            bottom[i] = -phi_dot[i]
        respond(work, sizes, bottom, delta, vector(work, sizes, CORRECTION_LAM, ROWS))
        if tolerance_of_rank != PROJECTION_TOLERANCE and not frozen:
            size = scale_of(work, sizes, sizes[NV], v)
            if not is_noise(sizes, delta, size):
                break
        for k in range(sizes[NV]):
            v[k] += delta[k]
        residual(work, sizes, t, q, v)
        before = ratio
        ratio = speed_ratio(work, sizes, v)
        if frozen:
            frozen = ratio < (FAST if stale else 0.5) * before
        elif not ratio < 0.5 * before:
            # Nobody knows the rank of bodies' rows: they try.
            full = sizes[RANK] == sizes[ROWS] and sizes[MECHANISM] == 0
            scale = velocity_factor(work, sizes, v)
            verdict = implied_rows(work, sizes, sizes[ROWS], phi_dot, scale)
            if verdict != NO_MATTER:
                sizes[DUAL_OFF] = verdict
                continue
            if tolerance_of_rank != PROJECTION_TOLERANCE:
                # Far along a direction nearly lost, and in vain.
                for k in range(sizes[NV]):
                    v[k] -= delta[k]
                residual(work, sizes, t, q, v)
                ratio = before
            if tolerance_of_rank == FINEST_TOLERANCE:
                break
            fine = tolerance_of_rank == FINE_TOLERANCE
            if full or (fine and sizes[BODIES] == 0):
                break
            tolerance_of_rank = FINEST_TOLERANCE if fine else FINE_TOLERANCE
    if ratio <= ACCEPTABLE:
        return OK
    return NO_CONVERGENCE


@kernel
def project(work, sizes, t, q, v, norm, cap):
    """Position, then velocity at the corrected position; or both at once, where that is enough."""
    sizes[PROJECTIONS] += 1
    if has_factors_of_step(sizes, norm) and settle(work, sizes, t, q, v):
        sizes[SEEN] = 1
        return OK
    status = project_position(work, sizes, t, q, v, norm, cap)
    if status != OK:
        return status
    status = correct_velocity(work, sizes, t, q, v, norm)
    sizes[SEEN] = 1
    if sizes[DUAL_OFF] == COARSER:
        sizes[DUAL_OFF] = NO_MATTER
    return status
