"""The result of a run: what was recorded, and the ways to read it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.errors import OptionError
from dalembert.simulation.hybrid.log import Happening
from dalembert.simulation.results.recorded import EventRecord, Recorded

if TYPE_CHECKING:
    import pandas as pd

    from dalembert.simulation.results.contact_results import ContactPoint, Touch
    from dalembert.simulation.results.peaks import Peak
    from dalembert.simulation.results.reaction import Reaction
    from dalembert.simulation.results.sensing import Reading
    from dalembert.simulation.results.statics import Statics
    from dalembert.simulation.results.verdict import Verdict
    from dalembert.simulation.results.work import Balance

__all__ = ["EventRecord", "Solution"]

Array = NDArray[np.float64]


def _reader(name: str) -> Any:
    """A module that reads solutions, `simulation.results.<name>`, loaded when it is asked for."""
    return import_module(f"{__package__}.{name}")


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Recorded):
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

    # -- reading -----------------------------------------------------------------------------

    @property
    def log(self) -> tuple[Happening, ...]:
        """Entries of what happened in a run with located events, in the order of time.

        Impacts, contacts that close and open, stick and slip; each has ``t``, ``kind``,
        ``contact``, ``law``, ``before``, ``after``, ``impulse``. None in other runs.
        """
        rows = self.statistics.get("log", ())
        return tuple(Happening(*row) for row in rows)

    @property
    def phases(self) -> dict[str, tuple[tuple[float, float, str], ...]]:
        """Name of a contact -> spans (from, to, mode) that follow from the log.

        Modes are "open", "closed" (without friction), "stick" and "slip"; of a contact of several
        points "stick" if one of them sticks, else "slip" if one slides.
        """
        found: dict[str, Any] = {}
        if len(self.t):
            ends = float(self.t[0]), float(self.t[-1])
            found = _reader("phases").phases_of(self.log, *ends)
        return found

    def __getitem__(self, signal: Any) -> Array:
        """Series of a formula, a name, a constraint force, or an array of these."""
        found: Array = _reader("signals").series(self, signal)
        return found

    def at(self, t: ArrayLike) -> tuple[Array, Array]:
        """Coordinates and velocities at any moment between the first and the last sample.

        Quintic Hermite interpolation of the recorded (q, v, a); exact at samples, error of order
        (sample spacing)^6 in q and ^5 in v. A scalar ``t`` gives two vectors, an array of shape
        (j,) two arrays of shape (j, n), and so on.
        """
        q, v = _reader("states_between").state_at(self, np.asarray(t, dtype=float))
        return q, v

    def sampled(self, signal: Any, t: ArrayLike) -> Array:
        """Value of a formula or signal at any moments, from the interpolated state."""
        times = np.atleast_1d(np.asarray(t, dtype=float))
        found: Array = _reader("signals").sampled(self, signal, times)
        return found

    def sensor(self, name: Any, times: ArrayLike | None = None) -> Reading:
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
        found: Reading = _reader("sensing").reading(self, name, times)
        return found

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
    ) -> Reaction:
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
        found: Reaction = _reader("reaction").reaction(self, name, on, frame, about)
        return found

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
        found: list[Peak] = _reader("peaks").peaks(self, names)
        return found

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
        found: Array = _reader("work").power(self, name)
        return found

    def work(self, name: Any) -> Array:
        """Work of a force, drive, joint or constraint from the first sample on  [J].

        The integral of `power` over the samples, of order six in their spacing; a warning tells
        where they are too far apart for it.
        """
        found: Array = _reader("work").work(self, name)
        return found

    @cached_property
    def balance(self) -> Balance | None:
        """Change of energy against work, at every sample; None where that is not known."""
        found: Balance | None = _reader("work").balance(self)
        return found

    @cached_property
    def statics(self) -> Statics:
        """Multipliers of least reactions, and which reactions are unique (models of bodies)."""
        found: Statics = _reader("statics").Statics(self)
        return found

    # -- telling -----------------------------------------------------------------------------

    @cached_property
    def verdict(self) -> Verdict:
        """How far the run can be trusted: good, doubtful or failed, and why."""
        figures = _reader("figures").figures(self)
        found: Verdict = _reader("verdict").judge(self, figures)
        return found

    def summary(self) -> str:
        """The fidelity report: what was run, how well the constraints held, what it cost."""
        return str(_reader("report").text(self))

    def report(self) -> dict[str, Any]:
        """The fidelity report as a dictionary of plain values (what ``--json`` prints)."""
        return dict(_reader("report").values(self))

    def _repr_html_(self) -> str:
        """The report, curves and the player, for notebooks; never fails."""
        from html import escape

        try:
            return str(_reader("html").of_solution(self))
        except Exception:  # a display must not stop a notebook
            return f"<pre>{escape(repr(self))}</pre>"

    # -- keeping -----------------------------------------------------------------------------

    def save(self, path: str | Path) -> Path:
        """Write everything, the model included, to one .npz file and return its path."""
        return Path(_reader("storage").save(self, path))

    def save_html(self, path: str | Path, **options: Any) -> Path:
        """Write a page that plays the run in any browser, offline; options of `dl.save_html`."""
        import dalembert  # the page is made by a folder above this one

        return Path(dalembert.save_html(self, path, **options))

    @classmethod
    def load(cls, path: str | Path) -> Solution:
        """Read what `save` wrote."""
        import dalembert  # runs in folders are read by a room above this one

        found: Solution = dalembert.load_solution(path)
        return found

    def export(self, path: str | Path) -> Path:
        """Write the series for other programs; the ending of the name says the format.

        ``.csv``, ``.json``, ``.npz`` (one column a series, as in `to_numpy`), ``.h5`` (extra
        ``hdf5``), ``.parquet`` (with pyarrow), ``.nc`` (netCDF, with xarray).
        """
        return Path(_reader("export").export(self, path))

    def to_numpy(self) -> dict[str, Array]:
        """Every series by name: ``t``, coordinates, ``.dot``, multipliers, violations, energies.

        Columns: ``x``, ``x.dot``, ``x.ddot``, ``lam[row]``, ``phi[row]``, ``phi_dot[row]``,
        signals of sensors, ``imu.ax``; of bodies also their frames, ``trunk.x``, ``trunk.roll``,
        and the coordinates of joints, ``knee.angle`` and ``knee.angle.dot``.
        """
        found: dict[str, Array] = _reader("columns").columns(self)
        return found

    def to_pandas(self) -> pd.DataFrame:
        """The columns of `to_numpy` as a DataFrame indexed by time."""
        return _reader("columns").frame(self)

    def to_xarray(self) -> Any:
        """The arrays as an ``xarray.Dataset`` over time, with named columns."""
        return _reader("export").to_xarray(self)
