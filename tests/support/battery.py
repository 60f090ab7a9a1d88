"""What the batteries share: the systems they run on, and how a violation is measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from tests.support import mechanisms

import dalembert as dl
from dalembert.enforcement import METHODS
from dalembert.formulas import evaluate, symbols, time
from dalembert.integration import INTEGRATORS, RK4
from dalembert.mechanics.motion import displace
from dalembert.simulation.prepare.arrays import Opened, open_run
from dalembert.simulation.prepare.consistent import make_consistent, open_checked
from dalembert.simulation.prepare.initial_state import read_initial
from dalembert.simulation.prepare.reduction import reduced
from dalembert.simulation.prepare.start import Start
from dalembert.system import borders
from dalembert.system.build import build
from dalembert.system.state_layout import State

MACHINE = 1e-12
"""Scaled violation that counts as machine precision: thousands of roundings, far below any step."""


@dataclass(frozen=True)
class Case:
    """A system with a step every stable method can take and the period of its motion."""

    name: str
    make: Callable[[], dl.Model]
    step: float
    period: float
    gains: dict[str, Any] = field(default_factory=dict, hash=False)
    """Methods whose gains the bodies' small inertias ask for."""

    def method(self, name: str) -> Any:
        """The method of this name, with gains that suit the system."""
        return self.gains.get(name) or METHODS[name]()

    def model(self) -> dl.Model:
        """A new model: some tests add rows to it."""
        return self.make()


def _catalog(name: str, **options: Any) -> Callable[[], dl.Model]:
    return lambda: dl.catalog.load(name, **options)


# Periods: pendulum 4 K(1/2) sqrt(l/g); the linkages by events; prescribed motions by their formula.
PENDULUM = Case("pendulum", _catalog("pendulum"), 1e-2, 2.3678)
SLIDER_CRANK = Case(
    "slider-crank", _catalog("slider-crank", l2=1.5, torque=0.0, damping=0.0), 1e-2, 2.5835
)
FOUR_BARS = Case("four-bars", _catalog("four-bars"), 2e-3, 1.9425)
DOUBLE_PENDULUM = Case("double-pendulum", _catalog("double-pendulum"), 1e-2, 1.0)
BIPED = Case("biped-1", _catalog("biped", exercise=1), 1e-2, 2.0)
TOWING_TANK = Case("towing-tank", _catalog("towing-tank"), 1e-2, 1.25)
SLEIGH = Case("sleigh", _catalog("sleigh"), 1e-2, 2.0)
ROLLING_DISC = Case("rolling-disc", _catalog("rolling-disc"), 1e-2, 2.0)

# Bodies; their periods by events, where the motion has one.
SOFT = {"penalty": dl.Penalty(stiffness=1e3, damping=5.0)}
TUMBLING_BAR = Case("tumbling-bar", mechanisms.tumbling_bar, 1e-2, 1.0)
HINGED_BAR = Case("hinged-bar", mechanisms.hinged_bar, 1e-2, 1.97162, SOFT)
BALL_BAR = Case("ball-bar", mechanisms.spherical_pendulum, 1e-2, 1.5, SOFT)
LOOP = Case("loop", mechanisms.four_bar, 1e-2, 3.56598, SOFT)
DRIVEN_ARM = Case("driven-arm", mechanisms.driven_arm, 5e-3, 1.0, SOFT)
ROLLING_BODY = Case("rolling-body", mechanisms.rolling_disc, 1e-2, 1.0, SOFT)

REGULAR = (PENDULUM, SLIDER_CRANK, BIPED, TOWING_TANK, HINGED_BAR)
"""Holonomic, rows always independent, periodic; the third and fourth with prescribed motion."""
HOLONOMIC = (*REGULAR, FOUR_BARS, BALL_BAR, LOOP, DRIVEN_ARM)
"""The four-bars pass two singular positions in each turn; the loop of bodies has 20 rows of rank
17; the driven arm has prescribed motion."""
NONHOLONOMIC = (SLEIGH, ROLLING_DISC, ROLLING_BODY)
BODIES = (HINGED_BAR, BALL_BAR, LOOP, DRIVEN_ARM, ROLLING_BODY)


def doubled(model: dl.Model) -> dl.Model:
    """The same model with every row said twice."""
    if model.is_maximal:
        for joint in list(model.joints.values()):
            model.add_joint(replace(joint, name=f"{joint.name} again"))
    for constraint in list(model.constraints):
        model.constrain(*constraint.rows, name=f"{constraint.name} again")
    return model


def together(once: dl.Solution, twice: dl.Solution) -> np.ndarray:
    """Multipliers of doubled rows, each pair added, in the order of the rows said once."""
    names = list(twice.row_names)
    owners = [c for c in once.constraint_slices for _ in range(_count(once, c))]
    pairs = []
    for owner, name in zip(owners, once.row_names, strict=True):
        again = name.replace(owner, f"{owner} again", 1)
        pairs.append((names.index(name), names.index(again)))
    first, second = np.array(pairs).T
    return np.asarray(twice.lam[:, first] + twice.lam[:, second])


def _count(solution: dl.Solution, constraint: str) -> int:
    return int(solution.lam[0, solution.constraint_slices[constraint]].size)


def sharp(method):
    """The same method with the finest tolerance, where it has one."""
    if "tolerance" not in {f.name for f in fields(method)}:
        return method
    return replace(method, tolerance=1e-12)


def felt_once(method: Any) -> Any:
    """The method for doubled rows: a spring on the same row twice is twice the spring."""
    if hasattr(method, "stiffness"):
        return replace(method, stiffness=method.stiffness / 2, damping=method.damping / 2)
    return method


def run(model: dl.Model, method: Any, until: float, step: float, **options: Any) -> dl.Solution:
    """A run with RK4, or with the method's own discretisation."""
    return dl.simulate(model, until=until, step=step, method=method, **options)


def attempt(*args: Any, **options: Any) -> dl.Solution | dl.errors.DalembertError:
    """What `simulate` gives: a solution, or the error it ends with."""
    try:
        return dl.simulate(*args, **options)
    except dl.errors.DalembertError as error:
        return error


def stable_run(model: dl.Model, method: Any, until: float, step: float) -> dl.Solution:
    """`run` with the step halved until gains that are set by no step become stable."""
    for _ in range(8):
        try:
            solution = run(model, method, until, step)
        except dl.errors.SimulationError:
            step /= 2
            continue
        if np.max(np.abs(solution.v), initial=0.0) < 1e3:
            return solution
        step /= 2
    raise AssertionError(f"{method!r} is unstable down to a step of {step} s")


def jacobian(solution: dl.Solution) -> np.ndarray:
    """J at every sample, (k, m, n), evaluated without compiled code where it is small."""
    model = solution.model
    if model.is_maximal:
        return _body_jacobian(solution)
    e = build(model).equations
    formulas = [entry for row in e.J for entry in row]
    values: dict[Any, Any] = {time: solution.t}
    for i, x in enumerate(model.coordinates):
        values[x], values[x.dot] = solution.q[:, i], solution.v[:, i]
    for leaf in symbols(formulas, "parameter"):
        values[leaf] = model.parameters[leaf.name]
    series = [np.broadcast_to(s, solution.t.shape) for s in evaluate(formulas, values)]
    shape = (e.rows, len(model.coordinates), len(solution.t))
    return np.array(series, dtype=float).reshape(shape).transpose(2, 0, 1)


def _body_jacobian(solution: dl.Solution) -> np.ndarray:
    model = solution.model
    system = build(model)
    work, sizes = open_checked(system, [model.parameters[n] for n in system.parameter_names])
    J = []
    for t, q, v in zip(solution.t, solution.q, solution.v, strict=True):
        borders.evaluate(work, sizes, t, q.copy(), v.copy())
        J.append(system.jacobian(State(work, sizes)))
    return np.array(J)


def moved(model: dl.Model, q: np.ndarray, change: np.ndarray) -> np.ndarray:
    """q (+) change: a small displacement along velocities."""
    system = build(model)
    work, sizes = open_checked(system, [model.parameters[n] for n in system.parameter_names])
    place = q.copy()
    displace(work, sizes, 1.0, change, place)
    return place


def violation(solution: dl.Solution) -> dict[str, np.ndarray]:
    """Largest violation at each sample, over the size of its row and of the state."""
    size = np.sqrt((jacobian(solution) ** 2).sum(axis=2)).max(axis=0, initial=1e-300)
    q = max(1.0, np.abs(solution.q).max())
    v = max(1.0, np.abs(solution.v).max())
    holonomic = solution.phi.shape[1]
    return {
        "position": np.abs(solution.phi / (size[:holonomic] * q)).max(axis=1, initial=0.0),
        "velocity": np.abs(solution.phi_dot / (size * v)).max(axis=1, initial=0.0),
    }


def worst(solution: dl.Solution) -> dict[str, float]:
    """Largest scaled violation of the whole run, by level."""
    return {level: float(series.max()) for level, series in violation(solution).items()}


def opened(model: dl.Model, method: Any, integrator: Any = None) -> tuple[Any, Start, Opened]:
    """The packed arrays of a run that has not begun."""
    system = build(model)
    values = [model.parameters[name] for name in system.parameter_names]
    start = make_consistent(system, values, 0.0, *read_initial(model, None), limit=0.1, move=True)
    chosen = reduced(system, values, method, start)
    return system, start, open_run(chosen, values, method, integrator or RK4())


def combinations() -> list[tuple[str, str | None]]:
    """Every method with every integrator, and once alone if it brings its own discretisation."""
    pairs: list[tuple[str, str | None]] = []
    for method, kind in METHODS.items():
        pairs += [(method, integrator) for integrator in INTEGRATORS]
        if kind.advance is not None:
            pairs.append((method, None))
    return pairs
