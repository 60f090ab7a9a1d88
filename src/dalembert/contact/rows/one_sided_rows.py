"""One-sided rows: stops, cables, motors with limits, brakes, dry friction (contact 16).

Each row has a value phi(q, t), its J and a record of numbers; each becomes a block of its own, but
for drives that are part of A (`contact.rows.implicit_drives`).

| law | kind | record |
|---|---|---|
| STOP | UNI: phi >= 0 | stiffness (0: rigid), damping, restitution; frequency, its ratio; unit |
| DRIVE | BOX | lowest and highest force; target speed; kp, kd, target of phi (kp = kd = 0: rigid) |

A stop is a limit of a joint, a cable or any phi >= 0 of the user: b = phi / h where phi > 0, with a
frequency f instead of a stiffness k = m f^2 and d = 2 z m f, m = 1 / (J A^-1 J^T). A soft one has
the b of a soft contact (`contact.rows.contact_rows`): no force across a gap. A drive is

    lam / h = kp (target - phi - h phi') + kd (target speed - phi')      within its bounds,

which is b = (kp (phi - target) - kd target speed) / (h kp + kd), R = 1 / (h (h kp + kd)). Dry
friction and brakes are rigid drives to the speed 0 with bounds, which may depend on the state at
the start of the step (Stribeck's curve). Integers of a row (`LAW_TABLE`): law, first incidence,
number of incidences; then the incidences: body, where its J starts in SIDE_JACOBIAN.
"""

from dalembert._jit import apart, kernel, vector_view
from dalembert.contact.problem.layout import (
    BIAS,
    BLOCKS,
    BOX,
    COMPLIANCE,
    LOWER,
    OVERFLOW,
    UNI,
    UPPER,
    Problem,
    jacobian_a_at,
    row_at,
)
from dalembert.contact.problem.writing import add_block
from dalembert.contact.rows.body_rows import clique_of, open_block, put_rows, put_two_on_tree
from dalembert.contact.rows.contact_rows import bounce_at, spring_bias, turn_by
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import ContactRun
from dalembert.mechanics.dense import mass_solve
from dalembert.numerics import small
from dalembert.system.borders import NEEDS_ROOM, OK, STATE
from dalembert.system.layout import (
    BODIES,
    BODY_INERTIA,
    INERTIA,
    MECHANISM,
    NV,
    ROWS,
    SIDE_DATA,
    SIDE_JACOBIAN,
    SIDE_NUMBERS,
    SIDE_PHI,
    SIDE_PHI_DOT,
    SIDE_PHI_T,
    SIDE_ROWS,
    SIDES,
    TOP,
    vector,
)
from dalembert.system.state_layout import State

STOP, DRIVE = range(2)

LAW_RECORD = 3

# Numbers of a stop,
STOP_STIFFNESS, STOP_DAMPING, STOP_RESTITUTION, STOP_FREQUENCY, STOP_RATIO, STOP_UNIT = range(6)
METRES, RADIANS, OWN_UNIT = range(3)
# and of a drive.
LEAST, MOST, TARGET_SPEED, GAIN, RATE_GAIN, TARGET = range(6)

_call_state = STATE.call


@kernel
def evaluate_sides(state: State, t, q, v):
    """Values, rates, J and numbers of all one-sided rows."""
    work = state.work
    sizes = state.sizes
    if sizes[SIDES] > 0:
        _call_state(sizes[SIDE_ROWS], work, sizes, t, q, v)


@apart(int)
def open_side(state: State, run: ContactRun, problem: Problem, row, kind):
    """A block of one row with its J; OVERFLOW where there is no room."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    x = problem.work
    if sizes[MECHANISM] == 0:
        n = sizes[NV]
        block = add_block(problem, kind, 1, 0, -1)
        if block == OVERFLOW:
            return OVERFLOW
        at = jacobian_a_at(problem, block)
        for k in range(n):
            x[at + k] = work[sizes[SIDE_JACOBIAN] + n * row + k]
        return block
    law = integers[memory.LAW_TABLE] + LAW_RECORD * row
    first = integers[memory.LAW_TABLE] + LAW_RECORD * sizes[SIDES] + 2 * integers[law + 1]
    a = integers[first]
    b = a
    for i in range(1, integers[law + 2]):
        body = integers[first + 2 * i]
        if clique_of(run, body) != clique_of(run, a):
            b = body
    block = open_block(run, problem, kind, 1, a, b)
    if block == OVERFLOW:
        return OVERFLOW
    if sizes[BODIES] == 0 and integers[law + 2] == 2 and b == a:
        place, other = (
            sizes[SIDE_JACOBIAN] + integers[first + 1],
            sizes[SIDE_JACOBIAN] + integers[first + 3],
        )
        to = jacobian_a_at(problem, block)
        put_two_on_tree(state, run, problem, to, a, integers[first + 2], place, other)
        return block
    for i in range(integers[law + 2]):
        place = sizes[SIDE_JACOBIAN] + integers[first + 2 * i + 1]
        put_rows(state, run, problem, block, integers[first + 2 * i], 1, work, place)
    return block


@kernel
def add_laws(state: State, run: ContactRun, problem: Problem, h, left):
    """Blocks of all one-sided rows; `left`: what is left of the step."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    phi, phi_dot = vector(work, sizes, SIDE_PHI, SIDES), vector(work, sizes, SIDE_PHI_DOT, SIDES)
    phi_t = vector(work, sizes, SIDE_PHI_T, SIDES)
    integers[memory.SIDE_BLOCKS] = 0
    for row in range(sizes[SIDES]):
        law = integers[integers[memory.LAW_TABLE] + LAW_RECORD * row]
        bounce = integers[memory.SIDE_BOUNCE] + row
        numbers[bounce] = 0.0
        if integers[memory.ABSORBED] > 0 and integers[integers[memory.SIDE_JOINT] + row] >= 0:
            continue
        integers[integers[memory.SIDE_KEPT] + integers[memory.SIDE_BLOCKS]] = row
        integers[memory.SIDE_BLOCKS] += 1
        block = open_side(state, run, problem, row, UNI if law == STOP else BOX)
        if block == OVERFLOW:
            return NEEDS_ROOM
        data = vector_view(work, sizes[SIDE_DATA] + SIDE_NUMBERS * row, SIDE_NUMBERS)
        bias, soft = row_at(problem, BIAS, block), row_at(problem, COMPLIANCE, block)
        x[bias] = phi_t[row]
        if law == STOP:
            stiffness, damping = data[STOP_STIFFNESS], data[STOP_DAMPING]
            if data[STOP_FREQUENCY] > 0.0:
                mass = felt_mass(state, run, row)
                stiffness = mass * data[STOP_FREQUENCY] * data[STOP_FREQUENCY]
                damping = 2.0 * data[STOP_RATIO] * mass * data[STOP_FREQUENCY]
            if stiffness > 0.0:
                x[bias] += spring_bias(stiffness, damping, phi[row], left)
                x[soft] = 1.0 / (h * (left * stiffness + damping))
            else:
                ahead = lead_of_stop(state, run, row, h, left)
                e = bounce_at(numbers, data[STOP_RESTITUTION], phi_dot[row] - ahead)
                x[bias] += ahead + max(0.0, phi[row] / left - 0.5 * ahead)
                if e > 0.0:
                    numbers[bounce] = -e
                    if phi[row] + left * phi_dot[row] <= 0.0:
                        stop_short(run, problem, bounce, bias, phi_t[row], phi_dot[row])
            continue
        low, high = row_at(problem, LOWER, block), row_at(problem, UPPER, block)
        x[low], x[high] = h * data[LEAST], h * data[MOST]
        if data[GAIN] > 0.0 or data[RATE_GAIN] > 0.0:
            x[bias], whole = drive_of(data, phi[row], phi_t[row], left)
            x[soft] = 1.0 / (h * whole)
        else:
            x[bias] -= data[TARGET_SPEED]
    integers[memory.FIXED_BLOCKS] = p[BLOCKS]
    return OK


@kernel
def lead_of_stop(state: State, run: ContactRun, row, h, left):
    """Half a step's change of the rate, while it stays closed (`step.second_order`)."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    if left < h and numbers[integers[memory.FIXED_IMPULSES] + sizes[ROWS] + row] > 0.0:
        return work[sizes[SIDE_PHI_DOT] + row] - numbers[integers[memory.SIDE_RATES] + row]
    return 0.0


@kernel
def drive_of(data, phi, phi_t, left):
    """b and 1 / (h R) of a drive that yields."""
    gain, rate = data[GAIN], data[RATE_GAIN]
    whole = left * gain + rate
    return phi_t + (gain * (phi - data[TARGET]) - rate * data[TARGET_SPEED]) / whole, whole


@kernel
def stop_short(run: ContactRun, problem: Problem, bounce, bias, phi_t, phi_dot):
    """Make a stop that might bounce an impact."""
    numbers = run.work
    x = problem.work
    numbers[bounce] = -numbers[bounce]
    x[bias] = phi_t + numbers[bounce] * phi_dot


@apart(float)
def felt_mass(state: State, run: ContactRun, row):
    """1 / (J A^-1 J^T) of a row."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    total = 0.0
    if sizes[MECHANISM] == 0:
        n = sizes[NV]
        moved = vector(work, sizes, TOP, NV)
        for k in range(n):
            moved[k] = work[sizes[SIDE_JACOBIAN] + n * row + k]
        mass_solve(work, sizes, moved)
        for k in range(n):
            total += work[sizes[SIDE_JACOBIAN] + n * row + k] * moved[k]
        return 1.0 / total
    law = integers[memory.LAW_TABLE] + LAW_RECORD * row
    first = integers[memory.LAW_TABLE] + LAW_RECORD * sizes[SIDES] + 2 * integers[law + 1]
    for i in range(integers[law + 2]):
        at = sizes[SIDE_JACOBIAN] + integers[first + 2 * i + 1]
        theta = vector_view(work, sizes[BODY_INERTIA] + INERTIA * integers[first + 2 * i], INERTIA)
        push, turn = small.vector(work, at), small.vector(work, at + 3)
        total += small.dot(push, push) / theta[6] + small.dot(turn, turn_by(theta, turn))
    return 1.0 / total
