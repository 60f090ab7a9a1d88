"""Pages that list names list exactly those that exist: public names, keys, options, fields."""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path

import pytest

import dalembert as dl
from dalembert import errors
from dalembert.cli.parser import COMMANDS, SHARED, command_parsers
from dalembert.enforcement import METHODS
from dalembert.importers import checked_entries, contact, elements, schema, shapes
from dalembert.importers.elements import KEEPS
from dalembert.model.contact.combine import RULES
from dalembert.model.contact.contact_shape import TOUCHING
from dalembert.model.contact.material import Material
from dalembert.model.forces import FORCES
from dalembert.model.joints import JOINTS
from dalembert.model.one_sided.law import LAW_FIELDS
from dalembert.model.sensors import SENSORS
from dalembert.simulation.status import Status, error_class

REPOSITORY = Path(__file__).parents[2]
DOCS = REPOSITORY / "docs"


def section(page: str, title: str) -> str:
    """The text below a heading, numbered or not, up to the next heading of any level."""
    text = (DOCS / page).read_text()
    pattern = rf"^#+ (?:\d+\. )?{re.escape(title)}\n(.*?)(?=^#|\Z)"
    found = re.search(pattern, text, re.DOTALL | re.MULTILINE)
    assert found, f"{page} has no section {title!r}"
    return found[1]


def tables(text: str) -> list[list[list[str]]]:
    """Every table as rows of cells, its head first and without its rule."""
    found: list[list[list[str]]] = []
    inside = False
    for line in text.splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if not inside:
                found.append([])
            if not set("".join(cells)) <= {"-", ":"}:
                found[-1].append(cells)
        inside = line.startswith("|")
    return found


def named(table: list[list[str]]) -> list[str]:
    """The names in backticks in the first column."""
    return [name for row in table[1:] for name in re.findall(r"`([^`]+)`", row[0])]


# -- docs/reference/api.md ------------------------------------------------------------------------


def test_public_names():
    names = named(tables((DOCS / "reference/api.md").read_text())[0])
    assert sorted(names) == sorted(dl.__all__)


def test_public_names_have_one_line_each():
    for name, *meaning in tables((DOCS / "reference/api.md").read_text())[0][1:]:
        assert len(meaning) == 1
        assert meaning[0], name


def test_exceptions():
    (table,) = tables(section("reference/api.md", "Exceptions"))
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    own = [kind.__name__ for kind in kinds if kind.__module__ == errors.__name__]
    assert sorted(named(table)) == sorted(own)


# -- docs/theory/contact.md ------------------------------------------------------------------------


def test_files_of_contact():
    (table,) = tables(section("theory/contact.md", "18. Files"))
    folder = REPOSITORY / "src/dalembert/contact"
    rooms = {row[0].strip("`"): re.findall(r"`([a-z_]+)`", row[1]) for row in table[1:]}
    there = {str(path.parent.relative_to(folder)) for path in folder.rglob("__init__.py")} - {"."}
    assert set(rooms) == there
    for room, shown in rooms.items():
        files = [path.stem for path in (folder / room).glob("*.py")]
        assert sorted(shown) == sorted({*files} - {"__init__"}), room


# -- docs/how-to/contact.md ------------------------------------------------------------------------


def test_options_of_contact():
    (table,) = tables(section("how-to/contact.md", "Options of the method"))
    fields = dataclasses.fields(dl.ContactImpulse)
    assert sorted(named(table)) == sorted(field.name for field in fields)


# -- docs/how-to/model-files.md -------------------------------------------------------------------


def test_keys_of_model_files():
    kinds = (
        schema.ModelEntry,
        schema.ParticleEntry,
        schema.BodyEntry,
        schema.ShapeEntry,
        checked_entries.PlaceEntry,
        shapes.DrawnEntry,
        schema.BodyPoint,
        schema.SimulateEntry,
    )
    shown = tables(section("how-to/model-files.md", "Keys"))
    assert len(shown) == len(kinds)
    for kind, table in zip(kinds, shown, strict=True):
        assert [row[0].strip("`") for row in table[1:]] == list(kind.model_fields), kind.__name__


def test_types_of_joints_and_forces_in_files():
    (table,) = tables(section("how-to/model-files.md", "Bodies, joints and forces"))
    kinds = elements.JOINT_KINDS | elements.FORCE_KINDS | elements.SENSOR_KINDS
    assert sorted(named(table)) == sorted(kinds)
    for row in table[1:]:
        for tag in re.findall(r"`([^`]+)`", row[0]):
            shown = set(re.findall(r"`([^`]+)`", row[1]))
            if "the same" not in row[1]:
                assert set(kinds[tag].options) <= shown, tag


def test_joints_and_forces():
    text = (DOCS / "reference/joints-and-forces.md").read_text()
    for table, classes in zip(tables(text), (JOINTS, FORCES, KEEPS, SENSORS), strict=True):
        assert sorted(named(table)) == sorted(classes)
        for row in table[1:]:
            (name,) = re.findall(r"`([^`]+)`", row[0])
            fields = dataclasses.fields(classes[name])
            options = {f.name for f in fields if f.kw_only} - {"name", "watched"}
            options -= set(LAW_FIELDS) if classes is KEEPS else set()  # told above the table
            assert set(re.findall(r"`([^`]+)`", row[-1])) == options, name


def test_materials():
    page = section("how-to/contact.md", "Materials")
    file = section("how-to/model-files.md", "Contact")
    fields = {f.name for f in dataclasses.fields(Material)} - {"name"}
    for text in (page, file):
        (table,) = tables(text)
        assert set(named(table)) == fields
    assert set(contact.MaterialEntry.model_fields) == fields
    shown = set(re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", file, flags=re.DOTALL)))
    for kind in (contact.PairEntry, contact.CombineEntry, contact.KeepFormulaEntry):
        assert set(kind.model_fields) <= shown | {"ignore", "allow"}, kind.__name__
    assert set(schema.LimitsEntry.model_fields) <= shown
    assert set(RULES) <= shown


def test_shapes_that_touch():
    (table,) = tables(section("how-to/contact.md", "Shapes"))
    *touching, nothing = (re.findall(r"`([A-Z]\w+)`", row[0]) for row in table[1:])
    kinds = {kind.__name__: kind.kind for kind in shapes.KINDS.values()}
    assert {kinds[name] for names in touching for name in names} == set(TOUCHING)
    assert set(nothing) == {name for name, kind in kinds.items() if kind not in TOUCHING}


# -- docs/how-to/command-line.md ------------------------------------------------------------------


def test_commands():
    table = tables((DOCS / "how-to/command-line.md").read_text())[0]
    assert sorted(named(table)) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_options(command):
    found = [t for t in tables(section("how-to/command-line.md", command)) if t[0][0] == "option"]
    shown = [re.split(r"[ `]", row[0].strip("`"))[0] for table in found for row in table[1:]]
    parser = command_parsers()[command]
    # the first long name; -o stands beside --out, --no-progress beside --progress
    known = [
        next(option for option in action.option_strings if option.startswith("--"))
        for action in parser._actions
        if action.option_strings
    ]
    assert sorted(shown) == sorted(set(known) - {"--help", *SHARED})


def test_shared_options():
    _, shared, *_ = tables((DOCS / "how-to/command-line.md").read_text())
    assert sorted(o for row in shared[1:] for o in re.findall(r"`(-[\w-]+)`", row[0])) == sorted(
        [*SHARED, "--help"]
    )


def test_catalog_names():
    text = section("how-to/command-line.md", "MODEL")
    listed = re.search(r"Names:\s+(.*?);\n", text, re.DOTALL)
    assert listed
    assert re.findall(r"`([^`]+)`", listed[1]) == dl.catalog.names()


# -- docs/reference/catalog.md --------------------------------------------------------------------


def test_catalog():
    bodies, touching, formulas = tables((DOCS / "reference/catalog.md").read_text())
    assert sorted(named(bodies) + named(touching) + named(formulas)) == dl.catalog.names()
    for row in [*bodies[1:], *touching[1:], *formulas[1:]]:
        (name,) = re.findall(r"`([^`]+)`", row[0])
        model, text = dl.catalog.load(name), dl.catalog.describe(name)
        assert row[1] == text.removesuffix(".")
        known = list(inspect.signature(dl.catalog._function(name)).parameters)
        assert (re.findall(r"`([^`]+)`", row[-1]) or ["none"]) == (known or ["none"])
        assert model.is_maximal == (row not in formulas)
        assert model.has_contact == (row in touching)
        if model.is_maximal:
            found = model.check()
            counts = (len(model.bodies), model.row_count, found.rank, found.degrees_of_freedom)
            assert row[2:-1] == [str(count) for count in counts]


# -- docs/how-to/results.md -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def solution():
    return dl.simulate(dl.catalog.load("pendulum"), until=0.01, step=1e-3)


def test_fields_of_a_solution():
    (table,) = tables(section("how-to/results.md", "Fields"))
    fields = {field.name for field in dataclasses.fields(dl.Solution)}
    assert set(named(table)) == fields | {"energy", "verdict"}


def test_keys_of_the_report(solution):
    (table,) = tables(section("how-to/results.md", "The report as values"))
    assert sorted(named(table)) == sorted(solution.report())


def test_keys_of_the_statistics(solution):
    (table,) = tables(section("how-to/results.md", "Statistics"))
    assert sorted(named(table)) == sorted(solution.statistics)


def test_statuses():
    (table,) = tables(section("how-to/results.md", "How it ended"))
    raised = {row[0].strip("`"): row[2].strip("`") for row in table[1:]}
    assert raised == {s.name: error_class(s).__name__ if s.failed else "" for s in Status}


# -- README.md ------------------------------------------------------------------------------------


def test_methods_of_the_readme():
    text = (REPOSITORY / "README.md").read_text()
    (table,) = (t for t in tables(text) if t[0][0] == "method")
    assert sorted(named(table)) == sorted(kind.__name__ for kind in METHODS.values())
