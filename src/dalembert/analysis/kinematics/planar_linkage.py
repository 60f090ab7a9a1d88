"""A planar linkage as bilinear equations, all of whose roots are found (analysis 6.4).

A body that moves in a plane takes its point P, a complex number, to z + e P with |e| = 1. With
w and f in the place of the conjugates of z and e, pins are linear equations in (z, e) and again in
(w, f), and lengths e f = 1, sliders and bars are bilinear in the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.kinematics.bilinear_roots import bilinear_roots
from dalembert.model.basics.frame import WORLD
from dalembert.model.joints.cylindrical import Cylindrical
from dalembert.model.joints.distance import Distance
from dalembert.model.joints.fixed import Fixed
from dalembert.model.joints.motion import Motion
from dalembert.model.joints.planar import Planar
from dalembert.model.joints.point_on_line import PointOnLine
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.revolute import Revolute
from dalembert.model.joints.spherical import Spherical
from dalembert.simulation.motion.trajectory import Trajectory

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

ALONG = 1e-7
"""Sine of an angle between directions that are parallel."""

RANK = 1e-9
"""Singular value, over the largest, of rows that depend on others."""

REAL = 1e-7
"""Distance of a root from its conjugate, over its size, of one that is real."""

LARGEST = 4
"""Half the number of equations; 4 are 70 paths."""


class Unproven(Exception):  # noqa: N818 - no error: a reason
    """Why all assemblies are not counted."""


@dataclass
class Counted:
    """Ends of the count.

    Attributes
    ----------
    moves : for each real root what bodies move by from the given place, (bodies, 6)
    paths, complex_roots, infinite : roots in all, those that are no places, those at infinity
    """

    moves: list[Array] = field(default_factory=list)
    paths: int = 1
    complex_roots: int = 0
    infinite: int = 0


def counted(model: Any, q: Array, held: Any) -> Counted:
    """All assemblies of a planar linkage that is closed at q; else `Unproven` with the reason."""
    linkage = _Linkage(model, q)
    for joint in model.joints.values():
        linkage.add(joint)
    for name in names_held(held):
        linkage.hold(name)
    linkage.check_connected()
    return linkage.solved()


class _Linkage:
    """Rows over (z of all bodies, e of all bodies, 1)."""

    def __init__(self, model: Any, q: Array) -> None:
        self.model, self.names = model, list(model.bodies)
        self.along = Trajectory(model, np.zeros(1), q[None], np.zeros((1, 6 * len(self.names))))
        self.n = len(self.names)
        self.normal = self._normal()
        across = np.linalg.svd(self.normal[None])[2][1:]
        if np.linalg.det(np.vstack([across, self.normal])) < 0:
            across = across[::-1]
        self.across = across
        self.centres = np.array([self._plane(c) for c in q.reshape(-1, 7)[:, :3]])
        self.size = max(1e-12, float(np.abs(self.centres - self.centres.mean()).max(initial=0.0)))
        self.linear: list[Complex] = []
        self.bilinear: list[tuple[list[tuple[complex, Complex, Complex]], complex]] = []
        self.kept: list[tuple[str, str]] = []

    def _normal(self) -> Array:
        for joint in self.model.joints.values():
            if isinstance(joint, Revolute):
                return np.asarray(self.along.place(joint.frames[0])[1][0][:, 2])
        raise Unproven("it has no hinge")

    def _plane(self, place: Array) -> complex:
        return complex(self.across[0] @ place, self.across[1] @ place)

    # -- rows ------------------------------------------------------------------------------------

    def _forms(self, body: str) -> tuple[Complex, Complex]:
        """z and e of a body."""
        z, e = np.zeros(2 * self.n + 1, dtype=complex), np.zeros(2 * self.n + 1, dtype=complex)
        if body == WORLD:
            e[-1] = 1.0
            return z, e
        k = self.names.index(body)
        z[k], e[self.n + k] = 1.0, 1.0
        return z, e

    def _ends(self, joint: Any) -> list[tuple[Complex, Complex, complex, Array]]:
        """For both frames: their place as a form, e of their body, their place, their axis."""
        made = []
        for frame in joint.frames:
            origin, axes = self.along.place(frame)
            z, e = self._forms(frame.body.name)
            point = self._plane(origin[0]) / self.size
            made.append((z + point * e, e, point, np.asarray(axes[0][:, 2])))
        return made

    def add(self, joint: Any) -> None:
        """Take note of a joint."""
        if isinstance(joint, Motion) and getattr(joint.target, "name", None) in self.model.joints:
            self.hold(joint.target.name)
            return
        known = (Revolute, Prismatic, Fixed, Planar, Cylindrical, Spherical, Distance, PointOnLine)
        if not isinstance(joint, known):
            raise Unproven(f"joint '{joint.name}' ({joint.kind}) is none of a planar linkage")
        a, b = self._ends(joint)
        sine = float(np.linalg.norm(np.cross(a[3], self.normal)))
        upright, flat = sine <= ALONG, abs(float(a[3] @ self.normal)) <= ALONG
        turning = isinstance(joint, Revolute | Cylindrical | Planar) and upright
        sliding = isinstance(joint, Prismatic | Cylindrical | PointOnLine) and flat
        if not (turning or sliding or isinstance(joint, Fixed | Spherical | Distance)):
            raise Unproven(f"the axis of joint '{joint.name}' ({joint.kind}) leaves the plane")
        if isinstance(joint, Fixed | Revolute | Prismatic | Planar):
            self.kept.append((joint.frames[0].body.name, joint.frames[1].body.name))
        if isinstance(joint, Planar):
            return
        if isinstance(joint, Fixed | Prismatic) or (isinstance(joint, Cylindrical) and sliding):
            self.linear.append(a[1] - b[1])
        if sliding:
            self._slides(a, b)
        elif isinstance(joint, Distance):
            way, own = b[0] - a[0], b[2] - a[2]
            self.bilinear.append(([(1.0, way, way.conj())], abs(own) ** 2))
        else:
            self.linear.append(b[0] - a[0])

    def _slides(self, a: Any, b: Any) -> None:
        """Im(conj(u e) D) is kept, u the direction of the slide in its body."""
        u = self._plane(a[3])
        way, own = b[0] - a[0], b[2] - a[2]
        e = a[1]
        terms = [(u.conjugate(), way, e.conj()), (-u, e, way.conj())]
        self.bilinear.append((terms, u.conjugate() * own - u * own.conjugate()))

    def hold(self, name: Any) -> None:
        """A joint coordinate that is held."""
        label = str(getattr(name, "name", name))
        joint = self.model.joints.get(label, self.model.joints.get(label.rpartition(".")[0]))
        if not isinstance(joint, Revolute | Prismatic):
            raise Unproven(f"'{label}' is held, which is no coordinate of a hinge or slide")
        a, b = self._ends(joint)
        self.linear += [a[1] - b[1], b[0] - a[0]]

    def check_connected(self) -> None:
        """Every body is kept in the plane by hinges and slides from the ground on."""
        reached, before = {WORLD}, 0
        while len(reached) > before:
            before = len(reached)
            for pair in self.kept:
                if reached & set(pair):
                    reached |= set(pair)
        for name in self.names:
            if name not in reached:
                raise Unproven(f"nothing keeps body '{name}' in the plane")

    # -- roots -----------------------------------------------------------------------------------

    def solved(self) -> Counted:
        """Follow all roots."""
        n = self.n
        given = np.concatenate([np.zeros(n), np.ones(n)]).astype(complex)
        rows = np.array(self.linear).reshape(-1, 2 * n + 1)
        free = _null_space(rows[:, :-1])
        k = free.shape[1]
        if k == 0:
            return Counted([np.zeros((n, 6))])
        T = np.zeros((2 * n + 1, k + 1), dtype=complex)
        T[:-1, :k], T[:-1, k], T[-1, k] = free, given, 1.0
        every = self._matrices(T)
        if len(every) < 2 * k:
            raise Unproven("its joints leave a freedom, or its position is singular")
        if k > LARGEST:
            raise Unproven(f"it has {2 * k} equations, and {2 * LARGEST} are followed")
        Q = every
        if len(every) > 2 * k:  # joints that others imply: combinations have all roots, and more
            random = np.random.default_rng(0)
            mix = random.standard_normal((2 * k, len(every), 2)) @ np.array([1.0, 1j])
            Q = np.tensordot(mix, every, 1)
        found = bilinear_roots(Q)
        if not found.complete:
            raise Unproven(
                f"{found.multiple} of {found.paths} paths end in multiple roots,"
                f" {found.lost} are lost: assemblies meet, or some can move"
            )
        made = Counted([], found.paths, 0, found.infinite)
        for s, t in found.finite:
            left = np.abs(np.einsum("i,nij,j->n", s, every, t)).max()
            size = float(np.linalg.norm(s) * np.linalg.norm(t))
            if left <= 1e-8 * size and np.linalg.norm(t - s.conj()) <= REAL * np.linalg.norm(s):
                made.moves.append(self._moves(T @ s))
            else:
                made.complex_roots += 1
        if not any(np.abs(u).max(initial=0.0) <= 1e-6 * max(1.0, self.size) for u in made.moves):
            raise Unproven("the place it was closed at is not among the roots")
        return made

    def _matrices(self, T: Complex) -> Complex:
        """Bilinear equations in the free unknowns, those that others imply left out."""
        k = T.shape[1] - 1
        turned = T.conj()
        turns = [self._forms(name)[1] for name in self.names]
        unit: list[Any] = [([(1.0, e, e)], 1.0 + 0j) for e in turns]
        rows = []
        for terms, value in [*unit, *self.bilinear]:
            Q = np.zeros((k + 1, k + 1), dtype=complex)
            Q[-1, -1] = -value
            for c, a, b in terms:
                Q += c * np.outer(T.T @ a, turned.T @ b)
            rows.append(Q.ravel())
        _, sizes, basis = np.linalg.svd(np.array(rows))
        rank = int((sizes > RANK * max(1.0, sizes[0])).sum())
        return np.asarray(basis[:rank].reshape(rank, k + 1, k + 1))

    def _moves(self, y: Complex) -> Array:
        """Ways and turns of the bodies, in space."""
        n = self.n
        z, e = y[:n] * self.size, y[n : 2 * n]
        u = np.zeros((n, 6))
        way = z + e * self.centres - self.centres
        u[:, :3] = np.outer(way.real, self.across[0]) + np.outer(way.imag, self.across[1])
        u[:, 3:] = np.outer(np.angle(e), self.normal)
        return u


def _null_space(rows: Complex) -> Complex:
    """Directions in which linear rows let everything be."""
    if not len(rows):
        return np.eye(rows.shape[1], dtype=complex)
    _, sizes, turned = np.linalg.svd(rows)
    rank = int((sizes > RANK * max(1.0, sizes.max(initial=0.0))).sum())
    return np.asarray(turned[rank:].conj().T)


def names_held(hold: Any) -> list[Any]:
    """Names of coordinates that are held."""
    if hold is None:
        return []
    if isinstance(hold, Mapping):
        return list(hold)
    return list(hold) if isinstance(hold, list | tuple | set) else [hold]
