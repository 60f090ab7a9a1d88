"""Rows of loops on a tree: which velocities each touches, and where it stands in W = J M^-1 J^T.

A row of a constraint touches the velocities of the joints between its bodies and the world. Factors
of M = L^T D L keep to the tree (branch-induced sparsity, Featherstone 2008, sec. 6.5): so do the
rows Y = J L^-1, and W = Y D^-1 Y^T couples two constraints only where their ways meet.

tree_element_table   per constraint: first row, rows; velocities it touches, its place in tree_rows;
                     list of the rows that take part, how many, the number of the first in W;
                     list of velocities; list of sides, how many
  lists, by their place in the table:
    velocities       velocity; index in this list of the one before it on the way to the world
    sides            block of J; list of links on the way to the world, how many
    links            link; first velocity, how many; index of the first in the list of velocities
tree_products        block of W; column's place in tree_half, its velocities, rows; the same of the
                     row; 1 on the diagonal; list of pairs of indices, how many
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.system.dual import Dual, DualCounts, factor_tables
from dalembert.system.loop_tables import LOOP
from dalembert.system.tree_layout import Dof, Head, Joint

MOST_ROWS = 6
"""Most rows of a constraint whose blocks are written out as code."""


@dataclass(frozen=True)
class LoopRows:
    """The tables by name, and the room that rows need."""

    tables: dict[str, Any]
    floats: int
    products: int
    dual: Dual | None


def loop_rows(
    constraints: Sequence[Any], integers: Any, left_out: frozenset[int] = frozenset()
) -> LoopRows:
    """Tables of constraints on the tree `integers`; W is that of the rows not left out."""
    head = [[0] * LOOP for _ in constraints]
    lists: list[int] = []
    first = LOOP * len(constraints)

    def kept_list(entries: Sequence[int]) -> int:
        lists.extend(entries)
        return first + len(lists) - len(entries)

    tree = _Hanging.of(integers)
    floats, touched = 0, []
    for record, constraint in zip(head, constraints, strict=True):
        velocities, parents = _touched(constraint, tree)
        index = {dof: k for k, dof in enumerate(velocities)}
        touched.append(index)
        rows = [r for r in range(constraint.count) if constraint.row + r not in left_out]
        sides = []
        for body, block in zip(constraint.bodies, constraint.blocks, strict=True):
            way = _way(body, tree, index)
            if way:
                sides.append([block, kept_list(np.ravel(way).tolist()), len(way)])
        near = [x for dof in velocities for x in (dof, index.get(parents[dof], -1))]
        record[:4] = constraint.row, constraint.count, len(velocities), floats
        record[4:6] = kept_list(rows), len(rows)
        record[7:] = kept_list(near), kept_list(np.ravel(sides).astype(int).tolist()), len(sides)
        floats += constraint.count * len(velocities)
    made = _factors(head, touched, lists, first, kept_list)
    flat = [x for record in head for x in record] + lists
    tables: dict[str, Any] = {"tree_element_table": flat, "tree_products": []}
    if made is None:
        return LoopRows(tables, floats, 0, None)
    dual, products = made
    tables["tree_element_table"] = [x for record in head for x in record] + lists
    tables["tree_products"] = products
    return LoopRows(tables, floats, len(products), dual)


def _factors(
    head: list[list[int]],
    touched: list[dict[int, int]],
    lists: list[int],
    first: int,
    kept_list: Any,
) -> tuple[Dual, list[list[int]]] | None:
    """Tables of W; None where a constraint has too many rows for it."""
    taking = [e for e, record in enumerate(head) if record[5]]
    size = [head[e][5] for e in taking]
    if not taking or max(size) > MOST_ROWS:
        return None
    sharing: dict[int, list[int]] = {}
    for n, e in enumerate(taking):
        for dof in touched[e]:
            sharing.setdefault(dof, []).append(n)
    made = factor_tables(size, sharing.values())
    numbered = []
    for n in made.order:
        record = head[taking[n]]
        record[6] = made.first_row[n]
        start = record[4] - first
        numbered += [record[0] + r for r in lists[start : start + record[5]]]
    products, empty = [], []
    for (row, column), place in made.places.items():
        one, two = taking[column], taking[row]
        common = sorted(touched[one].keys() & touched[two].keys())
        if not common:
            empty.append([place, size[row] * size[column]])
            continue
        pairs = [x for dof in common for x in (touched[one][dof], touched[two][dof])]
        ends = [x for e in (one, two) for x in (head[e][3], head[e][2], head[e][5])]
        products.append([place, *ends, int(row == column), kept_list(pairs), len(common)])
    tables = {
        "dual_empty": empty,
        "dual_rows": [[row] for row in numbered],
        **made.tables,
    }
    counts = DualCounts(len(made.order), 0, 0, len(empty), len(numbered))
    return Dual(tables, counts, made.floats, made.scratch), products


@dataclass(frozen=True)
class _Hanging:
    """How links hang together: of link 1, 2, ..., of every velocity, of every body."""

    parent: list[int]
    v_start: list[int]
    dofs: list[int]
    above: list[int]
    link_of: list[int]

    @classmethod
    def of(cls, integers: Any) -> _Hanging:
        """Lists from the integers of a tree."""
        head = Head(integers, 0)
        links, dofs = integers[head.link_table :], integers[head.dof_table :]
        columns = (Joint.column(links, x, head.links) for x in ("parent", "v_start", "dofs"))
        above = Dof.column(dofs, "parent", head.nv)
        return cls(*(x.tolist() for x in (*columns, above, integers[head.body_table :])))

    def way(self, body: int) -> Iterator[int]:
        """Links from that of a body to the world."""
        link = self.link_of[body] if body < len(self.link_of) else 0
        while link > 0:
            yield link
            link = self.parent[link - 1]


def _touched(constraint: Any, tree: _Hanging) -> tuple[list[int], dict[int, int]]:
    """Velocities on the ways from the bodies of a constraint to the world, and the one before."""
    found: dict[int, int] = {}
    for body in constraint.bodies:
        for link in tree.way(body):
            start = tree.v_start[link - 1]
            for dof in range(start, start + tree.dofs[link - 1]):
                found[dof] = tree.above[dof]
    return sorted(found), found


def _way(body: int, tree: _Hanging, index: dict[int, int]) -> list[tuple[int, ...]]:
    """Links from that of a body to the world: link, its velocities and the index of the first."""
    way: list[tuple[int, ...]] = []
    for link in tree.way(body):
        start, count = tree.v_start[link - 1], tree.dofs[link - 1]
        way.append((link, start, count, index[start] if count else 0))
    return way
