"""Named models of the papers and textbooks; tests, examples and benchmarks take them from here.

Each is one file with one function that returns a `Model` with its published data, initial state
and drawing. `names` lists them, `load` makes one.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from typing import Any

from dalembert.errors import ModelError
from dalembert.model import Model

__all__ = ["describe", "load", "names"]

# name -> (module, function); modules are imported when asked for.
_ENTRIES = {
    "biped": ("biped", "biped"),
    "car-axis": ("car_axis", "car_axis"),
    "double-pendulum": ("double_pendulum", "double_pendulum"),
    "four-bars": ("four_bars", "four_bars"),
    "index3-pendulum": ("index3_pendulum", "index3_pendulum"),
    "n-four-bar": ("four_bars", "n_four_bar"),
    "pendulum": ("pendulum", "pendulum"),
    "rolling-disc": ("rolling_disc", "rolling_disc"),
    "skate-particle": ("skate_particle", "skate_particle"),
    "sleigh": ("sleigh", "sleigh"),
    "slider-crank": ("slider_crank", "slider_crank"),
    "slider-crank-sundials": ("slider_crank_sundials", "slider_crank_sundials"),
    "towing-tank": ("towing_tank", "towing_tank"),
}


def names() -> list[str]:
    """Names of all catalog models, sorted.

    Examples
    --------
    >>> "four-bars" in names()
    True
    """
    return sorted(_ENTRIES)


def load(name: str, **options: Any) -> Model:
    """Catalog model of that name.

    Parameters
    ----------
    name : str
        One of `names`.
    **options
        Passed to the model's function, for example ``load("biped", exercise=2)``.

    Raises
    ------
    ModelError
        Unknown name (the nearest known one is proposed) or unknown option.

    Examples
    --------
    >>> load("pendulum", length=2.0).parameters["l"]
    2.0
    """
    function = _function(name)
    known = list(inspect.signature(function).parameters)
    unknown = [option for option in options if option not in known]
    if unknown:
        raise ModelError(
            f"catalog model {name!r}: no option {', '.join(map(repr, unknown))}"
            f"{_nearest(unknown[0], known)} Options: {', '.join(known) or 'none'}."
        )
    model: Model = function(**options)
    return model


def describe(name: str) -> str:
    """One line saying what the model is.

    Examples
    --------
    >>> describe("pendulum")
    'Pendulum with coordinates x, y and the constraint x^2 + y^2 - l^2.'
    """
    return (inspect.getdoc(_function(name)) or "").partition("\n")[0]


def _function(name: str) -> Any:
    if name not in _ENTRIES:
        raise ModelError(
            f"catalog: no model {name!r}{_nearest(name, list(_ENTRIES))} "
            f"Known: {', '.join(names())}."
        )
    module, function = _ENTRIES[name]
    return getattr(importlib.import_module(f"dalembert.catalog.{module}"), function)


def _nearest(given: str, known: list[str]) -> str:
    close = difflib.get_close_matches(given, known, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else "."
