"""Camera and floor of a live view, for the motion that is to be seen."""

from __future__ import annotations

import contextlib
import time as clocks
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.errors import DalembertError
from dalembert.scene import describe, place
from dalembert.simulation.session.session import Session
from dalembert.viewer.live_floor import Floor

REHEARSED, PATIENCE, FARTHEST = 4.0, 0.5, 4.0
"""Seconds tried out to place the camera, wall time it may take, and size over that of the start."""

FIELD_OF_VIEW = 0.7
"""Vertical  [rad]."""

WIDE, UPRIGHT = 1.5, 0.8
"""Width over height that is expected, and below which a window is that of a telephone."""

ABOVE_PANEL = 0.4
"""Part of the height of an upright window that the panel leaves free."""


@dataclass(frozen=True)
class Look:
    """The part that is to be seen, and from which side.

    Parameters
    ----------
    centre, size : of what moves
    up : on the screen
    toward : from the centre to the camera, of length 1
    """

    centre: Any
    size: float
    up: Any
    toward: Any

    def from_where(self, aspect: float) -> tuple[Any, Any]:
        """Position of the camera and what it looks at, in a picture of that width over height.

        The panel stands at the right of a wide picture, and below in an upright one: there the
        scene fills the width of what is left above.
        """
        side = np.cross(self.up, self.toward)
        if aspect >= UPRIGHT:
            distance = 0.6 * self.size / np.tan(0.5 * FIELD_OF_VIEW)
            target = self.centre + 0.12 * self.size * side
        else:
            height = max(1.2 / aspect, 1.2 / ABOVE_PANEL) * self.size
            distance = 0.5 * height / np.tan(0.5 * FIELD_OF_VIEW)
            upward = np.cross(self.toward, side)
            upward = upward / np.linalg.norm(upward)
            target = self.centre - 0.5 * (1.0 - ABOVE_PANEL) * height * upward
        return target + distance * self.toward, target

    def show(self, client: Any) -> None:
        """Turn the camera of somebody who looks through an upright window."""
        camera = client.camera
        if camera.image_width < UPRIGHT * camera.image_height:
            camera.position, camera.look_at = self.from_where(
                camera.image_width / camera.image_height
            )


def look_at_start(server: Any, session: Session) -> tuple[Look, Floor]:
    """Place the camera for the scene at its start; the floor below it."""
    scene = describe(session.model)
    server.scene.set_up_direction(scene.up)
    up = np.array(scene.up)
    centre, size, low = _reach(session, scene)
    toward = np.array(scene.normal) if scene.planar else _aslant(up)
    look = Look(centre, size, up, toward / np.linalg.norm(toward))
    camera = server.initial_camera
    camera.position, camera.look_at = look.from_where(WIDE)
    camera.fov = FIELD_OF_VIEW
    camera.near, camera.far = 1e-3 * size, 1e3 * size
    return look, Floor(server, scene, centre, low, size)


def _reach(session: Session, scene: Any) -> tuple[Any, float, float]:
    """Middle, diameter and lowest height of the first seconds, tried out and taken back."""
    around = 0.5 * scene.size * np.array([[-1.0], [1.0]]) / np.sqrt(3.0)
    places = [np.array(scene.centre) + around]
    began = clocks.perf_counter()
    with contextlib.suppress(DalembertError):
        while session.t < REHEARSED and clocks.perf_counter() - began < PATIENCE:
            session.advance(REHEARSED / 60.0, budget=0.2 * PATIENCE)
            p, _, points = place(scene, session.model, session.t, session.q, session.v)
            places.append(np.concatenate([p, points]))
    session.reset()
    everything = np.concatenate(places)
    low, high = everything.min(axis=0), everything.max(axis=0)
    size = float(np.linalg.norm(high - low))
    if not np.isfinite(size) or size > FARTHEST * scene.size:
        # it flies away: look at the start
        return np.array(scene.centre), float(scene.size), float(scene.floor)
    lowest = min(float(scene.floor), float(np.min(everything @ np.array(scene.up))))
    return (low + high) / 2, max(size, float(scene.size)), lowest


def _aslant(up: Any) -> Any:
    """A direction to look from: from the front, a little from the side and from above."""
    side = np.array([0.0, -1.0, 0.0]) if abs(up[1]) < 0.9 else np.array([0.0, 0.0, 1.0])
    front = side - up * float(side @ up)
    front /= np.linalg.norm(front)
    return front + 0.45 * np.cross(up, front) + 0.4 * up
