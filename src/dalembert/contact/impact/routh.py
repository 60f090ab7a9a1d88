"""The impact of one contact as a process in its normal impulse (Routh 1905; Stronge 1990).

    du = W (1, s) dp_n,     s = -mu u_t / |u_t|  while it slides

In compression u_n < 0, in expansion u_n > 0. The energetic law ends it when the work of the normal
impulse in expansion is e^2 of that in compression; Poisson's, when its impulse is e of that. A
contact that has come to rest sticks if friction within mu can hold it, and else slides off along
the one direction it can keep (`local.held_back` has both). Where the direction of sliding stays, as
in the plane, in sticking and in sliding off, u is linear in p_n and all is in closed form; where
it turns `slip` goes on by power series.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.impact.laws import ENERGETIC, NO_ANSWER, OK
from dalembert.contact.impact.local import held_back
from dalembert.contact.impact.slip import AGAIN, ENDED, LOST, ON, slip_on
from dalembert.numerics.vector import Vec3

STILL = 1e-15
"""Sliding, over the velocity before, that has ended."""

STRAIGHT = 1e-14
"""Turning of the sliding, over the terms of its rate, that is none."""

RIGID, NEAR = 1e-12, 1e-10
"""du_n / dp_n, over W_nn, that is none: rows of the contact depend on each other. And u_n, over
the velocity before, that such a contact may keep by rounding."""

PIECES = 2000
"""Most pieces of a process."""


@kernel
def routh(W, u, mu, e, law, series):
    """Status and impulse of one contact with the velocity u before."""
    p, size = Vec3.zero(), u.size
    factor = e * e if law == ENERGETIC else e
    owed, expanding = 0.0, False
    for _ in range(PIECES):
        s, reach, turns = friction_rate(W, u, mu, STILL * size)
        if reach == 0.0:
            u = Vec3(u.x, 0.0, 0.0)
            reach = math.inf
        if turns:
            way, done, dp, u = slip_on(W, u, mu, law, expanding, owed, series)
        else:
            way, done, dp, u = line(W, u, s, reach, NEAR * size, law, expanding, owed)
        p = p + dp
        owed -= done if expanding else factor * done
        if way == LOST:
            return OK if abs(u.x) <= NEAR * size else NO_ANSWER, p
        if way == ENDED and expanding:
            return OK, p
        if way == ENDED:
            expanding = True
            if not owed > 0.0:
                return OK, p
        elif way == AGAIN:
            expanding = False
    return NO_ANSWER, p


@kernel
def friction_rate(W, u, mu, still):
    """dp_t / dp_n as (1, s), dp_n until sliding ends on this line, whether the sliding turns.

    dp_n = 0: it does not slide now.
    """
    slip = math.hypot(u.y, u.z)
    if mu == 0.0:
        return Vec3(1.0, 0.0, 0.0), math.inf, False
    if slip <= still:
        return held_back(W, mu), 0.0, False
    d1, d2 = u.y / slip, u.z / slip
    s = Vec3(1.0, -mu * d1, -mu * d2)
    a = W @ s
    along, across = a.y * d1 + a.z * d2, a.z * d1 - a.y * d2
    turns = abs(across) > STRAIGHT * (abs(W.xy) + abs(W.xz) + mu * (W.yy + W.zz))
    return s, slip / -along if along < 0.0 else math.inf, turns


@kernel
def line(W, u, s, reach, near, law, expanding, owed):
    """A piece of constant s, at most to p_n = reach.

    Returns how it ended (`slip`), the measure of the law passed through, the impulse, u.
    """
    a = W @ s
    if abs(a.x) <= RIGID * W.xx:
        a = Vec3(0.0, a.y, a.z)
        if abs(u.x) <= near:
            return LOST, 0.0, Vec3.zero(), u
    end, again = math.inf, math.inf
    if not expanding:
        end = -u.x / a.x if a.x > 0.0 else math.inf
    else:
        again = -u.x / a.x if a.x < 0.0 else math.inf
        end = owed
        if law == ENERGETIC:
            square = u.x * u.x + 2.0 * a.x * owed
            root = u.x + math.sqrt(max(0.0, square))
            end = 2.0 * owed / root if square >= 0.0 and root > 0.0 else math.inf
    d = min(end, reach, again)
    if d == math.inf:
        return LOST, 0.0, Vec3.zero(), u
    done = u.x * d + 0.5 * a.x * d * d if law == ENERGETIC else d
    if law != ENERGETIC and not expanding:
        done = -d
    after = u + d * a
    if d == reach:
        after = Vec3(after.x, 0.0, 0.0)
    if d == again or (d == end and not expanding):
        after = Vec3(0.0, after.y, after.z)
    way = ENDED if d == end else (AGAIN if d == again else ON)
    return way, done, d * s, after
