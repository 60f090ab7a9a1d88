"""Internal dynamics: states that prescribed outputs leave open (servo 4)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_bvp, solve_ivp
from scipy.linalg import qr

from dalembert.errors import OptionError, SimulationError
from dalembert.inverse.array import SMALL, Openness, solve
from dalembert.inverse.jets import Jets

Array = NDArray[np.float64]

ACCURACY = 1e-12
"""Relative error of the integration."""

UNSTABLE = 1e-6
"""Growth over the largest eigenvalue that counts as one."""

TIMES = 14.0
"""Time constants of the slowest decay that a bounded motion is followed for beyond the path."""


class Internal:
    """States that outputs leave open, their rates, and their linearisation at rest.

    Attributes
    ----------
    places : of (q, q'), the states that are integrated
    first : their values at the start
    eigenvalues : at rest behind the path; None where it does not come to rest
    """

    def __init__(self, jets: Jets, t: float, z: Array, left: Openness, end: float) -> None:
        self.jets, self.t, self.end = jets, t, end
        size = np.maximum(np.abs(z[: 2 * jets.n]), 1.0)
        _, _, order = qr((left.basis / size[:, None]).T, pivoting=True)
        self.places = np.sort(order[: left.free])
        self.first, self.z = z[self.places].copy(), z
        self.rest = self._at_rest(end, z)
        self.eigenvalues: Any = None
        if self.rest is not None:
            self.eigenvalues = np.asarray(np.linalg.eigvals(self.matrix(end, self.rest)))

    def rates(self, t: float, states: Array, guess: Array) -> tuple[Array, Array]:
        """Rates of the states, and all unknowns there."""
        z = solve(self.jets, t, guess, states, self.places)
        return z[self.places + self.jets.n], z

    def _at_rest(self, t: float, z: Array) -> Array | None:
        """The equilibrium with the outputs as they are at a moment, if they rest there."""
        jets = self.jets
        moving = np.ones(jets.size, dtype=bool)
        for part in (jets.q(0), jets.u(0), jets.multipliers(0)):
            moving[part] = False
        still = z.copy()
        still[moving] = 0.0
        places = np.flatnonzero(moving).astype(np.int64)
        try:
            return solve(jets, t + 1e-9 * max(1.0, abs(t)), still, np.zeros(len(places)), places)
        except SimulationError:
            return None

    def matrix(self, t: float, z: Array) -> Array:
        """Derivatives of the rates by the states (servo (5))."""
        return self._slopes(t + 1e-9 * max(1.0, abs(t)), z)

    def _slopes(self, t: float, z: Array) -> Array:
        jets = self.jets
        _, slopes = jets.at(t, z)
        rows = np.linalg.norm(slopes, axis=1)
        rows[rows == 0.0] = 1.0
        _, s, V = np.linalg.svd(slopes / rows[:, None])
        null = V[int(np.sum(s > SMALL * s[0])) :].T
        return np.asarray(null[self.places + jets.n] @ np.linalg.pinv(null[self.places]))

    def refuse_unstable(self) -> None:
        """Refuse internal dynamics that grow."""
        found = self.eigenvalues
        if found is None or not np.any(found.real > UNSTABLE * np.max(np.abs(found))):
            return
        shown = ", ".join(f"{x:.6g}" for x in found)
        raise SimulationError(
            "servo: the internal dynamics are unstable (non-minimum phase): at rest their"
            f" eigenvalues are {shown}. Integrated forward they would run away. Prescribe another"
            " output, or ask for the motion that stays bounded: bounded=True."
        )


def integrate(internal: Internal, times: Array) -> Array:
    """All unknowns at the moments, the internal states integrated forward."""
    internal.refuse_unstable()
    last = {"z": internal.z}

    def rates(t: float, states: Array) -> Array:
        found, last["z"] = internal.rates(t, states, last["z"])
        return found

    done = solve_ivp(
        rates,
        (internal.t, float(times[-1])),
        internal.first,
        method="DOP853",
        t_eval=times,
        rtol=ACCURACY,
        atol=ACCURACY,
        max_step=(float(times[-1]) - internal.t) / 50,
    )
    if not done.success:
        raise SimulationError(f"servo: the internal dynamics could not be followed: {done.message}")
    made = np.zeros((len(times), internal.jets.size))
    z = internal.z
    for k, t in enumerate(times):
        made[k] = z = internal.rates(float(t), done.y[:, k], z)[1]
    return made


def bounded_motion(internal: Internal, times: Array) -> Array:
    """The motion that comes from rest and goes to rest: a boundary-value problem (servo (6))."""
    before = internal._at_rest(internal.t - 2e-9 * max(1.0, abs(internal.t)), internal.z)
    after, values = internal.rest, internal.eigenvalues
    if before is None or after is None or values is None:
        raise OptionError("servo: bounded=True needs a path that begins and ends at rest.")
    if np.any(np.abs(values.real) <= UNSTABLE * np.max(np.abs(values))):
        raise OptionError(
            "servo: bounded=True: the internal dynamics neither grow nor decay at rest; there is"
            " no single bounded motion."
        )
    wait = TIMES / float(np.min(np.abs(values.real)))
    span = internal.t - wait, internal.end + wait
    from_rest = _left(internal.matrix(internal.t - 1e-6, before), growing=False)
    to_rest = _left(internal.matrix(internal.end, after), growing=True)
    begin, end = before[internal.places], after[internal.places]
    known: dict[float, Array] = {}  # moment -> all unknowns as they were found there last

    def unknowns(t: Any, states: Any) -> Any:
        z = internal.z
        for k, moment in enumerate(map(float, t)):
            z = known[moment] = internal.rates(moment, states[:, k], known.get(moment, z))[1]
            yield moment, z

    def rates(t: Any, states: Any) -> Any:
        return np.array([z[internal.places + internal.jets.n] for _, z in unknowns(t, states)]).T

    def slopes(t: Any, states: Any) -> Any:
        found = [internal._slopes(moment, z) for moment, z in unknowns(t, states)]
        return np.moveaxis(np.array(found), 0, -1)

    def ends(a: Any, b: Any) -> Any:
        return np.r_[from_rest @ (a - begin), to_rest @ (b - end)]

    mesh = np.r_[
        np.linspace(span[0], internal.t, 30, endpoint=False),
        np.linspace(internal.t, internal.end, 81),
        np.linspace(internal.end, span[1], 31)[1:],
    ]
    share = np.clip((mesh - internal.t) / (internal.end - internal.t), 0.0, 1.0)
    guess = begin[:, None] + (end - begin)[:, None] * share
    done = solve_bvp(rates, ends, mesh, guess, fun_jac=slopes, tol=1e-8, max_nodes=5000)
    if not done.success:
        raise SimulationError(f"servo: no bounded motion was found: {done.message}")
    made = np.zeros((len(times), internal.jets.size))
    z = internal.z
    for k, t in enumerate(times):
        made[k] = z = internal.rates(float(t), done.sol(float(t)), z)[1]
    return made


def _left(A: Array, *, growing: bool) -> Array:
    """A real basis of the left invariant subspace of eigenvalues that grow, or that decay."""
    from scipy.linalg import schur

    sort = "rhp" if growing else "lhp"
    _, Z, count = schur(A.T, sort=sort)
    return np.asarray(Z[:, :count].T)
