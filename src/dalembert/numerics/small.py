"""Vectors, matrices, symmetric matrices and quaternions as tuples of numbers, inside kernels.

In compiled code a tuple is so many registers: nothing is stored or allocated. A matrix is its nine
entries row by row, a symmetric one (xx, yy, zz, xy, xz, yz), a quaternion (w, x, y, z).
"""

import math

from dalembert._jit import kernel

# -- to and from arrays ----------------------------------------------------------------------------


@kernel
def vector(x, at):
    """Three entries of an array."""
    return x[at], x[at + 1], x[at + 2]


@kernel
def quaternion(x, at):
    """Four entries of an array."""
    return x[at], x[at + 1], x[at + 2], x[at + 3]


@kernel
def symmetric(x, at):
    """Six entries of an array."""
    return x[at], x[at + 1], x[at + 2], x[at + 3], x[at + 4], x[at + 5]


@kernel
def matrix(x, at):
    """Nine entries of an array."""
    a, b, c = x[at], x[at + 1], x[at + 2]
    d, e, f = x[at + 3], x[at + 4], x[at + 5]
    return a, b, c, d, e, f, x[at + 6], x[at + 7], x[at + 8]


@kernel
def put_vector(x, at, a):
    """Store three entries."""
    x[at], x[at + 1], x[at + 2] = a


@kernel
def put_quaternion(x, at, a):
    """Store four entries."""
    x[at], x[at + 1], x[at + 2], x[at + 3] = a


@kernel
def put_symmetric(x, at, a):
    """Store six entries."""
    x[at], x[at + 1], x[at + 2], x[at + 3], x[at + 4], x[at + 5] = a


@kernel
def put_matrix(x, at, a):
    """Store nine entries."""
    x[at], x[at + 1], x[at + 2], x[at + 3], x[at + 4] = a[0], a[1], a[2], a[3], a[4]
    x[at + 5], x[at + 6], x[at + 7], x[at + 8] = a[5], a[6], a[7], a[8]


@kernel
def add_vector(x, at, a):
    """Add to three entries."""
    x[at] += a[0]
    x[at + 1] += a[1]
    x[at + 2] += a[2]


@kernel
def add_symmetric(x, at, a):
    """Add to six entries."""
    x[at] += a[0]
    x[at + 1] += a[1]
    x[at + 2] += a[2]
    x[at + 3] += a[3]
    x[at + 4] += a[4]
    x[at + 5] += a[5]


@kernel
def add_matrix(x, at, a):
    """Add to nine entries."""
    x[at] += a[0]
    x[at + 1] += a[1]
    x[at + 2] += a[2]
    x[at + 3] += a[3]
    x[at + 4] += a[4]
    x[at + 5] += a[5]
    x[at + 6] += a[6]
    x[at + 7] += a[7]
    x[at + 8] += a[8]


# -- vectors ---------------------------------------------------------------------------------------


@kernel
def add(a, b):
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def sub(a, b):
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def scale(s, a):
    """s a."""
    return s * a[0], s * a[1], s * a[2]


@kernel
def axpy(s, a, b):
    """s a + b."""
    return s * a[0] + b[0], s * a[1] + b[1], s * a[2] + b[2]


@kernel
def dot(a, b):
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    """a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


# -- matrices --------------------------------------------------------------------------------------


@kernel
def row(A, i):
    """Row of a matrix; `i` may vary."""
    if i == 0:
        return A[0], A[1], A[2]
    if i == 1:
        return A[3], A[4], A[5]
    return A[6], A[7], A[8]


@kernel
def times(A, a):
    """A a."""
    return (
        A[0] * a[0] + A[1] * a[1] + A[2] * a[2],
        A[3] * a[0] + A[4] * a[1] + A[5] * a[2],
        A[6] * a[0] + A[7] * a[1] + A[8] * a[2],
    )


@kernel
def transposed_times(A, a):
    """A^T a."""
    return (
        A[0] * a[0] + A[3] * a[1] + A[6] * a[2],
        A[1] * a[0] + A[4] * a[1] + A[7] * a[2],
        A[2] * a[0] + A[5] * a[1] + A[8] * a[2],
    )


@kernel
def product(A, B):
    """A B."""
    x = times(A, (B[0], B[3], B[6]))
    y = times(A, (B[1], B[4], B[7]))
    z = times(A, (B[2], B[5], B[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@kernel
def transposed_product(A, B):
    """A^T B."""
    x = transposed_times(A, (B[0], B[3], B[6]))
    y = transposed_times(A, (B[1], B[4], B[7]))
    z = transposed_times(A, (B[2], B[5], B[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@kernel
def about_x(B, s, c):
    """B Rx, of sine and cosine of the angle."""
    return (
        B[0],
        B[1] * c + B[2] * s,
        B[2] * c - B[1] * s,
        B[3],
        B[4] * c + B[5] * s,
        B[5] * c - B[4] * s,
        B[6],
        B[7] * c + B[8] * s,
        B[8] * c - B[7] * s,
    )


@kernel
def about_y(B, s, c):
    """B Ry, of sine and cosine of the angle."""
    return (
        B[0] * c - B[2] * s,
        B[1],
        B[2] * c + B[0] * s,
        B[3] * c - B[5] * s,
        B[4],
        B[5] * c + B[3] * s,
        B[6] * c - B[8] * s,
        B[7],
        B[8] * c + B[6] * s,
    )


@kernel
def about_z(B, s, c):
    """B Rz, of sine and cosine of the angle."""
    return (
        B[0] * c + B[1] * s,
        B[1] * c - B[0] * s,
        B[2],
        B[3] * c + B[4] * s,
        B[4] * c - B[3] * s,
        B[5],
        B[6] * c + B[7] * s,
        B[7] * c - B[6] * s,
        B[8],
    )


# -- symmetric matrices ----------------------------------------------------------------------------


@kernel
def symmetric_times(S, a):
    """S a."""
    return (
        S[0] * a[0] + S[3] * a[1] + S[4] * a[2],
        S[3] * a[0] + S[1] * a[1] + S[5] * a[2],
        S[4] * a[0] + S[5] * a[1] + S[2] * a[2],
    )


@kernel
def less_square(S, a, b):
    """S - a b^T, where b is a multiple of a."""
    return (
        S[0] - a[0] * b[0],
        S[1] - a[1] * b[1],
        S[2] - a[2] * b[2],
        S[3] - a[0] * b[1],
        S[4] - a[0] * b[2],
        S[5] - a[1] * b[2],
    )


@kernel
def less_outer(A, a, b):
    """A - a b^T."""
    return (
        A[0] - a[0] * b[0],
        A[1] - a[0] * b[1],
        A[2] - a[0] * b[2],
        A[3] - a[1] * b[0],
        A[4] - a[1] * b[1],
        A[5] - a[1] * b[2],
        A[6] - a[2] * b[0],
        A[7] - a[2] * b[1],
        A[8] - a[2] * b[2],
    )


@kernel
def rotated(R, S):
    """R S R^T."""
    x, y, z = (R[0], R[1], R[2]), (R[3], R[4], R[5]), (R[6], R[7], R[8])
    a, b, c = symmetric_times(S, x), symmetric_times(S, y), symmetric_times(S, z)
    return dot(x, a), dot(y, b), dot(z, c), dot(y, a), dot(z, a), dot(z, b)


@kernel
def inverse(S):
    """Inverse of a symmetric positive definite matrix by cofactors, and its determinant."""
    xx, yy, zz, xy, xz, yz = S
    a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    determinant = xx * a + xy * b + xz * c
    s = 1.0 / determinant
    d, e, f = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    return (s * a, s * d, s * f, s * b, s * c, s * e), determinant


# -- quaternions -----------------------------------------------------------------------------------


@kernel
def rotation_of(p):
    """R of a quaternion, whose length does not matter."""
    w, x, y, z = p
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - s * (y * y + z * z),
        s * (x * y - w * z),
        s * (x * z + w * y),
        s * (x * y + w * z),
        1.0 - s * (x * x + z * z),
        s * (y * z - w * x),
        s * (x * z - w * y),
        s * (y * z + w * x),
        1.0 - s * (x * x + y * y),
    )


@kernel
def quaternion_product(p, q):
    """p q."""
    a, b, c, d = p
    w, x, y, z = q
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )


@kernel
def conjugate(p):
    """Quaternion of the opposite rotation."""
    return p[0], -p[1], -p[2], -p[3]


@kernel
def unit(p):
    """p / |p|."""
    s = 1.0 / math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
    return s * p[0], s * p[1], s * p[2], s * p[3]


@kernel
def exponential(u):
    """Unit quaternion of a rotation vector."""
    half = 0.5 * math.sqrt(dot(u, u))
    # sin(x) / x = 1 - x^2 / 6 to the last digit below 1e-4.
    s = 0.5 * (math.sin(half) / half) if half > 1e-4 else 0.5 - half * half / 12.0
    return math.cos(half), s * u[0], s * u[1], s * u[2]


@kernel
def logarithm(p):
    """Rotation vector of a unit quaternion, the shorter way round."""
    w, x, y, z = p
    sine = math.sqrt(x * x + y * y + z * z)
    angle = 2.0 * math.atan2(sine, abs(w))
    s = angle / sine if sine > 1e-9 else 2.0
    if w < 0.0:
        s = -s
    return s * x, s * y, s * z
