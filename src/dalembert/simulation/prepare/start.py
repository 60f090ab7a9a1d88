"""Start: a consistent initial state, and what is known of the rows there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.simulation.prepare.asked_speeds import Taken
from dalembert.system.body_system import BodySystem
from dalembert.system.state_layout import State
from dalembert.system.system import System

AnySystem = System | BodySystem

SEED = 0
"""Seed of the states around the start that tell how large rows are: the only chance in a run."""

CAP = 100
"""Gauss-Newton steps allowed for the initial state."""


@dataclass(frozen=True)
class Start:
    """A consistent initial state and what is known of the rows there."""

    q: np.ndarray
    v: np.ndarray
    move_q: float
    move_v: float
    rank: int
    row_scale: np.ndarray
    row_tolerance: np.ndarray
    row_size: np.ndarray
    t: float
    length: float
    """Size of the coordinates: the largest at the start, at most 1; 1 when all are zero."""
    changed: tuple[Taken, ...] = ()
    """Speeds that were asked for and could not be had."""
    moved: tuple[Taken, ...] = ()
    """Places that were given and could not be had."""

    def write_rows(self, state: State) -> None:
        """Write what is known of the rows into the state of a run."""
        write_rows(state, self.row_scale, self.row_tolerance, self.row_size, self.length)


def write_rows(
    state: State, scale: np.ndarray, tolerance: np.ndarray, size: np.ndarray, length: float
) -> None:
    """Write scale, tolerance and size of the rows, and the size of the coordinates."""
    state.row_scale[:], state.row_tolerance[:], state.row_size[:] = scale, tolerance, size
    state.length = length
