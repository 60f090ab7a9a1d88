"""Seven-link biped on the ground with prescribed motions, three exercises; and in flight.

Braun & Goldfarb (2009), section 5.4. Coordinates: (x, y) centre of mass of the upper body, theta
its angle, theta1..theta3 thigh, shank and foot of the forward leg, theta4..theta6 of the backward
leg; all angles absolute, counter-clockwise from the horizontal.

Notes
-----
Source prints the foot depth as h/l4 = 0.039; only h/L = 0.039 fits its initial positions. Source
drops one entry from the constraint lists of exercises 1 and 2. Source prints theta_d = 4 pi/9
for exercise 3, its start and residual fit 1.363 (errata C7 to C10).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dalembert.errors import ModelError
from dalembert.formulas.variables import coordinates, parameters, time
from dalembert.model import Model, PlanarBody

HEIGHT = 1.8  # L [m]
MASS = 75.0  # M [kg]
FOOT_DEPTH = 0.039 * HEIGHT  # h_f [m]
FOOT_FORWARD, FOOT_BACK = 0.75, 0.25  # ankle to toe, ankle to heel, in foot lengths

# Published starts, rounded to a millimetre and a milliradian; they violate the constraints by up
# to 5e-4 (exercise 3: 3.3e-2 with theta_d = 4 pi/9).
STARTS = {
    0: (0.056, 1.220, 1.396, 1.920, 1.920, 0.0, 1.222, 1.222, 0.0),
    1: (0.056, 1.220, 1.396, 1.920, 1.920, 0.0, 1.222, 1.222, 0.0),
    2: (0.056, 1.239, 1.396, 1.920, 1.920, 0.349, 1.292, 1.292, 0.0),
    3: (0.046, 1.252, 1.363, 1.363, 1.363, 0.0, 1.363, 1.363, 0.0),
}
TAKE_OFF = (1.0, 3.0, -0.5, -1.0, 3.0, 0.5, -2.0, 2.0, 0.5)  # of flight; the source has none
UPPER_BODY_ANGLE = {0: 4 * np.pi / 9, 1: 4 * np.pi / 9, 2: 4 * np.pi / 9, 3: 1.363}  # theta_d [rad]


class Segment(NamedTuple):
    """One row of table 1: lengths [m], mass [kg], inertia about the centre [kg m^2]."""

    length: float
    centre: float
    mass: float
    inertia: float


def _segment(length: float, centre: float, mass: float, radius: float) -> Segment:
    """Row of the table, given relative to L, the segment's length, M and the segment's length."""
    span = length * HEIGHT
    return Segment(span, centre * span, mass * MASS, mass * MASS * (radius * span) ** 2)


UPPER = _segment(0.288, 0.626, 0.6780, 0.496)
THIGH = _segment(0.245, 0.433, 0.1000, 0.323)
SHANK = _segment(0.246, 0.433, 0.0465, 0.302)
FOOT = _segment(0.152, 0.250, 0.0145, 0.475)


def biped(exercise: int = 1, *, theta_d: float | None = None, gravity: float = 9.81) -> Model:
    """Biped in exercise 1 (squat on flat feet), 2 (step), 3 (deep squat, rank 9 of 10), 0 (flight).

    Parameters
    ----------
    exercise : 1, 2 or 3; 0: no constraint holds it, it jumps off the start of 1
    theta_d : float  [rad]
        Angle at which the upper body is held; 4 pi/9 for exercises 1 and 2, 1.363 for 3.
    gravity : float  [m/s^2]
        Along -y.

    Examples
    --------
    >>> biped(3).row_count, len(biped(3).coordinates)
    (10, 9)
    """
    if exercise not in STARTS:
        raise ModelError(f"biped: exercise {exercise!r} is unknown. Give 1, 2 or 3, or 0: flight.")
    q = coordinates("x y theta theta1 theta2 theta3 theta4 theta5 theta6")
    held = UPPER_BODY_ANGLE[exercise] if theta_d is None else theta_d
    g, angle = parameters(g=gravity, theta_d=held)

    trunk = np.array(q[:2])
    hip = trunk - UPPER.centre * _along(q[2])
    bodies = [PlanarBody(UPPER.mass, UPPER.inertia, position=trunk, angle=q[2], name="upper body")]
    points: dict[str, Any] = {"head": hip + UPPER.length * _along(q[2]), "hip": hip}
    for leg, angles in (("forward", q[3:6]), ("backward", q[6:9])):
        leg_bodies, leg_points = _leg(leg, hip, *angles)
        bodies += leg_bodies
        points |= leg_points
    weighted = sum(body.mass * body.position[0] for body in bodies)
    points["centre of mass"] = (weighted / MASS, sum(b.mass * b.position[1] for b in bodies) / MASS)

    start = dict(zip(q, STARTS[exercise], strict=True))
    if exercise == 0:
        start |= zip((x.dot for x in q), TAKE_OFF, strict=True)

    return Model.from_map(
        name=f"biped-{exercise}" if exercise else "biped-flying",
        coordinates=q,
        bodies=bodies,
        gravity=(0.0, -g),
        constraints=_EXERCISES[exercise](q, points, q[2] - angle),
        points=points,
        lines=[
            ("head", "hip"),
            *(
                (f"{leg} {a}", f"{leg} {b}") if a else ("hip", f"{leg} {b}")
                for leg in ("forward", "backward")
                for a, b in (
                    ("", "knee"),
                    ("knee", "ankle"),
                    ("ankle", "toe"),
                    ("toe", "heel"),
                    ("heel", "ankle"),
                )
            ),
        ],
        initial=start,
        suggested={"until": 100.0 if exercise else 0.6, "step": 1e-2},
    )


def _along(angle: Any) -> Any:
    """u = (cos, sin)."""
    return np.array([np.cos(angle), np.sin(angle)])


def _across(angle: Any) -> Any:
    """w = (-sin, cos)."""
    return np.array([-np.sin(angle), np.cos(angle)])


def _leg(
    leg: str, hip: Any, thigh: Any, shank: Any, foot: Any
) -> tuple[list[PlanarBody], dict[str, Any]]:
    knee = hip - THIGH.length * _along(thigh)
    ankle = knee - SHANK.length * _along(shank)
    sole = ankle - FOOT_DEPTH * _across(foot)
    bodies = [
        PlanarBody(
            THIGH.mass,
            THIGH.inertia,
            position=hip - THIGH.centre * _along(thigh),
            angle=thigh,
            name=f"{leg} thigh",
        ),
        PlanarBody(
            SHANK.mass,
            SHANK.inertia,
            position=knee - SHANK.centre * _along(shank),
            angle=shank,
            name=f"{leg} shank",
        ),
        PlanarBody(
            FOOT.mass,
            FOOT.inertia,
            position=ankle + FOOT.centre * _along(foot),
            angle=foot,
            name=f"{leg} foot",
        ),
    ]
    points = {
        f"{leg} knee": knee,
        f"{leg} ankle": ankle,
        f"{leg} toe": sole + FOOT_FORWARD * FOOT.length * _along(foot),
        f"{leg} heel": sole - FOOT_BACK * FOOT.length * _along(foot),
    }
    return bodies, points


def _squat(q: Any, points: dict[str, Any], upright: Any) -> dict[str, Any]:
    """Exercise 1: both feet flat, knees bend."""
    (fx, fy), (bx, by) = points["forward toe"], points["backward toe"]
    swing = 1 - np.cos(np.pi * time)
    return {
        "forward toe": [fx - 0.507, fy],
        "forward heel": points["forward heel"][1],
        "backward toe": [bx + 0.097, by],
        "backward heel": points["backward heel"][1],
        "upper body": upright,
        "forward knee": q[3] - q[4] - np.pi / 6 * swing,
        "backward knee": q[6] - q[7] - np.pi / 10 * swing,
    }


def _step(q: Any, points: dict[str, Any], upright: Any) -> dict[str, Any]:
    """Exercise 2: forward heel and backward toe on the ground, feet roll."""
    (hx, hy), (tx, ty) = points["forward heel"], points["backward toe"]
    swing = 1 - np.cos(np.pi * time)
    return {
        "forward heel": [hx - 0.262, hy],
        "backward toe": [tx + 0.038, ty],
        "upper body": upright,
        "forward foot": q[5] - np.pi / 18 * (np.cos(np.pi * time) + 1),
        "backward foot": q[8] + np.pi / 18 * swing,
        "backward knee": q[6] - q[7] - np.pi / 10 * swing,
        "forward knee": q[3] - q[4],
    }


def _deep_squat(q: Any, points: dict[str, Any], upright: Any) -> dict[str, Any]:
    """Exercise 3: both toes at the origin, centre of mass above them; one row is dependent."""
    swing = 1 - np.cos(2 * np.pi * time / 5)
    return {
        "forward toe": points["forward toe"],
        "backward toe": points["backward toe"],
        "upper body": upright,
        "forward knee": q[3] - q[4] - np.pi / 3 * swing,
        "backward knee": q[6] - q[7] - np.pi / 3 * swing,
        "forward foot": q[5] + np.pi / 27 * swing,
        "backward foot": q[8] + np.pi / 27 * swing,
        "balance": points["centre of mass"][0],
    }


def _flight(q: Any, points: dict[str, Any], upright: Any) -> dict[str, Any]:
    """Exercise 0: all nine coordinates are independent."""
    return {}


_EXERCISES = {0: _flight, 1: _squat, 2: _step, 3: _deep_squat}
