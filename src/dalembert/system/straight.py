"""A text over small arrays as straight-line code with an address.

The text is a Python function of flat arrays that it reads and writes, such as those of
`numerics.block`. Run over formulas in place of numbers it leaves in the arrays what has to be
stored; that is compiled. Without compilation the text itself stands behind the address.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dalembert import _jit
from dalembert._once import once_property
from dalembert._signature import Registered, Signature
from dalembert.formulas import Expression, computed, constant, load, symbols, time
from dalembert.formulas.graph import Store
from dalembert.formulas.llvm import CompiledFunction, compile_function


class Straight:
    """Straight-line code.

    Parameters
    ----------
    signature : how it is called
    stores : (argument, index, formula of loads from the arguments)
    positive : formulas that must be positive; the code returns 1 where one is not
    """

    def __init__(
        self,
        signature: Signature,
        stores: Sequence[Store],
        positive: Sequence[Expression] = (),
        name: str | None = None,
    ) -> None:
        self.signature = signature
        self.stores = list(stores)
        self.positive = list(positive)
        self.name = name or signature.name

    @classmethod
    def trace(
        cls, signature: Signature, text: Callable[..., Any], lengths: Mapping[str, int]
    ) -> Straight:
        """The code of a text whose array arguments have the given lengths."""
        arrays = {a: _loads(a, lengths[a]) for a in signature.arguments}
        before = {a: array.copy() for a, array in arrays.items()}
        positive = text(*arrays.values()) or []
        stores = [
            (a, k, x if isinstance(x, Expression) else constant(float(x)))
            for a, array in arrays.items()
            for k, x in enumerate(array)
            if x is not before[a][k]
        ]
        return cls(signature, stores, positive, text.__name__)

    @once_property
    def _compiled(self) -> CompiledFunction:
        status = None
        for x in self.positive:
            status = x > 0.0 if status is None else status & (x > 0.0)
        arguments = self.signature.arguments
        return compile_function(self.name, arguments, self.stores, {}, status, packed=True)

    @once_property
    def _interpreted(self) -> Registered:
        formulas = [s[2] for s in self.stores] + self.positive
        leaves = symbols(formulas, "load")

        def run(work: Any, sizes: Any, *values: Any) -> int:
            given = dict(zip(self.signature.arguments, values, strict=True))
            known: dict[Any, Any] = {x: given[x.data[0]][x.data[1]] for x in leaves}
            known[time] = given.get("t", 0.0)
            found = computed(formulas, known)
            for (array, index, _), value in zip(self.stores, found, strict=False):
                given[array][index] = value
            return int(not all(x > 0.0 for x in found[len(self.stores) :]))

        return Registered(run)

    @property
    def address(self) -> int:
        """Entry for an integer table: a machine address, or the key when interpreting."""
        return self._interpreted.key if _jit.runs_texts() else self._compiled.address


def _loads(argument: str, length: int) -> Any:
    array = np.empty(length, dtype=object)
    array[:] = [load(argument, k) for k in range(length)]
    return array
