"""`sizing`: what bearings, shafts and motors of a run must carry (analysis 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.sizing.rainflow import histogram
from dalembert.analysis.table import text_table
from dalembert.errors import OptionError
from dalembert.model.basics.names import nearest
from dalembert.model.forces.on_joint import OnJoint
from dalembert.model.joints.joint import AxisJoint
from dalembert.model.joints.motion import Motion
from dalembert.simulation.results import work as works
from dalembert.simulation.results.quadrature import cumulative

Array = NDArray[np.float64]

ROUNDING = 1e-12
"""Part of the largest load that is shown as zero."""


@dataclass(frozen=True)
class BearingLoad:
    """Loads of a joint on its second body.

    Forces in N, torques in N m; `radial` across the joint's axis and `axial` along it (None for a
    joint without one). RMS over time. `unique` is False where joints share a load that the motion
    does not determine.
    """

    name: str
    peak_force: float
    rms_force: float
    peak_torque: float
    rms_torque: float
    peak_radial: float | None
    peak_axial: float | None
    t_peak: float
    unique: bool


@dataclass(frozen=True)
class DriveLoad:
    """Loads of a motor, an actuator or a prescribed motion.

    Effort in N m or N, power in W, work in J: of the whole run, and of its last cycle where one is
    given. `driving` is work that it does, `braking` what it takes back.
    """

    name: str
    unit: str
    peak_effort: float
    rms_effort: float
    peak_speed: float
    peak_power: float
    mean_power: float
    work: float
    driving: float
    braking: float
    cycle_work: float | None


@dataclass(frozen=True, eq=False, repr=False)
class Sizing:
    """Loads of a run by joint and by drive.

    Attributes
    ----------
    bearings : list of BearingLoad
    drives : list of DriveLoad
    """

    solution: Any
    bearings: tuple[BearingLoad, ...]
    drives: tuple[DriveLoad, ...]
    cycle: float | None

    def series(self, name: str, what: str = "force") -> Array:
        """A load over time: force, torque, radial or axial of a joint, or a drive's effort."""
        if name in (x.name for x in self.drives):
            return effort_of(self.solution, name)
        if name not in (x.name for x in self.bearings):
            known = [*(x.name for x in self.bearings), *(x.name for x in self.drives)]
            raise OptionError(f"sizing: there is no joint or drive {name!r}{nearest(name, known)}")
        loads = _loads(self.solution, name)
        if what not in loads or loads[what] is None:
            have = ", ".join(k for k, x in loads.items() if x is not None)
            raise OptionError(f"sizing: {name!r} has no {what!r}. It has {have}.")
        return np.asarray(loads[what])

    def histogram(self, name: str, what: str = "force", bins: int = 10) -> tuple[Array, Array]:
        """Cycles of a load by their range, counted by rainflow: counts and edges of the bins."""
        return histogram(self.series(name, what), bins)

    def summary(self) -> str:
        """Two tables: bearings, drives."""
        parts = []
        if self.bearings:
            head = ["joint", "peak N", "RMS N", "radial", "axial", "peak N m", "RMS N m", "at s"]
            newton = ROUNDING * max(x.peak_force for x in self.bearings)
            torque = max(x.peak_torque for x in self.bearings)
            metre = ROUNDING * max(torque, max(x.peak_force for x in self.bearings))
            rows = [
                [
                    x.name + ("" if x.unique else " *"),
                    *(
                        _shown(load, newton)
                        for load in (x.peak_force, x.rms_force, x.peak_radial, x.peak_axial)
                    ),
                    *(_shown(load, metre) for load in (x.peak_torque, x.rms_torque)),
                    _shown(x.t_peak),
                ]
                for x in self.bearings
            ]
            parts.append(text_table(head, rows))
            if not all(x.unique for x in self.bearings):
                parts.append(
                    "* not unique: joints share a load that the motion does not determine; the"
                    " least ones are given."
                )
        if self.drives:
            head = [
                "drive",
                "peak",
                "RMS",
                "unit",
                "peak W",
                "mean W",
                "work J",
                "driving",
                "braking",
            ]
            head += ["a cycle J"] if self.cycle else []
            rows = [
                [
                    x.name,
                    *map(_shown, (x.peak_effort, x.rms_effort)),
                    x.unit,
                    *map(_shown, (x.peak_power, x.mean_power, x.work, x.driving, x.braking)),
                    *([_shown(x.cycle_work)] if self.cycle else []),
                ]
                for x in self.drives
            ]
            parts.append(text_table(head, rows))
        return "\n\n".join(parts) if parts else "Nothing is held or driven."

    def report(self) -> dict[str, Any]:
        """All of it as data."""
        return {
            "bearings": [asdict(x) for x in self.bearings],
            "drives": [asdict(x) for x in self.drives],
            "cycle": self.cycle,
        }

    def __repr__(self) -> str:
        return f"Sizing({len(self.bearings)} joints, {len(self.drives)} drives)"


def sizing(solution: Any, names: Sequence[str] = (), *, cycle: float | None = None) -> Sizing:
    """Bearing loads by joint, and torque, power and work of drives, of a run.

    Parameters
    ----------
    solution : Solution of a model of bodies; `kinematics(...).solution`, too
    names : joints and drives; by default all
    cycle : length of a cycle [s]; work a cycle is that of the last one

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("fan", gravity=(0, 0, 0))
    >>> blade = model.add_body("blade", dl.Inertia.point(2.0))
    >>> hinge = model.add_joint(dl.Revolute(model.world, blade.at(x=-0.5), name="hinge"))
    >>> _ = model.add_joint(dl.Motion(hinge, value=4 * dl.time, name="drive"))
    >>> loads = dl.sizing(dl.simulate(model, until=1.0, step=0.01))
    >>> round(loads.bearings[0].peak_radial, 9)  # m r w^2
    16.0
    """
    model = getattr(solution, "model", None)
    if model is None or not hasattr(solution, "reaction"):
        raise OptionError(
            f"sizing: {solution!r:.60} is no solution. Give what dl.simulate returns."
        )
    if not model.bodies:
        raise OptionError(
            f"sizing: model {model.name!r} is made of coordinates, which have no joints. Read its"
            " multipliers: solution['name.force']."
        )
    if not len(solution.t) > 1:
        raise OptionError("sizing: there are less than two samples.")
    if cycle is not None and not (np.isfinite(cycle) and cycle > 0.0):
        raise OptionError(f"sizing: cycle is {cycle!r}. Give its length in seconds.")
    if cycle is not None and cycle > (solution.t[-1] - solution.t[0]) * (1 + 1e-9):
        raise OptionError(f"sizing: a cycle of {cycle:g} s is longer than the run.")
    joints = [x for x in model.joints if not isinstance(model.joints[x], Motion)]
    drives = [x for x in model.joints if _is_drive(model, x)]
    drives += [x for x, f in model.forces.items() if isinstance(f, OnJoint)]
    drives = [x for x in drives if _has_effort(solution, x)]
    known = [*joints, *drives]
    for name in names:
        if name not in known:
            raise OptionError(f"sizing: there is no joint or drive {name!r}{nearest(name, known)}")
    chosen = set(names or known)
    return Sizing(
        solution,
        tuple(_bearing(solution, x) for x in joints if x in chosen),
        tuple(_drive(solution, x, cycle) for x in drives if x in chosen),
        cycle,
    )


def _is_drive(model: Any, name: str) -> bool:
    return isinstance(model.joints[name], Motion) and len(model.joints[name]) == 1


def _has_effort(solution: Any, name: str) -> bool:
    return name in solution.model.joints or works.has_effort(solution.model, name)


# -- joints ----------------------------------------------------------------------------------------


def _loads(solution: Any, name: str) -> dict[str, Array | None]:
    """Sizes of force and torque over time, and the parts along and across the axis."""
    found = solution.reaction(name)
    force, torque = _known(found.force), _known(found.torque)
    joint: Any = solution.model.joints[name]
    loads: dict[str, Array | None] = {
        "force": np.linalg.norm(force, axis=1),
        "torque": np.linalg.norm(torque, axis=1),
        "radial": None,
        "axial": None,
    }
    if isinstance(joint, AxisJoint):
        axis = solution.trajectory.place(joint.frames[0])[1][:, :, 2]
        along = np.sum(force * axis, axis=1)
        loads["axial"] = along
        loads["radial"] = np.linalg.norm(force - along[:, None] * axis, axis=1)
    return loads


def _bearing(solution: Any, name: str) -> BearingLoad:
    loads = _loads(solution, name)
    t, force, torque = solution.t, loads["force"], loads["torque"]
    assert force is not None
    assert torque is not None
    return BearingLoad(
        name,
        float(force.max()),
        rms(t, force),
        float(torque.max()),
        rms(t, torque),
        None if loads["radial"] is None else float(loads["radial"].max()),
        None if loads["axial"] is None else float(np.abs(loads["axial"]).max()),
        float(t[int(np.argmax(force))]),
        solution.reaction(name).unique is not False,
    )


# -- drives ----------------------------------------------------------------------------------------


def effort_of(solution: Any, name: str) -> Array:
    """Torque or force of a drive over time."""
    if name in solution.model.joints:
        return _known(works.effort(solution, name))
    return _known(solution[f"{name}.effort"])


def _drive(solution: Any, name: str, cycle: float | None) -> DriveLoad:
    model, t = solution.model, solution.t
    element: Any = model.joints.get(name) or model.forces[name]
    effort, power = effort_of(solution, name), _known(solution.power(name))
    speed = _known(works.speed(solution, name))
    unit = "N m" if element.coordinate == "angle" else "N"
    work = _known(solution.work(name))
    driving = float(np.maximum(np.diff(work), 0.0).sum())
    braking = float(np.minimum(np.diff(work), 0.0).sum())
    last = None
    if cycle is not None:
        last = float(work[-1] - np.interp(t[-1] - cycle, t, work))
    return DriveLoad(
        name,
        element.unit if isinstance(element, Motion) else unit,
        float(np.abs(effort).max()),
        rms(t, effort),
        float(np.abs(speed).max()),
        float(np.abs(power).max()),
        float(work[-1] / (t[-1] - t[0])),
        float(work[-1]),
        driving,
        braking,
        last,
    )


def rms(t: Array, x: Array) -> float:
    """Root of the mean square over time, samples at any distances."""
    return float(np.sqrt(max(0.0, cumulative(t, x * x)[0][-1]) / (t[-1] - t[0])))


def _known(x: Any) -> Array:
    return np.where(np.isfinite(x), x, 0.0)


def _shown(x: float | None, nothing: float = 0.0) -> str:
    return "-" if x is None else "0" if abs(x) <= nothing else f"{x:.5g}"
