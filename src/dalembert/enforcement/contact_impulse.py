"""Contact impulses: joints, limits, motors, dry friction and contacts in one problem a step.

    A (v+ - v*) = J^T lam,    v* = v + h A^-1 Q,    q+ = q (+) h v+
    K_i contains lam_i  |  u_i + R_i lam_i + Gamma_i(u_i)  in K_i*    for every block (contact.md 2)

A time-stepping scheme of Moreau's type (1988): velocities and impulses, so that impacts, sliding
and sticking need no case distinction and no event location. The law is Signorini's and the exact
round cone of Coulomb; nothing is regularised unless a stiffness is given. Gaps and joints are then
closed in a pass of their own, which moves positions and never velocities (`contact.position_pass`).

Of first order. Choose it for anything that touches; where nothing does, the smooth methods are more
accurate.
"""

from dataclasses import dataclass
from typing import Any

from dalembert._jit import border
from dalembert.contact import memory
from dalembert.contact.borders import solve_impulses
from dalembert.contact.step import step
from dalembert.enforcement.protocol import Method
from dalembert.system.borders import OK, STEPPING
from dalembert.system.layout import (
    INTEGRATOR_SCRATCH,
    NQ,
    NV,
    START_Q,
    START_V,
    scratch_vector,
    vector,
)


@border(STEPPING)
def advance(work, sizes, t, h, q, v):
    """One step."""
    return step(work, sizes, t, h, q, v)


@border(STEPPING)
def linear_prepare(work, sizes, t, h, q, v):
    """Continuous output of a step: its end, besides its start in START_Q and START_V."""
    end = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, 0, sizes[NQ] + sizes[NV])
    for i in range(sizes[NQ]):
        end[i] = q[i]
    for k in range(sizes[NV]):
        end[sizes[NQ] + k] = v[k]
    return OK


@border(STEPPING)
def linear(work, sizes, t, h, q, v):
    """State at the fraction `t` of the step, on a straight line: forces may jump within it."""
    end = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, 0, sizes[NQ] + sizes[NV])
    q0, v0 = vector(work, sizes, START_Q, NQ), vector(work, sizes, START_V, NV)
    for i in range(sizes[NQ]):
        q[i] = q0[i] + t * (end[i] - q0[i])
    for k in range(sizes[NV]):
        v[k] = v0[k] + t * (end[sizes[NQ] + k] - v0[k])
    return OK


@dataclass(frozen=True)
class ContactImpulse(Method):
    """Impulses of joints, limits, motors and contacts from one problem a step."""

    solver: str = "auto"
    tolerance: float | None = None
    strict: bool = False

    levels = frozenset({"position", "velocity"})
    drift = "step"
    order = 1
    own_multipliers = True
    impulses = True
    advance = advance
    interpolate_prepare = linear_prepare
    interpolate = linear

    solve_border = solve_impulses

    def write_settings(self, integers: Any, numbers: Any, size: float) -> None:
        """Options into the memory of contact; `size`: smallest bounding radius  [m]."""
        numbers[memory.SLOP] = 1e-5 * size
        numbers[memory.THRESHOLD] = 1e-3
        numbers[memory.PUSH_SPEED] = 1.0
        numbers[memory.TOLERANCE] = 0.0 if self.tolerance is None else self.tolerance
        integers[memory.STRICT] = int(self.strict)
