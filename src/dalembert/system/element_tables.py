"""Integer tables of the elements of a mechanism (`system.tables` says what stands in them)."""

from __future__ import annotations

from typing import Any

from dalembert.system.bodies import Mechanism
from dalembert.system.graph import Elimination


def element_tables(parts: Mechanism, e: Elimination) -> dict[str, Any]:
    """Tables of pairs, force elements and constraints of several bodies, by name."""
    pairs, begun = _pairs(parts, e)
    incidences, terms = _specifics(parts, e)
    empty = [at for (row, column), at in e.places.items() if row != column and at not in begun]
    return {
        "empty_table": empty,
        "pair_table": pairs,
        "action_table": [[x.kind.act.address, *x.bodies, x.start] for x in parts.actions],
        "incidence_table": incidences,
        "term_table": terms,
    }


def _pairs(parts: Mechanism, e: Elimination) -> tuple[list[list[int]], set[int]]:
    """`Pair` of every constraint of two frames, and the blocks of H that one of them begins."""
    world = len(parts.names)
    pairs = []
    begun: set[int] = set()
    for pair in parts.pairs:
        a, b = pair.bodies
        both = a != world and b != world
        place, a_is_row = e.place(a, b) if both else (0, True)
        begins = both and place not in begun
        if both:
            begun.add(place)
        kind = pair.kind
        pairs.append(
            [
                kind.rows.address,
                kind.residual.address,
                a,
                b,
                pair.start,
                pair.row,
                pair.count,
                *pair.blocks,
                kind.image.address,
                kind.pull.address,
                kind.weigh(a != world, b != world, a_is_row, begins).address,
                0 if a == world else e.places[a, a],
                place,
                0 if b == world else e.places[b, b],
                kind.correct.address,
            ]
        )
    return pairs, begun


def _specifics(parts: Mechanism, e: Elimination) -> tuple[list[list[int]], list[list[int]]]:
    """`Incidence` and `Term` of constraints of any number of bodies."""
    incidences, terms = [], []
    for s in parts.specifics:
        for k, (body, block) in enumerate(zip(s.bodies, s.blocks, strict=True)):
            incidences.append([body, block, s.row, s.count, int(k == 0)])
            for other, second in list(zip(s.bodies, s.blocks, strict=True))[: k + 1]:
                place, is_row = e.place(body, other)
                ends = (second, block) if is_row else (block, second)
                terms.append([*ends, s.row, s.count, place])
    return incidences, terms
