"""Motions, forces and inertias of bodies: six-vectors and 6 x 6 matrices as values.

A motion is the velocity (or acceleration) of a point and the angular one; a force is taken about a
point. With r from one point to another (Featherstone 2008, eqs 2.24 to 2.26, world axes),

    motion.at(r)         motion of the point r away           X = [1  -r x; 0  1]
    force.carried(r)     the force about the point -r away    X^T
    inertia.carried(r)   the inertia about that point         X^T I X

and `force.dot(motion)` is their power.
"""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert._records import value
from dalembert._traceable import min
from dalembert.numerics.matrix import Mat3, Sym3
from dalembert.numerics.vector import Vec3, put_vec3, vec3


@value
class Motion:
    """Velocity or acceleration of a body: of a point of it, and the angular one."""

    linear: Vec3
    angular: Vec3

    @staticmethod
    def zero():
        """No motion."""
        return Motion(Vec3.zero(), Vec3.zero())

    def __add__(self, b):
        return Motion(self.linear + b.linear, self.angular + b.angular)

    def __rmul__(self, s):
        return Motion(s * self.linear, s * self.angular)

    def at(self, r):
        """Motion of the point r away."""
        return Motion(self.linear + self.angular % r, self.angular)


@value
class Force:
    """Force on a body and torque about a point of it."""

    force: Vec3
    torque: Vec3

    @staticmethod
    def zero():
        """No force."""
        return Force(Vec3.zero(), Vec3.zero())

    def __add__(self, b):
        return Force(self.force + b.force, self.torque + b.torque)

    def __sub__(self, b):
        return Force(self.force - b.force, self.torque - b.torque)

    def __neg__(self):
        return Force(-self.force, -self.torque)

    def __rmul__(self, s):
        return Force(s * self.force, s * self.torque)

    def carried(self, r):
        """Force, and its torque about the point -r away."""
        return Force(self.force, self.torque + r % self.force)

    def dot(self, m):
        """Power on a motion."""
        return self.force.dot(m.linear) + self.torque.dot(m.angular)


@value
class ArticulatedInertia:
    """The symmetric matrix [M H; H^T J] on (linear, angular)."""

    M: Sym3
    H: Mat3
    J: Sym3

    @staticmethod
    def of_body(mass, theta):
        """Inertia of a body about its centre of mass."""
        return ArticulatedInertia(Sym3.diagonal(mass), Mat3.zero(), theta)

    def plus_body(self, mass, theta):
        """Sum with the inertia of a body about its centre of mass."""
        M = self.M
        diagonal = Sym3(M.xx + mass, M.yy + mass, M.zz + mass, M.xy, M.xz, M.yz)
        return ArticulatedInertia(diagonal, self.H, theta + self.J)

    def __add__(self, b):
        return ArticulatedInertia(self.M + b.M, self.H + b.H, self.J + b.J)

    def __matmul__(self, m):
        """Force that a motion takes."""
        return Force(
            (self.M @ m.linear) + (self.H @ m.angular),
            self.H.transposed_times(m.linear) + (self.J @ m.angular),
        )

    def less_dyad(self, U, W):
        """I - U W^T, where W is a multiple of U."""
        return ArticulatedInertia(
            self.M.less_square(U.force, W.force),
            self.H.less_dyad(U.force, W.torque),
            self.J.less_square(U.torque, W.torque),
        )

    def carried(self, r):
        """X^T I X: H' = H - M [r], J' = J + [r] H' - H^T [r]."""
        M, H, J = self.M, self.H, self.J
        # rows of H', then r x the columns of H and of H'
        a, b, c = H.row_x + r % M.x, H.row_y + r % M.y, H.row_z + r % M.z
        moved = Mat3.of_rows(a, b, c)
        x, y, z = r % H.x, r % H.y, r % H.z
        p, s, t = r % moved.x, r % moved.y, r % moved.z
        turned = Sym3(
            J.xx + p.x + x.x,
            J.yy + s.y + y.y,
            J.zz + t.z + z.z,
            J.xy + s.x + x.y,
            J.xz + t.x + x.z,
            J.yz + t.y + y.z,
        )
        return ArticulatedInertia(M, moved, turned)

    def solve(self, f):
        """Motion that a force gives, and the smaller of two determinants.

        By the Schur complement of M: a positive definite matrix needs no pivoting.
        """
        H, J = self.H, self.J
        X, mass = self.M.inverse()
        x, y, z = X @ H.x, X @ H.y, X @ H.z
        b = X @ f.force
        p, q, r = H.transposed_times(x), H.transposed_times(y), H.transposed_times(z)
        left = Sym3(J.xx - p.x, J.yy - q.y, J.zz - r.z, J.xy - q.x, J.xz - r.x, J.yz - r.y)
        Z, turning = left.inverse()
        angular = Z @ (f.torque - H.transposed_times(b))
        linear = b - (Mat3.of_columns(x, y, z) @ angular)
        return Motion(linear, angular), min(mass, turning)


@value
class RigidInertia:
    """Mass, first moment h = m d and inertia about a point of what moves as one."""

    mass: float
    h: Vec3
    J: Sym3

    def __add__(self, b):
        return RigidInertia(self.mass + b.mass, self.h + b.h, self.J + b.J)

    def __matmul__(self, m):
        """Force that a motion takes."""
        return Force(
            self.mass * m.linear + m.angular % self.h,
            self.h % m.linear + (self.J @ m.angular),
        )

    def carried(self, r):
        """About the point -r away: J + m (2 d.r + r.r) 1 - (h r^T + r h^T + m r r^T)."""
        h, J = self.h, self.J
        s, t = 2.0 * h.dot(r) + self.mass * r.dot(r), self.mass * r + h
        turned = Sym3(
            J.xx + s - h.x * r.x - r.x * t.x,
            J.yy + s - h.y * r.y - r.y * t.y,
            J.zz + s - h.z * r.z - r.z * t.z,
            J.xy - h.x * r.y - r.x * t.y,
            J.xz - h.x * r.z - r.x * t.z,
            J.yz - h.y * r.z - r.y * t.z,
        )
        return RigidInertia(self.mass, t, turned)


# -- to and from arrays ----------------------------------------------------------------------------


@kernel
def motion(x, at):
    """Six entries of an array as a motion."""
    return Motion(vec3(x, at), vec3(x, at + 3))


@kernel
def put_motion(x, at, m):
    """Store a motion."""
    put_vec3(x, at, m.linear)
    put_vec3(x, at + 3, m.angular)


@kernel
def force(x, at):
    """Six entries of an array as a force."""
    return Force(vec3(x, at), vec3(x, at + 3))


@kernel
def put_force(x, at, f):
    """Store a force."""
    put_vec3(x, at, f.force)
    put_vec3(x, at + 3, f.torque)
