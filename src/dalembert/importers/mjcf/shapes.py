"""Geoms as shapes that are drawn and touch; colours are those of the geom or its material."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.errors import DalembertError
from dalembert.importers.mjcf.contacts import Contacts
from dalembert.importers.mjcf.reading import Reading, matrix, tidy
from dalembert.model.shapes.mesh import Mesh
from dalembert.model.shapes.solids import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere
from dalembert.model.shapes.surfaces import HeightField

VISIBLE = 3
"""Groups below it are drawn by MuJoCo's viewers unless asked otherwise."""

FLOOR = 4.0
"""Longest edge of a plane, over the size of what moves: a larger one would hide it from sight."""

WIDE = 2.0
"""Edges of a plane, over the size of what moves, from which on it is the floor of the picture."""

FACES = 40_000
"""Triangles of one mesh beyond which it is not drawn."""


def add_shapes(reading: Reading, *, seen: bool = True, contact: bool = True) -> None:
    """A shape for every geom that is visible or touches."""
    m, c = reading.m, reading.c
    hidden, large, strange = [], [], []
    floor = FLOOR * _size(reading)
    contacts = Contacts(reading, contact)
    for g in range(m.ngeom):
        drawn = seen and m.geom_group[g] < VISIBLE and _color(m, g)[3] != 0.0
        touches = g in contacts.geoms
        if seen and not drawn and not touches:
            hidden.append(c.name("geom", g))
        if not drawn and not touches:
            continue
        kind = int(m.geom_type[g])
        place = reading.places[int(m.geom_bodyid[g])]
        p = place.p + place.R @ m.geom_pos[g]
        R = place.R @ matrix(m.geom_quat[g])
        r, green, b, a = _color(m, g)
        look: dict[str, Any] = {
            "position": tuple(float(x) for x in p),
            "rotation": tidy(R),
            "color": "#" + "".join(f"{round(255 * float(x)):02x}" for x in (r, green, b)),
            "opacity": float(a),
        }
        if kind == int(c.mj.mjtGeom.mjGEOM_MESH) and m.mesh_facenum[m.geom_dataid[g]] > FACES:
            large.append(c.name("geom", g))
            drawn = False
            if not touches:
                continue
        made = _shape(m, c.mj, g, kind, floor)
        if made is None:
            strange.append(c.name("geom", g))
            continue
        shape, options = made
        how = contacts.options(g) if touches else {}
        try:
            found = reading.model.add_shape(
                shape(**options, **look), on=place.body, contact=touches, drawn=drawn, **how
            )
            if touches:
                contacts.shapes[g] = found
        except DalembertError as problem:
            reading.lose("geom", [c.name("geom", g)], " ".join(str(problem).split()))
    reading.lose("geom", hidden, "hidden in the file (by its group or colour), so not drawn.")
    reading.lose("geom", large, f"its mesh has more than {FACES} triangles and is not drawn.")
    reading.lose("geom", strange, "shapes of its kind are not drawn, and touch nothing.")
    contacts.finish()


def _size(reading: Reading) -> float:
    """Diameter of what moves, at the start [m]."""
    m, starts = reading.m, reading.model.starts
    places = np.array([start.position for start in starts.values()], dtype=float)
    moving = [b for b, place in reading.places.items() if place.body.name in starts]
    round_them = m.geom_rbound[np.isin(m.geom_bodyid, moving)]
    across = float(np.linalg.norm(np.ptp(places, axis=0)))
    return max(across + 2 * float(max(round_them, default=0.0)), 1e-3)


def _color(m: Any, g: int) -> Any:
    material = int(m.geom_matid[g])
    standard = np.allclose(m.geom_rgba[g], (0.5, 0.5, 0.5, 1.0))
    rgba = m.mat_rgba[material] if material >= 0 and standard else m.geom_rgba[g]
    return np.clip(rgba, 0.0, 1.0)


def _shape(m: Any, mj: Any, g: int, kind: int, floor: float) -> tuple[Any, dict[str, Any]] | None:
    size = [float(x) for x in m.geom_size[g]]
    types = mj.mjtGeom
    if kind == int(types.mjGEOM_PLANE):
        edges = tuple(min(2 * x, floor) if x > 0 else floor for x in size[:2])
        return Plane, {} if min(edges) >= WIDE / FLOOR * floor else {"size": edges}
    if kind == int(types.mjGEOM_SPHERE):
        return Sphere, {"radius": size[0]}
    if kind == int(types.mjGEOM_CAPSULE):
        return Capsule, {"radius": size[0], "length": 2 * size[1]}
    if kind == int(types.mjGEOM_ELLIPSOID):
        return Ellipsoid, {"semi_axes": tuple(size)}
    if kind == int(types.mjGEOM_CYLINDER):
        return Cylinder, {"radius": size[0], "length": 2 * size[1]}
    if kind == int(types.mjGEOM_BOX):
        return Box, {"size": tuple(2 * x for x in size)}
    if kind == int(types.mjGEOM_MESH):
        k = int(m.geom_dataid[g])
        v, f = int(m.mesh_vertadr[k]), int(m.mesh_faceadr[k])
        return Mesh, {
            "vertices": np.array(m.mesh_vert[v : v + m.mesh_vertnum[k]], dtype=float),
            "faces": np.array(m.mesh_face[f : f + m.mesh_facenum[k]], dtype=int),
        }
    if kind == int(types.mjGEOM_HFIELD):
        return HeightField, _terrain(m, int(m.geom_dataid[g]))
    return None


def _terrain(m: Any, k: int) -> dict[str, Any]:
    """A field of heights; its rows go along y in the file."""
    rows, columns, start = int(m.hfield_nrow[k]), int(m.hfield_ncol[k]), int(m.hfield_adr[k])
    heights = np.array(m.hfield_data[start : start + rows * columns], dtype=float)
    x_half, y_half, top, _ = (float(x) for x in m.hfield_size[k])
    return {
        "heights": top * heights.reshape(rows, columns).T,
        "size": (2.0 * x_half, 2.0 * y_half),
    }
