"""A scene of contact as plain data, and the judge of whoever simulates it.

The description is the JSON that `benchmarks/describing.py` writes: behind a body what it
carries, each with its parent. Places are those of the start, when all joint angles are zero.

The same numbers are taken of everybody:

- creep: the farthest that a centre moves along an axis, in a scene that should stand still  [m];
- penetration: the deepest, as the program's own collision detection sees it  [m];
- energy, kinetic, potential and of the servos' springs: in a scene that should stand still its
  largest change, in others its largest rise above an earlier value  [J];
- residual: of the rigid laws, for the impulses of a step and the velocities after it  [m/s],

    r = w |lam - P(lam - (u + Gamma(u)) / w)|,  Gamma = (mu |u_t|, 0, 0),  u_n + max(gap, 0) / h

with the cone's projection P; w is the mean diagonal of J A^-1 J^T with the masses of the two bodies
alone, which scales a residual and does not decide whether it is zero. Only numpy is needed here.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

EVERY = 20  # steps between two looks at laws and creep
ENOUGH, LIMIT = 4.0, 6.0  # CPU time after which repeats end, and after which a run ends  [s]


def load(file: str) -> dict[str, Any]:
    """The description."""
    return json.loads(Path(file).read_text())  # type: ignore[no-any-return]


def matrix(q: Any) -> np.ndarray:
    """Rotation matrix of (w, x, y, z)."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def matrices(q: np.ndarray) -> np.ndarray:
    """Rotation matrices of rows (w, x, y, z)."""
    return np.moveaxis(matrix(q.T), -1, 0)


def quaternion(R: np.ndarray) -> np.ndarray:
    """(w, x, y, z) of a rotation matrix."""
    w = math.sqrt(max(0.0, 1.0 + float(np.trace(R)))) / 2.0
    if w > 1e-6:
        v = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4.0 * w)
        return np.array([w, *v])
    k = int(np.argmax(np.diagonal(R)))
    v = R[:, k] + np.eye(3)[k]
    return np.array([0.0, *(v / np.linalg.norm(v))])


def least_time(
    scene: dict[str, Any], start: Callable[[], Callable[[int], None]], repeats: int
) -> float:
    """Least CPU time of a step  [s]; `start()` makes a fresh run, which takes numbers of steps."""
    steps, settling = steps_of(scene)
    best, begun = math.inf, time.process_time()
    for _ in range(repeats):
        advance, done = start(), 0
        began = time.process_time()
        while done < settling:
            if time.process_time() - began > 3.0 * LIMIT:
                raise RuntimeError(f"does not settle in {3.0 * LIMIT:g} s of CPU time")
            advance(1)
            done += 1
        began, some = time.process_time(), 1
        while done < steps and time.process_time() - began < LIMIT:
            some = min(2 * some, EVERY, steps - done)  # a step of some peers takes seconds
            advance(some)
            done += some
        best = min(best, (time.process_time() - began) / (done - settling))
        if time.process_time() - begun > ENOUGH:
            break
    return best


def measure(
    scene: dict[str, Any],
    who: str,
    setting: str,
    repeats: int,
    start: Callable[[], Callable[[int], None]],
    look: Callable[[Judge, int], None],
) -> dict[str, Any]:
    """A row: `start` as above, `look(judge, k)` makes step k of a run and tells the judge."""
    judge = Judge(scene)
    seconds, steps, began = math.nan, steps_of(scene)[0], time.process_time()
    try:
        seconds = least_time(scene, start, repeats)
        for k in range(steps):
            look(judge, k)
            if time.process_time() - began > ENOUGH + 3.0 * LIMIT:
                setting += f" (until {(k + 1) * scene['step']:.2g} s)"
                break
    except (RuntimeError, ArithmeticError) as error:
        setting += f" ({type(error).__name__}: {str(error)[:40]})"
    return judge.row(who, setting, seconds)


def steps_of(scene: dict[str, Any]) -> tuple[int, int]:
    """All steps, and those before the clock starts."""
    return round(scene["until"] / scene["step"]), round(scene["settling"] / scene["step"])


class Judge:
    """Takes states and contacts of a run, and says a row of the table."""

    def __init__(self, scene: dict[str, Any]) -> None:
        bodies = scene["bodies"]
        self.scene = scene
        self.mass = np.array([b["mass"] for b in bodies])
        self.inertia = np.array([b["inertia"] for b in bodies])
        self.gravity = np.array(scene["gravity"])
        self.stiffness = np.array([b["servo"][0] if b["servo"] else 0.0 for b in bodies])
        self.energies: list[float] = []
        self.residuals: list[float] = []
        self.first: np.ndarray | None = None
        self.creep = self.penetration = 0.0
        self.most = 0
        self.finite = True

    def state(
        self,
        centres: np.ndarray,
        rotations: np.ndarray,
        v: np.ndarray,
        w: np.ndarray,
        angles: np.ndarray | None = None,
    ) -> None:
        """Of all bodies: centres of mass, axes, velocities in world axes; joint angles."""
        if self.first is None:
            self.first = centres.copy()
            for body, at in zip(self.scene["bodies"], centres, strict=True):
                said = np.array(body["position"]) + matrix(body["quaternion"]) @ body["center"]
                if np.abs(at - said).max() > 1e-6:
                    raise ValueError(f"{body['name']} starts at {at}, not at {said}")
        if not (np.isfinite(centres).all() and np.isfinite(v).all()):
            self.finite = False
            return
        self.creep = max(self.creep, float(np.abs(centres - self.first).max()))
        own = np.einsum("bji,bj->bi", rotations, w)
        kinetic = 0.5 * self.mass @ (v * v).sum(1)
        kinetic += 0.5 * np.einsum("bi,bij,bj->", own, self.inertia, own)
        potential = -self.mass @ ((centres - self.first) @ self.gravity)
        if angles is not None:
            potential += 0.5 * self.stiffness @ angles**2
        self.energies.append(float(kinetic + potential))

    def count(self, contacts: int, deepest: float) -> None:
        """Number of contacts, and the smallest gap, of a step."""
        self.most = max(self.most, contacts)
        self.penetration = max(self.penetration, -deepest)

    def laws(
        self,
        a: np.ndarray,
        b: np.ndarray,
        state: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
        points: np.ndarray,
        normals: np.ndarray,
        gaps: np.ndarray,
        forces: np.ndarray,
    ) -> None:
        """Contacts of a step: bodies (-1: world), normal from a to b, force on b.

        `state` are the centres, axes and velocities of the bodies.
        """
        if not len(a):
            self.residuals.append(0.0)
            return
        h, mu = self.scene["step"], self.scene["friction"]
        centres, rotations, velocities, spins = state
        w, u = np.zeros(len(a)), np.zeros((len(a), 3))
        inverse = np.linalg.inv(self.inertia)
        for side, sign in ((a, -1.0), (b, 1.0)):
            held = side >= 0
            k = side[held]
            arm = points[held] - centres[k]
            u[held] += sign * (velocities[k] + np.cross(spins[k], arm))
            spin = np.einsum("bij,bjk,blk->bil", rotations[k], inverse[k], rotations[k])
            # trace of -[r] I^-1 [r] = |r|^2 tr(I^-1) - r I^-1 r
            turned = (arm * arm).sum(1) * np.trace(spin, axis1=1, axis2=2)
            turned -= np.einsum("bi,bij,bj->b", arm, spin, arm)
            w[held] += 1.0 / self.mass[k] + turned / 3.0
        un, lam = (u * normals).sum(1), h * forces
        ut = u - un[:, None] * normals
        un = un + np.maximum(gaps, 0.0) / h + mu * np.linalg.norm(ut, axis=1)
        ln = (lam * normals).sum(1)
        lt = lam - ln[:, None] * normals
        yn, yt = ln - un / w, lt - ut / w[:, None]
        s = np.linalg.norm(yt, axis=1)
        pn = (yn + mu * s) / (1.0 + mu * mu)
        inside, off = s <= mu * yn, mu * s <= -yn
        pn = np.where(off, 0.0, np.where(inside, yn, pn))
        scale = np.where(inside, 1.0, mu * pn / np.maximum(s, 1e-300))
        pt = np.where(off, 0.0, scale)[:, None] * yt
        r = w * np.sqrt((ln - pn) ** 2 + ((lt - pt) ** 2).sum(1))
        self.residuals.append(float(r.max()))

    def energy(self) -> float:
        """See the table above."""
        e = np.array(self.energies)
        if not len(e):
            return math.nan
        if self.scene["still"]:
            return float(np.abs(e - e[0]).max())
        return float((e - np.minimum.accumulate(e)).max())

    def row(self, who: str, setting: str, seconds: float) -> dict[str, Any]:
        """Of the table."""
        if not self.finite:
            return {"who": who, "setting": setting + ": not finite", "us/step": 1e6 * seconds}
        return {
            "who": who,
            "setting": setting,
            "us/step": 1e6 * seconds,
            "contacts": self.most,
            "creep": self.creep if self.scene["still"] else None,
            "penetration": self.penetration,
            "energy": self.energy(),
            "residual p95": float(np.percentile(self.residuals, 95)) if self.residuals else None,
            "worst": max(self.residuals) if self.residuals else None,
        }
