"""MODEL on the command line: a catalog name, a Python file, a YAML or JSON file."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dalembert.analysis.choices import split_options
from dalembert.cli.choices import key_values
from dalembert.errors import DalembertError, ImportFileError, ModelError

if TYPE_CHECKING:
    from dalembert.model import Model

FILES = (".yaml", ".yml", ".json", ".toml")


def load_model(text: str) -> Model:
    """The model a person named."""
    path, _, name = text.partition(".py:")
    if text.endswith(".py") or (name and name.isidentifier()):
        file = Path(text if text.endswith(".py") else f"{path}.py")
        return _from_python(file, name or "model")
    if text.lower().endswith(FILES):
        return _from_file(Path(text))
    if "/" in text or "\\" in text or Path(text).is_file():
        raise ImportFileError(
            f"{text}: this kind of file is not understood."
            " Give a .py, .yaml or .json file, or a catalog name."
        )
    from dalembert import catalog

    name, options = split_options(text)
    return catalog.load(name, **options)


def parameters_of(texts: list[str], model: Model) -> dict[str, float]:
    """Parameter values given as ``l=2.0,m=1``, checked against the model's own names."""
    return key_values(texts, "--parameters", list(model.parameters))


def initial_of(texts: list[str], model: Model) -> dict[str, float]:
    """Initial values given as ``x=1.0,x.dot=0``."""
    if model.is_maximal:
        names = [name for body in model.bodies.values() for name in _body_names(body)]
        return key_values(texts, "--initial", names)
    names = [coordinate.name for coordinate in model.coordinates]
    return key_values(texts, "--initial", [*names, *(f"{name}.dot" for name in names)])


def _body_names(body: Any) -> list[str]:
    """What can be given of a body: its state, and position and angles of its frame."""
    frame = [f"{body.name}.{part}" for part in ("x", "y", "z", "roll", "pitch", "yaw")]
    return list(dict.fromkeys([*body.state_names, *body.velocity_names, *frame]))


def _from_file(path: Path) -> Model:
    _must_exist(path)
    from dalembert.importers.native import load

    return load(path)


def _from_python(path: Path, name: str) -> Model:
    _must_exist(path)
    spec = importlib.util.spec_from_file_location(f"_dalembert_user_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportFileError(f"{path}: cannot be read as Python.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except DalembertError:
        raise
    except SystemExit as stop:
        raise ImportFileError(f"{path}: the file ended itself (exit {stop.code}).") from stop
    except Exception as problem:
        raise ImportFileError(_place(path, problem)) from problem
    finally:
        sys.path.remove(str(path.parent.resolve()))
    return _model_in(module, name, path)


def _model_in(module: Any, name: str, path: Path) -> Model:
    from dalembert.model import Model

    found = getattr(module, name, None)
    if callable(found) and not isinstance(found, Model | type):
        try:
            found = found()
        except TypeError as problem:
            raise ImportFileError(f"{path}: calling {name}() failed: {problem}.") from problem
    if isinstance(found, Model):
        return found
    others = [key for key, value in vars(module).items() if isinstance(value, Model)]
    if others:
        raise ModelError(
            f"{path}: {name!r} is not a Model. Models there: {', '.join(others)};"
            f" write {path}:{others[0]}."
        )
    raise ModelError(f"{path}: defines no Model named {name!r}. Add: model = dl.Model...")


def _must_exist(path: Path) -> None:
    if not path.is_file():
        raise ImportFileError(f"{path}: there is no such file. Check the path.")


def _place(path: Path, problem: Exception) -> str:
    """File, line and what Python said about it."""
    if isinstance(problem, SyntaxError):
        return f"{path}, line {problem.lineno}: {problem.msg}: {(problem.text or '').strip()}"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(problem.__traceback__)
        if Path(frame.filename).resolve() == path.resolve()
    ]
    line = f", line {lines[-1]}" if lines else ""
    return f"{path}{line}: {type(problem).__name__}: {problem}"
