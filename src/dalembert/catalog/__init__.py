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
    "arch": ("contact_blocks", "arch"),
    "arm": ("arm", "arm"),
    "bennett": ("bennett", "bennett"),
    "biped": ("biped", "biped"),
    "bouncing-ball": ("bouncing_ball", "bouncing_ball"),
    "boxes": ("contact_blocks", "boxes"),
    "car-axis": ("car_axis", "car_axis"),
    "cardan-shaft": ("cardan_shaft", "cardan_shaft"),
    "cards": ("contact_blocks", "cards"),
    "cassie-leg": ("cassie_leg", "cassie_leg"),
    "chain": ("chain", "chain"),
    "chain-on-ground": ("contact_linked", "chain_on_ground"),
    "cradle": ("contact_round", "cradle"),
    "cup": ("contact_round", "cup"),
    "delta": ("delta", "delta"),
    "dominoes": ("contact_blocks", "dominoes"),
    "double-pendulum": ("double_pendulum", "double_pendulum"),
    "double-wishbone": ("double_wishbone", "double_wishbone"),
    "dzhanibekov": ("dzhanibekov", "dzhanibekov"),
    "falling-humanoid": ("contact_linked", "falling_humanoid"),
    "five-bar": ("five_bar", "five_bar"),
    "four-bar-3d": ("four_bar_3d", "four_bar_3d"),
    "four-bars": ("four_bars", "four_bars"),
    "gear-train": ("gear_train", "gear_train"),
    "geneva-drive": ("geneva_drive", "geneva_drive"),
    "governor": ("governor", "governor"),
    "grid": ("grid", "grid"),
    "gripper": ("gripper", "gripper"),
    "gripper-with-box": ("contact_linked", "gripper_with_box"),
    "gyroscope": ("gyroscope", "gyroscope"),
    "heavy-top": ("heavy_top", "heavy_top"),
    "hopper": ("hopper", "hopper"),
    "humanoid": ("humanoid", "humanoid"),
    "incline": ("contact_blocks", "incline"),
    "index3-pendulum": ("index3_pendulum", "index3_pendulum"),
    "jansen-leg": ("jansen_leg", "jansen_leg"),
    "n-four-bar": ("four_bars", "n_four_bar"),
    "n-four-bar-bodies": ("n_four_bar_bodies", "n_four_bar_bodies"),
    "painleve-rod": ("contact_linked", "rod"),
    "pendulum": ("pendulum", "pendulum"),
    "pile": ("contact_round", "pile"),
    "quadruped": ("quadruped", "quadruped"),
    "ratchet": ("ratchet", "ratchet"),
    "rocking-block": ("rocking_block", "rocking_block"),
    "rolling-coin": ("rolling_coin", "rolling_coin"),
    "rolling-disc": ("rolling_disc", "rolling_disc"),
    "skate-particle": ("skate_particle", "skate_particle"),
    "sleigh": ("sleigh", "sleigh"),
    "slider-crank": ("slider_crank", "slider_crank"),
    "slider-crank-bodies": ("slider_crank_bodies", "slider_crank_bodies"),
    "slider-crank-clearance": ("slider_crank_clearance", "slider_crank_clearance"),
    "slider-crank-sundials": ("slider_crank_sundials", "slider_crank_sundials"),
    "spatial-slider-crank": ("spatial_slider_crank", "spatial_slider_crank"),
    "spinning-coin": ("spinning_coin", "spinning_coin"),
    "stack": ("contact_blocks", "stack"),
    "stewart-platform": ("stewart_platform", "stewart_platform"),
    "stick-slip-belt": ("stick_slip_belt", "stick_slip_belt"),
    "string-pendulum": ("string_pendulum", "string_pendulum"),
    "top-on-floor": ("contact_round", "top"),
    "towing-tank": ("towing_tank", "towing_tank"),
    "towing-tank-bodies": ("towing_tank_bodies", "towing_tank_bodies"),
    "wall": ("contact_blocks", "wall"),
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
        Unknown name (the nearest known one is proposed), unknown option, or text for true or false.

    Examples
    --------
    >>> load("pendulum", length=2.0).parameters["l"]
    2.0
    """
    function = _function(name)
    signature = inspect.signature(function).parameters
    known = list(signature)
    unknown = [option for option in options if option not in known]
    if unknown:
        raise ModelError(
            f"catalog model {name!r}: no option {', '.join(map(repr, unknown))}"
            f"{_nearest(unknown[0], known)} Options: {', '.join(known) or 'none'}."
        )
    for option, value in options.items():
        if isinstance(signature[option].default, bool) and not isinstance(value, bool):
            raise ModelError(
                f"catalog model {name!r}: option {option!r} is {value!r:.60}. Give true or false."
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
