"""The problem of a step whose laws depend on its answer.

Whether a gap closes, and then bounces, and whether sliding goes on is known when impulses are. What
was taken otherwise is put right, and the problem solved once more, from the impulses it has.
"""

from dalembert._jit import kernel
from dalembert.contact.problem.layout import Problem
from dalembert.contact.rows.one_sided_rows import LOAD_ROUNDS, renew_loads
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.step.restitution import late
from dalembert.contact.step.second_order import withdraw
from dalembert.contact.step.solve import begin_with_impulses, solve
from dalembert.contact.step.static_friction import let_stick
from dalembert.contact.step.stop_friction import withdraw_tangents
from dalembert.system.borders import OK
from dalembert.system.state_layout import State


@kernel
def solve_laws(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Solve; again where impacts came late, or where sliding that was to go on did not."""
    status = solve_loads(state, run, problem, t, h, q, v)
    if status != OK:
        return status
    again = late(state, run, problem)
    if run.second_order == 1 and withdraw(state, run, problem):
        again = True
    if run.second_order == 1 and run.side_blocks > 0 and withdraw_tangents(state, run, problem):
        again = True
    if (run.is_static == 1 or run.side_blocks > 0) and let_stick(state, run, problem):
        again = True
    return solve_loads(state, run, problem, t, h, q, v) if again else OK


@kernel
def solve_loads(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Solve until friction by the loads of joints has the bounds of the loads that are found."""
    status = solve(state, t, h, q, v)
    if run.side_blocks == 0:
        return status
    for _ in range(LOAD_ROUNDS):
        if status != OK or not renew_loads(state, run, problem, h):
            break
        begin_with_impulses(problem)
        status = solve(state, t, h, q, v)
    return status
