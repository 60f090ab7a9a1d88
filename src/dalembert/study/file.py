"""Study files: what `dl.sweep` is asked for, in YAML, JSON or TOML.

model: pendulum                     a catalog model, or a file beside the study
over:
  l: {from: 0.5, to: 2.0, count: 4}
  x.dot: [0.0, 0.1]
  g: {uniform: [9.7, 9.9]}          for designs that draw
until: 2.0
record: {swing: max(x)}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dalembert.analysis.choices import made
from dalembert.analysis.signal_text import parsed
from dalembert.errors import DalembertError
from dalembert.importers.source import Source, read_source
from dalembert.model.basics.names import did_you_mean
from dalembert.study.axes import Axis, normal, read_axis, span, uniform

STUDY = ("over", "record", "design", "count", "seed", "samples", "chunk", "verdict")
"""Keys that say what the study is."""

CARRYING = ("folder", "engine", "workers", "cluster")
"""Keys that say how it is carried out; a command may say otherwise."""

RUN = (
    *("until", "start", "step", "mode", "rtol", "atol", "formulation", "initial", "parameters"),
    *("initial_limit", "every", "times", "method", "integrator", "events"),
)
"""Keys of the runs: options of `simulate`."""

KEYS = ("model", *STUDY, *RUN, *CARRYING)


@dataclass(frozen=True)
class StudyFile:
    """Contents of a study file: the model's name, and arguments of `sweep`."""

    path: Path
    model: str
    over: dict[str, Axis]
    options: dict[str, Any]
    events: dict[str, dict[str, Any]]
    carrying: dict[str, Any]

    def read_events(self, model: Any) -> tuple[Any, ...]:
        """Events with formulas of this model."""
        from dalembert.simulation.prepare.events import Event

        found = []
        for name, said in self.events.items():
            rest = {key: value for key, value in said.items() if key != "formula"}
            formula = parsed(str(said["formula"]), model, f"{self.path}: event {name!r}")
            found.append(Event(formula, name=name, **rest))
        return tuple(found)


def read_study(path: str | Path) -> StudyFile:
    """The contents of a study file, checked; an error names the line."""
    source = read_source(path)
    data = source.data
    if not isinstance(data, dict):
        source.refuse((), "is no study: it has no keys. It needs model, over and until.")
    if "version" in data and "model" not in data:
        source.refuse(
            (),
            f"is a model, not a study of one. A study names it: model: {Path(path).name}, over:"
            " {l: [1.0, 2.0]}, until: 10.",
        )
    for key in data:
        if key not in KEYS:
            source.refuse(
                (key,),
                f"there is no key {key!r}{did_you_mean(str(key), list(KEYS))} Known:"
                f" {', '.join(KEYS)}.",
            )
    if not isinstance(data.get("model"), str):
        source.refuse(("model",), "model is missing. Give a catalog model, or a file.")
    if not isinstance(data.get("over"), dict) or not data["over"]:
        source.refuse(("over",), "over is missing. Give axes, such as over: {l: [1.0, 2.0]}.")
    axes = {str(name): _axis(source, str(name), said) for name, said in data["over"].items()}
    options = {key: data[key] for key in (*STUDY[1:], *RUN) if data.get(key) is not None}
    for key in ("method", "integrator"):
        if key in options:
            options[key] = _choice(source, key, options[key])
    events = _events(source, options.pop("events", {}))
    carrying = {key: data[key] for key in CARRYING if data.get(key) is not None}
    return StudyFile(Path(path), data["model"], axes, options, events, carrying)


def _axis(source: Source, name: str, said: Any) -> Axis:
    place = ("over", name)
    try:
        if not isinstance(said, Mapping):
            return read_axis(name, said)
        rest = dict(said)
        log = {"log": bool(rest.pop("log"))} if "log" in rest else {}
        if set(rest) == {"from", "to", "count"}:
            return span(rest["from"], rest["to"], rest["count"], **log)
        for word, make in (("uniform", uniform), ("normal", normal)):
            if set(rest) == {word} and isinstance(rest[word], list) and len(rest[word]) == 2:
                maker: Callable[..., Axis] = make
                return maker(*rest[word], **(log if word == "uniform" else {}))
    except DalembertError as problem:
        source.refuse(place, str(problem))
    source.refuse(
        place,
        f"{name!r} is no axis. Give a list, {{from: a, to: b, count: n}}, {{uniform: [a, b]}} or"
        " {normal: [mean, deviation]}.",
    )


def _choice(source: Source, key: str, text: Any) -> Any:
    from dalembert.enforcement import METHODS
    from dalembert.integration import INTEGRATORS

    table: Mapping[str, Any] = METHODS if key == "method" else INTEGRATORS
    try:
        return made(str(text), table, key)
    except DalembertError as problem:
        source.refuse((key,), str(problem))


def _events(source: Source, said: Any) -> dict[str, dict[str, Any]]:
    known = ("formula", "terminal", "direction")
    if not isinstance(said, dict):
        source.refuse(("events",), "events are given by name: events: {hit: {formula: y}}.")
    for name, one in said.items():
        wrong = [key for key in one if key not in known] if isinstance(one, dict) else ["?"]
        if wrong or "formula" not in one:
            source.refuse(
                ("events", name), f"event {name!r} needs formula, and may have terminal, direction."
            )
    return {str(name): dict(one) for name, one in said.items()}
