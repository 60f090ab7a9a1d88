"""One regularised convex problem (`convex`): the contact of SAP and of MuJoCo, in our letters.

Every row gets a compliance and De Saxce's term is dropped; then the laws are the gradient of a
convex function of v alone,

    1/2 |v - v*|_A^2 + sum_i 1/2 |P_K(-u_i / R_i)|_R^2,    lam_i = law(-u_i, R_i)   (`projections`)

with one minimum, found by Newton's method with an exact line search: the inner loop of
`contact.solvers.newton` around lam = 0 (Castro et al. 2022). Rows with a compliance of their own
keep it. Rigid ones get, with the block's scale w,

    R = beta^2 w / (4 pi^2)    normals, joints, stops: a period of beta steps at critical damping
    R = sigma w                tangents, motors and dry friction: they slip a little in sticking

lam is unique and continuous in the data, whatever rows depend on others; that is what it is for
(derivatives, control, comparison). What it costs: bodies creep where they should stick, sliding
ones separate at mu |u_t|, and a heavy body on a light one sinks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dalembert._jit import kernel
from dalembert._records import Place
from dalembert.contact.algebra.prepare import move
from dalembert.contact.algebra.residuals import copy_rows, island_velocities, measure
from dalembert.contact.algebra.symbolic import READY, symbolic
from dalembert.contact.problem.layout import (
    BOX,
    CONE,
    CONVERGED,
    FAILED,
    OVERFLOW,
    ROLL,
    STALLED,
    Problem,
)
from dalembert.contact.solvers.newton import _convex
from dalembert.contact.solvers.proximal import laws
from dalembert.contact.solvers.solver import ContactSolver, positive

STEPS = 100
"""Newton steps unless a budget is given."""


class Options(Place):
    """Parameters of the solver."""

    class numbers:
        rigidity: float  # beta
        slip: float  # sigma


@kernel
def soften(problem: Problem, island):
    """Give rigid rows the compliances of the convex problem, and lam = 0, no shift."""
    beta, sigma = Options(problem.options, 0).rigidity, Options(problem.options, 0).slip
    rigid = beta * beta / (4.0 * math.pi * math.pi)
    copy_rows(problem, island, problem.compliance, problem.solver_rows)
    for block in problem.blocks_of(island):
        kind, R, lam = block.kind, block.of(problem.compliance), block.of(problem.lam)
        W = block.square(problem.delassus)
        block.shift = 0.0
        for i in range(block.dim):
            lam[i] = 0.0
            if R[i] > 0.0:
                continue
            w = block.w_angular if kind == ROLL and i >= 3 else block.w
            if kind < CONE:
                # Rows of a joint may be speeds and rates of turning: each by itself.
                w = W[i, i] if W[i, i] > 0.0 else w
            hard = i == 0 if kind >= CONE else kind != BOX
            R[i] = (rigid if hard else sigma) * w


@kernel
def left_over(problem: Problem, island):
    """The largest |R (lam - law(-u, R))| of a block, times its length."""
    worst = 0.0
    for block in problem.blocks_of(island):
        lam, law = block.of(problem.lam), block.of(problem.gamma)
        R, t = block.of(problem.compliance), 0.0
        for i in range(block.dim):
            s = (lam[i] - law[i]) * R[i]
            if block.kind != ROLL or i >= 3:
                s *= block.length
            t += s * s
        worst = max(worst, math.sqrt(t))
    return worst


@kernel
def convex(problem: Problem, island, tolerance, budget):
    """One island; `budget` factorisations, 0 for the usual number."""
    if symbolic(problem) != READY:
        return OVERFLOW
    if island.fill < 0:
        move(problem, island)
        island.residual = measure(problem, island)
        return FAILED
    soften(problem, island)
    move(problem, island)  # v = v*: the answer does not depend on a warm start
    island_velocities(problem, island, problem.u)
    most = budget if budget > 0 else STEPS
    _solved, used = _convex(problem, island, 0.0, 0.02 * tolerance, most)
    copy_rows(problem, island, problem.gamma, problem.lam)
    move(problem, island)
    island_velocities(problem, island, problem.u)
    laws(problem, island, 0.0, False)
    left = left_over(problem, island)
    copy_rows(problem, island, problem.solver_rows, problem.compliance)
    island.iterations, island.factorisations = used, used
    island.own_residual, island.residual = left, measure(problem, island)
    return CONVERGED if left <= tolerance else STALLED


@dataclass(frozen=True)
class ConvexContact(ContactSolver):
    """One regularised convex problem, as SAP and MuJoCo solve: unique, continuous, a little soft.

    Rigid normal rows get the compliance rigidity^2 w / (4 pi^2), the tangents `slip` w. Bodies at
    rest on a slope creep, sliding ones lift off with mu times their speed, heavy ones sink.

    Parameters
    ----------
    rigidity : float    period of rigid contacts in steps; smaller is stiffer
    slip : float        compliance of friction relative to each block's own W
    """

    rigidity: float = 1.0
    slip: float = 1e-3

    solve_island = convex
    passes = Options
    law = "regularised"
    warm_start = False
    unique = True

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "rigidity", self.rigidity)
        positive(self, "slip", self.slip)
