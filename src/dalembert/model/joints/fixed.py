"""Weld: the frames coincide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas, FrameView
from dalembert.model.joints.joint import (
    NOTHING,
    POINT_LABELS,
    PairJoint,
    Pose,
    Twist,
    lock,
    lock_labels,
    point,
)


@dataclass(frozen=True, eq=False, repr=False)
class Fixed(PairJoint):
    """Weld:  p_A = p_B,  all axes parallel.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("bracket")
    >>> plate = model.add_body("plate", dl.Inertia.box(mass=1.0, size=(1, 1, 0.1)))
    >>> len(model.add_joint(dl.Fixed(model.world.at(z=1.0), plate, name="weld")))
    6
    """

    free_rotations: ClassVar[int] = 0

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what each row prevents."""
        return (*POINT_LABELS, *lock_labels())

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """Common origin, not turned."""
        a, b = views
        return [*point(a, b), *lock(a, b)]

    def pose(self, parameters: Mapping[str, float]) -> Pose | None:
        """The frames coincide."""
        return NOTHING, np.eye(3)

    def twist(self, parameters: Mapping[str, float]) -> Twist | None:
        """At rest."""
        return NOTHING, NOTHING
