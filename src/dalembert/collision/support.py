"""Support mappings of convex shapes, and the pair that GJK, EPA and the manifolds work on.

The support of a convex set C in a direction d is a point of C farthest along d; what the
algorithms ask is the support of the Minkowski difference A - B = {a - b},

    w(d) = s_A(d) - s_B(-d),

whose distance from the origin is the distance of the shapes. A shape is a *core* and a radius by
which it is rounded: a ball is a point, a capsule a segment. Cores that touch are a radius deep in
each other, so that rounded shapes are as exact near touching as far apart.

Everything is computed in the frame of A: what it finds does not depend on where in the world the
pair is, and large coordinates cost no digits. `prepare` writes the pair into the scratch section.

Source: van den Bergen, Collision Detection in Interactive 3D Environments (2003), chapter 4.
"""

import math

from dalembert._jit import kernel, subroutine
from dalembert.collision.layout import (
    BOX,
    CAPSULE,
    COUNT,
    CYLINDER,
    ELLIPSOID,
    FIRST,
    FIRST_INTEGER,
    HULL,
    KIND,
    SCRATCH_INTEGERS_AT,
    SCRATCH_NUMBERS_AT,
    SIZE,
    SPHERE,
    placed,
    shape_integers,
    shape_numbers,
)
from dalembert.numerics.small import (
    matrix,
    put_matrix,
    put_vector,
    sub,
    times,
    transposed_product,
    transposed_times,
    vector,
)

# -- the pair in the scratch sections --------------------------------------------------------------

# Integers: two cores, CORE_INTEGERS apart, then the simplex.
CORE_INTEGERS = 6
CORE, CORE_FIRST, CORE_COUNT, CORE_FACES, CORE_LINKS, CORE_HINT = range(CORE_INTEGERS)
SIMPLEX_COUNT = 12
SIMPLEX_A = 13  # 4 numbers of vertices, of A
SIMPLEX_B = 17  # and of B
EPA_INTEGERS = 32

# Numbers.
PAIR_ROTATION = 0  # of B in A
PAIR_POSITION = 9
CORE_SIZE = 12  # 3 of A, 3 of B
RADIUS_A, RADIUS_B = 18, 19
CLOSEST = 20  # v = a - b of the closest points
WEIGHTS = 23  # of the points of the simplex
POINTS = 28  # of the simplex: w and a, 6 floats each
SCALE = 52  # size of the Minkowski difference as far as it was seen
EPA_NUMBERS = 128

# Least number of vertices for which climbing from vertex to vertex beats looking at all of them.
CLIMB = 16


@kernel
def load_core(integers, numbers, shape, to, sizes):
    """Core of a shape into the pair; its radius."""
    at, record = shape_integers(integers, shape), shape_numbers(integers, shape)
    kind = integers[at + KIND]
    x, y, z = vector(numbers, record + SIZE)
    integers[to + CORE] = kind
    integers[to + CORE_FIRST] = 0
    integers[to + CORE_COUNT] = 0
    integers[to + CORE_FACES] = -1
    integers[to + CORE_LINKS] = -1
    integers[to + CORE_HINT] = 0
    radius = 0.0
    if kind == SPHERE:
        integers[to + CORE] = BOX
        radius, x, y, z = x, 0.0, 0.0, 0.0
    elif kind == CAPSULE:
        integers[to + CORE] = BOX
        radius, x, y, z = x, 0.0, 0.0, y
    elif kind == HULL:
        integers[to + CORE_FIRST] = integers[at + FIRST]
        integers[to + CORE_COUNT] = integers[at + COUNT]
        faces = integers[at + FIRST_INTEGER]
        integers[to + CORE_FACES] = faces
        integers[to + CORE_LINKS] = faces + integers[faces + 1]
        radius, x, y, z = x, 0.0, 0.0, 0.0
    put_vector(numbers, sizes, (x, y, z))
    return radius


@kernel
def place_pair(integers, numbers, a, b):
    """Pose of shape b in shape a, into the pair."""
    ff = integers[SCRATCH_NUMBERS_AT]
    at_a, at_b = placed(integers, a), placed(integers, b)
    R_A = matrix(numbers, at_a + 3)
    apart = sub(vector(numbers, at_b), vector(numbers, at_a))
    put_matrix(numbers, ff + PAIR_ROTATION, transposed_product(R_A, matrix(numbers, at_b + 3)))
    put_vector(numbers, ff + PAIR_POSITION, transposed_times(R_A, apart))


@kernel
def prepare(integers, numbers, a, b):
    """Write the pair of two convex shapes into the scratch sections."""
    fi, ff = integers[SCRATCH_INTEGERS_AT], integers[SCRATCH_NUMBERS_AT]
    numbers[ff + RADIUS_A] = load_core(integers, numbers, a, fi, ff + CORE_SIZE)
    numbers[ff + RADIUS_B] = load_core(integers, numbers, b, fi + CORE_INTEGERS, ff + CORE_SIZE + 3)
    place_pair(integers, numbers, a, b)
    integers[fi + SIMPLEX_COUNT] = 0


# -- supports --------------------------------------------------------------------------------------


@kernel
def hull_support(integers, numbers, first, count, links, hint, d):
    """The number of the vertex farthest along d."""
    x, y, z = d
    best = hint
    at = first + 3 * best
    most = x * numbers[at] + y * numbers[at + 1] + z * numbers[at + 2]
    if links < 0 or count < CLIMB:
        for k in range(count):
            at = first + 3 * k
            value = x * numbers[at] + y * numbers[at + 1] + z * numbers[at + 2]
            if value > most:
                most, best = value, k
        return best
    # Uphill along edges: on a convex polytope there are no other summits.
    before = -1
    while best != before:
        before = best
        for i in range(integers[links + before], integers[links + before + 1]):
            k = integers[links + i]
            at = first + 3 * k
            value = x * numbers[at] + y * numbers[at + 1] + z * numbers[at + 2]
            if value > most:
                most, best = value, k
    return best


@subroutine
def core_support(integers, numbers, core, sizes, d):
    """Point of a core farthest along d, in its own frame, and a number for it."""
    kind = integers[core + CORE]
    x, y, z = d
    if kind == HULL:
        first = integers[core + CORE_FIRST]
        k = hull_support(
            integers,
            numbers,
            first,
            integers[core + CORE_COUNT],
            integers[core + CORE_LINKS],
            integers[core + CORE_HINT],
            d,
        )
        integers[core + CORE_HINT] = k
        at = first + 3 * k
        return (numbers[at], numbers[at + 1], numbers[at + 2]), k
    sx, sy, sz = numbers[sizes], numbers[sizes + 1], numbers[sizes + 2]
    if kind == BOX:
        k = 0
        if x < 0.0:
            sx = -sx
            k += 1
        if y < 0.0:
            sy = -sy
            k += 2
        if z < 0.0:
            sz = -sz
            k += 4
        return (sx, sy, sz), k
    if kind == CYLINDER:
        k = 0
        if z < 0.0:
            sy = -sy
            k = 1
        rho = math.sqrt(x * x + y * y)
        if rho > 0.0:
            s = sx / rho
            return (s * x, s * y, sy), k
        return (sx, 0.0, sy), k
    # an ellipsoid: a point of its surface where the normal is d
    ax, ay, az = sx * x, sy * y, sz * z
    length = math.sqrt(ax * ax + ay * ay + az * az)
    if length > 0.0:
        s = 1.0 / length
        return (s * sx * ax, s * sy * ay, s * sz * az), 0
    return (sx, 0.0, 0.0), 0


@kernel
def core_vertex(integers, numbers, core, sizes, k):
    """The point that `core_support` gave the number k, of a core that has vertices."""
    if integers[core + CORE] == HULL:
        return vector(numbers, integers[core + CORE_FIRST] + 3 * k)
    sx, sy, sz = vector(numbers, sizes)
    if k & 1:
        sx = -sx
    if k & 2:
        sy = -sy
    if k & 4:
        sz = -sz
    return sx, sy, sz


@kernel
def has_vertices(integers, core):
    """Whether the core is a polytope."""
    kind = integers[core + CORE]
    return kind == HULL or kind == BOX


@kernel
def is_round(integers, core):
    """Whether the core is an ellipsoid: one point of contact, whatever it touches."""
    return integers[core + CORE] == ELLIPSOID


@kernel
def support_of_b(integers, numbers, fi, ff, d):
    """Point of B farthest along d, in the frame of A, and its number."""
    R = matrix(numbers, ff + PAIR_ROTATION)
    local, k = core_support(
        integers, numbers, fi + CORE_INTEGERS, ff + CORE_SIZE + 3, transposed_times(R, d)
    )
    p = times(R, local)
    at = ff + PAIR_POSITION
    return (p[0] + numbers[at], p[1] + numbers[at + 1], p[2] + numbers[at + 2]), k


@subroutine
def support(integers, numbers, fi, ff, d):
    """Support of A - B along d: w, the point of A, and the numbers of both points."""
    a, ka = core_support(integers, numbers, fi, ff + CORE_SIZE, d)
    b, kb = support_of_b(integers, numbers, fi, ff, (-d[0], -d[1], -d[2]))
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2]), a, ka, kb


@kernel
def separation(integers, numbers, fi, ff, n):
    """Width of the slab with unit normal n, from A to B, between the cores.

    For every n it is at most the signed distance, which is the largest of them all.
    """
    w = support(integers, numbers, fi, ff, n)[0]
    return -(w[0] * n[0] + w[1] * n[1] + w[2] * n[2])
