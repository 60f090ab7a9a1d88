"""A model written to a file that `load` reads back."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml

from dalembert._files import writing
from dalembert.errors import FileError, ModelError
from dalembert.formulas.expression import ZERO
from dalembert.formulas.variables import reaction_of
from dalembert.importers import contact, shapes
from dalembert.importers.elements import written
from dalembert.importers.formula_text import number_of, text_of
from dalembert.importers.values import ROTATION, place_of
from dalembert.model import Body, Model
from dalembert.model.core.equations import Lagrangian, Matrices, Placed
from dalembert.model.start.placement import Start


def save_model(model: Model, path: str | Path) -> Path:
    """Write a model with its current parameter values to a .yaml, .json or .urdf file.

    Parameters
    ----------
    path : str or Path
        Ending in .yaml, .yml, .json, or in .urdf for what URDF can say.

    Returns
    -------
    Path

    Raises
    ------
    ModelError
        A formula is too long to be written out as text, or URDF cannot say it.
    FileError
        The file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> import dalembert as dl
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     dl.load(dl.save_model(dl.catalog.load("pendulum"), f"{folder}/pendulum.yaml"))
    Model('pendulum': 2 coordinates, 1 constraint row)
    """
    path = Path(path)
    try:
        text = text_in(model, path.suffix, path.parent)
    except FileError as problem:
        raise FileError(f"{path}: {problem}") from None
    with writing(path, "the model") as file:
        file.write(text.encode())
    return path


def text_in(model: Model, suffix: str, folder: Path | None = None) -> str:
    """The content of a model file that ends in .yaml, .yml, .json or .urdf.

    Files of meshes are named from `folder`, where the file will be, if that is known.
    """
    suffix = suffix.lower()
    if suffix == ".urdf":
        from dalembert.importers.urdf.writing import urdf_text

        return urdf_text(model, folder)
    if suffix not in (".yaml", ".yml", ".json"):
        raise FileError(f"cannot write {suffix or 'nameless'} files. Use .yaml, .json or .urdf.")
    data = as_data(model)
    if folder is not None:
        for shape in (
            s for part in (data, *data.get("bodies", ())) for s in part.get("shapes", ())
        ):
            if "file" in shape:
                shape["file"] = named_from(shape["file"], folder)
    if suffix == ".json":
        return json.dumps(data, indent=2) + "\n"
    return str(yaml.safe_dump(data, sort_keys=False, default_flow_style=None, width=100))


def named_from(file: str, folder: Path) -> str:
    """A file as seen from a folder; as it is where there is no such way (other drives)."""
    try:
        return os.path.relpath(file, os.path.abspath(folder)).replace(os.sep, "/")
    except ValueError:
        return file


def as_data(model: Model) -> dict[str, Any]:
    """The content of a model file as plain data."""
    description = model.description
    data: dict[str, Any] = {"version": 1, "name": model.name}
    parameters = {k: x for k, x in model.parameters.items() if reaction_of(k) is None}
    if parameters:
        data["parameters"] = parameters
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
        data["potential"] = text_of(
            description.potential + extra if isinstance(description, Lagrangian) else extra
        )
    if model.generalised_forces:
        by_coordinate = {q.name: text_of(f) for q, f in model.generalised_forces.items()}
        data["forces"] = data.get("forces", {}) | by_coordinate
    given = [c for c in model.constraints if not c.labels]  # the others come from joints
    if given:
        data["constraints"] = {
            c.name: text_of(c.rows[0]) if len(c) == 1 else [text_of(row) for row in c.rows]
            for c in given
        }
    names = contact.materials_of(model)
    data |= contact.as_data(model, names)
    if model.initial_formulas:
        data["initial"] = {name: number_of(q) for name, q in model.initial_formulas.items()}
    if model.points:
        data["points"] = {name: [number_of(e) for e in at] for name, at in model.points.items()}
    if model.lines:
        data["lines"] = [list(line) for line in model.lines]
    run = {k: v for k, v in model.suggested.items() if k in RUN_KEYS}
    if run:
        data["simulate"] = run
    return data


RUN_KEYS = ("until", "step", "method", "integrator", "formulation", "mode", "rtol", "atol")


def _lagrangian(given: Lagrangian) -> dict[str, Any]:
    data = {"kinetic": text_of(given.kinetic)}
    if given.potential is not ZERO:
        data["potential"] = text_of(given.potential)
    if given.dissipation is not ZERO:
        data["dissipation"] = text_of(given.dissipation)
    return data


def _matrices(given: Matrices) -> dict[str, Any]:
    data: dict[str, Any] = {
        "mass": [[number_of(entry) for entry in row] for row in given.mass],
        "force": [number_of(entry) for entry in given.force],
    }
    if given.potential is not None:
        data["potential"] = text_of(given.potential)
    return data


def _placed(given: Placed) -> dict[str, Any]:
    data: dict[str, Any] = {"gravity": [number_of(entry) for entry in given.gravity]}
    if given.particles:
        data["particles"] = [
            {"name": p.name, "mass": number_of(p.mass), "position": _list(p.position)}
            for p in given.particles
        ]
    bodies: list[dict[str, Any]] = [
        {
            "name": b.name,
            "mass": number_of(b.mass),
            "inertia": number_of(b.inertia),
            "position": _list(b.position),
            "angle": number_of(b.angle),
        }
        for b in given.planar
    ]
    bodies += [
        {
            "name": b.name,
            "mass": number_of(b.mass),
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
    names = contact.materials_of(model)
    data: dict[str, Any] = {
        "gravity": [number_of(entry) for entry in model.gravity],
        "bodies": [
            _body(model, body, model.starts[name], names) for name, body in model.bodies.items()
        ],
    }
    if model.world.frames:
        data["frames"] = {name: place_of(frame) for name, frame in model.world.frames.items()}
    standing = shapes.shapes_of(model, model.world.name, names)
    if standing:
        data["shapes"] = standing
    closing = set(model.closing)
    for key, chosen in (("joints", False), ("loops", True)):
        found = {n: written(j) for n, j in model.joints.items() if (n in closing) is chosen}
        if found:
            data[key] = found
    if model.limits:
        data["limits"] = {
            name: {
                key: x
                for key, x in asdict(limits).items()
                if x is not None and math.isfinite(x) and (key, x) != ("restitution", 0.0)
            }
            for name, limits in model.limits.items()
        }
    if model.armature:
        data["armature"] = {name: list(values) for name, values in model.armature.items()}
    if model.forces:
        data["forces"] = {name: written(force) for name, force in model.forces.items()}
    if model.sensors:
        data["sensors"] = {name: written(sensor) for name, sensor in model.sensors.items()}
    return data


def _body(model: Model, body: Body, start: Start, names: Any) -> dict[str, Any]:
    inertia = body.inertia
    matrix: list[Any] = [_list(row) for row in inertia.matrix]
    data: dict[str, Any] = {
        "name": body.name,
        "mass": number_of(inertia.mass),
        "inertia": [matrix[i][i] for i in range(3)] if inertia.is_diagonal else matrix,
        "orientation": body.orientation,
    }
    if any(not (isinstance(entry, float) and entry == 0.0) for entry in inertia.center):
        data["center"] = _list(inertia.center)
    if inertia.is_implausible:
        data["doubtful"] = True
    for key in ("position", "velocity", "angular_velocity"):
        if getattr(start, key) is not None:
            data[key] = _list(getattr(start, key))
    if start.rotation is not None:
        data["rotation"] = ROTATION.write(start.rotation)
    if start.axes != "world":
        data["axes"] = start.axes
    if body.frames:
        data["frames"] = {name: place_of(frame) for name, frame in body.frames.items()}
    drawn = shapes.shapes_of(model, body.name, names)
    if drawn:
        data["shapes"] = drawn
    if body.name in model.colors:
        data["color"] = model.colors[body.name]
    return data


def _list(entries: Any) -> list[Any]:
    return [number_of(entry) for entry in entries]
