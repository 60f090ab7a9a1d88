"""Static friction: whether sliding goes on or sticks is asked with the velocities of both ends.

A contact that stuck in the last step, or is at rest where a step begins, has mu_s in it, any other
mu. Where sliding would turn about it comes to rest on the way: the contact has mu_s, too, and the
step is solved again. What breaks loose has mu_s in that one step (contact 16).
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.blocks import row_velocity
from dalembert.contact.problem.layout import CONE, OPEN, STICKING, Problem
from dalembert.contact.problem.record_layout import Friction
from dalembert.contact.problem.writing import begin_with_impulses
from dalembert.contact.rows.second_order import leads_by_mean
from dalembert.contact.run.run_layout import ContactRun, tangents_of
from dalembert.numerics.vector import Vec3
from dalembert.system.state_layout import State

CREEP = 1e-4
"""Part of the speed that static friction has more to give in a step which is no sliding yet: of
contacts that share their load some may be at their limit and creep by what the solver leaves."""


@apart(bool)
def let_stick(state: State, run: ContactRun, problem: Problem):
    """Give static friction to contacts whose sliding has turned about; whether there are any."""
    found = False
    for k in range(run.contacts):
        found = contact_sticks(run, problem, k) or found
    for k in range(run.side_blocks):
        found = stop_sticks(state, run, problem, k) or found
    if found:
        begin_with_impulses(problem)
    return found


@kernel
def contact_sticks(run: ContactRun, problem: Problem, k):
    """One contact, likewise; bristles come to rest by themselves."""
    contact, block, found = run.contact(k), problem.block(run.contact_block(k)), run.found(k)
    law = run.law(found.shape_a, found.shape_b)
    if block.dim < 3 or block.state == OPEN or law.tangential_stiffness > 0.0:
        return False
    if not block.mu.sliding < law.static:
        return False
    before, lead = contact.frame @ contact.slide, Vec3.zero()
    if leads_by_mean(contact):
        lead = contact.lead
    along = before.y * (row_velocity(problem, block, 1) - lead.y)
    along += before.z * (row_velocity(problem, block, 2) - lead.z)
    if along > 0.0:
        return False
    block.mu = Friction(law.static, law.spinning, law.rolling)
    return True


@kernel
def stop_sticks(state: State, run: ContactRun, problem: Problem, k):
    """A stop with friction, likewise."""
    row, block = run.side_kept[k], problem.block(run.side_block(k))
    if block.kind != CONE or block.state == OPEN:
        return False
    static = state.stop(row).static
    if not block.mu.sliding < static:
        return False
    by_mean, along, of_lead = True, 0.0, 0.0
    for r in range(1, 1 + tangents_of(state, run, row)):
        before, lead = state.side_phi_dot[row + r], run.side_lead[row + r]
        by_mean = by_mean and lead == before
        along += before * row_velocity(problem, block, r)
        of_lead += before * lead
    if along - (of_lead if by_mean else 0.0) > 0.0:
        return False
    block.mu = Friction(static, 0.0, 0.0)
    return True


@kernel
def stays(problem: Problem, block, law, slip):
    """1 where a contact sticks at the end of a step, else 0; `slip`: its speed of sliding there."""
    if block.state == STICKING:
        return 1.0
    more = block.mu.sliding - law.friction
    return 1.0 if slip < CREEP * more * block.w * problem.lam[block.row] else 0.0


@apart(None)
def keep_stuck(state: State, run: ContactRun, problem: Problem, block, row):
    """Whether a stop sticks at the end of a step."""
    by_mean, fast, mean = True, 0.0, 0.0
    for r in range(1, 1 + tangents_of(state, run, row)):
        lead, u = run.side_lead[row + r], row_velocity(problem, block, r)
        by_mean = by_mean and lead == state.side_phi_dot[row + r]
        fast += u * u
        mean += (u - lead) * (u - lead)
    slip = math.sqrt(mean if by_mean else fast)
    run.next_stuck[row] = stays(problem, block, state.stop(row), slip)
