"""Impulses of several contacts that keep the laws of `impact`: sweeps, then Newton's method.

Sweeps take one contact after the other (`local`); Newton's method (`active`) finds the last digits.
Where both fail, Newton's method begins at guesses of what every contact does, drawn in the same way
every time. What is left of the laws is measured by the natural map with w, a contact's weight,

    F_n = w (x_n - least) - max(0, w (x_n - least) - u_n),
    F_t = w x_t - P(w x_t - u_t),       P: onto the disc of radius mu w x_n.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.impact.active import newton_step
from dalembert.contact.impact.impact import copied
from dalembert.contact.impact.laws import NO_ANSWER, OK
from dalembert.contact.impact.local import improved, resisted
from dalembert.contact.impact.pivots import pivoted

AIM, ACCEPTED = 1e-15, 1e-12
"""Remainders of the laws, over the largest velocity: aimed at, and taken at last."""

ROUNDING = 4e-16
"""Rounding of u = q + W x, over the sum of its terms."""

LOUD = 1e-7
"""Rounding, over the largest velocity, of impulses that run away as no answer is there."""

STEPS, ROUNDS, GUESSES = 24, 6, 400
"""Steps of Newton's method from one start, starts after sweeps, and guesses."""

SOFT, HARD = 1e-4, 1e-9
"""eps of the first round, in which impulses that W leaves open stay as small as rounding lets them,
and of the others; guesses take both."""

FIRST_SWEEPS, LAST_SWEEPS = 8, 20000
"""Sweeps of the first round, each further one has four times as many; and of a last attempt."""


@kernel
def solve(impact, patience):
    """x and v of the members, from q and least. Returns a status.

    patience : 1, or less where there need not be an answer: part of the rounds and guesses
    """
    begin(impact)
    left = residual(impact)
    copied(impact.n, impact.x, impact.best)
    copied(impact.n, impact.x, impact.swept)
    aim, impact.floor = AIM * impact.speed, 0.0
    if not left <= math.inf:
        return NO_ANSWER
    sweeps = FIRST_SWEEPS
    rounds = 2 + int(patience * (ROUNDS - 2))
    for k in range(rounds + 1):
        if left <= aim + impact.floor:
            break
        copied(impact.n, impact.swept, impact.x)
        velocities(impact)
        eps = SOFT if k == 0 else HARD
        left = swept(impact, left, aim, eps, sweeps if k < ROUNDS else LAST_SWEEPS)
        copied(impact.n, impact.x, impact.swept)
        left = newton(impact, left, aim, eps)
        sweeps *= 4
        if k == 1 and left > aim + impact.floor and pivoted(impact, impact.speed):
            velocities(impact)
            left = newton(impact, keep(impact, left), aim, HARD)
        if k == 1 and members(impact) == 1:
            break
        if k == rounds - 1:
            left = guessed(impact, left, aim, int(patience * GUESSES))
    copied(impact.n, impact.best, impact.x)
    velocities(impact)
    left = residual(impact)
    accepted = ACCEPTED * impact.speed + 8.0 * rounding(impact)
    return OK if left <= accepted else NO_ANSWER


@kernel
def members(impact):
    """How many contacts have a part; of one alone sweeps know the answer."""
    total = 0
    for c in range(impact.count):
        total += 1 if impact.member[c] > 0.0 else 0
    return total


@kernel
def begin(impact):
    """x: nothing but the least of every member, zero elsewhere."""
    for i in range(impact.n):
        impact.x[i] = 0.0
    for c in range(impact.count):
        if impact.member[c] > 0.0:
            impact.x[impact.first[c]] = impact.least[c]
    velocities(impact)


@kernel
def rounding(impact):
    """Rounding of v = q + W x, with that of q."""
    largest = 0.0
    for c in range(impact.count):
        if impact.member[c] > 0.0:
            for i in range(impact.first[c], impact.first[c] + impact.dim[c]):
                size = abs(impact.q[i])
                for k in range(impact.n):
                    size += abs(impact.W[i, k] * impact.x[k])
                largest = max(largest, size)
    return ROUNDING * largest + impact.noise


@kernel
def velocities(impact):
    """v = q + W x of the members."""
    for c in range(impact.count):
        if impact.member[c] > 0.0:
            for i in range(impact.first[c], impact.first[c] + impact.dim[c]):
                total = impact.q[i]
                for k in range(impact.n):
                    total += impact.W[i, k] * impact.x[k]
                impact.v[i] = total


@kernel
def residual(impact):
    """The largest natural map of a member, in units of velocity; infinite if it is no number."""
    largest = 0.0
    for c in range(impact.count):
        if impact.member[c] > 0.0:
            x, u, w = impact.rows_of(impact.x, c), impact.rows_of(impact.v, c), impact.weight[c]
            push, normal = w * (x.x - impact.least[c]), 0.0
            if impact.owner[c] < 0:
                normal = abs(push - max(0.0, push - u.x))
            radius = impact.friction(c) * w * max(0.0, x.x)
            a, b = w * x.y - u.y, w * x.z - u.z
            size = math.sqrt(a * a + b * b)
            part = radius / size if size > radius else 1.0
            normal += math.hypot(w * x.y - part * a, w * x.z - part * b)
            if not normal < math.inf:
                return math.inf
            largest = max(largest, normal)
    return largest


@kernel
def keep(impact, left):
    """Residual at x, which is kept as the best if that is less than `left`."""
    found = residual(impact)
    if found < left:
        noise = rounding(impact)
        if noise <= LOUD * impact.speed:
            copied(impact.n, impact.x, impact.best)
            impact.floor = noise
            return found
    return left


@kernel
def swept(impact, left, aim, eps, count):
    """Residual after sweeps from x, at most so many."""
    for _ in range(count):
        for c in range(impact.count):
            if impact.member[c] > 0.0:
                sweep_one(impact, c, eps)
        velocities(impact)
        left = keep(impact, left)
        if left <= aim:
            break
    return left


@kernel
def sweep_one(impact, c, eps):
    """x of one contact, the others as they are; v of the members along with it."""
    W, x = impact.response(c), impact.rows_of(impact.x, c)
    u = impact.rows_of(impact.v, c)
    if impact.owner[c] >= 0:
        y = resisted(W, u, x, impact.friction(c), eps)
    else:
        y = improved(W, u, x, impact.friction(c), impact.least[c], eps)
    for i in range(impact.first[c], impact.first[c] + impact.dim[c]):
        impact.step[i] = impact.x[i]
    impact.put_rows(impact.x, c, y)
    for i in range(impact.first[c], impact.first[c] + impact.dim[c]):
        by = impact.x[i] - impact.step[i]
        for k in range(impact.n):
            impact.v[k] += impact.W[k, i] * by


@kernel
def newton(impact, left, aim, eps):
    """Residual after steps of Newton's method from x."""
    velocities(impact)
    lame = 0
    for _ in range(STEPS):
        if not newton_step(impact, eps):
            break
        velocities(impact)
        found = keep(impact, left)
        lame = 0 if found < left else lame + 1
        left = found
        if left <= aim or (lame > 2 and left <= 1e3 * aim):
            break
    return left


@apart(float)
def guessed(impact, left, aim, count):
    """Residual after steps of Newton's method from guesses."""
    seed, eps = 1, HARD
    for _ in range(count):
        if left <= 1e3 * aim:
            break
        for c in range(impact.count):
            if impact.member[c] > 0.0:
                size = impact.speed / impact.weight[c]
                for i in range(impact.first[c], impact.first[c] + impact.dim[c]):
                    # The generator of Park and Miller (1988).
                    seed = (16807 * seed) % 2147483647
                    impact.x[i] = size * (2.0 * seed / 2147483647.0 - 1.0)
        left = newton(impact, left, aim, eps)
        eps = 1e3 * eps if eps < SOFT else HARD
    return left
