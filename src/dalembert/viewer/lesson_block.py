"""The block of a text that is a model: YAML with the name of a model and options of its page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from dalembert.analysis.choices import made, split_options
from dalembert.enforcement import METHODS
from dalembert.errors import OptionError
from dalembert.integration import INTEGRATORS
from dalembert.model.basics.names import did_you_mean
from dalembert.model.core.model import Model
from dalembert.viewer.embedded import check_height

HEIGHT = 560
"""Height of a model in the text  [px]."""

KEYS = (
    *("model", "method", "integrator", "step", "formulation", "initial", "parameters"),
    *("title", "caption", "height", "layout", "view", "follow", "trails", "plots", "speed", "play"),
)


class Block(NamedTuple):
    """A model in a text, options of its page, and the frame it stands in."""

    model: Model
    options: dict[str, Any]
    caption: str
    height: int


def block_of(text: str, folder: Path, models: Mapping[str, Model] | None = None) -> Block:
    """Read a block; files are those of a folder, `models` were made in Python."""
    found = read_block(text)
    caption, height = found.pop("caption", None), check_height(found.pop("height", HEIGHT))
    model = _model(found.pop("model"), folder, models or {})
    return Block(model, {"play": False, **found}, "" if caption is None else str(caption), height)


def read_block(text: str) -> dict[str, Any]:
    """Options of a block, methods and integrator made."""
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as problem:
        told = " ".join(str(problem).split())
        raise OptionError(f"the block of a model is YAML, and this is not: {told}") from problem
    if not isinstance(found, dict) or "model" not in found:
        raise OptionError("the block names no model. Write: model: pendulum")
    for key in found:
        if key not in KEYS:
            near = did_you_mean(str(key), list(KEYS))
            raise OptionError(f"no option {key!r}{near} Known: {', '.join(KEYS)}.")
    if "method" in found:
        several = found["method"] if isinstance(found["method"], list) else [found["method"]]
        found["method"] = [made(str(each), METHODS, "method") for each in several]
    if "integrator" in found:
        found["integrator"] = made(str(found["integrator"]), INTEGRATORS, "integrator")
    return found


def _model(name: Any, folder: Path, models: Mapping[str, Model]) -> Model:
    """The model a block names."""
    from dalembert import catalog
    from dalembert.importers.readers import read

    if not isinstance(name, str):
        raise OptionError(f"model is {name!r}. Give the name of a model.")
    if name in models:
        return models[name]
    if is_file(name):
        return read(folder / name).model
    short, options = split_options(name)
    if short in catalog.names():
        return catalog.load(short, **options)
    known = [*models, *catalog.names()]
    raise OptionError(
        f"there is no model {name!r}{did_you_mean(short, known)} Give one of the catalog, a file"
        " beside the text, or a name of `models`."
    )


def is_file(name: str) -> bool:
    """Whether a block means a file by this name."""
    from dalembert.importers.readers import READERS

    return Path(name).suffix.lower() in READERS
