"""Particles and bodies of a model file that formulas place."""

from __future__ import annotations

from typing import Any, TypeVar

from dalembert.errors import DalembertError
from dalembert.importers.file_formulas import FileFormulas
from dalembert.importers.schema import BodyEntry, ShapeEntry
from dalembert.importers.source import Place
from dalembert.model import Particle, PlanarBody, SpatialBody

Mass = TypeVar("Mass", Particle, PlanarBody, SpatialBody)


class FileMasses(FileFormulas):
    """Masses of one file."""

    def particles(self) -> list[Particle]:
        """Particles of the file."""
        made = []
        for i, given in enumerate(self.entry.particles):
            place = ("particles", i)
            position = self.formulas(given.position, (*place, "position"))
            mass = self.formula(given.mass, (*place, "mass"))
            made.append(self.placed(Particle, place, mass, position, name=given.name))
        return made

    def body(self, given: BodyEntry, place: Place) -> PlanarBody | SpatialBody:
        """A body in the plane or in space."""
        if given.position is None or (given.angle is None) == (given.rotation is None):
            self.source.refuse(
                place,
                f"body {given.name!r}: give 'position' with either 'angle' (planar) or 'rotation' "
                "(spatial), or remove 'coordinates' to make the bodies free.",
            )
        for key in ("center", "velocity", "angular_velocity", "axes", "frames", "shapes", "color"):
            if getattr(given, key):
                self.source.refuse((*place, key), f"{key!r} is for free bodies. Remove it.")
        mass = self.formula(given.mass, (*place, "mass"))
        position = self.formulas(given.position, (*place, "position"))
        if given.angle is not None:
            inertia = given.inertia
            if isinstance(inertia, list | ShapeEntry):
                self.source.refuse(
                    (*place, "inertia"), f"body {given.name!r}: a planar body has one inertia."
                )
            return self.placed(
                PlanarBody,
                place,
                mass,
                self.formula(inertia, (*place, "inertia")),
                position=position,
                angle=self.formula(given.angle, (*place, "angle")),
                name=given.name,
            )
        rotation = given.rotation
        if not isinstance(rotation, list) or not all(isinstance(row, list) for row in rotation):
            self.source.refuse(
                (*place, "rotation"), f"body {given.name!r}: give 3 x 3 formulas, body to world."
            )
        return self.placed(
            SpatialBody,
            place,
            mass,
            self.inertia_entries(given, place),
            position=position,
            rotation=[
                self.formulas(list(row), (*place, "rotation", i))  # type: ignore[arg-type]
                for i, row in enumerate(rotation)
            ],
            name=given.name,
        )

    def inertia_entries(self, body: BodyEntry, place: Place) -> list[Any]:
        """Three moments, or 3 x 3 formulas."""
        given, place = body.inertia, (*place, "inertia")
        if not isinstance(given, list):
            given = given.type if isinstance(given, ShapeEntry) else given
            self.source.refuse(
                place, f"body {body.name!r}: inertia is {given!r}, expected 3 moments or 3 x 3."
            )
        if given and isinstance(given[0], list):
            return [self.formulas(list(row), (*place, i), 3) for i, row in enumerate(given)]
        return list(self.formulas(given, place, 3))

    def placed(self, kind: type[Mass], place: Place, *arguments: Any, **options: Any) -> Mass:
        """A mass; what is wrong with it is told with its line."""
        try:
            return kind(*arguments, **options)
        except DalembertError as problem:
            self.source.refuse(place, str(problem))
