"""Parts of a step that were traced one after the other, with what each hands on to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dalembert.batch.expand import expanded
from dalembert.batch.kernels.layout import BATCH
from dalembert.batch.step import Part, Program
from dalembert.formulas import Condition, Expression, load, reachable, substitute, symbols
from dalembert.formulas.graph import Store
from dalembert.formulas.llvm import CompiledFunction, compile_all
from dalembert.formulas.node import Node

HANDED = "handed"
"""Array whose entries stand for what is handed on, until they have places."""


@dataclass
class Traced:
    """A part that has been traced: what it writes, its guards, options of `Part`.

    `hands`: what it leaves in the state for the parts behind it, by symbols. `again`: an earlier
    part that is called again, or -1.
    """

    name: str
    stores: list[Store]
    guards: list[Condition]
    options: dict[str, Any]
    again: int = -1
    hands: dict[Node, Expression] = field(default_factory=dict)

    def hand_on(self, work: Any, example: Any, first: int) -> int:
        """Let whatever is left in the state be symbols; how many. They are numbered from `first`.

        What is a symbol of earlier parts stays one.
        """
        made: dict[Expression, Expression] = {}
        for k, x in enumerate(work):
            if not isinstance(x, Expression) or x.op == "constant":
                continue
            if not x.args and (x.op != "load" or x.data[0] == HANDED):
                continue
            if x not in made:
                made[x] = load(HANDED, first + len(made))
                example[made[x]] = example(x)
            work[k] = made[x]
        self.hands = {symbol: x for x, symbol in made.items()}
        return len(made)


@dataclass
class Written:
    """Parts of a program with all their places: what is to be compiled of each."""

    program: Program
    parts: Sequence[Traced]
    stores: list[list[Store]] = field(default_factory=list)
    statuses: list[Condition | None] = field(default_factory=list)

    @property
    def new(self) -> list[int]:
        """Parts that are not earlier ones called again."""
        return [k for k, part in enumerate(self.parts) if part.again < 0]


def write_parts(parts: Sequence[Traced], first: int, lanes: int) -> Written:
    """Give all parts of a program places; handed entries stand in `s` from `first` on, if read."""
    places: dict[Node, Expression] = {}
    for part in reversed(parts):
        part.stores += [
            ("s", places[symbol].data[1], x) for symbol, x in part.hands.items() if symbol in places
        ]
        for leaf in symbols([*(x for _, _, x in part.stores), *part.guards], "load"):
            if leaf.data[0] == HANDED:
                places.setdefault(leaf, load("s", first + len(places)))
    written = Written(Program(lanes, scratch=first + len(places)), parts)
    for k in written.new:
        _write(parts[k], places, written)
    return written


def _write(part: Traced, places: dict[Node, Expression], written: Written) -> None:
    given = substitute([x for _, _, x in part.stores], places)
    formulas, guards = expanded(given, substitute(part.guards, places))
    status: Condition | None = None
    for guard in guards:
        status = guard if status is None else status & guard
    outputs: list[Any] = [*formulas, *([] if status is None else [status])]
    written.program.operations += sum(1 for node in reachable(outputs) if node.args)
    written.stores.append([(*s[:2], f) for s, f in zip(part.stores, formulas, strict=True)])
    written.statuses.append(status)


def compile_parts(programs: Sequence[Written]) -> list[Program]:
    """The programs; their parts are compiled side by side."""
    names = [f"batch_{x.parts[k].name}" for x in programs for k in x.new]
    stores = [own for x in programs for own in x.stores]
    statuses = [status for x in programs for status in x.statuses]
    lanes = programs[0].program.lanes if programs else 1
    made = iter(compile_all(names, BATCH.arguments, stores, statuses, lanes=lanes))
    for written in programs:
        functions: list[CompiledFunction] = []
        for part in written.parts:
            functions.append(functions[part.again] if part.again >= 0 else next(made))
            written.program.parts.append(Part(functions[-1], **part.options))
    return [written.program for written in programs]
