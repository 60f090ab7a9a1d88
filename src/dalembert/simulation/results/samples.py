"""Samples of a run, as results are made from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dalembert.simulation.prepare.controllers import Commands
from dalembert.simulation.run.contact_log import ContactLog
from dalembert.simulation.run.run import Run


@dataclass(frozen=True)
class Samples:
    """Recorded states, and multipliers of methods that have their own."""

    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    lam: np.ndarray | None = None
    commands: Commands | None = None
    """Commands of controllers."""
    contacts: ContactLog | None = None
    """Contacts of a run with impulses."""
    angles: np.ndarray | None = None
    """Angles of hinges, with the turns that the run has counted."""
    of_tree: tuple[np.ndarray, np.ndarray] | None = None
    """Coordinates and velocities of a run on a tree with compound joints."""


def of_model(setup: Any, run: Run, samples: Samples) -> Samples:
    """Samples of a run, in the coordinates of the model itself."""
    q, v = run.states(samples.q, samples.v)
    if setup.on_tree is None or not setup.on_tree.has_compounds:
        return replace(samples, q=q, v=v)
    return replace(samples, q=q, v=v, of_tree=(samples.q, samples.v))


def keep_last(run: Run) -> None:
    """The state at which a run stopped early is a sample too."""
    k = run.clock.samples
    t = float(run.clock.t)
    if len(run.times) or (k and run.t_out[k - 1] == t):
        return
    if k >= len(run.t_out):
        run.make_room()
    run.t_out[k], run.q_out[k], run.v_out[k], run.lam_out[k] = t, run.q, run.v, np.nan
    run.angle_out[k] = run.angles_now
    run.clock.samples = k + 1
