"""How far a correction of positions may go: rows with poor levers, and motions out of proportion.

A correction is linear. A contact whose normal its mechanism can hardly follow, such as one next to
the axis of a hinge, asks for a turn far beyond where that holds, and one that cannot be moved at
all has a row of rounding, 1e-28, which asks for anything. By itself a row with the push b moves the
mass M of its mechanism by

    b / sqrt(w M),      w = J A^-1 J^T                        (least |dq|_A with J dq = b)

in the mean (root of the mean square). Where that is more than `LEVER` b the push is made smaller.
Free bodies have w M >= 1. Rows that contradict one another may still ask for more together: an
island in which a body would go further than `LEVER` times the largest push of a step, its turning
counted by its radius of gyration, is moved a part of the way.
"""

import math

from dalembert._jit import kernel, vector_view
from dalembert.contact.algebra.prepare import factor_cliques, respond_block
from dalembert.contact.problem.layout import (
    CLIQUE,
    CLIQUE_ISLAND,
    CLIQUE_RECORD,
    ISLANDS,
    Problem,
)
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.step.tree_momentum import weight
from dalembert.mechanics.tree_evaluate import rest_of, tree_of
from dalembert.mechanics.tree_kinematics import spread_velocity
from dalembert.numerics.small import symmetric
from dalembert.system.layout import (
    BODIES,
    BODY_INERTIA,
    INERTIA,
    MECHANISM,
    NV,
    PLACED,
    TREE_ROOM,
)
from dalembert.system.state_layout import State

LEVER = 10.0
"""Way of a body over the push that it is for."""


@kernel
def on_tree(state: State):
    """Whether velocities are those of joints."""
    sizes = state.sizes
    return sizes[MECHANISM] == 1 and sizes[BODIES] == 0


@kernel
def mass_of(state: State, run: ContactRun, clique):
    """Sum of the masses of the bodies of a clique."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    mass = 0.0
    for b in range(sizes[PLACED]):
        if integers[integers[memory.BODY_TABLE] + 2 * b] == clique:
            mass += work[sizes[BODY_INERTIA] + INERTIA * b + 6]
    return mass


@kernel
def leverage(state: State, run: ContactRun, problem: Problem, block, body_a, body_b):
    """Part of a push that a contact can be given: LEVER sqrt(w M), 1 at most."""
    least = 1e300
    for side in range(2):
        body = body_b if side else body_a
        if body >= 0:
            clique = run.body(body).clique
            if problem.clique(clique).size == 6:
                return 1.0
            least = min(least, mass_of(state, run, clique))
    if problem.factored == 0:
        # once for all contacts of a correction, and for the solve that follows
        if not factor_cliques(problem):
            return 0.0
        problem.factored = 1
    respond_block(problem, block)
    return min(1.0, LEVER * math.sqrt(block.w * least))


@kernel
def restrain(state: State, run: ContactRun, problem: Problem, push, move):
    """Shorten the motion of islands where a body would go further than LEVER times `push`."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    bodies = sizes[PLACED]
    if bodies == 0:
        return
    at = integers[memory.WHIRL]
    # by islands, and by bodies
    share = vector_view(numbers, at, p[ISLANDS])
    twists = vector_view(numbers, at + 2 * sizes[NV], 6 * bodies)
    if on_tree(state):
        spread_velocity(tree_of(sizes), rest_of(work, sizes, TREE_ROOM), move, twists)
    else:
        for k in range(6 * bodies):
            twists[k] = move[k]
    for i in range(p[ISLANDS]):
        share[i] = 1.0
    shortened = False
    for b in range(bodies):
        inertia = sizes[BODY_INERTIA] + INERTIA * b
        mass = work[inertia + 6]
        way = weight(symmetric(work, inertia), mass, twists, 6 * b)
        most = LEVER * LEVER * push * push * mass
        if not way <= most:
            i = island_of(run, problem, integers[integers[memory.BODY_TABLE] + 2 * b])
            share[i] = min(share[i], math.sqrt(most / way))
            shortened = True
    if shortened:
        for k in range(sizes[NV]):
            own = integers[memory.BODY_TABLE] + 2 * (k // 6)
            if on_tree(state):
                own = integers[memory.DOF_CLIQUES] + 2 * k
            move[k] *= share[island_of(run, problem, integers[own])]


@kernel
def island_of(run: ContactRun, problem: Problem, clique):
    """Island of a clique of the problem."""
    p = problem.sizes
    return p[p[CLIQUE] + CLIQUE_RECORD * clique + CLIQUE_ISLAND]
