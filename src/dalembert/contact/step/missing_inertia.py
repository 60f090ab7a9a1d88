"""Impulses of bodies without inertia about an axis, and without the one that they are lent.

A must have an inverse, so such bodies get an inertia X about these axes (`complete_inertias`): a
small part of m l^2, with which a point mass on an arm of length l turns too slowly. It is taken out
again where joints give what turns the inertia that counts:

    M v+ = M v* + J^T lam   <=>   (M + X) v+ = (M + X) v*' + J^T lam,
                                  v*' = v* + (M + X)^-1 X (v+ - v)       (contact 16)

v+ is the answer, found by solving again; each time the error becomes less by X over what the joints
make of the inertia. Where nothing else resists (friction that turns a thin rod about itself) there
is no answer without X, and it stays.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.problem.layout import Problem
from dalembert.contact.problem.writing import begin_with_impulses
from dalembert.contact.run.run_layout import ContactRun
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.vector import Vec3, put_vec3, vec3
from dalembert.system.state_layout import State

PASSES, EXACT, LESS = 6, 1e-10, 0.1
"""How often it is solved again, at most; the change of v*, over the speed, that ends it; and the
part of the last change that the next one may be."""

CLOSER = 1e-12
"""Residual of these solves  [m/s]: what the solver usually leaves is what X does in a step."""


@kernel
def begin_lending(state: State, run: ContactRun, problem: Problem):
    """X moves as the bodies do before the step."""
    for i in range(state.massless):
        missing = state.missing_inertia(i)
        missing.reached = vec3(problem.v_before, turning(state, run, problem, i))
        missing.lent = Vec3.zero()


@kernel
def turning(state: State, run: ContactRun, problem: Problem, i):
    """Place of the angular velocity of the i-th body without some inertia."""
    own = run.body(state.massless_body(i).body)
    return problem.clique(own.clique).start + own.place + 3


@apart(float)
def lend(state: State, run: ContactRun, problem: Problem):
    """Let X move as the answer does; returns the largest change of v*, over the speed."""
    change = fast = 0.0
    for i in range(state.massless):
        missing, at = state.missing_inertia(i), turning(state, run, problem, i)
        now = vec3(problem.v, at)
        momentum = Sym3.upper(missing.turned) @ (now - missing.reached)
        more = state.turned_body(state.massless_body(i).body).theta.solve(momentum)
        put_vec3(problem.v_free, at, vec3(problem.v_free, at) + more)
        missing.reached, missing.lent = now, missing.lent + more
        change, fast = max(change, more.size), max(fast, now.size)
    begin_with_impulses(problem)
    return change / fast if fast > 0.0 else 0.0


@kernel
def take_back(state: State, run: ContactRun, problem: Problem):
    """v* as it was, with bodies as heavy as they are made."""
    for i in range(state.massless):
        missing, at = state.missing_inertia(i), turning(state, run, problem, i)
        put_vec3(problem.v_free, at, vec3(problem.v_free, at) - missing.lent)
        missing.lent = Vec3.zero()


@kernel
def grows(change, last):
    """Whether solving again does not lead anywhere."""
    return not change <= LESS * last


START = math.inf
"""The change before the first."""
