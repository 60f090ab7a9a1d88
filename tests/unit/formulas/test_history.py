"""What a process has written before, or writes at the same time, does not matter to a formula."""

from __future__ import annotations

import gc
import random
import threading

import numpy as np
import pytest

from dalembert.formulas import coordinates, node
from dalembert.formulas.derivative import jacobian
from dalembert.formulas.expression import parameter
from dalembert.formulas.graph import split_constant
from dalembert.formulas.llvm_text import write_program

pytestmark = pytest.mark.share(4)

OPERATIONS = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "-": lambda a, b: a - b,
    "minimum": np.minimum,
    "sin": lambda a, _: np.sin(a),
}
FIRST_CONSTANT = 10


def written(seed, *, reversed_too=False):
    """LLVM text of random formulas and their gradients; also what keeps their nodes alive."""
    choose = random.Random(seed)
    leaves = list(coordinates(f"h{seed}_", 5))
    known = [parameter(f"p{seed}_{k}", 1.5) for k in range(3)]
    formulas, kept = [*leaves, *known], []
    for _ in range(40):
        a, b = choose.sample(formulas, 2)
        op = choose.choice(list(OPERATIONS))
        if reversed_too:  # somebody wrote it the other way round before
            kept.append(OPERATIONS[op](b, a))
        formulas.append(OPERATIONS[op](a, b))
    outputs = formulas[-3:]
    outputs += [d for row in jacobian(formulas[-3:], leaves) for d in row]
    outputs += [d for y in formulas[-3:] for d in jacobian([y], leaves)[0]]
    stores = [("out", k, y) for k, y in enumerate(outputs)]
    prologue, body = split_constant(stores, lambda x: x in known, FIRST_CONSTANT)
    bindings = {x: ("q", k) for k, x in enumerate(leaves)}
    bindings |= {x: ("work", k) for k, x in enumerate(known)}
    texts = [write_program("f", ["q", "out"], some, bindings) for some in (prologue, body)]
    return texts, (kept, outputs)


@pytest.mark.parametrize("seed", range(20))
def test_formulas_written_before_do_not_change_a_program(seed):
    alone, _ = written(seed)
    del _
    gc.collect()
    after_others, _ = written(seed, reversed_too=True)
    assert after_others == alone


class Overtaken:
    """Numbers of nodes; before one is handed out another thread does something."""

    def __init__(self, numbers, between):
        self.numbers, self.between = numbers, between

    def __next__(self):
        between, self.between = self.between, None
        if between is not None:
            other = threading.Thread(target=between)
            other.start()
            other.join()
        return next(self.numbers)


def test_two_threads_make_one_node(monkeypatch):
    """One thread is interrupted while it makes a node, and another makes the same."""
    x, y = coordinates("overtaken_x overtaken_y")
    found = []
    monkeypatch.setattr(node, "_ids", Overtaken(node._ids, lambda: found.append(x + y)))
    mine = x + y
    assert mine is found[0]
    assert x + y is mine
