"""The integer tables of a model of bodies: what stands in a row of each.

Those of factorisations are in `numerics.block_sparse`, those of trees in `system.tree_layout` and
`system.loop_tables`. `empty_table` has the blocks of H off the diagonal that no pair writes (they
begin as zero), `turns_table` where the counted turns of each angle are written in `work`.

Pairs are constraints of two frames, which share code by kind. Incidences belong to constraints of
any number of bodies (formulas, couplers), whose rows one function computes for the whole model. A
body whose number is the number of bodies is the world.
"""

from dalembert._records import Place
from dalembert.numerics.matrix import Mat3, Sym3
from dalembert.numerics.spatial import Force, Motion
from dalembert.numerics.vector import Vec3


class QuaternionStart(Place):
    """Where a quaternion begins in q, and its angular velocity in v."""

    class integers:
        q: int
        v: int


class Pair(Place):
    """A constraint of two frames."""

    class integers:
        rows_code: int  # Phi, Phi', Phi_t, rhs_a and the blocks of J
        residual_code: int  # Phi and Phi'
        a: int  # bodies
        b: int
        data: int  # where its data begin
        row: int  # the first one
        count: int  # of rows
        block_a: int  # of J
        block_b: int
        image_code: int  # J x
        pull_code: int  # J^T lam
        weight_code: int  # J^T G J
        H_aa: int  # blocks of H
        H_ab: int
        H_bb: int
        refine_code: int  # a step of refinement


class Action(Place):
    """A force element of two bodies."""

    class integers:
        code: int
        a: int
        b: int
        data: int


class Incidence(Place):
    """A body in a constraint of any number of bodies."""

    class integers:
        body: int
        block: int  # of J
        row: int
        count: int
        is_first: int  # where J x begins


class Term(Place):
    """A product of two blocks of J in H."""

    class integers:
        column_block: int
        row_block: int
        row: int
        count: int
        block: int  # of H


class Massless(Place):
    """A body without inertia about some axis."""

    class integers:
        body: int
        block: int  # its diagonal block of H


class MissingInertia(Place):
    """Inertia that such a body lacks  [kg m^2]."""

    class numbers:
        own: Mat3  # in body axes
        turned: Mat3  # in world axes
        reached: Vec3  # angular velocity that it has in a step with impulses
        lent: Vec3  # what was added to v* for that


class Division(Place):
    """A block of M^-1 J^T, of one side of a constraint."""

    class integers:
        code: int
        body: int
        j: int  # where the block of J begins
        z: int  # and the one of M^-1 J^T


class Product(Place):
    """A block of W = J M^-1 J^T, or a part of it."""

    class integers:
        code: int
        j: int  # where the block of J begins,
        z: int  # the one of M^-1 J^T
        w: int  # and the one of W


class EmptyBlock(Place):
    """A block of W that no product begins."""

    class integers:
        w: int
        length: int


class Body(Place):
    """Constants of a body."""

    class numbers:
        mass: float
        inertia: Sym3  # in body axes  [kg m^2]
        over_mass: float  # 1 / mass


class TurnedBody(Place):
    """Mass matrix of a body where it is."""

    class numbers:
        theta: Sym3  # inertia in world axes  [kg m^2]
        mass: float

    def weight(self, motion):
        """V . M V = m v . v + w . Theta w."""
        v, w = motion.linear, motion.angular
        return self.mass * v.dot(v) + w.dot(self.theta @ w)

    def momentum(self, motion):
        """M V = (m v, Theta w)."""
        return Force(self.mass * motion.linear, self.theta @ motion.angular)


class BodyRecord(Place):
    """Where a body is and how it moves, as rows and formulas see it."""

    class numbers:
        center: Vec3  # of mass
        rotation: Mat3
        velocity: Motion

    def in_world(self, r):
        """A point of the body in the world; r from its centre of mass, in its axes."""
        return self.center + self.rotation @ r

    def velocity_at(self, x):
        """Velocity of the point of the body that is at x: v + w x (x - c)."""
        return self.velocity.at(x - self.center).linear


class Hinge(Place):
    """A hinge whose turns are counted (`mechanics.winding`)."""

    class integers:
        is_coordinate: int  # 1: a is a coordinate of a tree and b its velocity
        a: int  # bodies; -1 is the world
        b: int

    class numbers:
        x_a: Vec3  # axes of its frames, in axes of the bodies
        y_a: Vec3
        z_a: Vec3
        x_b: Vec3
        foretold: float  # angle  [rad]
        rate: float  # of it  [rad/s]
        sure_at: float  # where it has been compared with the raw one


class Stop(Place):
    """Law of a row phi >= 0 (`contact.rows.one_sided_rows`)."""

    class numbers:
        stiffness: float  # 0: rigid
        damping: float
        restitution: float
        frequency: float  # [rad/s] 0: none
        damping_ratio: float
        unit: float  # METRES, RADIANS or OWN_UNIT
        friction: float  # against the sliding of the tangents that follow
        static: float  # where they stick
        arm: float  # that makes a rate a speed  [m]; 1 where it is one


class Drive(Place):
    """Law of a motor, a brake, dry friction (`contact.rows.one_sided_rows`)."""

    class numbers:
        least: float  # force
        most: float
        target_speed: float
        gain: float  # kp
        rate_gain: float  # kd
        target: float
        load: float  # added to both bounds, over the force in a joint
        load_row: float  # first row of that force,
        load_rows: float  # and how many there are


SIDE_NUMBERS = 9
"""Floats of the law of a one-sided row: a `Stop` or a `Drive`."""

QUATERNION, MISSING = QuaternionStart.entries("integers"), Massless.entries("integers")
PAIR_STRIDE, ACTION_STRIDE = Pair.entries("integers"), Action.entries("integers")
INCIDENCE_STRIDE, TERM_STRIDE = Incidence.entries("integers"), Term.entries("integers")
DIVISION, PRODUCT = Division.entries("integers"), Product.entries("integers")
EMPTY_BLOCK, LACKING = EmptyBlock.entries("integers"), MissingInertia.entries("numbers")
CONSTANT, INERTIA = Body.entries("numbers"), TurnedBody.entries("numbers")
HINGE, HINGE_FLOATS = Hinge.entries("integers"), Hinge.entries("numbers")

RECORD = BodyRecord.entries("numbers")
"""Floats a body shows to formulas: centre of mass 3, rotation 9, velocity 3, angular velocity 3."""
