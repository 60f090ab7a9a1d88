"""Contact impulses: joints, limits, motors, dry friction and contacts in one problem a step.

    A (v+ - v*) = J^T lam,    v* = v + h A^-1 Q,    q+ = q (+) h v+
    K_i contains lam_i  |  u_i + R_i lam_i + Gamma_i(u_i)  in K_i*    for every block (contact 1)

A time-stepping scheme of Moreau's type (1988): velocities and impulses, so that impacts, sliding
and sticking need no case distinction and no event location. The law is Signorini's and the exact
round cone of Coulomb; nothing is regularised unless a stiffness is given. Gaps and joints are then
closed in a pass of their own, which moves positions and never velocities
(`contact.step.position_pass`).

Where nothing is near a step is that of the default method and integrator (`contact.step.smooth`).

Forces, joints and gaps are those of the middle of the step: of second order as long as nothing
hits. With ``order=1``, and with joints by default while something pushes, those of its start.
Choose it for anything that touches.
"""

from dataclasses import dataclass, fields
from typing import Any, cast

from dalembert._jit import Border, border
from dalembert._memory import Part, over
from dalembert._records import Numbers
from dalembert.contact.given.choose import write_options
from dalembert.contact.run.run_layout import ContactRun, contact_of, was_smooth
from dalembert.contact.solvers.automatic import QUICK, AutomaticContact
from dalembert.contact.solvers.comparison.friction import BoxFriction, Pyramid, friction_of
from dalembert.contact.solvers.newton import NewtonContact
from dalembert.contact.solvers.solver import LARGE_TOLERANCE, SMALL, ContactSolver
from dalembert.contact.solvers.table import (
    name_of,
    place_of,
    require_one_of,
    solver_of,
    wants_least_norm,
)
from dalembert.contact.step.controlled import controlled_step
from dalembert.contact.step.controlled_output import output_of_halves, prepare_halves
from dalembert.contact.step.impulses import solve_border
from dalembert.contact.step.restitution import NEWTON_LAW, POISSON_LAW
from dalembert.contact.step.smooth import prepare_freely
from dalembert.contact.step.step import step
from dalembert.contact.step.step_problem import find_contacts
from dalembert.enforcement.protocol import Method, require_not_negative, require_positive
from dalembert.errors import OptionError
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK, STEPPING
from dalembert.system.state_layout import State

SLOP, FAST_SLOP = 1e-5, 1e-3
"""Penetration that is not pushed out, over the size of the smallest shape; with "fast"."""

FEW, POLISHED, SMALL_TOLERANCE = 128, 1e-3, 1e-8
"""Bodies up to which a scene at rest that is solved to the tolerance (by default the last number)
is brought down to this part of it: what is left makes resting bodies creep."""

UNNOTICED, LEAST_TOLERANCE = 1e-5, 1e-12
"""Residual of a step over the tolerance that steps follow  [m/s], and the least."""

PUSH_SPEED = 1.0
"""At which deep penetrations are pushed out  [m/s]."""


_call = STEPPING.call


class Output(Part, of=State):
    """End of a step, for continuous output."""

    q: Numbers = over("nq")
    v: Numbers = over("nv")


@border(STEPPING)
def output_prepare(state: State, t, h, q, v):
    """Keep the end of a step; its start is in `start_q` and `start_v`."""
    if was_smooth(state):
        return prepare_freely(state, t, h, q, v)
    run = contact_of(state)
    if run.controlled == 1:
        prepare_halves(state, run, q, v)
        return OK
    end = Output(state, state.integrator_scratch)
    copy(q, end.q)
    copy(v, end.v)
    return OK


@border(STEPPING)
def output(state: State, t, h, q, v):
    """State at the fraction `t` of the step, on a straight line where forces may jump within it."""
    if was_smooth(state):
        return _call(state.smooth_output, *state, t, h, q, v)
    run = contact_of(state)
    if run.controlled == 1:
        output_of_halves(state, run, t, h, q, v)
        return OK
    end, q0, v0 = Output(state, state.integrator_scratch), state.start_q, state.start_v
    for i in range(state.nq):
        q[i] = q0[i] + t * (end.q[i] - q0[i])
    for k in range(state.nv):
        v[k] = v0[k] + t * (end.v[k] - v0[k])
    return OK


PROFILES = {"fast": (0.0, QUICK), "default": (0.0, 0), "accurate": (1e-9, 150)}
"""Tolerance [m/s] and budget of the default solver; 0: its own. "fast" has the tolerances of
"default" and little work for what is hard: what rests is solved, and what moves goes on in the next
step from where it was left."""

RESTITUTION = {"newton": NEWTON_LAW, "poisson": POISSON_LAW}
LOCATED = ("energetic", "routh")
"""Laws of impacts that are located in time."""


@dataclass(frozen=True)
class ContactImpulse(Method):
    """Impulses of joints, limits, motors and contacts from one problem a step.

    Parameters
    ----------
    solver : str or ContactSolver       "auto", "newton", "interior", "nsgs", "admm", "convex",
        "lemke", "pgs"; with parameters as in "pgs:sweeps=20"
    friction : Pyramid, BoxFriction or None     what stands for the cone, for pyramid solvers; also
        "pyramid", "pyramid8" (its edges) or "box"
    tolerance : float or None           residual of the laws at which a step is solved  [m/s]
    profile : "fast", "default" or "accurate"   tolerance and budget where none is given; "fast"
        bounds the work of a step instead, for piles
    forces : "nearest" or "min_norm"    how dependent contacts share a load: as near to the last
        step as the laws allow, or with the least norm of all impulses
    restitution : "newton", "poisson", "energetic" or "routh"   law of impacts: e times the speed
        before, guarded against gains of energy by Poisson's; or e times the impulse of compression,
        with friction of both phases; or e^2 times the work of compression; or Poisson's with
        friction that follows the sliding as it changes (both with located events only)
    impacts : "simultaneous" or "sequential"    contacts that are struck at one instant together,
        or one after the other, as in Newton's cradle (located events only)
    stabilised : float or None          time [s] in which gaps of closed contacts and velocities of
        their rows die out between events, instead of being closed after every step (located events
        only; theory of contact, section 20)
    order : 1, 2 or None                2: forces, joints and gaps in the middle of the step; None:
        2, but with joints 1 while something pushes, where 2 takes up to four times as long
    strict : bool                       a step that is not solved to the tolerance ends the run
    slop : float or None                penetration that is not pushed out  [m]; None: 1e-5 of the
        smallest shape, 1e-3 with "fast"
    threshold : float                   normal speed up to which nothing bounces, that with which
        it would leave  [m/s]
    smooth : bool                       steps in which nothing is near are those of `Projection` and
        `RK4`, or of the explicit integrator that is given, as if there were neither stops nor
        shapes (`contact.step.smooth`); not where `order` is 1
    sleeping : bool                     what rests, held by contacts alone, is left alone until
        something touches, pulls or moves it (`contact.step.sleeping`)

    Examples
    --------
    >>> import dalembert as dl
    >>> block = dl.catalog.load("incline", angle=30.0, friction=0.5, speed=1.0)
    >>> method = dl.ContactImpulse(order=2)
    >>> solution = dl.simulate(block, until=1.0, step=5e-3, method=method)
    >>> float(solution["block.x"][-1].round(6))  # 1 + (sin 30 - 0.5 cos 30) g / 2
    1.328573
    """

    solver: str | ContactSolver = "auto"
    friction: Pyramid | BoxFriction | None = None
    tolerance: float | None = None
    profile: str = "default"
    forces: str = "nearest"
    restitution: str = "newton"
    impacts: str = "simultaneous"
    stabilised: float | None = None
    order: int | None = None  # type: ignore[misc,assignment]
    strict: bool = False
    slop: float | None = None
    threshold: float = 1e-3
    sleeping: bool = False
    smooth: bool = True

    levels = frozenset({"position", "velocity"})
    drift = "step"
    own_multipliers = True
    impulses = True
    advance = step
    interpolate_prepare = output_prepare
    interpolate = output

    def __post_init__(self) -> None:
        require_one_of("ContactImpulse", "profile", self.profile, [*PROFILES])
        require_one_of("ContactImpulse", "restitution", self.restitution, [*RESTITUTION, *LOCATED])
        require_one_of("ContactImpulse", "impacts", self.impacts, ["simultaneous", "sequential"])
        if self.order not in (None, 1, 2):
            raise OptionError(f"ContactImpulse: order is {self.order!r:.60}. Give 1 or 2.")
        for name in ("strict", "sleeping", "smooth"):
            given = getattr(self, name)
            if given not in (True, False):
                raise OptionError(f"ContactImpulse: {name} is {given!r:.60}. Give True or False.")
        if self.friction is not None:
            object.__setattr__(self, "friction", friction_of("ContactImpulse", self.friction))
        if self.tolerance is not None:
            require_positive("ContactImpulse", "tolerance", self.tolerance)
        if self.slop is not None:
            require_positive("ContactImpulse", "slop", self.slop)
        if self.stabilised is not None:
            require_positive("ContactImpulse", "stabilised", self.stabilised)
        require_not_negative("ContactImpulse", "threshold", self.threshold)
        wants_least_norm("ContactImpulse", self.contact_solver(), self.forces)

    def describe(self) -> str:
        """Name, solver and whatever else is not the default."""
        said = [f"solver={self.solver!r}"]
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name != "solver" and value != field.default:
                said.append(f"{field.name}={value!r}")
        return f"ContactImpulse({', '.join(said)})"

    def refuse(self, system: Any, integrator: Any, step: float | None) -> str | None:
        if not getattr(system, "is_tree", False) or system.in_full().extents.dense:
            return None
        return (
            f"ContactImpulse takes M of a tree from a full matrix, for which {system.extents.nv} "
            "velocities are too many. Use formulation='maximal'."
        )

    def contact_solver(self) -> ContactSolver:
        """The solver with its friction."""
        solver: Any = solver_of(self.solver)
        if self.friction is None:
            return cast("ContactSolver", solver)
        if not hasattr(solver, "with_friction"):
            raise OptionError(
                f"ContactImpulse: {type(solver).__name__} works with the round cone, not with"
                f" {self.friction!r}. Leave friction out, or take ProjectedGaussSeidel or Lemke."
            )
        return cast("ContactSolver", solver.with_friction(self.friction))

    @property
    def solve_border(self) -> Border:
        """The function that solves the problem of a step."""
        return solve_border(name_of(self.contact_solver()))

    def step_borders(self, integrator: Any, shapes: bool) -> list[Border | None]:
        """The solver, the step, what finds contacts."""
        return [self.solve_border, self.stepping(integrator), find_contacts if shapes else None]

    def goes_between(self, integrator: Any) -> bool:
        fixed = integrator is not None and integrator.explicit and not integrator.adaptive
        return bool(fixed and self.smooth and self.order != 1)

    def stepping(self, integrator: Any) -> Border:
        return controlled_step if integrator.controls_impulses else super().stepping(integrator)

    def may_be_smooth(self, drives: bool, one_sided: bool) -> bool:
        """Whether a model has steps without impulses; with `drives` something acts in every one.

        Without anything that is `one_sided` the step of this method is what was asked for. One of
        first order has its position at an impact off by its own way, which steps of its own kind
        make up for before and after it, and others do not.
        """
        return self.smooth and self.order != 1 and one_sided and not drives

    def write_tolerance(self, run: ContactRun, rtol: float) -> None:
        """Options that are chosen otherwise where steps follow a tolerance, if it is not given.

        The residual that a step may have is a part of its error, which is not to be noticed. Steps
        are of second order, with joints, too: they are so much longer.
        """
        run.plain_order = run.second_order * (1 - run.order_by_step)
        if self.order is None:
            run.second_order, run.order_by_step = 1, 0
        usual = SMALL_TOLERANCE if run.cliques <= SMALL else LARGE_TOLERANCE
        wanted = max(UNNOTICED * rtol, LEAST_TOLERANCE)
        if self.tolerance is None and self.contact_solver().tolerance is None and wanted < usual:
            run.tolerance = run.step_tolerance = wanted
            run.polished = min(run.polished, wanted)

    def write_settings(self, run: ContactRun, size: float, jointed: bool, smooth: bool) -> None:
        """Options into the memory of contact; `size`: smallest bounding radius  [m].

        `jointed`: whether joints or constraints hold anything; `smooth`: `may_be_smooth`.
        """
        solver = self.contact_solver()
        tolerance, budget = PROFILES[self.profile]
        if not isinstance(solver, AutomaticContact):
            budget = 0
        tolerance = self.tolerance or solver.tolerance or tolerance
        slop = FAST_SLOP if self.profile == "fast" else SLOP
        run.slop = slop * size if self.slop is None else self.slop
        run.threshold, run.push_speed = self.threshold, PUSH_SPEED
        run.tolerance = run.step_tolerance = tolerance
        few = run.cliques <= FEW and isinstance(solver, (AutomaticContact, NewtonContact))
        if few and self.profile != "fast":
            run.polished = POLISHED * (tolerance or SMALL_TOLERANCE)
        run.budget, run.solver = budget or solver.budget(), place_of(solver)
        run.strict, run.sleeping, run.smooth = int(self.strict), int(self.sleeping), int(smooth)
        order = self.order or (1 if jointed and not smooth else 2)
        run.second_order = int(order == 2)
        run.order_by_step = int(self.order is None and jointed and smooth)
        run.poisson = RESTITUTION.get(self.restitution, POISSON_LAW)
        write_options(solver, run.problem)
