"""The contact problem of the next step of a run, to be looked at, kept or solved by others.

A run has its problem in arrays that its position pass uses, too. Here the step is made as far as
its impulses on copies of them: the run does not notice, and its next step has the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.contact.given.info import info_of
from dalembert.contact.given.problem import ContactProblem
from dalembert.contact.problem.solve_info import SolveInfo
from dalembert.contact.run.run_layout import ContactRun
from dalembert.system.borders import OK, STEPPING
from dalembert.system.state_layout import State


@dataclass(frozen=True)
class SolvedStep:
    """The problem of a step and what was found.

    Attributes
    ----------
    problem : ContactProblem    joints, one-sided rows and contacts, in this order
    v, lam : velocities after the step, in the order of the cliques, and impulses
    info : SolveInfo
    repeated : bool             impacts were made again by Poisson's law: v and lam are the sum of
        two problems, and info tells of the second
    """

    problem: ContactProblem
    v: np.ndarray
    lam: np.ndarray
    info: SolveInfo
    repeated: bool


def next_step(
    work: np.ndarray, sizes: np.ndarray, t: float, h: float, q: np.ndarray, v: np.ndarray
) -> tuple[int, SolvedStep | None]:
    """Status of the step of length h from (t, q, v), and its problem where that is solved."""
    state = State(work.copy(), sizes.copy())
    run = ContactRun(state.work[state.contact_numbers :], state.sizes[state.contact_integers :])
    run.solve_only = 1
    state.start_q[:], state.start_v[:] = q, v
    status = int(STEPPING.call(state.advance, *state, float(t), float(h), q.copy(), v.copy()))
    if status != OK:
        return status, None
    solved = run.problem
    problem, info = ContactProblem.from_packed(solved), info_of(solved)
    v, lam = solved.v.copy(), solved.lam.copy()
    return status, SolvedStep(problem, v, lam, info, bool(run.repeated_now))
