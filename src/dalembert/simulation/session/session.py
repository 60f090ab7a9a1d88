"""A run that is steered while it goes: opened once, advanced bit by bit, parameters turned, pulled.

A session is what a live view shows, and knows nothing of any page. It is used by one thread at a
time.
"""

from __future__ import annotations

import math
import time as clocks
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.enforcement.protocol import Method
from dalembert.errors import OptionError, SimulationError
from dalembert.integration.protocol import Integrator
from dalembert.model.basics.names import nearest
from dalembert.model.core.model import Model
from dalembert.model.core.without_constraints import without
from dalembert.simulation.actions.part import hinge_angles
from dalembert.simulation.actions.perform import check_released
from dalembert.simulation.hybrid.log import Happening
from dalembert.simulation.motion.turns import Turns
from dalembert.simulation.prepare import announce, options
from dalembert.simulation.prepare.controllers import Controller
from dalembert.simulation.prepare.counted_angles import counted
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.on_tree import on_tree
from dalembert.simulation.prepare.prepare import begin, begin_at, decided
from dalembert.simulation.prepare.setup import Setup, values_of
from dalembert.simulation.prepare.step_choice import with_step
from dalembert.simulation.results.energies import energies
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.session.actions import Acting
from dalembert.simulation.session.for_engine import Taken
from dalembert.simulation.session.nearest_state import State, nearest_state
from dalembert.simulation.session.present_run import FAR, PresentRun, checked_events
from dalembert.simulation.session.pull import Grip, take_hold
from dalembert.simulation.session.samples import KeptSamples, Sample, solution_of
from dalembert.simulation.session.tunable import Knob, slipped
from dalembert.simulation.session.variant import Variant

Array = NDArray[np.float64]


class Session(Acting, Taken):
    """A run that is steered while it goes.

    Parameters
    ----------
    model : Model
    step, method, integrator, formulation, initial, start, parameters, controllers :
        as for `simulate`, which makes the same steps
        Without a step the integrator has error control; every `advance` then ends where asked.
        After `reset` or a change of a parameter controllers are called from that moment on.
    mode : "stepping" or "events"   how contacts and stops are met, as for `simulate`
    events, released : as for `simulate`
        Events with an action act while the session goes on; `act` does the same at once.
    record : bool
        Keep a sample of every `advance`, for `solution`.

    Attributes
    ----------
    t, q, v             the present state
    model : Model       with the present values of the parameters; numbers of forces, constant
        drives and gravity have become parameters: "motor.stall_torque", "gravity.z"
    knobs : tuple of Knob   everything `set_parameter` takes, with a sensible range
    grip : Grip or None     what is being pulled
    log : what happened since the last reset, as of a solution
    released : names of joints and constraints that do not act
    failure : SimulationError or None   why the run stopped; `reset` or a parameter may help

    Examples
    --------
    >>> import dalembert as dl
    >>> session = dl.Session(dl.catalog.load("pendulum"), step=1e-3)
    >>> session.advance(0.5)
    0.5
    >>> session.set_parameter("l", 2.0)  # the bob moves to the nearest place with this length
    >>> round(float(np.hypot(*session.q)), 12)
    2.0
    """

    def __init__(
        self,
        model: Model,
        *,
        step: float | None = None,
        method: Method | None = None,
        integrator: Integrator | None = None,
        formulation: str = "auto",
        initial: Any = None,
        start: float = 0.0,
        parameters: Mapping[Any, float] | None = None,
        controllers: Sequence[Controller] = (),
        mode: str = "stepping",
        events: Sequence[Event] = (),
        released: Sequence[Any] = (),
        record: bool = False,
    ) -> None:
        model = options.model_with(model, parameters, "Session")
        self._events = checked_events(model, events)
        self._released = check_released(model, released)
        self.method, self.integrator = options.choose(
            method, integrator, step, without(model, self._released), mode=mode
        )
        step, self.step_reason = with_step(step, self.method, model, initial, FAR, controllers)
        options.check_options(
            start + FAR, start, step, None, None, "raise", self.integrator, self.method
        )
        self.step_length = None if step is None else float(step)
        self._adaptive = self.integrator.finds_steps(self.method)
        self._full, self._start = model, (formulation, initial, float(start), tuple(controllers))
        self._variants: dict[frozenset[str], Variant] = {}
        self._log: list[Happening] = []
        self._take(self._variant())
        self._slips: dict[str, float] = {}
        self.recording = record
        self.grip: Grip | None = None
        with announce.compiling(self.method):
            self.reset()

    def __repr__(self) -> str:
        length = "" if self.step_length is None else f" of {self.step_length:g} s"
        stopped = "" if self.failure is None else f", stopped by {type(self.failure).__name__}"
        text = f"Session({self.model.name!r}, t = {self.t:g} s, {self.steps} steps{length}"
        return f"{text}, {self.method!r}{stopped})"

    # -- state ---------------------------------------------------------------------------------

    @property
    def t(self) -> float:
        """The present moment  [s]."""
        return self._present.going.t

    @property
    def q(self) -> Array:
        """Coordinates."""
        return self._state()[0]

    @property
    def v(self) -> Array:
        """Velocities."""
        return self._state()[1]

    def _state(self) -> tuple[Array, Array]:
        """Coordinates and velocities of the model itself, whatever those of the run are."""
        return self._present.state

    @property
    def parameters(self) -> dict[str, float]:
        """Present values by name, in the order of `knobs`."""
        values = self.model.parameters
        return {knob.name: values[knob.name] for knob in self.knobs}

    @property
    def failure(self) -> SimulationError | None:
        """Why the run stopped, if it did."""
        return self._present.going.failure

    @property
    def grips(self) -> tuple[str, ...]:
        """Names of what can be pulled: bodies, and points of a model of formulas."""
        return tuple(self._hand.names)

    @property
    def steps(self) -> int:
        """Steps since the last reset or change of a parameter."""
        return self._present.going.steps

    def measured(self) -> Sample:
        """Accelerations, multipliers and violation at the present state."""
        return self._present.measured(self._hand, self.grip, self._bound)

    def drift(self) -> tuple[float, float]:
        """Largest violation of position and velocity rows at the present state."""
        return self._present.drift(self._hand, self.grip)

    def energy(self) -> tuple[float, float | None]:
        """Kinetic energy, that of rotors included, and potential energy  [J].

        None where the model states no potential.
        """
        t, q, v = np.array([self.t]), self.q[None], self.v[None]
        with np.errstate(all="ignore"):
            turned = Turns.of(self.model, t, q, v, self._present.run.angles_now[None])
            kinetic, potential = energies(self.model, t, q, v, turned)
        moving = float(kinetic[0]) + self._present.energy_of_rotors
        return moving, None if potential is None else float(potential[0])

    # -- going on ------------------------------------------------------------------------------

    def advance(self, duration: float, *, budget: float = math.inf) -> float:
        """Go on for `duration` seconds; returns by how much time has advanced.

        A fixed step takes as many whole steps as fit; what is left over counts for the next time.

        Parameters
        ----------
        budget : float
            Seconds of the wall clock after which it stops early.

        Raises
        ------
        SimulationError     the run cannot go on from here; the state is the last good one
        """
        self._refuse_failed()
        if not duration >= 0.0 or not math.isfinite(duration):
            raise OptionError(f"advance: {duration!r} is not a time. Give seconds, 0 or more.")
        from_ = self.t
        goal, began = from_ + duration, clocks.perf_counter()
        self._present.going.advance(duration, budget)
        while self._present.going.met is not None:
            self._meet()
            left = budget - (clocks.perf_counter() - began)
            self._present.going.advance(max(0.0, goal - self.t), max(0.0, left))
        if self.recording and self.t > from_:
            self._samples.keep(self.measured)
        return self.t - from_

    def step(self) -> float:
        """One step of the integrator; returns its length  [s]."""
        self._refuse_failed()
        from_ = self.t
        self._present.going.step()
        if self._present.going.met is not None:
            self._meet()
        if self.recording:
            self._samples.keep(self.measured)
        return self.t - from_

    def _refuse_failed(self) -> None:
        if self.failure is not None:
            raise self.failure

    # -- steering ------------------------------------------------------------------------------

    def reset(self) -> None:
        """Back to the start, with the present parameters; what was recorded is forgotten."""
        now = self.parameters
        phases = {name: now[name] - slip for name, slip in self._slips.items()}
        model = self.model.with_parameters(**phases)
        setup = begin(self._built, model, self._wanted)
        self._built = decided(self._built, setup)
        self._log = []
        self._open(setup, None)
        self._slips = {}

    def set_parameter(self, name: Any, value: float) -> None:
        """Give a parameter another value and go on from the nearest state that fits it."""
        self.set_parameters({name: value})

    def set_parameters(self, values: Mapping[Any, float]) -> None:
        """Give parameters other values and go on from the nearest state that fits them.

        Nothing is compiled. The configuration is moved onto the constraints, as little as possible
        measured by mass, and the velocities after it. Where it has far to go the change is made in
        small pieces, so that a mechanism stays in its way of being put together. A drive that is to
        turn faster goes on from where it is; its ".phase" tells by how much it is off the formula.

        Raises
        ------
        OptionError, ModelError     no such parameter, or a value that cannot be
        SimulationError             the mechanism does not close with it; nothing has changed
        """
        asked = options.by_name(values)
        now = self.parameters
        for name in asked:
            if name not in now:
                known = nearest(name, list(now))
                raise OptionError(f"Model {self.model.name!r} has no parameter {name!r}{known}")
        if all(now[name] == value for name, value in asked.items()):
            return
        slips = slipped(self.model, self.t, asked)
        asked |= {name: now[name] + slip for name, slip in slips.items()}
        model = self.model.with_parameters(**asked)
        angles = self._angles()
        present = State(self.model, self.t, self.q, self.v, angles)
        start = nearest_state(self._built.system, self.method, present, model, asked)
        on = None
        tree, run = self._built.tree, self._present.run
        if tree is not None:
            near, turned, numbers = np.array(run.q), counted(run).copy(), values_of(tree, model)
            on = on_tree(tree, numbers, self._built.system, start, near, turned)
        self._open(begin_at(self._built, model, self._wanted, start, on), angles)
        for name, slip in slips.items():
            self._slips[name] = self._slips.get(name, 0.0) + slip

    def reset_parameters(self) -> None:
        """The values the model came with."""
        own = {knob.name: knob.value for knob in self.knobs if knob.name not in self._slips}
        self.set_parameters(own)

    def pull(self, on: Any, at: Any, target: Any, *, strength: float = 1.0) -> None:
        """Pull a point towards a place, by a spring that is critically damped with the body's mass.

        Parameters
        ----------
        on : a body or its name; a point of a model of formulas; or {point: share} for one between
        at : 3 numbers      where on the body, in its own frame  [m]; None for its origin or a point
        target : 3 numbers  place in space  [m]
        strength : float    of the spring, over m (10 rad/s)^2
        """
        state, step = (self.t, self.q, self.v), self.step_length
        self.grip = take_hold(self._hand, self.model, state, on, at, target, strength, step)
        self._write_grip()

    def release(self) -> None:
        """Let go."""
        self.grip = None
        self._write_grip()

    def held_point(self) -> Array | None:
        """Where the point that is pulled is now  [m]."""
        if self.grip is None:
            return None
        state = (self.t, self.q, self.v)
        found: Array = self._hand.held(self.model, self.grip.weights, self.grip.at, state)
        return found

    def pull_force(self) -> Array:
        """Force of the hand on the mechanism now  [N]; without the damper's part."""
        place = self.held_point()
        if self.grip is None or place is None:
            return np.zeros(3)
        return np.asarray(self.grip.stiffness * (self.grip.target - place))

    # -- results -------------------------------------------------------------------------------

    def solution(self) -> Solution:
        """The solution recorded since the last reset or change of a parameter.

        Accelerations and multipliers are those of the moment, the hand's pull included.
        """
        if not self._samples.kept:
            raise OptionError(
                "Session: nothing was recorded. Make it with record=True, then advance."
            )
        return self._solution(self._samples.kept)

    def snapshot(self) -> Solution:
        """The present moment alone, for whatever reads a solution: reactions, for example."""
        return self._solution([self.measured()])

    def _solution(self, samples: Sequence[Sample]) -> Solution:
        setup = replace(self._present.setup, model=self.plain_model)
        return solution_of(setup, self._present.run, self._bound, samples)

    @property
    def plain_model(self) -> Model:
        """The user's model with the present parameters, as it was given where nothing else changed.

        Only when a number was turned that has no name in it, `model` itself.
        """
        now = self.parameters
        own = {knob.name: now[knob.name] for knob in self.knobs if knob.group == "parameter"}
        if any(k.value != now[k.name] for k in self.knobs if k.group != "parameter"):
            return self.model
        return self._given.with_parameters(**own)

    # -- private -------------------------------------------------------------------------------

    def _angles(self) -> Array:
        """Angles of the model itself whose turns are counted, turns included."""
        if self._built.tree is not None:
            self.measured()
        return self._present.angles()

    def _open(
        self,
        setup: Setup,
        angles: Array | None,
        before: PresentRun | None = None,
        fired: Sequence[Event] = (),
    ) -> None:
        """A new run from a consistent state; nothing is left of the last one but its turns."""
        hinges = None
        if angles is not None:
            last = self._present
            hinges = hinge_angles(last.setup.model, last.run.angles_now, setup.model)
        self._present: PresentRun = PresentRun(
            self._built, setup, self._adaptive, angles, hinges, self._watched, before
        )
        self.model = setup.model
        self._samples = KeptSamples()
        self._write_grip()
        self._present.run.warm()
        self._present.forget(fired)
        if self.recording:
            self._samples.keep(self.measured)

    def _write_grip(self) -> None:
        self._present.write_grip(self._hand, self.grip)


__all__ = ["Knob", "Session"]
