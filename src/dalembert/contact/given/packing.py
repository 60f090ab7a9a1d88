"""Cliques and blocks of Python as packed arrays and back, and as .npz files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dalembert import _npz
from dalembert._files import opened
from dalembert.contact.given.cliques_and_blocks import Block, Clique
from dalembert.contact.problem.layout import KINDS, Problem
from dalembert.contact.problem.record_layout import Friction
from dalembert.contact.problem.writing import add_block, add_clique, begin
from dalembert.errors import FileError, ModelError


def write(cliques: list[Clique], blocks: list[Block], problem: Problem) -> None:
    """Cliques and blocks as a problem of the solvers, which has room for them."""
    begin(problem)
    for clique in cliques:
        own = problem.clique(add_clique(problem, len(clique.v_free)))
        problem.A(own)[:] = clique.A
    for name in ("v_free", "v_before", "parent"):
        _gather([getattr(clique, name) for clique in cliques], getattr(problem, name))
    for block in blocks:
        to = problem.block(add_block(problem, KINDS.index(block.kind), block.dim, block.a, block.b))
        if block.a >= 0:
            problem.J_a(to)[:] = block.J_a
        if block.b >= 0:
            problem.J_b(to)[:] = block.J_b
        to.mu, to.length = Friction(*block.mu), block.length
        to.key, to.key_2 = block.key
    for name in ("bias", "lower", "upper", "lam0"):
        _gather([getattr(block, name) for block in blocks], getattr(problem, name))
    _gather([block.R for block in blocks], problem.compliance)


def _gather(parts: list[np.ndarray], vector: np.ndarray) -> None:
    """Parts one after the other in a vector over velocities or rows."""
    if parts:
        np.concatenate(parts, out=vector)


def read(problem: Problem) -> tuple[list[Clique], list[Block]]:
    """Copies of the cliques and blocks that a problem of the solvers holds."""
    cliques = [_read_clique(problem, i) for i in range(problem.cliques)]
    return cliques, [_read_block(problem, i) for i in range(problem.blocks)]


def _read_clique(problem: Problem, index: int) -> Clique:
    own = problem.clique(index)
    vectors = (own.of(x).copy() for x in (problem.v_free, problem.parent, problem.v_before))
    return Clique(problem.A(own).copy(), *vectors)


def _read_block(problem: Problem, index: int) -> Block:
    own = problem.block(index)
    nothing = np.zeros((own.dim, 0))
    return Block(
        kind=KINDS[own.kind],
        a=own.clique_a,
        b=own.clique_b,
        J_a=problem.J_a(own).copy() if own.clique_a >= 0 else nothing,
        J_b=problem.J_b(own).copy() if own.clique_b >= 0 else nothing.copy(),
        bias=own.of(problem.bias).copy(),
        R=own.of(problem.compliance).copy(),
        lower=own.of(problem.lower).copy(),
        upper=own.of(problem.upper).copy(),
        mu=np.array([*own.mu]),
        length=float(own.length),
        key=(own.key, own.key_2),
        lam0=own.of(problem.lam0).copy(),
    )


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
