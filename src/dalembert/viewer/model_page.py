"""A page in which the model itself runs: the player with an engine inside."""

from __future__ import annotations

import base64
import contextlib
import gzip
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple

import numpy as np

import dalembert
from dalembert.engine.engine import Engine
from dalembert.engine.live import engine_of
from dalembert.errors import DalembertError, OptionError
from dalembert.model.basics.by_name import unit_of
from dalembert.model.core.model import Model
from dalembert.scene import follow
from dalembert.simulation.session.session import Session
from dalembert.viewer.contents import of_scene
from dalembert.viewer.page import LAYOUTS, THEMES, VIEWS, check_choice, check_positive, filled
from dalembert.viewer.parameter_looks import looks_of

AHEAD, FRAMES = 4.0, 30.0
"""Seconds that are run before the page is made, to see how much room the motion takes, and frames a
second of them."""

LONGEST = 10.0
"""Seconds of the wall clock that these may take."""

MOST = 60
"""Coordinates that become curves."""


def model_page(
    model: Any,
    *,
    step: float | None = None,
    method: Any = None,
    integrator: Any = None,
    formulation: str = "auto",
    initial: Any = None,
    parameters: Mapping[Any, float] | None = None,
    controllers: Sequence[Any] = (),
    title: str | None = None,
    theme: str = "auto",
    layout: str = "side",
    view: str | None = None,
    follow: str | None = None,
    trails: bool | Sequence[str] = True,
    plots: Sequence[str] | None = None,
    speed: float = 1.0,
    play: bool = True,
) -> str:
    """The page in which a model runs, as the text of an HTML file.

    Parameters
    ----------
    model : Model
    method : a method, or a list of them: each runs the model, side by side, on the same pull
    step, integrator, formulation, initial, parameters : as for `simulate`
    controllers : Python functions cannot travel: any is refused by name
    title, theme, layout, view, follow, trails, plots, speed, play : as for `page`

    Examples
    --------
    >>> import dalembert as dl
    >>> from dalembert.viewer.model_page import model_page
    >>> text = model_page(dl.catalog.load("pendulum"), step=1e-3)
    >>> "wasm-unsafe-eval" in text, len(text) < 1_200_000
    (True, True)
    """
    made = prepared(**locals())
    blocks = {"data": [run.pop("data") for run, _ in made.runs]}
    return filled(made.title, theme, made.header, blocks | packed_engines(made.runs))


class Prepared(NamedTuple):
    """Parts of a page that simulates: title, header for the player, runs with engines."""

    title: str
    header: dict[str, Any]
    runs: list[tuple[dict[str, Any], Engine]]


SETTINGS: dict[str, Any] = {
    "theme": "auto",
    "layout": "side",
    "view": None,
    "follow": None,
    "trails": True,
    "plots": None,
    "speed": 1.0,
    "play": True,
}
"""How the page looks at first; other options are those of a run."""


def prepared(model: Any, *, method: Any = None, title: str | None = None, **given: Any) -> Prepared:
    """Everything of the page of a model but the text round it; arguments as for `model_page`."""
    if not isinstance(model, Model):
        raise OptionError(
            f"page: {model!r:.60} is not a model. With live=True give a dl.Model; what simulate"
            " returned is played without it."
        )
    options = {name: value for name, value in given.items() if name not in SETTINGS}
    settings = {name: given.get(name, value) for name, value in SETTINGS.items()}
    check_choice("theme", settings["theme"], THEMES)
    check_choice("layout", settings["layout"], LAYOUTS)
    if settings["view"] is not None:
        check_choice("view", settings["view"], VIEWS)
    check_positive("speed", settings["speed"])
    methods = list(method) if isinstance(method, list | tuple) else [method]
    made = [_run(model, each, options) for each in methods]
    _tell_apart([run for run, _ in made])
    heading = title if title is not None else model.name
    for name in ("trails", "plots"):
        if isinstance(settings[name], Sequence):
            settings[name] = list(settings[name])
    settings |= {"speed": float(settings["speed"]), "play": bool(settings["play"]), "arrows": False}
    header = {
        "title": heading,
        "version": dalembert.__version__,
        "live": True,
        "settings": settings,
        "runs": [run for run, _ in made],
    }
    return Prepared(heading, header, made)


def _tell_apart(runs: list[dict[str, Any]]) -> None:
    """Name runs by their methods, and where these are of one kind by what differs in them."""
    methods = [run.pop("method") for run in runs]
    for run, method in zip(runs, methods, strict=True):
        alike = [each for each in methods if type(each) is type(method)]
        differ = [
            f"{field.name} {getattr(method, field.name)}"
            for field in fields(method)
            if any(getattr(each, field.name) != getattr(method, field.name) for each in alike)
        ]
        run["label"] = ", ".join(differ) or type(method).__name__


def _run(model: Model, method: Any, options: Mapping[str, Any]) -> tuple[dict[str, Any], Engine]:
    """Header and engine of one method."""
    session = Session(model, method=method, **options)
    label = type(session.method).__name__
    ahead = _gone_on(Session(model, method=method, record=True, **options))
    run = _scene(ahead, label)
    scene = run["scene"]
    free = [scene["points"][k]["name"] for k in run["freePoints"]]
    engine = engine_of(session, free, ahead)
    scene["signals"] = _signals(session, engine)
    looks = looks_of(session.model, engine.spec["knobs"])
    unseen = [name for name, look in looks.items() if look is None]
    engine.spec["knobs"] = [knob for knob in engine.spec["knobs"] if knob["name"] not in unseen]
    run["live"] = {
        "engine": engine.spec,
        "code": len(engine.modules[-1].code),
        "looks": {name: look for name, look in looks.items() if look is not None},
        "angles": not session.model.is_maximal,
        "method": f"{label} · {type(session.integrator).__name__}",
    }
    run["method"] = session.method
    return run, engine


def _gone_on(session: Session) -> Session:
    """The session after its first seconds."""
    with contextlib.suppress(DalembertError):  # it will be told in the page, where it happens
        for _ in range(round(AHEAD * FRAMES)):
            session.advance(1.0 / FRAMES, budget=LONGEST / (AHEAD * FRAMES))
    return session


def _scene(seen: Session, label: str) -> dict[str, Any]:
    """The scene with the first seconds of its motion, which tell how much room it takes."""
    scene, motion = follow(seen.solution(), fps=FRAMES, reactions=False)
    none = np.zeros((len(motion.t), 0, 3))
    scene = replace(scene, arrows=(), signals=())
    motion = replace(motion, tails=none, vectors=none, values=np.zeros((len(motion.t), 0)))
    made = of_scene(scene, motion, label=label, fixed=False)
    return made | {"happened": None}


def _signals(session: Session, engine: Engine) -> list[dict[str, Any]]:
    """Curves of the page: energies, drift, coordinates, motors, forces of constraints, contacts."""
    spec = engine.spec
    found: list[dict[str, Any]] = []

    def add(name: str, unit: str, group: str, of: str, index: int = 0, log: bool = False) -> None:
        found.append(
            {
                "name": name,
                "unit": unit,
                "group": group,
                "log": log,
                "missing": [],
                "from": of,
                "index": index,
            }
        )

    if spec["seen"]["kinetic"] is not None:
        add("kinetic energy", "J", "energy", "kinetic")
    if spec["seen"]["potential"] is not None:
        add("potential energy", "J", "energy", "potential")
        add("total energy", "J", "energy", "total")
        add("change of energy", "J", "error", "change", log=True)
    if spec["words"]["holonomic"]:
        add("position drift |phi|", "", "drift", "phi", log=True)
    if spec["words"]["rows"]:
        add("velocity drift |phi'|", "", "drift", "rates", log=True)
    for kind, group in (("q", "coordinate"), ("v", "velocity")):
        for k, name in enumerate(spec["names"][kind][:MOST]):
            add(name, _unit(session, name), group, kind, k)
    for name, unit, group, place in spec["seen"]["signals"]:
        add(name, unit, group, "seen", place)
    for name, row in spec["forces"]:
        add(name, "", "constraint", "lam", row)
    for b, name in enumerate((spec["touching"] or {"bodies": ()})["bodies"][:MOST]):
        add(f"|contact on {name}|", "N", "contact", "contact", 4 * b + 3)
        for c, axis in enumerate("xyz"):
            add(f"contact on {name} {axis}", "N", "contact", "contact", 4 * b + c)
    return found


def _unit(session: Session, name: str) -> str:
    if not session.model.is_maximal:
        return ""
    try:
        return unit_of(session.model, name)
    except (DalembertError, KeyError, ValueError, AttributeError):
        return ""


def packed_engines(runs: Sequence[tuple[dict[str, Any], Engine]]) -> dict[str, list[str]]:
    """Blocks of a page: modules of kernels, once each, and what every run has for itself.

    Each run's header is told which kernels are its own.
    """
    known: list[bytes] = []
    engines = []
    for run, engine in runs:
        *kernels, own = (module.code for module in engine.modules)
        known += [code for code in kernels if code not in known]
        run["live"]["kernels"] = [known.index(code) for code in kernels]
        engines.append(_packed(own + engine.memory))
    return {"kernels": [_packed(code) for code in known], "engine": engines}


def _packed(data: bytes) -> str:
    """Bytes as a short string."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode("ascii")
