"""Memory of a run with contact: two arrays at the ends of `sizes` and `work`.

`integers` and `numbers` begin with heads; this is the only file that knows offsets in them. They
hold the scene of collision and the contact problem, whose own files know what is inside
(`collision.layout`, `contact.layout`), and besides

* for every body its clique, and where its six velocities begin there;
* the laws of pairs of surfaces, by class of surface;
* the contacts of this step, and what is kept of each: frame, arms, impulses;
* the impulses of the last step, for the warm start (`contact.warm_start`);
* which cliques sleep, and how they rest (`contact.sleeping`);
* what is reported of a step, and the worst over the run.

`contact.tables` makes the arrays.
"""

from dalembert._jit import kernel, vector_view
from dalembert.collision.layout import CONTACT_INTEGERS as FOUND_INTEGERS
from dalembert.collision.layout import CONTACT_NUMBERS as FOUND_NUMBERS
from dalembert.contact import layout as problem_layout
from dalembert.system import layout as run_layout

# -- head of `integers` ----------------------------------------------------------------------------

# Counts and choices.
(
    BODIES,
    CLIQUES,
    CLASSES,
    CONTACTS,
    MOST_CONTACTS,
    REMEMBERED,
    FIXED_BLOCKS,  # of joints and one-sided rows, in this step
    FIXED_ROWS,
    SECOND_ORDER,
    POISSON,
    STRICT,
    SOLVER,
    BUDGET,
    STALLED_STEPS,
    FLAGGED_STEPS,
    POISSON_STEPS,
    WORST_STEP,
    STEPS,
    SHAPES,
    ROOM_WANTED,
    PROFILE,
    HASH_LENGTH,
    LOGGED_CONTACTS,
    LOGGED_STEPS,
    MOST_LOGGED_CONTACTS,
    MOST_LOGGED_STEPS,
    STEP_LOG_FLOATS,
    CONTACTS_FOUND,
    FLAGGED_NOW,
    CHANGES,
    SLEEPING,
    RESTING,
) = range(32)

# Starts (and lengths) of sections of `integers`,
(
    SCENE_INTEGERS,
    SCENE_INTEGERS_LENGTH,
    PROBLEM_INTEGERS,
    PROBLEM_INTEGERS_LENGTH,
    BODY_TABLE,
    CLIQUE_TABLE,
    LAW_TABLE,
    FOUND_INTEGERS_AT,
    KEPT_INTEGERS,
    PAIR_HASH,
    DOF_CLIQUES,
    SLEEP_TABLE,
) = range(32, 44)

# and of `numbers`.
(
    SCENE_NUMBERS,
    SCENE_NUMBERS_LENGTH,
    PROBLEM_NUMBERS,
    PROBLEM_NUMBERS_LENGTH,
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
    CONTACT_LOG,
    STEP_LOG,
    COMPRESSION,
    KEPT_FREE,
    LAST_CHANGE,
    NEXT_CHANGE,
    SLEEP_TIMES,
    SLEEP_PULL,
    ASIDE_NUMBERS,
) = range(44, 67)
ASIDE_INTEGERS = 67
LAST_TWISTS, NEXT_TWISTS, WHIRL = range(68, 71)

SOLVE_ONLY = 71
"""1: a step ends with its impulses (`contact.recorded`)."""

LAST_PUSH, NEXT_PUSH, SIDE_RATES, SIDE_BOUNCE, KEPT_V, KEPT_LAM, REDONE = range(72, 79)

REPEATED_NOW = 79
"""1: impacts of this step were made by Poisson's law."""

ABSORBED, SIDE_BLOCKS = 80, 81
"""Drives that are part of A in this step, and one-sided rows that have blocks."""

# Of these rows, in `integers`: what is to be known of a drive, and the rows that have blocks;
# in `numbers`: J of an absorbed drive, its force as far as is known; what such drives do to
# velocities; v* without them.
SIDE_JOINT, SIDE_KEPT, SIDE_ENTRY, SIDE_FORCE, IMPLICIT, PULL, WITHOUT_DRIVES = range(82, 89)

WAY, COMPLETED, COMPLETED_NOW = 89, 90, 91
"""Velocities of the positions of a step in which something has met, 1 for the cliques of it, and 1
if there are such (`contact.plastic`)."""

SMOOTH, SMOOTH_NOW, SMOOTH_STEPS, NEAR, CLEAR = range(92, 97)
"""1: steps may be smooth; whether this one was, and how many were; AWAY to PRESSED, of
the last step with impulses; 1: nothing is near, looked at where the last step ended
(`contact.smooth`)."""

ORDER_BY_STEP = 99
"""1: SECOND_ORDER is that of the step at hand (`contact.smooth`)."""

SIDE_START, CLEAR_STATE = 97, 98
"""In `numbers`: one-sided rows and their rates at the start of a step; the state CLEAR is of."""

REDUNDANT = 100
"""1: rows of joints imply one another, where the joints are closed and there alone."""

HEAD = 101

# -- head of `numbers` -----------------------------------------------------------------------------

# Options, and the length of the last step; TOLERANCE is that of the solve at hand.
SLOP, THRESHOLD, TOLERANCE, PUSH_SPEED, LAST_STEP, CONTACT_WORK_SUM, STEP_TOLERANCE = range(7)
POLISHED = 7
"""Residual down to which a solved step is improved further, where that costs little; or 0."""

SETTINGS = 16

# -- records ---------------------------------------------------------------------------------------

CLASS_FLOATS = 12
"""Floats of the law of two classes of surfaces:"""
(
    FRICTION,
    SPINNING,
    ROLLING,
    RESTITUTION,
    STIFFNESS,  # 0: rigid
    DAMPING,
    FREQUENCY,  # [rad/s] 0: none
    DAMPING_RATIO,
    TANGENTIAL_STIFFNESS,
    TANGENTIAL_DAMPING,
    DISSIPATION,
) = range(11)

CONTACT_FLOATS = 55
"""Floats kept of a contact within a step:"""
FRAME = 0  # n, t1, t2
ARM_A, ARM_B = 9, 12  # from the centres of mass, world axes
LOCAL_A, LOCAL_B = 15, 18  # the points of both surfaces, in body axes
IMPULSE, TURNING_IMPULSE = 21, 24  # world axes, on B
STRETCH = 27  # of the tangential spring, world axes
SPEED = 30  # normal velocity before the step
STIFF, DAMP = 31, 32  # of the normal, 0: rigid
BOUNCE = 33  # restitution that acts in this step; negative: that will if they touch
SLIP = 34  # speed of sliding after the step
STATE_NOW = 35  # open, sticking, sliding (`contact.layout`)
OLD = 36  # of the last step: normal, arms, sliding, 1 + state; 0: not there (`contact.curving`)
LEAD = 49  # what second order adds to the bias of n, t1, t2
SLIDE = 52  # tangential velocity before the step, world axes

CONTACT_LOG_FLOATS = 19
"""Floats of a recorded contact (`contact.log`)."""

LOG_STEPS, LOG_CONTACTS = 256, 4
"""Samples whose reports fit, and samples of as many contacts as fit, before Python is asked."""

# What kind of room was missing (ROOM_WANTED): that of collision, or of the problem.
SCENE_ROOM, PROBLEM_ROOM = 1, 2

OLD_FLOATS = 13
"""Floats of OLD."""

KEPT_FLOATS = 12 + OLD_FLOATS
"""Floats remembered of a contact: impulse, turning impulse, stretch, point, OLD; world axes."""

KEPT_RECORD = 4
"""Integers remembered of a contact: shapes, feature, whether it has been found again."""

SLEEP_RECORD = 4
"""Integers of a clique (`contact.sleeping`): state, contacts it rests on, those now, next state."""
ASLEEP, TOUCHING, NOW, NEXT = range(4)

SLEEP_NUMBERS = 2
"""Floats of a clique: time at rest, and that after the step."""
STILL, NEXT_STILL = range(2)

REPORT_FLOATS = 27
"""Floats reported of a step: those of the solver (`contact.layout`), then"""
PENETRATION = problem_layout.INFO_FLOATS
DRIFT, ENERGY_CHANGE, PUSHED = range(PENETRATION + 1, PENETRATION + 4)
PENETRATION_ANGLE, PENETRATION_OWN = range(PENETRATION + 4, PENETRATION + 6)
WAS_SMOOTH = PENETRATION + 6


# -- from kernels ----------------------------------------------------------------------------------


@kernel
def integers_of(sizes):
    """The integers of contact in a run."""
    return vector_view(
        sizes, sizes[run_layout.CONTACT_INTEGERS], sizes[run_layout.CONTACT_INTEGERS_LENGTH]
    )


@kernel
def numbers_of(work, sizes):
    """The numbers of contact in a run."""
    return vector_view(
        work, sizes[run_layout.CONTACT_NUMBERS], sizes[run_layout.CONTACT_NUMBERS_LENGTH]
    )


@kernel
def was_smooth(sizes):
    """Whether the last step of a run with contact was one without impulses."""
    if sizes[run_layout.CONTACT_INTEGERS] == 0:
        return False
    return sizes[sizes[run_layout.CONTACT_INTEGERS] + SMOOTH_NOW] == 1


@kernel
def problem_integers(integers):
    """Integers of the contact problem."""
    return vector_view(integers, integers[PROBLEM_INTEGERS], integers[PROBLEM_INTEGERS_LENGTH])


@kernel
def problem_numbers(integers, numbers):
    """Numbers of the contact problem."""
    return vector_view(numbers, integers[PROBLEM_NUMBERS], integers[PROBLEM_NUMBERS_LENGTH])


@kernel
def contact_at(integers, contact):
    """Where the numbers of a contact start."""
    return integers[CONTACT_TABLE] + CONTACT_FLOATS * contact


@kernel
def found_at(integers, contact):
    """Where collision wrote a contact: integers."""
    return integers[FOUND_INTEGERS_AT] + FOUND_INTEGERS * contact


@kernel
def found_numbers_at(integers, contact):
    """Where collision wrote a contact: numbers."""
    return integers[FOUND_NUMBERS_AT] + FOUND_NUMBERS * contact
