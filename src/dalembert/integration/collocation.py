"""Collocation: implicit Runge-Kutta methods of high order for stiff motion, Gauss and Radau IIA.

A polynomial of degree s through x_n obeys x' = f(t, x) at the nodes c_1 ... c_s of the step; with
its increments Z_i = X_i - x_n at the nodes

    Z_i = h sum_j a_ij f(t + c_j h, x_n + Z_j),        a_ij = int_0^c_i l_j,
    x_{n+1} = x_n + sum_i d_i Z_i,                     d = b A^-1.

Gauss: nodes are the zeros of the shifted Legendre polynomial, order 2 s, symplectic; quadratic
invariants (the energy of linear springs, the length of a quaternion) are kept to rounding.
Radau IIA: c_s = 1, order 2 s - 1, L-stable and stiffly accurate: d = (0, ..., 0, 1), motion that
the step does not resolve is damped out at once. Hairer, Norsett & Wanner, Solving Ordinary
Differential Equations I, theorem II.7.7; Hairer & Wanner, II, tables IV.5.1, 5.2, 5.6.

Newton's method (II, section IV.8) with one matrix F of the rates for all stages,

    (I - h A (x) F) dZ = -(Z - h (A (x) I) f),

falls apart where A = T D T^-1 has blocks: one of size n for the real eigenvalue of A (s odd), one
of size 2 n for each complex pair,

    D = (mu)  or  ( a  b)
                  (-b  a).

F affects the number of iterations only. A run begins with F = 0, fixed-point iteration, which is
quick where nothing is stiff and needs no matrices however many bodies there are. Where that does
not contract, F is made by differences and kept from step to step until it stops contracting too. A
step begins with the polynomial of the last one; one that finds no solution is taken in parts.

Where a step does not resolve a stiff force, the error it adds is of the order of the stages, s for
Gauss and s + 1 over the stiffness for Radau IIA (II, section IV.15); the rest keeps its order.
"""

import math
from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert.errors import OptionError
from dalembert.integration.collocation_tables import (
    A4,
    A5,
    A6,
    C4,
    C5,
    C6,
    D4,
    D5,
    D6,
    EIGEN4,
    EIGEN5,
    EIGEN6,
    INVERSE4,
    INVERSE5,
    INVERSE6,
    T4,
    T5,
    T6,
)
from dalembert.integration.protocol import Integrator, hermite_scratch
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.system.borders import NEEDS_GENERAL, NO_CONVERGENCE, OK, STEPPING, rates
from dalembert.system.layout import (
    INTEGRATOR_FLAG,
    INTEGRATOR_SCRATCH,
    ITERATIONS,
    LAM,
    LENGTH,
    NEAR_COUNT,
    NQ,
    NV,
    ROWS,
    scratch_matrix,
    scratch_vector,
    vector,
)

CAP = 40
"""Newton steps allowed, renewals of the matrix included."""

NOISE = 1e-10
"""Relative change that counts as rounding once a renewed matrix brings no gain."""

ROUNDING = 4e-16
"""Relative change below which a stage is what it is."""

EPSILON = 2.2e-16

CLOSE = 1e-7
"""Relative change with which a step may pass next to a singular position; in k parts, k^2 times."""

LARGE = 1600
"""Size of the state above which no matrix is made, about 120 bodies."""

NO_MATRIX, FACTORED, WANTED = range(3)
"""Values of INTEGRATOR_FLAG."""

(
    STEP_OF_FACTORS,
    NOISE_OF_RATES,
    STEP_OF_POLYNOMIAL,  # 0: there is none
    ROUGH,  # 1: stages accepted next to a singular position
    POLYNOMIAL_END,  # time since the polynomial began, in its steps
    FALLBACK,  # 1: the stages in `best` will do
) = range(6)
MEMORY_COUNT = 6
"""Count of numbers that are remembered from step to step."""

FAR = 3.0
"""Steps over which a polynomial is continued at most."""

PARTS = 8
"""Parts that a step may be taken in, a power of two."""

AMPLIFIED = 30.0
"""Changes of that many times the estimated noise may be noise."""


# -- the step ------------------------------------------------------------------------------------
# Vectors of all stages (Z, f, W) hold one stage behind the other.


@kernel
def predict(s, n, C, end, ratio, kept, Z):
    """Z_i = p(end + ratio c_i) - p(end): the polynomial of the last step (end = 1), continued."""
    for i in range(s):
        for k in range(n):
            Z[i * n + k] = 0.0
        for j in range(s):
            # l_j of the nodes 0, c_1 ... c_s, at both ends of the increment
            at = end + ratio * C[i]
            there, here = at / C[j], end / C[j]
            for m in range(s):
                if m != j:
                    there *= (at - C[m]) / (C[j] - C[m])
                    here *= (end - C[m]) / (C[j] - C[m])
            for k in range(n):
                Z[i * n + k] += (there - here) * kept[j * n + k]


@kernel
def rates_at(work, sizes, t, h, q, v, z, column, width, x, f):
    """f(t, x) with x = x_n + z, and `width` more in one component if `column` is not negative."""
    nq, nv = sizes[NQ], sizes[NV]
    for k in range(nq):
        x[k] = q[k] + z[k]
    for k in range(nv):
        x[nq + k] = v[k] + z[nq + k]
    if column >= 0:
        x[column] += width
    lam = vector(work, sizes, LAM, ROWS)
    return rates(work, sizes, t, h, x[:nq], x[nq:], f[:nq], f[nq:], lam)


@kernel
def difference_matrix(work, sizes, t, h, q, v, z, f, x, moved, F):
    """F = df/dx at x_n + z, where the rates are f, by forward differences."""
    nq, n = sizes[NQ], sizes[NQ] + sizes[NV]
    for j in range(n):
        size = abs(q[j] + z[j]) if j < nq else abs(v[j - nq] + z[j])
        width = 1e-7 * max(work[sizes[LENGTH]], size)
        status = rates_at(work, sizes, t, h, q, v, z, j, width, x, moved)
        if status != OK:
            return status
        for i in range(n):
            F[i, j] = (moved[i] - f[i]) / width
    return OK


@kernel
def noise_of_rates(sizes, h, q, v, F):
    """Rounding of the state as the rates amplify it: eps h max_i sum_j |F_ij| |x_j|."""
    nq, n = sizes[NQ], sizes[NQ] + sizes[NV]
    worst = 0.0
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += abs(F[i, j]) * (abs(q[j]) if j < nq else abs(v[j - nq]))
        worst = max(worst, total)
    return EPSILON * h * worst


@kernel
def block_places(sizes, s):
    """Where in the scratch the factors begin, and their interchanges: behind output and F."""
    n = sizes[NQ] + sizes[NV]
    square = n * n if n <= LARGE else 0
    start = 6 * max(sizes[NQ], sizes[NV]) + square
    return start, start + (s % 2 + 4 * (s // 2)) * square


@kernel
def vectors_place(sizes, s):
    """Where in the scratch the vectors begin: behind the factors."""
    _start, pivots = block_places(sizes, s)
    return pivots + s * (sizes[NQ] + sizes[NV])


@kernel
def factor_blocks(work, sizes, h, s, eigen, F):
    """LU of I - h mu F, and of the same in real numbers for each pair mu = a + i b."""
    n = sizes[NQ] + sizes[NV]
    start, pivots = block_places(sizes, s)
    for block in range((s + 1) // 2):
        a, b = h * eigen[block, 0], h * eigen[block, 1]
        size = n if b == 0.0 else 2 * n
        B = scratch_matrix(work, sizes, INTEGRATOR_SCRATCH, start, size, size)
        for i in range(n):
            for j in range(n):
                B[i, j] = -a * F[i, j]
                if b != 0.0:
                    B[i, n + j] = -b * F[i, j]
                    B[n + i, j] = b * F[i, j]
                    B[n + i, n + j] = -a * F[i, j]
        for i in range(size):
            B[i, i] += 1.0
        order = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, pivots, size)
        if lu_factor(size, B, 1e-18, order) >= 0:
            return NO_CONVERGENCE
        start += size * size
        pivots += size
    return OK


@kernel
def solve_blocks(work, sizes, s, eigen, W):
    """W <- (I - h D (x) F)^-1 W, block by block."""
    n = sizes[NQ] + sizes[NV]
    start, pivots = block_places(sizes, s)
    row = 0
    for block in range((s + 1) // 2):
        size = n if eigen[block, 1] == 0.0 else 2 * n
        B = scratch_matrix(work, sizes, INTEGRATOR_SCRATCH, start, size, size)
        order = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, pivots, size)
        lu_solve(size, B, order, W[row : row + size])
        start += size * size
        pivots += size
        row += size


@kernel
def combine(s, n, B, x, y):
    """y <- (B (x) I) x."""
    for i in range(s):
        for k in range(n):
            y[i * n + k] = B[i, 0] * x[k]
        for j in range(1, s):
            for k in range(n):
                y[i * n + k] += B[i, j] * x[j * n + k]


@kernel
def improve(work, sizes, h, s, A, T, inverse, eigen, Z, f, W):
    """Z <- Z + dZ from the rates f, which are used up; -dZ stays in W. Returns the largest |dZ|.

    dZ = -(T (x) I) (I - h D (x) F)^-1 (T^-1 (x) I) (Z - h (A (x) I) f), F = 0 where there is no
    matrix; infinite if not a number.
    """
    n = sizes[NQ] + sizes[NV]
    combine(s, n, A, f, W)
    for k in range(s * n):
        W[k] = Z[k] - h * W[k]
    if sizes[INTEGRATOR_FLAG] != NO_MATRIX:
        combine(s, n, inverse, W, f)
        solve_blocks(work, sizes, s, eigen, f)
        combine(s, n, T, f, W)
    moved = 0.0
    for k in range(s * n):
        Z[k] -= W[k]
        moved = max(moved, abs(W[k]))
        if not abs(W[k]) < 1e300:
            return math.inf
    sizes[ITERATIONS] += 1
    return moved


@kernel
def renew(work, sizes, t, h, whole, q, v, C, eigen, Z, f, W, x, F, memory):
    """F at the middle stage where it is wanted; its factors, for this step."""
    s, n = C.shape[0], sizes[NQ] + sizes[NV]
    if sizes[INTEGRATOR_FLAG] == NO_MATRIX:
        return OK
    if sizes[INTEGRATOR_FLAG] == WANTED:
        i = s // 2
        z, part = Z[i * n : i * n + n], f[i * n : i * n + n]
        status = difference_matrix(work, sizes, t + C[i] * h, whole, q, v, z, part, x, W[:n], F)
        if status != OK:
            return status
        sizes[INTEGRATOR_FLAG] = FACTORED
        memory[STEP_OF_FACTORS] = 0.0
    if abs(memory[STEP_OF_FACTORS] - h) > 1e-6 * h:
        status = factor_blocks(work, sizes, h, s, eigen, F)
        if status != OK:
            return status
        memory[STEP_OF_FACTORS] = h
        memory[NOISE_OF_RATES] = noise_of_rates(sizes, h, q, v, F)
    return OK


@kernel
def solve_stages(
    work, sizes, t, h, whole, q, v, C, A, T, inverse, eigen, Z, f, W, best, x, F, memory
):
    """Newton's method for Z, from what it holds; h may be a part of the `whole` step."""
    s, n = C.shape[0], sizes[NQ] + sizes[NV]
    scale = work[sizes[LENGTH]]
    for i in range(sizes[NQ]):
        scale = max(scale, abs(q[i]))
    for k in range(sizes[NV]):
        scale = max(scale, abs(v[k]))
    close = CLOSE * (whole / h) * (whole / h)
    near_before = sizes[NEAR_COUNT]
    renewals = diverged = 0
    before = 1e300
    for _iteration in range(CAP):
        for i in range(s):
            z, part = Z[i * n : i * n + n], f[i * n : i * n + n]
            status = rates_at(work, sizes, t + C[i] * h, whole, q, v, z, -1, 0.0, x, part)
            if status != OK:
                return status
        renewals += 1 if sizes[INTEGRATOR_FLAG] == WANTED else 0
        status = renew(work, sizes, t, h, whole, q, v, C, eigen, Z, f, W, x, F, memory)
        if status != OK:
            return status
        moved = improve(work, sizes, h, s, A, T, inverse, eigen, Z, f, W)
        if not moved < 1e300:
            return NO_CONVERGENCE
        # Done, or the next change would be below rounding, or no further gain.
        simple = sizes[INTEGRATOR_FLAG] == NO_MATRIX
        stalled = not moved < (0.3 if not simple else 0.1 if n <= LARGE else 1.0) * before
        target = max(ROUNDING * scale, 0.1 * memory[NOISE_OF_RATES])
        if moved <= target or (not stalled and before < 1e300 and moved * moved <= target * before):
            return OK
        limit = (
            NOISE * scale
            if renewals > 1
            else max(1e-13 * scale, AMPLIFIED * memory[NOISE_OF_RATES])
        )
        if stalled and moved <= limit:
            return OK
        near = sizes[NEAR_COUNT] > near_before
        if near and moved > before:
            # Next to a singular position the rates defy any matrix: keep the best, if it is close.
            for k in range(s * n):
                Z[k] += W[k]
            if before > close * scale:
                return NO_CONVERGENCE
            memory[ROUGH] = 1.0
            return OK
        if near and stalled and moved <= NOISE * scale:
            return OK
        if stalled and simple:
            if near and moved <= close * scale:
                memory[FALLBACK] = 1.0
                for k in range(s * n):
                    best[k] = Z[k]
            sizes[INTEGRATOR_FLAG] = WANTED if n <= LARGE else NO_MATRIX
            return NO_CONVERGENCE
        if stalled and not (near and renewals > 0):
            diverged += 1 if moved > before and renewals > 0 else 0
            sizes[INTEGRATOR_FLAG] = WANTED
            if diverged > 1:
                return NO_CONVERGENCE
        before = moved
    return NO_CONVERGENCE


@kernel
def part_of_step(work, sizes, t, h, whole, q, v, C, A, D, T, inverse, eigen):
    """From t to t + h: the stages, and x_{n+1} = x_n + sum_i d_i Z_i."""
    s, nq, nv = C.shape[0], sizes[NQ], sizes[NV]
    n = nq + nv
    square = n if n <= LARGE else 0
    F = scratch_matrix(work, sizes, INTEGRATOR_SCRATCH, 6 * max(nq, nv), square, square)
    start = vectors_place(sizes, s)
    Z = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start, s * n)
    f = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + s * n, s * n)
    W = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 2 * s * n, s * n)
    kept = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 3 * s * n, s * n)
    best = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 4 * s * n, s * n)
    x = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 5 * s * n, n)
    memory = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + (5 * s + 2) * n, MEMORY_COUNT)
    memory[ROUGH] = memory[FALLBACK] = 0.0
    near_before = sizes[NEAR_COUNT]
    if memory[STEP_OF_POLYNOMIAL] > 0.0:
        predict(s, n, C, memory[POLYNOMIAL_END], h / memory[STEP_OF_POLYNOMIAL], kept, Z)
    else:
        for k in range(s * n):
            Z[k] = 0.0
    status = solve_stages(
        work, sizes, t, h, whole, q, v, C, A, T, inverse, eigen, Z, f, W, best, x, F, memory
    )
    if status != OK and status != NEEDS_GENERAL:
        # From the state itself: a prediction may lead out of the range of a formula.
        for k in range(s * n):
            Z[k] = 0.0
        if n <= LARGE and sizes[NEAR_COUNT] == near_before:
            sizes[INTEGRATOR_FLAG] = WANTED
        status = solve_stages(
            work, sizes, t, h, whole, q, v, C, A, T, inverse, eigen, Z, f, W, best, x, F, memory
        )
    if status != OK and memory[FALLBACK] == 1.0:
        memory[ROUGH] = 1.0
        sizes[INTEGRATOR_FLAG] = NO_MATRIX
        for k in range(s * n):
            Z[k] = best[k]
        status = OK
    if status != OK:
        return status
    for i in range(s):
        for k in range(nq):
            q[k] += D[i] * Z[i * n + k]
        for k in range(nv):
            v[k] += D[i] * Z[i * n + nq + k]
    if memory[ROUGH] == 1.0 and memory[STEP_OF_POLYNOMIAL] > 0.0 and memory[POLYNOMIAL_END] < FAR:
        # Continuing rough stages would make them rougher still: the last smooth ones serve on.
        memory[POLYNOMIAL_END] += h / memory[STEP_OF_POLYNOMIAL]
        return OK
    memory[STEP_OF_POLYNOMIAL] = h
    memory[POLYNOMIAL_END] = 1.0
    for k in range(s * n):
        kept[k] = Z[k]
    return OK


@kernel
def collocate(work, sizes, t, h, q, v, C, A, D, T, inverse, eigen):
    """One step; in parts where its equations are not solved in one."""
    nq, n = sizes[NQ], sizes[NQ] + sizes[NV]
    s = C.shape[0]
    start = vectors_place(sizes, s) + (5 * s + 1) * n
    first = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start, n)
    for i in range(nq):
        first[i] = q[i]
    for k in range(sizes[NV]):
        first[nq + k] = v[k]
    status = OK
    parts = 1
    while parts <= PARTS:
        part = h / parts
        for i in range(parts):
            status = part_of_step(
                work, sizes, t + i * part, part, h, q, v, C, A, D, T, inverse, eigen
            )
            if status != OK:
                break
        if status == OK or status == NEEDS_GENERAL:
            return status
        for i in range(nq):
            q[i] = first[i]
        for k in range(sizes[NV]):
            v[k] = first[nq + k]
        parts *= 2
    return status


@border(STEPPING)
def advance_4(work, sizes, t, h, q, v):
    """Gauss, two stages."""
    return collocate(work, sizes, t, h, q, v, C4, A4, D4, T4, INVERSE4, EIGEN4)


@border(STEPPING)
def advance_5(work, sizes, t, h, q, v):
    """Radau IIA, three stages."""
    return collocate(work, sizes, t, h, q, v, C5, A5, D5, T5, INVERSE5, EIGEN5)


@border(STEPPING)
def advance_6(work, sizes, t, h, q, v):
    """Gauss, three stages."""
    return collocate(work, sizes, t, h, q, v, C6, A6, D6, T6, INVERSE6, EIGEN6)


@dataclass(frozen=True)
class Collocation(Integrator):
    """Base of the two families of collocation."""

    explicit = False

    def scratch(self, nq: int, nv: int, rows: int) -> int:
        n, s = nq + nv, (self.order + 1) // 2
        matrices = 1 + s % 2 + 4 * (s // 2) if n <= LARGE else 0
        return hermite_scratch(nq, nv) + matrices * n * n + (6 * s + 2) * n + MEMORY_COUNT

    def refuse(self, method):
        if method.order == 1:
            return (
                f"{type(method).__name__} takes v* from the unconstrained system and replaces the "
                "position afterwards; an implicit step gains nothing. Use SemiImplicitEuler or RK4."
            )
        return None


@dataclass(frozen=True)
class Gauss(Collocation):
    """Order 4 or 6, symplectic, implicit.

    Parameters
    ----------
    order : 4 or 6          with two or three stages
    """

    order: int = 4  # type: ignore[misc]

    def __post_init__(self) -> None:
        if self.order not in (4, 6):
            raise OptionError(f"Gauss: order is {self.order!r}. Give 4 or 6.")

    @property
    def advance(self):
        return advance_4 if self.order == 4 else advance_6


@dataclass(frozen=True)
class RadauIIA(Collocation):
    """Order 5, implicit; damps at once what the step does not resolve.

    Choose it for stiff systems; `Gauss` keeps energy instead.
    """

    order = 5
    advance = advance_5
