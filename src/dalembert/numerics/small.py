"""Vectors, matrices and symmetric matrices as tuples of numbers, inside kernels.

In compiled code a tuple is so many registers: nothing is stored or allocated. A matrix is its nine
entries row by row, a symmetric one (xx, yy, zz, xy, xz, yz). `numerics.vector` has them as values.
"""

from dalembert._jit import kernel

# -- to and from arrays ----------------------------------------------------------------------------


@kernel
def vector(x, at):
    """Three entries of an array."""
    return x[at], x[at + 1], x[at + 2]


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
def put_matrix(x, at, a):
    """Store nine entries."""
    x[at], x[at + 1], x[at + 2], x[at + 3], x[at + 4] = a[0], a[1], a[2], a[3], a[4]
    x[at + 5], x[at + 6], x[at + 7], x[at + 8] = a[5], a[6], a[7], a[8]


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
def transposed_product(A, B):
    """A^T B."""
    x = transposed_times(A, (B[0], B[3], B[6]))
    y = transposed_times(A, (B[1], B[4], B[7]))
    z = transposed_times(A, (B[2], B[5], B[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


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
def rotated(R, S):
    """R S R^T."""
    x, y, z = (R[0], R[1], R[2]), (R[3], R[4], R[5]), (R[6], R[7], R[8])
    a, b, c = symmetric_times(S, x), symmetric_times(S, y), symmetric_times(S, z)
    return dot(x, a), dot(y, b), dot(z, c), dot(y, a), dot(z, a), dot(z, b)
