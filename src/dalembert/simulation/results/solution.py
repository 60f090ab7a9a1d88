"""The result of a run: plain arrays, names, and what happened."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.errors import OptionError
from dalembert.model.basics.by_name import formula_of, frame_names, joint_names
from dalembert.simulation.prepare.turns import Turns
from dalembert.simulation.results import (
    interpolation,
    peaks,
    report,
    resampling,
    sensing,
    storage,
    values,
)
from dalembert.simulation.results import reaction as reactions
from dalembert.simulation.results import verdict as verdicts
from dalembert.simulation.results import work as works
from dalembert.simulation.results.contact_results import ContactPoint, Touch
from dalembert.simulation.results.peaks import Peak
from dalembert.simulation.results.statics import Statics
from dalembert.simulation.results.trajectory import Trajectory
from dalembert.simulation.status import Status

if TYPE_CHECKING:
    import pandas as pd

    from dalembert.model import Model
    from dalembert.simulation.prepare.controllers import Commands

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class EventRecord:
    """One event that occurred: its name, moment and state."""

    name: str
    t: float
    q: Array
    v: Array

    def __eq__(self, other: object) -> bool:
        """Same name, moment and state, to the bit."""
        if not isinstance(other, EventRecord):
            return NotImplemented
        same = (self.name, self.t) == (other.name, other.t)
        return same and np.array_equal(self.q, other.q) and np.array_equal(self.v, other.v)

    def __hash__(self) -> int:
        """Hash of name and moment."""
        return hash((self.name, self.t))


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """Results of a run.

    Attributes
    ----------
    t : (k,)                  sample moments  [s]
    q, v, a : (k, n)          coordinates, velocities, accelerations; a body has 7, 6 and 6
    lam : (k, m)              multipliers: the generalised constraint force is J^T lam
    phi : (k, mh)             position-level violation of the holonomic rows
    phi_dot : (k, m)          velocity-level violation of all rows
    kinetic, potential : (k,) energies [J]; potential is None when the model states none
    coordinate_names : tuple of str
    row_names : tuple of str  holonomic rows first, then velocity rows
    constraint_slices : dict  constraint name -> its columns in lam
    events : tuple of EventRecord
    model, method, integrator, step : what was run
    status, message           how it ended, as a code and as a sentence
    statistics : dict         steps, rejected, evaluations, cpu_time, rank_min, rank_max, ...
    worst : dict              phi, phi_dot over *all* steps, phi_row, phi_dot_row: where
    initial_move : dict       q, v: how far the initial state was moved onto the constraints
    commands : Commands       what controllers commanded, or None
    touch : Touch             contacts and reports of steps, or None
    angles : (k, h)           angles of hinges with the turns counted in the run, or None

    Notes
    -----
    ``solution[signal]`` gives a series: a coordinate, a velocity, any formula of them and its
    ``.dot`` and ``.ddot``, a constraint's ``.force``, or a name: ``"x"``, ``"x.dot"``,
    ``"trunk.roll"``, ``"knee.angle.ddot"``, ``"energy"``, ``"mount.force"``, ``"motor.effort"``,
    ``"imu.ax"``.

    Examples
    --------
    >>> import dalembert as dl
    >>> solution = dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-3)
    >>> solution
    Solution('pendulum', 0 to 1 s, 1001 samples, OK)
    >>> bool(solution["energy"].max() - solution["energy"].min() < 1e-9)
    True
    """

    t: Array
    q: Array
    v: Array
    a: Array
    lam: Array
    phi: Array
    phi_dot: Array
    kinetic: Array
    potential: Array | None
    coordinate_names: tuple[str, ...]
    row_names: tuple[str, ...]
    constraint_slices: Mapping[str, Any]
    model: Model
    method: Any
    integrator: Any
    step: float | None = None
    events: tuple[EventRecord, ...] = ()
    status: Status = Status.OK
    message: str = ""
    statistics: Mapping[str, Any] = field(default_factory=dict)
    worst: Mapping[str, Any] = field(default_factory=dict)
    initial_move: Mapping[str, float] = field(default_factory=dict)
    commands: Commands | None = None
    touch: Touch | None = None
    angles: Array | None = None

    # -- reading -----------------------------------------------------------------------------

    @property
    def velocity_names(self) -> tuple[str, ...]:
        """Names of the columns of v: ``x.dot``, or ``ship.wx`` for an angular velocity."""
        return tuple(repr(x) for x in values.velocity_symbols(self.model))

    @property
    def acceleration_names(self) -> tuple[str, ...]:
        """Names of the columns of a: ``x.ddot``, ``ship.wx.dot``."""
        return tuple(
            f"{name[:-4]}.ddot" if name.endswith(".dot") else f"{name}.dot"
            for name in self.velocity_names
        )

    @property
    def energy(self) -> Array | None:
        """Kinetic plus potential energy [J]; None when the model states no potential."""
        return None if self.potential is None else self.kinetic + self.potential

    def __getitem__(self, signal: Any) -> Array:
        """Series of a formula, a name, a constraint force, or an array of these."""
        from dalembert.formulas.node import Node
        from dalembert.model.basics.constraint import ConstraintForce

        if isinstance(signal, str):
            return self._named(signal)
        if isinstance(signal, ConstraintForce):
            return self._force(signal.name)
        if isinstance(signal, Node):
            return self._formulas([signal])[0]
        if isinstance(signal, list | tuple | np.ndarray):
            return np.stack([self[part] for part in signal], axis=1)
        raise TypeError(
            f"solution[...] takes a formula, a name or a constraint's .force, not {signal!r}."
            " For a sample by number use solution.q[i]."
        )

    def __iter__(self) -> Any:
        """Refused: it is not clear whether samples or signals were meant."""
        raise TypeError("A Solution is not a sequence. Use solution.t, solution.q, solution['x'].")

    def at(self, t: ArrayLike) -> tuple[Array, Array]:
        """Coordinates and velocities at any moment between the first and the last sample.

        Quintic Hermite interpolation of the recorded (q, v, a); exact at samples, error of order
        (sample spacing)^6 in q and ^5 in v. A scalar ``t`` gives two vectors, an array of shape
        (j,) two arrays of shape (j, n), and so on.
        """
        times = np.asarray(t, dtype=float)
        if not len(self.t):
            raise OptionError(
                "solution.at: nothing was recorded, as the run ended before the first of `times`."
                " Ask for earlier ones, or leave `times` out."
            )
        flat = interpolation.checked_times(times.ravel(), float(self.t[0]), float(self.t[-1]))
        if len(self.t) == 1:
            q, v = np.repeat(self.q, len(flat), axis=0), np.repeat(self.v, len(flat), axis=0)
        elif self.touch is not None:
            q, v = interpolation.linear(flat, self.t, self.q, self.v)
            q = values.with_unit_quaternions(self.model, q)
        else:
            qdot, qddot = values.rates(self.model, self.q, self.v, self.a)
            before = None
            if self.commands is not None:
                ends = resampling.before(self)
                before = values.rates(self.model, self.q, self.v, ends)[1]
            q, v = interpolation.quintic(flat, self.t, self.q, qdot, qddot, before)
            q, v = values.body_state(self.model, q, v)
        return q.reshape(*times.shape, q.shape[1]), v.reshape(*times.shape, v.shape[1])

    def sampled(self, signal: Any, t: ArrayLike) -> Array:
        """A formula's value at any moments, from the interpolated state."""
        times = np.atleast_1d(np.asarray(t, dtype=float))
        q, v = self.at(times.ravel())
        return self._formulas([signal], times.ravel(), q, v)[0].reshape(times.shape)

    def sensor(self, name: Any, times: ArrayLike | None = None) -> sensing.Reading:
        """Signals of a sensor at every sample, or at given moments of the run.

        Parameters
        ----------
        name : sensor of the model, or its name
        times : moments  [s]
            States are interpolated there; forces and accelerations follow from the equations.

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("pendulum")
        >>> rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
        >>> hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y"))
        >>> imu = model.add_sensor(dl.IMU(rod.at(x=0.5), name="imu"))
        >>> solution = dl.simulate(model, until=0.1, step=1e-2)
        >>> solution.sensor("imu")
        Reading('imu': ax, ay, az, wx, wy, wz; 11 moments)
        >>> solution.sensor("imu", times=[0.0, 0.055])["az"].round(3)
        array([-4.905, -4.904])
        """
        return sensing.reading(self, name, times)

    # -- contact -----------------------------------------------------------------------------

    def contacts(self, t: float | None = None) -> list[ContactPoint]:
        """Contacts at the last sample up to a moment (by default the end), with their forces.

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("drop")
        >>> floor = model.add_shape(dl.Plane(), name="floor")
        >>> ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.1))
        >>> round_one = model.add_shape(dl.Sphere(0.1), on=ball)
        >>> solution = dl.simulate(model, until=0.1, step=1e-2)
        >>> [(c.a, c.b, c.state) for c in solution.contacts()]
        [('floor', 'ball.sphere', 'sticking')]
        >>> solution.contact_force("ball", "floor")[-1].round(6)
        array([0.  , 0.  , 9.81])
        """
        touch = self._touch("contacts")
        if not len(self.t):
            return []
        moment = float(self.t[-1]) if t is None else float(t)
        slack = 1e-9 * max(1.0, abs(moment))
        sample = int(np.searchsorted(self.t, moment + slack, side="right")) - 1
        return touch.at(max(sample, 0))

    def contact_force(self, on: Any, by: Any = None) -> Array:
        """Force of all contacts on a body or shape by another, at every sample (k, 3)  [N].

        Parameters
        ----------
        on, by : body, shape, or the name of one; "world" is what does not move
            Without `by` the force of everything that touches it.

        Notes
        -----
        It is the impulse of the step that led to the sample, over its length; at the first sample
        it is not known (NaN).
        """
        return self._touch("contact_force").force_between(on, by)

    @property
    def solve_info(self) -> dict[str, Array]:
        """Reports of the steps' solves at the samples: residual [m/s], penetration [m], ...

        ``statistics["contact"]`` has the worst over all steps.
        """
        return self._touch("solve_info").info

    def _touch(self, what: str) -> Touch:
        if self.touch is None:
            raise OptionError(
                f"solution.{what}: {type(self.method).__name__} knows no contacts. Simulate with"
                " dl.ContactImpulse()."
            )
        return self.touch

    # -- forces ------------------------------------------------------------------------------

    def reaction(
        self, name: Any, *, on: Any = None, frame: Any = "world", about: Any = None
    ) -> reactions.Reaction:
        """Force and torque of a joint, drive or constraint on a body, at every sample.

        Parameters
        ----------
        name : joint or constraint of a model of bodies, or its name
        on : body, or its name
            The body it acts on; by default the joint's second. "world" gives what the ground feels.
        frame : body, Frame, "body/frame", or "world"
            Along whose axes the components are; those of a body turn with it.
        about : body, Frame or "body/frame"
            Point about which the torque is taken; a body stands for its centre of mass. By default
            the joint's origin on that body; for a formula constraint the body's centre of mass.

        Notes
        -----
        Where joints hold the same motion more than once single reactions are not unique; they are
        marked, and the least ones are given (`simulation.results.statics`).

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("pendulum")
        >>> rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
        >>> hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y"))
        >>> solution = dl.simulate(model, until=0.1, step=1e-2)
        >>> solution.reaction(hinge).force[0].round(3)  # released from the horizontal
        array([0.   , 0.   , 2.452])
        """
        return reactions.reaction(self, name, on, frame, about)

    def peaks(self, *names: str) -> list[Peak]:
        """The largest reactions, motor torques and powers, with moment and unit.

        Parameters
        ----------
        *names : joints, constraints, drives and forces; by default all

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("pendulum")
        >>> rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
        >>> hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="pin"))
        >>> solution = dl.simulate(model, until=0.1, step=1e-2)
        >>> for peak in solution.peaks("pin"):
        ...     print(peak.what, round(peak.value, 3), peak.unit, "at", round(peak.t, 3), "s")
        force 3.038 N at 0.1 s
        torque 0.0 N m at 0.0 s
        """
        return peaks.peaks(self, names)

    def power(self, name: Any) -> Array:
        """Power of a force, drive, joint or constraint on the bodies, at every sample  [W].

        Parameters
        ----------
        name : force, joint or constraint of a model of bodies, or its name
            Joints do no work unless they contain time, as drives do.

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("flywheel", gravity=(0, 0, 0))
        >>> disc = model.add_body("disc", dl.Inertia.cylinder(mass=2.0, radius=1.0, length=0.1))
        >>> hinge = model.add_joint(dl.Revolute(model.world, disc, axis="z"))
        >>> motor = model.add_force(dl.Torque(disc, about="z", value=3.0, name="motor"))
        >>> solution = dl.simulate(model, until=1.0, step=0.1)
        >>> round(float(solution.power("motor")[-1]), 6), round(float(solution.work(motor)[-1]), 6)
        (9.0, 4.5)
        """
        return works.power(self, name)

    def work(self, name: Any) -> Array:
        """Work of a force, drive, joint or constraint from the first sample on  [J].

        The integral of `power` over the samples, of order six in their spacing.
        """
        return works.work(self, name)

    @cached_property
    def balance(self) -> works.Balance | None:
        """Change of energy against work, at every sample; None where that is not known."""
        return works.balance(self)

    @cached_property
    def trajectory(self) -> Trajectory:
        """Places and velocities of the bodies at the samples (models of bodies)."""
        held = None if self.commands is None else self.commands.held(self.t)
        return Trajectory(self.model, self.t, self.q, self.v, held, self.turned)

    @cached_property
    def turned(self) -> Turns | None:
        """Full turns of joints, as the run counted them; None where there are none."""
        return Turns.of(self.model, self.t, self.q, self.v, self.angles)

    @cached_property
    def statics(self) -> Statics:
        """Multipliers of least reactions, and which reactions are unique (models of bodies)."""
        return Statics(self)

    @cached_property
    def memory(self) -> dict[str, Any]:
        """Memory in which readers of results keep what they may need again."""
        return {}

    # -- telling -----------------------------------------------------------------------------

    @cached_property
    def verdict(self) -> verdicts.Verdict:
        """How far the run can be trusted: good, doubtful or failed, and why."""
        return verdicts.judge(self, report.figures(self))

    def summary(self) -> str:
        """The fidelity report: what was run, how well the constraints held, what it cost."""
        return report.text(self)

    def report(self) -> dict[str, Any]:
        """The fidelity report as a dictionary of plain values (what ``--json`` prints)."""
        return report.values(self)

    def __repr__(self) -> str:
        """One line: model, interval, samples, status."""
        if not len(self.t):
            return f"Solution({self.model.name!r}, no samples, {self.status.name})"
        span = f"{self.t[0]:g} to {self.t[-1]:g} s"
        return f"Solution({self.model.name!r}, {span}, {len(self.t)} samples, {self.status.name})"

    def _repr_html_(self) -> str:
        """The report, curves and the player, for notebooks; never fails."""
        from html import escape

        try:
            from dalembert.simulation.results.html import of_solution

            return of_solution(self)
        except Exception:  # a display must not stop a notebook
            return f"<pre>{escape(repr(self))}</pre>"

    # -- keeping -----------------------------------------------------------------------------

    def save(self, path: str | Path) -> Path:
        """Write everything, the model included, to one .npz file and return its path."""
        return storage.save(self, path)

    def save_html(self, path: str | Path, **options: Any) -> Path:
        """Write a page that plays the run in any browser, offline; options of `dl.save_html`."""
        import dalembert  # the page is made by a folder above this one

        return Path(dalembert.save_html(self, path, **options))

    @classmethod
    def load(cls, path: str | Path) -> Solution:
        """Read what `save` wrote."""
        return load_solution(path)

    def export(self, path: str | Path) -> Path:
        """Write the series for other programs; the ending of the name says the format.

        ``.csv``, ``.json``, ``.npz`` (one column a series, as in `to_numpy`), ``.h5`` (extra
        ``hdf5``), ``.parquet`` (with pyarrow), ``.nc`` (netCDF, with xarray).
        """
        from dalembert.simulation.results.export import export

        return export(self, path)

    def to_numpy(self) -> dict[str, Array]:
        """Every series by name: ``t``, coordinates, ``.dot``, multipliers, violations, energies.

        Columns: ``x``, ``x.dot``, ``x.ddot``, ``lam[row]``, ``phi[row]``, ``phi_dot[row]``,
        signals of sensors, ``imu.ax``; of bodies also their frames, ``trunk.x``, ``trunk.roll``,
        and the coordinates of joints, ``knee.angle`` and ``knee.angle.dot``.
        """
        columns: dict[str, Array] = {"t": self.t}
        for names, block in (
            (self.coordinate_names, self.q),
            (self.velocity_names, self.v),
            (self.acceleration_names, self.a),
        ):
            columns |= zip(names, block.T, strict=True)
        for label, block in (("lam", self.lam), ("phi", self.phi), ("phi_dot", self.phi_dot)):
            for i in range(block.shape[1]):
                columns[f"{label}[{self.row_names[i]}]"] = block[:, i]
        columns["kinetic"] = self.kinetic
        if self.potential is not None:
            columns["potential"] = self.potential
        return columns | self._by_name() | sensing.columns(self)

    def _by_name(self) -> dict[str, Array]:
        """Frames of bodies and coordinates of joints, with the rates of these."""
        if not self.model.is_maximal:
            return {}
        names = list(frame_names(self.model))
        for name in joint_names(self.model):
            names += [name, f"{name}.dot"]
        formulas = [formula_of(self.model, name) for name in names]
        return dict(zip(names, self._formulas(formulas), strict=True))

    def to_pandas(self) -> pd.DataFrame:
        """The columns of `to_numpy` as a DataFrame indexed by time."""
        try:
            import pandas as pd
        except ImportError as problem:
            raise OptionError(
                "to_pandas needs pandas, which is not installed."
                " Install it (pip install pandas), or use to_numpy()."
            ) from problem
        columns = self.to_numpy()
        return pd.DataFrame(columns).set_index("t")

    def to_xarray(self) -> Any:
        """The arrays as an ``xarray.Dataset`` over time, with named columns."""
        from dalembert.simulation.results.export import to_xarray

        return to_xarray(self)

    # -- private -----------------------------------------------------------------------------

    def _named(self, name: str) -> Array:
        for names, block in (
            (self.acceleration_names, self.a),
            (self.velocity_names, self.v),
            (self.coordinate_names, self.q),
        ):
            if name in names:
                return block[:, names.index(name)]
        owner, _, part = name.rpartition(".")
        if part == "force" and owner in self.constraint_slices:
            return self._force(owner)
        if part in ("force", "effort") and self.touch is not None:
            found = self.touch.force_of(owner)
            if found is not None:
                return found
        if part == "friction" and self.touch is not None:
            found = self.touch.force_of(name)
            if found is not None:
                return found
        if part == "effort" and works.has_effort(self.model, owner):
            return works.effort(self, owner)
        if owner in self.model.sensors:
            return sensing.reading(self, owner)[part]
        if self.commands is not None and name in self.commands.names:
            return self.commands.held(self.t)[name]
        if name in ("t", "time"):
            return self.t
        if name == "kinetic":
            return self.kinetic
        if name in ("potential", "energy"):
            series = self.potential if name == "potential" else self.energy
            if series is None:
                raise OptionError(
                    f"Model {self.model.name!r} states no potential energy, so {name!r} is unknown."
                    " Give `potential=` when describing the model."
                )
            return series
        formula = formula_of(self.model, name)
        if formula is not None:
            return self._formulas([formula])[0]
        raise OptionError(self._unknown(name))

    def _force(self, constraint: str) -> Array:
        if constraint not in self.constraint_slices:
            found = None if self.touch is None else self.touch.force_of(constraint)
            if found is not None:
                return found
            raise OptionError(self._unknown(constraint))
        columns = self.lam[:, self.constraint_slices[constraint]]
        return columns[:, 0] if columns.shape[1] == 1 else columns

    def _unknown(self, name: str) -> str:
        known = [*self.coordinate_names, "energy", "kinetic", "potential", "t"]
        known += [*joint_names(self.model), *frame_names(self.model)]
        known += self.velocity_names
        known += [f"{c}.force" for c in self.constraint_slices]
        known += [f"{n}.effort" for n in self.model.forces if works.has_effort(self.model, n)]
        known += [f"{n}.{s}" for n, sensor in self.model.sensors.items() for s in sensor.signals]
        near = difflib.get_close_matches(name, [*known, *self.constraint_slices], n=1, cutoff=0.5)
        # A constraint is not a series; its force is.
        found = [f"{n}.force" if n in self.constraint_slices else n for n in near]
        hint = f" Did you mean {found[0]!r}?" if found else ""
        return f"Model {self.model.name!r} has no signal {name!r}.{hint} {self._known()}"

    def _known(self) -> str:
        """Signals there are, a few of a large model."""
        if not self.model.is_maximal:
            return f"Coordinates: {', '.join(self.coordinate_names)}."
        body = next(iter(self.model.bodies))
        some = [f"{body}.{part}" for part in ("x", "roll", "x.dot", "wx")]
        some += itertools.islice(joint_names(self.model), 2)
        return f"There are for example {', '.join(some)}; each with .dot and .ddot."

    def _formulas(
        self,
        formulas: list[Any],
        t: Array | None = None,
        q: Array | None = None,
        v: Array | None = None,
    ) -> list[Array]:
        """Evaluate formulas on samples (of the run unless given)."""
        from dalembert.formulas.evaluate import evaluate
        from dalembert.formulas.graph import symbols

        t = self.t if t is None else t
        q = self.q if q is None else q
        v = self.v if v is None else v
        held = None if self.commands is None else self.commands.held(t)
        known = values.known_values(self.model, formulas, t, q, v, held, self.turned)
        if symbols(formulas, "acceleration"):
            known |= values.accelerations(self.model, self.a if t is self.t else self._rates(t))
        moving = symbols(formulas, "coordinate", "velocity", "acceleration")
        unknown = [s for s in moving if s not in known]
        if unknown:
            raise OptionError(self._unknown(unknown[0].name))
        series = evaluate(formulas, known)
        return [np.broadcast_to(np.asarray(s, dtype=float), t.shape).copy() for s in series]

    def _rates(self, t: Array) -> Array:
        """Accelerations at other moments, from the equations there."""
        every, back = np.unique(t, return_inverse=True)
        return resampling.resampled(self, every).a[back]


def load_solution(path: str | Path) -> Solution:
    """Read a run saved by `Solution.save` or kept in a folder, finished or not.

    Examples
    --------
    >>> import dalembert as dl
    >>> solution = dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-3)
    >>> path = solution.save("run.npz")
    >>> load_solution(path)
    Solution('pendulum', 0 to 1 s, 1001 samples, OK)
    """
    if Path(path).is_dir():
        from dalembert.simulation.rundir import reading

        return reading.load(path)
    return storage.load(path, Solution, EventRecord)
