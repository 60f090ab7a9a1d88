"""Limits of joints: how far, how strong, how fast.

The ends `lower` and `upper` are one-sided constraints, q - lower >= 0 and upper - q >= 0, of the
methods that know them (`Model.one_sided`); effort and velocity are data for those who plan and
control motions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dalembert.errors import ModelError
from dalembert.model.basics.unchanging import Settled
from dalembert.model.one_sided.law import StopLaw, read_law


@dataclass(frozen=True)
class Limits(Settled):
    """Limits that a joint of one coordinate is built for; infinite where nothing is said.

    Parameters
    ----------
    lower, upper : float  [rad] or [m]
        Where the joint stops.
    effort : float  [N m] or [N]
    velocity : float  [rad/s] or [m/s]
    restitution : float, 0 to 1
        Speed after hitting an end over that before.
    stiffness, damping : float  [N m/rad] or [N/m], [N m s/rad] or [N s/m]
        Of soft ends; without them (and without frequency) the ends are rigid.
    frequency, damping_ratio : float  [Hz]
        Instead of a stiffness, for the inertia that the end feels.

    Examples
    --------
    >>> Limits(-1.5, 1.5, effort=40.0)
    Limits(lower=-1.5, upper=1.5, effort=40.0, velocity=inf)
    """

    lower: float = -math.inf
    upper: float = math.inf
    effort: float = math.inf
    velocity: float = math.inf
    restitution: float = 0.0
    stiffness: float | None = None
    damping: float | None = None
    frequency: float | None = None
    damping_ratio: float | None = None

    def __post_init__(self) -> None:
        for field in ("lower", "upper", "effort", "velocity"):
            value = getattr(self, field)
            if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
                raise ModelError(f"Limits: {field} is {value!r:.60}. Give a number.")
            object.__setattr__(self, field, float(value))
        if self.lower > self.upper:
            raise ModelError(
                f"Limits: lower is {self.lower:g}, upper {self.upper:g}. Give lower <= upper."
            )
        for field, value in vars(read_law(self, "Limits", numbers=True)).items():
            object.__setattr__(self, field, value)

    @property
    def law(self) -> StopLaw:
        """The law of the ends."""
        return read_law(self, "Limits", numbers=True)

    @property
    def is_bounded(self) -> bool:
        """True when the coordinate has an end somewhere."""
        return self.lower > -math.inf or self.upper < math.inf

    def __repr__(self) -> str:
        shown = [f"{key}={getattr(self, key)}" for key in ("lower", "upper", "effort", "velocity")]
        shown += [f"{key}={value}" for key, value in self.law.stated().items()]
        return f"Limits({', '.join(shown)})"
