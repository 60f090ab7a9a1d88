"""A node of the graph of formulas, and the table that makes formulas written alike one object.

Two formulas written alike are the same object, so shared parts are shared, and every table about
formulas is a plain dictionary. A node's `id` is larger than the ids of its arguments: sorting nodes
by id is a topological order, and no algorithm of this package recurses.

a + b and b + a are two objects. Were they one, it would have its arguments in the order in which
the process wrote them first, and a fused multiply-add rounds x*y + z*w otherwise than z*w + x*y:
bits would depend on what was written before. That they are equal is known by `same`.
"""

from __future__ import annotations

import contextvars
import itertools
import re
import threading
import weakref
from collections.abc import Callable
from operator import attrgetter
from typing import Any, NoReturn

from dalembert.errors import FormulaError
from dalembert.formulas.source_line import located, user_line

CONDITIONS = frozenset(("<", "<=", "and", "or", "not"))
"""Operations whose result is true or false."""

COMMUTATIVE = frozenset(("+", "*", "minimum", "maximum"))
"""Operations whose arguments may stand in any order."""


deciding: contextvars.ContextVar[Callable[[Any], bool] | None] = contextvars.ContextVar(
    "deciding", default=None
)
"""Who decides on conditions that a traced text asks for; None: nobody, that is an error."""


class Node:
    """One operation of the graph.

    Attributes
    ----------
    op : str            operation, e.g. ``"+"``, ``"sin"``, ``"coordinate"``
    args : tuple        argument nodes; empty for leaves
    data : object       what a leaf stands for: value, name, (name, value) or (array, index)
    id : int            larger than the id of every argument
    shape : int         equal for equal formulas, and hardly ever for others
    """

    __slots__ = ("__weakref__", "args", "data", "id", "op", "shape")

    op: str
    args: tuple[Any, ...]
    data: Any
    id: int
    shape: int

    def __repr__(self) -> str:
        from dalembert.formulas.text import to_text

        return to_text(self, limit=200)

    def __copy__(self) -> Node:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        from dalembert.formulas.packing import pack, unpack_one

        return unpack_one, (pack([self]),)

    def __bool__(self) -> bool:
        decide = deciding.get()
        if decide is not None:
            return decide(self)
        _, text = user_line()
        if re.search(r"\b(max|min|maximum|minimum|clip)\(", text):
            remedy = "Use dl.maximum(a, b) or dl.minimum(a, b)."
        elif " and " in text or " or " in text or "not " in text:
            remedy = "Combine conditions with & | ~ and choose with dl.where(condition, a, b)."
        else:
            remedy = "Use dl.where(condition, value_if_true, value_if_false)."
        raise FormulaError(
            located("A formula has no truth value: it holds for all states at once.", remedy)
        )

    def __float__(self) -> NoReturn:
        _, text = user_line()
        if "math." in text:
            remedy = "Use the NumPy function of that name (np.sin instead of math.sin)."
        elif "norm(" in text:
            remedy = "Use np.sqrt(a @ a) instead of np.linalg.norm(a)."
        elif "zeros" in text or "empty" in text or "ones" in text or "] =" in text:
            remedy = "Make the array with dtype=object, or build it with np.array([...])."
        else:
            remedy = (
                "Use np.sin for math.sin, np.sqrt(a @ a) for np.linalg.norm(a), "
                "and dtype=object for arrays that receive formulas."
            )
        raise FormulaError(located("A formula is not a number and cannot become one.", remedy))

    def __int__(self) -> NoReturn:
        raise FormulaError(
            located(
                "A formula is not a whole number and cannot count or index.",
                "Use a Python int here; to choose by state use dl.where(condition, a, b). A tuple "
                "times a formula asks for that, too: one name alone is unpacked with a comma, "
                "k, = dl.parameters(k=2.0).",
            )
        )

    __index__ = __int__
    __complex__ = __float__

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        from dalembert.formulas.numpy_protocol import apply_ufunc

        return apply_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        from dalembert.formulas.numpy_protocol import apply_function

        return apply_function(function, args, options)


class _Entry(weakref.ref[Node]):
    __slots__ = ("key",)
    key: tuple[Any, ...]


_table: dict[tuple[Any, ...], _Entry] = {}


_ids = itertools.count()


_replacing = threading.RLock()
"""Held by who takes a dead entry out of the table; entries are added without it."""


_new: Callable[[Any], Any] = object.__new__


def _forget(
    entry: Any, table: dict[tuple[Any, ...], _Entry] = _table, replacing: Any = _replacing
) -> None:
    with replacing:  # the names of this file are gone when a process ends
        key = entry.key
        if table.get(key) is entry:
            del table[key]


def intern(kind: type[Any], key: tuple[Any, ...], op: str, args: tuple[Any, ...], data: Any) -> Any:
    """The node of this key, made if there is none alive.

    Keys hold ids and not nodes, so that an unused node can die; ids are never used twice.
    """
    entry = _table.get(key)
    if entry is not None:
        found = entry()
        if found is not None:
            return found
    node = _new(kind)
    node.op = op
    node.args = args
    node.data = data
    if len(args) == 2:
        a, b = args[0].shape, args[1].shape
        node.shape = hash((op, b, a) if a < b and op in COMMUTATIVE else (op, a, b))
    else:
        node.shape = hash((op, *(a.shape for a in args))) if args else hash(key)
    node.id = next(_ids)
    mine = _Entry(node, _forget)
    mine.key = key
    # another thread may have made the node meanwhile: the first one stays
    while (rival := _table.setdefault(key, mine)) is not mine:
        if (found := rival()) is not None:
            return found
        _forget(rival)
    return node


# --- equality ---------------------------------------------------------------------------------


def same(a: Node, b: Node) -> bool:
    """Whether two formulas are equal: written alike, but for the order of what commutes."""
    if a is b:
        return True
    if a.shape != b.shape:
        return False
    seen: set[tuple[int, int]] = set()
    stack = [(a, b)]
    while stack:
        a, b = stack.pop()
        if a is b or (a.id, b.id) in seen:
            continue
        if a.op != b.op or not a.args or len(a.args) != len(b.args):
            return False
        seen.add((a.id, b.id))
        mine, others = list(a.args), list(b.args)
        if a.op in COMMUTATIVE:
            mine.sort(key=_BY_SHAPE)
            others.sort(key=_BY_SHAPE)
        stack += zip(mine, others, strict=True)
    return True


_BY_SHAPE = attrgetter("shape")
