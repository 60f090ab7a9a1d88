"""The manifold of configurations of a tree: q (+) v, its inverse, q' = N(q) v.

A quaternion has four coordinates and three velocities, in the axes of the joint frame on the parent
(of the world for a free body); it is turned, not added to.
"""

from dalembert._jit import kernel
from dalembert.numerics.small import (
    axpy,
    conjugate,
    exponential,
    logarithm,
    put_quaternion,
    put_vector,
    quaternion,
    quaternion_product,
    scale,
    sub,
    unit,
    vector,
)
from dalembert.system.tree_layout import (
    DOFS,
    FREE,
    KIND,
    LINK,
    LINK_TABLE,
    LINKS,
    Q_START,
    SPHERICAL,
    V_START,
)


@kernel
def integrate(tree, q, v, h, q_out):
    """q (+) h v: quaternions are turned about the axes of the parent's frame, fixed meanwhile."""
    for i in range(tree[LINKS]):
        at = tree[LINK_TABLE] + LINK * i
        kind, qs, vs = tree[at + KIND], tree[at + Q_START], tree[at + V_START]
        if kind < SPHERICAL:
            for k in range(tree[at + DOFS]):
                q_out[qs + k] = q[qs + k] + h * v[vs + k]
            continue
        if kind == FREE:
            put_vector(q_out, qs, axpy(h, vector(v, vs), vector(q, qs)))
            qs += 3
            vs += 3
        turned = quaternion_product(exponential(scale(h, vector(v, vs))), quaternion(q, qs))
        put_quaternion(q_out, qs, unit(turned))


@kernel
def difference(tree, q, other, v_out):
    """v with other = q (+) v, the shorter way round."""
    for i in range(tree[LINKS]):
        at = tree[LINK_TABLE] + LINK * i
        kind, qs, vs = tree[at + KIND], tree[at + Q_START], tree[at + V_START]
        if kind < SPHERICAL:
            for k in range(tree[at + DOFS]):
                v_out[vs + k] = other[qs + k] - q[qs + k]
            continue
        if kind == FREE:
            put_vector(v_out, vs, sub(vector(other, qs), vector(q, qs)))
            qs += 3
            vs += 3
        turned = quaternion_product(quaternion(other, qs), conjugate(quaternion(q, qs)))
        put_vector(v_out, vs, logarithm(unit(turned)))


@kernel
def coordinate_rates(tree, q, v, qdot_out):
    """q' = N(q) v: the identity but for quaternions, where it is 1/2 (0, v) q."""
    for i in range(tree[LINKS]):
        at = tree[LINK_TABLE] + LINK * i
        kind, qs, vs = tree[at + KIND], tree[at + Q_START], tree[at + V_START]
        if kind < SPHERICAL:
            for k in range(tree[at + DOFS]):
                qdot_out[qs + k] = v[vs + k]
            continue
        if kind == FREE:
            put_vector(qdot_out, qs, vector(v, vs))
            qs += 3
            vs += 3
        half = (0.0, 0.5 * v[vs], 0.5 * v[vs + 1], 0.5 * v[vs + 2])
        put_quaternion(qdot_out, qs, quaternion_product(half, quaternion(q, qs)))
