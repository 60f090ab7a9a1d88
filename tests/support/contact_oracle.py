"""Contact laws evaluated directly from dense matrices: the judge of every contact solver.

Nothing here is shared with the package. A problem is written down as plain matrices,

    A (v - v*) = J^T lam,    u = J v + b,    K* contains  u + R lam + Gamma(u),    complementary
                                                                            (contact.md 2, 4)

and every residual is computed from those by the definition, with NumPy.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field, replace

import numpy as np

EQ, UNI, BOX, CONE, ROLL = "equality", "unilateral", "box", "cone", "roll"


@dataclass
class Block:
    """One block of rows: a kind and matrices on one or two cliques (-1: the world)."""

    kind: str
    a: int
    b: int
    Ja: np.ndarray
    Jb: np.ndarray
    bias: np.ndarray
    R: np.ndarray
    mu: tuple = (0.0, 0.0, 0.0)
    lo: np.ndarray | None = None
    hi: np.ndarray | None = None
    length: float = 1.0
    lam0: np.ndarray | None = None
    key: tuple = (0, 0)

    @property
    def dim(self):
        return len(self.bias)


@dataclass
class Problem:
    """Cliques (dense A each), the free velocity, blocks; not changed once it is made."""

    A: list
    v_free: np.ndarray
    blocks: list = field(default_factory=list)
    name: str = ""

    @functools.cached_property
    def first(self):
        return np.concatenate([[0], np.cumsum([len(a) for a in self.A])]).astype(int)

    @functools.cached_property
    def rows(self):
        return np.concatenate([[0], np.cumsum([b.dim for b in self.blocks])]).astype(int)

    def mass(self):
        return self._mass

    def jacobian(self):
        return self._jacobian

    def delassus(self):
        return self._delassus

    @functools.cached_property
    def _mass(self):
        n = self.first[-1]
        M = np.zeros((n, n))
        for a, at in zip(self.A, self.first[:-1], strict=True):
            M[at : at + len(a), at : at + len(a)] = a
        return M

    @functools.cached_property
    def _jacobian(self):
        J = np.zeros((self.rows[-1], self.first[-1]))
        for block, row in zip(self.blocks, self.rows[:-1], strict=True):
            for clique, part in ((block.a, block.Ja), (block.b, block.Jb)):
                if clique >= 0:
                    at = self.first[clique]
                    J[row : row + block.dim, at : at + part.shape[1]] += part
        return J

    def stacked(self, name):
        parts = [np.asarray(getattr(block, name), dtype=float) for block in self.blocks]
        return np.concatenate(parts) if parts else np.zeros(0)

    @functools.cached_property
    def _delassus(self):
        J = self.jacobian()
        return J @ np.linalg.solve(self.mass(), J.T)

    def q(self):
        """Constraint velocity without impulses."""
        return self.jacobian() @ self.v_free + self.stacked("bias")

    def velocity(self, lam):
        return self.v_free + np.linalg.solve(self.mass(), self.jacobian().T @ lam)

    def parts(self, x):
        return [x[i:j] for i, j in zip(self.rows[:-1], self.rows[1:], strict=True)]

    def weights(self):
        """w of every row: the mean diagonal of W in its block, angular rows of a ROLL apart."""
        diagonal = np.diag(self.delassus())
        out = []
        for block, part in zip(self.blocks, self.parts(diagonal), strict=True):
            split = 3 if block.kind == ROLL else block.dim
            # where nothing can move the scale is one, where nothing can turn that of moving
            w = part[:split].mean() if part[:split].mean() > 0.0 else 1.0
            turning = part[split:].mean() if len(part) > split else 0.0
            out.append(np.full(split, w))
            out.append(np.full(len(part) - split, turning if turning > 0.0 else w))
        return np.concatenate(out) if out else np.zeros(0)

    def but(self, **changes):
        return replace(self, **changes)


# -- sets -------------------------------------------------------------------------------------


def onto_cone(y, mu):
    """Nearest point of |y_t| <= mu y_n."""
    n, t = y[0], y[1:]
    s = np.linalg.norm(t)
    if mu * s <= -n:
        return np.zeros(len(y))
    if s <= mu * n:
        return y.copy()
    a = (n + mu * s) / (1 + mu * mu)
    return np.concatenate([[a], mu * a * t / s])


def onto_rolling_cone(y, mu, weights):
    """Nearest point of |y_g| <= mu_g y_n for sliding, spin and rolling, by bisection on y_n.

    weights: of the normal, and of each of the three groups.
    """
    groups = roll_groups(y)
    sizes = [np.linalg.norm(g) for g in groups]

    def slope(n):
        excess = [
            c * m * (s - m * n) for c, m, s in zip(weights[1:], mu, sizes, strict=True) if s > m * n
        ]
        return weights[0] * (n - y[0]) - sum(excess)

    high = max(y[0], 0.0)
    high += sum(c * m * s for c, m, s in zip(weights[1:], mu, sizes, strict=True)) / weights[0]
    low = 0.0
    if slope(0.0) >= 0:
        high = 0.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    n = (low + high) / 2
    out = [np.array([n])]
    for m, g, s in zip(mu, groups, sizes, strict=True):
        out.append(g if s <= m * n else g * (m * n / s))
    return np.concatenate(out)


def roll_groups(y):
    """Sliding (2), spin (1), rolling (2, or none) of a block n, t1, t2, spin, roll1, roll2."""
    return [y[1:3], y[3:4], y[4:]]


def polygon(edges):
    """Unit directions of the friction pyramid: the corners of its base."""
    angles = 2 * np.pi * np.arange(edges) / edges
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def onto_polygon(y, corners):
    """Nearest point of the convex hull of corners in the plane (in order, or all one point)."""
    best, distance = None, np.inf
    inside = True
    for p, q in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        edge = q - p
        size = edge @ edge
        if edge[0] * (y[1] - p[1]) - edge[1] * (y[0] - p[0]) < 0 or size == 0:
            inside = False
        s = np.clip((y - p) @ edge / size, 0, 1) if size > 0 else 0.0
        point = p + s * edge
        if np.sum((y - point) ** 2) < distance:
            best, distance = point, np.sum((y - point) ** 2)
    return y.copy() if inside else best


# -- residuals --------------------------------------------------------------------------------


def block_residuals(problem, v, lam, friction="cone"):
    """Natural map of every block in velocity units (contact.md 4).

    friction: "cone", "box", or a number of edges of the pyramid.
    """
    u = problem.parts(problem.jacobian() @ v + problem.stacked("bias"))
    weights = problem.parts(problem.weights())
    out = []
    for block, ui, x, w in zip(problem.blocks, u, problem.parts(lam), weights, strict=True):
        out.append(natural_map(block, ui + block.R * x, x, w, friction))
    return np.array(out)


def natural_map(block, s, x, w, friction):
    """|w (x - P(x - (s + Gamma)/w))|, angular rows times their length; s = u + R x."""
    if block.kind == EQ:
        return block.length * np.linalg.norm(s)
    if block.kind == UNI:
        return block.length * np.linalg.norm(w * (x - np.maximum(0, x - s / w)))
    if block.kind == BOX:
        return block.length * np.linalg.norm(w * (x - np.clip(x - s / w, block.lo, block.hi)))
    lengths = np.where(np.arange(len(x)) < 3, 1.0, block.length)
    if block.kind == CONE:
        lengths = lengths * block.length
    if friction == "cone":
        y = s.copy()
        groups = roll_groups(s)  # sliding, without what a spring stretches
        y[0] += sum(m * np.linalg.norm(g) for m, g in zip(block.mu, groups, strict=True))
        y = x - y / w
        if block.kind == CONE:
            nearest = onto_cone(y, block.mu[0])
        else:
            nearest = onto_rolling_cone(y, block.mu, (w[0], w[0], w[3], w[3]))
        return np.linalg.norm(lengths * w * (x - nearest))
    # A pyramid or a box: Signorini, and the impulse of most dissipation in a polygon.
    y = x - s / w
    nearest = [np.array([max(0.0, y[0])])]
    for m, g in zip(block.mu, roll_groups(y), strict=True):
        bound = m * max(x[0], 0.0)
        flat = friction == "box" or len(g) < 2
        corners = None if flat else bound * polygon(friction)
        nearest.append(np.clip(g, -bound, bound) if flat else onto_polygon(g, corners))
    return np.linalg.norm(lengths * w * (x - np.concatenate(nearest)))


def softened(problem, rigidity=1.0, slip=1e-3):
    """Compliances of the regularised convex problem: what is rigid yields a little."""
    diagonal, weights = np.diag(problem.delassus()), problem.weights()
    hard, soft = rigidity**2 / (4 * np.pi**2), slip
    out = []
    for block, d, w in zip(
        problem.blocks, problem.parts(diagonal), problem.parts(weights), strict=True
    ):
        if block.kind in (CONE, ROLL):
            R = np.where(np.arange(block.dim) == 0, hard, soft) * w
        else:
            R = (soft if block.kind == BOX else hard) * d
        out.append(np.where(block.R > 0, block.R, R))
    return out


def convex_residual(problem, v, lam, **options):
    """Largest |R (lam - law(-u))|, law(-u) minimising |lam + u / R|_R over K: no De Saxce term."""
    u = problem.parts(problem.jacobian() @ v + problem.stacked("bias"))
    worst = 0.0
    for block, R, ui, x in zip(
        problem.blocks, softened(problem, **options), u, problem.parts(lam), strict=True
    ):
        y, lengths = -ui / R, np.full(block.dim, block.length)
        if block.kind == EQ:
            nearest = y
        elif block.kind == UNI:
            nearest = np.maximum(y, 0)
        elif block.kind == BOX:
            nearest = np.clip(y, block.lo, block.hi)
        else:
            # A cone with weights is a rolling cone without rolling.
            full = np.zeros(6)
            full[: block.dim] = y
            weights = np.ones(6)
            weights[: block.dim] = R
            nearest = onto_rolling_cone(full, block.mu, weights[[0, 1, 3, 4]])[: block.dim]
            if block.kind == ROLL:
                lengths[:3] = 1.0
        worst = max(worst, np.linalg.norm(lengths * R * (x - nearest)))
    return float(worst)


def residual(problem, v, lam, friction="cone"):
    return float(np.max(block_residuals(problem, v, lam, friction), initial=0.0))


def momentum_error(problem, v, lam):
    """max |A (v - v*) - J^T lam| in units of velocity."""
    M = problem.mass()
    gap = M @ (v - problem.v_free) - problem.jacobian().T @ lam
    return float(np.max(np.abs(gap) / np.diag(M), initial=0.0))


def outside(problem, lam, friction="cone"):
    """How far the impulses are outside their sets, in N s."""
    worst = 0.0
    for block, x in zip(problem.blocks, problem.parts(lam), strict=True):
        if block.kind == UNI:
            worst = max(worst, -x.min())
        elif block.kind == BOX:
            worst = max(worst, (block.lo - x).max(), (x - block.hi).max())
        elif block.kind in (CONE, ROLL):
            for m, g in zip(block.mu, roll_groups(x), strict=True):
                worst = max(worst, -x[0], gauge(g, friction) - m * x[0])
    return float(worst)


def gauge(x, friction):
    """Size of a tangent impulse in the norm of which the set of friction is the unit ball."""
    if friction == "cone":
        return np.linalg.norm(x)
    if friction == "box" or len(x) < 2:
        return np.abs(x).max(initial=0.0)
    corners = polygon(friction)
    normals = corners + np.roll(corners, -1, axis=0)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    return (normals @ x).max() / np.cos(np.pi / friction)


def dissipated(problem, v, lam):
    """Largest error of maximum dissipation, J: |lam_t . u_t + mu lam_n |u_t||."""
    u = problem.parts(problem.jacobian() @ v + problem.stacked("bias"))
    worst = 0.0
    for block, ui, x in zip(problem.blocks, u, problem.parts(lam), strict=True):
        if block.kind == CONE:
            s = ui[1:] + block.R[1:] * x[1:]
            worst = max(worst, abs(x[1:] @ s + block.mu[0] * x[0] * np.linalg.norm(s)))
    return worst


# -- transformations under which the answer is known ------------------------------------------


def permuted(problem, order):
    """The same blocks in another order."""
    return problem.but(blocks=[problem.blocks[i] for i in order])


def scaled(problem, mass):
    """All masses and impulses `mass` times as large; velocities stay."""
    blocks = [
        replace(
            b,
            R=b.R / mass,
            lo=None if b.lo is None else b.lo * mass,
            hi=None if b.hi is None else b.hi * mass,
            lam0=None if b.lam0 is None else b.lam0 * mass,
        )
        for b in problem.blocks
    ]
    return problem.but(A=[mass * a for a in problem.A], blocks=blocks)
