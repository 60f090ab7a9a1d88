"""Which borders serve a system: formulas or bodies, full matrices or blocks."""

from dalembert.mechanics import dense
from dalembert.mechanics.dual import factor_dual, respond_dual, solve_dual
from dalembert.mechanics.maximal import evaluate_bodies, placing_code, residual_bodies
from dalembert.mechanics.proximal import factor_proximal, respond_proximal, solve_proximal
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
from dalembert.system.layout import (
    BODIES,
    DENSE,
    DUAL_COLUMN_COUNT,
    DUAL_INVERT,
    EVALUATE,
    FACTOR,
    MECHANISM,
    PLACE_BODY,
    PLANE,
    PROXIMAL_FACTOR,
    PROXIMAL_RESPOND,
    PROXIMAL_SOLVE,
    RESIDUAL,
    RESPOND,
    ROWS,
    SOLVE,
    TANGENT,
)

FULL = frozenset({"schur", "saddle"})
"""Forms that are methods of their own and stay what they are on bodies."""


def needs_matrices(form: str, system) -> bool:
    """Whether a form works on full matrices; that of J M^-1 J^T has blocks where joints have."""
    if form not in FULL:
        return False
    by_blocks = system.has_bodies and not system.is_tree and system.dual is not None
    return not (form == "schur" and by_blocks)


COMPLEMENT = (factor_complement, solve_dual, respond_dual)
"""J M^-1 J^T by blocks, without a way out where rows are dependent."""


def install_tree(form: str, sizes, matrices: bool = True) -> None:
    """Install a form for bodies on a tree: along it, or by the full matrices if there are any."""
    sizes[EVALUATE], sizes[RESIDUAL] = evaluate_tree.address, residual_tree.address
    if sizes[DENSE] == 1 and matrices:
        sizes[TANGENT] = tangent_bodies.address
        dense.install(form, sizes)
        return
    if sizes[ROWS] == 0:
        parts = (factor_open, solve_open, respond_open)
    elif sizes[DUAL_COLUMN_COUNT] > 0:
        full = dense.FORMS["automatic"]
        for slot, part in zip(
            (PROXIMAL_FACTOR, PROXIMAL_SOLVE, PROXIMAL_RESPOND), full, strict=True
        ):
            sizes[slot] = part.address
        parts = (factor_tree, solve_tree, respond_tree)
    for slot, part in zip((FACTOR, SOLVE, RESPOND), parts, strict=True):
        sizes[slot] = part.address


def install(form: str, sizes, least: bool = True) -> None:
    """Put the borders of a form in place; on bodies also those of the model.

    `least`: of dependent rows the least multipliers are wanted, not just some.
    """
    if sizes[MECHANISM] == 0:
        dense.install(form, sizes)
        return
    if sizes[BODIES] == 0:
        install_tree(form, sizes)
        return
    sizes[PLACE_BODY] = placing_code().address
    sizes[EVALUATE], sizes[RESIDUAL] = evaluate_bodies.address, residual_bodies.address
    if sizes[DENSE] == 1:
        sizes[TANGENT] = tangent_bodies.address
    if form == "schur" and sizes[DUAL_COLUMN_COUNT] > 0:
        sizes[DUAL_INVERT] = inversion(int(sizes[PLANE])).address
        for slot, part in zip((FACTOR, SOLVE, RESPOND), COMPLEMENT, strict=True):
            sizes[slot] = part.address
        return
    if form in FULL and sizes[DENSE] == 1:
        dense.install(form, sizes)
        return
    parts = (factor_proximal, solve_proximal, respond_proximal)
    slots = (PROXIMAL_FACTOR, PROXIMAL_SOLVE, PROXIMAL_RESPOND)
    if not least and sizes[DUAL_COLUMN_COUNT] > 0:
        for slot, part in zip(slots, parts, strict=True):
            sizes[slot] = part.address
        sizes[DUAL_INVERT] = inversion(int(sizes[PLANE])).address
        parts = (factor_dual, solve_dual, respond_dual)
    for slot, part in zip((FACTOR, SOLVE, RESPOND), parts, strict=True):
        sizes[slot] = part.address
