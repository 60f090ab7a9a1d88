"""Coefficients, matrices, vectors of all stages and memory of a step of collocation.

Vectors of all stages hold one stage behind the other. The scratch of the integrator holds, in this
order: the ends of the step for output, F, the factors of the blocks, their interchanges, Z, f, W,
the polynomial, the best stages, x, the start of the step, and `Kept`.
"""

from __future__ import annotations

from dalembert._native import matrix_view
from dalembert._records import Matrix, Numbers, Place, value
from dalembert.system.state_layout import State

LARGE = 1600
"""Size of the state above which no matrix is made, about 120 bodies."""

NO_MATRIX, FACTORED, WANTED = range(3)
"""Values of `integrator_flag`."""

Z, RATES, CHANGE, POLYNOMIAL, BEST = range(5)
VECTORS = 5
"""Vectors of all stages."""


class Kept(Place):
    """Numbers that are remembered from step to step."""

    class numbers:
        step_of_factors: float
        noise_of_rates: float
        step_of_polynomial: float  # 0: there is none
        rough: float  # 1: stages accepted next to a singular position
        polynomial_end: float  # time since the polynomial began, in its steps
        fallback: float  # 1: the best stages will do


@value
class Stretch:
    """The time that stages cover: from t to t + h, a part of the whole step."""

    t: float
    h: float
    whole: float


@value
class Scheme:
    """Coefficients, with the state and the scratch of a run."""

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
    def side(self):
        """Side of F; 0 where no matrix is made."""
        return self.n if self.n <= LARGE else 0

    @property
    def F(self):
        """Derivatives of the rates."""
        room = self.state.integrator_scratch
        return matrix_view(room, 6 * self.state.nq, self.side, self.side)

    @property
    def first_block(self):
        """Where the factors begin, behind F."""
        return 6 * self.state.nq + self.side * self.side

    @property
    def first_pivot(self):
        """Where their interchanges begin."""
        s = self.stages
        return self.first_block + (s % 2 + 4 * (s // 2)) * self.side * self.side

    @property
    def first_vector(self):
        """Where the vectors of all stages begin."""
        return self.first_pivot + self.stages * self.n

    def block(self, start, size):
        """Factors of a block."""
        return matrix_view(self.state.integrator_scratch, start, size, size)

    def pivots(self, start, size):
        """Interchanges of a block."""
        return self.state.integrator_scratch[start : start + size]

    def vector(self, which):
        """A vector of all stages."""
        length = self.stages * self.n
        start = self.first_vector + which * length
        return self.state.integrator_scratch[start : start + length]

    @property
    def x(self):
        """A state."""
        start = self.first_vector + VECTORS * self.stages * self.n
        return self.state.integrator_scratch[start : start + self.n]

    @property
    def first(self):
        """The state the step began with."""
        start = self.first_vector + (VECTORS * self.stages + 1) * self.n
        return self.state.integrator_scratch[start : start + self.n]

    @property
    def kept(self):
        """Numbers that are remembered."""
        start = self.first_vector + (VECTORS * self.stages + 2) * self.n
        return Kept(self.state.integrator_scratch, start)
