"""Position and velocity projection onto the constraints (methods 5.2).

    position:  delta = -W^-1 J^T (J W^-1 J^T)^+ Phi,   q <- q (+) N delta,   repeated
    velocity:  v <- v - W^-1 J^T (J W^-1 J^T)^+ Phi'

W = M is the kinetic-energy norm, W = 1 the Euclidean one. A residual at the level of rounding is
left alone: projecting it would only add noise.
"""

from dalembert._jit import apart, kernel
from dalembert.mechanics.corrections import correction_of_place, correction_of_speed
from dalembert.mechanics.dense import BY_DUAL, FINE_TOLERANCE, PROJECTION_TOLERANCE
from dalembert.mechanics.maximal import measure_evenly
from dalembert.mechanics.motion import displace
from dalembert.mechanics.proximal import FINEST_TOLERANCE
from dalembert.mechanics.residual_scale import place_ratio, scale_of, speed_ratio, velocity_factor
from dalembert.mechanics.settle import FAST, settle
from dalembert.numerics.vector import copy
from dalembert.system.borders import NO_CONVERGENCE, OK, evaluate, factor, residual, respond
from dalembert.system.state_layout import State

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
"""Multiple of the threshold that is rounding on a tree far from any singular position (angles that
have grown round that coarsely); of velocities beyond it positions nearly lost are to blame."""

IMPLIED = 1e6
"""Multiple of the threshold up to which a row may still follow from others that hold."""

SOON = 1e-2
"""Part of the time |v| / |v'| after which directions that are nearly lost now are seen again."""

NO_MATTER, COARSER, LET_DOWN = 0, 1, 2
"""Verdicts on rows that are left out as following from others; `dual_off` holds the last one."""

ACCEPTABLE = 1e9
"""Multiple of the rounding threshold above which a residual that no longer falls is a failure:
about 4e-6 of the row's size. Below it the state is kept (a singular position may hold back the
last digits) and the violation stands in the fidelity report."""


@kernel
def learn_rounding(state: State, q):
    """Raise the threshold of rows whose residual no longer falls: that is their rounding.

    Large coordinates round coarsely, by eps |J_ik q_k|, and a run may start where they are small.
    Without this every step would try again in vain.
    """
    J, phi, tolerance = state.jacobian, state.phi, state.row_tolerance
    for i in range(state.holonomic):
        limit = COARSE * tolerance[i]
        if state.mechanism == 0:
            for k in range(state.nv):
                limit = max(limit, ROUNDING * abs(J[i, k] * q[k]))
        if abs(phi[i]) <= limit:
            tolerance[i] = max(tolerance[i], 2.0 * abs(phi[i]))


# -- factors ---------------------------------------------------------------------------------------


@kernel
def factor_anew(state: State, t, q, v, norm, tolerance):
    """Evaluate and factor for a correction measured in the given norm."""
    evaluate(state, t, q, v)
    if norm == EUCLIDEAN_NORM and state.bodies > 0:
        measure_evenly(state)
    elif norm == EUCLIDEAN_NORM:
        M = state.mass
        for i in range(state.nv):
            for j in range(state.nv):
                M[i, j] = 1.0 if i == j else 0.0
    return factor(state, tolerance)


@kernel
def has_factors(state: State, t, norm):
    """Whether bodies have factors of this very moment, left by the last stage of the step.

    M and J may be frozen at a predicted state (methods 5.2): the residual is always the true one.
    """
    if norm != MASS_NORM or state.factored == 0:
        return False
    return state.factored_time == t and state.evaluated_time == t


@kernel
def has_factors_of_step(state: State, norm):
    """Whether a tree has factors of an earlier moment of this step, which may do for a while."""
    if state.mechanism == 0 or state.bodies > 0 or norm != MASS_NORM or state.factored == 0:
        return False
    return state.factorisations > state.step_factorisations


# -- judgements ------------------------------------------------------------------------------------


@apart(int)
def implied_rows(state: State, count, values, scale):
    """Verdict on rows that bodies leave out as following from the others.

    NO_MATTER: nothing, or other rows are violated too. COARSER: they follow, with the rounding of
    all others in them; this once all rows take part. LET_DOWN: they do not follow.
    """
    if state.dual_column_count == 0 or state.dual_row_count == state.rows:
        return NO_MATTER
    if state.dual_off != 0:
        return NO_MATTER
    tolerance = state.row_tolerance
    for i in range(state.dual_row_count):
        row = state.row_of(i)
        if row < count and not abs(values[row]) <= tolerance[row] * scale:
            return NO_MATTER
    for i in range(count):
        if not abs(values[i]) <= IMPLIED * tolerance[i] * scale:
            return LET_DOWN
    return COARSER


@kernel
def is_well_posed(state: State):
    """Whether the last factors are those of loops on a tree that have lost no direction."""
    return state.tree_elements > 0 and state.branch == BY_DUAL and state.dropped == 0


@kernel
def is_noise(state: State, delta, size):
    """Whether a further attempt at residuals changes x, of the given size, within reason."""
    for k in range(state.nv):
        if not abs(delta[k]) <= LEAP * size:
            return False
    return True


# -- positions -------------------------------------------------------------------------------------


@kernel
def displaced_ratio(state: State, t, part, delta, q, v):
    """Worst residual of the position after it has moved by a part of delta."""
    displace(state, part, delta, q)
    residual(state, t, q, v)
    return place_ratio(state)


@kernel
def project_position(state: State, t, q, v, norm, cap):
    """Move q onto Phi(q, t) = 0 by at most `cap` Gauss-Newton steps."""
    residual(state, t, q, v)
    ratio = place_ratio(state)
    stalled = 0
    tolerance = PROJECTION_TOLERANCE
    stale = has_factors_of_step(state, norm)
    for _iteration in range(cap):
        if ratio <= 1.0:
            return OK
        if stalled > 0 or not (stale or has_factors(state, t, norm)):
            status = factor_anew(state, t, q, v, norm, tolerance)
            if status != OK:
                return status
        delta = correction_of_place(state)
        state.iterations += 1
        if tolerance == FINE_TOLERANCE and not is_noise(state, delta, state.length):
            break
        before = ratio
        ratio = displaced_ratio(state, t, 1.0, delta, q, v)
        stale = stale and ratio < FAST * before
        # Two steps without gain: rounding, or a direction the rank tolerance has dropped.
        stalled = stalled + 1 if not ratio < 0.5 * before else 0
        if stalled < 2:
            continue
        stalled = 1
        if tolerance == FINE_TOLERANCE:
            # Far along a direction nearly lost, and in vain.
            ratio = displaced_ratio(state, t, -1.0, delta, q, v)
        verdict = implied_rows(state, state.holonomic, state.phi, 1.0)
        if verdict != NO_MATTER:
            state.dual_off = verdict
        elif ratio <= NOTICED and is_well_posed(state):
            # Not learnt: rows that others imply would drift with the thresholds.
            return OK
        elif state.mechanism == 1 and tolerance != FINE_TOLERANCE:
            # Directions nearly lost may hold it back, as in a net that lies flat.
            tolerance = FINE_TOLERANCE
        elif by_gradients(state, t, q, v, norm, ratio):
            ratio = place_ratio(state)
        else:
            if state.rank == state.rows:
                learn_rounding(state, q)
                ratio = place_ratio(state)
            break
    return OK if ratio <= ACCEPTABLE else NO_CONVERGENCE


@apart(bool)
def by_gradients(state: State, t, q, v, norm, ratio):
    """A step by conjugate gradients; False where it was not worth while and is undone."""
    if state.bodies == 0:
        return False
    kept = state.kept_q
    copy(q, kept)
    status = factor_anew(state, t, q, v, norm, FINEST_TOLERANCE)
    # Nobody else is to respond with these factors.
    state.factored = 0
    if status != OK:
        return False
    delta = correction_of_place(state)
    state.iterations += 1
    if not is_noise(state, delta, state.length):
        return False
    if displaced_ratio(state, t, 1.0, delta, q, v) < WORTH * ratio:
        return True
    copy(kept, q)
    residual(state, t, q, v)
    return False


# -- velocities ------------------------------------------------------------------------------------


@kernel
def project_velocity(state: State, t, q, v, norm):
    """Move v onto Phi'(q, v, t) = 0; one step for rows linear in v, a few for others."""
    residual(state, t, q, v)
    return correct_velocity(state, t, q, v, norm)


@kernel
def push(state: State, t, q, part, delta, v):
    """v += part delta, and the residual there; `push_lam` adds up what rows did."""
    for k in range(state.nv):
        v[k] += part * delta[k]
    for i in range(state.rows):
        state.push_lam[i] += part * state.correction_lam[i]
    residual(state, t, q, v)


@kernel
def correct_velocity(state: State, t, q, v, norm):
    """Move v onto Phi'(q, v, t) = 0; phi_dot is that of (t, q, v), and in the end it is again."""
    ratio = speed_ratio(state, v)
    tolerance = PROJECTION_TOLERANCE
    stale = has_factors_of_step(state, norm)
    frozen = stale or has_factors(state, t, norm)
    for i in range(state.rows):
        state.push_lam[i] = 0.0
    for _iteration in range(8):
        if ratio <= 1.0:
            return OK
        if not frozen:
            status = factor_anew(state, t, q, v, norm, tolerance)
            if status != OK:
                return status
        delta = correction_of_speed(state)
        again = tolerance != PROJECTION_TOLERANCE
        if again and not frozen and not is_noise(state, delta, scale_of(state, state.nv, v)):
            break
        push(state, t, q, 1.0, delta, v)
        before = ratio
        ratio = speed_ratio(state, v)
        if frozen:
            frozen = ratio < (FAST if stale else 0.5) * before
            continue
        if ratio < 0.5 * before:
            continue
        verdict = implied_rows(state, state.rows, state.phi_dot, velocity_factor(state, v))
        if verdict != NO_MATTER:
            state.dual_off = verdict
            continue
        if again:
            # Far along a direction nearly lost, and in vain.
            push(state, t, q, -1.0, delta, v)
            ratio = before
        if not has_finer(state, tolerance):
            break
        tolerance = FINEST_TOLERANCE if tolerance == FINE_TOLERANCE else FINE_TOLERANCE
    return OK if ratio <= ACCEPTABLE else NO_CONVERGENCE


@kernel
def has_finer(state: State, tolerance):
    """Whether an attempt at the velocity with a finer tolerance may find more."""
    if tolerance == FINEST_TOLERANCE or (tolerance == FINE_TOLERANCE and state.bodies == 0):
        return False
    # Nobody knows the rank of bodies' rows: they try.
    return state.rank != state.rows or state.mechanism == 1


@apart(bool)
def follow_velocity(state: State, t, q, v, norm, cap):
    """Move q along directions nearly lost to where v meets the rows; False where that is in vain.

    Phi leaves q free there by rounding over sigma, and Phi' shows it: Phi'(q + d) = Phi' + J' d.
    J(q) does not see d, J a moment later does (decision 0003, rule 9):

        J(q (+) tau v) d = J d + tau J' d = -tau Phi',   then both projections again
    """
    before = speed_ratio(state, v)
    copy(q, state.followed_q)
    copy(v, state.followed_v)
    status = OK
    if not displace_unseen(state, t, q, v, norm):
        status = NO_CONVERGENCE
    if status == OK:
        status = project_position(state, t, q, v, norm, cap)
    if status == OK:
        status = correct_velocity(state, t, q, v, norm)
    if status == OK and place_ratio(state) <= NOTICED and speed_ratio(state, v) < WORTH * before:
        return True
    copy(state.followed_q, q)
    copy(state.followed_v, v)
    residual(state, t, q, v)
    return False


@kernel
def displace_unseen(state: State, t, q, v, norm):
    """q <- q (+) d with J(q (+) tau v) d = -tau Phi'; False where d is no noise."""
    missed, bottom = state.correction_lam, state.bottom
    tau = SOON * scale_of(state, state.nv, v) / scale_of(state, state.nv, state.vdot)
    for i in range(state.rows):
        missed[i] = state.phi_dot[i] if i < state.holonomic else 0.0
    displace(state, tau, v, q)
    status = factor_anew(state, t + tau, q, v, norm, PROJECTION_TOLERANCE)
    # Nobody else is to respond with these factors.
    state.factored = 0
    copy(state.followed_q, q)
    if status != OK:
        return False
    for i in range(state.rows):
        bottom[i] = -tau * missed[i]
    respond(state, bottom, state.correction, state.correction_lam)
    displace(state, 1.0, state.correction, q)
    return is_noise(state, state.correction, state.length)


# -- both ------------------------------------------------------------------------------------------


@kernel
def project(state: State, t, q, v, norm, cap):
    """Position, then velocity at the corrected position; or both at once, where that is enough."""
    state.projections += 1
    if has_factors_of_step(state, norm) and settle(state, t, q, v):
        state.seen = 1
        return OK
    status = project_position(state, t, q, v, norm, cap)
    if status != OK:
        return status
    status = correct_velocity(state, t, q, v, norm)
    going = status == OK and state.holonomic > 0
    while going and speed_ratio(state, v) > NOTICED:
        going = follow_velocity(state, t, q, v, norm, cap)
    state.seen = 1
    if state.dual_off == COARSER:
        state.dual_off = NO_MATTER
    return status
