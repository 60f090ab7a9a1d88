"""Friction of stops whose sliding was to go on in a step of second order, and does not.

The velocity after the step is u - lead, that before it the lead (`second_order`).
"""

from dalembert._jit import apart
from dalembert.contact.algebra.row_motion import row_velocity
from dalembert.contact.problem.layout import CONE, SLIDING, Problem
from dalembert.contact.rows.one_sided_rows import tangents_of
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.step.solve import begin_with_impulses
from dalembert.system.state_layout import State


@apart(bool)
def withdraw_tangents(state: State, run: ContactRun, problem: Problem):
    """Take the mean direction back where sliding stops or turns about, or something has hit.

    Whether that was anywhere. `redone` is as `second_order.withdraw` has left it.
    """
    found = False
    for k in range(run.side_blocks):
        row, block = run.side_kept[k], problem.block(run.side_block(k))
        if block.kind != CONE or not problem.lam[block.row] > 0.0:
            continue
        along = size = 0.0
        by_mean = True
        for r in range(1, 1 + tangents_of(state, run, row)):
            lead = run.side_lead[row + r]
            by_mean = by_mean and lead == state.side_phi_dot[row + r]
            along += lead * (row_velocity(problem, block, r) - lead)
            size += lead * lead
        if not by_mean or size == 0.0:
            continue
        steady = block.state == SLIDING and along >= 0.25 * size
        if not steady or run.redone[block.island] > 0.0:
            for r in range(1, 1 + tangents_of(state, run, row)):
                problem.bias[block.row + r] -= run.side_lead[row + r]
                run.side_lead[row + r] = 0.0
            found = True
    if found:
        begin_with_impulses(problem)
    return found
