"""Names that stand for one value: bound once, and used only where that has been done.

Such a variable needs no memory: its name is another one for the words of its value.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Sequence

Path = tuple[int, ...]
"""Blocks of statements that a statement stands in, the outermost first."""


@functools.cache
def bound_names(tree: ast.FunctionDef) -> tuple[frozenset[str], frozenset[str]]:
    """Names that a function binds, parameters among them, and those that stand for one value.

    A name that a branch or a loop binds is known within it and not behind it.
    """
    look = _Look()
    for argument in tree.args.args:
        look.bind(argument.arg, ())
    look.suite(tree.body, ())
    every = frozenset(look.bound)
    return every, every - look.several


class _Look:
    """One walk through a function, in the order of its text."""

    def __init__(self) -> None:
        self.bound: dict[str, Path] = {}
        self.several: set[str] = set()
        self._blocks = 0

    def bind(self, name: str, path: Path) -> None:
        if name in self.bound:
            self.several.add(name)
        self.bound[name] = path

    def suite(self, nodes: Iterable[ast.stmt], path: Path) -> None:
        for node in nodes:
            self._statement(node, path)

    def _block(self, nodes: Sequence[ast.stmt], path: Path, first: ast.expr | None = None) -> None:
        self._blocks += 1
        inside = (*path, self._blocks)
        if first is not None:
            self._target(first, inside)
        self.suite(nodes, inside)

    def _statement(self, node: ast.stmt, path: Path) -> None:
        if isinstance(node, ast.Assign):
            self._use(node.value, path)
            for target in node.targets:
                self._target(target, path)
        elif isinstance(node, ast.AugAssign):
            self._use(node.value, path)
            self._use(node.target, path)
            self._target(node.target, path)
            if isinstance(node.target, ast.Name):
                self.several.add(node.target.id)
        elif isinstance(node, (ast.If, ast.While)):
            self._use(node.test, path)
            self._block(node.body, path)
            self._block(node.orelse, path)
        elif isinstance(node, ast.For):
            self._use(node.iter, path)
            self._block(node.body, path, node.target)
            self._block(node.orelse, path)
        else:
            self._use(node, path)

    def _target(self, node: ast.expr, path: Path) -> None:
        if isinstance(node, ast.Name):
            self.bind(node.id, path)
        elif isinstance(node, ast.Tuple):
            for part in node.elts:
                self._target(part, path)
        else:
            self._use(node, path)

    def _use(self, node: ast.AST, path: Path) -> None:
        if isinstance(node, ast.Name):
            where = self.bound.get(node.id)
            if where is None or path[: len(where)] != where:
                self.several.add(node.id)
            return
        for field in node._fields:
            part = getattr(node, field)
            if isinstance(part, ast.AST):
                self._use(part, path)
            elif isinstance(part, list):
                for each in part:
                    self._use(each, path)
