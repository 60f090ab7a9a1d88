"""Poisson's law in two phases (Glocker and Pfeiffer 1995).

    compression   p_n^c >= 0        |  u_n^c >= 0,    |p_t^c| <= mu p_n^c,   p_t^c against u_t^c
    expansion     p_n^e >= e p_n^c  |  u_n+ >= 0,     |p_t^e| <= mu p_n^e,   p_t^e against u_t+

Kinetic energy never grows with one e everywhere, and without friction (`step.poisson` has why).
With friction and unlike e it can. Then p = p^c + s p^e is taken, as in a step with contact, with
the largest s that keeps it: cones and half-spaces are convex, T is a parabola in s,

    T(s) - T(v-) = T(0) - T(v-) + s p^e . u^c + s^2 p^e . W p^e / 2.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.impact.coulomb import rounding, solve
from dalembert.contact.impact.impact import copied, work_of
from dalembert.contact.impact.laws import OK

GROWN = 1e-13
"""Kinetic energy gained, over the terms it is the sum of, that is more than rounding."""


@kernel
def grows(impact, u, p):
    """Whether impulses p add kinetic energy to the velocities u before."""
    gain, size = work_of(impact, u, p)
    return gain > GROWN * size


@kernel
def compress(impact, u):
    """x of the impact without expansion. Returns a status."""
    copied(impact.n, u, impact.q)
    impact.noise = 0.0
    for c in range(impact.count):
        impact.least[c] = 0.0
    return solve(impact, 1.0)


@kernel
def poisson_law(impact, e, u):
    """x of the members, from the velocities u before. Returns a status, and s.

    An expansion that is not found is none: s = 0.
    """
    status = compress(impact, u)
    if status != OK:
        return status, 1.0
    copied(impact.n, impact.x, impact.compression)
    copied(impact.n, impact.v, impact.q)
    impact.noise = rounding(impact)
    for c in range(impact.count):
        impact.least[c] = e[c] * max(0.0, impact.compression[impact.first[c]])
    share = 1.0 if solve(impact, 1.0) == OK else 0.0
    if share > 0.0:
        share = largest_share(impact, u)
    for i in range(impact.n):
        impact.x[i] = impact.compression[i] + share * impact.x[i]
    return OK, share


@kernel
def largest_share(impact, u):
    """s of the expansion x, from q after the compression, with which energy does not grow."""
    lost, size = work_of(impact, u, impact.compression)
    gained, terms = work_of(impact, impact.q, impact.x)
    if lost + gained <= GROWN * (size + terms):
        return 1.0
    linear = 0.0
    for i in range(impact.n):
        linear += impact.x[i] * impact.q[i]
    lost, square = min(0.0, lost), gained - linear
    root = linear + math.sqrt(max(0.0, linear * linear - 4.0 * square * lost))
    return min(1.0, -2.0 * lost / root) if root > 0.0 else 1.0
