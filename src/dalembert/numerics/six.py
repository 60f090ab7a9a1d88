"""Vectors of six and blocks of 6 x 6 as tuples, written out: they compile to vector instructions.

A block B is kept row by row at an offset of a flat array. Blocks below the diagonal of a factor L
stand transposed, so that every product takes whole rows times a number.
"""

import math

from dalembert._jit import kernel, packed_kernel


@kernel
def six(x, at):
    """Six entries of an array."""
    return x[at], x[at + 1], x[at + 2], x[at + 3], x[at + 4], x[at + 5]


@kernel
def put_six(x, at, a):
    """Store six entries."""
    x[at], x[at + 1], x[at + 2], x[at + 3], x[at + 4], x[at + 5] = a


@kernel
def more(t, s, a):
    """t + s a."""
    return (
        t[0] + s * a[0],
        t[1] + s * a[1],
        t[2] + s * a[2],
        t[3] + s * a[3],
        t[4] + s * a[4],
        t[5] + s * a[5],
    )


@kernel
def less(t, s, a):
    """t - s a."""
    return (
        t[0] - s * a[0],
        t[1] - s * a[1],
        t[2] - s * a[2],
        t[3] - s * a[3],
        t[4] - s * a[4],
        t[5] - s * a[5],
    )


@kernel
def scaled(s, a):
    """s a."""
    return s * a[0], s * a[1], s * a[2], s * a[3], s * a[4], s * a[5]


@kernel
def dot_six(a, b):
    """a . b, as three sums of two: the order is fixed, and shorter than a chain of six."""
    return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5])


@kernel
def _update_row(x, target, s, l0, l1, l2, l3, l4, l5):
    t = six(x, target)
    t = less(t, x[s], l0)
    t = less(t, x[s + 6], l1)
    t = less(t, x[s + 12], l2)
    t = less(t, x[s + 18], l3)
    t = less(t, x[s + 24], l4)
    t = less(t, x[s + 30], l5)
    put_six(x, target, t)


@packed_kernel
def update(x, target, left, s):
    """Target -= S^T B, of three blocks of `x`."""
    l0, l1, l2 = six(x, left), six(x, left + 6), six(x, left + 12)
    l3, l4, l5 = six(x, left + 18), six(x, left + 24), six(x, left + 30)
    _update_row(x, target, s, l0, l1, l2, l3, l4, l5)
    _update_row(x, target + 6, s + 1, l0, l1, l2, l3, l4, l5)
    _update_row(x, target + 12, s + 2, l0, l1, l2, l3, l4, l5)
    _update_row(x, target + 18, s + 3, l0, l1, l2, l3, l4, l5)
    _update_row(x, target + 24, s + 4, l0, l1, l2, l3, l4, l5)
    _update_row(x, target + 30, s + 5, l0, l1, l2, l3, l4, l5)


@packed_kernel
def add_outer(x, target, left, stride, a, b, c):
    """Target += P^T Q: P three rows of `x` from `left`, `stride` apart, Q the rows a, b, c."""
    for k in range(6):
        t = six(x, target + 6 * k)
        t = more(t, x[left + k], a)
        t = more(t, x[left + stride + k], b)
        t = more(t, x[left + 2 * stride + k], c)
        put_six(x, target + 6 * k, t)


@packed_kernel
def add_outer_row(x, target, left, a):
    """Target += p^T a: p six entries of `x` from `left`."""
    for k in range(6):
        put_six(x, target + 6 * k, more(six(x, target + 6 * k), x[left + k], a))


@packed_kernel
def below(x, at, inverse):
    """B <- L^-1 B: `inverse` is the block with L^-1 in its lower triangle."""
    b0, b1, b2 = six(x, at), six(x, at + 6), six(x, at + 12)
    b3, b4, b5 = six(x, at + 18), six(x, at + 24), six(x, at + 30)
    i = inverse
    put_six(x, at, scaled(x[i], b0))
    put_six(x, at + 6, more(scaled(x[i + 6], b0), x[i + 7], b1))
    t = more(more(scaled(x[i + 12], b0), x[i + 13], b1), x[i + 14], b2)
    put_six(x, at + 12, t)
    t = more(more(scaled(x[i + 18], b0), x[i + 19], b1), x[i + 20], b2)
    put_six(x, at + 18, more(t, x[i + 21], b3))
    t = more(more(scaled(x[i + 24], b0), x[i + 25], b1), x[i + 26], b2)
    put_six(x, at + 24, more(more(t, x[i + 27], b3), x[i + 28], b4))
    t = more(more(scaled(x[i + 30], b0), x[i + 31], b1), x[i + 32], b2)
    put_six(x, at + 30, more(more(more(t, x[i + 33], b3), x[i + 34], b4), x[i + 35], b5))


@kernel
def factor(x, at):
    """A = L L^T in its lower triangle becomes L^-1, the upper one 0. Returns the least pivot.

    Columns of L first, then L^-1 by rows: X_ij = -1/L_ii sum_k L_ik X_kj.
    """
    least = math.inf
    for j in range(6):
        d = x[at + 7 * j]
        for k in range(j):
            d -= x[at + 6 * j + k] * x[at + 6 * j + k]
        least = d if d < least else least
        # A pivot that rounding has eaten is reported, and kept from making NaN.
        inverse = 1.0 / math.sqrt(d if d > 1e-300 else 1e-300)
        x[at + 7 * j] = inverse
        for i in range(j + 1, 6):
            t = x[at + 6 * i + j]
            for k in range(j):
                t -= x[at + 6 * i + k] * x[at + 6 * j + k]
            x[at + 6 * i + j] = t * inverse
    for i in range(1, 6):
        for j in range(i):
            t = x[at + 6 * i + j] * x[at + 7 * j]
            for k in range(j + 1, i):
                t += x[at + 6 * i + k] * x[at + 6 * k + j]
            x[at + 6 * j + i] = -t * x[at + 7 * i]
        # Row i of L is needed until its row of the inverse is complete: it waits in the upper half.
        for j in range(i):
            x[at + 6 * i + j] = x[at + 6 * j + i]
            x[at + 6 * j + i] = 0.0
    return least


@packed_kernel
def times_block(x, at, a):
    """B a."""
    return (
        dot_six(six(x, at), a),
        dot_six(six(x, at + 6), a),
        dot_six(six(x, at + 12), a),
        dot_six(six(x, at + 18), a),
        dot_six(six(x, at + 24), a),
        dot_six(six(x, at + 30), a),
    )


@packed_kernel
def transposed_block(x, at, a):
    """B^T a."""
    t = scaled(a[0], six(x, at))
    t = more(t, a[1], six(x, at + 6))
    t = more(t, a[2], six(x, at + 12))
    t = more(t, a[3], six(x, at + 18))
    t = more(t, a[4], six(x, at + 24))
    return more(t, a[5], six(x, at + 30))


@kernel
def subtract_six(x, at, a):
    """Subtract from six entries."""
    x[at] -= a[0]
    x[at + 1] -= a[1]
    x[at + 2] -= a[2]
    x[at + 3] -= a[3]
    x[at + 4] -= a[4]
    x[at + 5] -= a[5]


@kernel
def add_six(x, at, a):
    """Add to six entries."""
    x[at] += a[0]
    x[at + 1] += a[1]
    x[at + 2] += a[2]
    x[at + 3] += a[3]
    x[at + 4] += a[4]
    x[at + 5] += a[5]


@kernel
def factor_both(x, at):
    """A = L U, the diagonal of L one: the triangles become those of L^-1 and U^-1.

    Returns the least pivot in size. Without exchange of rows: the two triangular inverses keep
    small what a single A^-1 would lose where the entries of A are of very different size.
    """
    least = math.inf
    for k in range(6):
        d = x[at + 7 * k]
        least = min(least, abs(d))
        # A pivot that rounding has eaten is reported, and kept from making NaN.
        d = 1.0 / (d if abs(d) > 1e-300 else 1e-300)
        x[at + 7 * k] = d
        for i in range(k + 1, 6):
            t = x[at + 6 * i + k] * d
            x[at + 6 * i + k] = t
            for j in range(k + 1, 6):
                x[at + 6 * i + j] -= t * x[at + 6 * k + j]
    # L^-1 by rows: X_ij = -L_ij - sum_k L_ik X_kj; U^-1 by columns: X_ij = -sum_k X_ik U_kj X_jj.
    for i in range(1, 6):
        for j in range(i):
            t = x[at + 6 * i + j]
            for k in range(j + 1, i):
                t += x[at + 6 * i + k] * x[at + 6 * k + j]
            x[at + 6 * i + j] = -t
    for j in range(1, 6):
        for i in range(j):
            t = 0.0
            for k in range(i, j):
                t += x[at + 6 * i + k] * x[at + 6 * k + j]
            x[at + 6 * i + j] = -t * x[at + 7 * j]
    return least


@packed_kernel
def below_lower(x, at, inverse):
    """B <- L^-1 B: `inverse` is the block `factor_both` has made."""
    b0, b1, b2 = six(x, at), six(x, at + 6), six(x, at + 12)
    b3, b4, b5 = six(x, at + 18), six(x, at + 24), six(x, at + 30)
    i = inverse
    put_six(x, at + 6, more(b1, x[i + 6], b0))
    put_six(x, at + 12, more(more(b2, x[i + 12], b0), x[i + 13], b1))
    put_six(x, at + 18, more(more(more(b3, x[i + 18], b0), x[i + 19], b1), x[i + 20], b2))
    t = more(more(more(b4, x[i + 24], b0), x[i + 25], b1), x[i + 26], b2)
    put_six(x, at + 24, more(t, x[i + 27], b3))
    t = more(more(more(b5, x[i + 30], b0), x[i + 31], b1), x[i + 32], b2)
    put_six(x, at + 30, more(more(t, x[i + 33], b3), x[i + 34], b4))


@packed_kernel
def below_upper(x, at, inverse):
    """B <- U^-T B: `inverse` is the block `factor_both` has made."""
    b0, b1, b2 = six(x, at), six(x, at + 6), six(x, at + 12)
    b3, b4, b5 = six(x, at + 18), six(x, at + 24), six(x, at + 30)
    i = inverse
    put_six(x, at, scaled(x[i], b0))
    put_six(x, at + 6, more(scaled(x[i + 1], b0), x[i + 7], b1))
    put_six(x, at + 12, more(more(scaled(x[i + 2], b0), x[i + 8], b1), x[i + 14], b2))
    t = more(more(scaled(x[i + 3], b0), x[i + 9], b1), x[i + 15], b2)
    put_six(x, at + 18, more(t, x[i + 21], b3))
    t = more(more(scaled(x[i + 4], b0), x[i + 10], b1), x[i + 16], b2)
    put_six(x, at + 24, more(more(t, x[i + 22], b3), x[i + 28], b4))
    t = more(more(scaled(x[i + 5], b0), x[i + 11], b1), x[i + 17], b2)
    put_six(x, at + 30, more(more(more(t, x[i + 23], b3), x[i + 29], b4), x[i + 35], b5))


@kernel
def lower_times(x, at, a):
    """L^-1 a, of a block `factor_both` has made."""
    return (
        a[0],
        a[1] + x[at + 6] * a[0],
        a[2] + x[at + 12] * a[0] + x[at + 13] * a[1],
        a[3] + x[at + 18] * a[0] + x[at + 19] * a[1] + x[at + 20] * a[2],
        a[4] + x[at + 24] * a[0] + x[at + 25] * a[1] + x[at + 26] * a[2] + x[at + 27] * a[3],
        a[5]
        + x[at + 30] * a[0]
        + x[at + 31] * a[1]
        + x[at + 32] * a[2]
        + x[at + 33] * a[3]
        + x[at + 34] * a[4],
    )


@kernel
def upper_times(x, at, a):
    """U^-1 a, of a block `factor_both` has made."""
    return (
        x[at] * a[0]
        + x[at + 1] * a[1]
        + x[at + 2] * a[2]
        + x[at + 3] * a[3]
        + x[at + 4] * a[4]
        + x[at + 5] * a[5],
        x[at + 7] * a[1]
        + x[at + 8] * a[2]
        + x[at + 9] * a[3]
        + x[at + 10] * a[4]
        + x[at + 11] * a[5],
        x[at + 14] * a[2] + x[at + 15] * a[3] + x[at + 16] * a[4] + x[at + 17] * a[5],
        x[at + 21] * a[3] + x[at + 22] * a[4] + x[at + 23] * a[5],
        x[at + 28] * a[4] + x[at + 29] * a[5],
        x[at + 35] * a[5],
    )
