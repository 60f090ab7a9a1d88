"""Exact block Gauss-Seidel (`nsgs`): one block solved alone after the other, v kept up to date.

    u = J v + b + R lam;   lam_new from the law of the block alone;   v += A^-1 J^T (lam_new - lam)

Jean and Moreau's nonsmooth contact dynamics. CONE: `contact.solvers.single_contact`. EQ: its own
inverse. UNI and BOX: row by row. ROLL: its cone first, then spin and rolling with the bounds of the
normal impulse. Blocks are taken in the order of the problem.

Each sweep begins where the last one ended and a part of its way further, lam in proportion to v:

    (v, lam)_k+1 = sweep((v, lam)_k + beta_k ((v, lam)_k - (v, lam)_k-1)),   beta_k = k / (k + 3)

Nesterov's momentum (1983), bounded: with beta up to 1 friction, which is not the gradient of any
function, makes it swing. Where the residual runs away all the same, or nothing is gained, the best
is returned to, and sweeps go on plainly, in the other direction every second time; and so in turns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dalembert._jit import apart, kernel
from dalembert._records import Place
from dalembert.contact.algebra.blocks import (
    block_add_response,
    is_simple,
    of_bodies,
    simple_add_response,
    simple_times,
)
from dalembert.contact.algebra.prepare import complete_responses, move
from dalembert.contact.algebra.residuals import block_velocity, copy_rows, copy_velocities, measure
from dalembert.contact.problem.layout import BOX, CONE, CONVERGED, EQ, STALLED, UNI, Problem
from dalembert.contact.solvers.single_contact import contact, inverse_of
from dalembert.contact.solvers.solver import ContactSolver
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.six import add_six, six
from dalembert.numerics.vector import Vec3, put_vec3, vec3

MOMENTUM = 0.85
"""Largest share of a sweep's way that is gone again."""

RUNAWAY, PATIENCE = 4.0, 20
"""Growth of the residual, and looks without progress, after which sweeps go on the other way."""

LOOK_EVERY = 10
"""Sweeps between two looks at the residual, when the changes do not ask for one."""

LONG_SWEEPS = 1000
"""Sweeps unless a budget is given."""


class Alone(Place):
    """Response W + R of a contact alone, and its inverse."""

    class numbers:
        response: Sym3
        inverse: Sym3


@kernel
def alone(problem: Problem, block):
    """The response of a contact alone."""
    return Alone(block.room(problem.delassus_inverse), 0)


@kernel
def local_inverses(problem: Problem, island):
    """Inverses of blocks alone: of CONE and ROLL (W, W^-1) of the cone, of EQ (W + R)^-1."""
    for block in problem.blocks_of(island):
        local_inverse(problem, block)


@kernel
def local_inverse(problem: Problem, block):
    """Write the inverse of one block alone."""
    W, R = block.square(problem.delassus), block.of(problem.compliance)
    if block.kind >= CONE:
        own = alone(problem, block)
        own.response = Sym3(
            W[0, 0] + R[0], W[1, 1] + R[1], W[2, 2] + R[2], W[0, 1], W[0, 2], W[1, 2]
        )
        own.inverse = inverse_of(own.response)
    elif block.kind == EQ:
        _invert(W, R, block.square(problem.delassus_inverse))


@apart(None)
def _invert(W, R, X):
    """(W + R)^-1 by symmetric sweeps, the largest pivot first.

    A row that the others repeat gets no impulse of its own: its pivot is what rounding leaves.
    """
    largest, dim = 0.0, len(R)
    for i in range(dim):
        for j in range(dim):
            X[i, j] = W[i, j]
        X[i, i] += R[i]
        largest = max(largest, X[i, i])
    swept = 0
    for _ in range(dim):
        k, d = 0, 1e-12 * largest
        for i in range(dim):
            if (swept >> i) & 1 == 0 and X[i, i] > d:
                k, d = i, X[i, i]
        if not d > 1e-12 * largest:
            break
        swept |= 1 << k
        scale = 1.0 / d
        for i in range(dim):
            t = X[i, k] * scale
            for j in range(dim):
                if i != k and j != k:
                    X[i, j] -= t * X[k, j]
        for i in range(dim):
            X[i, k] *= scale
            X[k, i] = X[i, k]
        X[k, k] = -scale
    for k in range(dim):
        if (swept >> k) & 1 == 0:
            for i in range(dim):
                X[i, k] = 0.0
                X[k, i] = 0.0
    for i in range(dim):
        for j in range(dim):
            X[i, j] = -X[i, j]


@kernel
def sweep(problem: Problem, island, backwards):
    """One sweep. Returns the largest change of an impulse, as a velocity: max w |change|."""
    largest, blocks = 0.0, problem.blocks_of(island)
    count = len(blocks)
    for k in range(count):
        block = blocks[count - 1 - k if backwards else k]
        if block.kind == CONE and is_simple(problem, block):
            change = _simple_contact(problem, block)
        elif block.kind == UNI and block.dim == 1 and of_bodies(problem, block):
            change = _simple_stop(problem, block)
        else:
            change = _general(problem, block)
        largest = max(largest, change)
    return largest


@kernel
def _simple_contact(problem: Problem, block):
    """A contact between free bodies."""
    lam, bias, R = block.of(problem.lam), block.of(problem.bias), block.of(problem.compliance)
    old, own = vec3(lam, 0), alone(problem, block)
    u = simple_times(problem, block, problem.v)
    u = Vec3(
        u.x + bias[0] + R[0] * old.x, u.y + bias[1] + R[1] * old.y, u.z + bias[2] + R[2] * old.z
    )
    new = contact(own.response, own.inverse, u, old, block.mu.sliding)
    change = new - old
    if change.x != 0.0 or change.y != 0.0 or change.z != 0.0:
        put_vec3(lam, 0, new)
        simple_add_response(problem, block, change, problem.v)
    return block.w * math.sqrt(change.dot(change))


@kernel
def _simple_stop(problem: Problem, block):
    """One row that only pushes: a gap in the position pass, a contact without friction."""
    row, J, Y, v = block.row, problem.jacobian, problem.response, problem.v
    R, a, b = problem.compliance[row], block.clique_a, block.clique_b
    d = block.room(problem.delassus)[0] + R
    if d <= 0.0:
        return 0.0
    old = problem.lam[row]
    u = problem.bias[row] + R * old
    if a >= 0:
        u += six(J, block.jacobian_a).dot(six(v, problem.clique(a).start))
    if b >= 0:
        u += six(J, block.jacobian_b).dot(six(v, problem.clique(b).start))
    change = max(0.0, old - u / d) - old
    if change != 0.0:
        problem.lam[row] = old + change
        if a >= 0:
            add_six(v, problem.clique(a).start, change * six(Y, block.jacobian_a))
        if b >= 0:
            add_six(v, problem.clique(b).start, change * six(Y, block.jacobian_b))
    return d * abs(change)


@apart(float)
def _general(problem: Problem, block):
    """Any block, by its rows."""
    block_velocity(problem, block, problem.v, problem.local_u)
    largest = local_change(problem, block)
    block_add_response(problem, block, problem.change, problem.v)
    return largest


@kernel
def local_change(problem: Problem, block):
    """Any block alone, from its local u: lam and its change. Returns w |change|."""
    kind, dim, row = block.kind, block.dim, block.row
    lam, R, u = block.of(problem.lam), block.of(problem.compliance), block.of(problem.local_u)
    W, change = block.square(problem.delassus), block.of(problem.change)
    for i in range(dim):
        u[i] += R[i] * lam[i]
        change[i] = 0.0
    if kind == EQ:
        X = block.square(problem.delassus_inverse)
        for i in range(dim):
            for j in range(dim):
                change[i] -= X[i, j] * u[j]
    elif kind == UNI or kind == BOX:
        for i in range(dim):
            lower = problem.lower[row + i] if kind == BOX else 0.0
            upper = problem.upper[row + i] if kind == BOX else math.inf
            _one_row(W, R, i, u, lam, change, lower, upper)
    else:
        old, own = vec3(lam, 0), alone(problem, block)
        new = contact(own.response, own.inverse, vec3(u, 0), old, block.mu.sliding)
        put_vec3(change, 0, new - old)
        if dim > 3:
            for k in range(3, dim):
                for i in range(3):
                    u[k] += W[k, i] * change[i]
            most = block.mu.spinning * new.x
            _one_row(W, R, 3, u, lam, change, -most, most)
        if dim > 4:
            _disc(W, R, u, lam, change, block.mu.rolling * new.x)
    largest = 0.0
    for i in range(dim):
        lam[i] += change[i]
        largest += change[i] * change[i]
    return block.w * math.sqrt(largest)


@kernel
def _one_row(W, R, i, u, lam, change, lower, upper):
    """A row with bounds; the velocities of the rows behind it follow."""
    d = W[i, i] + R[i]
    if d > 0.0:
        new = min(max(lam[i] - u[i] / d, lower), upper)
        change[i] = new - lam[i]
        for k in range(i + 1, len(u)):
            u[k] += W[k, i] * change[i]


@kernel
def _disc(W, R, u, lam, change, most):
    """Two rolling rows inside a disc: a projected step with the larger of their responses."""
    a, b = W[4, 4] + R[4], W[5, 5] + R[5]
    d = max(a, b) + abs(W[4, 5])
    if d > 0.0:
        x, y = lam[4] - u[4] / d, lam[5] - u[5] / d
        s = math.sqrt(x * x + y * y)
        f = most / s if s > most else 1.0
        change[4] = f * x - lam[4]
        change[5] = f * y - lam[5]


@kernel
def _extrapolate(problem: Problem, island, momentum):
    """(v, lam) go on the way of the last sweep; last_lam and last_v are where it ended."""
    lam, last = problem.lam, problem.last_lam
    for block in problem.blocks_of(island):
        for i in range(block.row, block.end):
            ended = lam[i]
            lam[i] = ended + momentum * (ended - last[i])
            last[i] = ended
    v, last = problem.v, problem.last_v
    for clique in problem.cliques_of(island):
        for i in range(clique.start, clique.start + clique.size):
            ended = v[i]
            v[i] = ended + momentum * (ended - last[i])
            last[i] = ended


@kernel
def sweeps(problem: Problem, island, tolerance, budget):
    """At most `budget` sweeps; fewer when the residual is below the tolerance. Returns it.

    Leaves the best (v, lam) among those that were looked at.
    """
    lam, v = problem.lam, problem.v
    last, last_v = problem.last_lam, problem.last_v
    good, good_v = problem.good_lam, problem.good_v
    copy_rows(problem, island, lam, last)
    copy_velocities(problem, island, v, last_v)
    residual, best, plain = math.inf, math.inf, False
    begun, idle, done = 0, 0, 0
    while done < budget:
        change = sweep(problem, island, plain and done % 2 == 1)
        done += 1
        # A small change is a sign, not a proof.
        if change <= tolerance or done % LOOK_EVERY == 0 or done == budget:
            # v from lam alone: what rounding has put between them grows with the momentum.
            move(problem, island)
            residual = measure(problem, island)
            if residual <= tolerance or not (residual < math.inf):
                break
            idle += 1
            if residual < best:
                best, idle = residual, 0
                copy_rows(problem, island, lam, good)
                copy_velocities(problem, island, v, good_v)
            elif idle == PATIENCE or (residual > RUNAWAY * best and not plain):
                plain, idle, begun = not plain, 0, 0
                copy_rows(problem, island, good, lam)
                copy_velocities(problem, island, good_v, v)
                copy_rows(problem, island, lam, last)
                copy_velocities(problem, island, v, last_v)
        if not plain and done < budget:
            _extrapolate(problem, island, min(begun / (begun + 3.0), MOMENTUM))
            begun += 1
    if best < residual:
        residual = best
        copy_rows(problem, island, good, lam)
        copy_velocities(problem, island, good_v, v)
    island.sweeps += done
    return residual


@kernel
def nsgs_island(problem: Problem, island, tolerance, budget):
    """Nothing but sweeps; `budget` of them, 0 for the usual number."""
    move(problem, island)
    complete_responses(problem, island)
    local_inverses(problem, island)
    residual = measure(problem, island)
    if not (residual <= tolerance):
        residual = sweeps(problem, island, tolerance, budget if budget > 0 else LONG_SWEEPS)
    island.residual = residual
    return CONVERGED if residual <= tolerance else STALLED


@dataclass(frozen=True)
class GaussSeidel(ContactSolver):
    """Exact block Gauss-Seidel: each contact by itself, with the round cone, one after the other.

    Parameters
    ----------
    sweeps : int    over all blocks, at most
    """

    sweeps: int = 1000

    solve_island = nsgs_island
    counts = "sweeps"
