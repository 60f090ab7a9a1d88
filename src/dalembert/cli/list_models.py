"""The models of the catalog, one line each; with a NAME, its options and parameters."""

from __future__ import annotations

import argparse
import inspect
from typing import Any

from dalembert.cli.parser import add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="say more about this one")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """List, or describe."""
    from dalembert import catalog
    from dalembert.cli import OK
    from dalembert.cli.output import print_heading, print_json, print_pairs

    if arguments.name is None:
        found = {name: catalog.describe(name) for name in catalog.names()}
        if arguments.json:
            print_json([{"name": name, "description": text} for name, text in found.items()])
        else:
            print_pairs(list(found.items()))
        return OK
    facts = _facts(arguments.name)
    if arguments.json:
        print_json(facts)
        return OK
    print_heading(facts["name"])
    print(facts["description"])
    print()
    numbers = [f"{key}={value:g}" for key, value in facts["parameters"].items()]
    print_pairs(
        [
            ("options", ", ".join(f"{k}={v}" for k, v in facts["options"].items()) or "none"),
            ("parameters", ", ".join(numbers) or "none"),
            ("suggested", ", ".join(f"{k} {v}" for k, v in facts["suggested"].items()) or "none"),
            ("bodies", ", ".join(facts["bodies"]) or "none: coordinates of its own"),
            ("try", f"dalembert run {facts['name']}" + _example(facts["options"])),
        ]
    )
    return OK


def _facts(text: str) -> dict[str, Any]:
    from dalembert import catalog
    from dalembert.analysis.choices import split_options

    name, options = split_options(text)
    model = catalog.load(name, **options)
    signature = inspect.signature(catalog._function(name)).parameters
    return {
        "name": name,
        "description": catalog.describe(name),
        "options": {key: _shown(parameter.default) for key, parameter in signature.items()},
        "parameters": model.parameters,
        "suggested": dict(model.suggested),
        "bodies": list(model.bodies),
        "coordinates": len(model.coordinates),
    }


def _shown(value: Any) -> Any:
    if value is True or value is False:
        return str(value).lower()
    return value if isinstance(value, int | float | str) else str(value)


def _example(options: dict[str, Any]) -> str:
    """The first option with its default, as it is typed."""
    return next((f":{key}={value}" for key, value in options.items()), "")
