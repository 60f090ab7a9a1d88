"""Bodies: those that move together become one, the others stay as named frames on it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.importers.mjcf.compiled import Names
from dalembert.importers.mjcf.reading import Place, Reading, Vector, matrix, tidy
from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.inertia import Inertia


def roots(m: Any) -> list[int]:
    """For each body the one it moves with: itself if it has joints, else that of its parent."""
    found = [0]
    for b in range(1, m.nbody):
        found.append(b if m.body_jntnum[b] else found[m.body_parentid[b]])
    return found


def add_bodies(reading: Reading, data: Any, is_moving: bool) -> None:
    """One body for each that has joints, placed as in `data`; frames for the others."""
    m, model, c = reading.m, reading.model, reading.c
    root = roots(m)
    names = Names(WORLD, changed=reading.changed)
    reading.places[0] = Place(model.world, np.zeros(3), np.eye(3))
    within: dict[int, tuple[Vector, Vector]] = {0: (np.zeros(3), np.eye(3))}
    for b in range(1, m.nbody):
        if root[b] == b:
            within[b] = (np.zeros(3), np.eye(3))
        else:
            p, R = within[m.body_parentid[b]]
            within[b] = (p + R @ m.body_pos[b], R @ matrix(m.body_quat[b]))
    called = {b: names.take(c.name("body", b)) for b in range(1, m.nbody) if root[b] == b}
    for b, name in called.items():
        members = [k for k in range(b, m.nbody) if root[k] == b]
        given: dict[str, Any] = {"position": data.xpos[b], "rotation": _rotation(data.xquat[b])}
        if is_moving:
            speed = np.zeros(6)
            c.mj.mj_objectVelocity(m, data, c.mj.mjtObj.mjOBJ_XBODY, b, speed, 0)
            given |= {"velocity": speed[3:], "angular_velocity": speed[:3]}
        try:
            inertia = _inertia(m, members, within)
            body = model.add_body(name, inertia, **given)
        except ModelError as problem:
            raise c.refuse(f"body '{c.name('body', b)}': {problem}") from None
        reading.places[b] = Place(body, *within[b])
    for b in range(1, m.nbody):
        reading.places[b] = Place(reading.places[root[b]].body, *within[b])


def add_frames(reading: Reading) -> None:
    """Bodies that move with others, and sites, as named frames."""
    m, c = reading.m, reading.c
    names: dict[str, Names] = {}
    for b in range(1, m.nbody):
        place = reading.places[b]
        own = names.setdefault(place.body.name, Names(changed=reading.changed))
        if not m.body_jntnum[b]:
            place.at((0, 0, 0), name=own.take(c.name("body", b)))
    for s in range(m.nsite):
        place = reading.places[int(m.site_bodyid[s])]
        own = names.setdefault(place.body.name, Names(changed=reading.changed))
        name = own.take(c.name("site", s))
        reading.sites[s] = place.at(m.site_pos[s], matrix(m.site_quat[s]), name)


def _inertia(m: Any, members: list[int], within: dict[int, tuple[Vector, Vector]]) -> Inertia:
    """Mass, centre and moments of bodies that are one, in the frame of the first."""
    mass = float(sum(m.body_mass[b] for b in members))
    if len(members) == 1:
        (b,) = members
        turn = matrix(m.body_iquat[b])
        moments = turn @ np.diag(m.body_inertia[b]) @ turn.T
        return _made(mass, moments, np.array(m.body_ipos[b]))
    centers = {b: within[b][0] + within[b][1] @ m.body_ipos[b] for b in members}
    center = sum(m.body_mass[b] * centers[b] for b in members) / mass if mass else np.zeros(3)
    total = np.zeros((3, 3))
    for b in members:
        turn = within[b][1] @ matrix(m.body_iquat[b])
        d = centers[b] - center
        total += turn @ np.diag(m.body_inertia[b]) @ turn.T
        total += m.body_mass[b] * ((d @ d) * np.eye(3) - np.outer(d, d))
    return _made(mass, total, center)


def _made(mass: float, moments: Vector, center: Vector) -> Inertia:
    moments = (moments + moments.T) / 2
    if np.count_nonzero(moments - np.diag(np.diag(moments))) == 0:
        moments = np.diag(moments)
    # MuJoCo takes moments that belong to no body; so must a model of its file
    return Inertia(mass, moments.tolist(), center.tolist(), doubtful=True)


def _rotation(quaternion: Any) -> Vector | None:
    return tidy(matrix(quaternion))
