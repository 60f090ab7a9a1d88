"""Figures of a study kept in a folder, for `dalembert plot`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dalembert.cli.parser import near
from dalembert.errors import OptionError


def plot_study(arguments: argparse.Namespace, places: Any) -> int:
    """Write figures of a study and print their paths; `places` gives each figure its own."""
    from dalembert.cli import OK
    from dalembert.cli.output import print_json, print_pairs
    from dalembert.plotting.plot import OF_STUDIES, plot
    from dalembert.study.sweep import load_study

    study = load_study(arguments.run)
    if arguments.list:
        found = {"figures": list(OF_STUDIES), "axes": list(study.names)}
        found["recorded"] = list(study.columns)
        if arguments.json:
            print_json(found)
        else:
            print_pairs([(kind, ", ".join(names)) for kind, names in found.items()])
        return OK
    flat = study.design == "grid" and len(study.names) > 1
    words = arguments.what or ["heat-map" if flat else "scatter-matrix"]
    jobs = [_job(word, OF_STUDIES) for word in words]
    paths = places(Path(arguments.run).resolve().name, [name for name, _ in jobs])
    for (name, options), path in zip(jobs, paths, strict=True):
        plot(study, name, path=path, **options)
        if path is not None and not arguments.json:
            print(path)
    if arguments.json:
        print_json({"figures": [str(path) for path in paths]})
    if arguments.show:
        from dalembert.plotting.show import show

        show()
    return OK


def _job(word: str, known: Any) -> tuple[str, dict[str, str]]:
    """``heat-map:x=l,value=swing`` as a figure and its options."""
    name, _, rest = word.partition(":")
    if name not in known:
        raise OptionError(
            f"{name!r} is no figure of a study.{near(name, known)} Known: {', '.join(known)}."
        )
    options: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or key not in known[name][1]:
            raise OptionError(
                f"{word!r}: {part!r} is no option of {name!r}. Write"
                f" {name}:{known[name][1][0]}=NAME; it has {', '.join(known[name][1])}."
            )
        options[key] = value.split("+") if key == "columns" else value
    return name, options
