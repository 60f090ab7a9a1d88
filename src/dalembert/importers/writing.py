"""A model written to a file that `load` reads back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from dalembert._files import writing
from dalembert.errors import FileError, ModelError
from dalembert.formulas.expression import ZERO, Expression
from dalembert.formulas.text import to_text
from dalembert.model import Model
from dalembert.model.assemble import Lagrangian, Matrices, Placed
from dalembert.model.quantity import Quantity

LONGEST = 20_000
"""Characters of one formula; shared parts are written out each time, so text can explode."""


def export(model: Model, path: str | Path) -> Path:
    """Write a model with its current parameter values to a .yaml or .json file.

    Parameters
    ----------
    path : str or Path
        Ending in .yaml, .yml or .json.

    Returns
    -------
    Path

    Raises
    ------
    ModelError
        A formula is too long to be written out as text.
    FileError
        The file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from dalembert import catalog
    >>> from dalembert.importers.native import load
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     load(export(catalog.load("pendulum"), Path(folder) / "pendulum.yaml"))
    Model('pendulum': 2 coordinates, 1 constraint row)
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in (".yaml", ".yml", ".json"):
        raise FileError(f"{path}: cannot write {suffix or 'nameless'} files. Use .yaml or .json.")
    data = as_data(model)
    if suffix == ".json":
        text = json.dumps(data, indent=2) + "\n"
    else:
        text = yaml.safe_dump(data, sort_keys=False, default_flow_style=None, width=100)
    with writing(path, "the model") as file:
        file.write(text.encode())
    return path


def as_data(model: Model) -> dict[str, Any]:
    """The content of a model file as plain data."""
    description = model.description
    data: dict[str, Any] = {"version": 1, "name": model.name}
    if model.parameters:
        data["parameters"] = model.parameters
    if not model.bodies:
        data["coordinates"] = [q.name for q in model.coordinates]
    if isinstance(description, Lagrangian):
        data |= _lagrangian(description)
    elif isinstance(description, Matrices):
        data |= _matrices(description)
    elif isinstance(description, Placed):
        data |= _placed(description)
    else:
        data |= _free_bodies(model)
    extra = model.extra_potential
    if extra is not ZERO:
        if isinstance(description, Matrices):
            raise ModelError(
                f"model '{model.name}': a potential was added to matrices, which a file cannot "
                "say. Put its forces into force= instead."
            )
        data["potential"] = _text(
            description.potential + extra if isinstance(description, Lagrangian) else extra
        )
    if model.generalised_forces:
        data["forces"] = {q.name: _text(force) for q, force in model.generalised_forces.items()}
    if model.constraints:
        data["constraints"] = {
            c.name: _text(c.rows[0]) if len(c) == 1 else [_text(row) for row in c.rows]
            for c in model.constraints
        }
    if model.initial:
        data["initial"] = {name: _number(q) for name, q in model.initial_formulas.items()}
    if model.points:
        data["points"] = {name: [_number(e) for e in at] for name, at in model.points.items()}
    if model.lines:
        data["lines"] = [list(line) for line in model.lines]
    run = {k: v for k, v in model.suggested.items() if k in _RUN_KEYS}
    if run:
        data["simulate"] = run
    return data


_RUN_KEYS = ("until", "step", "method", "integrator")


def _lagrangian(given: Lagrangian) -> dict[str, Any]:
    data = {"kinetic": _text(given.kinetic)}
    if given.potential is not ZERO:
        data["potential"] = _text(given.potential)
    if given.dissipation is not ZERO:
        data["dissipation"] = _text(given.dissipation)
    return data


def _matrices(given: Matrices) -> dict[str, Any]:
    data: dict[str, Any] = {
        "mass": [[_number(entry) for entry in row] for row in given.mass],
        "force": [_number(entry) for entry in given.force],
    }
    if given.potential is not None:
        data["potential"] = _text(given.potential)
    return data


def _placed(given: Placed) -> dict[str, Any]:
    data: dict[str, Any] = {"gravity": [_number(entry) for entry in given.gravity]}
    if given.particles:
        data["particles"] = [
            {"name": p.name, "mass": _number(p.mass), "position": _list(p.position)}
            for p in given.particles
        ]
    bodies: list[dict[str, Any]] = [
        {
            "name": b.name,
            "mass": _number(b.mass),
            "inertia": _number(b.inertia),
            "position": _list(b.position),
            "angle": _number(b.angle),
        }
        for b in given.planar
    ]
    bodies += [
        {
            "name": b.name,
            "mass": _number(b.mass),
            "inertia": [_list(row) for row in b.inertia],
            "position": _list(b.position),
            "rotation": [_list(row) for row in b.rotation],
        }
        for b in given.spatial
    ]
    if bodies:
        data["bodies"] = bodies
    return data


def _free_bodies(model: Model) -> dict[str, Any]:
    return {
        "gravity": [_number(entry) for entry in model.gravity],
        "bodies": [
            {
                "name": body.name,
                "mass": _number(body.inertia.mass),
                "inertia": [_list(row) for row in body.inertia.matrix],
                "center": _list(body.inertia.center),
                "orientation": "roll-pitch-yaw",
            }
            for body in model.bodies.values()
        ],
    }


def _list(entries: Any) -> list[Any]:
    return [_number(entry) for entry in entries]


def _number(quantity: Quantity) -> float | str:
    """A number as a number, a formula as text."""
    if isinstance(quantity, Expression):
        return quantity.value if quantity.op == "constant" else _text(quantity)
    return quantity


def _text(formula: Expression) -> str:
    text = to_text(formula, limit=LONGEST)
    if len(text) > LONGEST:
        raise ModelError(
            f"the formula {text[:60]}... is too long to be written as text. Keep this model as a "
            "Python file, or save it with pickle."
        )
    return text
