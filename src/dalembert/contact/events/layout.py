"""Memory of a phase: the contacts that are closed in it, their rows, and room to solve for forces.

A phase is the stretch between two events. Its contacts and their modes are fixed; Python writes
them between steps (`simulation.hybrid`), kernels read them.
"""

from dalembert._memory import Part, over
from dalembert._native import matrix_view
from dalembert._records import Numbers, Place
from dalembert.numerics.orthogonal import Orthogonal
from dalembert.system.state_layout import State

MOST = 32
"""Contacts that a phase can hold; with more a run goes on with steps of impulses."""
ROWS = 3 * MOST

IDLE, SMOOTH, STICK, SLIP, HELD, AT_LEAST, AT_MOST, SERVO, LOCKED, TURNING, PRESSED = range(11)
"""Modes: closed without a force; without friction; at rest or sliding along its surface. Of drives:
at their speed, with the least or the largest force, with gains. Of resistance to spin or rolling:
it holds, or it is overcome. Of soft stops and shapes: their spring and damper push. Their friction
is a resistance that their push bounds."""


class Active(Place):
    """A contact of the phase, or its resistance to spin (one row) or to rolling (two rows).

    Rows of a resistance are of lengths: angular velocities times `Phase.size`. Friction of what
    is soft is a resistance, too, to sliding.
    """

    class numbers:
        side: float  # one-sided row; -1: of two shapes
        shape_a: float
        shape_b: float
        feature_high: float  # the number of the feature, of 64 bits, as high * SPLIT + low
        feature_low: float
        mode: float
        dim: float  # rows: the normal, or the only one, and its tangents
        first: float  # of them
        mu: float
        gap: float
        toward_1: float  # direction of sliding at the start of the step, in the frame of tangents
        toward_2: float
        reserve: float  # part of mu lam_n that static friction has more than that of sliding
        rim_1: float  # of a cylinder on a plane: direction of its point, from the axis; 0: none
        rim_2: float
        rim_held: float  # 1: the point stays where it is in the cylinder, as others touch, too
        begins: float  # 1: it has begun to slide, or to leave its speed, and is hardly on its way
        owner: float  # of a resistance: 1 + the number of its contact, whose force bounds it
        slides: float  # 1: of a resistance to sliding

    @property
    def tangent(self):
        """The first of its tangents: behind the normal, which a resistance has not."""
        return int(self.first) + (1 if self.owner == 0.0 else 0)

    @property
    def tangents(self):
        """How many tangents it has."""
        return int(self.dim) - (1 if self.owner == 0.0 else 0)


ACTIVE = Active.entries("numbers")

SPLIT = 2**32
"""Numbers of features are beyond what a float holds exactly: two of them hold both halves."""

STENCIL = 4
"""Points on each side of a central difference of eighth order."""


class Phase(Part, of=State):
    """The part of a phase in the memory of a method."""

    contact_count: float
    row_count: float
    size: float  # of the smallest shape  [m]
    delta: float  # step of differences  [s]
    settling_time: float  # in which gaps die out  [s]; 0: they are closed after every step
    table: Numbers = over(f"{ACTIVE * MOST}")
    J: Numbers = over(f"{ROWS} * nv")
    Y: Numbers = over(f"{ROWS} * nv")  # responses to unit forces
    W: Numbers = over(f"{ROWS * ROWS}")
    A: Numbers = over(f"{ROWS * ROWS}")  # of the equations, decomposed where it stands
    R: Numbers = over(f"{ROWS * ROWS}")
    order: Numbers = over(f"{ROWS}")
    beta: Numbers = over(f"{ROWS}")
    gamma: Numbers = over(f"{ROWS}")
    u: Numbers = over(f"{ROWS}")  # velocities of rows
    bias: Numbers = over(f"{ROWS}")  # J' v
    free: Numbers = over(f"{ROWS}")  # accelerations of rows without their forces
    force: Numbers = over(f"{ROWS}")
    last_force: Numbers = over(f"{ROWS}")  # to which forces that are not unique are near
    equation: Numbers = over(f"{ROWS}")  # rows that have one
    b: Numbers = over(f"{ROWS}")
    x: Numbers = over(f"{ROWS}")
    y: Numbers = over(f"{ROWS}")
    scratch: Numbers = over(f"{ROWS}")
    unit: Numbers = over(f"{ROWS}")  # of a force: 1 / sqrt(W_ii)
    top: Numbers = over("nv")
    bottom: Numbers = over("rows")
    lam: Numbers = over("rows")
    vdot: Numbers = over("nv")
    q: Numbers = over("nq")
    vdot_end: Numbers = over("nv")  # of the state that was watched last
    lam_end: Numbers = over("rows")

    @property
    def contacts(self):
        """Number of contacts."""
        return int(self.contact_count)

    @property
    def rows(self):
        """Number of their rows."""
        return int(self.row_count)

    def contact(self, i):
        """The i-th contact."""
        return Active(self.table, ACTIVE * i)

    def jacobian(self, nv):
        """Rows of J."""
        return matrix_view(self.J, 0, self.rows, nv)

    def responses(self, nv):
        """Rows Y with M Y^T = J^T, constraints of the model kept."""
        return matrix_view(self.Y, 0, self.rows, nv)

    @property
    def delassus(self):
        """W = J Y^T."""
        return matrix_view(self.W, 0, self.rows, self.rows)

    def decomposed(self, m):
        """The matrix of m equations, and what belongs to its decomposition."""
        return Orthogonal(
            matrix_view(self.A, 0, m, m),
            self.order[:m],
            self.beta[:m],
            matrix_view(self.R, 0, m, m),
            self.gamma[:m],
        )


def phase_length(nq: int, nv: int, rows: int) -> int:
    """Floats that a phase needs."""
    return Phase.length(nq=nq, nv=nv, rows=rows)
