"""Contacts with located events: smooth phases between impacts, and what happens at their ends.

    phase:    M v' = Q + J^T lam,   closed contacts kept closed, stick or slip (contact 20)
    event:    a guard of the phase reaches zero; found on the continuous output, then met exactly
    impact:   M (v+ - v-) = J^T p by a law of restitution, q held
    then:     0 <= lam_n | u_n' >= 0 decides about the next phase

The hybrid system of E. Drumwright's notes on rigid contact, completed: for few contacts and high
accuracy. `simulation.hybrid` goes from event to event; the rates of a phase and the end of a step
are `contact.events`. Where too many contacts are closed, or too many events come, a run goes on
with the steps of `ContactImpulse`, whose options it shares.
"""

from dataclasses import dataclass
from typing import Any

from dalembert._jit import Border
from dalembert.contact.events.forces import phase_rates
from dalembert.contact.events.layout import phase_length
from dalembert.contact.events.settle import phase_end
from dalembert.contact.step.step_problem import find_contacts
from dalembert.enforcement import ContactImpulse


@dataclass(frozen=True)
class ContactEvents(ContactImpulse):
    """Located events: the options are those of `ContactImpulse`."""

    drift = "machine"  # type: ignore[assignment]
    locates = True
    advance = None  # type: ignore[assignment]
    interpolate_prepare = None  # type: ignore[assignment]
    interpolate = None  # type: ignore[assignment]

    def scratch(self, nq: int, nv: int, holonomic: int, rows: int) -> int:
        """Floats of a phase."""
        return phase_length(nq, nv, rows)

    def step_borders(self, integrator: Any, shapes: bool) -> list[Border | None]:
        """Borders that a step calls, the longest first."""
        found = [phase_rates, phase_end, integrator.advance]
        return [*found, find_contacts] if shapes else found

    def describe(self) -> str:
        """Name, and whatever is not the default."""
        return super().describe().replace("ContactImpulse(", "ContactImpulse(mode='events', ", 1)
