"""How many answers the laws have for a chain whose tip comes down on the floor.

    u+ = u + W lam,   u_n+ = -e u_n,   lam in Coulomb's cone, friction against the sliding u_t+

At a tip whose pushing also makes it slide (a rod that jams, Painlevé) there may be none, or
several: sticking, and sliding one way or the other, each with its own end. So with the forces
after an impact that leaves the tip at rest: it may lift off, stay, or begin to slide, each by
Coulomb's law. NumPy alone, from the plan.
"""

from __future__ import annotations

import numpy as np

DIRECTIONS = 3600
"""Directions of sliding that are tried; between two of them an answer is found by its sign."""

SETTLED, AGREED = 8, 0.02
"""Steps after an impact at which a force is looked at, and how near it is to one of the answers,
over the largest: the plan knows where the tip meets the floor but for the step's part."""

NEARLY = 0.02
"""Change of friction, either way, that is to leave the number of answers as it is."""


def turned(axis, angle, x):
    """A vector turned about an axis."""
    c, s = np.cos(angle), np.sin(angle)
    return c * x + s * np.cross(axis, x) + (1.0 - c) * (axis @ x) * axis


def matrices(impact, angles):
    """M of the joints, C of the tip's contact, normal first, and the joints' axes, at angles."""
    points = [hinge.point.copy() for hinge in impact.hinges]
    axes = [hinge.axis / np.linalg.norm(hinge.axis) for hinge in impact.hinges]
    places = [thing.position.copy() for thing in impact.things]
    turns = [np.eye(3) for _ in places]
    _, radius, arm = impact.things[-1].shapes[0]
    tip = places[-1] + arm
    for k in reversed(range(len(axes))):

        def move(x, k=k):
            return points[k] + turned(axes[k], angles[k], x - points[k])

        turn = np.column_stack([turned(axes[k], angles[k], e) for e in np.eye(3)])
        tip = move(tip)
        places[k:] = [move(x) for x in places[k:]]
        turns[k:] = [turn @ R for R in turns[k:]]
        points[k + 1 :] = [move(x) for x in points[k + 1 :]]
        axes[k + 1 :] = [turned(axes[k], angles[k], a) for a in axes[k + 1 :]]
    touch = tip - np.array([0.0, 0.0, radius])
    M = np.zeros((len(axes), len(axes)))
    for i, thing in enumerate(impact.things):
        J = [np.cross(a, places[i] - p) for a, p in zip(axes, points, strict=True)]
        J = np.array(J).T * (np.arange(len(axes)) <= i)
        w = np.array(axes).T * (np.arange(len(axes)) <= i)
        M += thing.mass * J.T @ J + w.T @ turns[i] @ thing.inertia @ turns[i].T @ w
    C = np.array([np.cross(a, touch - p) for a, p in zip(axes, points, strict=True)]).T
    height = sum(t.mass * x[2] for t, x in zip(impact.things, places, strict=True))
    return M, C[[2, 0, 1]], np.array(axes), height


def delassus(impact):
    """W of the tip's contact and its velocity u before, normal first, when it meets the floor."""
    speeds = np.array([hinge.speed for hinge in impact.hinges])
    M, C, *_ = matrices(impact, impact.flight * speeds)
    return C @ np.linalg.solve(M, C.T), C @ speeds


def acceleration(impact, angles, speeds):
    """Acceleration of the point that touches, without a force on it: Lagrange's equations.

    M s' = G - M' s + grad(s M s) / 2, its derivatives by differences.
    """
    n, small = len(speeds), 1e-5
    M, C, *_ = matrices(impact, angles)

    def difference(way):
        ahead, behind = (matrices(impact, angles + sign * small * way) for sign in (1.0, -1.0))
        return [(a - b) / (2.0 * small) for a, b in zip(ahead, behind, strict=True)]

    along = difference(speeds)
    force = -along[0] @ speeds
    for k in range(n):
        one = difference(np.eye(n)[k])
        force[k] += 0.5 * speeds @ one[0] @ speeds - impact.gravity * one[3]
    return C @ np.linalg.solve(M, force) + along[1] @ speeds


def forces_at_rest(impact, run, sample):
    """Forces on the tip, normal first, that Coulomb's law admits where it has come to rest.

    After an impact without restitution the tip may lift off, stay or begin to slide, and more than
    one of them may be right where pushing makes it slide. None if it moves at that sample.
    """
    speeds = np.array([hinge.speed for hinge in impact.hinges])
    angles = impact.flight * speeds
    M, C, axes, _ = matrices(impact, angles)
    w = run.v[sample].reshape(-1, 6)[:, 3:]
    w = w - np.vstack([np.zeros(3), w[:-1]])
    speeds = np.sum(w * axes, axis=1)
    if np.abs(C @ speeds).max() > 1e-2 * impact.speed:
        return []
    W, b = C @ np.linalg.solve(M, C.T), acceleration(impact, angles, speeds)
    found = [np.zeros(3)] if b[0] > 0.0 else []
    after = answers(W, b, impact.mu, 0.0)
    return found + [np.linalg.lstsq(W, a - b, rcond=1e-10)[0] for a in after]


def answers(W, u, mu, e):
    """Velocities after the impact that the laws admit."""
    wanted, found = -e * u[0], []
    # it sticks: no sliding, an impulse of the least friction that does it
    lam = np.linalg.lstsq(W, np.array([wanted, 0.0, 0.0]) - u, rcond=1e-10)[0]
    _, values, V = np.linalg.svd(W)
    free = V[values <= 1e-10 * values[0]]
    for way in np.linspace(-20.0, 20.0, 4001) if len(free) == 1 else [0.0]:
        one = lam + (way * np.linalg.norm(lam) * free[0] if len(free) == 1 else 0.0)
        held = np.allclose(u + W @ one, [wanted, 0.0, 0.0], atol=1e-8 * np.linalg.norm(u))
        if held and np.hypot(*one[1:]) <= mu * one[0]:
            found.append(np.array([wanted, 0.0, 0.0]))
            break
    theta = np.linspace(0.0, 2.0 * np.pi, DIRECTIONS + 1)
    rays = np.array([np.ones_like(theta), -mu * np.cos(theta), -mu * np.sin(theta)])
    with np.errstate(divide="ignore", invalid="ignore"):
        push = (wanted - u[0]) / (W[0] @ rays)
        after = u[:, None] + push * (W @ rays)
    across = after[2] * np.cos(theta) - after[1] * np.sin(theta)
    along = after[1] * np.cos(theta) + after[2] * np.sin(theta)
    for k in range(DIRECTIONS):
        ends = slice(k, k + 2)
        crosses = across[k] * across[k + 1] <= 0.0 and np.abs(across[ends]).max() > 0.0
        if crosses and (push[ends] > 0.0).all() and (along[ends] > 0.0).all():
            found.append(after[:, k])
    return found


def has_one_answer(impact):
    """Whether the impact of a chain's tip has a single answer, by a margin."""
    W, u = delassus(impact)
    counts = [len(answers(W, u, f * impact.mu, impact.e)) for f in (1 - NEARLY, 1.0, 1 + NEARLY)]
    return counts == [1, 1, 1]


def takes_one_of_several(impact, run):
    """Whether a run went on after its impact by one of several forces that the law admits."""
    if impact.kind != "chain" or impact.mu == 0.0 or impact.e > 1e-9:
        return False
    hit = int(np.argmax(np.abs(np.diff(run.v, axis=0)).max(axis=1))) + 1
    if hit + SETTLED >= len(run.t):
        return False
    forces = forces_at_rest(impact, run, hit + 1)
    if len(forces) < 2:
        return False
    table = run._touch("contacts").table
    rows = table[table[:, 0].astype(int) == hit + SETTLED]
    have = rows[:, 11:14].sum(axis=0)[[2, 0, 1]]
    unit = max(np.linalg.norm(force) for force in forces)
    return min(np.linalg.norm(have - force) for force in forces) < AGREED * unit
