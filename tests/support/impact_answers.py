"""How many answers the laws of impact have for a chain whose tip comes down on the floor.

    u+ = u + W lam,   u_n+ = -e u_n,   lam in Coulomb's cone, friction against the sliding u_t+

At a tip whose pushing also makes it slide (a rod that jams, Painlevé) there may be none, or
several: sticking, and sliding one way or the other, each with its own end. NumPy alone, from the
plan.
"""

from __future__ import annotations

import numpy as np

DIRECTIONS = 3600
"""Directions of sliding that are tried; between two of them an answer is found by its sign."""

NEARLY = 0.02
"""Change of friction, either way, that is to leave the number of answers as it is."""


def turned(axis, angle, x):
    """A vector turned about an axis."""
    c, s = np.cos(angle), np.sin(angle)
    return c * x + s * np.cross(axis, x) + (1.0 - c) * (axis @ x) * axis


def delassus(impact):
    """W of the tip's contact and its velocity u before, normal first, when it meets the floor."""
    points = [hinge.point.copy() for hinge in impact.hinges]
    axes = [hinge.axis / np.linalg.norm(hinge.axis) for hinge in impact.hinges]
    places = [thing.position.copy() for thing in impact.things]
    turns = [np.eye(3) for _ in places]
    _, radius, arm = impact.things[-1].shapes[0]
    tip, speeds = places[-1] + arm, np.array([hinge.speed for hinge in impact.hinges])
    for k in reversed(range(len(axes))):
        angle = impact.flight * speeds[k]

        def move(x, k=k, angle=angle):
            return points[k] + turned(axes[k], angle, x - points[k])

        turn = np.column_stack([turned(axes[k], angle, e) for e in np.eye(3)])
        tip = move(tip)
        places[k:] = [move(x) for x in places[k:]]
        turns[k:] = [turn @ R for R in turns[k:]]
        points[k + 1 :] = [move(x) for x in points[k + 1 :]]
        axes[k + 1 :] = [turned(axes[k], angle, a) for a in axes[k + 1 :]]
    touch = tip - np.array([0.0, 0.0, radius])
    M = np.zeros((len(axes), len(axes)))
    for i, thing in enumerate(impact.things):
        J = [np.cross(a, places[i] - p) for a, p in zip(axes, points, strict=True)]
        J = np.array(J).T * (np.arange(len(axes)) <= i)
        w = np.array(axes).T * (np.arange(len(axes)) <= i)
        M += thing.mass * J.T @ J + w.T @ turns[i] @ thing.inertia @ turns[i].T @ w
    C = np.array([np.cross(a, touch - p) for a, p in zip(axes, points, strict=True)]).T
    C = C[[2, 0, 1]]
    return C @ np.linalg.solve(M, C.T), C @ speeds


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
