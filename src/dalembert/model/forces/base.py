"""The common part of forces: frames they act on, a name, and the user's formulas inside them.

A subclass states its `loads` as formulas of its frames. A user's formula may contain coordinates of
any body of the model: those bodies become further frames of the element, on which it does not act,
so that the formulas of one kind of force are the same for all its instances.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from dalembert.errors import ModelError
from dalembert.formulas.expression import ZERO, Expression, lift
from dalembert.formulas.graph import symbols
from dalembert.formulas.variables import is_side
from dalembert.model.basics.element import Formulas, FrameView
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.named import Named
from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.basics.reading import Findings, Reader
from dalembert.model.basics.rotation import Rotation, unit_vector
from dalembert.model.forces.formula_frames import Watched, watch
from dalembert.model.joints.joint import end_text
from dalembert.model.joints.references import References

Load = tuple[npt.NDArray[Any], npt.NDArray[Any]]
"""Force, and torque about the frame's origin, in world components."""


def no_load() -> npt.NDArray[Any]:
    """Three zeros."""
    return np.full(3, ZERO, dtype=object)


@dataclass(frozen=True, eq=False, repr=False)
class ForceElement(Named, ABC):
    """A force, torque, spring, motor, ...

    Parameters
    ----------
    name : str
        For reports and results; by default numbered, "spring1".
    """

    _: KW_ONLY
    watched: Watched = Watched()  # noqa: RUF009  (frozen): set when the element joins a model

    ends: ClassVar[tuple[str, ...]] = ("frame",)
    """Fields that hold the frames the element acts on."""
    counts_turns: ClassVar[bool] = False
    """True when the loads contain angles beyond half a turn."""
    positive: ClassVar[tuple[str, ...]] = ()
    """Options that must stay positive whatever values parameters take."""
    undefined: ClassVar[str] = ". Start where its formulas are defined."
    """End of the sentence that says it has no value at the start."""

    # -- connection ----------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """``force 'spring'``, as messages begin."""
        return f"force '{self.name}'" if self.name else f"{self.kind}"

    def resolved(self, names: References, name: str, findings: Findings) -> Self:
        """A copy of the element with a name, on frames of the model."""
        element = f"force '{name}'"
        found: dict[str, Any] = {
            end: names.frame(getattr(self, end), element, findings) for end in self.ends
        }
        bodies = [frame.body for frame in found.values() if frame is not None]
        if len(bodies) == 2 and bodies[0] is bodies[1]:
            findings.add(
                element, f"both its ends are on '{bodies[0].name}'. Put it between two bodies."
            )
        watched = watch(self.formulas(), names, element, findings)
        return replace(self, **found, name=name, watched=watched)

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """The frames acted on, then those of bodies that occur in the user's formulas."""
        acted = self.acted_frames()
        others = [frame for frame in self.watched.frames if _place(frame, acted) is None]
        return (*acted, *others)

    def acted_frames(self) -> tuple[Frame, ...]:
        """The frames acted on."""
        ends = [getattr(self, end) for end in self.ends]
        if not all(isinstance(frame, Frame) for frame in ends):
            raise ModelError(f"{self.title}: is part of no model yet. Use what add_force returns.")
        return tuple(frame.turned(self.turn) for frame in ends)

    def watched_views(self, views: Sequence[FrameView]) -> list[FrameView]:
        """Views of the watched frames; one that is acted on as well is there once."""
        return [views[_place(frame, self.frames) or 0] for frame in self.watched.frames]

    @property
    def turn(self) -> Rotation:
        """How the frames acted on are turned; not at all unless the element has an axis."""
        return Rotation.identity()

    @property
    def views(self) -> list[FrameView]:
        """The frames as formulas of the motion."""
        return [frame.view for frame in self.frames]

    def formulas(self) -> tuple[Expression, ...]:
        """Formulas of the user's, beyond numbers: of time, coordinates and velocities."""
        return ()

    # -- equations -----------------------------------------------------------------------------

    def data(self) -> tuple[Quantity, ...]:
        """Numbers, or formulas of parameters, that the loads contain."""
        return ()

    def structure(self) -> Hashable:
        """Whatever else distinguishes the loads from those of another force of the kind."""
        return (self.formulas(), self.watched.key)

    def angles(self, views: Sequence[FrameView]) -> list[Expression]:
        """Angles, in (-pi, pi], whose full turns are counted during a run."""
        return self.watched.angles(self.watched_views(views))

    def loads(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Load]:
        """(force, torque about the frame's origin) on the body of each frame."""
        acted = self.act(views, data, turns)
        return acted + [(no_load(), no_load()) for _ in range(len(self.frames) - len(acted))]

    @abstractmethod
    def act(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Load]:
        """`loads` on the frames the element acts on."""

    def energy(
        self, views: Sequence[FrameView], data: Formulas, turns: Formulas
    ) -> Expression | None:
        """Potential energy; None for a force without one."""
        return None

    @property
    def conservative(self) -> bool:
        """True when the loads are the gradient of `energy` and nothing else."""
        return False

    @property
    def follows_from_energy(self) -> bool:
        """True when the loads are the gradient of `energy`, which may depend on time."""
        return self.conservative

    def seen(
        self, formulas: Sequence[Expression], views: Sequence[FrameView], turns: Formulas
    ) -> list[Expression]:
        """The user's formulas with coordinates replaced by what the views say."""
        own = len(self.angles(views)) - self.watched.turn_count
        return self.watched.seen(formulas, self.watched_views(views), turns[own:])

    def evaluated(self) -> tuple[list[Load], Expression | None]:
        """Loads and energy as formulas of the motion, before any turn is counted."""
        views, data = self.views, [lift(entry) for entry in self.data()]
        turns = [ZERO] * len(self.angles(views))
        return self.loads(views, data, turns), self.energy(views, data, turns)

    # -- telling -------------------------------------------------------------------------------

    def __repr__(self) -> str:
        ends = ", ".join(end_text(getattr(self, end)) for end in self.ends)
        options = "".join(f", {key}={value}" for key, value in self.options())
        return f"{type(self).__name__}({ends}{options}, name={self.name!r})"

    def options(self) -> list[tuple[str, str]]:
        """Options to be shown, as text."""
        return []


def _place(frame: Frame, frames: Sequence[Frame]) -> int | None:
    """Where a frame is among others."""
    return next((k for k, other in enumerate(frames) if frame.same_place(other)), None)


# -- reading options -------------------------------------------------------------------------------


def read_value(element: Any, field: str, findings: Findings) -> None:
    """One number or formula, stored as a formula."""
    made = Reader(findings).formula(getattr(element, field), field)
    object.__setattr__(element, field, made)


def read_values(element: Any, field: str, size: int, findings: Findings) -> None:
    """Several numbers or formulas, stored as a tuple of formulas."""
    given = getattr(element, field)
    entries = Reader(findings).vector(given, field)
    if len(entries) != size:
        findings.append(f"{field} is {given!r:.60}. Give {size} numbers or formulas.")
        entries = [ZERO] * size
    object.__setattr__(element, field, tuple(entries))


def read_axes(element: Any, findings: Findings) -> None:
    """Whose axes components are given in."""
    if element.axes not in ("world", "body"):
        findings.append(f"axes {element.axes!r} is unknown. Give 'world' or 'body'.")


def read_direction(element: Any, field: str) -> None:
    """A direction, stored as a unit vector; its own field names it in messages."""
    try:
        made = unit_vector(getattr(element, field), "")
    except ModelError as problem:
        raise ModelError(str(problem).removeprefix(": ").replace("axis", field, 1)) from None
    object.__setattr__(element, field, tuple(float(entry) for entry in made))


def is_moving(formula: Expression) -> bool:
    """True for a formula of more than parameters: it belongs to the structure, not the data."""
    if symbols([formula], "coordinate", "velocity", "time"):
        return True
    return any(is_side(x.name) for x in symbols([formula], "parameter"))


def split(formulas: Sequence[Expression]) -> tuple[tuple[Quantity, ...], tuple[Any, ...]]:
    """Formulas as data (0 where they move) and the moving ones (None where they do not)."""
    data = tuple(0.0 if is_moving(f) else f.value if f.op == "constant" else f for f in formulas)
    return data, tuple(f if is_moving(f) else None for f in formulas)


def shown(formula: Any) -> str:
    """A number or formula in few characters."""
    if isinstance(formula, Expression) and formula.op == "constant":
        return f"{formula.value:g}"
    return f"{formula:g}" if isinstance(formula, float) else f"{formula!r:.60}"


def is_zero(quantity: Quantity) -> bool:
    """True for the number 0; a parameter may take other values later."""
    return not isinstance(quantity, Expression) and value_of(quantity) == 0.0
