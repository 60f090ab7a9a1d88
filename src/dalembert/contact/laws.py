"""One-sided rows: stops, cables, motors with limits, brakes, dry friction (contact.md 3).

Each row has a value phi(q, t), its J and a record of numbers; each becomes a block of its own.

| law | kind | record |
|---|---|---|
| STOP | UNI: phi >= 0 | stiffness (0: rigid), damping, restitution |
| DRIVE | BOX | lowest and highest force; target speed; kp, kd, target of phi (kp = kd = 0: rigid) |
| RUB | BOX | lowest and highest force; what the static one is more, speed of Stribeck's curve |

A stop is a limit of a joint, a cable or any phi >= 0 of the user: b = phi / h where phi > 0. Of a
drive b = -v_target + kp (phi - target) / (h kp + kd), R = 1 / (h (h kp + kd)). Stribeck's curve

    tau(u) = tau_C + (tau_S - tau_C) exp(-(u / v_S)^2)

is taken at the velocity before the step. Integers of a row (`LAW_TABLE`): law, first incidence,
number of incidences; then the incidences: body, where its J starts in SIDE_JACOBIAN.
"""

import math

from dalembert._jit import kernel, vector_view
from dalembert.contact import memory
from dalembert.contact.assemble import clique_of, open_block, put_rows
from dalembert.contact.layout import (
    BIAS,
    BOX,
    COMPLIANCE,
    LOWER,
    OVERFLOW,
    UNI,
    UPPER,
    add_block,
    jacobian_a_at,
    row_at,
)
from dalembert.system.borders import NEEDS_ROOM, OK, STATE
from dalembert.system.layout import (
    MECHANISM,
    NV,
    SIDE_DATA,
    SIDE_JACOBIAN,
    SIDE_NUMBERS,
    SIDE_PHI,
    SIDE_PHI_DOT,
    SIDE_PHI_T,
    SIDE_ROWS,
    SIDES,
    vector,
)

STOP, DRIVE, RUB = range(3)

LAW_RECORD = 3

# Numbers of a stop,
STOP_STIFFNESS, STOP_DAMPING, STOP_RESTITUTION = range(3)
# of a drive and of friction.
LEAST, MOST, TARGET_SPEED, GAIN, RATE_GAIN, TARGET = range(6)
STATIC, STRIBECK_SPEED = 2, 3

_call_state = STATE.call


@kernel
def evaluate_sides(work, sizes, t, q, v):
    """Values, rates, J and numbers of all one-sided rows."""
    if sizes[SIDES] > 0:
        _call_state(sizes[SIDE_ROWS], work, sizes, t, q, v)


@kernel
def open_side(work, sizes, integers, p, x, row, kind):
    """A block of one row with its J; OVERFLOW where there is no room."""
    if sizes[MECHANISM] == 0:
        n = sizes[NV]
        block = add_block(p, x, kind, 1, 0, -1)
        if block == OVERFLOW:
            return OVERFLOW
        at = jacobian_a_at(p, block)
        for k in range(n):
            x[at + k] = work[sizes[SIDE_JACOBIAN] + n * row + k]
        return block
    law = integers[memory.LAW_TABLE] + LAW_RECORD * row
    first = integers[memory.LAW_TABLE] + LAW_RECORD * sizes[SIDES] + 2 * integers[law + 1]
    a = integers[first]
    b = a
    for i in range(1, integers[law + 2]):
        body = integers[first + 2 * i]
        if clique_of(integers, body) != clique_of(integers, a):
            b = body
    block = open_block(integers, p, x, kind, 1, a, b)
    if block == OVERFLOW:
        return OVERFLOW
    for i in range(integers[law + 2]):
        place = sizes[SIDE_JACOBIAN] + integers[first + 2 * i + 1]
        put_rows(integers, p, x, block, integers[first + 2 * i], 1, work, place)
    return block


@kernel
def add_laws(work, sizes, integers, numbers, p, x, h):
    """Blocks of all one-sided rows."""
    phi, phi_dot = vector(work, sizes, SIDE_PHI, SIDES), vector(work, sizes, SIDE_PHI_DOT, SIDES)
    phi_t = vector(work, sizes, SIDE_PHI_T, SIDES)
    for row in range(sizes[SIDES]):
        law = integers[integers[memory.LAW_TABLE] + LAW_RECORD * row]
        block = open_side(work, sizes, integers, p, x, row, UNI if law == STOP else BOX)
        if block == OVERFLOW:
            return NEEDS_ROOM
        data = vector_view(work, sizes[SIDE_DATA] + SIDE_NUMBERS * row, SIDE_NUMBERS)
        bias, soft = row_at(p, BIAS, block), row_at(p, COMPLIANCE, block)
        x[bias] = phi_t[row]
        if law == STOP:
            stop(x, bias, soft, h, phi[row], phi_dot[row], data, numbers[memory.THRESHOLD])
            continue
        low, high = row_at(p, LOWER, block), row_at(p, UPPER, block)
        x[low], x[high] = h * data[LEAST], h * data[MOST]
        if law == DRIVE:
            gain, rate = data[GAIN], data[RATE_GAIN]
            x[bias] -= data[TARGET_SPEED]
            if gain > 0.0 or rate > 0.0:
                x[bias] += gain * (phi[row] - data[TARGET]) / (h * gain + rate)
                x[soft] = 1.0 / (h * (h * gain + rate))
        elif data[STRIBECK_SPEED] > 0.0:
            ratio = phi_dot[row] / data[STRIBECK_SPEED]
            more = h * data[STATIC] * math.exp(-ratio * ratio)
            x[low] -= more
            x[high] += more
    return OK


@kernel
def stop(x, bias, soft, h, phi, phi_dot, data, threshold):
    """Bias and compliance of a stop; `x[bias]` holds the part of time already."""
    stiffness = data[STOP_STIFFNESS]
    if stiffness > 0.0:
        x[bias] += stiffness * phi / (h * stiffness + data[STOP_DAMPING])
        x[soft] = 1.0 / (h * (h * stiffness + data[STOP_DAMPING]))
        return
    e = data[STOP_RESTITUTION]
    if e > 0.0 and phi_dot < -threshold and phi + h * phi_dot <= 0.0:
        x[bias] += e * phi_dot
    elif phi > 0.0:
        x[bias] += phi / h
