"""The tangent frame of a contact, from its normal alone.

T. Duff, J. Burgess, P. Christensen, C. Hery, A. Kensler, M. Liani, R. Villemin, Building an
orthonormal basis, revisited, Journal of Computer Graphics Techniques 6 (2017): no root, no search
for the smallest component, continuous except where n_z changes its sign.
"""

import math

from dalembert._jit import kernel
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3


@kernel
def tangents(n):
    """(t1, t2) such that (n, t1, t2) is a right-handed orthonormal frame; |n| = 1."""
    sign = math.copysign(1.0, n.z)
    a = -1.0 / (sign + n.z)
    b = n.x * n.y * a
    t1 = Vec3(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x)
    t2 = Vec3(b, sign + n.y * n.y * a, -n.y)
    return t1, t2


@kernel
def frame_of(n):
    """The frame as a matrix with the rows n, t1, t2."""
    t1, t2 = tangents(n)
    return Mat3.of_rows(n, t1, t2)
