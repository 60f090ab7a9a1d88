"""`contact_equilibrium`: whether closed contacts with friction can hold a place (analysis 4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.choose import equations_of
from dalembert.analysis.equations.constrained import split
from dalembert.analysis.equilibrium.admissible import admissible
from dalembert.analysis.equilibrium.touching import touching
from dalembert.analysis.linear.linearize import state_of
from dalembert.errors import EquilibriumError, OptionError
from dalembert.numerics.one_thread import one_thread
from dalembert.simulation.prepare.options import by_name

Array = NDArray[np.float64]

HELD = 1e-9
"""Margin, over the load, that rounding may lack."""


@dataclass(frozen=True, eq=False, repr=False)
class ContactEquilibrium:
    """A place that contacts hold.

    Attributes
    ----------
    q, v : state
    margin : how far inside their cones all forces can be at once, over the load; 0 at the limit
    normal : dict contact -> push [N]           one choice of forces, that with the largest margin
    friction : dict contact -> components [N]
    open : names of one-sided rows that do not touch
    """

    model: Any
    t: float
    q: Array
    v: Array
    margin: float
    normal: Mapping[str, float]
    friction: Mapping[str, Array]
    open: tuple[str, ...]

    def __iter__(self) -> Any:
        """q, then v."""
        return iter((self.q, self.v))

    def __repr__(self) -> str:
        names = ", ".join(self.normal)
        return f"ContactEquilibrium({self.model.name!r}, held by {names}, margin {self.margin:.3g})"


@one_thread()
def contact_equilibrium(
    model: Any,
    state: Any = None,
    *,
    gap: float = 1e-6,
    t: float = 0.0,
    parameters: Mapping[Any, float] | None = None,
) -> ContactEquilibrium:
    """Whether a place is held by its closed contacts, with friction, and by which forces.

    Forces of contacts and joints are sought that balance everything else: pushes that do not pull,
    friction within its cone, brakes and dry friction of joints within their bounds.

    Parameters
    ----------
    state : dict or (q, v); by default the model's own start. It must meet the joints.
    gap : largest gap of a contact that counts as closed  [m]
    t, parameters : as for `linearize`

    Raises
    ------
    EquilibriumError    no such forces exist: the place is left

    Examples
    --------
    >>> import dalembert as dl
    >>> x, y = dl.coordinates("x y")
    >>> (pull,) = dl.parameters(pull=2.0)
    >>> model = dl.Model.from_lagrangian(
    ...     kinetic=(x.dot**2 + y.dot**2) / 2, potential=9.81 * y, forces={x: pull}
    ... )
    >>> _ = model.keep(y >= 0, name="floor", friction=0.3, sliding=x)
    >>> round(dl.contact_equilibrium(model).friction["floor"][0], 6)
    np.float64(-2.0)
    """
    equations_of(model, "contact_equilibrium")
    if parameters is not None:
        model = model.with_parameters(**by_name(parameters))
    if not (np.isfinite(gap) and gap >= 0.0):
        raise OptionError(f"contact_equilibrium: gap is {gap!r}. Give a length of 0 or more.")
    equations = equations_of(model, "contact_equilibrium")
    q, _ = state_of(model, state)
    still = np.zeros(equations.nv)
    at = equations.at(float(t), q, still)
    contacts, opened = touching(equations, at, gap)
    free = split(at.J, equations.lengths)
    scale = float(np.abs(at.force / equations.lengths).max(initial=0.0)) or 1.0
    found = admissible(at.force, contacts, free.Z, scale)
    if found is None or found.margin < -HELD:
        raise EquilibriumError(_reason(model, equations, at, free, contacts, opened, found))
    names = _distinct([c.name for c in contacts])
    return ContactEquilibrium(
        model,
        float(t),
        q,
        still,
        found.margin,
        dict(zip(names, map(float, found.normal), strict=True)),
        dict(zip(names, found.tangents, strict=True)),
        tuple(opened),
    )


def _distinct(names: list[str]) -> list[str]:
    """Names, numbered where one comes several times."""
    made = []
    for k, name in enumerate(names):
        same = names[:k].count(name)
        made.append(f"{name} [{same}]" if names.count(name) > 1 else name)
    return made


def _reason(
    model: Any, equations: Any, at: Any, free: Any, contacts: Any, opened: Any, found: Any
) -> str:
    head = f"contact_equilibrium: model {model.name!r} does not rest here: "
    more = f" Open are {', '.join(map(repr, opened[:5]))}." if opened else ""
    if not contacts:
        return head + f"nothing touches.{more} Give a state in which contacts are closed."
    names = ", ".join(map(repr, dict.fromkeys(c.name for c in contacts)))
    if found is None:
        rows = [row for c in contacts for row in (c.normal, *c.tangents)]
        held = np.array(rows) @ free.Z  # what no force of the contacts, of any sign, takes up
        load = free.Z.T @ at.force
        left = load - held.T @ np.linalg.lstsq(held.T, load, rcond=1e-10)[0]
        push = free.Z @ left * equations.lengths
        worst = equations.velocity_names[int(np.argmax(np.abs(push)))]
        return head + (
            f"no forces of {names} balance the load, which moves it along"
            f" {worst!r}.{more} Close more contacts, or add what holds it."
        )
    return head + (
        f"the forces needed at {names} are outside the friction cones, or would have to pull"
        f" (by {-found.margin:.2g} of the load). Give more friction, or another place."
    )
