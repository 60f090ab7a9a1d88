"""One contact alone that has a certain normal impulse at least.

    u = W x + q,   x_n >= least  |  u_n >= 0,   |x_t| <= mu x_n,   x_t against u_t

Either x_n = least and friction is within a disc of the radius mu least, or u_n = 0 and it is the
contact of `solvers.single_contact`. The disc is that contact, too: with a normal direction that
nothing else moves, and that asks for this impulse.

Directions in which W has no response, but for its rounding, would have impulses of any size. Hence
`improved` takes W + eps w in the place of W, and -eps w x on the right with x as it was before: an
answer is kept, and one that is not is left by a factor of eps / lambda, lambda an eigenvalue of
W / w. What W leaves open stays near where it was: from zero, near the least of all answers.
"""

from dalembert._jit import kernel
from dalembert.contact.solvers.single_contact import contact, inverse_of
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.vector import Vec3

SINGULAR, SOFTNESS, REFINEMENTS = 1e-9, 1e-4, 6
"""Determinant of W_tt, over the square of its trace, that is rounding; eps for it, and steps."""


@kernel
def in_disc(W, push, mu, q):
    """The impulse with x_n = push, and friction that stops the contact or is at its limit."""
    alone = Sym3(1.0, W.yy, W.zz, 0.0, 0.0, W.yz)
    free = Vec3(-push, q.y + W.xy * push, q.z + W.xz * push)
    return contact(alone, inverse_of(alone), free, Vec3.zero(), mu)


@kernel
def softened(W, eps):
    """W + eps w."""
    return W + Sym3.diagonal(eps * (W.xx + W.yy + W.zz))


@kernel
def one_contact(W, q, mu, least):
    """The impulse of a contact alone, W regular."""
    x = Vec3(least, 0.0, 0.0)
    if least > 0.0 and mu > 0.0:
        x = in_disc(W, least, mu, q)
    if q.x + W.x.dot(x) >= 0.0:
        return x
    if mu == 0.0:
        return Vec3(max(least, -q.x / W.xx), 0.0, 0.0)
    x = contact(W, inverse_of(W), q, Vec3.zero(), mu)
    return Vec3(max(least, x.x), x.y, x.z)


@kernel
def improved(W, u, x, mu, least, eps):
    """The next impulse of a contact whose velocity is u at the impulse x."""
    soft = softened(W, eps)
    if not soft.xx > 0.0:
        return x
    return one_contact(soft, u - soft @ x, mu, least)


@kernel
def resisted(W, u, x, mu, eps):
    """The next impulse against spin or rolling, x.x being the push that bounds it."""
    soft = softened(W, eps)
    if not soft.yy > 0.0 or not x.x > 0.0:
        return Vec3(x.x, 0.0, 0.0)
    y = u.y - soft.yy * x.y - soft.yz * x.z
    z = u.z - soft.yz * x.y - soft.zz * x.z
    return in_disc(soft, x.x, mu, Vec3(0.0, y, z))


@kernel
def held_back(W, mu):
    """(1, s): friction by a normal impulse of 1 on a contact that does not slide.

    It stops the contact or, where it cannot, is against the sliding that it gives way to.
    """
    trace = W.yy + W.zz
    if W.zz == 0.0 or W.yy * W.zz - W.yz * W.yz > SINGULAR * trace * trace:
        return in_disc(W, 1.0, mu, Vec3.zero())
    soft, x = softened(W, SOFTNESS), Vec3.zero()
    for _ in range(REFINEMENTS):
        x = in_disc(soft, 1.0, mu, Vec3(0.0, (W.yy - soft.yy) * x.y, (W.zz - soft.zz) * x.z))
    return x
