"""Contact laws evaluated directly from dense matrices: the judge of every contact solver.

Nothing here is shared with the package. A problem is written down as plain matrices,

    A (v - v*) = J^T lam,    u = J v + b,    K* contains  u + R lam + Gamma(u),    complementary
                                                                            (contact.md 2, 4)

and every residual is computed from those by the definition, with NumPy.
"""

from __future__ import annotations

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
    """Cliques (dense A each), the free velocity, blocks."""

    A: list
    v_free: np.ndarray
    blocks: list = field(default_factory=list)
    name: str = ""

    @property
    def first(self):
        return np.concatenate([[0], np.cumsum([len(a) for a in self.A])]).astype(int)

    @property
    def rows(self):
        return np.concatenate([[0], np.cumsum([b.dim for b in self.blocks])]).astype(int)

    def mass(self):
        n = self.first[-1]
        M = np.zeros((n, n))
        for a, at in zip(self.A, self.first[:-1], strict=True):
            M[at : at + len(a), at : at + len(a)] = a
        return M

    def jacobian(self):
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

    def delassus(self):
        J = self.jacobian()
        return J @ np.linalg.solve(self.mass(), J.T)

    def q(self):
        """Constraint velocity without impulses."""
        return self.jacobian() @ self.v_free + self.stacked("bias")

    def velocity(self, lam):
        return self.v_free + np.linalg.solve(self.mass(), self.jacobian().T @ lam)

    def parts(self, x):
        return [x[i:j] for i, j in zip(self.rows[:-1], self.rows[1:], strict=True)]

    def scales(self):
        """w: mean diagonal of W in each block."""
        diagonal = np.diag(self.delassus())
        return np.array([part.mean() for part in self.parts(diagonal)])

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


def onto_rolling_cone(y, mu):
    """Nearest point of |y_g| <= mu_g y_n for tangent, rolling and torsion, by bisection on y_n."""
    groups = roll_groups(y)

    def slope(n):
        excess = [(m, np.linalg.norm(g) - m * n) for m, g in zip(mu, groups, strict=True)]
        return n - y[0] - sum(m * e for m, e in excess if e > 0)

    low, high = (
        0.0,
        max(y[0], 0.0) + sum(m * np.linalg.norm(g) for m, g in zip(mu, groups, strict=True)),
    )
    if slope(0.0) >= 0:
        n = 0.0
    else:
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if slope(middle) < 0 else (low, middle)
        n = (low + high) / 2
    out = [np.array([n])]
    for m, g in zip(mu, groups, strict=True):
        s = np.linalg.norm(g)
        out.append(g if s <= m * n else g * (m * n / s))
    return roll_join(out)


def roll_groups(y):
    """Tangent (2), rolling (2), torsion (1) of a block (n, t1, t2, torsion, roll1, roll2)."""
    return [y[1:3], y[4:6], y[3:4]]


def roll_join(parts):
    n, t, roll, torsion = parts
    return np.concatenate([n, t, torsion, roll])


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
    scales = problem.scales()
    out = []
    for block, ui, x, w in zip(problem.blocks, u, problem.parts(lam), scales, strict=True):
        out.append(block.length * natural_map(block, ui + block.R * x, ui, x, w, friction))
    return np.array(out)


def natural_map(block, s, u, x, w, friction):
    """w |x - P(x - (s + Gamma)/w)|; s = u + R x."""
    if block.kind == EQ:
        return np.linalg.norm(s)
    if block.kind == UNI:
        return w * np.linalg.norm(x - np.maximum(0, x - s / w))
    if block.kind == BOX:
        return w * np.linalg.norm(x - np.clip(x - s / w, block.lo, block.hi))
    if block.kind == CONE and friction == "cone":
        gamma = np.zeros(len(x))
        gamma[0] = block.mu[0] * np.linalg.norm(u[1:])
        return w * np.linalg.norm(x - onto_cone(x - (s + gamma) / w, block.mu[0]))
    if block.kind == ROLL and friction == "cone":
        gamma = np.zeros(len(x))
        gamma[0] = sum(m * np.linalg.norm(g) for m, g in zip(block.mu, roll_groups(u), strict=True))
        return w * np.linalg.norm(x - onto_rolling_cone(x - (s + gamma) / w, block.mu))
    # A pyramid or a box: Signorini, and the tangent impulse of most dissipation in a polygon.
    normal = x[0] - max(0.0, x[0] - s[0] / w)
    bound = block.mu[0] * max(x[0], 0.0)
    y = x[1:] - s[1:] / w
    if friction == "box":
        nearest = np.clip(y, -bound, bound)
    else:
        nearest = onto_polygon(y, bound * polygon(friction))
    return w * np.linalg.norm(np.concatenate([[normal], x[1:] - nearest]))


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
        elif block.kind == CONE:
            if friction == "cone":
                size = np.linalg.norm(x[1:])
            elif friction == "box":
                size = np.abs(x[1:]).max()
            else:
                # Minkowski gauge of the polygon.
                corners = polygon(friction)
                normals = corners + np.roll(corners, -1, axis=0)
                normals /= np.linalg.norm(normals, axis=1)[:, None]
                size = (normals @ x[1:]).max() / np.cos(np.pi / friction)
            worst = max(worst, -x[0], size - block.mu[0] * x[0])
        elif block.kind == ROLL:
            for m, g in zip(block.mu, roll_groups(x), strict=True):
                worst = max(worst, -x[0], np.linalg.norm(g) - m * x[0])
    return float(worst)


def dissipated(problem, v, lam):
    """Largest error of maximum dissipation, J: |lam_t . u_t + mu lam_n |u_t||."""
    u = problem.parts(problem.jacobian() @ v + problem.stacked("bias"))
    worst = 0.0
    for block, ui, x in zip(problem.blocks, u, problem.parts(lam), strict=True):
        if block.kind == CONE:
            worst = max(worst, abs(x[1:] @ ui[1:] + block.mu[0] * x[0] * np.linalg.norm(ui[1:])))
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
