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

from dalembert._jit import apart, border, kernel, vector_view
from dalembert.mechanics.assembled import factor_assembled, solve_assembled
from dalembert.mechanics.dense import FINE_TOLERANCE, PATIENCE
from dalembert.mechanics.gradients import conjugate_response
from dalembert.mechanics.incidence import image, part, pull
from dalembert.mechanics.maximal import mass_times, turn_missing
from dalembert.system.borders import (
    FACTORING,
    NON_FINITE,
    NOT_POSITIVE_DEFINITE,
    OK,
    RESPONDING,
    SOLVING,
    predict,
)
from dalembert.system.kinds import CORRECTING, WEIGHING
from dalembert.system.layout import (
    BODIES,
    BODY_INERTIA,
    BODY_WEIGHT,
    BOTTOM,
    CHANGE,
    CHANGE_MASS,
    COLUMN_TABLE,
    CONTINUED,
    CORRECTION,
    CORRECTION_LAM,
    EMPTY,
    EMPTY_TABLE,
    EVALUATED_TIME,
    FACTORED,
    FACTORED_TIME,
    FACTORISATIONS,
    FAILED_INDEX,
    FORCE,
    HAS_LAST,
    INCIDENCE_TABLE,
    INCIDENCES,
    INERTIA,
    JACOBIAN_BLOCKS,
    MASSLESS,
    MASSLESS_TABLE,
    NEAR_COUNT,
    NV,
    PAIR_TABLE,
    PAIRS,
    PREDICTED_VDOT,
    PROXIMAL,
    PROXIMAL_INVERSE,
    PROXIMAL_SCALE,
    REFINEMENTS,
    REST_BOTTOM,
    REST_TOP,
    REST_WEIGHTED,
    ROW_WEIGHT,
    ROWS,
    SOLVE_S,
    SPARE,
    SPARE_INERTIA,
    TERM_TABLE,
    TERMS,
    TOP,
    vector,
)
from dalembert.system.tables import INCIDENCE_STRIDE, PAIR_STRIDE, TERM_STRIDE

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

COARSEST_PROXIMAL = 1e-6
"""p beyond which a pivot that is not positive is the fault of the masses."""

LOOSE = 1e-9
"""Torque about an axis without inertia, over the largest force, that is more than rounding."""

FINE_PROXIMAL = 1e-13
"""p with the fine tolerance: it sees directions down to sigma = 3e-7, and rounding
leaves three digits a step."""

FINEST_TOLERANCE, CONJUGATE_PROXIMAL = 1e-8, 1e-12
"""Tolerance so fine that corrections are found by conjugate gradients, and p of their
preconditioner."""

_weigh = WEIGHING.call
_correct = CORRECTING.call


@kernel
def weigh_rows(work, sizes, p):
    """ROW_WEIGHT g_i = 1 / (p w_i), w_i from the masses and typical inertias of the bodies."""
    bodies, blocks = sizes[BODIES], sizes[JACOBIAN_BLOCKS]
    g = vector(work, sizes, ROW_WEIGHT, ROWS)
    for i in range(sizes[ROWS]):
        g[i] = 0.0
    for e in range(sizes[PAIRS]):
        at = sizes[PAIR_TABLE] + PAIR_STRIDE * e
        for side in range(2):
            body = sizes[at + 2 + side]
            if body < bodies:
                block = blocks + sizes[at + 7 + side]
                add_sizes(work, sizes, body, block, sizes[at + 5], sizes[at + 6], g)
    for i in range(sizes[INCIDENCES]):
        at = sizes[INCIDENCE_TABLE] + INCIDENCE_STRIDE * i
        block = blocks + sizes[at + 1]
        add_sizes(work, sizes, sizes[at], block, sizes[at + 2], sizes[at + 3], g)
    for i in range(sizes[ROWS]):
        # A row that vanishes at a singular position weighs nothing.
        g[i] = 1.0 / (p * g[i]) if g[i] > 0.0 else 0.0


@kernel
def add_sizes(work, sizes, body, block, row, count, w):
    """w_i += |J_v|^2 / m + |J_w|^2 / theta for the rows of one block."""
    linear = work[sizes[BODY_WEIGHT] + 2 * body]
    angular = work[sizes[BODY_WEIGHT] + 2 * body + 1]
    for r in range(count):
        J = vector_view(work, block + 6 * r, 6)
        w[row + r] += linear * (J[0] * J[0] + J[1] * J[1] + J[2] * J[2])
        w[row + r] += angular * (J[3] * J[3] + J[4] * J[4] + J[5] * J[5])


@kernel
def assemble(work, sizes):
    """H = M + J^T G J, lower triangle."""
    H, bodies, blocks = sizes[PROXIMAL], sizes[BODIES], sizes[JACOBIAN_BLOCKS]
    for e in range(sizes[EMPTY]):
        at = H + sizes[sizes[EMPTY_TABLE] + e]
        for k in range(36):
            work[at + k] = 0.0
    for p in range(bodies):
        body = sizes[sizes[COLUMN_TABLE] + 5 * p]
        at = H + sizes[sizes[COLUMN_TABLE] + 5 * p + 1]
        theta = vector_view(work, sizes[BODY_INERTIA] + INERTIA * body, INERTIA)
        for k in range(36):
            work[at + k] = 0.0
        for i in range(3):
            work[at + 7 * i] = theta[6]
            work[at + 7 * (3 + i)] = theta[i]
        work[at + 6 * 4 + 3] = theta[3]
        work[at + 6 * 5 + 3] = theta[4]
        work[at + 6 * 5 + 4] = theta[5]
    add_missing(work, sizes)
    for e in range(sizes[PAIRS]):
        at = sizes[PAIR_TABLE] + PAIR_STRIDE * e
        count = sizes[at + 6]
        _weigh(
            sizes[at + 11],
            work,
            sizes,
            vector_view(work, blocks + sizes[at + 7], 6 * count),
            vector_view(work, blocks + sizes[at + 8], 6 * count),
            vector_view(work, sizes[ROW_WEIGHT] + sizes[at + 5], count),
            vector_view(work, H + sizes[at + 12], 36),
            vector_view(work, H + sizes[at + 13], 36),
            vector_view(work, H + sizes[at + 14], 36),
        )
    for e in range(sizes[TERMS]):
        at = sizes[TERM_TABLE] + TERM_STRIDE * e
        left, right, row = blocks + sizes[at], blocks + sizes[at + 1], sizes[at + 2]
        target = H + sizes[at + 4]
        for r in range(sizes[at + 3]):
            weight = work[sizes[ROW_WEIGHT] + row + r]
            for i in range(6):
                a = weight * work[left + 6 * r + i]
                for k in range(6):
                    work[target + 6 * i + k] += a * work[right + 6 * r + k]


@kernel
def add_missing(work, sizes):
    """H gets an inertia about axes that have none; M keeps its own.

    The refinement has M in its residuals, so nothing but the way to the solution changes: what
    joints hold is found as before, and what no torque turns keeps turning.
    """
    turn_missing(work, sizes)
    for i in range(sizes[MASSLESS]):
        missing = vector_view(work, sizes[SPARE_INERTIA] + 18 * i + 9, 9)
        at = sizes[PROXIMAL] + sizes[sizes[MASSLESS_TABLE] + 2 * i + 1] + 21
        for r in range(3):
            for c in range(r + 1):
                work[at + 6 * r + c] += missing[3 * r + c]


@kernel
def is_turned_freely(work, sizes):
    """The first body that a torque turns about an axis without inertia, or -1."""
    rest = vector(work, sizes, REST_TOP, NV)
    last = vector(work, sizes, CHANGE_MASS, NV)
    force = vector(work, sizes, FORCE, NV)
    largest = 0.0
    if sizes[MASSLESS] > 0:
        for k in range(sizes[NV]):
            largest = max(largest, abs(force[k]))
    for i in range(sizes[MASSLESS]):
        body = sizes[sizes[MASSLESS_TABLE] + 2 * i]
        missing = vector_view(work, sizes[SPARE_INERTIA] + 18 * i + 9, 9)
        typical = missing[0] + missing[4] + missing[8]
        for r in range(3):
            total = 0.0
            for c in range(3):
                k = 6 * body + 3 + c
                total += missing[3 * r + c] * (rest[k] + last[k])
            if abs(total) > LOOSE * typical * (1.0 + largest):
                return body
    return -1


@kernel
def factor_now(work, sizes, p):
    """Factor H of the last evaluated state, with a larger p where rounding leaves no pivot."""
    status = try_factor(work, sizes, p)
    while status == NOT_POSITIVE_DEFINITE and p < COARSEST_PROXIMAL:
        p *= 100.0
        status = try_factor(work, sizes, p)
    return status


@kernel
def try_factor(work, sizes, p):
    """Factor H with the given p."""
    # Rows of joints hardly change their size: a glance now and then will do.
    if sizes[TERMS] > 0 or sizes[FACTORISATIONS] % 16 == 0 or work[sizes[PROXIMAL_SCALE]] != p:
        work[sizes[PROXIMAL_SCALE]] = p
        weigh_rows(work, sizes, p)
    assemble(work, sizes)
    sizes[FACTORISATIONS] += 1
    bad = factor_assembled(work, sizes)
    sizes[FACTORED] = 0
    if bad >= 0:
        return unsolvable(work, sizes, bad)
    sizes[FACTORED] = 1
    work[sizes[FACTORED_TIME]] = work[sizes[EVALUATED_TIME]]
    return OK


@kernel
def unsolvable(work, sizes, body):
    """Why the block of a body has no positive pivots."""
    sizes[FAILED_INDEX] = 6 * body + 3
    for k in range(6):
        inverse = work[sizes[PROXIMAL_INVERSE] + 6 * body + k]
        if inverse - inverse != 0.0 and inverse != inverse:
            return NON_FINITE
        if not inverse > 0.0:
            sizes[FAILED_INDEX] = 6 * body + k
            return NOT_POSITIVE_DEFINITE
    return NOT_POSITIVE_DEFINITE


@border(FACTORING)
def factor_proximal(work, sizes, tolerance):
    """Factor with p = tolerance^2: directions with sigma below the tolerance are left off."""
    if tolerance <= FINEST_TOLERANCE:
        return factor_now(work, sizes, CONJUGATE_PROXIMAL)
    least = FINE_PROXIMAL if tolerance <= FINE_TOLERANCE else SMALLEST_PROXIMAL
    return factor_now(work, sizes, max(tolerance * tolerance, least))


@kernel
def mass_step(work, sizes, dx, r, x):
    """x += dx, r -= M dx. Returns dx^T M dx."""
    change = 0.0
    for b in range(sizes[BODIES]):
        t = vector_view(work, sizes[BODY_INERTIA] + INERTIA * b, INERTIA)
        k = 6 * b
        for i in range(3):
            part = t[6] * dx[k + i]
            change += dx[k + i] * part
            r[k + i] -= part
        a, c, e = dx[k + 3], dx[k + 4], dx[k + 5]
        part = t[0] * a + t[3] * c + t[4] * e
        change += a * part
        r[k + 3] -= part
        part = t[3] * a + t[1] * c + t[5] * e
        change += c * part
        r[k + 4] -= part
        part = t[4] * a + t[5] * c + t[2] * e
        change += e * part
        r[k + 5] -= part
        for i in range(6):
            x[k + i] += dx[k + i]
    return change


@kernel
def correct(work, sizes, dx, s, lam, z):
    """s -= J dx, w = G s, lam += w, z = J^T w."""
    bodies, blocks = sizes[BODIES], sizes[JACOBIAN_BLOCKS]
    for k in range(sizes[NV]):
        z[k] = 0.0
    still = vector_view(work, sizes[SPARE], 6)
    nobody = vector_view(work, sizes[SPARE] + 6, 6)
    for k in range(6):
        still[k] = 0.0
    g = sizes[ROW_WEIGHT]
    for e in range(sizes[PAIRS]):
        at = sizes[PAIR_TABLE] + PAIR_STRIDE * e
        a, b, row, count = sizes[at + 2], sizes[at + 3], sizes[at + 5], sizes[at + 6]
        _correct(
            sizes[at + 15],
            work,
            sizes,
            vector_view(work, blocks + sizes[at + 7], 6 * count),
            vector_view(work, blocks + sizes[at + 8], 6 * count),
            part(dx, a, bodies, still),
            part(dx, b, bodies, still),
            vector_view(work, g + row, count),
            s[row : row + count],
            lam[row : row + count],
            part(z, a, bodies, nobody),
            part(z, b, bodies, nobody),
        )
    for i in range(sizes[INCIDENCES]):
        at = sizes[INCIDENCE_TABLE] + INCIDENCE_STRIDE * i
        body, block, row = 6 * sizes[at], blocks + sizes[at + 1], sizes[at + 2]
        for r in range(sizes[at + 3]):
            for k in range(6):
                s[row + r] -= work[block + 6 * r + k] * dx[body + k]
    for i in range(sizes[INCIDENCES]):
        at = sizes[INCIDENCE_TABLE] + INCIDENCE_STRIDE * i
        body, block, row = 6 * sizes[at], blocks + sizes[at + 1], sizes[at + 2]
        for r in range(sizes[at + 3]):
            w = work[g + row + r] * s[row + r]
            if sizes[at + 4] == 1:
                lam[row + r] += w
            for k in range(6):
                z[body + k] += work[block + 6 * r + k] * w


@apart(bool)
def refine(work, sizes, top, bottom, accuracy, x_out, lam_out):
    """The steps of the module's first lines until x changes by less than `accuracy` of itself.

    Changes are measured by their kinetic energy. Returns False when they hardly fall: there is a
    direction with sigma^2 below p.
    """
    n, m = sizes[NV], sizes[ROWS]
    r = vector(work, sizes, REST_TOP, NV)
    s = vector(work, sizes, REST_BOTTOM, ROWS)
    w = vector(work, sizes, REST_WEIGHTED, ROWS)
    dx = vector(work, sizes, CHANGE, NV)
    z = vector(work, sizes, CHANGE_MASS, NV)
    g = vector(work, sizes, ROW_WEIGHT, ROWS)
    for k in range(n):
        x_out[k] = 0.0
        r[k] = dx[k] = top[k]
    for i in range(m):
        lam_out[i] = 0.0
        s[i] = bottom[i]
        w[i] = g[i] * s[i]
    pull(work, sizes, w, dx)
    whole = before = 0.0
    for step in range(CAP):
        # H dx = r + J^T G s, here on the right-hand side
        sizes[REFINEMENTS] += 1
        solve_assembled(work, sizes, dx)
        change = mass_step(work, sizes, dx, r, x_out)
        correct(work, sizes, dx, s, lam_out, z)
        if step == 0:
            whole = change
            if not change > 0.0 or accuracy >= ROUGH:
                return True
        else:
            ratio = change / before
            # What the next step would change; or no progress, by rounding or a lost direction.
            if change * ratio <= accuracy * accuracy * whole:
                return True
            if not ratio < SLOW * SLOW:
                return change <= NOTHING * NOTHING * whole
        before = change
        # r <- r - M dx + J^T dlam with J^T dlam = J^T G s = z
        for k in range(n):
            r[k] += z[k]
            dx[k] = r[k] + z[k]
    return True


@border(SOLVING)
def solve_proximal(work, sizes, top, bottom, x_out, lam_out):
    """Forces; by continuation where a direction is nearly lost."""
    done = refine(work, sizes, top, bottom, EXACT, x_out, lam_out)
    sizes[CONTINUED] = 0 if done else sizes[CONTINUED] + 1
    body = is_turned_freely(work, sizes)
    if body >= 0:
        sizes[FAILED_INDEX] = 6 * body + 3
        return NOT_POSITIVE_DEFINITE
    if done or sizes[HAS_LAST] == 0 or sizes[CONTINUED] > PATIENCE:
        return OK
    return continued(work, sizes, top, bottom, x_out, lam_out)


@apart(int)
def continued(work, sizes, top, bottom, x_out, lam_out):
    """Forces near a singular position (decision 0003): nearly lost directions as foretold.

    With x = x_p + u, x_p extrapolated from the last stages, the weight that is to accelerate the
    bodies, top - M x_p, is answered in full (fine p: whatever rows can be told apart hold), and
    the rows, bottom - J x_p, are met by the strong directions alone.
    """
    n, m = sizes[NV], sizes[ROWS]
    predict(work, sizes, work[sizes[EVALUATED_TIME]])
    foretold = vector(work, sizes, PREDICTED_VDOT, NV)
    rest = vector(work, sizes, TOP, NV)
    miss = vector(work, sizes, BOTTOM, ROWS)
    u = vector(work, sizes, CORRECTION, NV)
    mu = vector(work, sizes, CORRECTION_LAM, ROWS)
    wanted = vector(work, sizes, SOLVE_S, ROWS)
    image(work, sizes, foretold, wanted)
    for i in range(m):
        wanted[i] = bottom[i] - wanted[i]
    # strong directions, with the factors at hand
    for k in range(n):
        rest[k] = 0.0
    refine(work, sizes, rest, wanted, ROUGH, x_out, lam_out)
    # the weight: M u = top - M x_p + J^T mu, J u = 0
    mass_times(work, sizes, foretold, rest)
    for k in range(n):
        rest[k] = top[k] - rest[k]
        x_out[k] += foretold[k]
    for i in range(m):
        miss[i] = 0.0
    coarse = work[sizes[PROXIMAL_SCALE]]
    status = factor_now(work, sizes, FINE_PROXIMAL)
    refine(work, sizes, rest, miss, EXACT, u, mu)
    for k in range(n):
        x_out[k] += u[k]
    for i in range(m):
        lam_out[i] += mu[i]
    # What follows (a projection) is to find the factors it expects.
    if status == OK:
        status = factor_now(work, sizes, coarse)
    sizes[NEAR_COUNT] += 1
    return status


@border(RESPONDING)
def respond_proximal(work, sizes, bottom, x_out, lam_out):
    """Corrections."""
    top = vector(work, sizes, TOP, NV)
    for k in range(sizes[NV]):
        top[k] = 0.0
    if work[sizes[PROXIMAL_SCALE]] == CONJUGATE_PROXIMAL:
        conjugate_response(work, sizes, bottom, x_out, lam_out)
        return OK
    refine(work, sizes, top, bottom, ROUGH, x_out, lam_out)
    return OK
