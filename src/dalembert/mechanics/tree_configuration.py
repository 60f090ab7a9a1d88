"""The manifold of configurations of a tree: q (+) v, its inverse, q' = N(q) v.

A quaternion has four coordinates and three velocities, in the axes of the joint frame on the parent
(of the world for a free body); it is turned, not added to.
"""

from dalembert._jit import kernel
from dalembert.numerics.quaternion import Quaternion, put_quaternion, quaternion
from dalembert.numerics.vector import put_vec3, vec3
from dalembert.system.tree_layout import FREE, SPHERICAL, Joints


@kernel
def integrate(integers, q, v, h, q_out):
    """q (+) h v: quaternions are turned about the axes of the parent's frame, fixed meanwhile."""
    for joint in Joints(integers):
        qs, vs = joint.q_start, joint.v_start
        if joint.kind < SPHERICAL:
            for k in range(joint.dofs):
                q_out[qs + k] = q[qs + k] + h * v[vs + k]
            continue
        if joint.kind == FREE:
            put_vec3(q_out, qs, h * vec3(v, vs) + vec3(q, qs))
            qs += 3
            vs += 3
        turned = Quaternion.exponential(h * vec3(v, vs)) @ quaternion(q, qs)
        put_quaternion(q_out, qs, turned.unit())


@kernel
def difference(integers, q, other, v_out):
    """v with other = q (+) v, the shorter way round."""
    for joint in Joints(integers):
        qs, vs = joint.q_start, joint.v_start
        if joint.kind < SPHERICAL:
            for k in range(joint.dofs):
                v_out[vs + k] = other[qs + k] - q[qs + k]
            continue
        if joint.kind == FREE:
            put_vec3(v_out, vs, vec3(other, qs) - vec3(q, qs))
            qs += 3
            vs += 3
        turned = quaternion(other, qs) @ quaternion(q, qs).conjugate()
        put_vec3(v_out, vs, turned.unit().logarithm())


@kernel
def coordinate_rates(integers, q, v, qdot_out):
    """q' = N(q) v: the identity but for quaternions, where it is 1/2 (0, v) q."""
    for joint in Joints(integers):
        qs, vs = joint.q_start, joint.v_start
        if joint.kind < SPHERICAL:
            for k in range(joint.dofs):
                qdot_out[qs + k] = v[vs + k]
            continue
        if joint.kind == FREE:
            put_vec3(qdot_out, qs, vec3(v, vs))
            qs += 3
            vs += 3
        half = Quaternion(0.0, 0.5 * v[vs], 0.5 * v[vs + 1], 0.5 * v[vs + 2])
        put_quaternion(qdot_out, qs, half @ quaternion(q, qs))
