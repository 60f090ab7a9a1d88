"""A kind of joint or force, compiled: the same straight-line code for all its instances.

The formulas of a joint are written over two frames A and B. Their symbols obey the rules of
`formulas.orientation`, so the exact derivatives are the ones of the textbooks (equations 5): for a
vector a fixed in A, a' = w x a. Only then are the symbols replaced by what is stored,

    r = R_WB r_data,   axes = R_WB axes_data

with R_WB from the record of the body and the data of the instance. A record holds centre of mass,
rotation, velocity, angular velocity (`layout.RECORD`); data hold, for each frame, the place of its
origin from the centre of mass and its axes, then the element's own numbers, then counted turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert._once import once_property
from dalembert._signature import Signature
from dalembert.formulas import Expression, jacobian, load, substitute, symbols, time_derivative
from dalembert.formulas.derivative import directional
from dalembert.formulas.expression import ONE, TIME, ZERO, coordinate
from dalembert.formulas.orientation import arm, rotation, turning
from dalembert.model.basics.element import FrameView, cross
from dalembert.system.straight import Straight

ROWING = Signature("rows", "t a b data phi phi_dot phi_t rhs_a ja jb", {})
SEEING = Signature("residual", "t a b data phi phi_dot", {})
WEIGHING = Signature("weigh", "ja jb g haa hab hbb", {})
IMAGING = Signature("image", "ja jb xa xb out", {})
PULLING = Signature("pull", "ja jb lam fa fb", {})
CORRECTING = Signature("correct", "ja jb xa xb g s lam fa fb", {})
ACTING = Signature("act", "t a b data fa fb", {})

FIRST, SECOND = "@a", "@b"
"""Names of the two bodies of a kind; no user can name a body so."""

FRAME_DATA = 12
"""Floats of one frame in a data record: origin from the centre of mass 3, axes 9 (by rows)."""


def view(name: str) -> FrameView:
    """Frame of the body called `name`, in the symbols whose derivatives are known."""
    p, r, w = position(name), arm(name), turning(name)
    v = np.array([x.dot for x in p], dtype=object)
    return FrameView(p + r, rotation(name), v + cross(w, r), w)


def position(name: str) -> Any:
    """Symbols of a centre of mass."""
    return np.array([coordinate(f"{name}.{x}") for x in "xyz"], dtype=object)


def velocities(name: str) -> list[Expression]:
    """The six velocity symbols of a body."""
    return [*(x.dot for x in position(name)), *turning(name)]


def _stored(name: str, record: str, first: int) -> dict[Expression, Expression]:
    """Symbols of a frame -> what is read from the record of its body and the data."""
    R = np.array([load(record, 3 + k) for k in range(9)], dtype=object).reshape(3, 3)
    data = np.array([load("data", first + k) for k in range(FRAME_DATA)], dtype=object)
    meaning: dict[Expression, Expression] = {}
    meaning |= zip(arm(name), R @ data[:3], strict=True)
    meaning |= zip(rotation(name).ravel(), (R @ data[3:].reshape(3, 3)).ravel(), strict=True)
    meaning |= {x: load(record, k) for k, x in enumerate(position(name))}
    meaning |= {x: load(record, 12 + k) for k, x in enumerate(velocities(name))}
    return meaning


@dataclass(frozen=True, eq=False)
class RowFormulas:
    """Rows of one level: residuals and their derivatives."""

    phi: list[Expression]
    phi_dot: list[Expression]
    phi_t: list[Expression]
    rhs_a: list[Expression]


def holonomic(phi: Sequence[Expression]) -> RowFormulas:
    """phi' and the right-hand side of J v' = rhs_a, J being the derivative of phi' by v."""
    phi_dot = time_derivative(list(phi))
    rhs = [-x for x in time_derivative(phi_dot)]
    return RowFormulas(list(phi), phi_dot, directional(list(phi), {TIME: ONE}), rhs)


def nonholonomic(psi: Sequence[Expression]) -> RowFormulas:
    """psi and the right-hand side of J v' = rhs_a for velocity residuals psi(q, v, t)."""
    rest = dict.fromkeys(symbols(psi, "velocity"), ZERO)
    rhs = [-x for x in time_derivative(list(psi))]
    return RowFormulas([], list(psi), substitute(list(psi), rest), rhs)


class Kind:
    """The common part of all instances of a joint with two frames.

    Attributes
    ----------
    count : number of rows
    rows, residual, image, pull : straight-line code
    made : other code for this kind, by what it is (`dual_blocks`)
    """

    def __init__(self, formulas: RowFormulas, parameters: Sequence[Expression], own: int) -> None:
        """`own`: how many floats of data come before the values of `parameters`."""
        self.count = len(formulas.phi_dot)
        self.made: dict[Any, Straight] = {}
        self.parameters = tuple(parameters)
        meaning = _stored(FIRST, "a", 0) | _stored(SECOND, "b", FRAME_DATA)
        meaning |= {p: load("data", own + k) for k, p in enumerate(parameters)}
        J = [jacobian(formulas.phi_dot, velocities(name)) for name in (FIRST, SECOND)]
        self._ja, self._jb = (substitute([x for row in block for x in row], meaning) for block in J)
        self._phi = substitute(formulas.phi, meaning)
        self._phi_dot = substitute(formulas.phi_dot, meaning)
        self._phi_t = substitute(formulas.phi_t, meaning)
        self._rhs = substitute(formulas.rhs_a, meaning)

    @once_property
    def rows(self) -> Straight:
        """Residuals, right-hand sides and J."""
        stores = [
            *_stores("phi", self._phi),
            *_stores("phi_dot", self._phi_dot),
            *_stores("phi_t", self._phi_t),
            *_stores("rhs_a", self._rhs),
            # entries that never change are written once, by `constants`
            *(s for s in _stores("ja", self._ja) if s[2].op != "constant"),
            *(s for s in _stores("jb", self._jb) if s[2].op != "constant"),
        ]
        return Straight(ROWING, stores)

    @once_property
    def constants(self) -> tuple[np.ndarray, np.ndarray]:
        """The entries of J that are numbers, 0 elsewhere; for the two bodies."""
        blocks = (
            np.array([x.value if x.op == "constant" else 0.0 for x in block])
            for block in (self._ja, self._jb)
        )
        return tuple(blocks)  # type: ignore[return-value]

    @once_property
    def residual(self) -> Straight:
        """Residuals only."""
        return Straight(SEEING, [*_stores("phi", self._phi), *_stores("phi_dot", self._phi_dot)])

    def _matrix(self, argument: str) -> Any:
        """J with its numbers in place, everything else read."""
        block = self._ja if argument == "ja" else self._jb
        entries = np.empty(len(block), dtype=object)
        entries[:] = [x if x.op == "constant" else load(argument, k) for k, x in enumerate(block)]
        return entries.reshape(self.count, 6)

    def side(self, side: int, argument: str) -> Any:
        """J of the first or second body, its numbers in place, the rest read from `argument`."""
        block = self._jb if side else self._ja
        entries = np.empty(len(block), dtype=object)
        entries[:] = [
            x.value if x.op == "constant" else load(argument, k) for k, x in enumerate(block)
        ]
        return entries.reshape(self.count, 6)

    @once_property
    def image(self) -> Straight:
        """out = J_a x_a + J_b x_b."""
        ja, jb = self._matrix("ja"), self._matrix("jb")
        xa, xb = _vector("xa", 6), _vector("xb", 6)
        return Straight(IMAGING, _stores("out", list(ja @ xa + jb @ xb)))

    @once_property
    def pull(self) -> Straight:
        """f_a += J_a^T lam, f_b += J_b^T lam."""
        lam = _vector("lam", self.count)
        stores = []
        for argument, target in (("ja", "fa"), ("jb", "fb")):
            stores += _stores(target, list(_vector(target, 6) + self._matrix(argument).T @ lam))
        return Straight(PULLING, [s for s in stores if s[2].args])

    @once_property
    def correct(self) -> Straight:
        """s -= J x, w = G s, lam += w, f += J^T w: a step of refinement (`mechanics.proximal`)."""
        ja, jb = self._matrix("ja"), self._matrix("jb")
        s = _vector("s", self.count) - (ja @ _vector("xa", 6) + jb @ _vector("xb", 6))
        w = _vector("g", self.count) * s
        stores = _stores("s", list(s)) + _stores("lam", list(_vector("lam", self.count) + w))
        for block, target in ((ja, "fa"), (jb, "fb")):
            stores += _stores(target, list(_vector(target, 6) + block.T @ w))
        return Straight(CORRECTING, [x for x in stores if x[2].args])

    def weigh(self, a: bool, b: bool, a_is_row: bool, begins: bool) -> Straight:
        """H += J^T G J in the blocks of those bodies that move; `begins`: H_ab = instead.

        The block of two bodies stands transposed: column body first.
        """
        key = (a, b, a_is_row, begins) if a and b else (a, b)
        if ("weigh", *key) not in self.made:
            ja, jb = self._matrix("ja"), self._matrix("jb")
            g = _vector("g", self.count)[:, None]
            stores = []
            for moves, target, block in ((a, "haa", ja), (b, "hbb", jb)):
                if moves:
                    stores += _lower(target, block.T @ (g * block))
            if a and b:
                product = jb.T @ (g * ja) if a_is_row else ja.T @ (g * jb)
                if not begins:
                    product = _vector("hab", 36).reshape(6, 6) + product
                stores += _stores("hab", list(product.ravel()))
            self.made.setdefault(("weigh", *key), Straight(WEIGHING, stores))  # the first stays
        return self.made["weigh", *key]


class ActionKind:
    """The common part of all instances of a force with up to two frames."""

    def __init__(
        self,
        loads: Sequence[tuple[Any, Any]],
        parameters: Sequence[Expression],
        own: int,
    ) -> None:
        self.parameters = tuple(parameters)
        meaning = _stored(FIRST, "a", 0) | _stored(SECOND, "b", FRAME_DATA)
        meaning |= {p: load("data", own + k) for k, p in enumerate(parameters)}
        stores = []
        for name, target, (force, torque) in zip(
            (FIRST, SECOND), ("fa", "fb"), loads, strict=False
        ):
            about_center = np.asarray(torque) + cross(arm(name), force)
            total = substitute([_formula(x) for x in (*force, *about_center)], meaning)
            stores += [
                (target, k, load(target, k) + x) for k, x in enumerate(total) if x is not ZERO
            ]
        self.act = Straight(ACTING, stores)


def _formula(x: Any) -> Expression:
    from dalembert.formulas import constant

    return x if isinstance(x, Expression) else constant(float(x))


def _vector(argument: str, length: int) -> Any:
    array = np.empty(length, dtype=object)
    array[:] = [load(argument, k) for k in range(length)]
    return array


def _stores(argument: str, formulas: Sequence[Any]) -> list[tuple[str, int, Expression]]:
    return [(argument, k, _formula(x)) for k, x in enumerate(formulas)]


def _lower(argument: str, block: Any) -> list[tuple[str, int, Expression]]:
    """Stores that add the lower triangle of a 6 x 6 matrix."""
    entries = [(6 * r + c, _formula(block[r, c])) for r in range(6) for c in range(r + 1)]
    return [(argument, k, load(argument, k) + x) for k, x in entries if x is not ZERO]
