"""Contacts given by W, q and mu as a memory, and what is left of their laws.

    u = W x + q,      W by columns, of each contact the rows in which it has entries (runs)

A contact has two rows (planar: normal, tangent) or three. The natural map of
`contact.algebra.residuals` is taken twice: with w, the mean diagonal of a contact's own W, which no
change of units alters, and with `plain`, a weight of one in the units the problem was given in, as
collections of problems do:

    left = w | x - P_K(x - (u + mu |u_t| n) / w) |,       its squares summed over the contacts.

Where impulses run away, as without a solution, u disappears beside w x and nothing seems left: the
rounding of w x counts as well.
"""

import math

from dalembert._jit import kernel
from dalembert._memory import Memory, over
from dalembert._records import Integers, Numbers, Place, value
from dalembert.contact.algebra.projections import cone
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3


class Run(Place):
    """Rows that follow one another, in which a contact's columns of W have entries."""

    class integers:
        row: int  # the first of them
        length: int
        entry: int  # where its entries begin: all of one column, then the next


class Own(Place):
    """A contact's own response; of a symmetric one the upper triangles count."""

    class numbers:
        response: Mat3
        inverse: Mat3


RUN, OWN = Run.entries("integers"), Own.entries("numbers")


class Contacts(Memory):
    """Contacts given by W, q and mu."""

    class integers:
        count: int  # contacts
        dim: int  # rows of one
        rows: int  # of all
        runs: int
        entries: int
        oblique: int  # 1: W is unsymmetric

    class lists:
        first_run: Integers = over("count + 1")
        run_table: Integers = over(f"{RUN} * runs")

    class numbers:
        x: Numbers = over("rows")
        u: Numbers = over("rows")
        q: Numbers = over("rows")
        mu: Numbers = over("count")
        weight: Numbers = over("count")  # w
        own_table: Numbers = over(f"{OWN} * count")
        last_x: Numbers = over("rows")  # where the last sweep ended
        last_u: Numbers = over("rows")
        good_x: Numbers = over("rows")  # the best that was looked at
        good_u: Numbers = over("rows")
        plain: float  # weight of one, in the units the problem was given in
        columns: Numbers = over("entries")  # of W, run by run

    @staticmethod
    def with_room(count, dim, runs, entries):
        """Room for so many contacts, runs and entries of W."""
        counts = {"count": count, "dim": dim, "rows": count * dim, "runs": runs}
        return Contacts.allocated({**counts, "entries": entries})

    def own(self, i):
        """The response of a contact to itself."""
        return Own(self.own_table, OWN * i)

    def runs_of(self, i):
        """Runs of a contact, to be gone through."""
        return Runs(self.run_table, self.first_run[i], self.first_run[i + 1])

    def impulse(self, i):
        """Impulse of a contact: normal and tangents."""
        return row_vector(self.x, i, self.dim)

    def velocity(self, i):
        """Velocity of a contact."""
        return row_vector(self.u, i, self.dim)


@value
class Runs:
    """Some runs one after the other."""

    table: Integers
    first: int
    end: int

    def __len__(self):
        return self.end - self.first

    def __getitem__(self, k):
        return Run(self.table, RUN * (self.first + k))


ROUNDING, EPSILON = 2e-15, 1.2e-16
"""Rounding of a natural map, over the impulses it is made of; of one number."""


@kernel
def row_vector(x, i, dim):
    """Normal and tangents of contact i; a planar one has a second tangent of zero."""
    at = dim * i
    return Vec3(x[at], x[at + 1], x[at + 2] if dim == 3 else 0.0)


@kernel
def left_over(x, u, mu, w):
    """Square of the natural map of one contact."""
    shift = mu * math.sqrt(u.y * u.y + u.z * u.z)
    z = Vec3(w * x.x - u.x - shift, w * x.y - u.y, w * x.z - u.z)
    left = w * x - cone(z, 1.0, 1.0, mu)
    return left.dot(left)


@kernel
def residual(contacts: Contacts):
    """Residual at x and u: the larger of both natural maps, rounding included.

    That with `plain` is left out where it is nothing but the rounding of large impulses. NaN
    anywhere gives infinity.
    """
    plain = contacts.plain
    own, other, size, pressed = 0.0, 0.0, 0.0, 0.0
    for i in range(contacts.count):
        x, u = contacts.impulse(i), contacts.velocity(i)
        mu, w = contacts.mu[i], contacts.weight[i]
        own += left_over(x, u, mu, w)
        other += left_over(x, u, mu, plain)
        square = x.dot(x)
        size, pressed = size + square, pressed + w * w * square
    own, other = math.sqrt(own) + EPSILON * math.sqrt(pressed), math.sqrt(other)
    if other > ROUNDING * plain * math.sqrt(size):
        own = max(own, other)
    return own if own < math.inf else math.inf


@kernel
def times(contacts: Contacts):
    """u = W x + q."""
    u, q = contacts.u, contacts.q
    for i in range(contacts.rows):
        u[i] = q[i]
    for i in range(contacts.count):
        x = contacts.impulse(i)
        if x.x != 0.0 or x.y != 0.0 or x.z != 0.0:
            add_columns(contacts, i, x)


@kernel
def add_columns(contacts: Contacts, i, change):
    """u += W change, of one contact's columns."""
    u, columns = contacts.u, contacts.columns
    for run in contacts.runs_of(i):
        row, length, entry = run.row, run.length, run.entry
        target = u[row : row + length]
        if contacts.dim == 3:
            add_three(target, change, columns[entry : entry + 3 * length], length)
        else:
            add_two(target, change, columns[entry : entry + 2 * length], length)


@kernel
def add_three(y, s, x, count):
    """y += s_0 x_0 + s_1 x_1 + s_2 x_2, columns one after the other."""
    a, b, c = s.x, s.y, s.z
    for k in range(count):
        y[k] += a * x[k] + b * x[count + k] + c * x[2 * count + k]


@kernel
def add_two(y, s, x, count):
    """y += s_0 x_0 + s_1 x_1."""
    for k in range(count):
        y[k] += s.x * x[k] + s.y * x[count + k]


@kernel
def figures(contacts: Contacts, still):
    """Figures of x, with u = W x + q: largest natural map, what is left of each law, work, counts.

    Returns that map, the largest speed of approach, |x_n u_n|, |x_t| - mu x_n and
    |x_t . u_t + mu x_n |u_t||, half of x . u, and how many stick and are open. A contact sticks
    that is inside its cone, or slides no faster than `still` and that map.
    """
    times(contacts)
    largest = 0.0
    for i in range(contacts.count):
        x, u = contacts.impulse(i), contacts.velocity(i)
        square = left_over(x, u, contacts.mu[i], contacts.weight[i])
        largest = max(largest, math.sqrt(square))
    approach, complementary, cone_left, dissipated, work = 0.0, 0.0, 0.0, 0.0, 0.0
    sticking, opening = 0, 0
    for i in range(contacts.count):
        x, u, mu = contacts.impulse(i), contacts.velocity(i), contacts.mu[i]
        slip = math.sqrt(u.y * u.y + u.z * u.z)
        friction, limit = math.sqrt(x.y * x.y + x.z * x.z), mu * x.x
        power = x.y * u.y + x.z * u.z
        approach = max(approach, -u.x)
        complementary = max(complementary, abs(x.x * u.x))
        cone_left = max(cone_left, friction - limit)
        dissipated = max(dissipated, abs(power + limit * slip))
        work += 0.5 * (x.x * u.x + power)
        if x.x <= 0.0:
            opening += 1
        elif mu > 0.0 and (friction < (1.0 - 1e-9) * limit or slip <= max(largest, still)):
            sticking += 1
    return largest, approach, complementary, cone_left, dissipated, work, sticking, opening
