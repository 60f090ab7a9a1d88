"""Single moments of a scene as pictures in memory, one after the other, seen from one place."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.errors import OptionError
from dalembert.plotting import picture, style
from dalembert.plotting.painter import Painter, outlines
from dalembert.scene import Motion, Scene

ROOM = 0.3
"""Room around the first moment, over its size: most motions stay within it."""


class Frames:
    """Pictures of a scene. The paper grows where something leaves it, and never shrinks."""

    def __init__(self, scene: Scene, size: tuple[int, int], view: Any = "auto") -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        try:
            width, height = (int(length) for length in size)
        except (TypeError, ValueError):
            width = height = 0
        if not (64 <= width <= 7680 and 64 <= height <= 4320):
            raise OptionError(f"size is {size!r:.60}. Give (width, height) in pixels, 64 at least.")
        self._painter = Painter(scene, view=view)
        figure = Figure(figsize=(width / 100, height / 100), dpi=100, facecolor="white")
        self._canvas = FigureCanvasAgg(figure)
        self._axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        self._drawn: Any = None
        self._limits: Any = None

    def draw(self, t: float, positions: Any, rotations: Any, points: Any) -> Any:
        """The picture of a moment, (height, width, 3) bytes; bodies and points as `place` says."""
        none = np.zeros((1, 0, 3))
        motion = Motion(np.array([t]), positions, rotations, points, none, none, np.zeros((1, 0)))
        with style.looks():
            if self._drawn is None:
                picture.bare(self._axes, self._painter, motion)
                self._painter.grid(self._axes)
                self._drawn = self._painter.paint(self._axes, motion, 0)
            else:
                polygons, colors = self._painter.faces(motion, 0)
                self._drawn.set_verts(list(polygons))
                self._drawn.set_facecolor(colors)
                self._drawn.set_edgecolor(outlines(colors))
            self._make_room(motion)
            self._canvas.draw()  # type: ignore[no-untyped-call]
            pixels = self._canvas.buffer_rgba()  # type: ignore[no-untyped-call]
        return np.asarray(pixels)[:, :, :3].copy()

    def _make_room(self, motion: Motion) -> None:
        low, high = self._painter.limits(motion, ROOM if self._limits is None else 0.05)
        if self._limits is not None:
            low, high = np.minimum(low, self._limits[0]), np.maximum(high, self._limits[1])
        self._limits = low, high
        self._axes.set_xlim(low[0], high[0])
        self._axes.set_ylim(low[1], high[1])
