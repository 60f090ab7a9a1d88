"""`linearize`: the motion near any state as a linear model (analysis 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.analysis.equations.choose import equations_of
from dalembert.analysis.equations.constrained import Constrained
from dalembert.analysis.equations.onto_constraints import closed, is_between, moving, refuse_off
from dalembert.analysis.linear.chart import independent
from dalembert.analysis.linear.inputs import input_columns
from dalembert.analysis.linear.left_out import left_out
from dalembert.analysis.linear.linearization import Linearization
from dalembert.analysis.linear.outputs import output_formulas
from dalembert.analysis.linear.reduce import reduced
from dalembert.errors import OptionError
from dalembert.model.start.states import displaced
from dalembert.numerics.one_thread import one_thread
from dalembert.simulation.prepare.asked_turns import asked_turns
from dalembert.simulation.prepare.initial_state import read_initial
from dalembert.simulation.prepare.options import by_name
from dalembert.system.build import build


@one_thread()
def linearize(
    model: Any,
    state: Any = None,
    *,
    inputs: Sequence[Any] | None = None,
    outputs: Any = None,
    coordinates: Sequence[Any] | None = None,
    t: float = 0.0,
    parameters: Mapping[Any, float] | None = None,
) -> Linearization:
    """The motion near a state in independent coordinates:  x' = A x + B u,  y = C x + D u.

    Parameters
    ----------
    model : Model of any kind: of bodies or formulas, with loops, dependent rows, rolling
    state : dict, (q, v), an `Equilibrium` or an `Assembly`; by default the model's own start
        It need not be at rest. Values by name are put on the constraints, and so are arrays that
        miss them by less than 1e-4, as `Solution.at` does between samples; others are refused.
    inputs : names of parameters, joints, actuators, forces or coordinates
        One unit of a joint's name is a torque or force along its coordinate; of an actuator's a
        unit of its command; of a `Torque` itself, of a `Force` its components, "push.x".
    outputs : names of signals, formulas, or a dict {name: formula}
        Of places, velocities and accelerations ("bearing.angle.ddot").
    coordinates : names of independent coordinates; chosen if left out: those of joints first
    t : float           moment  [s]
    parameters : dict {parameter or its name: value}

    Returns
    -------
    Linearization       A, B, C, D, `modes()`, `frequency_response(...)`, `to_scipy()`, ...

    Notes
    -----
    Derivatives are exact. Contacts, limits and dry friction are left out: `.left_out` names them.
    Full turns of angles are those that were asked for by name, and those that gears, racks and
    screws tell; others are not known at a single state, and springs about hinges are taken within
    half a turn, as at the start of a run. At a singular position rows depend on one another that
    do not beside it, and a linear model says little; `doctor` tells whether a start is one.

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("pendulum")
    >>> rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0, axis="z"))
    >>> hinge = dl.Revolute(model.world, rod.at(z=0.5), axis="y", name="hinge")
    >>> _ = model.add_joint(hinge)
    >>> near = dl.linearize(model, inputs=["hinge"])
    >>> near.states
    ('hinge.angle', 'hinge.angle.dot')
    >>> near.A.round(3).tolist(), near.B.round(3).tolist()
    ([[0.0, 1.0], [-14.715, 0.0]], [[0.0], [3.0]])
    >>> near.modes()[0].frequency.round(6).item()
    3.836014
    """
    if parameters is not None:
        equations_of(model, "linearize")
        model = model.with_parameters(**by_name(parameters))
    equations_of(model, "linearize")
    if not np.isfinite(t):
        raise OptionError(f"linearize: t is {t}. Give a finite number.")
    q, v = state_of(model, state)
    equations = equations_of(model, "linearize", angles_of(model, state, float(t), q))
    if state is None or isinstance(state, Mapping):
        # values by name leave out what follows from them, as those of `simulate` do
        q = closed(equations, float(t), q)
        v = moving(equations, float(t), q, v)
    solved = Constrained(equations, equations.at(float(t), q, v))
    refuse_off(equations, solved, "linearize")
    if is_between(equations, solved):  # of `Solution.at`, which interpolates
        q = closed(equations, float(t), q)
        v = moving(equations, float(t), q, v)
        solved = Constrained(equations, equations.at(float(t), q, v))
    chart = independent(equations, solved, solved.a, coordinates)
    near = reduced(equations, solved, chart)
    names, push = input_columns(equations, solved.at, inputs)
    signals = output_formulas(model, outputs)
    y = equations.signals(list(signals.values()), solved.at, solved.a)
    nx, nu = len(chart.names), len(names)
    A = np.block([[near.Fx, near.Fw], [near.Gx, near.Gw]])
    B = np.concatenate([np.zeros((nx, nu)), near.Gu @ push])
    Cx = y.Yq @ near.Ux + y.Yv @ near.Vx + y.Ya @ near.Ax
    Cw = y.Yv @ near.Vw + y.Ya @ near.Aw
    return Linearization(
        A=A,
        B=B,
        C=np.concatenate([Cx, Cw], axis=1),
        D=y.Ya @ near.Au @ push,
        states=(*chart.names, *near.rates),
        inputs=tuple(names),
        outputs=tuple(signals),
        model=model,
        t=float(t),
        q=q,
        v=v,
        a=solved.a,
        y=y.y,
        near=near,
        drift=np.concatenate([chart.G @ v, near.second]),
        left_out=left_out(model),
        chosen=coordinates,
    )


def next_along(near: Linearization, turn: float = 1e-3) -> Linearization:
    """The linear model a little later along the motion, by a thousandth of a radian or metre."""
    model, q, v = near.model, near.q, near.v
    later = turn / max(1.0, float(np.abs(v).max(initial=0.0)))
    way, v = later * (v + 0.5 * later * near.a), v + later * near.a
    there = displaced(q, way) if model.is_maximal else q + way
    t = near.t + later
    equations = equations_of(model, "linearize", angles_of(model, None, t, there))
    there = closed(equations, t, there)
    state = there, moving(equations, t, there, v)
    return linearize(model, state, t=t, coordinates=near.chosen)


def angles_of(model: Any, state: Any, t: float, q: Any) -> dict[Any, float] | None:
    """Angles of hinges with their turns at a state; None where all are within half a turn."""
    if not model.is_maximal:
        return None
    turned = asked_turns(model, state, build(model), t, q)
    return None if turned is None else turned.known


def state_of(model: Any, state: Any) -> tuple[Any, Any]:
    """q and v of whatever a user gives as a state."""
    if hasattr(state, "q") and hasattr(state, "v"):
        q, v = np.asarray(state.q, dtype=float), np.asarray(state.v, dtype=float)
        if q.ndim == 1 and v.ndim == 1:
            return q, v
        raise OptionError(
            "state: this has many states. Give one, for example (solution.q[-1], solution.v[-1])."
        )
    return read_initial(model, state)
