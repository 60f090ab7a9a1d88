"""The complementarity problem of an island's contacts: its unknowns, M and q (see `lemke`).

Everything stands in one array of numbers: first the rows of the island in full, then the unknowns.
"""

import math

from dalembert._jit import kernel
from dalembert._native import matrix_view
from dalembert._records import Matrix, Numbers, Place, value
from dalembert.contact.problem.layout import BOX, CONE, EQ, UNI, Problem
from dalembert.contact.solvers.comparison.pivoting import floats_of_pivoting


class Unknown(Place):
    """An impulse along one row or two, lam_row = ... + weight x, or a multiplier."""

    class numbers:
        first: float  # row, -1: none
        first_weight: float
        second: float
        second_weight: float
        multiplier: float  # 1: of a bound, and no impulse


UNKNOWN = Unknown.entries("numbers")


@value
class Full:
    """Rows of an island: [W | q], and of every row its sort, scale, impulse without unknowns."""

    W: Matrix
    bilateral: Numbers  # 1: it has no bounds; 2: and is solved for its impulse
    scale: Numbers  # diagonal of W as it was; of a contact the mean over its rows
    offset: Numbers  # impulse where its unknowns are zero
    lam: Numbers

    @staticmethod
    def of(rows, room):
        """So many rows, at the begin of an array."""
        W, rest = matrix_view(room, 0, rows, rows + 1), room[rows * (rows + 1) :]
        bilateral, scale = rest[:rows], rest[rows : 2 * rows]
        return Full(W, bilateral, scale, rest[2 * rows : 3 * rows], rest[3 * rows : 4 * rows])

    @property
    def rows(self):
        """Number of rows."""
        return len(self.scale)

    def free(self, i):
        """q of a row."""
        return self.W[i, self.rows]


@value
class Complementarity:
    """w = M z + q of n unknowns, and what they stand for."""

    M: Matrix
    q: Numbers
    z: Numbers
    table: Numbers
    scratch: Numbers

    @staticmethod
    def of(n, room):
        """A problem of n unknowns, at the begin of an array."""
        M, rest = matrix_view(room, 0, n, n), room[n * n :]
        table, scratch = rest[2 * n : (2 + UNKNOWN) * n], rest[(2 + UNKNOWN) * n :]
        return Complementarity(M, rest[:n], rest[n : 2 * n], table, scratch)

    @property
    def count(self):
        """Number of unknowns."""
        return len(self.q)

    def unknown(self, i):
        """An unknown by its number."""
        return Unknown(self.table, UNKNOWN * i)

    def push(self, i, row, weight):
        """Make unknown i the impulse of a row."""
        self.push_pair(i, row, weight, -1, 0.0)

    def push_pair(self, i, row, weight, second, second_weight):
        """Make unknown i an impulse along two rows."""
        one = self.unknown(i)
        one.first, one.first_weight = float(row), weight
        one.second, one.second_weight, one.multiplier = float(second), second_weight, 0.0

    def bound(self, i, k):
        """Make unknown k the multiplier of a bound of unknown i."""
        self.M[k, i], self.M[i, k] = -1.0, 1.0

    def multiplier(self, i):
        """Make unknown i a multiplier."""
        self.push(i, -1, 0.0)
        self.unknown(i).multiplier = 1.0


@kernel
def numbers_needed(rows, n):
    """Length of the array for so many rows and unknowns."""
    return rows * (rows + 1) + 4 * rows + n * n + (2 + UNKNOWN) * n + floats_of_pivoting(n)


@kernel
def lemke_size(problem: Problem, island, directions):
    """Unknowns of the complementarity problem of an island."""
    n = 0
    for block in problem.blocks_of(island):
        if block.kind == CONE:
            n += directions + 2
        elif block.kind == UNI:
            n += block.dim
        elif block.kind == BOX:
            for i in range(block.row, block.end):
                n += 1 if problem.lower[i] > -math.inf else 0
                n += 1 if problem.upper[i] < math.inf else 0
    return n


@kernel
def list_box(lcp, full, row, n, lower, upper):
    """The unknowns of a row with bounds, from number n on. Returns the next number."""
    if lower > -math.inf and upper < math.inf:
        full.offset[row] = lower
        lcp.q[n + 1] = (upper - lower) * math.sqrt(full.scale[row])
        lcp.bound(n, n + 1)
        lcp.push(n, row, 1.0)
        lcp.multiplier(n + 1)
        return n + 2
    if lower > -math.inf:
        full.offset[row] = lower
        lcp.push(n, row, 1.0)
        return n + 1
    if upper < math.inf:
        full.offset[row] = upper
        lcp.push(n, row, -1.0)
        return n + 1
    return n


@kernel
def list_contact(lcp, row, n, mu, directions):
    """The unknowns of a contact, from number n on. Returns the next number."""
    beta = n + directions + 1
    lcp.push(n, row, 1.0)
    lcp.M[beta, n] = mu
    for d in range(directions):
        angle = 2.0 * math.pi * d / directions
        lcp.bound(n + 1 + d, beta)
        lcp.push_pair(n + 1 + d, row + 1, math.cos(angle), row + 2, math.sin(angle))
    lcp.multiplier(beta)
    return beta + 1


@kernel
def list_unknowns(problem: Problem, island, directions, full, lcp):
    """Unknowns, the rows of their bounds in M and q, and the impulse of each row at x = 0.

    Scaled: lam_row = offset_row + (sum of weight x) / sqrt(scale_row).
    """
    n, row = 0, 0
    for block in problem.blocks_of(island):
        if block.kind == CONE:
            n = list_contact(lcp, row, n, block.mu.sliding, directions)
        else:
            for i in range(block.dim):
                own = block.row + i
                if block.kind == UNI:
                    lcp.push(n, row + i, 1.0)
                    n += 1
                elif block.kind == BOX:
                    n = list_box(lcp, full, row + i, n, problem.lower[own], problem.upper[own])
        row += block.dim


@kernel
def add_row(full, lcp, i, row, weight):
    """The part of one of its rows in q_i and M_ij."""
    if row < 0:
        return
    u = full.free(row)
    for r in range(full.rows):
        u += full.W[row, r] * full.offset[r]
    lcp.q[i] += weight * u / math.sqrt(full.scale[row])
    for j in range(lcp.count):
        other = lcp.unknown(j)
        if other.first >= 0.0:
            entry = scaled_entry(full, row, int(other.first))
            lcp.M[i, j] += weight * other.first_weight * entry
        if other.second >= 0.0:
            entry = scaled_entry(full, row, int(other.second))
            lcp.M[i, j] += weight * other.second_weight * entry


@kernel
def scaled_entry(full, i, j):
    """W_ij of the problem with a diagonal of ones."""
    return full.W[i, j] / math.sqrt(full.scale[i] * full.scale[j])


@kernel
def fill_problem(full, lcp):
    """M and q of the unknowns that are impulses."""
    for i in range(lcp.count):
        one = lcp.unknown(i)
        if one.multiplier == 0.0:
            add_row(full, lcp, i, int(one.first), one.first_weight)
            add_row(full, lcp, i, int(one.second), one.second_weight)


@kernel
def mark_rows(problem: Problem, island, full):
    """Which rows are bilateral; the scale of every row; no offsets."""
    row, W, scale = 0, full.W, full.scale
    for block in problem.blocks_of(island):
        mean = 0.0
        for i in range(row, row + block.dim):
            mean += W[i, i] / block.dim
        for own in range(block.row, block.end):
            full.offset[row], full.bilateral[row], scale[row] = 0.0, 0.0, W[row, row]
            free = problem.lower[own] == -math.inf and problem.upper[own] == math.inf
            if block.kind == EQ or (block.kind == BOX and free):
                full.bilateral[row] = 1.0
            elif block.kind == CONE:
                scale[row] = mean  # one for the block: directions mix its rows
            if not scale[row] > 0.0:
                scale[row] = 1.0
            row += 1


@kernel
def gather(full, lcp):
    """Impulses of all rows from the unknowns; the bilateral ones from the others."""
    lam, bilateral = full.lam, full.bilateral
    for r in range(full.rows):
        lam[r] = full.offset[r]
    for i in range(lcp.count):
        one = lcp.unknown(i)
        if one.first >= 0.0:
            row = int(one.first)
            lam[row] += one.first_weight * lcp.z[i] / math.sqrt(full.scale[row])
        if one.second >= 0.0:
            row = int(one.second)
            lam[row] += one.second_weight * lcp.z[i] / math.sqrt(full.scale[row])
    for r in range(full.rows):
        if bilateral[r] == 2.0:
            # A solved row holds -lam = q + W lam of the others.
            total = full.free(r)
            for c in range(full.rows):
                if bilateral[c] == 0.0:
                    total += full.W[r, c] * lam[c]
            lam[r] = -total


@kernel
def spread(problem: Problem, island, lam):
    """Impulses to where the problem keeps them."""
    row = 0
    for block in problem.blocks_of(island):
        for i in range(block.row, block.end):
            problem.lam[i] = lam[row]
            row += 1
