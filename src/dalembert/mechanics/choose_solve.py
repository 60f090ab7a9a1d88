"""Which borders serve a system: formulas or bodies, full matrices or blocks."""

from __future__ import annotations

from typing import Any

from dalembert.mechanics.dense import factor_lean, factor_schur, respond_full_rank, solve_full_rank
from dalembert.mechanics.dual import factor_dual, respond_dual, solve_dual
from dalembert.mechanics.maximal import evaluate_bodies, placing_code, residual_bodies
from dalembert.mechanics.orthogonal import (
    factor_automatic,
    factor_orthogonal,
    respond_automatic,
    respond_orthogonal,
    solve_automatic,
    solve_orthogonal,
)
from dalembert.mechanics.projector import factor_projector, respond_projector, solve_projector
from dalembert.mechanics.proximal import factor_proximal, respond_proximal, solve_proximal
from dalembert.mechanics.saddle import factor_saddle, respond_saddle, solve_saddle
from dalembert.mechanics.schur import factor_complement
from dalembert.mechanics.tangent import tangent_bodies
from dalembert.mechanics.tree_evaluate import evaluate_tree, residual_tree
from dalembert.mechanics.tree_solve import (
    factor_open,
    factor_tree,
    respond_open,
    respond_tree,
    solve_open,
    solve_tree,
)
from dalembert.system.dual_blocks import inversion
from dalembert.system.state_layout import State

FORMS = {
    "automatic": (factor_automatic, solve_automatic, respond_automatic),
    "schur": (factor_schur, solve_full_rank, respond_full_rank),
    "orthogonal": (factor_orthogonal, solve_orthogonal, respond_orthogonal),
    "saddle": (factor_saddle, solve_saddle, respond_saddle),
    "projector": (factor_projector, solve_projector, respond_projector),
}
"""Name of a form of full matrices -> its three borders: factor, solve, respond."""

PROXIMAL = (factor_proximal, solve_proximal, respond_proximal)
DUAL = (factor_dual, solve_dual, respond_dual)
COMPLEMENT = (factor_complement, solve_dual, respond_dual)
"""J M^-1 J^T by blocks, without a way out where rows are dependent."""
OPEN = (factor_open, solve_open, respond_open)
TREE = (factor_tree, solve_tree, respond_tree)

FULL = frozenset({"schur", "saddle", "projector"})
"""Forms that are methods of their own and stay what they are on bodies."""


def needs_matrices(form: str, system: Any) -> bool:
    """Whether a form works on full matrices; that of J M^-1 J^T has blocks where joints have."""
    if form not in FULL:
        return False
    by_blocks = system.has_bodies and not system.is_tree and system.dual is not None
    return not (form == "schur" and by_blocks)


def use(state: State, parts: Any) -> None:
    """Put the three borders of the constrained solve in place."""
    state.factor, state.solve, state.respond = (part.address for part in parts)


def fall_back_on(state: State, parts: Any) -> None:
    """Put the borders in place that take over where a position is nearly singular."""
    state.proximal_factor, state.proximal_solve, state.proximal_respond = (
        part.address for part in parts
    )


def install_lean(state: State) -> None:
    """Put the borders for corrections in place that serve until rows come near one another."""
    state.factor, state.respond = factor_lean.address, respond_full_rank.address


def install_tree(form: str, state: State, matrices: bool = True) -> None:
    """Install a form for bodies on a tree: along it, or by the full matrices if there are any."""
    state.evaluate, state.residual = evaluate_tree.address, residual_tree.address
    if state.dense == 1 and matrices:
        state.tangent = tangent_bodies.address
        use(state, FORMS[form])
    elif state.rows == 0:
        use(state, OPEN)
    else:
        fall_back_on(state, FORMS["automatic"])
        use(state, TREE)


def install_bodies(form: str, state: State, least: bool = True) -> None:
    """Install a form for bodies of seven coordinates each, and the borders of the model.

    `least`: of dependent rows the least multipliers are wanted, not just some.
    """
    by_blocks = state.dual_column_count > 0
    state.place_body = placing_code().address
    state.evaluate, state.residual = evaluate_bodies.address, residual_bodies.address
    if state.dense == 1:
        state.tangent = tangent_bodies.address
    if by_blocks and (form == "schur" or not least):
        state.dual_invert = inversion(state.plane).address
    if form == "schur" and by_blocks:
        use(state, COMPLEMENT)
    elif form in FULL and state.dense == 1:
        use(state, FORMS[form])
    elif by_blocks and not least:
        fall_back_on(state, PROXIMAL)
        use(state, DUAL)
    else:
        use(state, PROXIMAL)


def install_all_rows(state: State) -> None:
    """Solve with all rows of joints, also those that bodies in a plane meet anyhow."""
    use(state, PROXIMAL)


def install(form: str, state: State, least: bool = True) -> None:
    """Put the borders of a form in place; on bodies also those of the model."""
    if state.mechanism == 0:
        use(state, FORMS[form])
    elif state.bodies == 0:
        install_tree(form, state)
    else:
        install_bodies(form, state, least)
