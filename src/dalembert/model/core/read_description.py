"""Parts of a description, read and checked: what every way of stating a model shares.

Each function takes what the user gave, returns what can be used of it, and notes everything that
is wrong with the user's own name for the element and a remedy. Nothing is raised here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dalembert.formulas.expression import ZERO, Expression, coordinate
from dalembert.formulas.graph import symbols
from dalembert.formulas.text import leaf_text
from dalembert.model.basics.constraint import Constraint, row_kind
from dalembert.model.basics.masses import Particle, PlanarBody, SpatialBody
from dalembert.model.basics.names import nearest
from dalembert.model.basics.quantity import Quantity, as_quantity, value_of
from dalembert.model.basics.reading import Findings, Reader, is_sympy
from dalembert.model.core.equations import Placed, identical

STANDARD_GRAVITY = 9.81
"""Acceleration of gravity of every published example [m/s^2]."""

Element = tuple[str, list[Expression]]
"""The user's name of a part, and its formulas."""


# -- coordinates --------------------------------------------------------------------------------


def read_coordinates(given: Iterable[Any], findings: Findings) -> list[Expression]:
    """Coordinates in the given order; SymPy symbols and functions count as their names."""
    order: list[Expression] = []
    for item in given:
        symbol = coordinate(sympy_name(item)) if is_sympy(item) else item
        if not (isinstance(symbol, Expression) and symbol.op == "coordinate"):
            findings.add(
                "coordinates", f"{item!r:.60} is not a coordinate. Use dl.coordinates('x y')."
            )
        elif symbol in order:
            findings.add(f"coordinate '{symbol.name}'", "is listed twice. List it once.")
        else:
            order.append(symbol)
    return order


def collect_coordinates(elements: Iterable[Element]) -> list[Expression]:
    """Coordinates found in the formulas, in the order they were made."""
    leaves = symbols([f for _, part in elements for f in part], "coordinate", "velocity")
    return sorted({coordinate(leaf.name) for leaf in leaves}, key=lambda q: q.id)


def only_known(
    elements: Iterable[Element], order: Sequence[Expression], findings: Findings
) -> None:
    """Note every coordinate in the formulas that the model does not have."""
    known = {q.name for q in order}
    for element, formulas in elements:
        unknown = {s.name for s in symbols(formulas, "coordinate", "velocity")} - known
        for name in sorted(unknown):
            findings.add(
                element,
                f"contains '{name}', which is no coordinate of this model"
                f"{nearest(name, sorted(known))}",
            )


# -- constraints and forces -----------------------------------------------------------------------


def read_constraints(given: Any, reader: Reader) -> list[Constraint]:
    """Constraints of a list of formulas, of (name, formula) pairs, or of a dict by name."""
    pairs: list[tuple[str | None, Any]] = []
    if isinstance(given, Mapping):
        pairs = list(given.items())
    elif isinstance(given, Expression) or is_sympy(given):
        pairs = [(None, given)]
    else:
        for item in given:
            named = isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str)
            pairs.append((item[0], item[1]) if named else (None, item))
    found: list[Constraint] = []
    for name, formula in pairs:
        made = read_constraint(name, formula, reader, found)
        if made is not None:
            found.append(made)
    return found


def read_constraint(
    name: str | None, given: Any, reader: Reader, others: Sequence[Constraint]
) -> Constraint | None:
    """One constraint; None and a finding when it cannot be one."""
    findings = reader.findings
    taken = {constraint.name for constraint in others}
    if name is None:
        name = next(f"c{i}" for i in range(1, len(taken) + 2) if f"c{i}" not in taken)
    element = f"constraint '{name}'"
    before = len(findings)
    if not name.strip():
        findings.add(element, "the name is empty. Give a name.")
    if name in taken:
        findings.add(element, "there is one of that name already. Choose another name.")
    rows = reader.vector(given, element)
    if len(findings) > before:
        return None
    if not rows:
        findings.add(element, "has no formula. Give at least one.")
    for i, row in enumerate(rows):
        if not symbols([row], "coordinate", "velocity", "acceleration"):
            findings.add(
                element if len(rows) == 1 else f"{element}[{i}]",
                f"contains no coordinate ({row!r} = 0 is true or false whatever the motion). "
                "Write what must vanish in terms of the coordinates, or leave it out.",
            )
    if len({row_kind(row) for row in rows}) > 1:
        findings.add(
            element, "mixes formulas with and without velocities. Give them as two constraints."
        )
    return Constraint(name, tuple(rows)) if len(findings) == before else None


def read_forces(
    given: Any, reader: Reader, order: Sequence[Expression]
) -> dict[Expression, Expression]:
    """Generalised forces by coordinate."""
    findings = reader.findings
    if not isinstance(given, Mapping):
        findings.add("forces", f"is {given!r:.60}. Give a dict {{coordinate: formula}}.")
        return {}
    known = {q.name: q for q in order}
    found: dict[Expression, Expression] = {}
    for key, value in given.items():
        label = key_name(key)
        formula = reader.formula(value, f"force on '{label}'")
        if label not in known:
            findings.add(
                f"force on '{label}'",
                f"there is no coordinate '{label}'{nearest(label, list(known))}",
            )
            continue
        found[known[label]] = found.get(known[label], ZERO) + formula
    return found


# -- initial state and drawing --------------------------------------------------------------------


def state_names(order: Sequence[Expression]) -> list[str]:
    """Names of coordinates and their velocities."""
    return [name for q in order for name in (q.name, f"{q.name}.dot")]


def read_initial(given: Any, known: Any, findings: Findings) -> dict[str, Quantity]:
    """Initial values by name ("x", "x.dot")."""
    if not isinstance(given, Mapping):
        findings.add("initial", f"is {given!r:.60}. Give a dict {{coordinate: value}}.")
        return {}
    found: dict[str, Quantity] = {}
    for key, value in given.items():
        label = key_name(key)
        if label not in known:
            findings.add(
                f"initial '{label}'",
                f"there is no such coordinate or velocity{nearest(label, list(known))}",
            )
            continue
        told = len(findings)
        found[label] = as_quantity(value, f"initial '{label}'", findings)
        if len(findings) > told and isinstance(value, str):
            findings[-1] = f"{findings[-1].removesuffix('.')}, in m or rad."
    return found


def read_points(given: Mapping[str, Any], reader: Reader) -> dict[str, tuple[Expression, ...]]:
    """Points to be drawn, 2 or 3 formulas each."""
    found: dict[str, tuple[Expression, ...]] = {}
    for name, place in given.items():
        entries = reader.vector(place, f"point '{name}'")
        if len(entries) in (2, 3):
            found[name] = tuple(entries)
        else:
            reader.findings.add(f"point '{name}'", f"has {len(entries)} entries. Give 2 or 3.")
    return found


def read_lines(
    given: Iterable[Sequence[str]], points: Mapping[str, Any], findings: Findings
) -> list[tuple[str, ...]]:
    """Lines to be drawn, each through the points it names."""
    found: list[tuple[str, ...]] = []
    for line in given:
        names = tuple(line)
        if len(names) < 2:
            findings.add(f"line {names}", "joins fewer than two points. Name at least two.")
        for name in names:
            if name not in points:
                findings.add(
                    f"line {names}", f"there is no point '{name}'{nearest(name, list(points))}"
                )
        found.append(names)
    return found


# -- masses ---------------------------------------------------------------------------------------


def read_gravity(given: Any, size: int, findings: Findings) -> tuple[Expression, ...]:
    """Acceleration of gravity, a vector of the given size."""
    example = "(0, -9.81)" if size == 2 else "(0, 0, -9.81)"
    if isinstance(given, str):
        findings.add("gravity", f"is {given!r:.40}. Give {size} numbers, such as {example}.")
        return (ZERO,) * size
    entries = Reader(findings).vector(given, "gravity")
    if len(entries) != size:
        count = "1 entry" if len(entries) == 1 else f"{len(entries)} entries"
        findings.add("gravity", f"has {count}. Give {size}, such as {example}.")
    if symbols(entries, "coordinate", "velocity"):
        findings.add("gravity", "depends on coordinates. Give such a field as a potential.")
    return tuple(entries)


def gravity_findings(
    gravity: Sequence[Expression], parameters: Mapping[str, float] | None = None
) -> list[str]:
    """Sentences on what gravity of bodies cannot be; it is read once, at the start of a run."""
    if symbols(gravity, "coordinate", "velocity"):
        return []  # told where it is read
    if symbols(gravity, "time"):
        return [
            "gravity depends on t. Give the part that does not, and the rest, times its mass, as "
            "a force on every body: model.add_force(dl.Force(body, (0, 0, -m * a)))."
        ]
    return [
        f"gravity is {entry!r}, which is no finite number with these parameters."
        for entry in gravity
        if symbols([entry], "parameter") and value_of(entry, parameters) is None
    ]


def read_masses(masses: Sequence[Any], gravity: Any, findings: Findings) -> Placed:
    """Particles and bodies sorted by kind, with the gravity that acts on them."""
    particles = tuple(m for m in masses if isinstance(m, Particle))
    planar = tuple(m for m in masses if isinstance(m, PlanarBody))
    spatial = tuple(m for m in masses if isinstance(m, SpatialBody))
    for mass in masses:
        if not isinstance(mass, Particle | PlanarBody | SpatialBody):
            findings.add(
                "masses",
                f"{mass!r:.60} is no mass. Use dl.Particle, dl.PlanarBody or dl.SpatialBody.",
            )
    if not masses:
        findings.add("masses", "there are none. Give particles= or bodies=.")
    sizes = {len(m.position) for m in particles} | {2 for _ in planar} | {3 for _ in spatial}
    if len(sizes) > 1:
        findings.add("masses", "some lie in the plane and some in space. Give all 2 or all 3.")
    size = max(sizes, default=2)
    if gravity is None:
        gravity = (0.0,) * (size - 1) + (-STANDARD_GRAVITY,)
    return Placed(particles, planar, spatial, read_gravity(gravity, size, findings))


def placed_formulas(placed: Placed) -> list[Element]:
    """Every formula of the masses, under the name of its mass."""
    found: list[Element] = [("gravity", list(placed.gravity))]
    for particle in placed.particles:
        formulas = [*particle.position, *_only_formulas(particle.mass)]
        found.append((f"particle '{particle.name}'", formulas))
    for body in placed.planar:
        formulas = [*body.position, body.angle, *_only_formulas(body.mass, body.inertia)]
        found.append((f"body '{body.name}'", formulas))
    for spatial in placed.spatial:
        moments = [entry for row in spatial.inertia for entry in row]
        formulas = [*spatial.position, *(entry for row in spatial.rotation for entry in row)]
        formulas += _only_formulas(spatial.mass, *moments)
        found.append((f"body '{spatial.name}'", formulas))
    return found


def _only_formulas(*quantities: Any) -> list[Expression]:
    return [quantity for quantity in quantities if isinstance(quantity, Expression)]


def check_mass_matrix(
    mass: Sequence[Sequence[Expression]],
    coordinates: Sequence[Expression],
    rows: Sequence[Expression] = (),
) -> Findings:
    """Findings about the mass matrix that can be seen without numbers.

    A coordinate without mass is one that constraints, of these rows, hold.
    """
    findings = Findings()
    held = set(symbols(rows, "coordinate", "velocity"))
    for q, row in zip(coordinates, mass, strict=True):
        if all(entry is ZERO for entry in row) and not held & {q, q.dot}:
            findings.add(
                f"coordinate '{q.name}'",
                f"carries no mass: the kinetic energy does not contain '{q.name}.dot'. Give it "
                "mass or inertia, tie it to the others by a constraint, or express it by them.",
            )
        if symbols(row, "velocity"):
            findings.add(
                f"coordinate '{q.name}'",
                "its mass depends on velocities. Give a mass matrix of coordinates only.",
            )
    lower = [mass[i][j] for i in range(len(mass)) for j in range(i)]
    upper = [mass[j][i] for i in range(len(mass)) for j in range(i)]
    if not identical(lower, upper):
        findings.add("mass", "the matrix is not symmetric. Give M[i][j] = M[j][i].")
    return findings


# -- names ----------------------------------------------------------------------------------------


def key_name(key: Any) -> str:
    """Name of a coordinate ("x") or velocity ("x.dot") used as a dictionary key."""
    if isinstance(key, Expression) and key.op in ("coordinate", "velocity"):
        return leaf_text(key)
    return sympy_name(key) if is_sympy(key) else str(key)


def sympy_name(symbol: Any) -> str:
    """Name of a SymPy symbol, of a function x(t), or of its derivative."""
    if type(symbol).__name__ == "Derivative":
        return f"{sympy_name(symbol.expr)}.dot"
    return str(getattr(symbol, "name", None) or getattr(symbol.func, "__name__", symbol))
