"""`equilibrium` and `equilibria`: where a model rests (analysis 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.choose import equations_of
from dalembert.analysis.equations.point import Equations
from dalembert.analysis.equilibrium.all_places import MOST_STEPS, PATIENCE, Places
from dalembert.analysis.equilibrium.newton import Rest, Search
from dalembert.analysis.equilibrium.starts import starts
from dalembert.analysis.linear.linearization import Linearization
from dalembert.analysis.linear.linearize import angles_of, linearize, state_of
from dalembert.errors import AssemblyError, EquilibriumError, OptionError
from dalembert.numerics.one_thread import one_thread
from dalembert.simulation.prepare.options import by_name

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Equilibrium:
    """A state in which a model stays, as `initial` of `simulate` and `state` of `linearize`.

    Attributes
    ----------
    q, v : state
    lam : multipliers; where rows depend on one another one choice of many
    residual : force that is left, over the forces there are
    angles : those of hinges with their full turns, by the angle in (-pi, pi]
    """

    model: Any
    t: float
    q: Array
    v: Array
    lam: Array
    residual: float
    coordinates: tuple[Any, ...] | None = field(default=None)
    angles: Mapping[Any, float] | None = field(default=None)

    def __iter__(self) -> Any:
        """q, then v."""
        return iter((self.q, self.v))

    @cached_property
    def near(self) -> Linearization:
        """The motion near it as a linear model."""
        return linearize(self.model, self, t=self.t, coordinates=self.coordinates)

    @property
    def is_stable(self) -> bool:
        """Whether no motion near it grows, by its linear model."""
        return self.near.is_stable

    def modes(self) -> Any:
        """Modes of the motion near it."""
        return self.near.modes()

    def __getitem__(self, signal: Any) -> float:
        """Value of a coordinate or formula: ``found["crank.angle"]``."""
        from dalembert.analysis.linear.outputs import output_formulas

        (formula,) = output_formulas(self.model, [signal]).values()
        equations = equations_of(self.model, "equilibrium", self.angles)
        at = equations.at(self.t, self.q, self.v)
        return float(equations.signals([formula], at, np.zeros(equations.nv)).y[0])

    def __repr__(self) -> str:
        kind = "stable" if self.is_stable else "unstable"
        if not (self.near.is_equilibrium or self.near.is_steady):
            kind = "stability not told"  # A turns along with the motion
        shown = ", ".join(f"{name} = {self[name]:.6g}" for name in self._named()[:4])
        return f"{type(self).__name__}({self.model.name!r}, {kind}, {shown})"

    def _named(self) -> list[str]:
        equations = equations_of(self.model, "equilibrium")
        known = set(equations.candidates())
        return [name for name in self.near.coordinates if name in known]


@one_thread()
def equilibrium(
    model: Any,
    guess: Any = None,
    *,
    stable: bool = True,
    t: float = 0.0,
    parameters: Mapping[Any, float] | None = None,
) -> Equilibrium:
    """The place where a model rests, found from a guess.

    Parameters
    ----------
    guess : dict, or (q, v); by default the model's own start. It need not meet the constraints.
    stable : look downhill first, for a place that is stable; otherwise, or where none is found,
        for the nearest place, stable or not
    t : float           moment at which formulas of time are read  [s]
    parameters : dict {parameter or its name: value}

    Raises
    ------
    EquilibriumError    names what is not balanced; drives that move are refused

    Notes
    -----
    Contacts, limits and dry friction are left out: `contact_equilibrium` is for these.

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("pendulum")
    >>> rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    >>> _ = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    >>> found = dl.equilibrium(model)
    >>> round(found["hinge.angle"], 9), found.is_stable
    (1.570796327, True)
    """
    model, equations = _read(model, t, parameters, "equilibrium")
    q, _ = state_of(model, guess)
    equations = equations_of(model, "equilibrium", angles_of(model, guess, t, q) or {})
    refuse_drives(equations, t, q)
    last: Rest | None = None
    for downhill in (True, False) if stable else (False,):
        search = Search(equations, t, downhill)
        try:
            found = search.from_guess(q)
        except AssemblyError as problem:
            raise EquilibriumError(f"equilibrium: {problem}") from problem
        if found.is_balanced:
            found = search.lower(found) if downhill else found
            return _made(model, equations, t, found)
        last = found if last is None or found.rest < last.rest else last
    assert last is not None
    remedy = "Add what holds it there (a spring, a joint), or give another guess."
    if model.shapes:
        remedy = (
            "Contacts are left out here: dl.contact_equilibrium says whether they hold a place."
        )
    raise EquilibriumError(
        f"equilibrium: model {model.name!r} has none that could be found from this guess; a force"
        f" of {last.rest:.2g} of the largest is left along"
        f" {equations.velocity_names[last.worst]!r}. {remedy}"
    )


@one_thread()
def equilibria(
    model: Any,
    guess: Any = None,
    *,
    guesses: Sequence[Any] | None = None,
    count: int = 60,
    t: float = 0.0,
    parameters: Mapping[Any, float] | None = None,
) -> list[Equilibrium]:
    """All places found where a model rests, stable or not, from several starts.

    Parameters
    ----------
    guess : where walks along the constraints begin; by default the model's own start
    guesses : further starts, for example other assemblies
    count : how many starts are taken

    Returns
    -------
    list of Equilibrium, ordered by their first coordinate; `is_stable` says which are stable

    Notes
    -----
    Starts are places met on walks along the constraints, so that mechanisms stay assembled as they
    are; from a few of them a search goes downhill, to what is stable. From each place found loads
    lead on to others: along the softest directions a load grows and the places that it holds are
    followed until they rest without it. Nothing promises that all equilibria are found where
    freedoms are many. Of places that go over into one another, since
    nothing holds them in a direction (an arm that turns about the vertical), one is listed: places
    without a stiffness in a direction count as one where all their stiffnesses are alike.
    """
    model, equations = _read(model, t, parameters, "equilibria")
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise OptionError(f"equilibria: count is {count!r}. Give a whole number above 0.")
    q, _ = state_of(model, guess)
    refuse_drives(equations, t, q)
    places = [*starts(equations, t, q, count), *(state_of(model, one)[0] for one in guesses or ())]
    found = Places(model, equations, t)
    found.look_from(places)
    found.look_along_loads(count * PATIENCE, count * MOST_STEPS)
    made = [_made(model, equations, t, rest) for rest in found.rests]
    return sorted(made, key=_order)


def _order(found: Equilibrium) -> tuple[float, ...]:
    return tuple(round(found[name], 9) for name in found._named()[:3])


def _read(
    model: Any, t: float, parameters: Mapping[Any, float] | None, asked: str
) -> tuple[Any, Equations]:
    equations_of(model, asked)
    if parameters is not None:
        model = model.with_parameters(**by_name(parameters))
    if not np.isfinite(t):
        raise OptionError(f"{asked}: t is {t}. Give a finite number.")
    return model, equations_of(model, asked)


def refuse_drives(equations: Equations, t: float, q: Array) -> None:
    """Refuse constraints that move by themselves."""
    at = equations.at(t, q, np.zeros(equations.nv))
    if not len(at.phi_dot):
        return
    worst = int(np.argmax(np.abs(at.phi_dot)))
    if abs(at.phi_dot[worst]) > 1e-12:
        raise EquilibriumError(
            f"equilibrium: {equations.owners[worst]!r} drives model {equations.model.name!r}, so"
            " that it does not rest. Ask for dl.steady_motion, or hold the drive."
        )


def _made(model: Any, equations: Equations, t: float, found: Rest) -> Equilibrium:
    still = np.zeros(equations.nv)
    place = (model, float(t), found.q, still, found.lam, found.rest)
    return Equilibrium(*place, angles=found.angles)
