"""Places in the tables of a run with contact, with their named fields."""

from dalembert._records import Place
from dalembert.contact.problem.record_layout import INFO_FLOATS
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3


class Member(Place):
    """Where a body, or a velocity of a tree, stands among the cliques."""

    class integers:
        clique: int
        place: int  # of its first velocity there


AWAY, COMING, PUSHED, PRESSED = range(4)
"""`near` of a run: nothing is; something may touch in the next steps; something has an impulse; and
had one in the step before, too."""

STOP, DRIVE, TANGENT = range(3)
"""Laws of one-sided rows."""


class SideLaw(Place):
    """A one-sided row (`contact.rows.one_sided_rows`)."""

    class integers:
        law: int  # STOP, DRIVE or TANGENT
        first: int  # of its bodies
        count: int


class SideBody(Place):
    """A body that a one-sided row acts on."""

    class integers:
        body: int
        start: int  # of its six entries in `State.side_jacobian`


class Law(Place):
    """The law of two classes of surfaces."""

    class numbers:
        friction: float  # below 0: they pass through each other
        spinning: float  # [m]
        rolling: float  # [m]
        restitution: float
        stiffness: float  # [N/m] 0: rigid
        damping: float  # [N s/m]
        frequency: float  # [rad/s] 0: none
        damping_ratio: float
        tangential_stiffness: float
        tangential_damping: float
        dissipation: float  # of Hunt and Crossley
        viscous: float  # friction [N s/m] 0: none
        static: float  # friction where they stick


class Contact(Place):
    """A contact of a step; vectors in world axes."""

    class numbers:
        n: Vec3  # frame
        t1: Vec3
        t2: Vec3
        arm_a: Vec3  # from the centres of mass
        arm_b: Vec3
        local_a: Vec3  # the points of both surfaces, in body axes
        local_b: Vec3
        impulse: Vec3  # on B
        turning_impulse: Vec3
        stretch: Vec3  # of the tangential spring
        speed: float  # normal velocity before the step
        stiff: float  # of the normal, 0: rigid
        damp: float
        bounce: float  # restitution that acts in this step; negative: that will if they touch
        slip: float  # speed of sliding after the step
        state: float  # open, sticking, sliding (`contact.problem.layout`)
        old_n: Vec3  # of the last step (`contact.rows.second_order`)
        old_arm_a: Vec3
        old_arm_b: Vec3
        old_slide: Vec3
        old_state: float  # 1 + state; 0: it was not there
        lead: Vec3  # added to the bias of n, t1, t2 by second order
        slide: Vec3  # tangential velocity before the step
        turn: Vec3  # angular velocity of B against A before the step
        old_turn: Vec3
        turn_lead: Vec3  # added to the bias of spin and rolling, about n, t1, t2
        viscous: Vec3  # impulse of viscous friction on B
        damped: float  # 1: there is some
        stuck: float  # 1: it did so in the last step

    @property
    def frame(self):
        """Matrix with the rows n, t1, t2."""
        return Mat3.of_rows(self.n, self.t1, self.t2)


class Kept(Place):
    """A contact that is remembered from the last step."""

    class integers:
        shape_a: int
        shape_b: int
        feature: int
        found: int  # whether it has been found again

    class numbers:
        impulse: Vec3
        turning_impulse: Vec3
        stretch: Vec3
        point: Vec3
        old_n: Vec3
        old_arm_a: Vec3
        old_arm_b: Vec3
        old_slide: Vec3
        old_turn: Vec3
        old_state: float
        stuck: float


class Sleep(Place):
    """Rest of a clique (`contact.step.sleeping`)."""

    class integers:
        asleep: int
        touching: int  # contacts it rests on
        now: int  # those of this step
        next: int  # state after it

    class numbers:
        still: float  # time at rest  [s]
        next_still: float


class StepReport(Place):
    """Report of a step besides its solve."""

    class numbers:
        penetration: float  # [m]
        drift: float
        energy_change: float
        pushed: float
        penetration_angle: float  # [rad]
        penetration_own: float
        was_smooth: float


class LoggedContact(Place):
    """A contact with a sample (`contact.run.log`)."""

    class numbers:
        sample: float
        shape_a: float
        shape_b: float
        feature: float
        point: Vec3
        normal: Vec3
        gap: float
        force: Vec3  # on B
        torque: Vec3
        state: float
        slip: float


class SavedCounts(Place):
    """Counts at the head of the integers that are kept."""

    class integers:
        remembered: int
        contacts: int
        resting: int
        stalled_steps: int
        flagged_steps: int
        poisson_steps: int
        worst_step: int
        steps: int
        smooth_steps: int
        smooth_now: int
        near: int
        clear: int


class SavedSums(Place):
    """Sums at the head of the numbers that are kept."""

    class numbers:
        last_step: float
        contact_work_sum: float


MEMBER = Member.entries("integers")
SIDE_LAW, SIDE_BODY = SideLaw.entries("integers"), SideBody.entries("integers")
CLASS_FLOATS, CONTACT_FLOATS = Law.entries("numbers"), Contact.entries("numbers")
KEPT_RECORD, KEPT_FLOATS = Kept.entries("integers"), Kept.entries("numbers")
SLEEP_RECORD, SLEEP_NUMBERS = Sleep.entries("integers"), Sleep.entries("numbers")
SAVED_COUNTS, SAVED_SUMS = SavedCounts.entries("integers"), SavedSums.entries("numbers")
CONTACT_LOG_FLOATS = LoggedContact.entries("numbers")
REPORT_FLOATS = INFO_FLOATS + StepReport.entries("numbers")
"""Floats reported of a step: those of the solver, and `StepReport`."""
