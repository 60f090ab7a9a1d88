"""Cliques and blocks of Python as the arrays of `contact.layout` and back, and as .npz files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dalembert import _npz
from dalembert._files import opened
from dalembert.contact import layout
from dalembert.contact.building import add_block, add_clique, begin, set_key
from dalembert.contact.layout import BIAS, COMPLIANCE, KINDS, LAM0, LOWER, UPPER, V_BEFORE, V_FREE
from dalembert.contact.parts import Block, Clique
from dalembert.errors import FileError, ModelError


def write(
    cliques: list[Clique], blocks: list[Block], integers: np.ndarray, numbers: np.ndarray
) -> None:
    """Cliques and blocks as arrays."""
    begin(integers)
    for clique in cliques:
        size = len(clique.v_free)
        index = add_clique(integers, size)
        put(numbers, layout.matrix_at(integers, index), clique.A)
        put(numbers, layout.velocity_at(integers, V_FREE, index), clique.v_free)
        put(numbers, layout.velocity_at(integers, V_BEFORE, index), clique.v_before)
        put(integers, layout.parent_at(integers, index), clique.parent)
    for block in blocks:
        kind = KINDS.index(block.kind)
        index = add_block(integers, numbers, kind, block.dim, block.a, block.b)
        put(numbers, layout.jacobian_a_at(integers, index), block.J_a)
        put(numbers, layout.jacobian_b_at(integers, index), block.J_b)
        for name, values in (
            (BIAS, block.bias),
            (COMPLIANCE, block.R),
            (LOWER, block.lower),
            (UPPER, block.upper),
            (LAM0, block.lam0),
        ):
            put(numbers, layout.row_at(integers, name, index), values)
        put(numbers, layout.mu_at(integers, index), block.mu)
        put(numbers, layout.length_at(integers, index), np.array([block.length]))
        set_key(integers, index, *block.key)


def read(integers: np.ndarray, numbers: np.ndarray) -> tuple[list[Clique], list[Block]]:
    """Copies of the cliques and blocks that arrays hold."""
    cliques: list[Clique] = []
    blocks: list[Block] = []
    for index in range(int(integers[layout.CLIQUES])):
        size = int(layout.clique_size(integers, index))
        A = taken(numbers, layout.matrix_at(integers, index), size * size)
        free = taken(numbers, layout.velocity_at(integers, V_FREE, index), size)
        before = taken(numbers, layout.velocity_at(integers, V_BEFORE, index), size)
        parent = taken(integers, layout.parent_at(integers, index), size)
        cliques.append(Clique(A.reshape(size, size), free, parent, before))
    for index in range(int(integers[layout.BLOCKS])):
        at = int(integers[layout.BLOCK]) + layout.BLOCK_RECORD * index
        record = [int(x) for x in integers[at : at + layout.BLOCK_RECORD]]
        dim, a, b = record[layout.DIM], record[layout.CLIQUE_A], record[layout.CLIQUE_B]
        sides = [
            taken(numbers, start, dim * size).reshape(dim, size)
            for start, size in (
                (layout.jacobian_a_at(integers, index), int(layout.clique_size(integers, a))),
                (layout.jacobian_b_at(integers, index), int(layout.clique_size(integers, b))),
            )
        ]
        rows = [
            taken(numbers, layout.row_at(integers, name, index), dim)
            for name in (BIAS, COMPLIANCE, LOWER, UPPER)
        ]
        mu = taken(numbers, layout.mu_at(integers, index), 3)
        length = float(numbers[layout.length_at(integers, index)])
        start = taken(numbers, layout.row_at(integers, LAM0, index), dim)
        key = (record[layout.KEY], record[layout.KEY_2])
        kind = KINDS[record[layout.KIND]]
        blocks.append(
            Block(
                kind=kind,
                a=a,
                b=b,
                J_a=sides[0],
                J_b=sides[1],
                bias=rows[0],
                R=rows[1],
                lower=rows[2],
                upper=rows[3],
                mu=mu,
                length=length,
                key=key,
                lam0=start,
            )
        )
    return cliques, blocks


def save(cliques: list[Clique], blocks: list[Block], path: str | Path) -> None:
    """Write a file of NumPy arrays."""
    keep = {"format": np.array(1)}
    for i, clique in enumerate(cliques):
        keep |= {f"clique{i}_{name}": value for name, value in vars(clique).items()}
    for i, block in enumerate(blocks):
        keep |= {f"block{i}_{name}": np.asarray(value) for name, value in vars(block).items()}
    np.savez_compressed(path, **keep)  # type: ignore[arg-type]


def load(path: str | Path) -> dict[str, np.ndarray]:
    """The arrays of a file that `save` has written, not yet looked at."""
    try:
        with opened(path) as file:
            kept = _npz.read(file)
    except OSError as problem:
        raise FileError(
            f"{path}: cannot be read ({problem.strerror}). Check the path."
        ) from problem
    except Exception as problem:  # damage breaks anywhere: zip, npy
        raise damaged(path, problem) from problem
    if "format" not in kept or kept["format"].tolist() != 1:
        raise ModelError(f"{path}: not a contact problem of this version.")
    return kept


def parts(kept: dict[str, np.ndarray]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Fields of the cliques and blocks of a file; errors of any kind tell of damage."""
    cliques = _records(kept, "clique", list(Clique.__dataclass_fields__))
    blocks = _records(kept, "block", list(Block.__dataclass_fields__))
    for values in blocks:
        values |= {name: int(values[name]) for name in ("a", "b")}
        values["kind"], values["length"] = str(values["kind"]), float(values["length"])
        first, second = (int(x) for x in values["key"])
        values["key"] = (first, second)
    return cliques, blocks


def damaged(path: str | Path, problem: Exception) -> FileError:
    """The error for a file that is no contact problem."""
    return FileError(
        f"{path}: is no contact problem, or it is damaged ({problem!s:.200}). Give a file"
        " written by ContactProblem.save."
    )


def _records(kept: dict[str, np.ndarray], what: str, names: list[str]) -> list[dict[str, Any]]:
    """Fields of the records of a kind, in order."""
    made: list[dict[str, Any]] = []
    while f"{what}{len(made)}_{names[0]}" in kept:
        made.append({name: kept[f"{what}{len(made)}_{name}"] for name in names})
    return made


def put(array: np.ndarray, start: int, values: np.ndarray) -> None:
    """Copy values into a flat array."""
    array[start : start + values.size] = values.ravel()


def taken(array: np.ndarray, start: int, count: int) -> np.ndarray:
    """A copy of part of a flat array."""
    return array[start : start + count].copy()
