"""Impulses of an impact by the law that is asked for: all contacts at once, or one by one.

Contacts that W does not join have nothing to do with each other: each island of them is struck by
itself, and has a law of its own in the end.

- Newton's law is guarded: where kinetic energy would grow Poisson's is taken.
- The energetic law is that of one contact. It is taken where one contact approaches and what it
  does cannot press any other of its island, nor is spin or rolling resisted there; elsewhere it is
  Poisson's in two phases.
- Where no impulses of a compression are found, with much friction, Newton's law takes its place.
- One by one: the approaching contact of lowest number by itself, until none approaches. If that
  has no end the rest is made an impact without expansion.
"""

from dalembert._jit import apart, kernel
from dalembert.contact.impact.impact import Impact, weigh
from dalembert.contact.impact.islands import find_islands
from dalembert.contact.impact.laws import (
    ENERGETIC,
    NEWTON,
    NO_ANSWER,
    NONE,
    OK,
    POISSON,
    POISSON_ROUTH,
    SEQUENTIAL,
)
from dalembert.contact.impact.newton import newton_law
from dalembert.contact.impact.poisson import compress, grows, poisson_law
from dalembert.contact.impact.routh import routh

APPROACHES = 1e-12
"""Speed of approach, over the largest velocity, that is none."""

REPEATS = 1000
"""Impacts one by one, times contacts, after which the rest is made one without expansion."""


@apart(int)
def strike(law, order, contacts, u, p, room):
    """Impulses p, and the velocities u + W p in u. Returns OK or NO_ANSWER.

    Parameters
    ----------
    law, order : of `laws`
    contacts : those that are closed
    u : velocities of the rows before; on return after the impact
    p : impulses of the rows, on return
    room : numbers, `room_length(count, n)` of them
    """
    impact = Impact(contacts, room)
    weigh(impact)
    impact.acted, impact.expansion = NONE, 1.0
    for i in range(impact.n):
        p[i] = 0.0
    for c in range(impact.count):
        impact.member[c], impact.law[c] = 1.0, NONE
    if order == SEQUENTIAL:
        return one_by_one(impact, law, contacts.e, u, p)
    find_islands(impact)
    for island in range(impact.count):
        for c in range(impact.count):
            impact.member[c] = 1.0 if impact.island[c] == island else 0.0
        compare(impact, u)
        if approaching(impact, u) >= 0:
            status = struck(impact, law, contacts.e, u)
            if status != OK:
                return status
            take(impact, u, p)
    return OK


@kernel
def compare(impact, u):
    """Note the largest velocity of a member."""
    largest = 0.0
    for c in range(impact.count):
        if impact.member[c] > 0.0:
            for i in range(impact.first[c], impact.first[c] + impact.dim[c]):
                largest = max(largest, abs(u[i]))
    impact.speed = largest


@kernel
def approaching(impact, u):
    """The first member that approaches, or -1."""
    for c in range(impact.count):
        approach = u[impact.first[c]] if impact.owner[c] < 0 else 0.0
        if impact.member[c] > 0.0 and approach < -APPROACHES * impact.speed:
            return c
    return -1


@kernel
def take(impact, u, p):
    """p += x, u += W x."""
    for i in range(impact.n):
        p[i] += impact.x[i]
        total = 0.0
        for k in range(impact.n):
            total += impact.W[i, k] * impact.x[k]
        u[i] += total


@kernel
def acted(impact, law, asked):
    """Note the law by which the members were struck."""
    for c in range(impact.count):
        if impact.member[c] > 0.0:
            impact.law[c] = law
    if law != asked or impact.acted == NONE:
        impact.acted = law


@kernel
def struck(impact, law, e, u):
    """x of the members by a law or what takes its place. Returns a status."""
    if law == NEWTON:
        status = newton_law(impact, e, u)
        if status == OK and not grows(impact, u, impact.x):
            acted(impact, NEWTON, law)
            return OK
    elif law == ENERGETIC or law == POISSON_ROUTH:
        c = approaching(impact, u)
        status = alone(impact, c, law, e, u)
        if status == OK and presses_none(impact, c, u):
            acted(impact, law, law)
            return OK
    acted(impact, POISSON, law)
    status = in_two_phases(impact, e, u)
    if status != OK and law != NEWTON:
        status = newton_law(impact, e, u)
        if status == OK and not grows(impact, u, impact.x):
            acted(impact, NEWTON, law)
            return OK
        status = NO_ANSWER
    return status


@apart(int)
def in_two_phases(impact, e, u):
    """x of the members by Poisson's law. Returns a status."""
    status, kept = poisson_law(impact, e, u)
    impact.expansion = min(impact.expansion, kept)
    return status


@apart(int)
def alone(impact, c, law, e, u):
    """x of one contact by the process of `routh`. Returns a status."""
    W, before = impact.response(c), impact.rows_of(u, c)
    if not W.xx > 0.0 or is_resisted(impact, c):
        return NO_ANSWER
    status, x = routh(W, before, impact.friction(c), e[c], law, impact.series)
    for i in range(impact.n):
        impact.x[i] = 0.0
    impact.put_rows(impact.x, c, x)
    return status


@kernel
def is_resisted(impact, c):
    """Whether a contact resists spin or rolling, of which the process knows nothing."""
    for other in range(impact.count):
        if impact.owner[other] == c:
            return True
    return False


@kernel
def presses_none(impact, c, u):
    """Whether the process of contact c makes no other member approach at any time.

    At each of its instants du_n >= (W_n - mu |W_t|) dp_n, of its own normal and tangents.
    """
    i, d = impact.first[c], impact.dim[c]
    for other in range(impact.count):
        if impact.member[other] > 0.0 and other != c and impact.owner[other] < 0:
            k = impact.first[other]
            a = impact.W[k, i + 1] if d > 1 else 0.0
            b = impact.W[k, i + 2] if d > 2 else 0.0
            rate = impact.W[k, i] - impact.friction(c) * (a * a + b * b) ** 0.5
            if u[k] + min(0.0, rate) * impact.x[i] < -APPROACHES * impact.speed:
                return False
    return True


@kernel
def one_by_one(impact, law, e, u, p):
    """Impacts of one contact after the other. Returns a status."""
    compare(impact, u)
    for _ in range(REPEATS * impact.count):
        for c in range(impact.count):
            impact.member[c] = 1.0
        c = approaching(impact, u)
        if c < 0:
            return OK
        for other in range(impact.count):
            impact.member[other] = 1.0 if other == c or impact.owner[other] == c else 0.0
        status = struck(impact, law, e, u)
        if status != OK:
            return status
        take(impact, u, p)
    for c in range(impact.count):
        impact.member[c] = 1.0
    status = compress(impact, u)
    if status == OK:
        acted(impact, POISSON, law)
        take(impact, u, p)
    return status
