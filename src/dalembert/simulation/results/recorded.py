"""Arrays and names that a run has recorded, and what happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.simulation.motion import values
from dalembert.simulation.motion.trajectory import Trajectory
from dalembert.simulation.motion.turns import Turns
from dalembert.simulation.status import Status

if TYPE_CHECKING:
    from dalembert.model import Model
    from dalembert.simulation.prepare.controllers import Commands
    from dalembert.simulation.results.contact_results import Touch

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class EventRecord:
    """One event that occurred: its name, moment and state."""

    name: str
    t: float
    q: Array
    v: Array

    def __eq__(self, other: object) -> bool:
        """Same name, moment and state, to the bit."""
        if not isinstance(other, EventRecord):
            return NotImplemented
        same = (self.name, self.t) == (other.name, other.t)
        return same and np.array_equal(self.q, other.q) and np.array_equal(self.v, other.v)

    def __hash__(self) -> int:
        """Hash of name and moment."""
        return hash((self.name, self.t))


@dataclass(frozen=True, eq=False, repr=False)
class Recorded:
    """Fields of a `Solution`, which says what they are; nothing that has to be worked out."""

    t: Array
    q: Array
    v: Array
    a: Array
    lam: Array
    phi: Array
    phi_dot: Array
    kinetic: Array
    potential: Array | None
    coordinate_names: tuple[str, ...]
    row_names: tuple[str, ...]
    constraint_slices: Mapping[str, Any]
    model: Model
    method: Any
    integrator: Any
    step: float | None = None
    events: tuple[EventRecord, ...] = ()
    status: Status = Status.OK
    message: str = ""
    statistics: Mapping[str, Any] = field(default_factory=dict)
    worst: Mapping[str, Any] = field(default_factory=dict)
    initial_move: Mapping[str, float] = field(default_factory=dict)
    commands: Commands | None = None
    touch: Touch | None = None
    angles: Array | None = None

    @property
    def velocity_names(self) -> tuple[str, ...]:
        """Names of the columns of v: ``x.dot``, or ``ship.wx`` for an angular velocity."""
        return tuple(repr(x) for x in values.velocity_symbols(self.model))

    @property
    def acceleration_names(self) -> tuple[str, ...]:
        """Names of the columns of a: ``x.ddot``, ``ship.wx.dot``."""
        return tuple(
            f"{name[:-4]}.ddot" if name.endswith(".dot") else f"{name}.dot"
            for name in self.velocity_names
        )

    @property
    def energy(self) -> Array | None:
        """Kinetic plus potential energy [J]; None when the model states no potential."""
        return None if self.potential is None else self.kinetic + self.potential

    @cached_property
    def trajectory(self) -> Trajectory:
        """Places and velocities of the bodies at the samples (models of bodies)."""
        held = None if self.commands is None else self.commands.held(self.t)
        return Trajectory(self.model, self.t, self.q, self.v, held, self.turned)

    @cached_property
    def turned(self) -> Turns | None:
        """Full turns of joints, as the run counted them; None where there are none."""
        return Turns.of(self.model, self.t, self.q, self.v, self.angles)

    @cached_property
    def memory(self) -> dict[str, Any]:
        """Memory in which readers of results keep what they may need again."""
        return {}

    def __iter__(self) -> Any:
        """Refused: it is not clear whether samples or signals were meant."""
        raise TypeError("A Solution is not a sequence. Use solution.t, solution.q, solution['x'].")

    def __repr__(self) -> str:
        """One line: model, interval, samples, status."""
        if not len(self.t):
            return f"Solution({self.model.name!r}, no samples, {self.status.name})"
        span = f"{self.t[0]:g} to {self.t[-1]:g} s"
        return f"Solution({self.model.name!r}, {span}, {len(self.t)} samples, {self.status.name})"
