"""Setup of a run: the model with its system, method, integrator and consistent start."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from dalembert.model.core.model import Model
from dalembert.simulation.prepare.carried_turns import Turned
from dalembert.simulation.prepare.contacts import Contacts
from dalembert.simulation.prepare.controllers import Bound
from dalembert.simulation.prepare.on_tree import OnTree
from dalembert.simulation.prepare.start import AnySystem, Start


@dataclass(frozen=True)
class Setup:
    """Everything that a run and the reading of its samples need, and no state of it."""

    model: Model
    system: AnySystem
    values: list[float]
    """Values of the parameters, in the order of the system."""
    method: Any
    integrator: Any
    step: float | None
    start: Start
    consistent: bool = True
    """False: the initial state was left as it was given."""
    controllers: Bound | None = None
    contacts: Contacts | None = None
    """One-sided rows and shapes, for a method that solves for impulses."""
    on_tree: OnTree | None = None
    """The run in the coordinates of joints, where it takes place in these."""
    turned: Turned | None = None
    """Full turns that angles begin with."""
    watched: tuple[Any, ...] = ()
    """Formulas of events."""
    memory: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    """Memory in which those who make runs keep what they may need again."""

    @property
    def running(self) -> AnySystem:
        """The system whose coordinates the run has."""
        return self.system if self.on_tree is None else self.on_tree.system

    @property
    def beginning(self) -> Start:
        """The start in the coordinates of the run."""
        return self.start if self.on_tree is None else self.on_tree.start

    def of(self, model: Model) -> Setup:
        """The setup for another model with the same contents."""
        if model is self.model:
            return self
        made = replace(self, model=model)
        object.__setattr__(made, "memory", self.memory)
        return made


def values_of(system: AnySystem, model: Model) -> list[float]:
    """Parameters in the order of the system; those the model does not have are zero."""
    known = model.parameters
    return [known.get(name, 0.0) for name in system.parameter_names]
