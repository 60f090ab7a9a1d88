"""`assemblies`: all ways in which a small linkage can be put together (analysis 6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.choose import equations_of
from dalembert.analysis.kinematics.planar_linkage import Counted, Unproven, counted
from dalembert.analysis.linear.linearize import state_of
from dalembert.errors import AssemblyError, OptionError
from dalembert.model.start.states import displaced, turned_by
from dalembert.numerics.one_thread import one_thread
from dalembert.simulation.assembly.assembly import Assembly, assemble

Array = NDArray[np.float64]

SAME = 1e-6
"""Distance, over the size of the model, up to which two places are the same."""


class Assemblies(list[Assembly]):
    """Assemblies of a model, the one nearest to the start first.

    Attributes
    ----------
    complete : bool
        Whether it is proven that there are no more
    proof : str
        The count of roots, or why there is none
    """

    complete: bool = False
    proof: str = ""

    def __str__(self) -> str:
        """How many there are, and whether that is proven."""
        said = "all of them" if self.complete else "not proven to be all"
        count = "1 assembly" if len(self) == 1 else f"{len(self)} assemblies"
        return f"{count}, {said}: {self.proof}"


@one_thread()
def assemblies(model: Any, hold: Any = None, *, count: int = 60, initial: Any = None) -> Assemblies:
    """All assemblies of a model of bodies with some coordinates held: its branches.

    Parameters
    ----------
    hold : as for `assemble`: a dict {coordinate: value}, or names; nothing else may be free
    count : random guesses that are closed where roots cannot be counted; the same ones each time
    initial : place around which they are made

    Returns
    -------
    Assemblies: a list of Assembly, the one nearest to the start first; each is `initial` of
    `kinematics`. `complete` says whether there are no more, `proof` why.

    Notes
    -----
    Of a planar linkage with up to 8 equations (four-bars, slider-cranks, five-, six- and
    eight-bars) all complex roots are followed by continuation, and the real ones are kept: the list
    is complete. Else bodies are turned about the axes of their joints and moved, at random, then
    closed; nothing proves that there are no more.

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.catalog.load("slider-crank-bodies")
    >>> print(dl.assemblies(model, {"bearing": 0.5}))
    2 assemblies, all of them: 2 roots, 2 of them real
    """
    equations = equations_of(model, "assemblies")
    if not model.is_maximal:
        raise OptionError("assemblies: give a model of bodies. Other models start where they are.")
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise OptionError(f"assemblies: count is {count!r}. Give a whole number above 0.")
    first = assemble(model, hold, initial=initial)
    if first.degrees_of_freedom:
        left = first.degrees_of_freedom
        freedoms = "1 freedom is left" if left == 1 else f"{left} freedoms are left"
        raise OptionError(
            f"assemblies: {freedoms}, so that there are endlessly"
            " many. Hold as many coordinates: hold={'bearing': 0.3}."
        )
    q0, _ = state_of(model, (first.q, first.v))
    held, lengths = _values(first, hold), equations.lengths
    made = Assemblies()
    try:
        found = counted(model, q0, hold)
        made += _closed(model, q0, held, [u.ravel() for u in found.moves], first, lengths)
        made.complete, made.proof = _told(found, len(made))
    except Unproven as reason:
        made.proof = str(reason)
    if not made.complete:
        random, axes = np.random.default_rng(0), _axes(model, q0)
        size = float(lengths.max())
        moves = [_scattered(random, axes, size) for _ in range(count)]
        made[:] = _closed(model, q0, held, moves, first, lengths)
    made.sort(key=lambda one: _far(first.q, one.q, lengths))
    return made


def _closed(
    model: Any, q0: Array, held: Any, moves: list[Array], first: Assembly, lengths: Array
) -> list[Assembly]:
    """Different places that bodies, moved from q0, are closed at; the first one among them."""
    found = [first]
    for u in moves:
        try:
            made = assemble(model, held, initial=(displaced(q0, u), np.zeros(len(u))))
        except AssemblyError:
            continue
        if not any(_same(made.q, one.q, lengths) for one in found):
            found.append(made)
    return found


def _told(found: Counted, closed: int) -> tuple[bool, str]:
    """Whether every real root was closed at a place of its own, and the count in words."""
    real = len(found.moves)
    if closed != real:
        return False, f"{real} real roots are {closed} places"
    rest = [f"{found.complex_roots} complex"] if found.complex_roots else []
    rest += [f"{found.infinite} at infinity"] if found.infinite else []
    roots = "1 root" if found.paths == 1 else f"{found.paths} roots"
    return True, ", ".join([f"{roots}, {real} of them real", *rest])


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
