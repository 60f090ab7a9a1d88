"""Gaps of contacts, rows of stops and residuals of joints where bodies are now.

Gaps follow from the two points of the surfaces that met, carried along by their bodies:
phi = n . (p_B - p_A).
"""

from dalembert._jit import kernel
from dalembert.collision.layout import SPUN
from dalembert.contact.rows.one_sided_rows import METRES, RADIANS, STOP
from dalembert.contact.run.run_layout import ContactRun
from dalembert.system.state_layout import State

UNSEEN, CURVED, TURNING = 1e-3, 0.01, 1.5
"""Penetration that is rounding, over the slop; over the way in half a step, one that a surface that
curves leaves; and the largest, of bodies that turn."""


@kernel
def worst_joint(state: State):
    """Largest residual of position rows over their sizes; NaN counts as infinite."""
    worst = 0.0
    for i in range(state.holonomic):
        size = abs(state.phi[i]) / state.row_size[i]
        if not size <= worst:
            worst = size
    return worst


# -- contacts --------------------------------------------------------------------------------------


@kernel
def bodies_at(run: ContactRun, k):
    """Bodies of a contact; -1: the world."""
    found, scene = run.found(k), run.scene
    return scene.shape(found.shape_a).body, scene.shape(found.shape_b).body


@kernel
def gap_now(state: State, run: ContactRun, k):
    """Gap of a contact with the bodies where their records say."""
    contact, (a, b) = run.contact(k), bodies_at(run, k)
    p_a = state.record_of(a).in_world(contact.local_a)
    p_b = state.record_of(b).in_world(contact.local_b)
    return contact.n.dot(p_b - p_a)


@kernel
def has_gap(run: ContactRun, k):
    """Whether a contact is rigid and its points are those of the surfaces that meet."""
    return run.found(k).flags & SPUN == 0 and run.contact(k).stiff == 0.0


# -- stops -----------------------------------------------------------------------------------------


@kernel
def has_stops(state: State, run: ContactRun):
    """Whether any row is a stop: the others have no place that a correction could change."""
    for row in range(state.sides):
        if run.side_law(row).law == STOP:
            return True
    return False


@kernel
def is_rigid_stop(state: State, run: ContactRun, row):
    """Whether a row is a stop that gives way to nothing."""
    stop = state.stop(row)
    return run.side_law(row).law == STOP and stop.stiffness == 0.0 and stop.frequency == 0.0


# -- both ------------------------------------------------------------------------------------------


@kernel
def deepest(state: State, run: ContactRun):
    """Penetration of rigid contacts and stops: the deepest. Each unit is reported by itself."""
    metres = radians = others = 0.0
    for k in range(run.contacts):
        if has_gap(run, k):
            metres = max(metres, -gap_now(state, run, k))
    for row in range(state.sides):
        if is_rigid_stop(state, run, row):
            depth, unit = -state.side_phi[row], state.stop(row).unit
            if unit == RADIANS:
                radians = max(radians, depth)
            elif unit == METRES:
                metres = max(metres, depth)
            else:
                others = max(others, depth)
    report = run.step_report
    report.penetration, report.penetration_angle, report.penetration_own = metres, radians, others
    return max(metres, max(radians, others))


@kernel
def blind_way(run: ContactRun, h, speed):
    """Way [m], negative, that something approached at `speed` has gone before it was looked at."""
    return 0.5 * h * min(0.0, speed) if run.second_order == 1 else 0.0


@kernel
def is_passed(slop, gap, back):
    """Whether a step has gone in, more than rounding and than a surface curves on the way."""
    return -gap > UNSEEN * slop and TURNING * back <= gap <= CURVED * back


@kernel
def went_too_far(state: State, run: ContactRun, h):
    """Whether a rigid contact or stop that was approached has been passed."""
    for k in range(run.contacts):
        if has_gap(run, k):
            back = blind_way(run, h, run.contact(k).speed)
            if is_passed(run.slop, gap_now(state, run, k), back):
                return True
    for row in range(state.sides):
        if is_rigid_stop(state, run, row):
            back = blind_way(run, h, run.side_rates[row])
            if is_passed(run.slop, state.side_phi[row], back):
                return True
    return False
