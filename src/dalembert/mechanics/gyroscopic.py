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
        xx, yy, zz, xy, xz, yz = state.turned_body(b).theta
        trace = xx + yy + zz
        determinant = xx * (yy * zz - yz * yz) + xy * (xz * yz - xy * zz) + xz * (xy * yz - xz * yy)
        if not determinant > FLAT * trace * trace * trace:
            continue
        k = 6 * b + 3
        ax, ay, az = vdot[k], vdot[k + 1], vdot[k + 2]
        torque = (
            xx * ax + xy * ay + xz * az,
            xy * ax + yy * ay + yz * az,
            xz * ax + yz * ay + zz * az,
        )
        w = (v[k], v[k + 1], v[k + 2])
        vdot[k], vdot[k + 1], vdot[k + 2] = implicit_rate((xx, yy, zz, xy, xz, yz), w, torque, h)


@kernel
def implicit_rate(theta, w, torque, h):
    """w' = D^-1 torque of the implicit step from w; `torque` is all of it at w."""
    xx, yy, zz, xy, xz, yz = theta
    x, y, z = w
    fx, fy, fz = torque
    lx, ly, lz = xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z
    # D = Theta + h ([w]x Theta - [l]x), [w]x = ((0, -z, y), (z, 0, -x), (-y, x, 0))
    d00 = xx + h * (y * xz - z * xy)
    d01 = xy + h * (y * yz - z * yy + lz)
    d02 = xz + h * (y * zz - z * yz - ly)
    d10 = xy + h * (z * xx - x * xz - lz)
    d11 = yy + h * (z * xy - x * yz)
    d12 = yz + h * (z * xz - x * zz + lx)
    d20 = xz + h * (x * xy - y * xx + ly)
    d21 = yz + h * (x * yy - y * xy - lx)
    d22 = zz + h * (x * yz - y * xz)
    # Cramer's rule
    c0, c1, c2 = d11 * d22 - d12 * d21, d12 * d20 - d10 * d22, d10 * d21 - d11 * d20
    scale = 1.0 / (d00 * c0 + d01 * c1 + d02 * c2)
    return (
        scale * (c0 * fx + (d02 * d21 - d01 * d22) * fy + (d01 * d12 - d02 * d11) * fz),
        scale * (c1 * fx + (d00 * d22 - d02 * d20) * fy + (d02 * d10 - d00 * d12) * fz),
        scale * (c2 * fx + (d01 * d20 - d00 * d21) * fy + (d00 * d11 - d01 * d10) * fz),
    )


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
