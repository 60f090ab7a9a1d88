"""MODEL on the command line: a catalog name, a Python file, or a file with a reader."""

from __future__ import annotations

import importlib.util
import linecache
import re
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dalembert.analysis.choices import split_options
from dalembert.cli.choices import key_values
from dalembert.errors import (
    DalembertError,
    FormulaError,
    ImportFileError,
    ModelError,
    OptionError,
)
from dalembert.model.basics.names import did_you_mean

if TYPE_CHECKING:
    from dalembert.importers.readers import Read
    from dalembert.model import Model


def load_model(text: str) -> Model:
    """The model a person named; what of a robot's file is not in it is counted in a note."""
    from dalembert.cli.output import print_note

    read = read_model(text)
    if read.model.losses:
        print_note(
            f"Note: {len(read.model.losses)} of what the robot's file says is not in the model; "
            f"`dalembert import {text}` lists it."
        )
    for note in read.notes:
        print_note(f"Note: {note}")
    return read.model


def read_model(text: str) -> Read:
    """The model a person named, and what of its file is not in it."""
    from dalembert import catalog
    from dalembert.cli import output
    from dalembert.importers.readers import FOREIGN, READERS, Read, read

    path, _, name = text.partition(".py:")
    if text.endswith(".py") or name:
        file = Path(text if text.endswith(".py") else f"{path}.py")
        return Read(_from_python(file, name or "model"))
    path, urdf, rest = text.partition(".urdf:")
    if urdf:
        return _robot(f"{path}.urdf", rest)
    suffix = Path(text).suffix.lower()
    output.of_file = suffix in READERS
    if suffix in READERS or suffix in FOREIGN:
        return read(text)
    name, options = split_options(text)
    if name in catalog.names():
        return Read(catalog.load(name, **options))
    if "/" in text or "\\" in text or Path(text).exists():
        return read(text)
    raise ModelError(_unknown(name, catalog.names(), READERS))


def _robot(path: str, rest: str) -> Read:
    """``robot.urdf:base=floating,massless=1e-3``: a robot's file and how it is read."""
    from dalembert.importers.readers import must_be_file
    from dalembert.importers.urdf.load import read_urdf

    _, options = split_options(f"urdf:{rest}")
    known = ("base", "massless", "merge", "meshes", "strict")
    for key in options:
        if key not in known:
            raise OptionError(
                f"{path}: option {key!r} is unknown{did_you_mean(key, list(known))} Known: "
                f"{', '.join(known)}."
            )
    must_be_file(Path(path))
    return read_urdf(path, **options)


def _unknown(name: str, known: list[str], suffixes: Any) -> str:
    """Neither a catalog model nor a file; a file of that name with a suffix is proposed."""
    here = [f"{name}{suffix}" for suffix in (*suffixes, ".py") if Path(f"{name}{suffix}").is_file()]
    if here:
        return f"There is no catalog model {name!r}, but a file: give {here[0]}"
    return (
        f"There is no catalog model {name!r}{did_you_mean(name, known)} `dalembert models` lists "
        "them. "
        "A file ends in .yaml, .json, .toml, .urdf, .xml or .py."
    )


def parameters_of(texts: list[str], model: Model) -> dict[str, float]:
    """Parameter values given as ``l=2.0,m=1``, checked against the model's own names."""
    return key_values(texts, "--parameters", list(model.parameters))


def initial_of(texts: list[str], model: Model) -> dict[str, float]:
    """Initial values given as ``x=1.0,x.dot=0``."""
    return key_values(texts, "--initial", initial_names(model))


def initial_names(model: Model) -> list[str]:
    """Names that a start may give: coordinates and velocities, of bodies and joints too."""
    if model.bodies:
        from dalembert.model.start.given_names import StartNames

        return list(StartNames(model))
    names = [coordinate.name for coordinate in model.coordinates]
    return [*names, *(f"{name}.dot" for name in names)]


# -- Python files ----------------------------------------------------------------------------------


def _from_python(path: Path, name: str) -> Model:
    from dalembert.importers.readers import must_be_file

    must_be_file(path)
    spec = importlib.util.spec_from_file_location(f"_dalembert_user_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportFileError(f"{path}: cannot be read as Python.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    folder = str(path.parent.resolve())
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
        return _model_in(module, name, path)
    except (ImportFileError, KeyboardInterrupt):
        raise
    except SystemExit as stop:
        raise ImportFileError(f"{path}: the file ended itself (exit {stop.code}).") from stop
    except BaseException as problem:
        raise _located(path, problem) from problem
    finally:
        if folder in sys.path:
            sys.path.remove(folder)


def _model_in(module: Any, name: str, path: Path) -> Model:
    from dalembert.model import Model

    models = [key for key, value in vars(module).items() if isinstance(value, Model)]
    if not hasattr(module, name):
        if len(models) == 1:
            hint = f" It defines {models[0]!r}: give {path}:{models[0]}"
        elif models:
            hint = f" Models there: {', '.join(models)}; give {path}:{models[0]}"
        else:
            own = [k for k, v in vars(module).items() if callable(v) and not k.startswith("_")]
            near = did_you_mean(name, own).removeprefix(";").removeprefix(".").strip()
            hint = f" {near[:1].upper()}{near[1:]}" if near else " Add: model = dl.Model(...)"
        raise ImportFileError(f"{path}: defines no Model named {name!r}.{hint}")
    found = getattr(module, name)
    if callable(found) and not isinstance(found, Model | type):
        found = found()
    if isinstance(found, Model):
        return found
    kind = "a class" if isinstance(found, type) else f"{found!r:.60}"
    hint = f" Models there: {', '.join(models)}; give {path}:{models[0]}" if models else ""
    raise ImportFileError(f"{path}: {name!r} is not a Model but {kind}.{hint}")


def _located(path: Path, problem: BaseException) -> DalembertError:
    """File, line, and the line itself: the user's, never ours."""
    if isinstance(problem, SyntaxError) and problem.lineno is None:
        return ImportFileError(f"{path}: is not a Python file: {problem.msg}.")
    if isinstance(problem, SyntaxError):
        text = (problem.text or "").rstrip()
        file = problem.filename or str(path)
        shown = f"\n    {text.strip()}" if text.strip() else ""
        return ImportFileError(f"{_short(file, path)}, line {problem.lineno}: {problem.msg}{shown}")
    if isinstance(problem, FormulaError) and str(path) in str(problem):
        return problem  # shows the user's line itself
    mine = [f for f in traceback.extract_tb(problem.__traceback__) if _is_users(f.filename, path)]
    if isinstance(problem, RecursionError):
        mine = mine[:1]
    place, shown = str(path), ""
    if mine:
        last = mine[-1]
        text = linecache.getline(last.filename, last.lineno or 0).strip()
        place = f"{_short(last.filename, path)}, line {last.lineno}"
        shown = f"\n    {text}" if text else ""
    kind = "" if isinstance(problem, DalembertError) else f"{type(problem).__name__}: "
    hint = _keyword_hint(problem) or _name_hint(problem)
    return ImportFileError(f"{place}: {kind}{problem}{hint}{shown}")


def _name_hint(problem: BaseException) -> str:
    """The nearest attribute to one that is unknown; the import that a name stands for."""
    if isinstance(problem, NameError) and problem.name in ("dl", "np"):
        module = "dalembert as dl" if problem.name == "dl" else "numpy as np"
        return f". Add: import {module}"
    if isinstance(problem, AttributeError) and problem.name and "did you mean" not in str(problem):
        near = did_you_mean(problem.name, [x for x in dir(problem.obj) if not x.startswith("_")])
        return near if near != "." else ""
    return ""


def _keyword_hint(problem: BaseException) -> str:
    """The nearest argument of a public class or method that was given an unknown one."""
    import inspect

    import dalembert

    found = re.match(
        r"(?:(\w+)\.)?(\w+)\(\) got an unexpected keyword argument '(\w+)'", str(problem)
    )
    if not isinstance(problem, TypeError) or found is None:
        return ""
    owner, function, word = found.groups()
    made: Any = getattr(dalembert, owner or function, None)
    if owner and function != "__init__":
        made = getattr(made or dalembert.Model, function, None)  # or a part a model is made of
    if made is None:
        return ""
    known = [name for name in inspect.signature(made).parameters if name != "self"]
    return did_you_mean(word, known)


def _is_users(file: str, path: Path) -> bool:
    """Whether a file is the user's or lies beside it; environments there are not the user's."""
    found = Path(file).resolve()
    ours = Path(__file__).resolve().parents[1]
    return (
        found.is_relative_to(path.parent.resolve())
        and not found.is_relative_to(ours)
        and "site-packages" not in found.parts
    )


def _short(file: str, path: Path) -> str:
    """The file as the user wrote it."""
    return str(path) if Path(file).resolve() == path.resolve() else file
