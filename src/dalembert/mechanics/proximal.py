"""The constrained solve along the body graph, in proximal form.

    M x = top + J^T lam,    J x = bottom                                    (methods 2)

With G = diag(1 / (p w_i)), w_i the size of row i of J M^-1 J^T and p a small number, the matrix

    H = M + J^T G J                                                         (contact 2)

is positive definite whatever the rank of J, and has the sparsity of the body graph. Steps

    H dx = r + J^T G s,    dlam = G (s - J dx),     r = top + J^T lam - M x,  s = bottom - J x

converge to the solution: a direction with eigenvalue sigma^2 of the scaled J M^-1 J^T contracts by
p / (p + sigma^2), so independent rows take two steps, and rows that depend on one another take no
part. Starting from lam = 0, lam stays in the range of G J: of all multipliers it is the one with
the least sum of w_i lam_i^2. What rounding in H spoils, about eps / p, the next step mends: it is
iterative refinement with true residuals.

J of another state does not do in the refinement, however near: G multiplies the difference by 1/p.
A whole correction may be computed with the factors and J of a neighbouring state, as the projection
at the end of a step does with those of the last stage.
"""

from dalembert._jit import apart, border, kernel
from dalembert.mechanics.dense import FINE_TOLERANCE, PATIENCE, no_force
from dalembert.mechanics.gradients import conjugate_response
from dalembert.mechanics.incidence import image, part, pull
from dalembert.mechanics.maximal import mass_times
from dalembert.mechanics.proximal_matrix import factor_now, solve_assembled
from dalembert.numerics.vector import put_vec3, vec3
from dalembert.system.borders import (
    FACTORING,
    NOT_POSITIVE_DEFINITE,
    OK,
    RESPONDING,
    SOLVING,
    predict,
)
from dalembert.system.kinds import CORRECTING
from dalembert.system.state_layout import State

SMALLEST_PROXIMAL = 1e-9
"""Least p: rounding spoils eps / p of a step."""

EXACT = 1e-12
"""Change of x, over x, that ends the iteration for forces."""

ROUGH = 1e-7
"""Change of x, over x, that ends it for corrections, themselves iterated: one step is as good."""

CAP = 12
"""Steps of refinement allowed."""

SLOW = 0.1
"""Contraction above which a direction is nearly lost: sigma is then below 3 sqrt(p) = 1e-4."""

NOTHING = 1e-9
"""Change of x, over x, that is rounding if it does not fall."""

LOOSE = 1e-9
"""Torque about an axis without inertia, over the largest force, that is more than rounding."""

FINE_PROXIMAL = 1e-13
"""p with the fine tolerance: it sees directions down to sigma = 3e-7, and rounding
leaves three digits a step."""

FINEST_TOLERANCE, CONJUGATE_PROXIMAL = 1e-8, 1e-12
"""Tolerance so fine that corrections are found by conjugate gradients, and p of their
preconditioner."""

_correct = CORRECTING.call


@border(FACTORING)
def factor_proximal(state: State, tolerance):
    """Factor with p = tolerance^2: directions with sigma below the tolerance are left off."""
    if tolerance <= FINEST_TOLERANCE:
        return factor_now(state, CONJUGATE_PROXIMAL)
    least = FINE_PROXIMAL if tolerance <= FINE_TOLERANCE else SMALLEST_PROXIMAL
    return factor_now(state, max(tolerance * tolerance, least))


# -- refinement ------------------------------------------------------------------------------------


@kernel
def mass_step(state: State, dx, r, x):
    """x += dx, r -= M dx. Returns dx^T M dx."""
    change = 0.0
    for b in range(state.bodies):
        body, k = state.turned_body(b), 6 * b
        L = body.theta @ vec3(dx, k + 3)
        for i in range(3):
            p = body.mass * dx[k + i]
            change += dx[k + i] * p
            r[k + i] -= p
        change += dx[k + 3] * L.x
        change += dx[k + 4] * L.y
        change += dx[k + 5] * L.z
        put_vec3(r, k + 3, vec3(r, k + 3) - L)
        for i in range(6):
            x[k + i] += dx[k + i]
    return change


@kernel
def correct(state: State, dx, s, lam, z):
    """s -= J dx, w = G s, lam += w, z = J^T w."""
    bodies, g = state.bodies, state.row_weight
    for k in range(state.nv):
        z[k] = 0.0
    still, nobody = state.spare[:6], state.spare[6:12]
    for k in range(6):
        still[k] = 0.0
    for e in range(state.pairs):
        pair = state.pair(e)
        row, end = pair.row, pair.row + pair.count
        _correct(
            pair.refine_code,
            *state,
            state.block(pair.block_a, pair.count),
            state.block(pair.block_b, pair.count),
            part(dx, pair.a, bodies, still),
            part(dx, pair.b, bodies, still),
            g[row:end],
            s[row:end],
            lam[row:end],
            part(z, pair.a, bodies, nobody),
            part(z, pair.b, bodies, nobody),
        )
    correct_incidences(state, dx, s, lam, z)


@kernel
def correct_incidences(state: State, dx, s, lam, z):
    """`correct`, for constraints of any number of bodies."""
    g = state.row_weight
    for i in range(state.incidences):
        at = state.incidence(i)
        J, body = state.block(at.block, at.count), 6 * at.body
        for r in range(at.count):
            for k in range(6):
                s[at.row + r] -= J[6 * r + k] * dx[body + k]
    for i in range(state.incidences):
        at = state.incidence(i)
        J, body = state.block(at.block, at.count), 6 * at.body
        for r in range(at.count):
            w = g[at.row + r] * s[at.row + r]
            if at.is_first == 1:
                lam[at.row + r] += w
            for k in range(6):
                z[body + k] += J[6 * r + k] * w


@apart(bool)
def refine(state: State, top, bottom, accuracy, x_out, lam_out):
    """The steps of the module's first lines until x changes by less than `accuracy` of itself.

    Changes are measured by their kinetic energy. Returns False when they hardly fall: there is a
    direction with sigma^2 below p.
    """
    r, s, w = state.rest_top, state.rest_bottom, state.rest_weighted
    dx, z, g = state.change, state.change_mass, state.row_weight
    for k in range(state.nv):
        x_out[k] = 0.0
        r[k] = dx[k] = top[k]
    for i in range(state.rows):
        lam_out[i] = 0.0
        s[i] = bottom[i]
        w[i] = g[i] * s[i]
    pull(state, w, dx)
    whole = before = 0.0
    for step in range(CAP):
        # H dx = r + J^T G s, here on the right-hand side
        state.refinements += 1
        solve_assembled(state, dx)
        change = mass_step(state, dx, r, x_out)
        correct(state, dx, s, lam_out, z)
        if step == 0:
            whole = change
            if not change > 0.0 or accuracy >= ROUGH:
                return True
        else:
            ratio = change / before
            # What the next step would change; or no progress, by rounding or a lost direction.
            if change * ratio <= accuracy * accuracy * whole:
                return True
            # The first change is x itself, and no error where forces leave nothing of it.
            if step > 1 and not ratio < SLOW * SLOW:
                return change <= NOTHING * NOTHING * whole
        before = change
        # r <- r - M dx + J^T dlam with J^T dlam = J^T G s = z
        for k in range(state.nv):
            r[k] += z[k]
            dx[k] = r[k] + z[k]
    return True


# -- forces and corrections ------------------------------------------------------------------------


@kernel
def is_turned_freely(state: State):
    """The first body that a torque turns about an axis without inertia, or -1."""
    rest, last, force = state.rest_top, state.change_mass, state.force
    largest = 0.0
    if state.massless > 0:
        for k in range(state.nv):
            largest = max(largest, abs(force[k]))
    for i in range(state.massless):
        body, missing = state.massless_body(i).body, state.missing_inertia(i).turned
        limit = LOOSE * (missing.xx + missing.yy + missing.zz) * (1.0 + largest)
        turn = missing @ (vec3(rest, 6 * body + 3) + vec3(last, 6 * body + 3))
        if abs(turn.x) > limit or abs(turn.y) > limit or abs(turn.z) > limit:
            return body
    return -1


@border(SOLVING)
def solve_proximal(state: State, top, bottom, x_out, lam_out):
    """Forces; by continuation where a direction is nearly lost."""
    done = refine(state, top, bottom, EXACT, x_out, lam_out)
    state.continued = 0 if done else state.continued + 1
    body = is_turned_freely(state)
    if body >= 0:
        state.failed_index = 6 * body + 3
        return NOT_POSITIVE_DEFINITE
    if done:
        state.firm_rank = state.rows
        return OK
    if state.has_last >= 0 and not passes_through(state):
        if held(state, top, bottom, x_out, lam_out):
            return OK
    if state.has_last > 0 and state.continued <= PATIENCE:
        return continued(state, top, bottom, x_out, lam_out)
    if state.continued > PATIENCE:
        state.left_off += 1
    return OK


@kernel
def passes_through(state: State):
    """Whether a nearly lost direction is on the way through a singular position.

    It was certain before, and is weak for a few stages; for many where error control makes them
    short.
    """
    if state.firm_rank < state.rows:
        return False
    if state.weak_for_good == 1:
        return False
    return state.continued <= PATIENCE or state.long_steps == 1


@apart(bool)
def held(state: State, top, bottom, x_out, lam_out):
    """Whether the fine p can tell all rows apart: forces by them (decision 0003, rule 10).

    Where it cannot, its steps end in noise of any size, and forces are those of the strong
    directions. The factors are left as they were.
    """
    coarse = state.proximal_scale
    done = factor_now(state, FINE_PROXIMAL) == OK
    if done:
        done = refine(state, top, bottom, EXACT, x_out, lam_out)
    factor_now(state, coarse)
    if not done:
        refine(state, top, bottom, EXACT, x_out, lam_out)
    return done


@apart(int)
def continued(state: State, top, bottom, x_out, lam_out):
    """Forces near a singular position (decision 0003): nearly lost directions as foretold.

    With x = x_p + u, x_p extrapolated from the last stages, the weight that is to accelerate the
    bodies, top - M x_p, is answered in full (fine p: whatever rows can be told apart hold), and
    the rows, bottom - J x_p, are met by the strong directions alone. What follows (a projection)
    finds the factors it expects.
    """
    predict(state, state.evaluated_time)
    foretold, rest, wanted = state.predicted_vdot, state.top, state.solve_s
    miss, u, mu = state.bottom, state.correction, state.correction_lam
    image(state, foretold, wanted)
    for i in range(state.rows):
        wanted[i] = bottom[i] - wanted[i]
    # strong directions, with the factors at hand
    for k in range(state.nv):
        rest[k] = 0.0
    refine(state, rest, wanted, ROUGH, x_out, lam_out)
    # the weight: M u = top - M x_p + J^T mu, J u = 0
    mass_times(state, foretold, rest)
    for k in range(state.nv):
        rest[k] = top[k] - rest[k]
        x_out[k] += foretold[k]
    for i in range(state.rows):
        miss[i] = 0.0
    held(state, rest, miss, u, mu)
    for k in range(state.nv):
        x_out[k] += u[k]
    for i in range(state.rows):
        lam_out[i] += mu[i]
    state.near_count += 1
    return OK


@border(RESPONDING)
def respond_proximal(state: State, bottom, x_out, lam_out):
    """Corrections."""
    if state.proximal_scale == CONJUGATE_PROXIMAL:
        conjugate_response(state, bottom, x_out, lam_out)
    else:
        refine(state, no_force(state), bottom, ROUGH, x_out, lam_out)
    return OK
