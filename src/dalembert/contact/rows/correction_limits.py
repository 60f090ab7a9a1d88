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

from dalembert._jit import apart, kernel
from dalembert._memory import Part, over
from dalembert._records import Numbers
from dalembert.contact.algebra.prepare import factor_cliques, respond_block
from dalembert.contact.problem.layout import Problem
from dalembert.contact.run.run_layout import ContactRun
from dalembert.mechanics.tree_kinematics import spread_velocity
from dalembert.numerics.spatial import motion
from dalembert.system.state_layout import State

LEVER = 10.0
"""Way of a body over the push that it is for."""


class Room(Part, of=ContactRun):
    """Scratch of a correction."""

    share: Numbers = over("cliques")  # of the motion of an island that is made
    twists: Numbers = over("6 * bodies")


@kernel
def mass_of(state: State, run: ContactRun, clique):
    """Sum of the masses of the bodies of a clique."""
    mass = 0.0
    for b in range(state.placed):
        if run.body(b).clique == clique:
            mass += state.turned_body(b).mass
    return mass


@kernel
def push_share(state: State, run: ContactRun, problem: Problem, block, body_a, body_b):
    """Part of a push that a contact can be given: LEVER sqrt(w M), 1 at most."""
    if is_single(run, problem, body_a) or is_single(run, problem, body_b):
        return 1.0
    return push_share_on_chains(state, run, problem, block, body_a, body_b)


@kernel
def is_single(run: ContactRun, problem: Problem, body):
    """Whether a body moves on its own."""
    return body >= 0 and problem.clique(run.body(body).clique).size == 6


@apart(float)
def push_share_on_chains(state: State, run: ContactRun, problem: Problem, block, body_a, body_b):
    """`push_share` where bodies move others with them."""
    least = 1e300
    for side in range(2):
        body = body_b if side else body_a
        if body >= 0:
            least = min(least, mass_of(state, run, run.body(body).clique))
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
    if state.placed == 0:
        return
    own = Room(run, run.whirl)
    share, twists = own.share, own.twists
    if state.on_tree:
        spread_velocity(state.tree_integers, state.tree_room, move, twists)
    else:
        for k in range(6 * state.placed):
            twists[k] = move[k]
    for i in range(problem.islands):
        share[i] = 1.0
    shortened = False
    for b in range(state.placed):
        body = state.turned_body(b)
        way, most = body.weight(motion(twists, 6 * b)), LEVER * LEVER * push * push * body.mass
        if not way <= most:
            i = problem.clique(run.body(b).clique).island
            share[i] = min(share[i], math.sqrt(most / way))
            shortened = True
    if shortened:
        for k in range(state.nv):
            move[k] *= share[problem.clique(clique_of_velocity(state, run, k)).island]


@kernel
def clique_of_velocity(state: State, run: ContactRun, k):
    """Clique that a velocity belongs to; a model of formulas has but one."""
    if state.bodies > 0:
        return run.body(k // 6).clique
    return run.dof(k).clique if state.mechanism == 1 else 0
