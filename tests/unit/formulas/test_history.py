"""What a process has written before does not matter to the programs of formulas."""

from __future__ import annotations

import gc
import random

import numpy as np
import pytest

from dalembert.formulas.derivative import jacobian
from dalembert.formulas.llvm_text import write_program
from dalembert.formulas.variables import coordinates

OPERATIONS = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "-": lambda a, b: a - b,
    "sin": lambda a, _: np.sin(a),
}


def written(seed, *, reversed_too=False):
    """LLVM text of random formulas and their gradients; also what keeps their nodes alive."""
    choose = random.Random(seed)
    leaves = list(coordinates(f"h{seed}_", 5))
    formulas, kept = list(leaves), []
    for _ in range(40):
        a, b = choose.sample(formulas, 2)
        op = choose.choice(["+", "*", "-", "sin"])
        if reversed_too and op in "+*":  # somebody wrote it the other way round before
            kept.append(b + a if op == "+" else b * a)
        formulas.append(OPERATIONS[op](a, b))
    outputs = formulas[-3:]
    outputs += [d for row in jacobian(formulas[-3:], leaves) for d in row]
    stores = [("out", k, y) for k, y in enumerate(outputs)]
    bindings = {x: ("q", k) for k, x in enumerate(leaves)}
    return write_program("f", ["q", "out"], stores, bindings), (kept, outputs)


@pytest.mark.parametrize("seed", range(20))
def test_formulas_written_before_do_not_change_a_program(seed):
    alone, _ = written(seed)
    del _
    gc.collect()
    after_others, _ = written(seed, reversed_too=True)
    assert after_others == alone
