"""`evaluate`: the equations of motion at one state, without a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.enforcement import Projection
from dalembert.errors import OptionError
from dalembert.integration import RK4
from dalembert.model.core.model import Model
from dalembert.simulation.prepare.asked_turns import asked_turns
from dalembert.simulation.prepare.consistent import make_consistent
from dalembert.simulation.prepare.equations_at import equations_at
from dalembert.simulation.prepare.initial_state import read_initial
from dalembert.simulation.prepare.options import by_name
from dalembert.simulation.prepare.prepare import Built, Wanted, begin_at
from dalembert.simulation.results import to_solution
from dalembert.simulation.results.reaction import Reaction
from dalembert.simulation.results.samples import Samples
from dalembert.simulation.results.solution import Solution
from dalembert.system.build import build

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """The equations of motion at one state:  M a = force + J^T lam,  J a = rhs.

    Attributes
    ----------
    t : float           moment  [s]
    q, v : (n,)         the state, as it was given; a body has 7 and 6 entries
    M : (nv, nv)        mass matrix; of bodies about their centres of mass, world axes
    force : (nv,)       Q(q, v, t): everything on the right-hand side but constraint forces
    J : (m, nv)         Jacobian of the constraint rows, dPhi/dt = J v + Phi_t
    rhs : (m,)          what J a must be
    phi, phi_dot        residuals of the holonomic rows, and of all rows on the velocity level
    a : (nv,)           accelerations
    lam : (m,)          multipliers
    coordinate_names, velocity_names, row_names : of the entries
    solution : Solution of that one sample

    Notes
    -----
    Contacts and limits are not in it: their impulses depend on a step.
    """

    M: Array
    force: Array
    J: Array
    rhs: Array
    solution: Solution

    @property
    def t(self) -> float:
        """The moment  [s]."""
        return float(self.solution.t[0])

    @property
    def q(self) -> Array:
        """Coordinates."""
        return np.asarray(self.solution.q[0])

    @property
    def v(self) -> Array:
        """Velocities."""
        return np.asarray(self.solution.v[0])

    @property
    def a(self) -> Array:
        """Accelerations."""
        return np.asarray(self.solution.a[0])

    @property
    def lam(self) -> Array:
        """Multipliers: the generalised constraint force is J^T lam."""
        return np.asarray(self.solution.lam[0])

    @property
    def phi(self) -> Array:
        """Residuals of the holonomic rows."""
        return np.asarray(self.solution.phi[0])

    @property
    def phi_dot(self) -> Array:
        """Residuals of all rows on the velocity level."""
        return np.asarray(self.solution.phi_dot[0])

    @property
    def bias(self) -> Array:
        """The force with the other sign:  M a + bias = J^T lam."""
        return -self.force

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the entries of q."""
        return self.solution.coordinate_names

    @property
    def velocity_names(self) -> tuple[str, ...]:
        """Names of the entries of v, a and force."""
        return self.solution.velocity_names

    @property
    def row_names(self) -> tuple[str, ...]:
        """Names of the rows of J."""
        return self.solution.row_names

    def __getitem__(self, signal: Any) -> Any:
        """Value of anything that is a signal of a solution: a formula, ``"knee.angle.ddot"``."""
        found = self.solution[signal][0]
        return float(found) if np.ndim(found) == 0 else found

    def reaction(self, name: Any, **options: Any) -> Reaction:
        """Force and torque of a joint or constraint, with the options of `Solution.reaction`."""
        return self.solution.reaction(name, **options)

    def __repr__(self) -> str:
        n, m = len(self.force), len(self.rhs)
        return (
            f"Evaluation({self.solution.model.name!r}, t = {self.t:g} s, M {n} x {n}, J {m} x {n})"
        )


def evaluate(
    model: Model,
    state: Any = None,
    *,
    t: float = 0.0,
    parameters: Mapping[Any, float] | None = None,
) -> Evaluation:
    """Mass matrix, forces, Jacobian, residuals, accelerations and reactions at one state.

    Parameters
    ----------
    model : Model of any kind
    state : dict {coordinate, velocity, or a name of it: value}, or a pair of arrays (q, v)
        As `initial` of `simulate`; what is missing is the model's own start. It is taken as it is,
        and not moved onto the constraints: `phi` says how far it is off.
    t : float           moment  [s]
    parameters : dict {parameter or its name: value}

    Examples
    --------
    >>> import dalembert as dl
    >>> at = dl.evaluate(dl.catalog.load("pendulum"), {"x": 0.0, "y": -1.0, "x.dot": 2.0})
    >>> at.M.tolist(), at.J.tolist(), at.phi.tolist()
    ([[1.0, 0.0], [0.0, 1.0]], [[0.0, -2.0]], [0.0])
    >>> at.a[1].item(), at.lam.tolist()  # towards the pivot with v^2 / l
    (4.0, [-6.905])
    """
    if not isinstance(model, Model):
        raise OptionError(f"evaluate: {model!r:.60} is not a model. Give a dl.Model.")
    if parameters is not None:
        model = model.with_parameters(**by_name(parameters))
    q, v = read_initial(model, state)
    turned = asked_turns(model, state, build(model), float(t), q)
    at = equations_at(model, float(t), q, v, turned)
    system, values = at.system, at.values
    wound = None if turned is None else turned.wound_of(system)
    start = make_consistent(system, values, float(t), q, v, limit=np.inf, move=False, angles=wound)
    wanted = Wanted(Projection(), RK4(), formulation="maximal", start=float(t), consistent=False)
    setup = begin_at(Built(model, system, None), model, wanted, start)
    angles = None if turned is None else turned.angles[None, :]
    samples = Samples(np.array([float(t)]), q[None, :], v[None, :], angles=angles)
    facts: dict[str, Any] = {"status": 0, "message": "", "statistics": {}, "worst": {}}
    return Evaluation(at.M, at.force, at.J, at.rhs, to_solution.compose(setup, samples, (), facts))
