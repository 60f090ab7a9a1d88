"""Kinds of joints, forces and coordinates: formulas over frames, with their derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dalembert.analysis.equations.groups import frame_owner, frame_view
from dalembert.analysis.equations.pieces import HOLONOMIC, LoadPiece, RowPiece
from dalembert.formulas.expression import Expression, lift, load
from dalembert.formulas.graph import symbols
from dalembert.formulas.orientation import turns as turns_of
from dalembert.formulas.recent import Recent
from dalembert.model.basics.element import cross
from dalembert.model.joints.joint import along_z, angle_about_z

kinds: Recent[Any] = Recent(256)
"""Kinds met lately in this process."""


def owner_name(name: str) -> str:
    """Name of the body or joint that a symbol belongs to."""
    return name.partition(":")[0] if ":" in name else name.rpartition(".")[0]


def row_kind(joint: Any, level: str) -> RowPiece | None:
    """Rows over two frames; None where they hold anything else that moves."""
    views = [frame_view(k) for k in range(2)]
    nd = len(joint.data())
    turns = [load("data", nd + k) for k in range(len(joint.angles(views)))]
    write = joint.rows if level == HOLONOMIC else joint.velocity_rows
    rows = [lift(x) for x in write(views, [load("data", k) for k in range(nd)], turns)]
    if _foreign(rows, 2):
        return None
    return RowPiece(level, rows, [frame_owner(k) for k in range(2)])


def load_kind(force: Any) -> LoadPiece | None:
    """Loads over the frames of a force; None where they hold anything else that moves."""
    count = len(force.frames)
    views = [frame_view(k) for k in range(count)]
    nd = len(force.data())
    turns = [load("data", nd + k) for k in range(len(force.angles(views)))]
    loads = force.loads(views, [load("data", k) for k in range(nd)], turns)
    flat: list[Expression] = []
    for k, (pull, torque) in enumerate(loads):
        owner = frame_owner(k)
        about = views[k].origin - np.array(owner.place, dtype=object)
        flat += [lift(x) for x in (*pull, *(np.asarray(torque, dtype=object) + cross(about, pull)))]
    if _foreign(flat, count):
        return None
    return LoadPiece(flat, [frame_owner(k) for k in range(count)])


def _foreign(formulas: Sequence[Expression], count: int) -> bool:
    known = {f"@{k}" for k in range(count)}
    leaves = symbols(formulas, "coordinate", "velocity")
    return any(owner_name(x.name) not in known for x in leaves)


def coordinate_kind(joint: Any, part: str, formula: Expression) -> str:
    """Which of the usual coordinates of two frames a formula is: "angle", "displacement", ""."""
    if len(joint.frames) != 2:
        return ""
    a, b = joint.views
    if formula is angle_about_z(a, b) + turns_of(joint.name):
        return "angle"
    return "displacement" if formula is along_z(a, b) else ""


def coordinate_piece(kind: str) -> RowPiece:
    """An angle or displacement of two frames."""
    write = angle_about_z if kind == "angle" else along_z

    def make() -> RowPiece:
        row = write(frame_view(0), frame_view(1))
        return RowPiece(HOLONOMIC, [row], [frame_owner(0), frame_owner(1)])

    made: RowPiece = kinds.get(("coordinate", kind), make)
    return made
