"""Exact block Gauss-Seidel (`nsgs`): one block solved alone after the other, v kept up to date.

    u = J v + b + R lam;   lam_new from the law of the block alone;   v += A^-1 J^T (lam_new - lam)

Jean and Moreau's nonsmooth contact dynamics. CONE: `contact.local`. EQ: its own inverse. UNI and
BOX: row by row. ROLL: its cone first, then spin and rolling with the bounds of the normal impulse.
Blocks are taken in the order of the problem.

Each sweep begins where the last one ended and a part of its way further, lam in proportion to v:

    (v, lam)_k+1 = sweep((v, lam)_k + beta_k ((v, lam)_k - (v, lam)_k-1)),   beta_k = k / (k + 3)

Nesterov's momentum (1983), bounded: with beta up to 1 friction, which is not the gradient of any
function, makes it swing. Where the residual runs away all the same, or nothing is gained, the best
is returned to, and sweeps go on plainly, in the other direction every second time; and so in turns.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.blocks import (
    block_add_transposed,
    block_at,
    is_simple,
    island_blocks,
    island_cliques,
    of_bodies,
    simple_times,
    simple_transposed,
)
from dalembert.contact.kept import copy_rows, copy_velocities
from dalembert.contact.layout import (
    BIAS,
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    BOX,
    CLIQUE,
    CLIQUE_A,
    CLIQUE_RECORD,
    COMPLIANCE,
    CONE,
    CONVERGED,
    DELASSUS,
    DELASSUS_INVERSE,
    DIM,
    EQ,
    ISLAND,
    ISLAND_FLOATS,
    ISLAND_NUMBERS,
    ISLAND_RECORD,
    JACOBIAN,
    JACOBIAN_A,
    KIND,
    LAM,
    LOWER,
    MOST_ROWS,
    MU,
    RESIDUAL,
    RESPONSE,
    ROW,
    SIZE,
    STALLED,
    START,
    SWEEPS,
    UNI,
    UPPER,
    V,
    W,
)
from dalembert.contact.local import contact, inverse_of
from dalembert.contact.prepare import move
from dalembert.contact.report import velocity_work
from dalembert.contact.residuals import block_velocity, measure, row_work
from dalembert.numerics.six import add_six, dot_six, put_six, scaled, six
from dalembert.numerics.small import put_vector, symmetric, vector

CHANGE, LOCAL_U = 13, 14
"""Row vectors: change of lam, velocity of the block at hand."""

LAST_LAM, GOOD_LAM, LAST_V, GOOD_V = 11, 12, 9, 10
"""Row and velocity vectors: where the last sweep ended, and the best that was looked at."""

MOMENTUM = 0.85
"""Largest share of a sweep's way that is gone again."""

RUNAWAY, PATIENCE = 4.0, 20
"""Growth of the residual, and looks without progress, after which sweeps go on the other way."""

LOOK_EVERY = 10
"""Sweeps between two looks at the residual, when the changes do not ask for one."""


@kernel
def local_inverses(integers, numbers, island):
    """DELASSUS_INVERSE: of CONE and ROLL (W, W^-1) of the cone, of EQ (W + R)^-1."""
    first, count = island_blocks(integers, island)
    for k in range(count):
        local_inverse(integers, numbers, block_at(integers, integers[first + k]))


@kernel
def local_inverse(integers, numbers, at):
    """Write DELASSUS_INVERSE of one block."""
    kind, dim, row = integers[at + KIND], integers[at + DIM], integers[at + ROW]
    target = integers[DELASSUS_INVERSE] + MOST_ROWS * row
    R, w = integers[COMPLIANCE] + row, integers[DELASSUS] + MOST_ROWS * row
    if kind >= CONE:
        local = (
            numbers[w] + numbers[R],
            numbers[w + 1],
            numbers[w + 2],
            numbers[w + dim + 1] + numbers[R + 1],
            numbers[w + dim + 2],
            numbers[w + 2 * dim + 2] + numbers[R + 2],
        )
        put_six(numbers, target, local)
        put_six(numbers, target + 6, inverse_of(local))
    elif kind == EQ:
        _invert(numbers, w, R, dim, target)


@kernel
def _invert(numbers, w, R, dim, target):
    """(W + R)^-1 by symmetric sweeps, the largest pivot first.

    A row that the others repeat gets no impulse of its own: its pivot is what rounding leaves.
    """
    largest = 0.0
    for i in range(dim):
        for j in range(dim):
            numbers[target + dim * i + j] = numbers[w + dim * i + j]
        numbers[target + (dim + 1) * i] += numbers[R + i]
        largest = max(largest, numbers[target + (dim + 1) * i])
    swept = 0
    for _ in range(dim):
        k, d = 0, 1e-12 * largest
        for i in range(dim):
            if (swept >> i) & 1 == 0 and numbers[target + (dim + 1) * i] > d:
                k, d = i, numbers[target + (dim + 1) * i]
        if not d > 1e-12 * largest:
            break
        swept |= 1 << k
        scale = 1.0 / d
        for i in range(dim):
            t = numbers[target + dim * i + k] * scale
            for j in range(dim):
                if i != k and j != k:
                    numbers[target + dim * i + j] -= t * numbers[target + dim * k + j]
        for i in range(dim):
            numbers[target + dim * i + k] *= scale
            numbers[target + dim * k + i] = numbers[target + dim * i + k]
        numbers[target + (dim + 1) * k] = -scale
    for k in range(dim):
        if (swept >> k) & 1 == 0:
            for i in range(dim):
                numbers[target + dim * i + k] = 0.0
                numbers[target + dim * k + i] = 0.0
    for k in range(dim * dim):
        numbers[target + k] = -numbers[target + k]


@kernel
def sweep(integers, numbers, island, backwards):
    """One sweep. Returns the largest change of an impulse, as a velocity: max w |change|."""
    first, count = island_blocks(integers, island)
    largest = 0.0
    for k in range(count):
        block = integers[first + (count - 1 - k if backwards else k)]
        at = block_at(integers, block)
        if integers[at + KIND] == CONE and is_simple(integers, at):
            change = _simple_contact(integers, numbers, block, at)
        elif integers[at + KIND] == UNI and integers[at + DIM] == 1 and of_bodies(integers, at):
            change = _simple_stop(integers, numbers, at)
        else:
            change = _general(integers, numbers, block, at)
        largest = max(largest, change)
    return largest


@kernel
def _simple_contact(integers, numbers, block, at):
    row = integers[at + ROW]
    lam, bias, R = integers[LAM] + row, integers[BIAS] + row, integers[COMPLIANCE] + row
    own = integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
    old = vector(numbers, lam)
    u = simple_times(integers, numbers, at, JACOBIAN, integers[V])
    u = (
        u[0] + numbers[bias] + numbers[R] * old[0],
        u[1] + numbers[bias + 1] + numbers[R + 1] * old[1],
        u[2] + numbers[bias + 2] + numbers[R + 2] * old[2],
    )
    local = integers[DELASSUS_INVERSE] + MOST_ROWS * row
    response, inverse = symmetric(numbers, local), symmetric(numbers, local + 6)
    new = contact(response, inverse, u, old, numbers[own + MU])
    a, b, c = new[0] - old[0], new[1] - old[1], new[2] - old[2]
    if a != 0.0 or b != 0.0 or c != 0.0:
        put_vector(numbers, lam, new)
        simple_transposed(integers, numbers, at, RESPONSE, (a, b, c), integers[V])
    return numbers[own + W] * math.sqrt(a * a + b * b + c * c)


@kernel
def _simple_stop(integers, numbers, at):
    """One row that only pushes: a gap in the position pass, a contact without friction."""
    row = integers[at + ROW]
    lam, R = integers[LAM] + row, numbers[integers[COMPLIANCE] + row]
    d = numbers[integers[DELASSUS] + MOST_ROWS * row] + R
    if d <= 0.0:
        return 0.0
    old = numbers[lam]
    u = numbers[integers[BIAS] + row] + R * old
    for side in range(2):
        clique = integers[at + CLIQUE_A + side]
        if clique >= 0:
            v = integers[V] + integers[integers[CLIQUE] + CLIQUE_RECORD * clique + START]
            j = integers[JACOBIAN] + integers[at + JACOBIAN_A + side]
            u += dot_six(six(numbers, j), six(numbers, v))
    change = max(0.0, old - u / d) - old
    if change != 0.0:
        numbers[lam] = old + change
        for side in range(2):
            clique = integers[at + CLIQUE_A + side]
            if clique >= 0:
                v = integers[V] + integers[integers[CLIQUE] + CLIQUE_RECORD * clique + START]
                y = integers[RESPONSE] + integers[at + JACOBIAN_A + side]
                add_six(numbers, v, scaled(change, six(numbers, y)))
    return d * abs(change)


@apart(float)
def _general(integers, numbers, block, at):
    """Any block, by its rows."""
    block_velocity(integers, numbers, at, integers[V], row_work(integers, LOCAL_U))
    largest = local_change(integers, numbers, block, at)
    block_add_transposed(integers, numbers, at, RESPONSE, row_work(integers, CHANGE), integers[V])
    return largest


@kernel
def local_change(integers, numbers, block, at):
    """Any block alone, from its u in LOCAL_U: LAM and its CHANGE. Returns w |change|."""
    kind, dim, row = integers[at + KIND], integers[at + DIM], integers[at + ROW]
    own = integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
    lam, R = integers[LAM] + row, integers[COMPLIANCE] + row
    w, change = integers[DELASSUS] + MOST_ROWS * row, row_work(integers, CHANGE) + row
    local = integers[DELASSUS_INVERSE] + MOST_ROWS * row
    u = row_work(integers, LOCAL_U) + row
    for i in range(dim):
        numbers[u + i] += numbers[R + i] * numbers[lam + i]
        numbers[change + i] = 0.0
    if kind == EQ:
        for i in range(dim):
            for j in range(dim):
                numbers[change + i] -= numbers[local + dim * i + j] * numbers[u + j]
    elif kind == UNI or kind == BOX:
        for i in range(dim):
            lower = numbers[integers[LOWER] + row + i] if kind == BOX else 0.0
            upper = numbers[integers[UPPER] + row + i] if kind == BOX else math.inf
            _one_row(numbers, w, R, dim, i, u, lam, change, lower, upper)
    else:
        old, mu = vector(numbers, lam), numbers[own + MU]
        velocity = vector(numbers, u)
        response, inverse = symmetric(numbers, local), symmetric(numbers, local + 6)
        new = contact(response, inverse, velocity, old, mu)
        put_vector(numbers, change, (new[0] - old[0], new[1] - old[1], new[2] - old[2]))
        if dim > 3:
            for k in range(3, dim):
                for i in range(3):
                    numbers[u + k] += numbers[w + dim * k + i] * numbers[change + i]
            most = numbers[own + MU + 1] * new[0]
            _one_row(numbers, w, R, dim, 3, u, lam, change, -most, most)
        if dim > 4:
            _disc(numbers, w, R, dim, u, lam, change, numbers[own + MU + 2] * new[0])
    largest = 0.0
    for i in range(dim):
        numbers[lam + i] += numbers[change + i]
        largest += numbers[change + i] * numbers[change + i]
    return numbers[own + W] * math.sqrt(largest)


@kernel
def _one_row(numbers, w, R, dim, i, u, lam, change, lower, upper):
    """A row with bounds; the velocities of the rows behind it follow."""
    d = numbers[w + (dim + 1) * i] + numbers[R + i]
    if d > 0.0:
        new = min(max(numbers[lam + i] - numbers[u + i] / d, lower), upper)
        numbers[change + i] = new - numbers[lam + i]
        for k in range(i + 1, dim):
            numbers[u + k] += numbers[w + dim * k + i] * numbers[change + i]


@kernel
def _disc(numbers, w, R, dim, u, lam, change, most):
    """Two rolling rows inside a disc: a projected step with the larger of their responses."""
    a = numbers[w + (dim + 1) * 4] + numbers[R + 4]
    b = numbers[w + (dim + 1) * 5] + numbers[R + 5]
    d = max(a, b) + abs(numbers[w + dim * 4 + 5])
    if d > 0.0:
        x, y = numbers[lam + 4] - numbers[u + 4] / d, numbers[lam + 5] - numbers[u + 5] / d
        s = math.sqrt(x * x + y * y)
        f = most / s if s > most else 1.0
        numbers[change + 4] = f * x - numbers[lam + 4]
        numbers[change + 5] = f * y - numbers[lam + 5]


@kernel
def _extrapolate(integers, numbers, island, momentum):
    """(v, lam) go on the way of the last sweep; LAST_LAM and LAST_V are where it ended."""
    first, count = island_blocks(integers, island)
    lam, last = integers[LAM], row_work(integers, LAST_LAM)
    for k in range(count):
        at = block_at(integers, integers[first + k])
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            ended = numbers[lam + i]
            numbers[lam + i] = ended + momentum * (ended - numbers[last + i])
            numbers[last + i] = ended
    first, count = island_cliques(integers, island)
    v, last = integers[V], velocity_work(integers, LAST_V)
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        for i in range(integers[at + START], integers[at + START] + integers[at + SIZE]):
            ended = numbers[v + i]
            numbers[v + i] = ended + momentum * (ended - numbers[last + i])
            numbers[last + i] = ended


@kernel
def sweeps(integers, numbers, island, tolerance, budget):
    """At most `budget` sweeps; fewer when the residual is below the tolerance. Returns it.

    Leaves the best (v, lam) among those that were looked at.
    """
    lam, v = integers[LAM], integers[V]
    last, last_v = row_work(integers, LAST_LAM), velocity_work(integers, LAST_V)
    good, good_v = row_work(integers, GOOD_LAM), velocity_work(integers, GOOD_V)
    copy_rows(integers, numbers, island, lam, last)
    copy_velocities(integers, numbers, island, v, last_v)
    residual, best, plain = math.inf, math.inf, False
    begun, idle, done = 0, 0, 0
    while done < budget:
        change = sweep(integers, numbers, island, plain and done % 2 == 1)
        done += 1
        # A small change is a sign, not a proof.
        if change <= tolerance or done % LOOK_EVERY == 0 or done == budget:
            # v from lam alone: what rounding has put between them grows with the momentum.
            move(integers, numbers, island)
            residual = measure(integers, numbers, island)
            if residual <= tolerance or not (residual < math.inf):
                break
            idle += 1
            if residual < best:
                best, idle = residual, 0
                copy_rows(integers, numbers, island, lam, good)
                copy_velocities(integers, numbers, island, v, good_v)
            elif idle == PATIENCE or (residual > RUNAWAY * best and not plain):
                plain, idle, begun = not plain, 0, 0
                copy_rows(integers, numbers, island, good, lam)
                copy_velocities(integers, numbers, island, good_v, v)
                copy_rows(integers, numbers, island, lam, last)
                copy_velocities(integers, numbers, island, v, last_v)
        if not plain and done < budget:
            _extrapolate(integers, numbers, island, min(begun / (begun + 3.0), MOMENTUM))
            begun += 1
    if best < residual:
        residual = best
        copy_rows(integers, numbers, island, good, lam)
        copy_velocities(integers, numbers, island, good_v, v)
    integers[integers[ISLAND] + ISLAND_RECORD * island + SWEEPS] += done
    return residual


@apart(int)
def nsgs_island(integers, numbers, island, tolerance, budget):
    """The solver `nsgs`: nothing but sweeps."""
    local_inverses(integers, numbers, island)
    residual = measure(integers, numbers, island)
    if not (residual <= tolerance):
        residual = sweeps(integers, numbers, island, tolerance, budget)
    numbers[integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island + RESIDUAL] = residual
    return CONVERGED if residual <= tolerance else STALLED
