"""A start for `coulomb` by Lemke's method: friction with a polygon in the place of the cone.

    y_n = x_n - least,    x_t = sum_j d_j f_j,    a slack s

    0 <= y_n  |  u_n >= 0,      0 <= f_j  |  d_j . u_t + s >= 0,
    0 <= s    |  mu (y_n + least) - sum_j f_j >= 0

In the plane d = -1, 1 and this is the law itself: pivots come to an answer with every W of
contacts (Stewart and Trinkle 1996), dependent ones too. In space it is near one. Velocities are
over `speed`, impulses over `speed` / w.
"""

import math

from dalembert._divided import Divided
from dalembert._jit import apart, kernel
from dalembert._memory import over
from dalembert._records import Matrix, Numbers, value
from dalembert.contact.solvers.comparison.pivoting import SOLVED, floats_of_pivoting, lemke_pivots

CORNERS = 8
"""Directions of the polygon in space."""

MOST_UNKNOWNS = 160
"""Unknowns of the largest problem that there is room for."""

PIVOTS = 50
"""Most pivots, times unknowns."""


@value
class Unknowns:
    """How many unknowns a problem has."""

    m: int


class Pivots(Divided, by=Unknowns):
    """w = A z + q, and room for its pivots."""

    A: Matrix = over("m", "m")
    q: Numbers = over("m")
    z: Numbers = over("m")
    scratch: Numbers = over("pivoting")


def floats_of_pivots(count: int) -> int:
    """Room for the pivots of so many contacts, as far as there is one."""
    m = min((CORNERS + 2) * count, MOST_UNKNOWNS)
    return Pivots.length(m=m, pivoting=floats_of_pivoting.function(m))


@kernel
def directions(dim):
    """How many directions of friction a contact has."""
    return 0 if dim == 1 else (2 if dim == 2 else CORNERS)


@kernel
def unknowns(dim):
    """How many unknowns a contact has."""
    return 1 if dim == 1 else directions(dim) + 2


@kernel
def part(dim, k, row):
    """Entry of a row of a contact in its k-th unknown: normal, directions, slack."""
    if k == 0:
        return 1.0 if row == 0 else 0.0
    if row == 0 or k == directions(dim) + 1:
        return 0.0
    if dim == 2:
        return -1.0 if k == 1 else 1.0
    angle = 2.0 * math.pi * (k - 1) / CORNERS
    return math.cos(angle) if row == 1 else math.sin(angle)


@apart(bool)
def pivoted(impact, speed):
    """x by pivots. Whether there is room, and an answer."""
    m = 0
    for c in range(impact.count):
        if impact.member[c] > 0.0:
            if impact.owner[c] >= 0:
                return False  # a disc that another contact bounds is none of its unknowns
            m += unknowns(impact.dim[c])
    if m > MOST_UNKNOWNS or not speed > 0.0:
        return False
    own, at = Pivots(Unknowns(m), impact.pivots), 0
    for c in range(impact.count):
        if impact.member[c] > 0.0:
            write_rows(impact, c, at, own.A, own.q, speed)
            at += unknowns(impact.dim[c])
    status, _ = lemke_pivots(own.A, own.q, own.z, PIVOTS * m, own.scratch)
    if status != SOLVED:
        return False
    read(impact, own.z, speed)
    return True


@kernel
def write_rows(impact, c, at, A, q, speed):
    """Rows of a contact: velocities of its unknowns, and the bound of friction."""
    dim, mu = impact.dim[c], impact.friction(c)
    scale = 1.0 / math.sqrt(impact.weight[c])
    last = directions(dim) + 1
    for k in range(1 if dim == 1 else last):
        free = 0.0
        for row in range(dim):
            i = impact.first[c] + row
            total = impact.q[i]
            for other in range(impact.count):
                if impact.member[other] > 0.0:
                    total += impact.W[i, impact.first[other]] * impact.least[other]
            free += part(dim, k, row) * total
        q[at + k] = scale * free / speed
        write_row(impact, c, k, A[at + k], scale)
    if dim > 1:
        for k in range(len(q)):
            A[at + last, k] = 0.0
        for k in range(1, last):
            A[at + k, at + last] = 1.0
            A[at + last, at + k] = -1.0
        A[at + last, at] = mu
        q[at + last] = mu * impact.least[c] / (scale * speed)


@kernel
def write_row(impact, c, k, entries, scale):
    """Velocity of the k-th unknown of a contact by all others."""
    to = 0
    for other in range(impact.count):
        if impact.member[other] > 0.0:
            by = scale / math.sqrt(impact.weight[other])
            for j in range(unknowns(impact.dim[other])):
                total = 0.0
                for row in range(impact.dim[c]):
                    a = part(impact.dim[c], k, row)
                    if a != 0.0:
                        i, r = impact.first[c] + row, impact.first[other]
                        for col in range(impact.dim[other]):
                            total += a * impact.W[i, r + col] * part(impact.dim[other], j, col)
                entries[to] = by * total
                to += 1


@kernel
def read(impact, z, speed):
    """x from the unknowns."""
    for i in range(impact.n):
        impact.x[i] = 0.0
    at = 0
    for c in range(impact.count):
        if impact.member[c] > 0.0:
            scale = speed / math.sqrt(impact.weight[c])
            dim = impact.dim[c]
            for row in range(dim):
                total = impact.least[c] if row == 0 else 0.0
                for k in range(unknowns(dim)):
                    total += scale * part(dim, k, row) * z[at + k]
                impact.x[impact.first[c] + row] = total
            at += unknowns(dim)
