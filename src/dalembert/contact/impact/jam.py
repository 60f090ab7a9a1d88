"""An impact without collision (Lecornu 1905; Genot and Brogliato 1999): a contact that jams.

A contact that touches, u_n = 0, and slides such that friction presses it,

    W_nn - mu W_nt . t < 0,      t = u_t / |u_t|,

has no acceleration, or more than one. It is compressed without having approached: the process of
`routh` from u_n = 0. Sliding ends in it, as W is positive semidefinite, and expansion follows by
the law: none by Newton's, as e u_n- = 0.
"""

from dalembert._jit import kernel
from dalembert.contact.impact.impact import Impact
from dalembert.contact.impact.laws import ENERGETIC, NEWTON, NO_ANSWER, OK, POISSON_ROUTH
from dalembert.contact.impact.routh import routh
from dalembert.contact.impact.strike import take
from dalembert.numerics.vector import Vec3


@kernel
def jam(c, law, count, first, dim, mu, e, W, u, p, room):
    """Impulse p of contact c that jams, and the velocities u + W p in u. Returns a status.

    Arguments as of `strike`, which is to follow where others approach then. Nothing changes, and
    the status is NO_ANSWER, where sliding does not press the contact.
    """
    n = len(u)
    impact = Impact(count, n, first, dim, mu, W, room)
    for i in range(n):
        p[i] = impact.x[i] = 0.0
    own, before, friction = impact.response(c), impact.rows_of(u, c), impact.friction(c)
    slip = Vec3(0.0, before.y, before.z)
    if not presses(own, slip, friction):
        return NO_ANSWER
    acts = ENERGETIC if law == ENERGETIC else POISSON_ROUTH
    bounce = 0.0 if law == NEWTON else e[c]
    status, x = routh(own, slip, friction, bounce, acts, impact.series)
    if status == OK:
        impact.put_rows(impact.x, c, x)
        take(impact, u, p)
        room[0] = NEWTON if law == NEWTON else acts
    return status


@kernel
def presses(W, slip, mu):
    """Whether friction against the sliding lowers u_n."""
    size = slip.size
    return size > 0.0 and W.xx * size < mu * W.x.dot(slip)
