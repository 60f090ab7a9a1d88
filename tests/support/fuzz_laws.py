"""Laws of a step that random scenes are judged by, besides those of its problem.

Action and reaction: the rows of a contact between two free bodies push them equally and
oppositely, along one line.

Work: at the velocities after the step no rigid contact without restitution and without moving
surfaces does work, lam . J v+ <= 0: it presses where the bodies come nearer, and rubs against
their sliding.

Penetration: what is reported is what the points of the contacts say where the bodies are. Of free
bodies a contact with the gap phi at the start of a step has at its end no less than

    min(phi, 0) - h r - slop - h^2/2 (|w_a|^2 |r_a| + |w_b|^2 |r_b|) - c

with r the largest velocity inwards that is told: the row is linear, and the points go on arcs; c
is the same of the turning by the position pass. Where that pushes, phi is the least of all:
contacts may contradict one another, as those of a ball in a vice. A step later collision looks
anew: a pair of free convex bodies is not deeper then than it was, or than its contacts say, but for
arcs of points that were no contacts and for what impacts elsewhere have changed.

Drives that are part of A: the force that is told is kp (target - phi - h phi') + kd (speed - phi')
within its bounds, with phi of the start of the step and phi' by J of the bodies and their
velocities after it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dalembert.collision.layout import HEIGHT_FIELD, SPUN, SWEPT
from dalembert.contact.run.record_layout import DRIVE
from dalembert.contact.run.run_layout import ContactRun
from dalembert.simulation.prepare.contacts import part_of
from dalembert.system.borders import evaluate, evaluate_sides
from dalembert.system.state_layout import State

WORLD = -1


def rotation(q):
    """Matrix of a unit quaternion."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


@dataclass
class Touching:
    """A contact of the last step."""

    shapes: tuple[int, int]
    bodies: tuple[int, int]
    gap: float
    normal: np.ndarray
    arms: tuple[np.ndarray, np.ndarray]
    """In axes of the bodies."""
    rigid: bool
    swept: bool
    spun: bool


@dataclass
class Watch:
    """What the laws of a run remember from step to step."""

    depth: dict[tuple[int, int], float] = field(default_factory=dict)
    """Of pairs of shapes, what their contacts allow at the next look."""
    poses: np.ndarray | None = None
    unforeseen: np.ndarray | None = None
    """How far bodies have gone from where their velocities before the step would have led, and by
    which angle: impacts elsewhere and the position pass do that after collision has looked."""
    turns: np.ndarray | None = None
    """Angles of the last step."""


def contact_part(run):
    """Memory of contact of a run."""
    integers, numbers = part_of(run.state)
    return ContactRun(numbers, integers)


def contacts_of(run):
    """Contacts of the last step, from the arrays of the run."""
    contacts = contact_part(run)
    made = []
    for k in range(contacts.contacts):
        found, own = contacts.found(k), contacts.contact(k)
        shapes = found.shape_a, found.shape_b
        made.append(
            Touching(
                shapes,
                tuple(contacts.scene.shape(s).body for s in shapes),
                float(found.gap),
                np.array([*own.n]),
                (np.array([*own.local_a]), np.array([*own.local_b])),
                float(own.stiff) == 0.0,
                bool(found.flags & SWEPT),
                bool(found.flags & SPUN),
            )
        )
    return made


def placed(poses, body, arm):
    """A point of a body in the world."""
    if body == WORLD:
        return arm
    return poses[body, :3] + rotation(poses[body, 3:]) @ arm


def gap_at(poses, contact):
    """Gap of a contact by its two points."""
    a, b = (
        placed(poses, body, arm) for body, arm in zip(contact.bodies, contact.arms, strict=True)
    )
    return float(contact.normal @ (b - a))


def judge_penetration(run, h, before, speeds, free, watch, complain):
    """Reported penetration, and gaps at the end of a step.

    before, speeds: poses and velocities at its start.
    """
    contacts = contact_part(run)
    report = contacts.step_report
    told = float(report.penetration)
    inwards = float(contacts.solve_report.penetration)
    slop = float(contacts.slop)
    q, v = run.states(run.q[None], run.v[None])
    poses, twists = q.reshape(-1, 7), v.reshape(-1, 6)
    touching = contacts_of(run)
    deepest = 0.0
    # where contacts contradict one another, what is pushed out of one goes into the other
    pushed = report.pushed > 0.0
    lowest = min((c.gap for c in touching if c.rigid), default=0.0)
    rounding = 1e-12 * (1.0 + np.abs(poses[:, :3]).max(initial=0.0))
    deeper = {}
    for c in touching:
        gap = gap_at(poses, c)
        if c.rigid and not c.spun:
            deepest = max(deepest, -gap)
        if not (free and c.rigid) or c.spun:
            continue
        arcs = 0.0
        for body, arm in zip(c.bodies, c.arms, strict=True):
            if body != WORLD:
                turn = h * np.linalg.norm(twists[body, 3:])
                there = pose_after(before[body], twists[body], h)
                more = angle_between(there, poses[body])
                arcs += 0.5 * (turn * turn + more * more) * float(np.linalg.norm(arm))
                rounding = max(rounding, 1e-12 * float(np.linalg.norm(arm)))
        allowed = (
            min(lowest if pushed else c.gap, 0.0) - h * inwards - slop - 1.001 * arcs - rounding
        )
        if gap < allowed:
            complain(
                f"shapes {c.shapes}: gap {c.gap:.3g} m has become {gap:.3g} m, "
                f"at least {allowed:.3g} m by the laws"
            )
        deeper[c.shapes] = max(deeper.get(c.shapes, 0.0), -min(gap, allowed, 0.0))
    if not run.state.sides and abs(told - deepest) > 1e-9 * (told + deepest) + rounding:
        complain(f"penetration {told:.3g} m is told, {deepest:.3g} m found")
    watch.depth, watch.poses = deeper, poses.copy() if free else None
    watch.turns = h * np.linalg.norm(twists[:, 3:], axis=1)
    watch.unforeseen = np.zeros((len(poses), 2))
    for k, pose in enumerate(poses):
        there = pose_after(before[k], speeds[k], h)
        off = float(np.linalg.norm(pose[:3] - there[:3]))
        watch.unforeseen[k] = off, angle_between(there, pose)
        watch.turns[k] = max(watch.turns[k], h * float(np.linalg.norm(speeds[k, 3:])))


def pose_after(pose, twist, h):
    """A body moved on for h: only its turn matters here."""
    w = h * twist[3:]
    angle = np.linalg.norm(w)
    axis = w / angle if angle > 0.0 else w
    p = np.array([np.cos(0.5 * angle), *(np.sin(0.5 * angle) * axis)])
    q = pose[3:]
    turned = np.array(
        [
            p[0] * q[0] - p[1:] @ q[1:],
            *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])),
        ]
    )
    return np.array([*(pose[:3] + h * twist[:3]), *turned])


def angle_between(a, b):
    """Angle between two poses, or nearly."""
    c = abs(float(a[3:] @ b[3:])) / (np.linalg.norm(a[3:]) * np.linalg.norm(b[3:]))
    return 2.0 * np.arccos(min(1.0, c)) if c < 1.0 else 0.0


def judge_reaction(solved, first, order, poses, complain):
    """Rows of contacts between free bodies push them equally and oppositely."""
    for block in solved.problem.blocks[first:]:
        if block.a < 0 or block.b < 0 or block.kind not in ("UNI", "CONE", "ROLL"):
            continue
        A, B = np.asarray(block.J_a), np.asarray(block.J_b)
        if A.shape[1] != 6 or B.shape[1] != 6:
            continue
        if np.abs(A[:, :3] + B[:, :3]).max() > 1e-14:
            complain(f"bodies {block.a} and {block.b} are not pushed equally and oppositely")
        if order == 1:
            a, b = poses[block.a, :3], poses[block.b, :3]
            moment = A[:, 3:] + np.cross(a, A[:, :3]) + B[:, 3:] + np.cross(b, B[:, :3])
            size = np.abs(A[:, 3:]).max() + np.abs(B[:, 3:]).max() + np.abs([a, b]).max()
            if np.abs(moment).max() > 1e-13 * (1.0 + size):
                complain(f"the pushes on bodies {block.a} and {block.b} are a couple")


def judge_work(problem, solved, first, complain):
    """No work of rigid contacts at the velocities after the step."""
    J, v, lam, row = problem.jacobian(), solved.v, solved.lam, 0
    w = problem.weights()
    speed = np.abs(v) + np.abs(problem.v_free)
    for k, block in enumerate(solved.problem.blocks):
        dim = len(block.bias)
        here = slice(row, row + dim)
        row += dim
        if k < first or np.any(block.R):
            continue
        u = J[here] @ v
        done = float(lam[here] @ u)
        residual = solved.info.residual * max(1.0, 1.0 / block.length)
        off = residual * (1.0 + float(np.abs(block.mu).sum()))
        off += 1e-12 * float(np.abs(J[here]).sum(0) @ speed)
        slack = float(np.abs(lam[here]).sum()) * off
        # the residual may be one of velocities or of impulses
        speeds = (np.abs(u) + np.abs(block.bias)) / w[here]
        slack += float(speeds.sum()) * residual
        if done > 4.0 * slack + 1e-300:
            complain(f"contact {k - first} does {done:.3g} J, {slack:.3g} J by the residual")


def judge_looks(run, watch, free, complain):
    """After a step: what collision found at its start against what the step before allowed."""
    if not free or watch.poses is None:
        return
    scene = contact_part(run).scene
    for c in contacts_of(run):
        if not c.rigid or c.swept or not c.gap < 0.0:
            continue
        shapes = [scene.shape(s) for s in c.shapes]
        inner = min(float(shape.inner_radius) for shape in shapes)
        size = max(float(shape.bounding_radius) for shape in shapes)
        before = watch.depth.get(c.shapes, 0.0)
        if max(shape.kind for shape in shapes) >= HEIGHT_FIELD:
            continue
        arcs = 0.0
        for body, shape in zip(c.bodies, shapes, strict=True):
            if body != WORLD:
                r = float(shape.bounding_radius)
                off, angle = watch.unforeseen[body]
                arcs += 0.5 * watch.turns[body] ** 2 * r + off + angle * r
        if -c.gap > before + arcs + 0.1 * inner + 1e-9 * size:
            complain(
                f"shapes {c.shapes} are {-c.gap:.3g} m deep, their contacts allow {before:.3g} m "
                f"and {arcs:.3g} m by turns and by what came in between"
            )


def first_contact(run):
    """Number of the first block of a contact."""
    return contact_part(run).fixed_blocks


def drives_now(run, t):
    """Rows of drives that yield at the state of a run, with all that their law needs."""
    contacts, state = contact_part(run), State(run.work.copy(), run.sizes.copy())
    evaluate(*state, t, run.q.copy(), run.v.copy())
    evaluate_sides(state, t, run.q.copy(), run.v.copy())
    made = []
    for row in range(state.sides):
        law, drive = contacts.side_law(row), state.drive(row)
        if law.law != DRIVE or not (drive.gain > 0.0 or drive.rate_gain > 0.0):
            continue
        bodies = [contacts.side_body(state.sides, law, i) for i in range(law.count)]
        parts = [(b.body, state.side_jacobian[b.start : b.start + 6].copy()) for b in bodies]
        phi, phi_t = float(state.side_phi[row]), float(state.side_phi_t[row])
        made.append((row, phi, phi_t, drive, parts))
    return made


def judge_drives(run, h, q, drives, complain):
    """Forces of drives of a tree after a step of first order; q: tree coordinates at its start."""
    contacts, rows = contact_part(run), State(run.work, run.sizes).rows
    twists = run.states(q[None], run.v[None])[1].reshape(-1, 6)
    for row, phi, phi_t, drive, parts in drives:
        if not contacts.absorbed or contacts.side_joint[row] < 0:
            continue  # a block of the problem, which is judged
        force = float(contacts.fixed_impulses[rows + row]) / h
        speed = phi_t + sum(float(J @ twists[body]) for body, J in parts)
        size = abs(phi_t) + sum(float(np.abs(J) @ np.abs(twists[body])) for body, J in parts)
        whole = h * drive.gain + drive.rate_gain
        wanted = drive.gain * (drive.target - phi - h * speed)
        wanted += drive.rate_gain * (drive.target_speed - speed)
        wanted = min(max(wanted, drive.least), drive.most)
        terms = drive.gain * (abs(drive.target) + abs(phi))
        terms += drive.rate_gain * abs(drive.target_speed)
        allowed = 1e-11 * (whole * size + terms + abs(force))
        if not abs(force - wanted) <= allowed:
            complain(f"drive {row} has {force:.6g}, {wanted:.6g} by its law ({allowed:.2g})")
