"""Coefficients, and the memory of a step of collocation.

Vectors of all stages hold one stage behind the other.
"""

from __future__ import annotations

from dalembert._divided import Divided
from dalembert._jit import kernel
from dalembert._memory import over
from dalembert._native import matrix_view
from dalembert._records import Matrix, Numbers, value
from dalembert.system.state_layout import State

LARGE = 1600
"""Size of the state above which no matrix is made, about 120 bodies."""

NO_MATRIX, FACTORED, WANTED = range(3)
"""Values of `integrator_flag`."""


@value
class Stretch:
    """The time that stages cover: from t to t + h, a part of the whole step."""

    t: float
    h: float
    whole: float


@value
class Scheme:
    """Coefficients, with the state of a run."""

    state: State
    C: Numbers
    A: Matrix
    D: Numbers
    T: Matrix
    inverse: Matrix
    eigen: Matrix

    @property
    def stages(self):
        """How many."""
        return self.C.shape[0]

    @property
    def n(self):
        """Numbers of a state."""
        return self.state.nq + self.state.nv

    @property
    def nq(self):
        """Coordinates of a state."""
        return self.state.nq

    @property
    def side(self):
        """Side of F; 0 where no matrix is made."""
        return self.n if self.n <= LARGE else 0

    @property
    def factor_floats(self):
        """Numbers of the factors of all blocks: of one stage, or of a pair of them."""
        return factor_count(self.stages) * self.side * self.side

    @property
    def own(self):
        """Memory of a step."""
        return Stages(self, self.state.integrator_scratch)


@kernel
def factor_count(stages):
    """Matrices as large as F that the factors of all blocks take."""
    return stages % 2 + 4 * (stages // 2)


class Stages(Divided, by=Scheme):
    """The scratch of the integrator."""

    ends: Numbers = over("6 * nq")  # of the step, for output (`protocol.Ends`)
    F: Matrix = over("side", "side")  # derivatives of the rates
    factors: Numbers = over("factor_floats")  # of the blocks, one behind the other
    pivots: Numbers = over("stages * n")  # their interchanges
    z: Numbers = over("stages * n")  # Z, all stages less the start of the step
    rates: Numbers = over("stages * n")  # f
    change: Numbers = over("stages * n")  # W
    polynomial: Numbers = over("stages * n")  # Z of the last step
    best: Numbers = over("stages * n")  # Z that will do if all else fails
    x: Numbers = over("n")  # a state
    first: Numbers = over("n")  # the state that the step began with
    step_of_factors: float
    noise_of_rates: float
    step_of_polynomial: float  # 0: there is none
    rough: float  # 1: stages accepted next to a singular position
    polynomial_end: float  # time since the polynomial began, in its steps
    fallback: float  # 1: the best stages will do

    def block(self, start, size):
        """Factors of a block, a matrix."""
        return matrix_view(self.factors, start, size, size)
