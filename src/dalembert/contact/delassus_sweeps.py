"""Sweeps of Gauss-Seidel over contacts given by W: each by itself, exactly, one after the other.

The momentum, and what ends it, are those of `contact.gauss_seidel`. As u = W x + q is at hand, u
goes on in proportion to x. `allowance` a is the work another method would take, in sweeps: they end
after k of them when the rate of the last promises r more with k r > a^2 / 2. What has been done in
vain is then of the order of what comes after it.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.delassus_rows import (
    COUNT,
    DIM,
    GOOD_U,
    GOOD_X,
    LAST_U,
    LAST_X,
    LOCAL,
    LOCAL_FLOATS,
    MU,
    OBLIQUE,
    WEIGHT,
    U,
    X,
    add_columns,
    load,
    residual,
    times,
)
from dalembert.contact.local import contact, inverse_of
from dalembert.contact.oblique import oblique_contact, oblique_inverse
from dalembert.numerics.small import matrix, put_matrix, put_symmetric, symmetric

MOMENTUM, RUNAWAY, PATIENCE, LOOK_EVERY = 0.85, 4.0, 20, 10
"""See `contact.gauss_seidel`."""

FRESH = 8
"""Looks after which u is calculated anew from x."""

MOST_LOOKS = 1e9


@kernel
def local_responses(integers, numbers):
    """Inverses of the contacts' own W, which stands in the first nine floats by its rows."""
    for i in range(integers[COUNT]):
        at = integers[LOCAL] + LOCAL_FLOATS * i
        W = matrix(numbers, at)
        if integers[OBLIQUE] == 1:
            put_matrix(numbers, at + 9, oblique_inverse(W, integers[DIM] == 2))
        else:
            own = (W[0], W[1], W[2], W[4], W[5], W[8])
            put_symmetric(numbers, at, own)
            put_symmetric(numbers, at + 9, inverse_of(own))


@kernel
def sweep(integers, numbers, backwards):
    """One sweep. Returns the largest change of an impulse, as a velocity: max w |change|."""
    count, dim, largest = integers[COUNT], integers[DIM], 0.0
    for k in range(count):
        i = count - 1 - k if backwards else k
        at, own = integers[X] + dim * i, integers[LOCAL] + LOCAL_FLOATS * i
        if not numbers[own] > 0.0:
            continue
        old, u = load(numbers, at, dim), load(numbers, integers[U] + dim * i, dim)
        mu = numbers[integers[MU] + i]
        if integers[OBLIQUE] == 1:
            new = oblique_contact(matrix(numbers, own), matrix(numbers, own + 9), u, old, mu)
        else:
            new = contact(symmetric(numbers, own), symmetric(numbers, own + 9), u, old, mu)
        a, b, c = new[0] - old[0], new[1] - old[1], new[2] - old[2]
        if a != 0.0 or b != 0.0 or c != 0.0:
            numbers[at], numbers[at + 1] = new[0], new[1]
            if dim == 3:
                numbers[at + 2] = new[2]
            add_columns(integers, numbers, i, (a, b, c))
            change = numbers[integers[WEIGHT] + i] * math.sqrt(a * a + b * b + c * c)
            largest = max(largest, change)
    return largest


@kernel
def copy(integers, numbers, source, target):
    """One vector over rows to another."""
    for i in range(integers[DIM] * integers[COUNT]):
        numbers[target + i] = numbers[source + i]


@kernel
def _extrapolate(integers, numbers, momentum):
    """(x, u) go on the way of the last sweep; LAST_X and LAST_U are where it ended."""
    for i in range(integers[DIM] * integers[COUNT]):
        at, last = integers[X] + i, integers[LAST_X] + i
        ended = numbers[at]
        numbers[at] = ended + momentum * (ended - numbers[last])
        numbers[last] = ended
        at, last = integers[U] + i, integers[LAST_U] + i
        ended = numbers[at]
        numbers[at] = ended + momentum * (ended - numbers[last])
        numbers[last] = ended


@kernel
def _begin(integers, numbers):
    """Where the last sweep ended is here."""
    copy(integers, numbers, integers[X], integers[LAST_X])
    copy(integers, numbers, integers[U], integers[LAST_U])


@kernel
def sweeps(integers, numbers, tolerance, budget, allowance):
    """At most `budget` sweeps from X. Leaves the best (X, U) that was looked at.

    Returns how many there were, and what is left.
    """
    times(integers, numbers)
    best = residual(integers, numbers)
    copy(integers, numbers, integers[X], integers[GOOD_X])
    copy(integers, numbers, integers[U], integers[GOOD_U])
    _begin(integers, numbers)
    plain, begun, idle, done, looks = False, 0, 0, 0, 0
    last, second, third = math.inf, math.inf, math.inf
    while done < budget and best > tolerance:
        change = sweep(integers, numbers, plain and done % 2 == 1)
        done += 1
        if change <= tolerance or done % LOOK_EVERY == 0 or done == budget:
            looks += 1
            if looks % FRESH == 0 or change <= tolerance:
                times(integers, numbers)
            now = residual(integers, numbers)
            idle += 1
            if now < best:
                best, idle = now, 0
                copy(integers, numbers, integers[X], integers[GOOD_X])
                copy(integers, numbers, integers[U], integers[GOOD_U])
            elif not (now < math.inf):
                break
            elif idle == PATIENCE or (now > RUNAWAY * best and not plain):
                plain, idle, begun = not plain, 0, 0
                copy(integers, numbers, integers[GOOD_X], integers[X])
                copy(integers, numbers, integers[GOOD_U], integers[U])
                _begin(integers, numbers)
            if done % LOOK_EVERY == 0:
                ahead = 3 * LOOK_EVERY * _looks_left(tolerance, now, third)
                if done * ahead > 0.5 * allowance * allowance:
                    break
                last, second, third = now, last, second
        if not plain and done < budget:
            _extrapolate(integers, numbers, min(begun / (begun + 3.0), MOMENTUM))
            begun += 1
    copy(integers, numbers, integers[GOOD_X], integers[X])
    times(integers, numbers)
    return done, residual(integers, numbers)


@kernel
def _looks_left(tolerance, now, before):
    """Times the way from `before` to `now` until the tolerance is reached, at the same rate."""
    if now <= tolerance or before == math.inf:
        return 0.0
    if not (now < 0.999 * before):
        return MOST_LOOKS
    return math.log(tolerance / now) / math.log(now / before)
