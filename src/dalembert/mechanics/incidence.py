"""Products with the J of bodies, which stands in blocks: one per row group and body."""

from dalembert._jit import kernel
from dalembert.system.kinds import IMAGING, PULLING
from dalembert.system.state_layout import State

_image = IMAGING.call
_pull = PULLING.call


@kernel
def part(x, body, bodies, spare):
    """Six entries of a body in a vector of velocities; `spare` for the world."""
    if body == bodies:
        return spare
    return x[6 * body : 6 * body + 6]


@kernel
def image(state: State, x, out):
    """out = J x."""
    bodies, still = state.bodies, state.spare[:6]
    for k in range(6):
        still[k] = 0.0
    for e in range(state.pairs):
        pair = state.pair(e)
        _image(
            pair.image_code,
            *state,
            state.block(pair.block_a, pair.count),
            state.block(pair.block_b, pair.count),
            part(x, pair.a, bodies, still),
            part(x, pair.b, bodies, still),
            out[pair.row : pair.row + pair.count],
        )
    for i in range(state.incidences):
        at = state.incidence(i)
        body, row, J = at.body, at.row, state.block(at.block, at.count)
        for r in range(at.count):
            total = 0.0 if at.is_first == 1 else out[row + r]
            for k in range(6):
                total += J[6 * r + k] * x[6 * body + k]
            out[row + r] = total


@kernel
def pull(state: State, lam, f):
    """f += J^T lam."""
    bodies, nobody = state.bodies, state.spare[:6]
    for e in range(state.pairs):
        pair = state.pair(e)
        _pull(
            pair.pull_code,
            *state,
            state.block(pair.block_a, pair.count),
            state.block(pair.block_b, pair.count),
            lam[pair.row : pair.row + pair.count],
            part(f, pair.a, bodies, nobody),
            part(f, pair.b, bodies, nobody),
        )
    for i in range(state.incidences):
        at = state.incidence(i)
        body, row, J = at.body, at.row, state.block(at.block, at.count)
        for r in range(at.count):
            for k in range(6):
                f[6 * body + k] += J[6 * r + k] * lam[row + r]


@kernel
def scatter_rows(state: State):
    """Write J as a full matrix."""
    for e in range(state.pairs):
        pair = state.pair(e)
        if pair.a < state.bodies:
            scatter_block(state, pair.row, pair.count, pair.a, pair.block_a)
        if pair.b < state.bodies:
            scatter_block(state, pair.row, pair.count, pair.b, pair.block_b)
    for i in range(state.incidences):
        at = state.incidence(i)
        scatter_block(state, at.row, at.count, at.body, at.block)


@kernel
def scatter_block(state: State, row, count, body, start):
    """Write one block of J into the full matrix."""
    J, block = state.jacobian, state.block(start, count)
    for r in range(count):
        for k in range(6):
            J[row + r, 6 * body + k] = block[6 * r + k]
