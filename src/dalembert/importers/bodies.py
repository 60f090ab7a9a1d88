"""Bodies, frames, joints and forces of a model file, put into a model one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dalembert.errors import DalembertError, FormulaError
from dalembert.formulas.expression import Expression
from dalembert.importers import contact, formula_text, shapes, values
from dalembert.importers.checked_entries import FrameEntry, PlaceEntry
from dalembert.importers.elements import FORCE_KINDS, JOINT_KINDS, SENSOR_KINDS, Kind
from dalembert.importers.readers import Loss
from dalembert.importers.schema import BodyEntry, ShapeEntry, UrdfEntry
from dalembert.importers.source import Place, Source
from dalembert.model import Body, Inertia, Model, World
from dalembert.model.basics.frame import WORLD, Frame
from dalembert.model.basics.names import nearest
from dalembert.model.basics.rigid_body import QUATERNION
from dalembert.model.basics.rotation import Rotation
from dalembert.model.joints.references import References
from dalembert.model.one_sided.limits import Limits

if TYPE_CHECKING:
    from dalembert.importers.native import Reading

LINES = {"joint": "joints", "force": "forces"}
"""Where the elements stand that messages of a model name."""


class BodyReading:
    """One file with bodies on its way to a model."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.source: Source = reading.source
        self.losses: tuple[Loss, ...] = ()
        self.known: dict[str, Body] = {}
        self.materials = contact.read_materials(reading)
        entry = reading.entry
        gravity = entry.gravity
        options: dict[str, Any] = {}
        if gravity is not None:
            options["gravity"] = self.formulas(gravity, ("gravity",), 3)
        if entry.urdf is not None:
            self.model = self.robot(entry.urdf, options)
            return
        try:
            self.model = Model(entry.name, **options)
        except DalembertError as problem:
            self.source.refuse(("gravity",), str(problem))

    @classmethod
    def within(cls, reading: Reading, model: Model) -> BodyReading:
        """Reading into a model that is there already; only its names are known."""
        made = cls.__new__(cls)
        made.reading, made.source, made.model, made.losses = reading, reading.source, model, ()
        made.materials = {}
        made.known = dict(model.bodies)
        return made

    # -- robots --------------------------------------------------------------------------------

    def robot(self, given: str | UrdfEntry, options: dict[str, Any]) -> Model:
        """The robot the file adds to; its bodies and joints are symbols then."""
        from dalembert.importers.urdf.load import read_urdf

        entry = self.reading.entry
        folder = Path(self.source.path).parent
        place: Place = ("urdf",)
        path = folder / (given if isinstance(given, str) else given.file)
        kept: dict[str, Any] = {}
        if not isinstance(given, str):
            starts = list(given.initial)
            texts = [given.initial[joint] for joint in starts]
            values_ = self.numbers(texts, ("urdf", "initial"), len(texts))
            kept = {
                "initial": dict(zip(starts, values_, strict=True)),
                "packages": {name: folder / at for name, at in given.packages.items()},
                "merge": given.merge,
                "massless": given.massless,
                "meshes": given.meshes,
                "contact": given.contact,
                "self_collision": given.self_collision,
                "material": contact.named_material(
                    self.reading, self.materials, given.material, ("urdf", "material")
                ),
                "strict": given.strict,
            }
        try:
            read = read_urdf(path, base=entry.base, **kept, **options)
        except DalembertError as problem:
            self.source.refuse(place, str(problem))
        self.losses = read.losses
        if "name" in entry.model_fields_set:
            read.model.name = entry.name
        for body in read.model.bodies.values():
            self.add_body_symbols(body, place)
        for joint in read.model.joints.values():
            self.add_joint_symbols(joint, place)
        return read.model

    def add_body_symbols(self, body: Any, place: Place) -> None:
        """Make a body known, with its position, orientation and velocity for formulas."""
        self.known[body.name] = body
        self.reading.check_symbol(f"{body.name}.x", place)
        self.add_late(body.name, formula_text.body_symbols, body, place)

    def add_joint_symbols(self, joint: Any, place: Place) -> None:
        """Coordinates of a joint, for formulas."""
        if joint.name.isidentifier():
            self.add_late(joint.name, formula_text.joint_symbols, joint, place)

    def add_late(
        self, owner: str, made: Callable[[Any], dict[str, Expression]], part: Any, place: Place
    ) -> None:
        """Have symbols added when one of them is asked for."""

        def add() -> None:
            for name, symbol in made(part).items():
                self.reading.add_symbol(name, symbol, place)

        self.reading.symbols.later(owner, add)

    # -- formulas ------------------------------------------------------------------------------

    def formula(
        self, text: Any, place: Place, extra: Mapping[str, Expression] | None = None
    ) -> Expression:
        """A formula of what is known so far."""
        return self.reading.formula(text, place, extra)

    def formulas(self, texts: list[Any], place: Place, size: int) -> list[Expression]:
        """A list of them."""
        return self.reading.formulas(texts, place, size)

    def numbers(self, texts: list[Any], place: Place, size: int) -> list[float]:
        """Formulas that are numbers, such as pi/4."""
        found: list[float] = []
        for i, formula in enumerate(self.formulas(texts, place, size)):
            if formula.op != "constant":
                self.source.refuse(
                    (*place, i), f"{formula!r} is not a number. A direction is fixed; give numbers."
                )
            found.append(formula.value)
        return found

    # -- bodies and frames ---------------------------------------------------------------------

    def add_bodies(self) -> None:
        """Bodies with their frames, and the frames of the world; their symbols are known then."""
        entry = self.reading.entry
        for i, given in enumerate(entry.bodies):
            self.add_body(given, ("bodies", i))
        for name, frame in entry.frames.items():
            self.add_frame(self.model.world, name, frame, ("frames", name))
        for i, shape in enumerate(entry.shapes):
            shapes.add(self, shape, ("shapes", i), WORLD, self.materials)

    def add_body(self, given: BodyEntry, place: Place) -> None:
        """One body."""
        if given.angle is not None:
            self.source.refuse(
                (*place, "angle"),
                f"body {given.name!r}: 'angle' is of a planar body placed by formulas of "
                "'coordinates'. Remove it, or list the coordinates.",
            )
        options: dict[str, Any] = {"orientation": given.orientation or QUATERNION}
        for key in ("position", "velocity", "angular_velocity"):
            if getattr(given, key) is not None:
                options[key] = self.formulas(getattr(given, key), (*place, key), 3)
        if given.rotation is not None:
            options["rotation"] = values.ROTATION.read(self, given.rotation, (*place, "rotation"))
        if given.axes is not None:
            options["axes"] = given.axes
        if given.color is not None:
            options["color"] = given.color
        inertia = self.inertia(given, place)
        try:
            body = self.model.add_body(given.name, inertia, **options)
        except FormulaError as problem:
            self.source.refuse((*place, "name"), str(problem))
        except DalembertError as problem:
            self.source.refuse(place, str(problem))
        self.add_body_symbols(body, place)
        for name, frame in given.frames.items():
            self.add_frame(body, name, frame, (*place, "frames", name))
        for i, shape in enumerate(given.shapes):
            shapes.add(self, shape, (*place, "shapes", i), given.name, self.materials)

    def inertia(self, given: BodyEntry, place: Place) -> Inertia:
        """Mass, moments and centre of mass."""
        mass = self.formula(given.mass, (*place, "mass"))
        center: Any = (0.0, 0.0, 0.0)
        measures: tuple[Any, ...] = ()
        if given.center is not None:
            center = self.formulas(given.center, (*place, "center"), 3)
        if isinstance(given.inertia, ShapeEntry):
            shape = self.shape(given.inertia, mass, (*place, "inertia"))
            matrix = shape.matrix
            measures = tuple(part.moved(center, Rotation.identity()) for part in shape.measures)
        else:
            matrix = self.reading.inertia_entries(given, place)
        try:
            return Inertia(mass, matrix, center, measures=measures, doubtful=given.doubtful)
        except DalembertError as problem:
            self.source.refuse(place, f"body {given.name!r}: {problem}")

    def shape(self, given: ShapeEntry, mass: Expression, place: Place) -> Inertia:
        """Moments of a box, rod, sphere, cylinder or point."""
        needed = {
            "box": ("size",),
            "rod": ("length", "axis"),
            "sphere": ("radius",),
            "cylinder": ("radius", "length", "axis"),
            "point": (),
        }[given.type]
        options: dict[str, Any] = {}
        for key in ("size", "length", "radius", "axis"):
            entry = getattr(given, key)
            if entry is not None and key not in needed:
                self.source.refuse((*place, key), f"a {given.type} has no {key!r}. Remove it.")
            if entry is None and key in needed and key != "axis":
                self.source.refuse(place, f"a {given.type} needs {key!r}. Add it.")
            if entry is None:
                continue
            if key == "size":
                options[key] = self.formulas(entry, (*place, key), 3)
            else:
                options[key] = entry if key == "axis" else self.formula(entry, (*place, key))
        try:
            made: Inertia = getattr(Inertia, given.type)(mass, **options)
        except DalembertError as problem:
            self.source.refuse(place, str(problem))
        return made

    def add_frame(self, body: Body | World, name: str, given: PlaceEntry, place: Place) -> None:
        """A frame that others may name."""
        self.put(body, name, given, place)

    def frame(self, given: FrameEntry, place: Place) -> Frame:
        """A frame without a name, on a body or on a named frame that only one body has."""
        alone = None
        if given.body != WORLD and given.body not in self.known:
            alone = References(self.known, self.model.world, {}).frame_alone(given.body)
        if alone is None:
            return self.put(self.body(given.body, (*place, "body")), None, given, place)
        on = self.put(self.model.world, None, given, place)  # only to read it
        R = alone.orientation.matrix
        at = [a + sum(R[i] * on.offset) for i, a in enumerate(alone.offset)]
        return alone.body.at(*at, rotation=alone.orientation @ on.orientation)

    def put(
        self, body: Body | World, name: str | None, given: PlaceEntry | FrameEntry, place: Place
    ) -> Frame:
        """A frame on a body."""
        offset = [] if given.at is None else self.formulas(given.at, (*place, "at"), 3)
        rotation = None
        if given.rotation is not None:
            rotation = values.ROTATION.read(self, given.rotation, (*place, "rotation"))
        try:
            return body.at(*offset, rotation=rotation, name=name)
        except DalembertError as problem:
            self.source.refuse(place, str(problem))

    def body(self, name: str, place: Place) -> Body | World:
        """A body of the file by its name."""
        if name == WORLD:
            return self.model.world
        if name not in self.known:
            near = nearest(name, [*self.known, WORLD])
            self.source.refuse(place, f"there is no body '{name}'{near}")
        return self.known[name]

    # -- joints and forces ---------------------------------------------------------------------

    def add_joints(self) -> None:
        """Joints; their coordinates are known then. What they are built for is data."""
        entry = self.reading.entry
        for key, add in (("joints", self.model.add_joint), ("loops", self.model.add_loop)):
            for name, given in getattr(entry, key).items():
                place = (key, name)
                kind = JOINT_KINDS[given.type]
                joint = self.added(kind, given, name, place, add)
                self.add_joint_symbols(joint, place)
        for name, limits in entry.limits.items():
            try:
                self.model.set_limits(name, Limits(**limits.model_dump(exclude_none=True)))
            except DalembertError as problem:
                self.source.refuse(("limits", name), str(problem))
        for name, along in entry.armature.items():
            try:
                self.model.set_armature(name, *along)
            except DalembertError as problem:
                self.source.refuse(("armature", name), str(problem))

    def add_sensors(self, *, of_actuators: bool) -> None:
        """Sensors, and their signals by name; those of actuators come after the forces."""
        for name, given in self.reading.entry.sensors.items():
            if (given.type == "effort_sensor") is not of_actuators:
                continue
            place = ("sensors", name)
            sensor = self.added(SENSOR_KINDS[given.type], given, name, place, self.model.add_sensor)
            if name.isidentifier() and not of_actuators:
                for signal, formula in sensor.formulas.items():
                    self.reading.add_symbol(f"{name}.{signal}", formula, place)

    def add_forces(self) -> None:
        """Forces, and generalised forces on coordinates."""
        general: dict[str, Expression] = {}
        for name, given in self.reading.entry.forces.items():
            place = ("forces", name)
            if isinstance(given, str | float | int):
                general[name] = self.formula(given, place)
                if self.model.is_maximal:
                    self.source.refuse(
                        place,
                        f"force {name!r} is a formula; a force on bodies needs 'type' and more, "
                        "such as {type: force, frame: body, value: [0, 0, 1]}.",
                    )
            else:
                self.added(FORCE_KINDS[given.type], given, name, place, self.model.add_force)
        if general:
            self.model.add_force(general)

    def added(self, kind: Kind, given: Any, name: str, place: Place, add: Any) -> Any:
        """An element of the file in the model."""
        options: dict[str, Any] = {}
        for option, value in kind.options.items():
            entry = getattr(given, option)
            if entry is not None:
                options[option] = value.read(self, entry, (*place, option))
        try:
            return add(kind.made(**options, name=name))
        except DalembertError as problem:
            self.source.refuse(place, str(problem))
