"""A run as one HTML file that plays anywhere, offline."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import dalembert
from dalembert._files import checked, writing
from dalembert.errors import OptionError
from dalembert.viewer.contents import ROOM, contents

THEMES = ("auto", "light", "dark")
LAYOUTS = ("side", "ghost")
VIEWS = ("front", "side", "top", "iso")

SLOW = (0.5, 0.25, 0.1, 0.05, 0.02, 0.01)
"""Speeds of runs that would be over before they are seen, as the page offers them."""

BLINK, LOOK = 1.0, 2.0
"""Length of a run that is too short for real time, and how long it is to be played  [s]."""


def seen_speed(span: float) -> float:
    """Speed at which a run of this length is played."""
    if not 0.0 < span < BLINK:
        return 1.0
    return next((speed for speed in SLOW if span / speed >= LOOK), SLOW[-1])


def page(
    solutions: Any,
    *,
    names: Sequence[str] | None = None,
    title: str | None = None,
    fps: float | None = None,
    theme: str = "auto",
    layout: str = "side",
    view: str | None = None,
    follow: str | None = None,
    arrows: bool = False,
    trails: bool | Sequence[str] = True,
    plots: Sequence[str] | None = None,
    speed: float | None = None,
    play: bool = True,
) -> str:
    """The page that plays one run, or several to compare, as the text of an HTML file.

    Parameters
    ----------
    solutions : Solution, or a list of them
    names : of the runs, when there are several; by default the methods, where they differ
    title : of the page; by default the name of the model
    fps : float
        Samples a second of run time that are carried; the page interpolates between them. By
        default 60, and 60 a second of playing where a short run is played slowly.
    theme : "auto" (as the reader's system), "light" or "dark"
    layout : "side" (by side) or "ghost" (the later runs transparent over the first)
    view : "front", "side", "top" or "iso"; by default front for planar motion, else iso
    follow : name of a body the camera stays with
    arrows : whether the arrows of forces and reactions are shown at first
    trails : whether paths are drawn at first, or names of points and bodies to draw them of
    plots : names of curves or groups of them ("energy", "drift") open at first
    speed : of playing; 1 is real time, the default for runs of a second or more; shorter ones are
        played so slowly that they take two
    play : whether the page starts playing at once (not where the reader's system asks for rest)

    Examples
    --------
    >>> import dalembert as dl
    >>> solution = dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-2)
    >>> from dalembert.viewer.page import page
    >>> page(solution, title="A pendulum").splitlines()[0]
    '<!doctype html>'
    """
    runs = _listed(solutions)
    labels = _labels(runs, names)
    check_choice("theme", theme, THEMES)
    check_choice("layout", layout, LAYOUTS)
    if view is not None:
        check_choice("view", view, VIEWS)
    if speed is None:
        speed = seen_speed(max(float(run.t[-1] - run.t[0]) if len(run.t) else 0.0 for run in runs))
    check_positive("speed", speed)
    if fps is None:
        fps = max(60.0, 60.0 / speed)
    check_positive("fps", fps)
    room = ROOM / len(runs)
    packed = [
        contents(run, label=label, fps=fps, room=room)
        for run, label in zip(runs, labels, strict=True)
    ]
    movable = {
        part["name"]
        for run in packed
        for kind in ("bodies", "points")
        for part in run["scene"][kind]
    }
    for name in [*([follow] if follow else []), *(trails if not isinstance(trails, bool) else ())]:
        if name not in movable:
            raise OptionError(_unknown(name, movable))
    heading = title if title is not None else _heading(runs)
    settings = {
        "theme": theme,
        "layout": layout,
        "view": view,
        "follow": follow,
        "arrows": bool(arrows),
        "trails": trails if isinstance(trails, bool) else list(trails),
        "plots": None if plots is None else list(plots),
        "speed": float(speed),
        "play": bool(play),
    }
    data = [run.pop("data") for run in packed]
    header = {
        "title": heading,
        "version": dalembert.__version__,
        "settings": settings,
        "runs": packed,
    }
    return filled(heading, theme, header, {"data": data})


def save_html(solutions: Any, path: str | Path, *, live: bool = False, **options: Any) -> Path:
    """Write the page of one run, or of several to compare, to an HTML file; options as for `page`.

    The file needs nothing else and no network: mail it, open it on a phone, put it on any server.

    Parameters
    ----------
    solutions : Solution, list of them, or with ``live=True`` a Model
    live : bool
        The model itself runs in the page: it can be played, pulled, and its parameters turned. The
        options are those of `dalembert.viewer.model_page.model_page`.

    Examples
    --------
    >>> import dalembert as dl
    >>> import tempfile, pathlib
    >>> solution = dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     dl.save_html(solution, pathlib.Path(folder) / "pendulum.html").name
    'pendulum.html'
    """
    check_page_name(path)
    checked(path, "the page")
    if live:
        from dalembert.viewer.model_page import model_page

        text = model_page(solutions, **options)
    else:
        text = page(solutions, **options)
    with writing(path, "the page") as file:
        file.write(text.encode("utf-8"))
    return Path(path)


def check_page_name(path: str | Path) -> None:
    """Refuse the name of a picture or a film for a page: no browser would open it."""
    if Path(path).suffix.lower() not in ("", ".html", ".htm"):
        raise OptionError(
            f"save_html: {str(path)!r} is not the name of a page. Let it end in .html."
        )


# ------------------------------------------------------------------------------------- the text


def policy(*scripts: str, engines: bool = False) -> str:
    """Content security policy of a page with these scripts, and nothing else.

    engines : whether WebAssembly may be compiled, without which a browser runs no engine
    """
    digests = [hashlib.sha256(script.encode()).digest() for script in scripts]
    allowed = [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
    allowed += ["'wasm-unsafe-eval'"] if engines else []
    return (
        f"default-src 'none'; script-src {' '.join(allowed)}; style-src 'unsafe-inline'; img-src"
        " data:; base-uri 'none'; form-action 'none'"
    )


def filled(
    title: str, theme: str, header: dict[str, Any], blocks: Mapping[str, Sequence[str]]
) -> str:
    """The template with everything in it; blocks of engines make it a page that simulates."""
    data = "\n".join(
        f'<script type="application/octet-stream" id="{kind}-{i}">{text}</script>'
        for kind, texts in blocks.items()
        for i, text in enumerate(texts)
    )
    parts = {
        "TITLE": html.escape(title),
        "THEME": theme,
        "POLICY": policy(asset("player.js"), engines="engine" in blocks),
        "STYLE": asset("player.css"),
        "HEADER": json_for_html(header),
        "DATA": data,
        "PLAYER": asset("player.js"),
    }
    return put_in(asset("page.html"), parts)


def put_in(template: str, parts: Mapping[str, str]) -> str:
    """The template with the parts at their marks: text and names stand in turn between them."""
    pieces = template.split("%%")
    return "".join(parts[piece] if i % 2 else piece for i, piece in enumerate(pieces))


@cache
def asset(name: str) -> str:
    """A text that the player is made of."""
    place = resources.files("dalembert.viewer") / "assets" / name
    return place.read_text(encoding="utf-8")


def json_for_html(value: Any) -> str:
    """JSON that cannot end the script element it stands in; not-a-numbers become null."""
    text = json.dumps(_plain(value), separators=(",", ":"), allow_nan=False, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


# ---------------------------------------------------------------------------------- the options


def _listed(solutions: Any) -> list[Any]:
    from dalembert.simulation.results.solution import Solution

    if not isinstance(solutions, (Solution, Iterable)) or isinstance(solutions, str):
        raise OptionError(
            f"page: {solutions!r:.60} is not a Solution. Give what simulate returned."
        )
    runs = [solutions] if isinstance(solutions, Solution) else list(solutions)
    if not runs:
        raise OptionError("page: no run was given. Give a Solution or a list of them.")
    for run in runs:
        if not isinstance(run, Solution):
            raise OptionError(f"page: {run!r} is not a Solution. Give what simulate returned.")
    return runs


def _labels(runs: list[Any], names: Sequence[str] | None) -> list[str]:
    if names is not None:
        if isinstance(names, str) or len(names) != len(runs):
            raise OptionError(f"page: names must be a list of {len(runs)}, one for each run.")
        return [str(name) for name in names]
    if len(runs) == 1:
        return [runs[0].model.name]
    for kind in (
        [run.model.name for run in runs],
        [type(run.method).__name__ for run in runs],
        [type(run.integrator).__name__ for run in runs],
        [f"step {run.step:g} s" if run.step else "error control" for run in runs],
    ):
        if len(set(kind)) == len(runs):
            return kind
    return [f"run {i + 1}" for i in range(len(runs))]


def _heading(runs: list[Any]) -> str:
    models = list(dict.fromkeys(run.model.name for run in runs))
    return ", ".join(models)


def check_choice(option: str, value: Any, choices: tuple[str, ...]) -> None:
    """Refuse what is none of the choices."""
    if value not in choices:
        raise OptionError(f"page: {option}={value!r} is not known. Choose from: {choices}.")


def check_positive(option: str, value: Any) -> None:
    """Refuse what is no positive number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise OptionError(f"page: {option} must be a positive number, not {value!r}.")


def _unknown(name: Any, known: set[str]) -> str:
    import difflib

    near = difflib.get_close_matches(str(name), sorted(known), n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"page: there is no body or point {name!r}.{hint}"
