"""A step of Newton's method for the laws of `impact`, by what every contact does.

With the weight w, z_n = w (x_n - least) - u_n and z_t = w x_t - u_t a contact is open where
z_n <= 0, sticks where |z_t| is within mu w x'_n, x'_n = least + max(0, z_n) / w, and slides along
t = z_t / |z_t| elsewhere (Alart and Curnier 1991):

    open       x_n + dx_n = least
    closed     (W dx)_n + eps w dx_n = -u_n
    sticking   (W dx)_t + eps w dx_t = -u_t
    sliding    x_t + dx_t = mu (x_n + dx_n) t + k (1 - t t^T) (w dx_t - (W dx)_t),
               k = mu x'_n / |z_t|

eps holds what W of dependent contacts leaves open; as dx goes to zero it changes no answer.
"""

import math

from dalembert._jit import kernel
from dalembert.numerics.vector import Vec3


@kernel
def newton_step(impact, eps):
    """x <- x + dx. Whether there is such a step."""
    m = 0
    for c in range(impact.count):
        if impact.member[c] > 0.0:
            for i in range(impact.first[c], impact.first[c] + impact.dim[c]):
                impact.place[m] = i
                m += 1
    at = 0
    for c in range(impact.count):
        if impact.member[c] > 0.0:
            write_contact(impact, c, at, m, eps)
            at += impact.dim[c]
    if not eliminated(m, impact.matrix, impact.step):
        return False
    for k in range(m):
        impact.x[int(impact.place[k])] += impact.step[k]
    return True


@kernel
def write_contact(impact, c, at, m, eps):
    """Equations of a contact, from row `at` of the system of m rows on."""
    if impact.owner[c] >= 0:
        write_resistance(impact, c, at, m, eps)
        return
    x, u, w = impact.rows_of(impact.x, c), impact.rows_of(impact.v, c), impact.weight[c]
    i, least, mu = impact.first[c], impact.least[c], impact.friction(c)
    z = w * (x.x - least) - u.x
    if z > 0.0:
        held(impact, i, at, m, eps * w)
    else:
        plain(impact, at, m, w)
        impact.step[at] = w * (least - x.x)
    if impact.dim[c] == 1:
        return
    radius = mu * (least + max(0.0, z) / w)
    a, b = w * x.y - u.y, w * x.z - u.z
    size = math.sqrt(a * a + b * b)
    if size <= w * radius and radius > 0.0:
        for k in range(1, impact.dim[c]):
            held(impact, i + k, at + k, m, eps * w)
        return
    # Friction of an open contact without least is none: t and k of no account.
    t1, t2 = (a / size, b / size) if radius > 0.0 else (0.0, 0.0)
    part = radius / size if radius > 0.0 else 0.0
    slides(impact, c, at + 1, m, at, Vec3(t1, t2, part))


@kernel
def write_resistance(impact, c, at, m, eps):
    """Equations of a resistance to spin or rolling, which the push of its owner bounds."""
    owner, i, w = impact.owner[c], impact.first[c], impact.weight[c]
    x, u = impact.rows_of(impact.x, c), impact.rows_of(impact.v, c)
    least, heavy = impact.least[owner], impact.weight[owner]
    z = heavy * (x.x - least) - u.x
    radius = impact.friction(c) * (least + max(0.0, z) / heavy)
    a, b = w * x.y - u.y, w * x.z - u.z
    size = math.sqrt(a * a + b * b)
    if size <= w * radius and radius > 0.0:
        for k in range(impact.dim[c]):
            held(impact, i + k, at + k, m, eps * w)
        return
    normal = 0
    for k in range(m):
        if int(impact.place[k]) == impact.first[owner]:
            normal = k
    along = Vec3(a / size, b / size, radius / size) if radius > 0.0 else Vec3.zero()
    slides(impact, c, at, m, normal, along)


@kernel
def held(impact, i, at, m, soft):
    """(W dx)_i + eps w dx_i = -u_i."""
    A = impact.matrix
    for k in range(m):
        A[at * m + k] = impact.W[i, int(impact.place[k])]
    A[at * m + at] += soft
    impact.step[at] = -impact.v[i]


@kernel
def plain(impact, at, m, w):
    """w dx_i = ..., the right-hand side to be written."""
    A = impact.matrix
    for k in range(m):
        A[at * m + k] = 0.0
    A[at * m + at] = w


@kernel
def slides(impact, c, at, m, normal, along):
    """Rows of a contact that slides along (t1, t2), from `at` on; `along`: t1, t2 and k.

    `normal`: where the normal that bounds it stands in the system.
    """
    A, w, mu = impact.matrix, impact.weight[c], impact.friction(c)
    x, t1, t2, part = impact.rows_of(impact.x, c), along.x, along.y, along.z
    count = impact.dim[c] - (1 if impact.owner[c] < 0 else 0)
    i = int(impact.place[at])
    for k in range(count):
        row, t = (at + k) * m, t1 if k == 0 else t2
        plain(impact, at + k, m, w)
        A[row + normal] = -w * mu * t
        impact.step[at + k] = w * (mu * x.x * t - (x.y if k == 0 else x.z))
        if count == 2 and part > 0.0:
            # Across t: the k-th row of 1 - t t^T is o (-t2, t1) with o = -t2 or t1.
            o = -t2 if k == 0 else t1
            A[row + at] += w * part * w * o * t2
            A[row + at + 1] -= w * part * w * o * t1
            for j in range(m):
                r = int(impact.place[j])
                across = t1 * impact.W[i + 1, r] - t2 * impact.W[i, r]
                A[row + j] += w * part * o * across


@kernel
def eliminated(m, A, b):
    """b <- A^-1 b by elimination with row interchanges. Whether A is regular."""
    for j in range(m):
        p = j
        for i in range(j + 1, m):
            if abs(A[i * m + j]) > abs(A[p * m + j]):
                p = i
        if not abs(A[p * m + j]) > 0.0:
            return False
        if p != j:
            for k in range(j, m):
                A[p * m + k], A[j * m + k] = A[j * m + k], A[p * m + k]
            b[p], b[j] = b[j], b[p]
        for i in range(j + 1, m):
            factor = A[i * m + j] / A[j * m + j]
            if factor != 0.0:
                for k in range(j + 1, m):
                    A[i * m + k] -= factor * A[j * m + k]
                b[i] -= factor * b[j]
    for j in range(m):
        i = m - 1 - j
        total = b[i]
        for k in range(i + 1, m):
            total -= A[i * m + k] * b[k]
        b[i] = total / A[i * m + i]
    return True
