"""`kinematics`: a mechanism driven through its range (analysis 6)."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.choose import equations_of
from dalembert.analysis.equations.onto_constraints import closed
from dalembert.analysis.kinematics.driven import Driven
from dalembert.analysis.kinematics.follow import follow
from dalembert.analysis.kinematics.over_change import motion
from dalembert.analysis.kinematics.special import LIMIT, Special, crossings, extremes, limit
from dalembert.analysis.kinematics.transmission import transmission
from dalembert.analysis.linear.linearize import state_of
from dalembert.analysis.states_solution import solution_of
from dalembert.analysis.table import text_table
from dalembert.errors import OptionError
from dalembert.formulas import time
from dalembert.formulas.expression import Expression
from dalembert.model.basics.by_name import formula_of
from dalembert.model.core.without_constraints import without
from dalembert.model.joints.joint import Joint
from dalembert.model.joints.motion import Motion
from dalembert.numerics.one_thread import one_thread
from dalembert.simulation.motion.trajectory import Trajectory
from dalembert.simulation.prepare.options import by_name

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Kinematics:
    """A mechanism over the values of its driven coordinate.

    Attributes
    ----------
    drive : name of the driven coordinate
    values : (k,)       that were reached
    q, v, a : (k, n)    places, velocities and accelerations, for `speed` and `acceleration`
    special : list of Special       limit positions, dead points, change points, in order
    complete : bool     whether all values that were asked for were reached
    """

    model: Any
    drive: Any
    values: Array
    q: Array
    v: Array
    a: Array
    speed: float
    acceleration: float
    special: tuple[Special, ...]
    complete: bool

    @cached_property
    def solution(self) -> Any:
        """The motion with constant speed as a `Solution`: signals, reactions, figures, the page.

        The drive is a constraint of it, called "drive": its multiplier is the torque or force that
        the motion takes.
        """
        if self.acceleration:
            raise OptionError("kinematics: a solution is made with acceleration=0.")
        model = driven_model(self.model, self.drive, float(self.values[0]), self.speed)
        t = (self.values - self.values[0]) / self.speed
        if len(t) > 1 and t[1] < t[0]:
            raise OptionError("kinematics: speed and values go opposite ways. Turn one of them.")
        return solution_of(model, t, self.q, self.v)

    def __getitem__(self, signal: Any) -> Array:
        """A signal at all values: ``found["rocker.angle"]``, ``"rocker.angle.dot"``, formulas."""
        formula = formula_of(self.model, signal) if isinstance(signal, str) else signal
        if formula is None:
            raise OptionError(
                f"kinematics: model {self.model.name!r} has no coordinate {signal!r}. Name one of a"
                " joint ('rocker.angle') or body ('coupler.x'), or give a formula."
            )
        equations = equations_of(self.model, "kinematics")
        found = []
        for q, v, a in zip(self.q, self.v, self.a, strict=True):
            at = equations.at(0.0, q, v)
            found.append(float(equations.signals([formula], at, a).y[0]))
        made = np.array(found)
        is_angle = isinstance(signal, str) and signal.rpartition(".")[2].startswith("angle")
        return np.unwrap(made) if is_angle else made

    def path(self, point: Any) -> Array:
        """The curve of a point, (k, 3) or (k, 2): a coupler curve.

        Parameters
        ----------
        point : Frame (``coupler.at(x=0.3, y=0.2)``), body, "body/frame", or a drawing point's name
        """
        place = self._place(point)
        if self.model.is_maximal:
            along = Trajectory(self.model, np.zeros(len(self.q)), self.q, self.v)
            return np.stack(along.series(place), axis=1)
        return np.stack([self[x] for x in place], axis=1)

    def _place(self, point: Any) -> list[Any]:
        """Formulas of the place of a point."""
        if isinstance(point, str) and point in self.model.points:
            return list(self.model.points[point])
        if isinstance(point, str):
            body, _, name = point.partition("/")
            known = self.model.bodies.get(body)
            if known is None or (name and name not in known.frames):
                raise OptionError(
                    f"path: model {self.model.name!r} has no point, body or frame {point!r}."
                )
            point = known.frames[name] if name else known
        if not hasattr(point, "position"):
            raise OptionError(f"path: {point!r:.60} is no point. Give a frame, body or name.")
        return list(np.asarray(point.position, dtype=object).ravel())

    def transmission_angle(self, joint: Any) -> Array:
        """Angle at a joint between the links it connects, in [0, pi/2]; small is bad.

        The line of a link goes from the other joint on it to this one; of one that slides it is
        across the slide.
        """
        return transmission(self.model, self.q, joint)

    def table(self, *signals: str) -> str:
        """A text: the drive and some signals at all values."""
        columns = [self[signal] for signal in signals]
        rows = [
            [f"{x:.6g}", *(f"{column[k]:.8g}" for column in columns)]
            for k, x in enumerate(self.values)
        ]
        return text_table([str(self.drive), *signals], rows)

    def summary(self) -> str:
        """A text: the range, and special positions."""
        low, high = self.values[0], self.values[-1]
        lines = [f"{self.model.name}: {self.drive} from {low:.6g} to {high:.6g}"]
        if not self.complete:
            lines[0] += ", where it ends"
        lines += [f"  {x.value:.9g}  {x.name}" for x in self.special]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"Kinematics({self.model.name!r}, {self.drive}, {len(self.values)} places)"


@one_thread()
def kinematics(
    model: Any,
    drive: Any,
    over: Any = None,
    *,
    speed: float = 1.0,
    acceleration: float = 0.0,
    samples: int = 181,
    hold: Sequence[Any] = (),
    initial: Any = None,
    parameters: Mapping[Any, float] | None = None,
) -> Kinematics:
    """Drive a coordinate through its range: places, velocities, accelerations, special positions.

    Parameters
    ----------
    drive : joint, its coordinate ("bearing.angle"), a coordinate of a body, or a formula; a motion
        that the model prescribes for it gives way
    over : values, or a pair (first, last); by default a full turn from where an angle starts, or
        from limit to limit where there is none
    speed, acceleration : of the driven coordinate, for velocities and accelerations
    samples : how many values, where a pair is given
    hold : further coordinates that stay where they are, where there are more freedoms
    initial : place to begin with, near the first value, which chooses the branch; see `assemblies`
    parameters : dict {parameter or its name: value}

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.catalog.load("slider-crank-bodies")
    >>> found = dl.kinematics(model, "bearing", (0.1, 1.0), samples=4)
    >>> found.complete, len(found.values)
    (True, 4)
    """
    equations_of(model, "kinematics")
    if parameters is not None:
        model = model.with_parameters(**by_name(parameters))
    equations = equations_of(model, "kinematics")
    _finite(speed=speed, acceleration=acceleration)
    name = coordinate_name(model, drive)
    model = undriven(model, name)
    equations = equations_of(model, "kinematics")
    q, _ = state_of(model, initial)
    driven = Driven(
        equations, 0.0, name, [coordinate_name(model, x) for x in hold], closed(equations, 0.0, q)
    )
    values = _values(driven, over, samples, q)
    places, complete = follow(driven, closed(equations, 0.0, q), values)
    if not len(places):
        raise OptionError(
            f"kinematics: {name} = {values[0]:.6g} cannot be reached from the given place. Give an"
            " initial= nearer to it, or another first value."
        )
    if over is None and not complete:
        values, places = _between_limits(driven, values, places, samples)
    values = values[: len(places)]
    q, v, a = motion(driven, values, np.array(places), float(speed), float(acceleration))
    special = _special(driven, values, q, v, complete, both=over is None)
    return Kinematics(
        model,
        name,
        values,
        q,
        v,
        a,
        float(speed),
        float(acceleration),
        tuple(special),
        complete,
    )


def _between_limits(
    driven: Driven, values: Array, places: list[Array], samples: int
) -> tuple[Array, list[Array]]:
    """Values evenly between the limits to both sides, and their places."""
    start, high = places[0], float(values[len(places) - 1])
    low = float(values[0])
    driven.reached(start, low)
    back = np.linspace(low, low - 2.0 * np.pi, samples)
    behind, complete = follow(driven, start, back)
    if complete or not behind:
        return values, places
    low = float(back[len(behind) - 1])
    ends = limit(driven, behind[-1], -1.0), limit(driven, places[-1], 1.0)
    low, high = (x if end is None else end.value for x, end in zip((low, high), ends, strict=True))
    inside = np.linspace(low, high, samples + 2)[1:-1]
    driven.reached(behind[-1], float(back[len(behind) - 1]))
    between, _ = follow(driven, behind[-1], inside)
    return (inside, between) if between else (values, places)


def _special(
    driven: Driven, values: Array, q: Array, v: Array, complete: bool, both: bool
) -> list[Special]:
    names = [x for x in driven.equations.candidates() if x != driven.drive and x not in driven.held]
    found = [*extremes(driven, names, values, q, v), *crossings(driven, values, q)]
    if not complete:
        ahead = 1.0 if len(values) < 2 or values[-1] >= values[0] else -1.0
        for place, way in ((q[0], -ahead), (q[-1], ahead))[0 if both else 1 :]:
            last = limit(driven, place, way)
            if last is None:
                continue
            # what stops the drive stops everything: outputs do not turn back there
            found = [x for x in found if abs(x.value - last.value) > 1e-9]
            found.append(last)
    order = 1.0 if len(values) < 2 or values[-1] >= values[0] else -1.0
    return sorted(found, key=lambda x: (order * x.value, x.kind == LIMIT))


def _values(driven: Driven, over: Any, samples: int, q: Array) -> Array:
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 2:
        raise OptionError(f"kinematics: samples is {samples!r}. Give a whole number above 1.")
    if over is None:
        if not driven.is_angle:
            raise OptionError("kinematics: over= is missing. Give values, or a pair (first, last).")
        start = driven.value(q)
        return np.linspace(start, start + 2.0 * np.pi, samples)
    values = np.atleast_1d(np.asarray(over, dtype=float)).ravel()
    if not np.isfinite(values).all() or len(values) < 2:
        raise OptionError("kinematics: over= needs finite values, two or more.")
    if isinstance(over, tuple) and len(values) == 2:
        values = np.linspace(values[0], values[1], samples)
    if not (np.all(np.diff(values) > 0.0) or np.all(np.diff(values) < 0.0)):
        raise OptionError("kinematics: values of over= must go one way, without repeating.")
    return values


def _finite(**given: float) -> None:
    for name, value in given.items():
        if not np.isfinite(value):
            raise OptionError(f"kinematics: {name} is {value}. Give a finite number.")


def coordinate_name(model: Any, given: Any) -> Any:
    """The name of a coordinate: of a joint that has one, or as it was given."""
    if isinstance(given, Joint):
        given = given.name
    if isinstance(given, str) and given in model.joints:
        parts = model.joints[given].coordinates
        if len(parts) != 1:
            raise OptionError(
                f"joint {given!r} has {len(parts)} coordinates. Name one:"
                f" {', '.join(f'{given}.{part}' for part in parts) or 'another joint'}."
            )
        return f"{given}.{parts[0]}"
    if isinstance(given, Expression) and given.op == "coordinate":
        return given.name
    if not isinstance(given, str | Expression):
        raise OptionError(f"{given!r:.60} is no coordinate. Give a joint or a name.")
    return given


def undriven(model: Any, drive: Any) -> Any:
    """The model without motions that prescribe the coordinate already: it is driven instead."""
    owner, _, part = str(drive).rpartition(".")
    own = [
        name
        for name, joint in model.joints.items()
        if isinstance(joint, Motion)
        and getattr(joint.target, "name", joint.target) == owner
        and joint.coordinate in (None, part)
    ]
    return without(model, own)


def driven_model(model: Any, drive: Any, start: float, speed: float) -> Any:
    """A copy of the model with the coordinate driven at constant speed, by "drive"."""
    made = copy.copy(model)
    value = start + speed * time
    owner, _, part = str(drive).rpartition(".")
    if not isinstance(drive, Expression) and owner in model.joints:
        made.add_joint(Motion(model.joints[owner], value, coordinate=part, name="drive"))
        return made
    formula = drive if isinstance(drive, Expression) else formula_of(model, drive)
    made.constrain(formula - value, name="drive")
    return made
