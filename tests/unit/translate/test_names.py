"""Names that stand for one value, and kernels read alone."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import textwrap

import pytest

import dalembert
from dalembert._translate import source
from dalembert._translate.names import bound_names


def once(text):
    """Names of a function's text that stand for one value."""
    return sorted(bound_names(ast.parse(textwrap.dedent(text)).body[0])[1])


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("y = x + 1\n    return y", ["x", "y"]),
        ("x += 1\n    return x", []),
        ("y = 1\n    y = 2\n    return x + y", ["x"]),
        ("if x:\n        y = 1\n    return y", ["x"]),
        ("if x:\n        y = 1\n        return y\n    return 0", ["x", "y"]),
        ("for i in range(x):\n        y = i\n        x[y] = 0", ["i", "x", "y"]),
        ("for i in range(3):\n        x[i] = 0\n    return i", ["x"]),
        ("while x > 0:\n        y = z\n        z = y\n    return 0", ["x", "y"]),
        ("a, b = x\n    a, b = b, a\n    return a", ["x"]),
        ("x[0] += 1\n    return x", ["x"]),
    ],
)
def test_names_that_stand_for_one_value(body, names):
    assert once(f"def f(x):\n    {body}\n") == names


def all_kernels():
    """Functions of every kernel and method of a record at the head of a module."""
    for found in pkgutil.walk_packages(dalembert.__path__, "dalembert."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        for thing in vars(module).values():
            inside = vars(thing).values() if inspect.isclass(thing) else [thing]
            for each in inside:
                plain = each.__func__ if isinstance(each, staticmethod) else each
                function = getattr(plain, "function", plain)
                declared = isinstance(plain, source.Callee) or getattr(plain, "is_method", False)
                if declared and function.__module__ == found.name:
                    yield function


def test_a_kernel_read_alone_is_that_of_its_file():
    found = list({each.__code__: each for each in all_kernels()}.values())
    assert len(found) > 1000
    for function in found:
        text, code = source.keep_text(function), function.__code__
        alone = source._alone(code, text)
        whole = source._definitions(text)[code.co_name, code.co_firstlineno]
        assert alone is not None, code
        assert alone.lineno == whole.lineno
        assert _statements(alone) == _statements(whole), code


def _statements(tree):
    """Arguments and statements; a docstring is indented otherwise when it stands alone."""
    body = tree.body[1:] if ast.get_docstring(tree) else tree.body
    return ast.dump(tree.args), [ast.dump(each) for each in body]
