"""A method's rates for one small model, as straight-line code.

The third life of the method's text: it is run interpreted over object arrays of formulas, with the
model's own formulas behind `evaluate` and the branch-free form of the solve behind `factor` and
`solve`. What it stores in its outputs is compiled. The code gives up (RANK_DEFICIENT) where rows
are not well apart, and the general form takes over for that stage.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert import _jit
from dalembert._signature import Registered
from dalembert.formulas import Expression, load, time
from dalembert.formulas.llvm import CompiledFunction
from dalembert.mechanics.dense import (
    WELL_APART,
    factor_full_rank,
    respond_full_rank,
    solve_full_rank,
)
from dalembert.system.borders import RATING
from dalembert.system.layout import allocate
from dalembert.system.state_layout import State
from dalembert.system.system import System

LIMIT = 1500
"""Multiplications of the dense solve up to which straight-line code pays (about 9 x 10)."""


def worthwhile(system: System, method: Any) -> bool:
    """Whether the model is small enough and the method's text may be traced."""
    n, m = system.extents.nv, system.extents.rows
    if method.rates is None or not method.traceable or m > n or system.reactions:
        return False
    return n**3 / 6 + n * n * m / 2 + n * m * m / 2 + m**3 / 6 <= LIMIT


def specialise(system: System, method: Any) -> CompiledFunction:
    """Straight-line RATES of this method for this model."""
    with system.preparing:
        cache: dict[Any, CompiledFunction] = system.__dict__.setdefault("_specialised", {})
        if type(method) not in cache:
            cache[type(method)] = _trace(system, method)
        return cache[type(method)]


def _trace(system: System, method: Any) -> CompiledFunction:
    extents = system.extents
    zeros = allocate(extents)
    work = np.array([load("work", k) for k in range(len(zeros.work))], dtype=object)
    state, e = State(work, zeros.sizes), system.equations

    def evaluate(work: Any, sizes: Any, t: Any, q: Any, v: Any) -> int:
        # q and v are the coordinates themselves, so the model's formulas stand as they are.
        for _, index, formula in system.evaluate_stores:
            work[index] = formula
        return 0

    n, m = extents.nv, extents.rows
    outputs = {
        "qdot_out": np.empty(extents.nq, dtype=object),
        "vdot_out": np.empty(n, dtype=object),
        "lam_out": np.empty(m, dtype=object),
    }
    with _jit.interpreted():
        formulas = Registered(evaluate)
        state.evaluate = formulas.key
        state.factor = factor_full_rank.address
        state.solve = solve_full_rank.address
        state.respond = respond_full_rank.address
        q = np.array(e.coordinates, dtype=object)
        v = np.array(e.velocities, dtype=object)
        method.rates(*state, time, load("h", 0), q, v, *outputs.values())
    stores = [
        (name, i, _formula(x)) for name, values in outputs.items() for i, x in enumerate(values)
    ]
    # The conditions under which the straight-line form may be trusted: rows well apart, and every
    # pivot of the mass matrix more than rounding (as `ldl.first_bad_pivot` has it).
    positive = []
    margin = state.margin
    if isinstance(margin, Expression) and m > 1:
        positive.append(margin - WELL_APART)
    for k in range(n):
        pivot = _formula(state.mass_pivot[k])
        positive.append(pivot - n * 2.3e-16 * _formula(state.mass[k, k]))
    return system.compile("rates", RATING.arguments, stores, positive)


def _formula(x: Any) -> Expression:
    from dalembert.formulas import constant

    return x if isinstance(x, Expression) else constant(float(x))
