"""Contact in model files: materials, rules for pairs, one-sided constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from dalembert.errors import DalembertError, FormulaError, ImportFileError
from dalembert.formulas.parser import parse_comparison
from dalembert.importers.checked_entries import Entry, Formula
from dalembert.importers.elements import KEEP_KINDS, KeepEntry, written
from dalembert.importers.formula_text import number_of, text_of
from dalembert.importers.source import Place
from dalembert.model import Model
from dalembert.model.basics.names import nearest
from dalembert.model.contact.combine import Combine
from dalembert.model.contact.material import NUMBERS, Material
from dalembert.model.contact.rules import ALLOW, IGNORE, ContactRule, Selector
from dalembert.model.one_sided.law import LAW_FIELDS, StopLaw
from dalembert.model.one_sided.unilateral import Unilateral

if TYPE_CHECKING:
    from dalembert.importers.native import Reading

Rule = Literal["geometric", "mean", "harmonic", "product", "min", "max"]


class SurfaceEntry(Entry):
    """Coefficients of a surface, or of a pair of them; numbers or formulas of parameters."""

    friction: Formula | None = Field(None, description="Coulomb's coefficient; default 0.5.")
    static_friction: Formula | None = Field(
        None, description="Of surfaces that stick; default the same as friction."
    )
    restitution: Formula | None = Field(None, description="0 to 1; default 0.")
    rolling: Formula | None = Field(None, description="Arm of the resistance to rolling [m].")
    torsional: Formula | None = Field(None, description="The same for spinning [m].")
    stiffness: Formula | None = Field(None, description="Of a contact point; default rigid [N/m].")
    damping: Formula | None = Field(None, description="Beside a stiffness [N s/m].")
    frequency: Formula | None = Field(None, description="Instead of a stiffness [Hz].")
    damping_ratio: Formula | None = Field(None, description="Beside a frequency; default 1.")
    tangential_stiffness: Formula | None = Field(None, description="While sticking [N/m].")
    tangential_damping: Formula | None = Field(None, description="While sticking [N s/m].")
    dissipation: Formula | None = Field(None, description="Hunt and Crossley's damping [s/m].")
    viscous: Formula | None = Field(
        None, description="Friction in proportion to the sliding, beside Coulomb's [N s/m]."
    )


class MaterialEntry(SurfaceEntry):
    """Friction, restitution and compliance of a surface."""

    surface_velocity: list[Formula] | None = Field(
        None, description="Of the surface against its body, body axes: a conveyor [m/s]."
    )


class PairEntry(SurfaceEntry):
    """A rule for a pair: other coefficients, or whether it touches at all."""

    pair: list[str] = Field(description="Two names of bodies, shapes, materials, or world.")
    ignore: bool | None = Field(None, description="They pass through each other.")
    allow: bool | None = Field(None, description="They touch although a joint connects them.")


class CombineEntry(Entry):
    """How coefficients of two materials make those of their contact."""

    friction: Rule | None = Field(None, description="Default geometric.")
    restitution: Rule | None = Field(None, description="Default max.")
    rolling: Rule | None = Field(None, description="Default max.")
    torsional: Rule | None = Field(None, description="Default max.")


class KeepFormulaEntry(Entry):
    """Formulas that are not negative."""

    formula: str | list[str] = Field(description="Comparisons such as y >= 0.")
    restitution: Formula | None = Field(None, description="0 to 1.")
    stiffness: Formula | None = Field(None, description="Default rigid.")
    damping: Formula | None = None
    frequency: Formula | None = Field(None, description="Instead of a stiffness [Hz].")
    damping_ratio: Formula | None = None
    friction: Formula | None = Field(None, description="Coulomb's coefficient; with sliding.")
    static_friction: Formula | None = Field(
        None, description="Of surfaces that stick; default the same as friction."
    )
    sliding: str | list[str] | None = Field(
        None, description="Way along the surface that friction acts against, or two of them."
    )


KeepAny = str | list[str] | KeepFormulaEntry | KeepEntry


# -- reading ---------------------------------------------------------------------------------------


def read_materials(reading: Reading) -> dict[str, Material]:
    """The materials of a file by name."""
    given = reading.entry.materials
    return {
        name: read_material(reading, entry, ("materials", name), name)
        for name, entry in given.items()
    }


def read_material(reading: Reading, entry: MaterialEntry, place: Place, name: str = "") -> Material:
    """One material."""
    options = _numbers(reading, entry, NUMBERS, place)
    if entry.surface_velocity is not None:
        along = (*place, "surface_velocity")
        options["surface_velocity"] = reading.formulas(entry.surface_velocity, along, 3)
    try:
        return Material(**options, name=name)
    except DalembertError as problem:
        reading.source.refuse(place, str(problem))


def named_material(
    reading: Reading, known: dict[str, Material], given: Any, place: Place
) -> Material | None:
    """The material of a shape: a name, or its coefficients on the spot."""
    if given is None:
        return None
    if isinstance(given, MaterialEntry):
        return read_material(reading, given, place)
    if given not in known:
        near = nearest(given, list(known))
        reading.source.refuse(place, f"there is no material {given!r}{near}")
    return known[given]


def add_rules(reading: Reading, model: Model) -> None:
    """How materials combine, and rules for pairs."""
    entry = reading.entry
    if entry.combine is not None:
        model.combine = Combine(**entry.combine.model_dump(exclude_none=True))
    for i, given in enumerate(entry.contacts):
        place: Place = ("contacts", i)
        if len(given.pair) != 2:
            reading.source.refuse((*place, "pair"), f"pair has {len(given.pair)} names, not 2.")
        values = _numbers(reading, given, NUMBERS, place)
        said = [bool(values), bool(given.ignore), bool(given.allow)]
        if sum(said) != 1:
            reading.source.refuse(
                place, "give coefficients, or ignore: true, or allow: true; one of them."
            )
        try:
            if given.ignore:
                model.ignore_contact(*given.pair)
            elif given.allow:
                model.allow_contact(*given.pair)
            else:
                model.set_contact(*given.pair, **values)
        except DalembertError as problem:
            reading.source.refuse(place, str(problem))


def add_keeps(reading: Reading, model: Model) -> None:
    """One-sided constraints."""
    for name, given in reading.entry.keep.items():
        place: Place = ("keep", name)
        law: dict[str, Any] = {}
        if isinstance(given, KeepFormulaEntry):
            law = _numbers(reading, given, (*LAW_FIELDS, "friction", "static_friction"), place)
            if given.sliding is not None:
                texts = [given.sliding] if isinstance(given.sliding, str) else given.sliding
                law["sliding"] = [reading.formula(text, (*place, "sliding")) for text in texts]
            what: Any = given.formula
        elif isinstance(given, str | list):
            what = given
        else:
            if reading.free is None:
                reading.source.refuse(place, "goes with free bodies, of which there are none.")
            reading.free.added(KEEP_KINDS[given.type], given, name, place, model.keep)
            continue
        texts = [what] if isinstance(what, str) else what
        rows = []
        for i, text in enumerate(texts):
            where = f"{reading.source.where(place)}: keep.{name}"
            where += f"[{i}]" if len(texts) > 1 else ""
            try:
                rows.append(parse_comparison(text, reading.symbols, where))
            except FormulaError as problem:
                raise ImportFileError(str(problem)) from None
        try:
            model.keep(*rows, name=name, **law)
        except DalembertError as problem:
            reading.source.refuse(place, str(problem))


def _numbers(reading: Reading, entry: Any, keys: Any, place: Place) -> dict[str, Any]:
    return {
        key: reading.formula(getattr(entry, key), (*place, key))
        for key in keys
        if getattr(entry, key) is not None
    }


# -- writing ---------------------------------------------------------------------------------------


def materials_of(model: Model) -> dict[int, tuple[str, Material]]:
    """The materials that a file names, by the identity of what shapes hold."""
    found: dict[int, tuple[str, Material]] = {}
    names: dict[str, Material] = {}
    for shape in model.contact_shapes:
        material = shape.material
        if id(material) in found or not material.stated():
            continue
        same = [name for name, other in names.items() if other.same(material)]
        name = same[0] if same else material.name or "material1"
        number = 1
        while not same and name in names:
            number += 1
            name = f"{material.name or 'material'}{number}"
        names.setdefault(name, material)
        found[id(material)] = (name, material)
    return found


def as_data(model: Model, names: dict[int, tuple[str, Material]]) -> dict[str, Any]:
    """Materials, rules and one-sided constraints as they stand in a file."""
    data: dict[str, Any] = {}
    if names:
        data["materials"] = {name: _surface(material) for name, material in names.values()}
    rules = model.contact_rules
    if rules.combine != Combine():
        usual = vars(Combine())
        data["combine"] = {k: x for k, x in vars(rules.combine).items() if x != usual[k]}
    if len(rules):
        data["contacts"] = [_rule(rule, names) for rule in rules]
    if model.unilaterals:
        data["keep"] = {one.name: _kept(one) for one in model.unilaterals}
    return data


def _surface(material: Material) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, x in material.stated().items():
        if key == "surface_velocity":
            found[key] = [number_of(entry) for entry in x]
        elif key != "name":
            found[key] = number_of(x)
    return found


def _rule(rule: ContactRule, names: dict[int, tuple[str, Material]]) -> dict[str, Any]:
    data: dict[str, Any] = {"pair": [_side(rule.a, names), _side(rule.b, names)]}
    if rule.action in (IGNORE, ALLOW):
        return data | {rule.action: True}
    return data | {key: number_of(x) for key, x in rule.values.items()}


def _side(side: Selector, names: dict[int, tuple[str, Material]]) -> str:
    if side.what == "material":
        return next((name for name, m in names.values() if m.name == side.name), side.name)
    return side.name


def _kept(one: Unilateral) -> Any:
    if one.element is not None:
        return written(one.element)
    texts = [f"{text_of(row)} >= 0" for row in one.rows]
    formula = texts[0] if len(texts) == 1 else texts
    law = stop_law(one.law)
    if one.sliding:
        law |= {"friction": number_of(one.friction)}
        if one.static_friction is not None:
            law |= {"static_friction": number_of(one.static_friction)}
        law |= {"sliding": [text_of(rate) for rate in one.sliding]}
    return {"formula": formula, **law} if law else formula


def stop_law(law: StopLaw) -> dict[str, Any]:
    """The stated values of a law, as the file holds them."""
    return {key: number_of(x) for key, x in law.stated().items()}
