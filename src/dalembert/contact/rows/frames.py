"""The tangent frame of a contact, from its normal alone.

T. Duff, J. Burgess, P. Christensen, C. Hery, A. Kensler, M. Liani, R. Villemin, Building an
orthonormal basis, revisited, Journal of Computer Graphics Techniques 6 (2017): no root, no search
for the smallest component, continuous except where n_z changes its sign.
"""

import math

from dalembert._jit import kernel


@kernel
def tangents(n):
    """(t1, t2) such that (n, t1, t2) is a right-handed orthonormal frame; |n| = 1."""
    sign = math.copysign(1.0, n[2])
    a = -1.0 / (sign + n[2])
    b = n[0] * n[1] * a
    t1 = (1.0 + sign * n[0] * n[0] * a, sign * b, -sign * n[0])
    t2 = (b, sign + n[1] * n[1] * a, -n[1])
    return t1, t2
