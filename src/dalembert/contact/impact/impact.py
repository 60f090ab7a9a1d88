"""An impact: closed contacts with their W, and the room in which impulses are sought.

    u = q + W x,    x_n >= least  |  u_n >= 0,    |x_t| <= mu x_n,    x_t against u_t

is the problem that the laws pose once or twice (`coulomb`), for those contacts that are members.

Resistance to spin, or to rolling, is one more member: it has no normal of its own, and the x_n of
the contact that it belongs to, its owner, bounds it,  |x_t| <= mu x_n(owner),  x_t against u_t.
"""

from dalembert._divided import Divided
from dalembert._jit import kernel
from dalembert._memory import over
from dalembert._records import Integers, Matrix, Numbers, value
from dalembert.contact.impact.pivots import floats_of_pivots
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.vector import Vec3

ORDER = 24
"""Terms of the power series of `slip`, less one."""


@value
class Contacts:
    """Contacts that are closed, and how their rows respond.

    first, dim : first row of a contact, and how many: normal, and none, one or two tangents
    owner : -1; of a resistance to spin or rolling (one row or two, no normal) its contact
    mu, e : friction and restitution
    W : response of the rows, symmetric and positive semidefinite, of any rank
    """

    first: Integers
    dim: Integers
    owner: Integers
    mu: Numbers
    e: Numbers
    W: Matrix

    @property
    def count(self):
        """How many contacts there are."""
        return len(self.first)

    @property
    def n(self):
        """How many rows they have."""
        return self.W.shape[0]

    @property
    def terms(self):
        """Length of a power series."""
        return ORDER + 1


@value
class Series:
    """Power series of sliding that turns (`slip`)."""

    a: Numbers  # u_t1
    b: Numbers  # u_t2
    r: Numbers
    n: Numbers  # u_n
    m: Numbers


class Impact(Divided, by=Contacts):
    """Contacts and room; what is said of rows and contacts holds for members only."""

    acted: float  # the law that did in the last `strike`
    expansion: float  # part of that of Poisson's law: less than 1 where energy would have grown
    speed: float  # the largest velocity before the impact: what others are compared with
    noise: float  # rounding of q
    floor: float  # rounding of v at the best impulses
    member: Numbers = over("count")  # above zero: the contact has a part in what is sought
    least: Numbers = over("count")  # normal impulse that a contact has in every case
    weight: Numbers = over("count")  # mean diagonal of a contact's own W
    law: Numbers = over("count")  # law that acted
    island: Numbers = over("count")  # number of the island
    x: Numbers = over("n")  # impulses
    v: Numbers = over("n")  # velocities at x
    q: Numbers = over("n")  # velocities without x
    best: Numbers = over("n")  # impulses with the smallest residual
    compression: Numbers = over("n")  # impulses of a phase before
    swept: Numbers = over("n")  # impulses where the sweeps have ended
    step: Numbers = over("n")  # right-hand side of a linear system, and its answer
    place: Numbers = over("n")  # rows of the members, one after the other
    matrix: Numbers = over("n * n")  # row by row
    series_a: Numbers = over("terms")
    series_b: Numbers = over("terms")
    series_r: Numbers = over("terms")
    series_n: Numbers = over("terms")
    series_m: Numbers = over("terms")
    pivots: Numbers = over("floats_of_pivots")  # room of `pivots`

    @property
    def count(self):
        """How many contacts there are."""
        return self.state.count

    @property
    def n(self):
        """How many rows they have."""
        return self.state.n

    @property
    def first(self):
        """First rows of the contacts."""
        return self.state.first

    @property
    def dim(self):
        """How many rows each has."""
        return self.state.dim

    @property
    def owner(self):
        """The contact that bounds a resistance; -1 of others."""
        return self.state.owner

    @property
    def W(self):
        """Response of the rows."""
        return self.state.W

    @property
    def series(self):
        """Power series."""
        return Series(self.series_a, self.series_b, self.series_r, self.series_n, self.series_m)

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
        return self.state.mu[c] if self.dim[c] > 1 or self.owner[c] >= 0 else 0.0


def room_length(count: int, n: int) -> int:
    """Length of the room for so many contacts and rows."""
    more = {"terms": ORDER + 1, "floats_of_pivots": floats_of_pivots(count)}
    return Impact.length(count=count, n=n, **more)


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
