"""`assemblies`: all ways in which a small linkage can be put together (analysis 6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.choose import equations_of
from dalembert.analysis.linear.linearize import state_of
from dalembert.errors import AssemblyError, OptionError
from dalembert.model.start.states import displaced, turned_by
from dalembert.numerics.one_thread import one_thread
from dalembert.simulation.assembly.assembly import Assembly, assemble

Array = NDArray[np.float64]

SAME = 1e-6
"""Distance, over the size of the model, up to which two places are the same."""


@one_thread()
def assemblies(
    model: Any, hold: Any = None, *, count: int = 60, initial: Any = None
) -> list[Assembly]:
    """All assemblies found of a model of bodies with some coordinates held: its branches.

    Parameters
    ----------
    hold : as for `assemble`: a dict {coordinate: value}, or names; nothing else may be free
    count : random guesses that are closed; the same ones each time
    initial : place around which they are made

    Returns
    -------
    list of Assembly, the one nearest to the start first; each is `initial` of `kinematics`

    Notes
    -----
    Bodies are turned about the axes of their joints and moved, at random, then closed. Small
    linkages have few assemblies, which all are found many times; nothing proves that there are no
    more.

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.catalog.load("slider-crank-bodies")
    >>> len(dl.assemblies(model, {"bearing": 0.5}, count=20))
    2
    """
    equations = equations_of(model, "assemblies")
    if not model.is_maximal:
        raise OptionError("assemblies: give a model of bodies. Other models start where they are.")
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise OptionError(f"assemblies: count is {count!r}. Give a whole number above 0.")
    first = assemble(model, hold, initial=initial)
    if first.degrees_of_freedom:
        raise OptionError(
            f"assemblies: {first.degrees_of_freedom} freedoms are left, so that there are endlessly"
            " many. Hold as many coordinates: hold={'bearing': 0.3}."
        )
    q0, _ = state_of(model, (first.q, first.v))
    random = np.random.default_rng(0)
    axes = _axes(model, q0)
    size = float(equations.lengths.max())
    found = [first]
    held = _values(first, hold)
    for _ in range(count):
        guess = displaced(q0, _scattered(random, axes, size))
        try:
            made = assemble(model, held, initial=(guess, np.zeros(equations.nv)))
        except AssemblyError:
            continue
        if not any(_same(made.q, one.q, equations.lengths) for one in found):
            found.append(made)
    return sorted(found, key=lambda one: _far(first.q, one.q, equations.lengths))


def _values(first: Assembly, hold: Any) -> Any:
    """Held coordinates, at the values of the first assembly."""
    if hold is None or isinstance(hold, Mapping):
        return hold
    names = hold if isinstance(hold, list | tuple | set) else [hold]
    return {name: first[_coordinate(first.model, name)] for name in names}


def _coordinate(model: Any, name: Any) -> Any:
    from dalembert.analysis.kinematics.kinematics import coordinate_name

    return coordinate_name(model, name)


def _axes(model: Any, q: Array) -> list[Array]:
    """For each body directions, in the world, about which its joints let it turn."""
    from dalembert.simulation.motion.trajectory import Trajectory

    along = Trajectory(model, np.zeros(1), q[None], np.zeros((1, 6 * len(model.bodies))))
    found: list[Array] = []
    for body in model.bodies.values():
        own = []
        for joint in model.joints.values():
            for frame in joint.frames:
                if frame.body is body and joint.free_rotations == 1:
                    own.append(along.place(frame)[1][0][:, 2])
        found.append(np.array(own) if own else np.eye(3))
    return found


def _scattered(random: Any, axes: list[Array], size: float) -> Array:
    u = np.zeros((len(axes), 6))
    for b, own in enumerate(axes):
        axis = own[random.integers(len(own))]
        u[b, 3:] = random.uniform(-np.pi, np.pi) * axis
        across = random.uniform(-size, size, 3)
        u[b, :3] = across - (across @ axis) * axis if len(own) else across
    return np.asarray(u.ravel())


def _far(q: Array, other: Array, lengths: Array) -> float:
    return float(np.abs(turned_by(q, other) * lengths).max(initial=0.0))


def _same(q: Array, other: Array, lengths: Array) -> bool:
    return _far(q, other, lengths) <= SAME * float(lengths.max())
