"""Sweeps of Gauss-Seidel over contacts given by W: each by itself, exactly, one after the other.

The momentum, and what ends it, are those of `contact.solvers.gauss_seidel`. As u = W x + q is at
hand, u goes on in proportion to x. `allowance` a is the work another method would take, in sweeps:
they end after k of them when the rate of the last promises r more with k r > a^2 / 2. What has been
done in vain is then of the order of what comes after it.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.solvers.delassus.rows import Contacts, add_columns, residual, times
from dalembert.contact.solvers.oblique import oblique_contact, oblique_inverse
from dalembert.contact.solvers.single_contact import contact, inverse_of
from dalembert.numerics.matrix import Mat3, Sym3

MOMENTUM, RUNAWAY, PATIENCE, LOOK_EVERY = 0.85, 4.0, 20, 10
"""See `contact.solvers.gauss_seidel`."""

FRESH = 8
"""Looks after which u is calculated anew from x."""

MOST_LOOKS = 1e9


@kernel
def local_responses(contacts: Contacts):
    """Inverses of the contacts' own W."""
    for i in range(contacts.count):
        own = contacts.own(i)
        if contacts.oblique == 1:
            own.inverse = oblique_inverse(own.response, contacts.dim == 2)
        else:
            inverse = inverse_of(Sym3.upper(own.response))
            own.inverse = Mat3.of_rows(inverse.x, inverse.y, inverse.z)


@kernel
def alone(contacts: Contacts, i, old):
    """The impulse of contact i by itself, from `old` and the velocity there is."""
    own, u, mu = contacts.own(i), contacts.velocity(i), contacts.mu[i]
    if contacts.oblique == 1:
        return oblique_contact(own.response, own.inverse, u, old, mu)
    return contact(Sym3.upper(own.response), Sym3.upper(own.inverse), u, old, mu)


@kernel
def sweep(contacts: Contacts, backwards):
    """One sweep. Returns the largest change of an impulse, as a velocity: max w |change|."""
    count, dim, x, largest = contacts.count, contacts.dim, contacts.x, 0.0
    for k in range(count):
        i = count - 1 - k if backwards else k
        if not contacts.own(i).response.xx > 0.0:
            continue
        old = contacts.impulse(i)
        new = alone(contacts, i, old)
        change = new - old
        if change.x != 0.0 or change.y != 0.0 or change.z != 0.0:
            x[dim * i], x[dim * i + 1] = new.x, new.y
            if dim == 3:
                x[dim * i + 2] = new.z
            add_columns(contacts, i, change)
            largest = max(largest, contacts.weight[i] * math.sqrt(change.dot(change)))
    return largest


@kernel
def copy(source, target):
    """One vector to another."""
    for i in range(len(source)):
        target[i] = source[i]


@kernel
def _go_on(x, last, momentum):
    """x goes on the way from `last`, which becomes where it was."""
    for i in range(len(x)):
        ended = x[i]
        x[i] = ended + momentum * (ended - last[i])
        last[i] = ended


@kernel
def _begin(contacts: Contacts):
    """Where the last sweep ended is here."""
    copy(contacts.x, contacts.last_x)
    copy(contacts.u, contacts.last_u)


@kernel
def _keep(contacts: Contacts):
    """(x, u) as the best so far."""
    copy(contacts.x, contacts.good_x)
    copy(contacts.u, contacts.good_u)


@kernel
def _return(contacts: Contacts):
    """Go on from the best so far."""
    copy(contacts.good_x, contacts.x)
    copy(contacts.good_u, contacts.u)
    _begin(contacts)


@kernel
def sweeps(contacts: Contacts, tolerance, budget, allowance):
    """At most `budget` sweeps from x. Leaves the best (x, u) that was looked at.

    Returns how many there were, and what is left.
    """
    times(contacts)
    best = residual(contacts)
    _keep(contacts)
    _begin(contacts)
    plain, begun, idle, done, looks = False, 0, 0, 0, 0
    last, second, third = math.inf, math.inf, math.inf
    while done < budget and best > tolerance:
        change = sweep(contacts, plain and done % 2 == 1)
        done += 1
        if change <= tolerance or done % LOOK_EVERY == 0 or done == budget:
            looks += 1
            if looks % FRESH == 0 or change <= tolerance:
                times(contacts)
            now = residual(contacts)
            idle += 1
            if now < best:
                best, idle = now, 0
                _keep(contacts)
            elif not (now < math.inf):
                break
            elif idle == PATIENCE or (now > RUNAWAY * best and not plain):
                plain, idle, begun = not plain, 0, 0
                _return(contacts)
            if done % LOOK_EVERY == 0:
                ahead = 3 * LOOK_EVERY * _looks_left(tolerance, now, third)
                if done * ahead > 0.5 * allowance * allowance:
                    break
                last, second, third = now, last, second
        if not plain and done < budget:
            momentum = min(begun / (begun + 3.0), MOMENTUM)
            _go_on(contacts.x, contacts.last_x, momentum)
            _go_on(contacts.u, contacts.last_u, momentum)
            begun += 1
    copy(contacts.good_x, contacts.x)
    times(contacts)
    return done, residual(contacts)


@kernel
def _looks_left(tolerance, now, before):
    """Times the way from `before` to `now` until the tolerance is reached, at the same rate."""
    if now <= tolerance or before == math.inf:
        return 0.0
    if not (now < 0.999 * before):
        return MOST_LOOKS
    return math.log(tolerance / now) / math.log(now / before)
