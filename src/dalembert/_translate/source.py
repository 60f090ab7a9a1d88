"""The syntax tree of a kernel, and what the names in it stand for."""

from __future__ import annotations

import ast
import builtins
import functools
import linecache
import textwrap
import threading
from collections.abc import Callable
from types import CodeType
from typing import Any

from dalembert._translate.kinds import refuse


class Callee:
    """Base of what a kernel may call by name: other kernels, and what `_jit` provides for them."""

    function: Callable[..., Any]

    def translated(self, f: Any, node: ast.Call, values: list[Any]) -> Any:
        """The value of a call in the function `f` that is being translated."""
        return f.call(self.function, values)


_texts: dict[str, str] = {}


def keep_text(function: Callable[..., Any]) -> str:
    """The text of the file a function comes from; kept, for the file may change on disk."""
    path = function.__code__.co_filename
    if path not in _texts:
        _texts[path] = "".join(linecache.getlines(path))
    return _texts[path]


_parsing = threading.Lock()


def _parse(text: str) -> ast.Module:
    with _parsing:  # Python counts the depth of its trees in one place for all threads
        return ast.parse(text)


@functools.cache
def _definitions(text: str) -> dict[tuple[str, int], ast.FunctionDef]:
    """Every function of a file by its name and the line where its decorators begin."""
    found = {}
    for node in ast.walk(_parse(text)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found[node.name, first] = node
    return found


@functools.cache
def _alone(code: CodeType, text: str) -> ast.FunctionDef | None:
    """The tree of one function, from the lines its code comes from; None if they do not do.

    A whole file takes three times as long, for most of it is not asked for.
    """
    ends = [place[1] for place in code.co_positions() if place[1] is not None]
    if not ends or any(isinstance(constant, CodeType) for constant in code.co_consts):
        return None
    lines = text.splitlines()[code.co_firstlineno - 1 : max(ends)]
    try:
        # below as many empty lines as stand above it: places are told by their lines
        tree = _parse("\n" * (code.co_firstlineno - 1) + textwrap.dedent("\n".join(lines)))
    except SyntaxError:
        return None
    found = tree.body[0] if len(tree.body) == 1 else None
    return found if isinstance(found, ast.FunctionDef) and found.name == code.co_name else None


def definition(function: Callable[..., Any]) -> ast.FunctionDef:
    """The syntax tree of a function defined in a file."""
    code = getattr(function, "__code__", None)
    if code is None:
        refuse(f"{function!r} is not a Python function")
    text = keep_text(function)
    try:
        found = _alone(code, text) or _definitions(text)[code.co_name, code.co_firstlineno]
    except (KeyError, SyntaxError):
        refuse(f"{code.co_name} has no source to read")
    given = found.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.defaults:
        refuse(f"{code.co_name} takes arguments other than plain positional ones")
    return found


SHORT = 40
"""Nodes of the syntax tree up to which an expression is short."""

_ASKED_FOR = ("is_subroutine", "result_apart", "packed")
"""Marks of kernels that are to be called."""


@functools.cache
def short_expression(function: Callable[..., Any]) -> tuple[list[str], ast.expr] | None:
    """Parameters and result of a kernel that is no more than a short expression, or None.

    Callers write it out: most methods of records are, and a call with its words costs the optimiser
    more than they do.
    """
    if any(hasattr(function, mark) for mark in _ASKED_FOR):
        return None
    tree = definition(function)
    body = tree.body[1:] if ast.get_docstring(tree) is not None else tree.body
    if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
        return None
    result = body[0].value
    if sum(1 for _ in ast.walk(result)) > SHORT:
        return None
    return [argument.arg for argument in tree.args.args], result


def meaning(function: Callable[..., Any], name: str) -> Any:
    """Object that a name stands for which is no variable of the function."""
    free = function.__code__.co_freevars
    if name in free and function.__closure__ is not None:
        return function.__closure__[free.index(name)].cell_contents
    if name in function.__globals__:
        return function.__globals__[name]
    if hasattr(builtins, name):
        return getattr(builtins, name)
    return refuse(f"{name!r} is not defined")
