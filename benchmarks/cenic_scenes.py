"""Five scenes of contact as plain data, for this package and for Drake's CENIC to build.

Flat bodies stand on small spheres, as Drake's point contact has one point a pair of shapes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def ball_inertia(mass: float, radius: float) -> list[float]:
    return [0.4 * mass * radius**2] * 3


def box_inertia(mass: float, x: float, y: float, z: float) -> list[float]:
    return [mass / 12 * (y * y + z * z), mass / 12 * (x * x + z * z), mass / 12 * (x * x + y * y)]


def body(name: str, mass: float, moments: list[float], position: list[float], **more: Any) -> Any:
    given = {
        "name": name,
        "mass": mass,
        "moments": moments,
        "position": position,
        "quaternion": [1.0, 0.0, 0.0, 0.0],
        "velocity": [0.0, 0.0, 0.0],
        "angular_velocity": [0.0, 0.0, 0.0],
        "shapes": [],
        "parent": None,
        "slides": [],
        "drive": None,
        "spring": None,
        "damping": 0.0,
    }
    return given | more


def sphere(radius: float, *at: float) -> dict[str, Any]:
    return {"kind": "sphere", "sizes": [radius], "position": list(at) or [0.0, 0.0, 0.0]}


FLOOR = {"point": [0.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0]}


def clutter() -> dict[str, Any]:
    """Twenty balls fall into an open box; soon nobody knows where they go, so not for long."""
    radius, half = 0.05, 0.25
    mass = 1000 * 4 / 3 * math.pi * radius**3
    draw = np.random.default_rng(1)
    bodies = []
    for k in range(20):
        layer, place = divmod(k, 4)
        at = [(place % 2 - 0.5) * 0.2, (place // 2 - 0.5) * 0.2, 0.15 + 0.13 * layer]
        at = (np.array(at) + draw.uniform(-0.02, 0.02, 3) * (1, 1, 0.5)).round(6).tolist()
        shapes = [sphere(radius)]
        bodies.append(body(f"ball{k}", mass, ball_inertia(mass, radius), at, shapes=shapes))
    walls = [
        {"point": [-half * c for c in normal], "normal": normal}
        for normal in ([1.0, 0, 0], [-1.0, 0, 0], [0, 1.0, 0], [0, -1.0, 0])
    ]
    return {"until": 0.3, "friction": 0.5, "planes": [FLOOR, *walls], "bodies": bodies}


def gripper() -> dict[str, Any]:
    """Two fingers press a box between them, and a servo shakes the hand."""
    side, pad, reach = 0.06, 0.005, 0.015
    servo = {"kp": 2e4, "kd": 400.0, "sine": [0.02, 5.0]}
    pads = [sphere(pad, 0.0, y, z) for y in (-reach, reach) for z in (-reach, reach)]
    at = side / 2 + pad
    bodies = [
        body(
            "hand",
            1.0,
            box_inertia(1.0, 0.2, 0.1, 0.05),
            [0, 0, 0.0],
            slides=[[0, 0, 1.0]],
            drive=servo,
        )
    ]
    for name, sign in (("left", 1.0), ("right", -1.0)):
        bodies.append(
            body(
                name,
                0.1,
                box_inertia(0.1, 0.01, 0.04, 0.04),
                [-sign * at, 0, 0],
                shapes=pads,
                parent="hand",
                slides=[[1.0, 0, 0]],
                drive={"force": 10.0 * sign},
            )
        )
    brick = {"kind": "box", "sizes": [side, side, side], "position": [0.0, 0.0, 0.0]}
    bodies.append(body("brick", 0.2, box_inertia(0.2, side, side, side), [0, 0, 0], shapes=[brick]))
    return {"until": 2.0, "friction": 0.8, "planes": [], "bodies": bodies}


def coin() -> dict[str, Any]:
    """A disc spins on its rim, a little tilted: a flat cylinder on a half space."""
    radius, thick, mass, tilt = 0.02, 0.002, 0.01, 0.1
    across = mass * (3 * radius**2 + thick**2) / 12
    angle = math.pi / 2 + tilt
    disc = {"kind": "cylinder", "sizes": [radius, thick], "position": [0.0, 0.0, 0.0]}
    height = radius * math.cos(tilt) + thick / 2 * math.sin(tilt)
    spun = body(
        "coin",
        mass,
        [across, across, mass * radius**2 / 2],
        [0.0, 0.0, height],
        quaternion=[math.cos(angle / 2), math.sin(angle / 2), 0.0, 0.0],
        angular_velocity=[0.0, 0.0, 60.0],
        shapes=[disc],
    )
    return {"until": 1.0, "friction": 0.3, "planes": [FLOOR], "bodies": [spun]}


def block_on_feet(**more: Any) -> dict[str, Any]:
    foot = 0.01
    feet = [sphere(foot, x, y, -0.05 + foot) for x in (-0.1, 0.1) for y in (-0.1, 0.1)]
    inertia, at = box_inertia(2.0, 0.2, 0.2, 0.1), [0.0, 0.0, 0.05]
    slides = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    return body("block", 2.0, inertia, at, shapes=feet, slides=slides, **more)


def belt() -> dict[str, Any]:
    """Stick and slip: a plane moves at -0.4 m/s under a block on a spring. Nothing depends on time.

    The plane is a body that a constant force against a strong damper keeps at its speed.
    """
    speed, damping = -0.4, 1e6
    moving = [speed, 0.0, 0.0]
    carrier = body("belt", 1.0, ball_inertia(1.0, 0.1), [0.0, 0.0, 0.0], velocity=moving)
    carrier |= {"slides": [[1.0, 0, 0]], "damping": damping, "drive": {"force": damping * speed}}
    block = block_on_feet(velocity=moving, spring=50.0)
    floor = FLOOR | {"on": "belt"}
    return {"until": 5.0, "friction": 0.3, "planes": [floor], "bodies": [carrier, block]}


def ball() -> dict[str, Any]:
    """A ball with spin is thrown obliquely, lands, slides and rolls."""
    thrown = body(
        "ball",
        1.0,
        ball_inertia(1.0, 0.1),
        [0.0, 0.0, 0.4],
        velocity=[1.5, 0.5, 1.0],
        angular_velocity=[10.0, -30.0, 5.0],
        shapes=[sphere(0.1)],
    )
    return {"until": 2.0, "friction": 0.4, "planes": [FLOOR], "bodies": [thrown]}


SCENES = {f.__name__: f for f in (clutter, gripper, coin, belt, ball)}
