"""Memory of a run with contact: two arrays at the ends of those of the state.

They hold the scene of collision and the contact problem, whose own files know what is inside
(`collision.layout`, `contact.problem.layout`), and besides

* for every body its clique, and where its six velocities begin there;
* the laws of pairs of surfaces, by class of surface;
* the contacts of this step, and what is kept of each: frame, arms, impulses;
* the impulses of the last step, for the warm start (`contact.step.warm_start`);
* which cliques sleep, and how they rest (`contact.step.sleeping`);
* what is reported of a step, and the worst over the run.

`contact.run.tables` makes the arrays.
"""

from dalembert._jit import border, kernel
from dalembert._memory import Memory, over
from dalembert._native import vector_view
from dalembert._records import Integers, Numbers
from dalembert.collision.layout import CONTACT_INTEGERS as FOUND_INTEGERS
from dalembert.collision.layout import CONTACT_NUMBERS as FOUND_NUMBERS
from dalembert.collision.layout import Contacts, Found, Scene
from dalembert.contact.problem.layout import Problem
from dalembert.contact.problem.record_layout import INFO_FLOATS, Info
from dalembert.contact.run.record_layout import (
    CLASS_FLOATS,
    CONTACT_FLOATS,
    CONTACT_LOG_FLOATS,
    KEPT_FLOATS,
    KEPT_RECORD,
    MEMBER,
    REPORT_FLOATS,
    SIDE_BODY,
    SIDE_LAW,
    SLEEP_NUMBERS,
    SLEEP_RECORD,
    TANGENT,
    Contact,
    Kept,
    Law,
    LoggedContact,
    Member,
    SideBody,
    SideLaw,
    Sleep,
    StepReport,
)
from dalembert.numerics.vector import vec3
from dalembert.system.borders import ASKING
from dalembert.system.state_layout import State

LOG_STEPS, LOG_CONTACTS = 256, 4
"""Samples whose reports fit, and samples of as many contacts as fit, before Python is asked."""

SCENE_ROOM, PROBLEM_ROOM = 1, 2
"""Kinds of room that may be missing: that of collision, or of the problem."""

# -- the memory ------------------------------------------------------------------------------------


class ContactRun(Memory):
    """The part of contact in the state of a run."""

    class integers:
        # counts
        bodies: int
        cliques: int
        classes: int  # of surfaces
        contacts: int
        most_contacts: int
        remembered: int
        fixed_blocks: int  # of joints and one-sided rows, in this step
        fixed_rows: int
        stalled_steps: int
        flagged_steps: int
        poisson_steps: int
        worst_step: int
        steps: int
        shapes: int
        logged_contacts: int
        logged_steps: int
        most_logged_contacts: int
        most_logged_steps: int
        step_log_floats: int
        contacts_found: int
        changes: int
        resting: int
        hash_length: int
        smooth_steps: int
        absorbed: int  # drives that are part of A in this step
        side_blocks: int  # one-sided rows that have blocks
        viscous_blocks: int  # contacts with viscous friction (`contact.rows.viscous_rows`)
        is_viscous: int  # whether any pair of surfaces has such friction
        is_static: int  # whether any pair of surfaces has static friction apart
        most_rows: int  # of the problem
        most_velocities: int
        state_length: int
        scene_integers_length: int
        problem_integers_length: int
        scene_numbers_length: int
        problem_numbers_length: int
        # choices
        second_order: int
        poisson: int
        strict: int
        solver: int
        budget: int
        profile: int
        sleeping: int
        smooth: int  # 1: steps may be smooth
        order_by_step: int  # 1: `second_order` is that of the step at hand (`contact.step.smooth`)
        redundant: int  # 1: rows of joints imply one another, where the joints are closed
        located: int  # 1: accelerations of a sample are `last_change` (`contact.events`)
        solve_only: int  # 1: a step ends with its impulses (`contact.given.recorded`)
        unreported: int  # 1: nobody reads reports of this run: work and momentum are not measured
        controlled: int  # 1: steps follow a tolerance (`contact.step.controlled`)
        plain_order: int  # 1: steps of the rule are of second order
        saved_change: int  # where `last_change` stands in `saved_numbers`
        # of the step at hand
        room_wanted: int  # SCENE_ROOM or PROBLEM_ROOM
        flagged_now: int
        repeated_now: int  # 1: impacts of this step were made by Poisson's law
        completed_now: int  # 1: something has met (`contact.step.impulses`)
        far_stops: int  # how many are left out of the problem (`contact.rows.far_stops`)
        all_stops: int  # 1: none is
        smooth_now: int
        near: int  # AWAY to PRESSED, of the last step with impulses
        clear: int  # 1: nothing is near, looked at where the last step ended
        turned_now: int  # 1: sliding has turned about, or may have
        soft_now: int  # 1: a spring on one side presses
        sliding_now: int  # TURNS, STOPS, BEGINS (`contact.step.changes`)
        touching_now: int  # stands for what presses, sticks and slides
        touched: int  # the same of the last step that was taken
        changed_now: int  # 1: they are not all the same
        struck_now: int  # 1: something has hit; found where steps follow a tolerance
        plain: int  # steps of the rule that are still to be taken
        patience: int  # how many were asked for, the last time
        plain_steps: int

    class lists:
        scene_integers: Integers = over("scene_integers_length")
        problem_integers: Integers = over("problem_integers_length")
        body_table: Integers = over(f"{MEMBER} * bodies")
        clique_table: Integers = over("cliques")  # sizes
        dof_cliques: Integers = over("dof_cliques_length")
        law_table: Integers = over("law_table_length")
        found_integers: Integers = over(f"{FOUND_INTEGERS} * most_contacts")
        kept_integers: Integers = over(f"{KEPT_RECORD} * most_contacts")
        pair_hash: Integers = over("hash_length")
        sleep_table: Integers = over(f"{SLEEP_RECORD} * cliques")
        aside_integers: Integers = over(f"{FOUND_INTEGERS} * most_contacts")
        side_joint: Integers = over("fixed_rows")  # of one-sided rows: the drive
        side_kept: Integers = over("fixed_rows")  # rows that have blocks
        side_far: Integers = over("fixed_rows")  # 1: stops that are left out
        saved_integers: Integers = over(
            f"12 + {KEPT_RECORD + FOUND_INTEGERS} * most_contacts + {SLEEP_RECORD} * cliques",
            when="controlled",
        )

    class numbers:
        slop: float
        threshold: float
        tolerance: float  # of the solve at hand
        push_speed: float
        last_step: float  # its length  [s]
        contact_work_sum: float
        step_tolerance: float
        polished: float  # residual down to which a solved step is improved further, or 0
        # of error control
        residual_now: float  # largest of the solves of a step
        turned_speed: float  # of sliding that turns about or stops, largest change  [m/s]
        work_gained: float  # work of contacts of both halves less that of the whole step  [J]
        meets: float  # time from the start of a step to its first impact  [s], or NEVER
        hit: float  # moment of the first impact in a step that was tried  [s], or 0
        aimed: float  # length of an attempt that is to end shortly before `hit`  [s], or 0
        kink: float  # moment up to which something is known to hit or turn about  [s], or 0
        kink_rate: float  # error of a step across it, over what is allowed and its length
        doubted: float  # end of a step that was too long  [s], or 0
        doubted_length: float
        doubted_error: float
        doubted_rate: float
        error_before: float  # of the last step without events, over what is allowed
        steady: float  # the last step before something hit  [s]
        scene_numbers: Numbers = over("scene_numbers_length")
        problem_numbers: Numbers = over("problem_numbers_length")
        class_table: Numbers = over(f"{CLASS_FLOATS} * classes * classes")
        surface_table: Numbers = over("3 * shapes")  # velocities of surfaces, body axes
        found_numbers: Numbers = over(f"{FOUND_NUMBERS} * most_contacts")
        contact_table: Numbers = over(f"{CONTACT_FLOATS} * most_contacts")
        kept_numbers: Numbers = over(f"{KEPT_FLOATS} * most_contacts")
        fixed_impulses: Numbers = over("fixed_rows")
        report: Numbers = over(f"{REPORT_FLOATS}")
        worst: Numbers = over(f"{REPORT_FLOATS}")
        row_scratch: Numbers = over("72")
        next_impulses: Numbers = over("fixed_rows")
        compression: Numbers = over("most_rows")
        kept_free: Numbers = over("most_velocities")
        last_change: Numbers = over("most_velocities")
        next_change: Numbers = over("most_velocities")
        sleep_times: Numbers = over(f"{SLEEP_NUMBERS} * cliques")
        sleep_pull: Numbers = over("most_velocities")
        aside_numbers: Numbers = over(f"{FOUND_NUMBERS} * most_contacts")
        last_twists: Numbers = over("6 * bodies")
        next_twists: Numbers = over("6 * bodies")
        at_rest: Numbers = over("most_velocities")  # zeros
        drift: Numbers = over("6 * bodies")  # S' v of a tree: what turns its V = S v by itself
        whirl: Numbers = over("2 * most_velocities + 12 * bodies + 8 * cliques")
        last_push: Numbers = over("most_velocities")
        next_push: Numbers = over("most_velocities")
        side_rates: Numbers = over("fixed_rows")
        side_bounce: Numbers = over("fixed_rows")
        side_lead: Numbers = over("fixed_rows")  # of tangents, by second order
        side_stuck: Numbers = over("fixed_rows")  # 1: a stop whose tangents stuck in the last step
        next_stuck: Numbers = over("fixed_rows")
        side_late: Numbers = over("fixed_rows")  # part of the law of a drive that is of the end
        clear_state: Numbers = over("1 + state_length")  # the state that `clear` is of
        side_entry: Numbers = over("fixed_rows")  # J of an absorbed drive
        side_force: Numbers = over("fixed_rows")  # its force as far as is known
        implicit: Numbers = over("most_velocities")
        pull: Numbers = over("most_velocities")  # of absorbed drives
        without_drives: Numbers = over("most_velocities")  # v* without them
        kept_v: Numbers = over("most_velocities")
        kept_lam: Numbers = over("most_rows")
        way: Numbers = over("most_velocities")  # velocities of the positions (`step.plastic`)
        completed: Numbers = over("cliques")  # 1 for those of it
        open_bias: Numbers = over("most_rows")  # of the way, where an impact has closed a row
        other_friction: Numbers = over("most_rows")  # of the way, or of the impact
        lag: Numbers = over("most_rows")  # speed by which the way ends before the surface
        redone: Numbers = over("cliques")
        doubled: Numbers = over("4 * state_length", when="controlled")  # `step.controlled`
        saved_numbers: Numbers = over(
            f"{KEPT_FLOATS + FOUND_NUMBERS + CONTACT_FLOATS} * most_contacts + fixed_rows"
            f" + 3 * changes + 6 * bodies + {SLEEP_NUMBERS} * cliques + {2 * REPORT_FLOATS + 2}",
            when="controlled",
        )
        contact_log: Numbers = over(f"{CONTACT_LOG_FLOATS} * most_logged_contacts")
        step_log: Numbers = over("step_log_floats * most_logged_steps")

    # -- records -----------------------------------------------------------------------------------

    @property
    def problem(self):
        """The contact problem of the step."""
        return Problem(self.problem_numbers, self.problem_integers)

    @property
    def scene(self):
        """The collision scene."""
        return Scene(self.scene_numbers, self.scene_integers)

    @property
    def found_contacts(self):
        """Room for the contacts that collision finds."""
        return Contacts(self.found_integers, self.found_numbers)

    def body(self, b):
        """Where a body stands among the cliques."""
        return Member(self.body_table, MEMBER * b)

    def dof(self, k):
        """Where a velocity of a tree stands among the cliques."""
        return Member(self.dof_cliques, MEMBER * k)

    def side_law(self, row):
        """A one-sided row."""
        return SideLaw(self.law_table, SIDE_LAW * row)

    def side_body(self, sides, law, i):
        """The i-th body of a one-sided row, of so many rows."""
        return SideBody(self.law_table, SIDE_LAW * sides + SIDE_BODY * (law.first + i))

    def law(self, a, b):
        """The law of two shapes."""
        scene = self.scene
        row, column = scene.shape(a).material, scene.shape(b).material
        return Law(self.class_table, CLASS_FLOATS * (row * self.classes + column))

    def surface_velocity(self, shape):
        """Velocity of the surface of a shape against its body, body axes."""
        return vec3(self.surface_table, 3 * shape)

    def found(self, k):
        """A contact as collision found it."""
        return Found(self.found_integers, FOUND_INTEGERS * k, self.found_numbers, FOUND_NUMBERS * k)

    def aside(self, k):
        """Room for a found contact while others are put in order."""
        return Found(self.aside_integers, FOUND_INTEGERS * k, self.aside_numbers, FOUND_NUMBERS * k)

    def share_of_last(self, h):
        """Length of a step over that of the last one; 0 in the first."""
        return h / self.last_step if self.last_step > 0.0 else 0.0

    def contact(self, k):
        """A contact of the step."""
        return Contact(self.contact_table, CONTACT_FLOATS * k)

    def contact_block(self, k):
        """Number of the block of a contact."""
        return self.fixed_blocks + k

    def contact_of_block(self, number):
        """The contact of a block; negative where it is a joint or a one-sided row."""
        return number - self.fixed_blocks

    def side_block(self, k):
        """Number of the block of the k-th one-sided row that has one (`side_kept`)."""
        return self.fixed_blocks - self.side_blocks + k

    def is_damper(self, number):
        """Whether a block is viscous friction."""
        first = self.fixed_blocks - self.side_blocks
        return first - self.viscous_blocks <= number and number < first

    def side_of_block(self, number):
        """The one-sided row of a block that is none of a contact; -1 for joints."""
        k = number - self.fixed_blocks + self.side_blocks
        return self.side_kept[k] if k >= 0 else -1

    def bounce_of(self, number):
        """Restitution of a block that is an impact in this step; 0 otherwise."""
        k = self.contact_of_block(number)
        if k >= 0:
            return max(0.0, self.contact(k).bounce)
        row = self.side_of_block(number)
        return max(0.0, self.side_bounce[row]) if row >= 0 else 0.0

    def kept(self, k):
        """A contact that is remembered."""
        return Kept(self.kept_integers, KEPT_RECORD * k, self.kept_numbers, KEPT_FLOATS * k)

    def sleep(self, clique):
        """Rest of a clique."""
        return Sleep(
            self.sleep_table, SLEEP_RECORD * clique, self.sleep_times, SLEEP_NUMBERS * clique
        )

    def logged_contact(self, i):
        """The i-th contact that is recorded."""
        return LoggedContact(self.contact_log, CONTACT_LOG_FLOATS * i)

    @property
    def solve_report(self):
        """Report of the solver on the step."""
        return Info(self.report, 0)

    @property
    def step_report(self):
        """Report of the step besides."""
        return StepReport(self.report, INFO_FLOATS)


# -- from kernels ----------------------------------------------------------------------------------


@kernel
def contact_of(state: State):
    """The part of contact in a run."""
    return ContactRun(
        vector_view(state.work, state.contact_numbers, state.contact_numbers_length),
        vector_view(state.sizes, state.contact_integers, state.contact_integers_length),
    )


@kernel
def was_smooth(state: State):
    """Whether the last step of a run with contact was one without impulses."""
    return state.contact_integers > 0 and contact_of(state).smooth_now == 1


@border(ASKING)
def is_smooth(state: State):
    """1 where the last step was one without impulses."""
    return 1 if was_smooth(state) else 0


@kernel
def tangents_of(state: State, run: ContactRun, row):
    """Rows behind a row that are tangents."""
    count = 0
    while row + count + 1 < state.sides and run.side_law(row + count + 1).law == TANGENT:
        count += 1
    return count
