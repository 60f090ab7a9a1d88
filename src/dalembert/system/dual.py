"""Tables of W = J M^-1 J^T along the graph of constraints.

Two constraints are neighbours when they touch the same body. The elimination is that of
`system.graph`, over constraints in place of bodies; blocks have the constraints' own sizes.

Rows that depend on others for good may be left out. Those that take part are numbered anew, element
by element in the order of elimination.

dual_rows  row of the system, for every row that takes part
dual_columns, dual_below, dual_updates  as `numerics.block_sparse` has them
dual_divisions, dual_products, dual_empty  `Division`, `Product` and `EmptyBlock` (`system.tables`)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dalembert.system import dual_blocks as blocks
from dalembert.system.graph import eliminate
from dalembert.system.state_layout import State

if TYPE_CHECKING:
    from dalembert.system.bodies import Mechanism


@dataclass(frozen=True)
class DualCounts:
    """How many entries the tables have."""

    columns: int
    divisions: int
    products: int
    empty: int
    rows: int

    def write(self, state: State) -> None:
        """Write them into the head of a state."""
        state.dual_column_count, state.dual_division_count = self.columns, self.divisions
        state.dual_product_count, state.dual_empty_count = self.products, self.empty
        state.dual_row_count = self.rows


@dataclass(frozen=True)
class Dual:
    """The tables by name, their counts, and the room they need."""

    tables: dict[str, list[list[int]]]
    counts: DualCounts
    floats: int
    scratch: int


def dual_tables(parts: Mechanism, left_out: frozenset[int] = frozenset(), plane: int = -1) -> Dual:
    """Tables for a mechanism whose constraints are all pairs, without the rows `left_out`.

    `plane`: the axis at right angles to which all bodies move, or -1.
    """
    world = len(parts.names)
    kept = [tuple(r for r in range(p.count) if p.row + r not in left_out) for p in parts.pairs]
    pairs = [pair for pair, rows in zip(parts.pairs, kept, strict=True) if rows]
    kept = [rows for rows in kept if rows]
    touching: list[list[int]] = [[] for _ in range(world)]
    for e, pair in enumerate(pairs):
        for body in pair.bodies:
            if body != world:
                touching[body].append(e)
    size = [len(rows) for rows in kept]
    made = factor_tables(size, touching)
    position, places = {e: k for k, e in enumerate(made.order)}, made.places
    numbered = [pairs[e].row + r for e in made.order for r in kept[e]]
    divisions: list[list[int]] = []
    starts: list[list[int]] = []
    products: list[list[int]] = []
    begun: set[tuple[int, int]] = set()
    for body, elements in enumerate(touching):
        ends = [(e, pairs[e].bodies.index(body)) for e in elements]
        for e, side in ends:
            block = pairs[e].blocks[side]
            # M^-1 J^T has the size of J and stands at the same place in its own field
            divide = blocks.division(pairs[e].kind, side, kept[e], plane)
            divisions.append([divide.address, body, block, block])
        for n, one in enumerate(ends):
            for two in ends[: n + 1]:
                (column, side), (row, other) = sorted((one, two), key=lambda x: position[x[0]])
                begins = (row, column) not in begun
                begun.add((row, column))
                multiply = blocks.product(
                    pairs[column].kind, side, kept[column], size[row], row == column, begins, plane
                )
                entry = [
                    multiply.address,
                    pairs[column].blocks[side],
                    pairs[row].blocks[other],
                    places[row, column],
                ]
                (starts if begins else products).append(entry)
    divisions, products = _by_code(divisions), _by_code(starts) + _by_code(products)
    empty = [
        [at, size[row] * size[col]] for (row, col), at in places.items() if (row, col) not in begun
    ]
    tables = {
        "dual_empty": empty,
        "dual_rows": [[row] for row in numbered],
        **made.tables,
        "dual_divisions": divisions,
        "dual_products": products,
    }
    counts = DualCounts(len(made.order), len(divisions), len(products), len(empty), len(numbered))
    return Dual(tables, counts, made.floats, made.scratch)


@dataclass(frozen=True)
class Factors:
    """Where the blocks of W stand, and the tables of its factorisation by name."""

    order: tuple[int, ...]
    """Elements in the order of elimination, which is also that of their rows."""
    first_row: list[int]
    places: dict[tuple[int, int], int]
    tables: dict[str, list[list[int]]]
    floats: int
    scratch: int


def factor_tables(size: Sequence[int], cliques: Iterable[Sequence[int]]) -> Factors:
    """Tables for elements of `size` rows each, those of a clique being neighbours."""
    graph = eliminate(len(size), cliques)
    first_row, total = [0] * len(size), 0
    for e in graph.order:
        first_row[e], total = total, total + size[e]
    places: dict[tuple[int, int], int] = {}
    room = 0
    for row, column in graph.places:
        places[row, column] = room
        room += size[row] * size[column]
    columns: list[list[int]] = []
    below: list[list[int]] = []
    updates: list[list[int]] = []
    scratch = 0
    for column, e in zip(graph.columns, graph.order, strict=True):
        first, number = int(column[2]), int(column[3])
        rows = [int(x) for x in graph.below[first : first + number, 0]]
        k = size[e]
        code = (blocks.factorisation(k), blocks.forward(k), blocks.backward(k))
        start = [first_row[e], k, places[e, e], len(below), number, len(updates)]
        columns.append([*start, *(c.address for c in code)])
        used = 0
        for i in rows:
            passing = blocks.passing(size[i], k)
            solves = [blocks.subtraction(size[i], k, t) for t in (False, True)]
            addresses = [c.address for c in (passing, *solves)]
            below.append([first_row[i], size[i], places[i, e], used, *addresses])
            used += k * size[i]
        applying: dict[tuple[int, int, bool], int] = {}
        for n, i in enumerate(rows):
            for j in rows[: n + 1]:
                kind = size[i], size[j], i == j
                if kind not in applying:
                    applying[kind] = blocks.update(size[i], size[j], k, i == j).address
                updates.append([places[i, j], applying[kind]])
        scratch = max(scratch, used)
    tables = {"dual_columns": columns, "dual_below": below, "dual_updates": updates}
    return Factors(graph.order, first_row, places, tables, room, scratch)


def _by_code(table: list[list[int]]) -> list[list[int]]:
    """Entries with the same code one after the other: the processor knows where the next call goes.

    Codes in the order in which they first come up, so that sums are the same in every process.
    """
    order: dict[int, int] = {}
    for entry in table:
        order.setdefault(entry[0], len(order))
    return sorted(table, key=lambda entry: order[entry[0]])
