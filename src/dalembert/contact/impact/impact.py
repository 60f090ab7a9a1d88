"""An impact: closed contacts with their W, and the room in which impulses are sought.

    u = q + W x,    x_n >= least  |  u_n >= 0,    |x_t| <= mu x_n,    x_t against u_t

is the problem that the laws pose once or twice (`coulomb`), for those contacts that are members.

Resistance to spin, or to rolling, is one more member: it has no normal of its own, and the x_n of
the contact that it belongs to, its owner, bounds it,  |x_t| <= mu x_n(owner),  x_t against u_t.
"""

from dalembert._jit import kernel
from dalembert._records import Integers, Matrix, Numbers, value
from dalembert.contact.impact.pivots import floats_of_pivots
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.vector import Vec3

HEAD, PER_CONTACT, PER_ROW = 5, 5, 8
"""Numbers of the room: of all, of a contact, of a row. Of all: the law that acted, the part of the
expansion that was kept, and `speed`, `noise` and `floor`."""

ORDER = 24
"""Terms of the series of `slip`, of which there are SERIES."""

SERIES = 5


def room_length(count: int, n: int) -> int:
    """Length of the room for so many contacts and rows."""
    own = HEAD + PER_CONTACT * count + PER_ROW * n + n * n + SERIES * (ORDER + 1)
    return own + floats_of_pivots(count)


@value
class Impact:
    """Contacts and room; what is said of rows and contacts holds for members only."""

    count: int
    n: int
    first: Integers
    dim: Integers
    owner: Integers
    mu: Numbers
    W: Matrix
    room: Numbers

    def rows_at(self, k):
        """The k-th numbers a row."""
        at = HEAD + PER_CONTACT * self.count + k * self.n
        return self.room[at : at + self.n]

    def contacts_at(self, k):
        """The k-th numbers a contact."""
        at = HEAD + k * self.count
        return self.room[at : at + self.count]

    @staticmethod
    def law_in(room, count, c):
        """Law that acted on a contact, as a number of the room."""
        return room[HEAD + 3 * count + c]

    @property
    def member(self):
        """Above zero: the contact has a part in what is sought."""
        return self.contacts_at(0)

    @property
    def least(self):
        """Normal impulse that a contact has in every case."""
        return self.contacts_at(1)

    @property
    def weight(self):
        """Mean diagonal of a contact's own W."""
        return self.contacts_at(2)

    @property
    def law(self):
        """Law that acted."""
        return self.contacts_at(3)

    @property
    def island(self):
        """Number of the island."""
        return self.contacts_at(4)

    @property
    def speed(self):
        """The largest velocity before the impact: what others are compared with."""
        return self.room[2]

    @property
    def noise(self):
        """Rounding of q."""
        return self.room[3]

    @property
    def floor(self):
        """Rounding of v at the best impulses."""
        return self.room[4]

    @property
    def x(self):
        """Impulses."""
        return self.rows_at(0)

    @property
    def v(self):
        """Velocities at x."""
        return self.rows_at(1)

    @property
    def q(self):
        """Velocities without x."""
        return self.rows_at(2)

    @property
    def best(self):
        """Impulses with the smallest residual."""
        return self.rows_at(3)

    @property
    def kept(self):
        """Impulses of a phase before."""
        return self.rows_at(4)

    @property
    def swept(self):
        """Impulses where the sweeps have ended."""
        return self.rows_at(5)

    @property
    def step(self):
        """Right-hand side of a linear system, and its answer."""
        return self.rows_at(6)

    @property
    def place(self):
        """Rows of the members, one after the other."""
        return self.rows_at(7)

    @property
    def matrix(self):
        """A matrix of n x n, row by row."""
        at = HEAD + PER_CONTACT * self.count + PER_ROW * self.n
        return self.room[at : at + self.n * self.n]

    @property
    def series(self):
        """Coefficients of power series."""
        at = HEAD + PER_CONTACT * self.count + PER_ROW * self.n + self.n * self.n
        return self.room[at : at + SERIES * (ORDER + 1)]

    @property
    def pivots(self):
        """Room of `pivots`."""
        at = HEAD + PER_CONTACT * self.count + PER_ROW * self.n + self.n * self.n
        return self.room[at + SERIES * (ORDER + 1) :]

    def response(self, c):
        """A contact's own W; a direction that it does not have responds to nothing."""
        W, i = self.W, self.first[c]
        if self.owner[c] >= 0:
            if self.dim[c] == 1:
                return Sym3(0.0, W[i, i], 0.0, 0.0, 0.0, 0.0)
            return Sym3(0.0, W[i, i], W[i + 1, i + 1], 0.0, 0.0, W[i, i + 1])
        if self.dim[c] == 1:
            return Sym3(W[i, i], 0.0, 0.0, 0.0, 0.0, 0.0)
        if self.dim[c] == 2:
            return Sym3(W[i, i], W[i + 1, i + 1], 0.0, W[i, i + 1], 0.0, 0.0)
        a, b = i + 1, i + 2
        return Sym3(W[i, i], W[a, a], W[b, b], W[i, a], W[i, b], W[a, b])

    def rows_of(self, x, c):
        """Normal and tangents of a contact; the normal of a resistance is that of its owner."""
        i, d, owner = self.first[c], self.dim[c], self.owner[c]
        if owner >= 0:
            return Vec3(x[self.first[owner]], x[i], x[i + 1] if d > 1 else 0.0)
        return Vec3(x[i], x[i + 1] if d > 1 else 0.0, x[i + 2] if d > 2 else 0.0)

    def put_rows(self, x, c, given):
        """Write normal and tangents of a contact; the normal of an owner stays."""
        i, d = self.first[c], self.dim[c]
        if self.owner[c] >= 0:
            x[i] = given.y
            if d > 1:
                x[i + 1] = given.z
            return
        x[i] = given.x
        if d > 1:
            x[i + 1] = given.y
        if d > 2:
            x[i + 2] = given.z

    def friction(self, c):
        """Coefficient of friction; none without tangents."""
        return self.mu[c] if self.dim[c] > 1 or self.owner[c] >= 0 else 0.0


@kernel
def weigh(impact):
    """Mean diagonal of every contact's own W; 1 where there is none."""
    for c in range(impact.count):
        W = impact.response(c)
        mean = (W.xx + W.yy + W.zz) / impact.dim[c]
        impact.weight[c] = mean if mean > 0.0 else 1.0


@kernel
def copied(n, x, y):
    """y = x."""
    for i in range(n):
        y[i] = x[i]


@kernel
def work_of(impact, u, p):
    """Change of kinetic energy, p . (u + W p / 2) with u before, and the size of its terms."""
    gain, size = 0.0, 0.0
    for i in range(impact.n):
        if p[i] != 0.0:
            mean = u[i]
            for k in range(impact.n):
                mean += 0.5 * impact.W[i, k] * p[k]
            gain += p[i] * mean
            size += abs(p[i]) * max(abs(u[i]), abs(mean))
    return gain, size
