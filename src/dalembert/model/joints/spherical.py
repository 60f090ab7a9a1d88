"""Ball joint: the frames share their origin and turn as they like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas, FrameView
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rotation import as_rotation
from dalembert.model.joints.joint import (
    NOTHING,
    POINT_LABELS,
    PairJoint,
    Pose,
    Twist,
    number,
    point,
    read_quantities,
)


@dataclass(frozen=True, eq=False, repr=False)
class Spherical(PairJoint):
    """Ball joint:  p_A = p_B.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
    initial : Rotation, 3 x 3, quaternion (w, x, y, z), or (axis, angle)
        Of the second frame in the first, at which the joint places a body that was given no
        position; by default the axes coincide.
    initial_speed : 3 numbers or formulas of parameters  [rad/s]
        Relative angular velocity in the axes of the first frame.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("top")
    >>> top = model.add_body("top", dl.Inertia.cylinder(mass=1.0, radius=0.1, length=0.2))
    >>> ball = model.add_joint(dl.Spherical(model.world, top.at(z=-0.1), name="tip"))
    >>> ball.row_labels
    ('translation x', 'translation y', 'translation z')
    """

    _: KW_ONLY
    initial: Any = None
    initial_speed: tuple[Quantity, ...] = (0.0, 0.0, 0.0)

    def read(self, findings: Findings) -> None:
        """Check the start."""
        read_quantities(self, "initial_speed", 3, findings)
        try:
            object.__setattr__(self, "initial", as_rotation(self.initial))
        except ModelError as problem:
            findings.append(f"initial: {problem}")

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what each row prevents."""
        return POINT_LABELS

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """Common origin."""
        a, b = views
        return point(a, b)

    def pose(self, parameters: Mapping[str, float]) -> Pose | None:
        """Turned as given."""
        return NOTHING, self.initial.matrix

    def twist(self, parameters: Mapping[str, float]) -> Twist | None:
        """Turning as given."""
        return NOTHING, np.array([number(entry, parameters) for entry in self.initial_speed])
