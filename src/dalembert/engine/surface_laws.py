"""Friction, restitution and the like in an engine: formulas of the tables of contact."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.contact.run.record_layout import CLASS_FLOATS, Law
from dalembert.contact.run.run_layout import ContactRun
from dalembert.engine.contacts import place_of
from dalembert.engine.equal_tables import alike
from dalembert.errors import DalembertError
from dalembert.formulas import Expression, evaluate, symbols
from dalembert.simulation.prepare.contacts import law_formulas, tables_of
from dalembert.system.parameter_tables import CLOSE, TRIALS, Stores

FRICTION, STATIC, VISCOUS = Law.offsets("friction", "static", "viscous")


def law_stores(run: Any, contacts: Any) -> Stores:
    """Formulas of the entries of `work` that say how surfaces touch, and that parameters decide.

    What kernels may pass over as long as no pair has it is looked at from now on where a parameter
    may bring it about.
    """
    if contacts is None or not contacts.model.contact_shapes:
        return []
    contact = ContactRun(*reversed(run.contact_part))
    laws, speeds = law_formulas(contacts.model)
    stores: Stores = []
    for table, formulas in ((contact.class_table, laws), (contact.surface_table, speeds)):
        at = place_of(table, run.work)
        stores += [("work", at + k, x) for k, x in enumerate(formulas) if _is_formula(x)]
    records = [laws[k : k + CLASS_FLOATS] for k in range(0, len(laws), CLASS_FLOATS)]
    if any(_is_formula(law[VISCOUS]) for law in records):
        contact.is_viscous = 1
    if any(_may_differ(law[FRICTION], law[STATIC]) for law in records):
        contact.is_static = 1
    return stores


def _is_formula(x: Any) -> bool:
    return isinstance(x, Expression) and bool(symbols([x], "parameter"))


def _may_differ(a: Any, b: Any) -> bool:
    """Whether parameters decide if two coefficients are the same."""
    return a is not b and (_is_formula(a) or _is_formula(b))


def followed(contacts: Any, given: Sequence[float], system: Any, names: Sequence[str]) -> set[str]:
    """Parameters at whose other values the tables of contact are those of the formulas."""
    first = tables_of(contacts, system, given)
    formulas = law_formulas(contacts.model) if contacts.model.contact_shapes else ([], [])
    good = set()
    for name in names:
        k = list(system.parameter_names).index(name)
        tried = []
        for factor in TRIALS:
            values = list(given)
            values[k] = factor * values[k] if values[k] else factor
            with contextlib.suppress(DalembertError):  # a value that no law takes
                tables = tables_of(contacts, system, values)
                known = dict(zip(system.parameter_names, values, strict=True))
                tried.append(_agree(tables, first, formulas, known))
        if tried and all(tried):
            good.add(name)
    return good


def _agree(tables: Any, first: Any, formulas: Any, known: Mapping[str, float]) -> bool:
    """Whether formulas give what differs between two tables."""
    made = []
    for table, entries in zip((first.classes, first.surfaces), formulas, strict=True):
        given = [x if isinstance(x, Expression) else None for x in entries]
        held = [x for x in given if x is not None]
        leaves = {leaf: known.get(leaf.name, leaf.value) for leaf in symbols(held, "parameter")}
        numbers = iter(evaluate(held, leaves))
        flat = [
            float(entry if x is None else next(numbers))
            for entry, x in zip(table.ravel(), given, strict=True)
        ]
        made.append(np.array(flat).reshape(table.shape))
    if not all(
        np.allclose(a, b, rtol=CLOSE, atol=CLOSE)
        for a, b in zip(made, (tables.classes, tables.surfaces), strict=True)
    ):
        return False
    rest = replace(tables, classes=first.classes, surfaces=first.surfaces)
    return alike(rest, first)
