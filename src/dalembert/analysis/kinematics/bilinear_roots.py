"""All roots of bilinear equations, by continuation (analysis 6.4).

    s^T Q_i t = 0,   i = 1 .. 2 k,   s = (s_1 .. s_k, 1),   t = (t_1 .. t_k, 1)

have C(2k, k) roots in complex numbers, those at infinity and multiple ones counted. Products of
linear factors have as many, which are known. On the way from the products to the equations, with a
random complex factor in between, roots neither meet nor end: whoever follows all of them finds all.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Complex = NDArray[np.complex128]

CLOSE, CORRECTED = 1e-9, 1e-13
"""Newton's last change along a path, and at its end."""

SHORTEST = 1e-9
"""Part of a path below which steps are no longer halved: its end is a multiple root."""

REGULAR = 1e-9
"""Least singular value, over the largest, of the equations at a root that is single."""

FAR, FAR_MULTIPLE = 1e-8, 1e-2
"""The last entry of s or t, over its length, of roots at infinity; of multiple ones."""

SAME = 1e-6
"""Distance of roots that are the same."""


@dataclass(frozen=True)
class Roots:
    """Ends of all paths.

    Attributes
    ----------
    finite : list of (s, t), single roots
    infinite, multiple, lost : how many paths ended at infinity, in multiple roots, or not at all
    paths : how many there are
    """

    finite: list[tuple[Complex, Complex]]
    infinite: int
    multiple: int
    lost: int
    paths: int

    @property
    def complete(self) -> bool:
        """Whether every path ended in a root of its own, or at infinity."""
        return self.multiple == 0 and self.lost == 0


def bilinear_roots(Q: NDArray[np.complex128], tries: int = 3) -> Roots:
    """All roots; Q has the 2k matrices, (k + 1) x (k + 1), of the equations."""
    found = None
    for seed in range(tries):
        found = _Paths(Q, np.random.default_rng(seed)).ends()
        if found.complete:
            return found
    assert found is not None
    return found


class _Paths:
    """Paths from one product of linear factors to the equations."""

    def __init__(self, Q: Complex, random: np.random.Generator) -> None:
        self.k = Q.shape[1] - 1
        self.Q = Q / np.linalg.norm(Q, axis=(1, 2))[:, None, None]
        n, m = 2 * self.k, self.k + 1

        def some(*shape: int) -> Complex:
            made = np.exp(2j * np.pi * random.random(shape)) * random.uniform(0.5, 1.5, shape)
            return np.asarray(made / np.sqrt(m))

        self.a, self.b = some(n, m), some(n, m)
        self.patches = some(2, m)
        self.gamma = np.exp(2j * np.pi * random.random())

    def ends(self) -> Roots:
        """Follow all of them."""
        finite: list[Complex] = []
        infinite = multiple = lost = paths = 0
        for chosen in itertools.combinations(range(2 * self.k), self.k):
            paths += 1
            x, kind = self._follow(self._start(chosen))
            if kind == "infinite":
                infinite += 1
            elif kind != "finite":
                multiple += kind == "multiple"
                lost += kind == "lost"
            elif any(self._same(x, other) for other in finite):
                lost += 1  # two paths in one single root: one has jumped
            else:
                finite.append(x)
        m = self.k + 1
        pairs = [(x[:m] / x[m - 1], x[m:] / x[-1]) for x in finite]
        return Roots(pairs, infinite, multiple, lost, paths)

    def _start(self, chosen: tuple[int, ...]) -> Complex:
        """The root of the product whose factors in s vanish in the chosen equations."""
        others = [i for i in range(2 * self.k) if i not in chosen]
        made = []
        for factors, patch in (
            (self.a[list(chosen)], self.patches[0]),
            (self.b[others], self.patches[1]),
        ):
            made.append(np.linalg.solve(np.vstack([factors, patch]), np.eye(self.k + 1)[-1]))
        return np.concatenate(made)

    def _look(self, x: Complex, part: float) -> tuple[Complex, Complex, Complex]:
        """Equations, their derivatives by x, and by the part of the way."""
        m = self.k + 1
        s, t = x[:m], x[m:]
        of_s, of_t = self.Q @ t, s @ self.Q
        As, Bt = self.a @ s, self.b @ t
        g = (1.0 - part) * self.gamma
        own = of_s @ s
        first = self.gamma * As * Bt
        ends = [self.patches[0] @ s - 1.0, self.patches[1] @ t - 1.0]
        r = np.concatenate([(1.0 - part) * first + part * own, ends])
        J = np.zeros((2 * m, 2 * m), dtype=complex)
        J[:-2, :m] = g * self.a * Bt[:, None] + part * of_s
        J[:-2, m:] = g * self.b * As[:, None] + part * of_t
        J[-2, :m], J[-1, m:] = self.patches
        along = np.concatenate([own - first, [0.0, 0.0]])
        return r, J, along

    def _slope(self, x: Complex, part: float) -> Complex:
        _, J, along = self._look(x, part)
        return np.asarray(np.linalg.solve(J, -along))

    def _corrected(self, x: Complex, part: float, close: float, most: int) -> Complex | None:
        for _ in range(most):
            r, J, _ = self._look(x, part)
            change = np.linalg.solve(J, r)
            x = x - change
            if np.linalg.norm(change) <= close * np.linalg.norm(x):
                return x
        return None

    def _follow(self, x: Complex) -> tuple[Complex, str]:
        """The end of a path, and what it is."""
        part, h, good = 0.0, 0.05, 0
        while part < 1.0:
            h = min(h, 1.0 - part)
            try:
                made = self._corrected(self._predicted(x, part, h), part + h, CLOSE, 3)
            except np.linalg.LinAlgError:
                made = None
            if made is None:
                h, good = 0.5 * h, 0
                if h < SHORTEST:
                    return x, self._ended_early(x, part)
                continue
            x, part, good = made, part + h, good + 1
            if good >= 3:
                h, good = 2.0 * h, 0
        return self._ended(x)

    def _predicted(self, x: Complex, part: float, h: float) -> Complex:
        """A step of Runge and Kutta's method along the path."""
        k1 = self._slope(x, part)
        k2 = self._slope(x + 0.5 * h * k1, part + 0.5 * h)
        k3 = self._slope(x + 0.5 * h * k2, part + 0.5 * h)
        k4 = self._slope(x + h * k3, part + h)
        return x + (h / 6.0) * (k1 + 2.0 * k2 + 2.0 * k3 + k4)

    def _ended(self, x: Complex) -> tuple[Complex, str]:
        made = self._corrected(x, 1.0, CORRECTED, 6)
        x = x if made is None else made
        sizes = np.linalg.svd(self._look(x, 1.0)[1], compute_uv=False)
        single = sizes[-1] > REGULAR * sizes[0]
        if self._far(x) <= (FAR if single else FAR_MULTIPLE):
            return x, "infinite"
        return x, "finite" if single else "multiple"

    def _ended_early(self, x: Complex, part: float) -> str:
        if part < 1.0 - 1e-4:
            return "lost"
        return "infinite" if self._far(x) <= FAR_MULTIPLE else "multiple"

    def _far(self, x: Complex) -> float:
        """How small the last entry of s or of t is."""
        m = self.k + 1
        shares = [abs(y[-1]) / np.linalg.norm(y) for y in (x[:m], x[m:])]
        return float(min(shares))

    def _same(self, x: Complex, y: Complex) -> bool:
        return float(np.linalg.norm(x - y)) <= SAME * float(np.linalg.norm(x))
