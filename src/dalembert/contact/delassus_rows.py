"""Contacts given by W, q and mu as two flat arrays, and what is left of their laws.

    u = W x + q,      W by columns, of each contact the rows in which it has entries (runs)

A contact has two rows (planar: normal, tangent) or three. The natural map of `contact.residuals` is
taken twice: with w, the mean diagonal of a contact's own W, which no change of units alters, and
with PLAIN, a weight of one in the units the problem was given in, as collections of problems do:

    left = w | x - P_K(x - (u + mu |u_t| n) / w) |,       its squares summed over the contacts.

Where impulses run away, as without a solution, u disappears beside w x and nothing seems left: the
rounding of w x counts as well.
"""

import math
from typing import Any

from dalembert._jit import kernel
from dalembert.contact.projections import cone

(
    COUNT,
    DIM,
    OBLIQUE,
    X,
    U,
    Q,
    MU,
    WEIGHT,
    LOCAL,
    LAST_X,
    LAST_U,
    GOOD_X,
    GOOD_U,
    FIRST,
    RUN,
    PLAIN,
) = range(16)
"""Head of `integers`: contacts, rows of one, whether W is unsymmetric; starts of vectors in
`numbers`, of the first run of every contact and of the runs in `integers`; of PLAIN in `numbers`.
"""

HEAD, RUN_RECORD, LOCAL_FLOATS = 16, 3, 18
"""Length of the head; integers of a run: its first row, its length, where its entries begin (all of
one column, then the next); floats of a contact's own response and its inverse."""


def sizes(n: int, d: int) -> dict[int, int]:
    """Lengths of the vectors of n contacts, in their order in `numbers`."""
    return {
        X: n * d, U: n * d, Q: n * d, MU: n, WEIGHT: n, LOCAL: LOCAL_FLOATS * n, LAST_X: n * d,
        LAST_U: n * d, GOOD_X: n * d, GOOD_U: n * d, PLAIN: 1,
    }  # fmt: skip


def lay_out(integers: Any, lengths: dict[int, int], n: int, d: int) -> None:
    """The head of `integers`."""
    at = 0
    for name, length in lengths.items():
        integers[name] = at
        at += length
    integers[COUNT], integers[DIM] = n, d
    integers[FIRST], integers[RUN] = HEAD, HEAD + n + 1


ROUNDING, EPSILON = 2e-15, 1.2e-16
"""Rounding of a natural map, over the impulses it is made of; of one number."""


@kernel
def load(numbers, at, dim):
    """Normal and tangents of a contact; a planar one has a second tangent of zero."""
    return numbers[at], numbers[at + 1], numbers[at + 2] if dim == 3 else 0.0


@kernel
def left_over(x, u, mu, w):
    """Square of the natural map of one contact."""
    shift = mu * math.sqrt(u[1] * u[1] + u[2] * u[2])
    z = (w * x[0] - u[0] - shift, w * x[1] - u[1], w * x[2] - u[2])
    y = cone(z, 1.0, 1.0, mu)
    a, b, c = w * x[0] - y[0], w * x[1] - y[1], w * x[2] - y[2]
    return a * a + b * b + c * c


@kernel
def residual(integers, numbers):
    """Residual at X and U: the larger of both natural maps, rounding included.

    That with PLAIN is left out where it is nothing but the rounding of large impulses. NaN anywhere
    gives infinity.
    """
    dim, plain = integers[DIM], numbers[integers[PLAIN]]
    own, other, size, pressed = 0.0, 0.0, 0.0, 0.0
    for i in range(integers[COUNT]):
        x, u = (
            load(numbers, integers[X] + dim * i, dim),
            load(numbers, integers[U] + dim * i, dim),
        )
        mu = numbers[integers[MU] + i]
        w = numbers[integers[WEIGHT] + i]
        own += left_over(x, u, mu, w)
        other += left_over(x, u, mu, plain)
        square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2]
        size, pressed = size + square, pressed + w * w * square
    own, other = math.sqrt(own) + EPSILON * math.sqrt(pressed), math.sqrt(other)
    if other > ROUNDING * plain * math.sqrt(size):
        own = max(own, other)
    return own if own < math.inf else math.inf


@kernel
def times(integers, numbers):
    """U = W X + Q."""
    dim, u = integers[DIM], integers[U]
    for i in range(dim * integers[COUNT]):
        numbers[u + i] = numbers[integers[Q] + i]
    for i in range(integers[COUNT]):
        x = load(numbers, integers[X] + dim * i, dim)
        if x[0] != 0.0 or x[1] != 0.0 or x[2] != 0.0:
            add_columns(integers, numbers, i, x)


@kernel
def add_columns(integers, numbers, i, change):
    """U += W change, of one contact's columns."""
    u = integers[U]
    for k in range(integers[integers[FIRST] + i], integers[integers[FIRST] + i + 1]):
        run = integers[RUN] + RUN_RECORD * k
        row, length, at = u + integers[run], integers[run + 1], integers[run + 2]
        if integers[DIM] == 3:
            add_three(numbers, row, change, at, length)
        else:
            add_two(numbers, row, change, at, length)


@kernel
def add_three(numbers, y, s, x, count):
    """y += s_0 x_0 + s_1 x_1 + s_2 x_2, columns one after the other."""
    a, b, c = s
    for k in range(count):
        numbers[y + k] += (
            a * numbers[x + k] + b * numbers[x + count + k] + c * numbers[x + 2 * count + k]
        )


@kernel
def add_two(numbers, y, s, x, count):
    """y += s_0 x_0 + s_1 x_1."""
    for k in range(count):
        numbers[y + k] += s[0] * numbers[x + k] + s[1] * numbers[x + count + k]


@kernel
def figures(integers, numbers, still):
    """Figures of X, with U = W X + Q: largest natural map, what is left of each law, work, counts.

    Returns that map, the largest speed of approach, |x_n u_n|, |x_t| - mu x_n and
    |x_t . u_t + mu x_n |u_t||, half of x . u, and how many stick and are open. A contact sticks
    that is inside its cone, or slides no faster than `still` and that map.
    """
    times(integers, numbers)
    dim, largest = integers[DIM], 0.0
    for i in range(integers[COUNT]):
        x, u = (
            load(numbers, integers[X] + dim * i, dim),
            load(numbers, integers[U] + dim * i, dim),
        )
        square = left_over(x, u, numbers[integers[MU] + i], numbers[integers[WEIGHT] + i])
        largest = max(largest, math.sqrt(square))
    approach, complementary, cone_left, dissipated, work = 0.0, 0.0, 0.0, 0.0, 0.0
    sticking, opening = 0, 0
    for i in range(integers[COUNT]):
        x, u = (
            load(numbers, integers[X] + dim * i, dim),
            load(numbers, integers[U] + dim * i, dim),
        )
        mu = numbers[integers[MU] + i]
        slip = math.sqrt(u[1] * u[1] + u[2] * u[2])
        friction, limit = math.sqrt(x[1] * x[1] + x[2] * x[2]), mu * x[0]
        power = x[1] * u[1] + x[2] * u[2]
        approach = max(approach, -u[0])
        complementary = max(complementary, abs(x[0] * u[0]))
        cone_left = max(cone_left, friction - limit)
        dissipated = max(dissipated, abs(power + limit * slip))
        work += 0.5 * (x[0] * u[0] + power)
        if x[0] <= 0.0:
            opening += 1
        elif mu > 0.0 and (friction < (1.0 - 1e-9) * limit or slip <= max(largest, still)):
            sticking += 1
    return largest, approach, complementary, cone_left, dissipated, work, sticking, opening
