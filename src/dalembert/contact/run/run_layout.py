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

from dalembert._jit import kernel, vector_view
from dalembert._memory import Memory, over
from dalembert._records import Integers, Numbers, Place
from dalembert.collision.layout import CONTACT_INTEGERS as FOUND_INTEGERS
from dalembert.collision.layout import CONTACT_NUMBERS as FOUND_NUMBERS
from dalembert.collision.layout import Contacts, Found, Scene
from dalembert.contact.problem.layout import INFO_FLOATS, Info, Problem
from dalembert.numerics.vector import Mat3, Vec3, vec3
from dalembert.system import layout as run_layout
from dalembert.system.state_layout import State

LOG_STEPS, LOG_CONTACTS = 256, 4
"""Samples whose reports fit, and samples of as many contacts as fit, before Python is asked."""

SCENE_ROOM, PROBLEM_ROOM = 1, 2
"""Kinds of room that may be missing: that of collision, or of the problem."""

CONTACT_LOG_FLOATS = 19
"""Floats of a recorded contact (`contact.run.log`)."""

# -- records ---------------------------------------------------------------------------------------


class Member(Place):
    """Where a body, or a velocity of a tree, stands among the cliques."""

    class integers:
        clique: int
        place: int  # of its first velocity there


class SideLaw(Place):
    """A one-sided row (`contact.rows.one_sided_rows`)."""

    class integers:
        law: int  # STOP or DRIVE
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
        old_n: Vec3  # of the last step (`contact.step.second_order`)
        old_arm_a: Vec3
        old_arm_b: Vec3
        old_slide: Vec3
        old_state: float  # 1 + state; 0: it was not there
        lead: Vec3  # added to the bias of n, t1, t2 by second order
        slide: Vec3  # tangential velocity before the step

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
        old_state: float


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


MEMBER = Member.entries("integers")
SIDE_LAW, SIDE_BODY = SideLaw.entries("integers"), SideBody.entries("integers")
CLASS_FLOATS, CONTACT_FLOATS = Law.entries("numbers"), Contact.entries("numbers")
KEPT_RECORD, KEPT_FLOATS = Kept.entries("integers"), Kept.entries("numbers")
SLEEP_RECORD, SLEEP_NUMBERS = Sleep.entries("integers"), Sleep.entries("numbers")
REPORT_FLOATS = INFO_FLOATS + StepReport.entries("numbers")
"""Floats reported of a step: those of the solver, and `StepReport`."""

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
        solve_only: int  # 1: a step ends with its impulses (`contact.run.recorded`)
        # of the step at hand
        room_wanted: int  # SCENE_ROOM or PROBLEM_ROOM
        flagged_now: int
        repeated_now: int  # 1: impacts of this step were made by Poisson's law
        completed_now: int  # 1: something has met (`contact.step.plastic`)
        smooth_now: int
        near: int  # AWAY to PRESSED, of the last step with impulses
        clear: int  # 1: nothing is near, looked at where the last step ended

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

    class numbers:
        slop: float
        threshold: float
        tolerance: float  # of the solve at hand
        push_speed: float
        last_step: float  # its length  [s]
        contact_work_sum: float
        step_tolerance: float
        polished: float  # residual down to which a solved step is improved further, or 0
        settings_room: Numbers = over("8")
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
        whirl: Numbers = over("2 * most_velocities + 12 * bodies + 8 * cliques")
        last_push: Numbers = over("most_velocities")
        next_push: Numbers = over("most_velocities")
        side_rates: Numbers = over("fixed_rows")
        side_bounce: Numbers = over("fixed_rows")
        side_start: Numbers = over("2 * fixed_rows")  # rows and rates at the start of a step
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
        redone: Numbers = over("cliques")
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

    def side_of_block(self, number):
        """The one-sided row of a block that is none of a contact; -1 for joints."""
        k = number - self.fixed_blocks + self.side_blocks
        return self.side_kept[k] if k >= 0 else -1

    def kept(self, k):
        """A contact that is remembered."""
        return Kept(self.kept_integers, KEPT_RECORD * k, self.kept_numbers, KEPT_FLOATS * k)

    def sleep(self, clique):
        """Rest of a clique."""
        return Sleep(
            self.sleep_table, SLEEP_RECORD * clique, self.sleep_times, SLEEP_NUMBERS * clique
        )

    @property
    def solve_report(self):
        """Report of the solver on the step."""
        return Info(self.report, 0)

    @property
    def step_report(self):
        """Report of the step besides."""
        return StepReport(self.report, INFO_FLOATS)


# -- slots and offsets, for kernels that are not written with these names yet ----------------------

(
    BODIES,
    CLIQUES,
    CLASSES,
    CONTACTS,
    MOST_CONTACTS,
    REMEMBERED,
    FIXED_BLOCKS,
    FIXED_ROWS,
    STALLED_STEPS,
    FLAGGED_STEPS,
    POISSON_STEPS,
    WORST_STEP,
    STEPS,
    SHAPES,
    LOGGED_CONTACTS,
    LOGGED_STEPS,
    MOST_LOGGED_CONTACTS,
    MOST_LOGGED_STEPS,
    STEP_LOG_FLOATS,
    CONTACTS_FOUND,
    CHANGES,
    RESTING,
    HASH_LENGTH,
    SMOOTH_STEPS,
    ABSORBED,
    SIDE_BLOCKS,
    MOST_ROWS,
    MOST_VELOCITIES,
    STATE_LENGTH,
    SCENE_INTEGERS_LENGTH,
    PROBLEM_INTEGERS_LENGTH,
    SCENE_NUMBERS_LENGTH,
    PROBLEM_NUMBERS_LENGTH,
    SECOND_ORDER,
    POISSON,
    STRICT,
    SOLVER,
    BUDGET,
    PROFILE,
    SLEEPING,
    SMOOTH,
    ORDER_BY_STEP,
    REDUNDANT,
    SOLVE_ONLY,
    ROOM_WANTED,
    FLAGGED_NOW,
    REPEATED_NOW,
    COMPLETED_NOW,
    SMOOTH_NOW,
    NEAR,
    CLEAR,
) = ContactRun.slots(ContactRun.integers)
(
    SCENE_INTEGERS,
    PROBLEM_INTEGERS,
    BODY_TABLE,
    CLIQUE_TABLE,
    DOF_CLIQUES,
    LAW_TABLE,
    FOUND_INTEGERS_AT,
    KEPT_INTEGERS,
    PAIR_HASH,
    SLEEP_TABLE,
    ASIDE_INTEGERS,
    SIDE_JOINT,
    SIDE_KEPT,
) = ContactRun.slots(ContactRun.lists)
(
    _,
    _,
    _,
    _,
    _,
    _,
    _,
    _,
    _,
    SCENE_NUMBERS,
    PROBLEM_NUMBERS,
    CLASS_TABLE,
    SURFACE_TABLE,
    FOUND_NUMBERS_AT,
    CONTACT_TABLE,
    KEPT_NUMBERS,
    FIXED_IMPULSES,
    REPORT,
    WORST,
    ROW_SCRATCH,
    NEXT_IMPULSES,
    COMPRESSION,
    KEPT_FREE,
    LAST_CHANGE,
    NEXT_CHANGE,
    SLEEP_TIMES,
    SLEEP_PULL,
    ASIDE_NUMBERS,
    LAST_TWISTS,
    NEXT_TWISTS,
    WHIRL,
    LAST_PUSH,
    NEXT_PUSH,
    SIDE_RATES,
    SIDE_BOUNCE,
    SIDE_START,
    CLEAR_STATE,
    SIDE_ENTRY,
    SIDE_FORCE,
    IMPLICIT,
    PULL,
    WITHOUT_DRIVES,
    KEPT_V,
    KEPT_LAM,
    WAY,
    COMPLETED,
    REDONE,
    CONTACT_LOG,
    STEP_LOG,
) = ContactRun.slots(ContactRun.numbers)
(
    SLOP,
    THRESHOLD,
    TOLERANCE,
    PUSH_SPEED,
    LAST_STEP,
    CONTACT_WORK_SUM,
    STEP_TOLERANCE,
    POLISHED,
) = range(8)
SETTINGS = 16
(
    FRICTION,
    SPINNING,
    ROLLING,
    RESTITUTION,
    STIFFNESS,
    DAMPING,
    FREQUENCY,
    DAMPING_RATIO,
    TANGENTIAL_STIFFNESS,
    TANGENTIAL_DAMPING,
    DISSIPATION,
) = range(CLASS_FLOATS)
FRAME, ARM_A, ARM_B, LOCAL_A, LOCAL_B = Contact.offsets("n", "arm_a", "arm_b", "local_a", "local_b")
IMPULSE, TURNING_IMPULSE, STRETCH, SPEED, STIFF, DAMP, BOUNCE, SLIP, STATE_NOW = Contact.offsets(
    "impulse", "turning_impulse", "stretch", "speed", "stiff", "damp", "bounce", "slip", "state"
)
OLD, LEAD, SLIDE = Contact.offsets("old_n", "lead", "slide")
OLD_FLOATS = LEAD - OLD
ASLEEP, TOUCHING, NOW, NEXT = range(SLEEP_RECORD)
STILL, NEXT_STILL = range(SLEEP_NUMBERS)
PENETRATION, DRIFT, ENERGY_CHANGE, PUSHED, PENETRATION_ANGLE, PENETRATION_OWN, WAS_SMOOTH = range(
    INFO_FLOATS, REPORT_FLOATS
)


# -- from kernels ----------------------------------------------------------------------------------


@kernel
def contact_of(state: State):
    """The part of contact in a run."""
    return ContactRun(
        vector_view(state.work, state.contact_numbers, state.contact_numbers_length),
        vector_view(state.sizes, state.contact_integers, state.contact_integers_length),
    )


@kernel
def was_smooth(sizes):
    """Whether the last step of a run with contact was one without impulses."""
    if sizes[run_layout.CONTACT_INTEGERS] == 0:
        return False
    return sizes[sizes[run_layout.CONTACT_INTEGERS] + SMOOTH_NOW] == 1


@kernel
def contact_at(run: ContactRun, contact):
    """Where the numbers of a contact start."""
    integers = run.sizes
    return integers[CONTACT_TABLE] + CONTACT_FLOATS * contact


@kernel
def found_at(run: ContactRun, contact):
    """Where collision wrote a contact: integers."""
    integers = run.sizes
    return integers[FOUND_INTEGERS_AT] + FOUND_INTEGERS * contact


@kernel
def found_numbers_at(run: ContactRun, contact):
    """Where collision wrote a contact: numbers."""
    integers = run.sizes
    return integers[FOUND_NUMBERS_AT] + FOUND_NUMBERS * contact
