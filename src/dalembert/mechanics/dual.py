"""The constrained solve along the graph of constraints: block LDL^T of W = J M^-1 J^T.

    W lam = bottom - J M^-1 top,      x = M^-1 (top + J^T lam)                  (methods 2)

One factorisation and one solve, where the proximal form takes a larger one and two solves. Rows
that depend on others for good (a planar loop of hinges in space) leave a pivot of rounding: they
are taken out as they come up, and get no force (`system.dual_blocks`). Those found at the start are
left out of the tables; should a projection find that they do not follow from the others after all,
the proximal form takes over for the rest of the run (DUAL_OFF). A pivot that is small, or a
row lost that was not lost before, means a singular position is near: there the proximal form, with
its continuation, does the stage.

The multipliers are right but not the least ones where rows depend on one another; what is reported
is measured with the proximal form.
"""

from dalembert._jit import border, kernel, vector_view
from dalembert.mechanics.dense import CONTINUED_TOLERANCE, FINE_TOLERANCE
from dalembert.mechanics.incidence import image, pull
from dalembert.mechanics.maximal import mass_times, turn_missing
from dalembert.system.borders import FACTORING, OK, RESPONDING, SOLVING
from dalembert.system.dual import (
    BELOW_STRIDE,
    COLUMN_STRIDE,
    DIVISION_STRIDE,
    PRODUCT_STRIDE,
    UPDATE_STRIDE,
)
from dalembert.system.dual_blocks import (
    DEPENDENT,
    FACTORING_ROWS,
    INVERTING,
    MASS_DIVIDING,
    MULTIPLYING,
    PASSING,
    SUBSTITUTING,
    SUBTRACTING,
    UPDATING,
)
from dalembert.system.layout import (
    BODIES,
    BODY_INERTIA,
    BRANCH,
    DROPPED,
    DUAL,
    DUAL_BELOW,
    DUAL_BEST,
    DUAL_BOTTOM,
    DUAL_CHANGE,
    DUAL_COLUMN_COUNT,
    DUAL_COLUMNS,
    DUAL_DIVISION_COUNT,
    DUAL_DIVISIONS,
    DUAL_EMPTY,
    DUAL_EMPTY_COUNT,
    DUAL_INVERSE,
    DUAL_INVERT,
    DUAL_LAM,
    DUAL_OFF,
    DUAL_PRODUCT_COUNT,
    DUAL_PRODUCTS,
    DUAL_RATIO,
    DUAL_ROW_COUNT,
    DUAL_ROWS,
    DUAL_SCRATCH,
    DUAL_TOP,
    DUAL_UPDATES,
    DUAL_WHOLE,
    DUAL_Z,
    EVALUATED_TIME,
    FACTORED,
    FACTORED_TIME,
    FACTORISATIONS,
    INERTIA,
    JACOBIAN_BLOCKS,
    LEAST_DROPPED,
    LONG_STEPS,
    MASS_INVERSES,
    MASSLESS,
    MASSLESS_TABLE,
    NEAR_COUNT,
    NV,
    PLANE,
    PROXIMAL_FACTOR,
    PROXIMAL_RESPOND,
    PROXIMAL_SOLVE,
    ROW_SHARE,
    ROWS,
    SPARE_INERTIA,
    TOP,
    vector,
)

NEAR, NEAR_IN_LONG_STEPS, FLOOR = 1e-6, 1e-8, 1e-7
"""Pivot of a row, over the largest it has had and over its diagonal entry, below which a singular
position is near. Between the stages of the long steps of error control the continuation
extrapolates far: there it is worth its error only where the pivot is all noise."""

WEAK = 1e-3
"""Pivot of a row, over the largest it has had, below which the error control must not follow the
noise of accelerations (decision 0003): sigma is then 0.03 of what it was."""

LIGHT = 1e-3
"""Part of the missing inertia that an axis without inertia gets here: M^-1 must exist. Further
passes, with the true M in their residual, take it out again."""

PASSES, EXACT = 6, 1e-12
"""How many there may be, and the change of x, over x, that ends them."""

BY_DUAL, BY_PROXIMAL = 2, 3

_invert = INVERTING.call
_divide = MASS_DIVIDING.call
_multiply = MULTIPLYING.call
_factor_rows = FACTORING_ROWS.call
_pass = PASSING.call
_update = UPDATING.call
_substitute = SUBSTITUTING.call
_subtract = SUBTRACTING.call
_call_factor = FACTORING.call
_call_solve = SOLVING.call
_call_respond = RESPONDING.call


@kernel
def lend(work, sizes, part):
    """Add a part of the missing inertia to bodies that lack it."""
    for i in range(sizes[MASSLESS]):
        theta = sizes[BODY_INERTIA] + INERTIA * sizes[sizes[MASSLESS_TABLE] + 2 * i]
        missing = vector_view(work, sizes[SPARE_INERTIA] + 18 * i + 9, 9)
        work[theta] += part * missing[0]
        work[theta + 1] += part * missing[4]
        work[theta + 2] += part * missing[8]
        work[theta + 3] += part * missing[1]
        work[theta + 4] += part * missing[2]
        work[theta + 5] += part * missing[5]


@kernel
def invert_masses(work, sizes):
    """M^-1 of every body; what is lent to it is taken back."""
    turn_missing(work, sizes)
    lend(work, sizes, LIGHT)
    for b in range(sizes[BODIES]):
        inertia = vector_view(work, sizes[BODY_INERTIA] + INERTIA * b, INERTIA)
        inverse = vector_view(work, sizes[MASS_INVERSES] + INERTIA * b, INERTIA)
        _invert(sizes[DUAL_INVERT], work, sizes, inertia, inverse)
    lend(work, sizes, -LIGHT)


@kernel
def accelerate_bodies(work, sizes, f, out):
    """out = M^-1 f, or P (P^T M P)^-1 P^T f in a plane."""
    for b in range(sizes[BODIES]):
        t = vector_view(work, sizes[MASS_INVERSES] + INERTIA * b, INERTIA)
        k = 6 * b
        out[k] = t[6] * f[k]
        out[k + 1] = t[6] * f[k + 1]
        out[k + 2] = t[6] * f[k + 2]
        x, y, z = f[k + 3], f[k + 4], f[k + 5]
        out[k + 3] = t[0] * x + t[3] * y + t[4] * z
        out[k + 4] = t[3] * x + t[1] * y + t[5] * z
        out[k + 5] = t[4] * x + t[5] * y + t[2] * z
    if sizes[PLANE] >= 0:
        for b in range(sizes[BODIES]):
            out[6 * b + sizes[PLANE]] = 0.0


@kernel
def assemble_dual(work, sizes):
    """W = J M^-1 J^T, block by block."""
    J, Z, W = sizes[JACOBIAN_BLOCKS], sizes[DUAL_Z], sizes[DUAL]
    for i in range(sizes[DUAL_DIVISION_COUNT]):
        at = sizes[DUAL_DIVISIONS] + DIVISION_STRIDE * i
        inverse = vector_view(work, sizes[MASS_INVERSES] + INERTIA * sizes[at + 1], INERTIA)
        j = vector_view(work, J + sizes[at + 2], 36)
        _divide(sizes[at], work, sizes, j, inverse, vector_view(work, Z + sizes[at + 3], 36))
    for i in range(sizes[DUAL_EMPTY_COUNT]):
        at = sizes[DUAL_EMPTY] + 2 * i
        for k in range(sizes[at + 1]):
            work[W + sizes[at] + k] = 0.0
    for i in range(sizes[DUAL_PRODUCT_COUNT]):
        at = sizes[DUAL_PRODUCTS] + PRODUCT_STRIDE * i
        _multiply(
            sizes[at],
            work,
            sizes,
            vector_view(work, J + sizes[at + 1], 36),
            vector_view(work, Z + sizes[at + 2], 36),
            vector_view(work, W + sizes[at + 3], 36),
        )


@kernel
def keep_diagonal(work, sizes):
    """DUAL_WHOLE: the diagonal of W, as it would be if terms of J did not cancel (trees 5)."""
    for p in range(sizes[DUAL_COLUMN_COUNT]):
        column = sizes[DUAL_COLUMNS] + COLUMN_STRIDE * p
        row, k, place = sizes[column], sizes[column + 1], sizes[DUAL] + sizes[column + 2]
        for i in range(row, row + k):
            share = work[sizes[ROW_SHARE] + sizes[sizes[DUAL_ROWS] + i]]
            entry = work[place + (k + 1) * (i - row)]
            work[sizes[DUAL_WHOLE] + i] = entry / (share * share) if share > 0.0 else 1.0


@kernel
def factor_blocks(work, sizes):
    """W = L D L^T in place."""
    W, scratch = sizes[DUAL], sizes[DUAL_SCRATCH]
    keep_diagonal(work, sizes)
    for p in range(sizes[DUAL_COLUMN_COUNT]):
        column = sizes[DUAL_COLUMNS] + COLUMN_STRIDE * p
        row, k, number = sizes[column], sizes[column + 1], sizes[column + 4]
        diagonal = vector_view(work, W + sizes[column + 2], 36)
        inverse = vector_view(work, sizes[DUAL_INVERSE] + row, k)
        ratio = vector_view(work, sizes[DUAL_RATIO] + row, k)
        whole = vector_view(work, sizes[DUAL_WHOLE] + row, k)
        _factor_rows(sizes[column + 6], work, sizes, diagonal, whole, inverse, ratio)
        first = sizes[DUAL_BELOW] + BELOW_STRIDE * sizes[column + 3]
        for j in range(number):
            entry = first + BELOW_STRIDE * j
            block = vector_view(work, W + sizes[entry + 2], 36)
            s = vector_view(work, scratch + sizes[entry + 3], 36)
            _pass(sizes[entry + 4], work, sizes, block, diagonal, inverse, s)
        update = sizes[DUAL_UPDATES] + UPDATE_STRIDE * sizes[column + 5]
        for i in range(number):
            left = vector_view(work, W + sizes[first + BELOW_STRIDE * i + 2], 36)
            for j in range(i + 1):
                target = vector_view(work, W + sizes[update], 36)
                s = vector_view(work, scratch + sizes[first + BELOW_STRIDE * j + 3], 36)
                _update(sizes[update + 1], work, sizes, target, left, s)
                update += UPDATE_STRIDE


@kernel
def solve_blocks(work, sizes, x):
    """x <- W^-1 x, rows that were taken out getting zero."""
    W = sizes[DUAL]
    count = sizes[DUAL_COLUMN_COUNT]
    for p in range(count):
        column = sizes[DUAL_COLUMNS] + COLUMN_STRIDE * p
        row, k = sizes[column], sizes[column + 1]
        mine = x[row : row + k]
        diagonal = vector_view(work, W + sizes[column + 2], 36)
        _substitute(sizes[column + 7], work, sizes, mine, diagonal)
        entry = sizes[DUAL_BELOW] + BELOW_STRIDE * sizes[column + 3]
        for _ in range(sizes[column + 4]):
            other = x[sizes[entry] : sizes[entry] + sizes[entry + 1]]
            block = vector_view(work, W + sizes[entry + 2], 36)
            _subtract(sizes[entry + 5], work, sizes, other, block, mine)
            entry += BELOW_STRIDE
    for back in range(count):
        column = sizes[DUAL_COLUMNS] + COLUMN_STRIDE * (count - 1 - back)
        row, k = sizes[column], sizes[column + 1]
        mine = x[row : row + k]
        for i in range(k):
            mine[i] *= work[sizes[DUAL_INVERSE] + row + i]
        entry = sizes[DUAL_BELOW] + BELOW_STRIDE * sizes[column + 3]
        for _ in range(sizes[column + 4]):
            other = x[sizes[entry] : sizes[entry] + sizes[entry + 1]]
            block = vector_view(work, W + sizes[entry + 2], 36)
            _subtract(sizes[entry + 6], work, sizes, mine, block, other)
            entry += BELOW_STRIDE
        diagonal = vector_view(work, W + sizes[column + 2], 36)
        _substitute(sizes[column + 8], work, sizes, mine, diagonal)


@kernel
def is_regular(work, sizes):
    """No pivot is small but not lost, and no more rows are lost than ever."""
    dropped = 0
    weak = False
    regular = True
    near = NEAR_IN_LONG_STEPS if sizes[LONG_STEPS] == 1 else NEAR
    for i in range(sizes[DUAL_ROW_COUNT]):
        ratio = work[sizes[DUAL_RATIO] + i]
        best = sizes[DUAL_BEST] + i
        weak = weak or ratio < WEAK * work[best]
        work[best] = max(work[best], ratio)
        if not ratio > max(near * work[best], FLOOR):
            if ratio > DEPENDENT:
                regular = False
            dropped += 1
    if weak:
        sizes[NEAR_COUNT] += 1
    if not regular:
        return False
    sizes[DROPPED] = dropped
    sizes[LEAST_DROPPED] = min(dropped, sizes[LEAST_DROPPED])
    return dropped == sizes[LEAST_DROPPED]


@border(FACTORING)
def factor_dual(work, sizes, tolerance):
    """Factor W, or H where a singular position is near or the finest is asked for."""
    if tolerance <= FINE_TOLERANCE or sizes[DUAL_OFF] != 0:
        sizes[BRANCH] = BY_PROXIMAL
        return _call_factor(sizes[PROXIMAL_FACTOR], work, sizes, tolerance)
    invert_masses(work, sizes)
    assemble_dual(work, sizes)
    factor_blocks(work, sizes)
    sizes[FACTORISATIONS] += 1
    if is_regular(work, sizes):
        sizes[BRANCH] = BY_DUAL
        sizes[FACTORED] = 1
        work[sizes[FACTORED_TIME]] = work[sizes[EVALUATED_TIME]]
        return OK
    sizes[BRANCH] = BY_PROXIMAL
    return _call_factor(sizes[PROXIMAL_FACTOR], work, sizes, tolerance)


@kernel
def solve_rows(work, sizes, b, lam):
    """lam = W^-1 b on the rows that take part, zero on the others."""
    rows = sizes[DUAL_ROWS]
    y = vector_view(work, sizes[DUAL_LAM], sizes[DUAL_ROW_COUNT])
    for i in range(sizes[DUAL_ROW_COUNT]):
        y[i] = b[sizes[rows + i]]
    solve_blocks(work, sizes, y)
    if sizes[DUAL_ROW_COUNT] < sizes[ROWS]:
        for i in range(sizes[ROWS]):
            lam[i] = 0.0
    for i in range(sizes[DUAL_ROW_COUNT]):
        lam[sizes[rows + i]] = y[i]


@kernel
def answer(work, sizes, top, bottom, x, lam):
    """lam = W^-1 (bottom - J M^-1 top), x = M^-1 (top + J^T lam)."""
    f = vector(work, sizes, DUAL_CHANGE, NV)
    accelerate_bodies(work, sizes, top, x)
    image(work, sizes, x, lam)
    for i in range(sizes[ROWS]):
        lam[i] = bottom[i] - lam[i]
    solve_rows(work, sizes, lam, lam)
    for k in range(sizes[NV]):
        f[k] = top[k]
    pull(work, sizes, lam, f)
    accelerate_bodies(work, sizes, f, x)


@border(SOLVING)
def solve_dual(work, sizes, top, bottom, x_out, lam_out):
    """Forces."""
    if sizes[BRANCH] == BY_PROXIMAL:
        return _call_solve(sizes[PROXIMAL_SOLVE], work, sizes, top, bottom, x_out, lam_out)
    answer(work, sizes, top, bottom, x_out, lam_out)
    if sizes[MASSLESS] == 0:
        return OK
    for _ in range(PASSES):
        if improve(work, sizes, top, bottom, x_out, lam_out) <= EXACT:
            return OK
    # They do not end: a torque, perhaps, about an axis without inertia. The proximal form knows.
    status = _call_factor(sizes[PROXIMAL_FACTOR], work, sizes, CONTINUED_TOLERANCE)
    if status != OK:
        return status
    sizes[BRANCH] = BY_PROXIMAL
    return _call_solve(sizes[PROXIMAL_SOLVE], work, sizes, top, bottom, x_out, lam_out)


@kernel
def improve(work, sizes, top, bottom, x, lam):
    """A further pass with r = top + J^T lam - M x, s = bottom - J x; returns the change of x."""
    r = vector(work, sizes, DUAL_TOP, NV)
    s = vector(work, sizes, DUAL_BOTTOM, ROWS)
    dx = vector(work, sizes, TOP, NV)
    dlam = vector(work, sizes, DUAL_RATIO, ROWS)
    mass_times(work, sizes, x, r)
    for k in range(sizes[NV]):
        r[k] = top[k] - r[k]
    pull(work, sizes, lam, r)
    image(work, sizes, x, s)
    for i in range(sizes[ROWS]):
        s[i] = bottom[i] - s[i]
    answer(work, sizes, r, s, dx, dlam)
    change = size = 0.0
    for k in range(sizes[NV]):
        x[k] += dx[k]
        change = max(change, abs(dx[k]))
        size = max(size, abs(x[k]))
    for i in range(sizes[ROWS]):
        lam[i] += dlam[i]
    return change / size if size > 0.0 else 0.0


@border(RESPONDING)
def respond_dual(work, sizes, bottom, x_out, lam_out):
    """Corrections."""
    if sizes[BRANCH] == BY_PROXIMAL:
        return _call_respond(sizes[PROXIMAL_RESPOND], work, sizes, bottom, x_out, lam_out)
    f = vector(work, sizes, DUAL_CHANGE, NV)
    solve_rows(work, sizes, bottom, lam_out)
    for k in range(sizes[NV]):
        f[k] = 0.0
    pull(work, sizes, lam_out, f)
    accelerate_bodies(work, sizes, f, x_out)
    return OK
