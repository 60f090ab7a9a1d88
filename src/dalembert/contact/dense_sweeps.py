"""Sweeps of Gauss-Seidel in contact space: `contact.gauss_seidel` with u = W x + q at hand.

One block alone has the same answer as there; every other velocity then follows by a column of W.
"""

from dalembert._jit import kernel
from dalembert.contact.blocks import block_at
from dalembert.contact.dense_response import SPACE_BLOCK, SPACE_ROW, space_at
from dalembert.contact.dense_step import DX, space_vector
from dalembert.contact.gauss_seidel import CHANGE, LOCAL_U, local_change
from dalembert.contact.layout import DIM, ROW, SPACE
from dalembert.contact.residuals import U, row_work
from dalembert.numerics.runs import add_scaled


@kernel
def space_sweep(integers, numbers, kept, rows, backwards):
    """One sweep over LAM; u in DX. Returns the largest change, as a velocity."""
    u, local = space_vector(integers, rows, DX), row_work(integers, LOCAL_U)
    change, W = row_work(integers, CHANGE), integers[SPACE]
    largest = 0.0
    for n in range(kept):
        own = space_at(integers, kept - 1 - n if backwards else n)
        block, first = integers[own + SPACE_BLOCK], integers[own + SPACE_ROW]
        at = block_at(integers, block)
        row = integers[at + ROW]
        for i in range(integers[at + DIM]):
            numbers[local + row + i] = numbers[u + first + i]
        largest = max(largest, local_change(integers, numbers, block, at))
        for i in range(integers[at + DIM]):
            t = numbers[change + row + i]
            if t != 0.0:
                add_scaled(numbers, u, t, W + rows * (first + i), rows)
    return largest


@kernel
def space_sweeps(integers, numbers, kept, rows, most, tolerance):
    """At most so many sweeps from LAM and U, fewer when nothing changes. Returns how many."""
    u, of_rows = space_vector(integers, rows, DX), row_work(integers, U)
    for k in range(kept):
        own = space_at(integers, k)
        at, first = block_at(integers, integers[own + SPACE_BLOCK]), integers[own + SPACE_ROW]
        for i in range(integers[at + DIM]):
            numbers[u + first + i] = numbers[of_rows + integers[at + ROW] + i]
    done = 0
    while done < most:
        change = space_sweep(integers, numbers, kept, rows, done % 2 == 1)
        done += 1
        if change <= tolerance:
            break
    return done
