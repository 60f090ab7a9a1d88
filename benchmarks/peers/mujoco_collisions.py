"""MuJoCo: `mj_collision` on the scenes of `collisions.py`; kinematics are not counted."""

from __future__ import annotations

from typing import Any

import collisions as scene
import mujoco
import numpy as np
from record import best_cpu, emit

GEOMS = {
    "sphere": "SPHERE",
    "capsule": "CAPSULE",
    "box": "BOX",
    "cylinder": "CYLINDER",
    "ellipsoid": "ELLIPSOID",
}


def build(what: scene.Scene) -> Any:
    spec = mujoco.MjSpec()
    spec.memory = 1 << 28
    meshes: set[str] = set()
    if what.ground:
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
    for k, piece in enumerate(what.pieces):
        body = spec.worldbody.add_body(name=f"b{k}", pos=piece.place, quat=piece.turn)
        body.add_freejoint()
        if piece.kind == "hull":
            name = "hull" + "x".join(map(str, piece.sizes))
            if name not in meshes:
                meshes.add(name)
                points = [x for point in scene.hull_points(piece.sizes) for x in point]
                spec.add_mesh(name=name, uservert=points)
            body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name)
            continue
        halves = [0.5 * s for s in piece.sizes]
        size = {
            "sphere": [*piece.sizes, 0, 0],
            "capsule": [piece.sizes[0], halves[-1], 0],
            "box": halves,
            "cylinder": [piece.sizes[0], halves[-1], 0],
            "ellipsoid": list(piece.sizes),
        }[piece.kind]
        body.add_geom(type=getattr(mujoco.mjtGeom, f"mjGEOM_{GEOMS[piece.kind]}"), size=size)
    return spec.compile()


def main() -> None:
    for what in scene.SCENES:
        model = build(what)
        data = mujoco.MjData(model)
        # no more than collision needs: the constraints of the largest heap would not fit
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)

        def run(model: Any = model, data: Any = data, calls: int = what.calls) -> None:
            for _ in range(calls):
                mujoco.mj_collision(model, data)

        best = best_cpu(run)
        emit(
            scene=what.name,
            engine="MuJoCo",
            version=mujoco.__version__,
            us_per_call=1e6 * best / what.calls,
            contacts=int(data.ncon),
            deepest=float(np.min(data.contact.dist)) if data.ncon else 0.0,
            note="called from Python, about 1 us a call",
        )


main()
