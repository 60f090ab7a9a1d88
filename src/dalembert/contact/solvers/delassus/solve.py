"""Solvers of contacts given by W, q and mu: sweeps, Newton, interior points, and `auto` of them.

`auto` goes on with sweeps while their rate promises less work than Newton's method would take, then
Newton from there; if that has not come to the answer, more sweeps and Newton again, interior points
and Newton from there, Newton with shorter steps and other softness, paths of answers from all
contacts open, guesses of what every contact does, growing friction, and sweeps for what is left.
Sweeps always go on where sweeps have ended: nothing that was tried in between can lead them astray.
The best impulses are returned in every case.
"""

from __future__ import annotations

import numpy as np

from dalembert.contact.solvers.automatic import AutomaticContact
from dalembert.contact.solvers.delassus.active import Array
from dalembert.contact.solvers.delassus.arrays import Given
from dalembert.contact.solvers.delassus.follow import followed
from dalembert.contact.solvers.delassus.interior import interior
from dalembert.contact.solvers.delassus.newton import SOFTNESS, STEPS, newton
from dalembert.contact.solvers.delassus.path import grow_friction
from dalembert.contact.solvers.delassus.restarts import restarted
from dalembert.contact.solvers.gauss_seidel import GaussSeidel
from dalembert.contact.solvers.interior_point import InteriorPoint
from dalembert.contact.solvers.newton import NewtonContact
from dalembert.contact.solvers.solver import ContactSolver

WEIGHTS, HALVINGS = (10.0, 1.0, 1e-2), 5
"""p of the attempts of Newton's method with shorter steps, and lengths of a step."""

SOFTNESSES = ((1.0, 1e-7), (0.1, 1e-7), (0.1, 1e-13))
"""p and eps of further ones: dependent rows held more, and hardly at all."""

FIRST_SWEEPS, LAST_SWEEPS, SHORT = 4000, 20000, 20
"""Sweeps before and after the factorisations, and before Newton's method by itself."""

EXPECTED_STEPS, EXPECTED_POINTS, LAST_STEPS = 6, 16, 200
"""Steps that Newton's method and interior points are expected to take, and that sweeps may at last.
"""

POWERS, MOST_GROWING = (1.0, 3.0), 200
"""Powers of s in the friction that grows, and most factorisations of it."""


class Search:
    """One problem on its way to the answer: the best impulses, those of the sweeps, the work."""

    def __init__(self, given: Given, x: Array, tolerance: float, budget: int) -> None:
        self.given, self.tolerance, self.budget = given, tolerance, budget
        self.left, _ = given.measure(x)
        self.first_left = self.left
        self.x, self.swept = x, x
        self.sweeps = self.factorisations = self.guesses = 0

    @property
    def is_solved(self) -> bool:
        """Whether what is left is below the tolerance."""
        return self.left <= self.tolerance

    def _take(self, x: Array, left: float) -> None:
        if left < self.left:
            self.x, self.left = x, left

    def sweep(self, budget: int, allowance: float = np.inf) -> None:
        """Gauss-Seidel from where it ended."""
        if not self.is_solved and budget > 0:
            x, left, done = self.given.sweep(self.swept, self.tolerance, budget, allowance)
            self.sweeps += done
            self.swept = x
            self._take(x, left)

    def newton(self, x: Array, p: float = 1.0, halvings: int = 1, eps: float = SOFTNESS) -> None:
        """Newton's method from x."""
        most = min(STEPS, self.budget - self.factorisations)
        if not self.is_solved and most > 0:
            found, left, used = newton(self.given, x, self.tolerance, p, most, halvings, eps)
            self.factorisations += used
            self._take(found, left)

    def grow_friction(self, power: float) -> None:
        """With a part of the friction first."""
        most = min(MOST_GROWING, self.budget - self.factorisations)
        if not self.is_solved and most > 0:
            x, left, used = grow_friction(self.given, self.tolerance, power, most)
            self.factorisations += used
            self._take(x, left)

    def follow(self) -> None:
        """Along paths of answers, which have a limit of their own."""
        if not self.is_solved and self.factorisations < self.budget:
            x, left, used = followed(self.given, self.tolerance)
            self.guesses += used
            self._take(x, left)

    def restart(self) -> None:
        """From guesses of what every contact does, which have a limit of their own."""
        if not self.is_solved and self.factorisations < self.budget:
            x, left, used = restarted(self.given, self.tolerance)
            self.guesses += used
            self._take(x, left)

    def interior(self) -> Array:
        """Interior points; returns where they have come to."""
        most = self.budget - self.factorisations
        if self.is_solved or most <= 0:
            return self.x
        x, left, used = interior(self.given, self.tolerance, most)
        self.factorisations += used
        self._take(x, left)
        return x


def sweeps_worth(given: Given, steps: int) -> float:
    """Sweeps that take as long as so many factorisations; both by what they have to multiply."""
    m = given.count * given.dim
    one = 4e-10 * given.entries + 6e-8 * max(given.count, 1)
    step = 2e-4 + 3e-9 * given.entries + (1e-10 * m**3 if given.is_dense else 2e-7 * given.entries)
    return steps * step / one


def automatic(search: Search) -> None:
    """The solver `auto`."""
    given = search.given
    search.sweep(FIRST_SWEEPS, sweeps_worth(given, EXPECTED_STEPS))
    if search.is_solved:
        return
    search.newton(search.swept)
    search.sweep(FIRST_SWEEPS, sweeps_worth(given, EXPECTED_POINTS))
    search.newton(search.swept)
    inside = search.interior()
    search.newton(inside)
    for p in WEIGHTS:
        search.newton(search.swept, p, HALVINGS)
    for p, eps in SOFTNESSES:
        search.newton(search.x, p, HALVINGS, eps)
    search.follow()
    search.restart()
    for power in POWERS:
        search.grow_friction(power)
    search.sweep(LAST_SWEEPS, sweeps_worth(given, LAST_STEPS))
    search.newton(search.swept)
    search.newton(search.x, 1.0, HALVINGS)


def by_newton(search: Search) -> None:
    """The solver `newton`: a few sweeps for a start, and nothing but Newton's method."""
    search.newton(search.x)
    search.sweep(SHORT)
    search.newton(search.swept)
    for p in WEIGHTS:
        search.newton(search.swept, p, HALVINGS)
    search.newton(search.x)


def by_interior(search: Search) -> None:
    """The solver `interior`: Newton's method gains the last digits."""
    inside = search.interior()
    search.newton(inside)
    for p in WEIGHTS:
        search.newton(inside, p, HALVINGS)
    search.sweep(FIRST_SWEEPS, sweeps_worth(search.given, EXPECTED_POINTS))
    search.newton(search.swept)


SOLVING = {
    "auto": (AutomaticContact, automatic),
    "newton": (NewtonContact, by_newton),
    "nsgs": (GaussSeidel, None),
    "interior": (InteriorPoint, by_interior),
}
"""Solvers that work on W itself, whatever it is; None: nothing but sweeps."""

MARGIN = 0.5
"""Part of the tolerance that is aimed at: others sum in another order."""


def search_by(
    solver: ContactSolver, given: Given, start: Array, tolerance: float, budget: int
) -> Search:
    """The answer of a solver to a scaled problem; budget: factorisations or sweeps."""
    search = Search(given, start, MARGIN * tolerance, budget)
    for kind, run in SOLVING.values():
        if type(solver) is kind:
            if run is None:
                search.sweep(budget)
            else:
                run(search)
    return search


def works_on_delassus(solver: ContactSolver) -> bool:
    """Whether a solver works on W itself."""
    return any(type(solver) is kind for kind, _ in SOLVING.values())
