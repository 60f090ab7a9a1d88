"""The gyroscopic torque apart from the others: taken implicitly, or left to a free motion.

In body axes a rotating body obeys Theta_b w' = tau - w x Theta_b w (equations 1). An explicit Euler
step of the last term is stable for slow rotations only. The implicit one,

    f(w) = Theta_b (w - w_n) + h w x Theta_b w - h tau = 0,

takes one Newton step from w_n,

    D (w - w_n) = h Theta_b w'_n,      D = Theta_b + h ([w_n]x Theta_b - [Theta_b w_n]x),

where w'_n is the explicit acceleration. Turning with the new w about its own axis leaves w as it
is in body and in world axes, so that the step may be written in the world axes of q_n.
"""

from dalembert._jit import kernel
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import put_vec3, vec3
from dalembert.system.state_layout import State

FLAT = 1e-12
"""det Theta over its cubed trace below which a body has an axis without inertia."""


@kernel
def spin_implicitly(state: State, h, v, vdot):
    """Change v', made with the gyroscopic torque at v, into that of the implicit step v + h v'.

    The inertias are those of the last evaluated state. A body with an axis without inertia (a rod)
    keeps its v': there a constraint decides.
    """
    for b in range(state.bodies):
        theta, k = state.turned_body(b).theta, 6 * b + 3
        _, determinant = theta.adjugate()
        if not determinant > FLAT * theta.trace * theta.trace * theta.trace:
            continue
        torque = theta @ vec3(vdot, k)
        put_vec3(vdot, k, implicit_rate(theta, vec3(v, k), torque, h))


@kernel
def implicit_rate(theta, w, torque, h):
    """w' = D^-1 torque of the implicit step from w; `torque` is all of it at w."""
    x, y, z, l = theta.x, theta.y, theta.z, theta @ w
    # D = Theta + h ([w]x Theta - [l]x), [w]x = ((0, -z, y), (z, 0, -x), (-y, x, 0))
    D = Mat3(
        x.x + h * (w.y * z.x - w.z * y.x),
        x.y + h * (w.y * z.y - w.z * y.y + l.z),
        x.z + h * (w.y * z.z - w.z * y.z - l.y),
        y.x + h * (w.z * x.x - w.x * z.x - l.z),
        y.y + h * (w.z * x.y - w.x * z.y),
        y.z + h * (w.z * x.z - w.x * z.z + l.x),
        z.x + h * (w.x * y.x - w.y * x.x + l.y),
        z.y + h * (w.x * y.y - w.y * x.y - l.x),
        z.z + h * (w.x * y.z - w.y * x.z),
    )
    return D.solve(torque)


@kernel
def leave_out_gyroscopic(state: State, v, force):
    """force += w x Theta w: what is left changes the angular momentum in world axes."""
    for b in range(state.bodies):
        k = 6 * b + 3
        t = state.turned_body(b).theta
        x, y, z = v[k], v[k + 1], v[k + 2]
        lx = t.xx * x + t.xy * y + t.xz * z
        ly = t.xy * x + t.yy * y + t.yz * z
        lz = t.xz * x + t.yz * y + t.zz * z
        force[k] += y * lz - z * ly
        force[k + 1] += z * lx - x * lz
        force[k + 2] += x * ly - y * lx
