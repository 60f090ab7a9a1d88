"""Springs and dampers that push between two events: of soft stops and of soft shapes.

    lam = -k w,   w = phi + tau phi',   tau = d / k,   while phi < 0 and w < 0          (contact 20)

k and d are those of a step (contact 14): tau is 2 z / f where a frequency f and a ratio z are given
and c max(0, -phi) of Hunt and Crossley's damping c.
"""

from dalembert._jit import apart, kernel
from dalembert.contact.events.layout import Phase
from dalembert.contact.events.rows import index_of, sliding
from dalembert.contact.rows.contact_rows import normal_spring, shape_body
from dalembert.contact.rows.one_sided_rows import stop_spring
from dalembert.contact.run.run_layout import ContactRun, contact_of
from dalembert.system.state_layout import State


@kernel
def is_soft(law):
    """Whether a stop, or two surfaces, give way."""
    return law.stiffness > 0.0 or law.frequency > 0.0


@kernel
def way_of_stop(state: State, row):
    """w of a soft stop."""
    stop, lag = state.stop(row), 0.0
    if stop.stiffness > 0.0:
        lag = stop.damping / stop.stiffness
    else:
        lag = 2.0 * stop.damping_ratio / stop.frequency
    return state.side_phi[row] + lag * state.side_phi_dot[row]


@kernel
def way_of_shapes(state: State, run: ContactRun, k):
    """w of a soft contact of two shapes."""
    found = run.found(k)
    law, lag = run.law(found.shape_a, found.shape_b), 0.0
    if law.stiffness > 0.0:
        lag = law.damping / law.stiffness + law.dissipation * max(0.0, -found.gap)
    else:
        lag = 2.0 * law.damping_ratio / law.frequency
    return found.gap + lag * sliding(state, run, k).x


@kernel
def way_to_push(state: State, active):
    """w of a soft contact of the phase, which is in sight."""
    if active.side >= 0.0:
        return way_of_stop(state, int(active.side))
    run = contact_of(state)
    return way_of_shapes(state, run, index_of(run, active))


@kernel
def spring_of(state: State, active):
    """(k, d) of a soft contact of the phase, which is in sight, where the model was evaluated."""
    run = contact_of(state)
    if active.side >= 0.0:
        return stop_spring(state, run, int(active.side))
    k = index_of(run, active)
    found = run.found(k)
    law = run.law(found.shape_a, found.shape_b)
    a, b = shape_body(run, found.shape_a), shape_body(run, found.shape_b)
    return normal_spring(state, run.contact(k), law, a, b, found.gap)


@apart(float)
def push(state: State, active):
    """The force of a soft contact of the phase, which is in sight."""
    stiffness, _ = spring_of(state, active)
    return -stiffness * way_to_push(state, active)


@apart(float)
def rate_of(state: State, i):
    """Rate [1/s] of the i-th contact of the phase, a soft one: of its spring, or its damper."""
    phase = Phase(state, state.method_scratch)
    active = phase.contact(i)
    stiffness, damping = spring_of(state, active)
    w = phase.delassus[int(active.first), int(active.first)]
    return max((stiffness * w) ** 0.5, damping * w)
