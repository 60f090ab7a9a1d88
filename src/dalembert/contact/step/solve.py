"""The problem of a step, solved by the solver of the run (`contact.step.borders`)."""

from dalembert._jit import kernel
from dalembert.contact.problem.layout import Problem
from dalembert.system.borders import STEPPING
from dalembert.system.state_layout import State

_call = STEPPING.call


@kernel
def solve(state: State, t, h, q, v):
    """lam and v of the problem as it is."""
    return _call(state.contact_solve, *state, t, h, q, v)


@kernel
def begin_with_impulses(problem: Problem):
    """lam0 = lam: what was found is the first guess of a problem that is solved again."""
    for i in range(problem.rows):
        problem.lam0[i] = problem.lam[i]
