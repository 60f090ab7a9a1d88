"""Facts that the rules of a verdict look at: a run, its report, and the scales of both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dalembert.simulation.results.scales import largest, length_of, rounded_down, slow_speed

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

LEAST_ENERGY, MOST_ENERGY = 1e-3, 1e-2
"""Error of the energy, over what is exchanged, that is fine at any order; that at the lowest."""


@dataclass(frozen=True)
class Facts:
    """Facts that rules look at: a run, its report, and scales."""

    solution: Solution
    figures: dict[str, Any]

    @cached_property
    def length(self) -> float:
        """Size of the mechanism, as the run took it."""
        return length_of(self.solution)

    @cached_property
    def span(self) -> float:
        """Time that was simulated  [s]."""
        start, end = self.figures["start"], self.figures["end"]
        return 0.0 if start is None else float(end - start)

    @cached_property
    def speed(self) -> float:
        """Largest velocity, or `slow` if that is more."""
        return max(largest(self.solution.v), self.slow)

    @cached_property
    def slow(self) -> float:
        """Speed of crossing the mechanism once, or gained by weight in a step."""
        return slow_speed(self.solution, self.span)

    @cached_property
    def order(self) -> int:
        """Order of convergence of the run."""
        orders = [getattr(self.solution.method, "order", 99) or self._order_by_step]
        orders.append(getattr(self.solution.integrator, "order", 99))
        return int(min(min(orders), 10))

    @property
    def _order_by_step(self) -> int:
        """Order of a run whose steps choose theirs: the lowest they had (`contact.step.smooth`)."""
        contact, model = self.figures["contact"], self.solution.model
        if contact is not None and contact.get("contact_steps") == 0:
            return 4
        return 1 if len(self.solution.row_names) or model.joints else 2

    @property
    def is_exact(self) -> bool:
        """Whether the method leaves no drift but rounding; steps after located events may."""
        stepped = any(one.kind == "stepping" for one in self.solution.log)
        return not stepped and getattr(self.solution.method, "drift", "grows") == "machine"

    @property
    def idle(self) -> bool:
        """Whether contacts and stops, if there are any, never acted, and nothing was done."""
        contact = self.figures["contact"]
        if self.solution.statistics.get("log"):
            return False
        return contact is None or (not contact["contacts"] and contact.get("held") == 0)

    @cached_property
    def energy_allowed(self) -> float:
        """Relative error of the energy that the order explains: (h / time scale)^order."""
        step, a = self.solution.step, largest(self.solution.a)
        if step is None or not a > 0.0:
            return LEAST_ENERGY
        explained = (step * a / self.speed) ** self.order
        return float(min(max(explained, LEAST_ENERGY), MOST_ENERGY))

    def finer(self, too_large: float, at_order_1: bool = False) -> str:
        """A sentence with a step at which an error, over what is allowed, should be gone."""
        step = self.solution.step
        if step is None:
            ruling = getattr(self.solution.integrator, "steps_rtol", None)
            if self.figures.get("contact") is not None and ruling:
                return f"Try rtol={rounded_down(0.01 * ruling):g}."
            return "Tighten rtol and atol of the integrator by a factor of 100."
        factor = (10.0 * max(too_large, 1.0)) ** (-1.0 / self.order)
        said = f"Try step={rounded_down(step * min(max(factor, 1e-3), 0.5)):g}"
        is_first = at_order_1 and getattr(self.solution.method, "order", 99) == 1
        return f"{said}, or order=2 of the method." if is_first else f"{said}."
