"""Where everything of a scene is, moment by moment."""

from __future__ import annotations

from dataclasses import dataclass

from dalembert.scene.description import Array


@dataclass(frozen=True, eq=False)
class Motion:
    """A scene along a run: k moments.

    Attributes
    ----------
    t : (k,)                      [s]
    positions : (k, bodies, 3)    origins of the body frames, world axes  [m]
    rotations : (k, bodies, 4)    unit quaternions (w, x, y, z), body to world, no jumps of sign
    points : (k, points, 3)       [m]
    tails, vectors : (k, arrows, 3)   where an arrow begins [m]; force or torque itself [N], [N m]
    values : (k, signals)         NaN where a signal has none
    """

    t: Array
    positions: Array
    rotations: Array
    points: Array
    tails: Array
    vectors: Array
    values: Array
