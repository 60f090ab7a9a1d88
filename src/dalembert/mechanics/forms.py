"""Which borders serve a system: formulas or bodies, full matrices or blocks."""

from dalembert.mechanics import dense
from dalembert.mechanics.maximal import evaluate_bodies, placing_code, residual_bodies
from dalembert.mechanics.proximal import factor_proximal, respond_proximal, solve_proximal
from dalembert.mechanics.tangent import tangent_bodies
from dalembert.system.layout import (
    BODIES,
    DENSE,
    EVALUATE,
    FACTOR,
    PLACE_BODY,
    RESIDUAL,
    RESPOND,
    SOLVE,
    TANGENT,
)

FULL = frozenset({"schur", "saddle"})
"""Forms that are methods of their own and stay what they are on bodies, where there is room."""


def install(form: str, sizes) -> None:
    """Put the borders of a form in place; on bodies also those of the model."""
    if sizes[BODIES] == 0:
        dense.install(form, sizes)
        return
    sizes[PLACE_BODY] = placing_code().address
    sizes[EVALUATE], sizes[RESIDUAL] = evaluate_bodies.address, residual_bodies.address
    if sizes[DENSE] == 1:
        sizes[TANGENT] = tangent_bodies.address
    if form in FULL and sizes[DENSE] == 1:
        dense.install(form, sizes)
        return
    parts = (factor_proximal, solve_proximal, respond_proximal)
    for slot, part in zip((FACTOR, SOLVE, RESPOND), parts, strict=True):
        sizes[slot] = part.address
