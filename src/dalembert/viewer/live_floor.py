"""The floor of a live view: one grid, on the ground that bodies stand on or below everything."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.scene.description import Array, Scene
from dalembert.viewer.live_drawing import between, rgb

FILLED = 0.35
"""Opacity of a floor that bodies stand on."""

CELLS = {False: ((206, 211, 218), (158, 167, 179)), True: ((58, 66, 78), (88, 99, 114))}
"""Colours of fine and strong lines, by whether it is dark."""

SHADOW = {False: 0.18, True: 0.5}


def height_of(scene: Scene) -> float | None:
    """Height of the highest level plane without end; None where there is none."""
    up = np.array(scene.up)
    heights = [float(up @ np.array(scene.ground[k].position)) for k in scene.level]
    return max(heights, default=None)


class Floor:
    """A grid without end across `up`."""

    def __init__(self, server: Any, scene: Scene, middle: Array, low: float, size: float) -> None:
        self.up, self.middle, self.low = np.array(scene.up), middle, low
        self.grid: Any = None
        standing = height_of(scene)
        plates = any(shape.kind == "plane" for shape in scene.ground)
        if standing is None and (scene.planar or plates):
            return  # seen from the front, or cut by what is there
        cell = 10.0 ** np.floor(np.log10(size / 2.0))
        color = rgb(scene.ground[scene.level[0]].color, "#7A828C") if scene.level else None
        self.grid = server.scene.add_grid(
            "/floor",
            width=20 * cell,
            height=20 * cell,
            cell_size=0.5 * cell,
            section_size=2.5 * cell,
            infinite_grid=True,
            fade_distance=6 * size,
            plane_color=color or (255, 255, 255),
            plane_opacity=FILLED if color else 0.0,
            wxyz=between(np.zeros(3), self.up)[1],
        )
        self.place(scene)
        self.light(False)

    def place(self, scene: Scene) -> None:
        """To the height that the scene has now."""
        if self.grid is None:
            return
        height = height_of(scene)
        above = (self.low if height is None else height) - float(self.up @ self.middle)
        self.grid.position = self.middle + above * self.up

    def light(self, dark: bool) -> None:
        """Colours that suit the page."""
        if self.grid is None:
            return
        self.grid.cell_color, self.grid.section_color = CELLS[dark]
        self.grid.shadow_opacity = SHADOW[dark]
