"""Limits of joints as data: how far, how strong, how fast; nothing stops a joint at them yet."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from dalembert.errors import ModelError


@dataclass(frozen=True)
class Limits:
    """What a joint of one coordinate is built for; infinite where nothing is said.

    Parameters
    ----------
    lower, upper : float  [rad] or [m]
    effort : float  [N m] or [N]
    velocity : float  [rad/s] or [m/s]

    Examples
    --------
    >>> Limits(-1.5, 1.5, effort=40.0)
    Limits(lower=-1.5, upper=1.5, effort=40.0, velocity=inf)
    """

    lower: float = -math.inf
    upper: float = math.inf
    effort: float = math.inf
    velocity: float = math.inf

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
                raise ModelError(f"Limits: {field.name} is {value!r:.60}. Give a number.")
            object.__setattr__(self, field.name, float(value))
        if self.lower > self.upper:
            raise ModelError(
                f"Limits: lower is {self.lower:g}, upper {self.upper:g}. Give lower <= upper."
            )

    @property
    def is_bounded(self) -> bool:
        """True when the coordinate has an end somewhere."""
        return self.lower > -math.inf or self.upper < math.inf
