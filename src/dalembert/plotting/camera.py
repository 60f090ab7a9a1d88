"""From where a scene is seen: parallel projection onto the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.scene import Scene

Array = NDArray[np.float64]

VIEWS = ("auto", "iso", "front", "side", "top")


@dataclass(frozen=True, eq=False)
class Camera:
    """Axes of the paper in the world: rows right, up and towards the reader."""

    axes: Array

    @classmethod
    def of(cls, scene: Scene, view: Any = "auto") -> Camera:
        """A camera by name, or by azimuth and elevation in degrees.

        "auto": straight onto the plane of a planar motion, else obliquely from above.
        """
        up = np.array(scene.up)
        if isinstance(view, tuple | list) and len(view) == 2:
            return cls._oblique(up, float(view[0]), float(view[1]))
        if view not in VIEWS:
            raise OptionError(
                f"view {view!r:.60} is unknown. Give one of {', '.join(VIEWS)}, or (azimuth,"
                " elevation) in degrees."
            )
        if view == "auto":
            view = "plane" if scene.planar else "iso"
        if view == "plane":
            normal = np.array(scene.normal)
            if abs(normal @ up) > 0.9:
                return cls._towards(normal, np.array([0.0, 1.0, 0.0]))
            return cls._towards(normal, up)
        if view == "iso":
            return cls._oblique(up, -62.0, 18.0)
        if view == "top":
            return cls._oblique(up, -90.0, 90.0)
        return cls._oblique(up, -90.0 if view == "front" else 0.0, 0.0)

    @classmethod
    def _oblique(cls, up: Array, azimuth: float, elevation: float) -> Camera:
        """Azimuth about `up` from the direction nearest to x, elevation above the level."""
        east = np.array([1.0, 0.0, 0.0]) - up[0] * up
        if np.linalg.norm(east) < 0.1:
            east = np.array([0.0, 1.0, 0.0]) - up[1] * up
        east /= np.linalg.norm(east)
        north = np.cross(up, east)
        a, e = np.radians([azimuth, elevation])
        level = np.cos(a) * east + np.sin(a) * north
        if abs(np.cos(e)) < 1e-6:
            return cls._towards(up * np.sign(e), -level)
        return cls._towards(np.cos(e) * level + np.sin(e) * up, up)

    @classmethod
    def _towards(cls, out: Array, up: Array) -> Camera:
        """Seen from the tip of `out`, `up` pointing up as far as it can."""
        out = out / np.linalg.norm(out)
        right = np.cross(up, out)
        right /= np.linalg.norm(right)
        return cls(np.stack([right, np.cross(out, right), out]))

    def seen(self, places: Array) -> Array:
        """Right, up, and depth towards the reader of places (..., 3)."""
        return np.asarray(places @ self.axes.T)

    def labels(self) -> tuple[str, str] | None:
        """Names of the axes of the paper when they are axes of the world."""
        names = []
        for row in self.axes[:2]:
            k = int(np.argmax(np.abs(row)))
            if row[k] < 1.0 - 1e-9:
                return None
            names.append("xyz"[k])
        return names[0], names[1]
