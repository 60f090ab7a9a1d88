"""Candidates for the word at the cursor: the answer to a TAB.

The scripts of `completion` call ``dalembert __complete`` with what is typed so far. One candidate a
line, behind a tab what it means; ``:files .yaml .py`` or ``:folders`` ask the shell for its own.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import inspect
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dalembert.cli.parser import COMMANDS, build_parser

MODELS = ":files .yaml .yml .json .toml .urdf .xml .mjcf .py"
IMPORTS = f"{MODELS} .xml .mjcf"
TABLES = {"--method": "METHODS", "--methods": "METHODS", "--integrator": "INTEGRATORS"}
PACKAGES = {"METHODS": "dalembert.enforcement", "INTEGRATORS": "dalembert.integration"}

Candidate = tuple[str, str]
"""A word, and what it means."""


def answer(arguments: list[str]) -> int:
    """Print the candidates; whatever goes wrong, a TAB prints no error."""
    try:
        for word, text in candidates(_words(arguments)):
            print(f"{word}\t{text}" if text else word)
    except Exception:
        return 1
    return 0


def candidates(words: list[str]) -> list[Candidate]:
    """Words that the last one may become, given those before it (the command first)."""
    *before, current = words or [""]
    if not before:
        options = [("--help", "show help"), ("--version", "show the version")]
        return _beginning(current, [*COMMANDS.items(), *(options if current[:1] == "-" else [])])
    if before[0] not in COMMANDS:
        return []
    parser = _parser_of(before[0])
    pending = _pending(parser, before[1:])
    option, equals, value = current.partition("=")
    if equals and option.startswith("--"):
        action = _option(parser, option)
        found = [] if action is None else _values(action, value, before)
        return [(c if c.startswith(":") else f"{option}={c}", text) for c, text in found]
    if current.startswith("-") and pending is None:
        return _beginning(current, _options(parser, before))
    if pending is not None:
        return _values(pending, current, before)
    place = _place(parser, before[1:])
    return [] if place is None else _values(place, current, before)


# -- what is typed ---------------------------------------------------------------------------------


def _words(arguments: list[str]) -> list[str]:
    """The words behind ``dalembert``, the unfinished one last."""
    kind, *rest = arguments
    if kind == "words":
        return rest
    line = rest[0]
    try:
        words = shlex.split(line)
    except ValueError:  # an open quote
        words = line.split()
    if not line or line[-1].isspace():
        words.append("")
    return words[1:]


def _parser_of(command: str) -> argparse.ArgumentParser:
    (commands,) = (
        action
        for action in build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    found: Any = commands.choices[command]
    filled: argparse.ArgumentParser = found.fill()
    return filled


def _option(parser: argparse.ArgumentParser, word: str) -> argparse.Action | None:
    return next((a for a in parser._actions if word in a.option_strings), None)


def _pending(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Action | None:
    """The option whose value is being typed."""
    if words:
        action = _option(parser, words[-1])
        if action is not None and action.nargs != 0:
            return action
    for word in reversed(words):  # options with several values, such as --methods
        if word.startswith("-"):
            action = _option(parser, word)
            return action if action is not None and action.nargs in ("+", "*") else None
    return None


def _place(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Action | None:
    """The argument without a name that comes next."""
    places = [a for a in parser._actions if not a.option_strings]
    given, skip = 0, False
    for word in words:
        if skip:
            skip = False
            continue
        if word.startswith("-") and word != "-":
            action = _option(parser, word)
            skip = action is not None and action.nargs != 0
        else:
            given += 1
    for action in places:
        if given == 0 or action.nargs in ("*", "+"):
            return action
        given -= 1
    return None


# -- what may stand there --------------------------------------------------------------------------


def _options(parser: argparse.ArgumentParser, before: list[str]) -> Iterator[Candidate]:
    for action in parser._actions:
        again = isinstance(action, argparse._AppendAction)
        if again or not set(action.option_strings) & set(before):
            for option in action.option_strings:
                if option.startswith("--"):
                    yield option, action.help or ""


def _values(action: argparse.Action, current: str, before: list[str]) -> list[Candidate]:
    meta = action.metavar if isinstance(action.metavar, str) else ""
    name = next(iter(action.option_strings[::-1]), action.dest)
    if action.choices is not None:
        return _beginning(current, [(str(choice), "") for choice in action.choices])
    if name in TABLES:
        every = [("all", "every method")] if name == "--methods" else []
        return [*_methods(TABLES[name], current), *_beginning(current, every)]
    if name in ("--parameters", "--initial"):
        return _of_the_model(name, current, before)
    if meta in ("MODEL", "RUN_OR_MODEL"):
        return [*_catalog(current), (MODELS + (" .npz" if meta != "MODEL" else ""), "")]
    if meta == "NAME":
        return _catalog(current)
    if action.dest == "what":
        return _figures(current)
    if action.dest == "file":
        return [*_catalog(current), (IMPORTS, "")]
    if "FOLDER" in meta:
        return [(":folders", "")]
    if meta.startswith("FILE."):
        return [(f":files .{meta.partition('.')[2]}", "")]
    if meta.startswith(("FILE", "RUN", "OUT")):
        return [(":files", "")]
    return []


def _catalog(current: str) -> list[Candidate]:
    from dalembert import catalog

    name, colon, _ = current.partition(":")
    if not colon:
        return _beginning(current, [(name, catalog.describe(name)) for name in catalog.names()])
    if name not in catalog.names():
        return []
    signature = inspect.signature(catalog._function(name)).parameters
    return _keys(current, {key: p.default for key, p in signature.items()})


def _methods(table: str, current: str) -> list[Candidate]:
    name, colon, _ = current.partition(":")
    if not colon:
        return _beginning(current, [(key, "") for key in names_in(table)])
    kinds = getattr(importlib.import_module(PACKAGES[table]), table)
    if name not in kinds:
        return []
    signature = inspect.signature(kinds[name]).parameters
    return _keys(current, {key: p.default for key, p in signature.items()})


def names_in(table: str) -> list[str]:
    """Keys of a table of methods, read from its file: importing it takes too long for a TAB."""
    spec = importlib.util.find_spec(PACKAGES[table])
    assert spec is not None
    assert spec.origin is not None
    for node in ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            if node.target.id == table and isinstance(node.value, ast.Dict):
                return [str(k.value) for k in node.value.keys if isinstance(k, ast.Constant)]
    return []


def _of_the_model(option: str, current: str, before: list[str]) -> list[Candidate]:
    """Parameters or coordinates of the model typed before; no Python file is run for it."""
    from dalembert.cli.models import initial_names, load_model

    parser = _parser_of(before[0])
    place = next((w for w in before[1:] if not w.startswith("-")), None)
    if place is None or place.endswith(".py") or ".py:" in place or parser is None:
        return []
    model = load_model(place)
    names = list(model.parameters) if option == "--parameters" else initial_names(model)
    done, comma, _ = current.rpartition(",")
    known = {name: model.parameters.get(name, "") for name in names}
    return _beginning(current, [(f"{done}{comma}{k}=", str(v)) for k, v in known.items()])


def _figures(current: str) -> list[Candidate]:
    from dalembert.cli.plot import FIGURES

    return _beginning(current, [(name, "") for name in FIGURES])


def _keys(current: str, defaults: dict[str, Any]) -> list[Candidate]:
    """``name:key=`` for every key that is not given yet."""
    done, comma, _ = current.rpartition(",")
    if not comma:
        done, comma = current.partition(":")[0], ":"
    given = {part.partition("=")[0] for part in done.partition(":")[2].split(",")}
    return _beginning(
        current,
        [(f"{done}{comma}{k}=", f"default {v}") for k, v in defaults.items() if k not in given],
    )


def _beginning(current: str, known: Iterable[Candidate]) -> list[Candidate]:
    return [(word, text) for word, text in known if word.startswith(current)]


__all__ = ["answer", "candidates", "names_in"]
