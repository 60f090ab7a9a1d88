"""The whole program of a run: everything its arrays point to, and kernels called from outside."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from dalembert._jit import Border, Kernel, border_at
from dalembert._signature import SIZES_LENGTH
from dalembert._translate.cache import sources_changed
from dalembert._translate.kinds import Kind, kind_text
from dalembert._translate.program import Program, border_door, entry_door
from dalembert._translate.wasm import FIRST, formulas_object, kernels_object
from dalembert._translate.wasm_object import Module, module_of
from dalembert.engine.image import ALIGNED
from dalembert.errors import OptionError
from dalembert.formulas.llvm import program_at
from dalembert.system.state_layout import State

ADDRESSES = tuple(State.addresses.__annotations__)
LOWEST = 1 << 16
"""Numbers from which on an integer may be an address of machine code."""


class WholeProgram:
    """Functions of an engine: borders and formulas by place in the table, entries by name.

    Places are given when everything is known (`settle`): kernels first, by name, so that models of
    one kind have the same module of kernels.
    """

    def __init__(self, *, checked: bool = False) -> None:
        self._checked = checked
        self._entries: list[tuple[str, Kernel, tuple[Kind, ...]]] = []
        self._borders: dict[int, Border] = {}
        self._formulas: dict[int, tuple[str, str]] = {}  # name and text
        self._named: list[tuple[str, str]] = []
        self._table: dict[int, int] = {}
        self._held: list[Any] = []

    def entry(self, name: str, kernel: Kernel, kinds: tuple[Kind, ...]) -> None:
        """A kernel that is called from outside by name."""
        self._entries.append((name, kernel, kinds))

    def formulas(self, name: str, text: str, called: str = "") -> None:
        """A program of formulas, called from outside by name; in its text it may be another."""
        self._named.append((name, _renamed(text, called, name) if called else text))

    def look(self, *arrays: Any) -> None:
        """Take in whatever integers of a run are addresses of."""
        for integers in arrays:
            for k in map(int, np.flatnonzero(np.abs(integers) >= LOWEST)):
                self._take(int(integers[k]))

    def _take(self, address: int) -> None:
        if address in self._borders or address in self._formulas:
            return
        border, formulas = border_at(address), program_at(address)
        if border is not None:
            self._borders[address] = border
        elif formulas is not None:
            function, text = formulas
            self._formulas[address] = (function.name, text)
            self._held.append(function)

    def settle(self) -> None:
        """Give places: nothing new can be called from here on."""
        borders = sorted(self._borders, key=lambda address: _sorted_by(self._borders[address]))
        self._table = {address: FIRST + k for k, address in enumerate((*borders, *self._formulas))}

    def moved(self, integers: Any) -> Any:
        """Integers of a run with places in the table where they held addresses."""
        made = integers.copy()
        for k in map(int, np.flatnonzero(np.abs(integers) >= LOWEST)):
            made[k] = self._table.get(int(integers[k]), made[k])
        return made

    def modules(self) -> tuple[list[Module], dict[str, list[str]]]:
        """Modules of kernels and of formulas, and the types of the results of every entry."""
        made: list[Module] = []
        results: dict[str, list[str]] = {}
        for of_contact in (True, False):
            group = _Group(
                [] if of_contact else self._entries,
                {
                    self._table[address]: border
                    for address, border in self._borders.items()
                    if _is_of_contact(border) == of_contact
                },
                self._checked,
            )
            if group.borders or group.entries:
                code, note = kernels_object(group.name, group.program)
                results |= json.loads(note)
                names = [name for name, _, _ in group.entries]
                made.append(module_of(code, names, group.symbols, _free(made)))
        texts = [text for _, text in self._named]
        symbols = {
            self._table[address]: f"function{self._table[address]}" for address in self._formulas
        }
        for address, (name, text) in self._formulas.items():
            texts.append(_renamed(text, name, symbols[self._table[address]]))
        if texts:
            names = [name for name, _ in self._named]
            made.append(module_of(formulas_object(texts), names, symbols, _free(made)))
        return made, results

    @property
    def functions(self) -> int:
        """Length of the table."""
        return FIRST + len(self._table)


class _Group(NamedTuple):
    """Kernels that are one module: those of contact, or all others."""

    entries: Sequence[tuple[str, Kernel, tuple[Kind, ...]]]
    borders: dict[int, Border]
    checked: bool

    @property
    def symbols(self) -> dict[int, str]:
        """Names in the object of what stands in the table."""
        return {place: f"border{place}" for place in self.borders}

    @property
    def name(self) -> str | None:
        """Name that the kernels are known by; None where one of them has no name of its own."""
        used = [*(kernel for _, kernel, _ in self.entries), *self.borders.values()]
        if sources_changed() or not all(kernel.has_name for kernel in used):
            return None
        lines = [
            " ".join((name, _called(kernel), *map(kind_text, kinds)))
            for name, kernel, kinds in self.entries
        ]
        lines += [f"{place} {_called(self.borders[place])}" for place in sorted(self.borders)]
        return "\n".join([*lines, "checked" if self.checked else ""])

    def program(self) -> tuple[str, str]:
        """The program of the kernels, and the results of entries as JSON."""
        program = Program(checked=self.checked, whole=True)
        doors: list[str] = []
        results = {}
        for name, kernel, kinds in self.entries:
            door, results[name] = entry_door(program, name, kernel.function, kinds)
            doors += door
        for place in sorted(self.borders):
            border = self.borders[place]
            given = border.signature
            lengths = {"work": 0, "sizes": SIZES_LENGTH, **given.lengths}
            doors += border_door(
                program,
                self.symbols[place],
                border.function,
                given.arguments,
                given.SCALARS,
                lengths,
            )
        return program.text(doors), json.dumps(results)


def _called(kernel: Kernel) -> str:
    """Name of a kernel."""
    return f"{kernel.function.__module__}.{kernel.function.__qualname__}"


def _is_of_contact(border: Border) -> bool:
    """Whether a border is compiled with those of contact, the longest, which all scenes share."""
    home = border.function.__module__.removeprefix("dalembert.")
    return home.startswith(("contact.", "enforcement.contact_"))


def _sorted_by(border: Border) -> tuple[bool, str]:
    """Order in the table: kernels of contact have the same places in every scene."""
    return not _is_of_contact(border), _called(border)


def _free(modules: Sequence[Module]) -> int:
    """Where in the memory the data of one more module may begin."""
    return -(-modules[-1].data_end // ALIGNED) * ALIGNED if modules else 0


def moved_state(program: WholeProgram, sizes: Any) -> Any:
    """`sizes` with places in the table; refuses a run that calls something else than kernels."""
    made = program.moved(sizes)
    for name in ADDRESSES:
        slot = State.slot(name)
        if sizes[slot] and made[slot] == sizes[slot]:
            raise OptionError(
                f"page: {name} of this run is a function of Python, which cannot travel with the"
                " page. Save what simulate returns instead: a page that plays the run."
            )
    return made


def _renamed(text: str, name: str, symbol: str) -> str:
    """A program of formulas under another name."""
    return re.sub(rf"@{re.escape(name)}(?=[.(])", f"@{symbol}", text)


__all__: Sequence[str] = ("WholeProgram", "moved_state")
