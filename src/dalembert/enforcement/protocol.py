"""The protocol of methods: parameters, hooks, facts.

| hook | called | may write |
|---|---|---|
| begin_step | once, at the accepted state | corrections held for the step |
| rates | in every stage | q', v', lam (and, for partitioning, the stage's own q, v) |
| end_step | once, after the integrator | q, v |
| advance | instead of an integrator | q, v |
| backward | by an integrator of backward differences | q, v, and the method's own unknowns |

A method with `advance` brings its own time discretisation; it is refused together with another,
unless it has `backward` and the integrator asks for it.
The facts are claims: the conformance battery checks every one of them.
"""

from __future__ import annotations

import numbers
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, cast

from dalembert._jit import Border
from dalembert.errors import OptionError
from dalembert.model.basics.unchanging import Settled

Level = Literal["position", "velocity", "acceleration"]
Drift = Literal["machine", "step", "bounded", "grows"]


@dataclass(frozen=True)
class Method(Settled):
    """Base of all enforcement methods: the facts and the hooks, with their neutral values."""

    levels: ClassVar[frozenset[Level]] = frozenset()
    """Levels on which the constraint is imposed."""
    drift: ClassVar[Drift] = "grows"
    """'machine': rounding at any step; 'step': a power of the step, not of time; 'bounded': set
    by gains; 'grows': with time."""
    redundant: ClassVar[bool] = True
    """Tolerates dependent rows."""
    order: ClassVar[int] = 99
    """Convergence order it does not spoil."""
    velocity_rows: ClassVar[bool] = True
    """Accepts velocity (nonholonomic) constraints."""
    form: ClassVar[str] = "automatic"
    """Form of the linear solve, a key of `mechanics.dense.FORMS`."""
    traceable: ClassVar[bool] = True
    """`rates` may be specialised to straight-line code for a small model."""
    own_multipliers: ClassVar[bool] = False
    """`state.lam` holds the method's own multipliers after a step."""
    needs_tangent: ClassVar[bool] = False
    uses_matrices: ClassVar[bool] = False
    """Reads M and J as full matrices on bodies too, which limits their number."""
    keeps_to_borders: ClassVar[bool] = False
    """Reaches M and J through factor, solve and respond only, whatever stands behind them."""
    inverts_mass: ClassVar[bool] = False
    """Needs M^-1 by itself: bodies without inertia about an axis are refused."""
    moves_rates: ClassVar[bool] = False
    """q' differs from N v by a correction."""
    rates_know_step: ClassVar[bool] = False
    """Rates contain the length of the step as a gain: those of other steps are other equations."""
    impulses: ClassVar[bool] = False
    """Solves for impulses: keeps one-sided rows and contacts, too."""
    locates: ClassVar[bool] = False
    """Goes from event to event (`simulation.hybrid`)."""

    rates: ClassVar[Border | None] = None
    begin_step: ClassVar[Border | None] = None
    end_step: ClassVar[Border | None] = None
    advance: ClassVar[Border | None] = None
    backward: ClassVar[Border | None] = None
    interpolate_prepare: ClassVar[Border | None] = None
    interpolate: ClassVar[Border | None] = None
    """Continuous output of a method with its own step; None: that of the integrators."""

    def stepping(self, integrator: Any) -> Border:
        """The border that takes steps with an integrator."""
        own = self.steps_itself(integrator)
        return cast("Border", self.advance if own else integrator.advance)

    def steps_itself(self, integrator: Any) -> bool:
        """Whether time advances by the method's own formula; None: without another."""
        served = self.backward is not None and integrator is not None and integrator.backward
        return self.advance is not None and not served

    def goes_between(self, integrator: Any) -> bool:
        """Whether an integrator takes those of this method's steps in which nothing is near."""
        return False

    def step_borders(self, integrator: Any, shapes: bool) -> list[Border | None]:
        """Borders that a step calls, the longest first; `shapes`: with contact."""
        return [self.stepping(integrator), self.begin_step, self.end_step]

    def options(self) -> list[float]:
        """Floats for `state.options`, in the order in which the kernels' `Options` declare them."""
        return []

    def flag(self) -> int:
        """Integer for `state.method_flag`."""
        return 0

    def scratch(self, nq: int, nv: int, holonomic: int, rows: int) -> int:
        """Floats of private workspace: the length of the kernels' `Room`."""
        return 0

    def scratch_start(self, system: Any) -> list[float]:
        """Floats that the workspace begins with, where they depend on the system's rows."""
        return []

    def refuse(self, system: Any, integrator: Any, step: float | None) -> str | None:
        """A sentence when this method cannot treat this system, else None."""
        return None

    def describe(self) -> str:
        """Name and parameters in one line."""
        values = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self))
        return f"{type(self).__name__}({values})"


def is_number(value: Any) -> bool:
    """Whether a parameter is a real number: a text, a list or True are none."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def require_positive(owner: str, name: str, value: float) -> None:
    """Refuse a parameter that is not a positive finite number."""
    if not is_number(value) or not (value > 0 and value < float("inf")):
        raise OptionError(f"{owner}: {name} is {value!r}. Give a positive number.")


def require_not_negative(owner: str, name: str, value: float) -> None:
    """Refuse a parameter that is negative or not finite."""
    if not is_number(value) or not (value >= 0 and value < float("inf")):
        raise OptionError(f"{owner}: {name} is {value!r}. Give zero or a positive number.")
