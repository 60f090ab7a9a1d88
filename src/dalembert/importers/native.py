"""Model files with formulas: YAML, JSON or TOML in, YAML or JSON out.

    version: 1
    name: pendulum
    parameters: {m: 1.0, l: 1.0, g: 9.81}
    coordinates: [x, y]
    kinetic: m*(x.dot**2 + y.dot**2)/2
    potential: m*g*y
    constraints:
      bar: x**2 + y**2 - l**2
    initial: {x: l}
    simulate: {until: 10, step: 1e-3}

Formulas are read with the grammar of `formulas.parser`; nothing is evaluated. The keys are listed
in `schema.ModelEntry`, and published as docs/reference/model.schema.json.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from dalembert.errors import DalembertError, ImportFileError
from dalembert.formulas.expression import ZERO, Expression, coordinate, parameter
from dalembert.formulas.variables import reaction
from dalembert.importers.bodies import BodyReading
from dalembert.importers.contact import add_keeps, add_rules
from dalembert.importers.file_masses import FileMasses
from dalembert.importers.problems import describe
from dalembert.importers.readers import Loss, Read
from dalembert.importers.schema import (
    BodyPoint,
    ModelEntry,
    json_schema,
    write_schema,
)
from dalembert.importers.source import Place, Source, read_source
from dalembert.importers.writing import save_model
from dalembert.in_words import as_file
from dalembert.model import Model

ONLY_BODIES = ("limits", "armature", "sensors", "shapes", "materials", "contacts", "combine")
"""Keys that go with free bodies, as frames, joints and loops do."""

MOST_ROWS = 6
"""Rows of a joint at most."""

__all__ = ["export", "json_schema", "load", "write_schema"]

export = save_model
"""Earlier name of `dl.save_model`."""


def load(path: str | Path) -> Model:
    r"""Model described by a .yaml, .json or .toml file.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    Model
        ``model.suggested`` holds the file's ``simulate`` section.

    Raises
    ------
    ImportFileError
        With file, line, what was found, what was expected, and the nearest known name.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "mass.yaml"
    ...     _ = file.write_text("version: 1\ncoordinates: [x]\nkinetic: x.dot**2/2\n")
    ...     load(file)
    Model('model': 1 coordinate)
    """
    model = read(path).model
    if model.losses:  # of a robot's file that it begins with
        from dalembert.importers.urdf.load import tell

        tell(path, model.losses)
    return model


def read(path: str | Path) -> Read:
    """The model of a file, and what the file says that the model does not.

    What is not known is refused; what is lost stands in the file for its reader only.
    """
    source = read_source(path)
    if not isinstance(source.data, dict):
        source.refuse((), "holds no keys. Begin with 'version: 1'.")
    try:
        entry = ModelEntry.model_validate(source.data)
    except ValidationError as problem:
        raise ImportFileError(describe(problem, source)) from None
    reading = Reading(source, entry)
    return Read(reading.model(), reading.losses())


class Reading(FileMasses):
    """One file on its way to a model: its symbols so far, and where each formula stands."""

    def __init__(self, source: Source, entry: ModelEntry) -> None:
        super().__init__(source, entry)
        self.coordinates: list[Expression] = []
        self.free: BodyReading | None = None

    def model(self) -> Model:
        self.name_symbols()
        try:
            model = self.build()
            add_keeps(self, model)
            return model
        except ImportFileError:
            raise
        except DalembertError as problem:
            raise ImportFileError(self.located(as_file(str(problem)))) from problem

    def losses(self) -> tuple[Loss, ...]:
        """Parts that a reader of the file sees and the model does not hold."""
        found = []
        if self.entry.description is not None:
            place = self.source.where(("description",))
            found.append(Loss("the description is for readers of the file only.", place))
        for name in self.entry.definitions:
            place = self.source.where(("definitions", name))
            found.append(Loss(f"definition {name!r} is written out where it is used.", place))
        return (*found, *(() if self.free is None else self.free.losses))

    # -- symbols -------------------------------------------------------------------------------

    def name_symbols(self) -> None:
        """Parameters, coordinates, free bodies, definitions, points, joints become symbols."""
        entry = self.entry
        for name, value in entry.parameters.items():
            self.add_symbol(name, parameter(name, value), ("parameters", name))
        for i, name in enumerate(entry.coordinates):
            self.coordinates.append(coordinate(name))
            self.add_symbol(name, coordinate(name), ("coordinates", i))
        if self.has_free_bodies():
            self.free = BodyReading(self)
            self.free.add_bodies()
        for name, text in entry.definitions.items():
            place = ("definitions", name)
            self.add_symbol(name, self.formula(text, place), place)
        self.points = {
            name: self.point(name, given, ("points", name)) for name, given in entry.points.items()
        }
        if self.free is not None:
            self.free.add_joints()
            self.free.add_sensors(of_actuators=False)
        self.name_reactions()

    def name_reactions(self) -> None:
        """``ring.reaction``, ``hinge.reaction1``: multipliers of ideal constraints, in forces."""
        given = self.entry.constraints
        rows = {
            key if isinstance(key, str) else f"c{key + 1}": len(x) if isinstance(x, list) else 1
            for key, x in (given.items() if isinstance(given, dict) else enumerate(given))
        }
        joints = {} if self.free is None else self.free.model.joints
        rows |= {name: MOST_ROWS for name in joints if name.isidentifier()}
        for name, count in rows.items():
            self.symbols.later(name, functools.partial(self.add_reactions, name, count))

    def add_reactions(self, name: str, count: int) -> None:
        """Reactions of the rows of one constraint become symbols."""
        for row in range(count):
            made = reaction(name, row)
            self.symbols.setdefault(made.name, made)

    def has_free_bodies(self) -> bool:
        """Whether the bodies have coordinates of their own; they do not mix with others."""
        entry = self.entry
        oriented = [i for i, body in enumerate(entry.bodies) if body.orientation is not None]
        if (entry.coordinates or entry.particles) and oriented:
            self.source.refuse(
                ("coordinates",) if entry.coordinates else ("bodies",),
                "free bodies (with 'orientation') do not mix with masses placed by formulas. Make "
                "all bodies free, or place all by formulas.",
            )
        if entry.urdf is not None and (entry.coordinates or entry.particles):
            self.source.refuse(
                ("urdf",),
                "the links of a robot are free bodies, which do not mix with 'coordinates' or "
                "'particles'. Remove those.",
            )
        if entry.urdf is None and entry.base is not None:
            self.source.refuse(("base",), "'base' goes with 'urdf', of which there is none.")
        if entry.urdf is not None or (entry.bodies and not (entry.coordinates or entry.particles)):
            return True
        for key in ("frames", "joints", "loops", *ONLY_BODIES):
            if getattr(entry, key):
                self.source.refuse(
                    (key,),
                    f"{key!r} go with free bodies, of which there are none. Remove them.",
                )
        return False

    def point(self, name: str, given: list[Any] | BodyPoint, place: Place) -> list[Any]:
        if isinstance(given, BodyPoint):
            known = {} if self.free is None else self.free.model.bodies
            if given.body not in known:
                names = ", ".join(known) or "none"
                self.source.refuse(
                    (*place, "body"), f"there is no free body {given.body!r}. Known: {names}."
                )
            offset = self.formulas(given.at, (*place, "at"), 3)
            position = list(known[given.body].at(*offset).position)
        else:
            position = self.formulas(given, place)
        if name.isidentifier():
            for axis, formula in zip("xyz", position, strict=False):
                self.symbols.setdefault(f"{name}.{axis}", formula)
        return position

    # -- formulas ------------------------------------------------------------------------------

    def start(self, name: str, given: Any) -> Any:
        """A start as the file gives it: a formula, or several for ``trunk.position``."""
        place = ("initial", name)
        if not isinstance(given, list):
            return self.formula(given, place)
        if self.free is not None and name.endswith(".rotation"):
            return self.free.numbers(given, place, 4)
        return self.formulas(given, place)

    # -- the model -----------------------------------------------------------------------------

    def build(self) -> Model:
        entry = self.entry
        common: dict[str, Any] = {
            "name": entry.name,
            "constraints": self.constraints(),
            "initial": {n: self.start(n, f) for n, f in entry.initial.items()},
            "points": self.points,
            "lines": entry.lines,
            "suggested": {
                key: value
                for key, value in (entry.simulate.model_dump() if entry.simulate else {}).items()
                if value is not None
            },
        }
        stated = self.stated()
        if self.free is not None:
            return self.from_free_bodies(self.free, common)
        common["forces"] = self.general_forces()
        if stated == "kinetic":
            return Model.from_lagrangian(
                coordinates=self.coordinates or None,
                kinetic=self.formula(entry.kinetic or "", ("kinetic",)),
                potential=self.potential(),
                dissipation=self.optional("dissipation"),
                **common,
            )
        if stated == "mass":
            return self.from_matrices(common)
        return Model.from_map(
            coordinates=self.coordinates or None,
            particles=self.particles(),
            bodies=[self.body(b, ("bodies", i)) for i, b in enumerate(entry.bodies)],
            gravity=self.gravity(),
            potential=self.potential(),
            **common,
        )

    def stated(self) -> str:
        """Which of the three ways to state the dynamics the file uses; exactly one."""
        entry = self.entry
        ways = {
            "kinetic": entry.kinetic is not None,
            "mass": entry.mass is not None,
            "particles": bool(entry.particles),
            "bodies": bool(entry.bodies),
        }
        used = [way for way, present in ways.items() if present]
        if entry.urdf is not None and used in ([], ["bodies"]):
            used = ["bodies"]
        if not used:
            self.source.refuse(
                (),
                "says nothing about masses. Give 'kinetic' (and 'potential'), 'mass' and 'force', "
                "or 'particles' and 'bodies'.",
            )
        if len(used) > 1 and used != ["particles", "bodies"]:
            self.source.refuse(
                (used[1],), f"{used[0]!r} and {used[1]!r} both state the dynamics. Keep one."
            )
        allowed = {
            "kinetic": ("potential", "dissipation"),
            "mass": ("force", "bias", "potential"),
        }.get(used[0], ("potential", "gravity"))
        for key in ("potential", "dissipation", "force", "bias", "gravity"):
            if getattr(entry, key) is not None and key not in allowed:
                self.source.refuse((key,), f"{key!r} does not go with {used[0]!r}. Remove it.")
        return used[0]

    def from_matrices(self, common: dict[str, Any]) -> Model:
        entry = self.entry
        if entry.force is None:
            self.source.refuse(("mass",), "'mass' needs 'force' beside it. Add it.")
        if not self.coordinates:
            self.source.refuse(("mass",), "'mass' needs 'coordinates' for its order. Add them.")
        bias = entry.bias
        return Model.from_matrices(
            coordinates=self.coordinates,
            mass=[self.formulas(r, ("mass", i)) for i, r in enumerate(entry.mass or [])],
            force=self.formulas(entry.force, ("force",)),
            bias=None if bias is None else self.formulas(bias, ("bias",)),
            potential=self.optional("potential"),
            **common,
        )

    def general_forces(self) -> dict[str, Expression]:
        """Forces by coordinate; only bodies have others."""
        found: dict[str, Expression] = {}
        for name, given in self.entry.forces.items():
            if not isinstance(given, str | float | int):
                self.source.refuse(
                    ("forces", name),
                    f"force {name!r} acts on bodies, of which there are none. Give a formula by "
                    "coordinate.",
                )
            found[name] = self.formula(given, ("forces", name))
        return found

    def from_free_bodies(self, free: BodyReading, common: dict[str, Any]) -> Model:
        model = free.model
        for name, rows in common["constraints"]:
            model.constrain(rows, name=name)
        free.add_forces()
        free.add_sensors(of_actuators=True)
        add_rules(self, model)
        potential = self.potential()
        if potential is not ZERO:
            model.add_potential(potential)
        model.set_initial(common["initial"])
        for name, position in self.points.items():
            model.add_point(name, position)
        for line in self.entry.lines:
            model.add_line(*line)
        model.suggested = common["suggested"]
        return model

    def constraints(self) -> list[tuple[str, list[Expression]]]:
        given = self.entry.constraints
        named = given.items() if isinstance(given, dict) else enumerate(given)
        return [
            (
                key if isinstance(key, str) else f"c{key + 1}",
                self.formulas(formula, ("constraints", key))
                if isinstance(formula, list)
                else [self.formula(formula, ("constraints", key))],
            )
            for key, formula in named
        ]


def add_joint_entry(model: Model, name: str, given: Mapping[str, Any], path: Path) -> None:
    """Add a joint, described by the keys of a model file, to a model that is there."""
    source = Source(path, {"version": 1, "urdf": str(path), "loops": {name: _plain(given)}})
    try:
        entry = ModelEntry.model_validate(source.data)
    except ValidationError as problem:
        raise ImportFileError(describe(problem, source)) from None
    reading = Reading(source, entry)
    reading.free = BodyReading.within(reading, model)
    reading.free.add_joints()


def _plain(given: Any) -> Any:
    """Data as a file holds it: tuples and arrays are lists."""
    if isinstance(given, Mapping):
        return {str(key): _plain(value) for key, value in given.items()}
    if hasattr(given, "tolist"):
        return given.tolist()
    return [_plain(part) for part in given] if isinstance(given, list | tuple) else given
