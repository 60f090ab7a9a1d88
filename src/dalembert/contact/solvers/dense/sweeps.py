"""Sweeps of Gauss-Seidel in contact space: `contact.solvers.gauss_seidel` with u = W x + q at hand.

One block alone has the same answer as there; every other velocity then follows by a column of W.
"""

from dalembert._jit import kernel
from dalembert.contact.algebra.space import space_of
from dalembert.contact.problem.layout import Problem
from dalembert.contact.solvers.dense.response import space_block
from dalembert.contact.solvers.gauss_seidel import local_change
from dalembert.numerics.vector_rows import add_scaled_whole


@kernel
def space_sweep(problem: Problem, backwards):
    """One sweep over lam; u in dx. Returns the largest change, as a velocity."""
    space, kept = space_of(problem), problem.space_blocks
    u, W, largest = space.dx, space.W, 0.0
    for n in range(kept):
        own = space_block(problem, kept - 1 - n if backwards else n)
        block = problem.block(own.number)
        local, change = block.of(problem.local_u), block.of(problem.change)
        for i in range(block.dim):
            local[i] = u[own.row + i]
        largest = max(largest, local_change(problem, block))
        for i in range(block.dim):
            if change[i] != 0.0:
                add_scaled_whole(u, change[i], W[own.row + i])
    return largest


@kernel
def space_sweeps(problem: Problem, most, tolerance):
    """At most so many sweeps from lam and u, fewer when nothing changes. Returns how many."""
    u = space_of(problem).dx
    for k in range(problem.space_blocks):
        own = space_block(problem, k)
        block = problem.block(own.number)
        for i in range(block.dim):
            u[own.row + i] = problem.u[block.row + i]
    done = 0
    while done < most:
        change = space_sweep(problem, done % 2 == 1)
        done += 1
        if change <= tolerance:
            break
    return done
