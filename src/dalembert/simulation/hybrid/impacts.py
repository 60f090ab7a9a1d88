"""Impacts of a run: contacts that are struck, impacts that come ever faster, entries of the log."""

from __future__ import annotations

import bisect
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.contact.events.forces import phase_forces
from dalembert.contact.events.layout import IDLE
from dalembert.contact.run.run_layout import ContactRun
from dalembert.integration.loop.phase_steps import FAR
from dalembert.simulation.hybrid.candidates import (
    CLOSED_MODES,
    ROLLING,
    SLOW,
    SPIN,
    Candidate,
    Key,
    closed,
    entries,
    write,
)
from dalembert.simulation.hybrid.decide import GIVEN
from dalembert.simulation.hybrid.impact import strike_all
from dalembert.simulation.hybrid.islands import islands_of
from dalembert.simulation.hybrid.log import Happening
from dalembert.simulation.hybrid.often import left_of
from dalembert.simulation.hybrid.rims import aim, point_of
from dalembert.system.borders import OK
from dalembert.system.tables import RECORD

CALM = 1e-3
"""Speed of approach [m/s] of contacts that are brought to rest where impacts do not come to an end
by themselves."""

UNITS = 8 * 2.2e-16
"""Rounding of gaps, over how far things are from the origin."""

LITTLE = 10.0
"""Sliding, over the normal velocities of such impacts, that ends with them."""


class Impacts:
    """Strikes the contacts of a run, and remembers when."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.contacts: list[Candidate] = []
        self.happened: list[Happening] = []
        self.impacts: dict[Key, list[float]] = {}
        self.ahead = 0.0  # time that what happens now is ahead of the clock  [s]
        tables = run.opened.tables
        run.phase.size = float(tables.surface_size) if len(tables.surfaces) else 1.0
        self.size = float(run.phase.size)
        run.phase.settling_time = run.setup.method.stabilised or 0.0
        self.contact_run.located = 1
        self.sides = [row.name for row in run.setup.contacts.sides.rows]
        self._shapes = (
            [shape.name for shape in run.setup.model.contact_shapes] if len(tables.surfaces) else []
        )

    @property
    def contact_run(self) -> ContactRun:
        """Memory of contact."""
        integers, numbers = self.run.contact_part
        return ContactRun(numbers, integers)

    @property
    def t(self) -> float:
        """Now."""
        return float(self.run.clock.t)

    def name(self, one: Candidate) -> str:
        """Name of a contact, for people."""
        if len(one.owner) == 1:
            return str(self.sides[one.key[0]])
        name = f"{self._shapes[one.key[0]]} - {self._shapes[one.key[1]]}"
        what = {SPIN: ", spin", ROLLING: ", rolling"}.get(one.key[-1], "") if one.resists else ""
        return name + what

    @property
    def rounding(self) -> float:
        """Height [m] that gaps are not told from zero by: some units in the last place."""
        state = self.run.state
        places = np.reshape(state.body_records, (-1, RECORD))[: state.placed, :3]
        far = places if state.placed else self.run.q
        return UNITS * float(max(self.size, np.max(np.abs(far), initial=0.0)))

    def leaves(self, one: Candidate) -> bool:
        """Whether a contact opens: it moves apart, and higher than rounding if it comes back.

        u^2 / (2 a) is how high it flies (contact 20).
        """
        return self._rises(one, float(self.run.phase.u[one.first]))

    def _rises(self, one: Candidate, u: float) -> bool:
        """Whether a contact opens with this normal velocity."""
        a = float(self.run.phase.free[one.first])
        return u > SLOW and (a >= 0.0 or u * u > -2.0 * a * self.rounding)

    def _note(
        self,
        kind: str,
        one: Candidate,
        law: str = "",
        before: float = 0.0,
        after: float = 0.0,
        impulse: float = 0.0,
    ) -> None:
        when, name = float(self.t + self.ahead), self.name(one)
        point = self.point(one)
        self._tell_of(Happening(when, kind, name, law, before, after, impulse, point))

    def point(self, one: Candidate) -> int:
        """Number of a point for people, where two shapes touch in several."""
        return point_of(self.contact_run, one, self.contacts)

    def _tell_of(self, entry: Happening) -> None:
        """Another entry of the log, where its moment is: the end of impacts is told ahead of it."""
        bisect.insort(self.happened, entry, key=lambda one: one.t)

    def _prepare(self, contacts: list[Candidate]) -> int:
        """W, velocities and free accelerations of all contacts."""
        run = self.run
        modes = [one.mode for one in entries(contacts)]
        for one in entries(contacts):
            one.mode = one.mode if one.mode in GIVEN else IDLE
        aim(self.contact_run, contacts)
        write(run.phase, contacts)
        for one, mode in zip(entries(contacts), modes, strict=True):
            one.mode = mode
        run.phase.last_force[:] = 0.0
        run.solve_with(matrices=True)
        run.state.evaluated = 0
        run.state.has_last = 0
        return int(run._needing(self._forces_now))

    def _forces_now(self) -> int:
        """Forces of the phase where the run is, in arrays that may be larger than they were."""
        run, phase = self.run, self.run.phase
        where = (self.t, run._look_h, run.q, run.v)
        return int(phase_forces(*run.state, *where, phase.vdot_end, phase.lam_end))

    def _impact(self, contacts: list[Candidate]) -> bool | None:
        """Make the impacts of all contacts; whether there were any, None if they have no answer."""
        phase = self.run.phase
        n, W, u = phase.rows, np.array(phase.delassus), np.array(phase.u[: phase.rows])
        touching = [
            one
            for island in islands_of(W, [one for one in contacts if not one.drive])
            if any(one.approaches(u) for one in island)
            for one in island
        ]
        if not touching:
            return False
        found = self._strike(W, u, touching)
        if found is None:
            return None
        p, after, laws = found
        Y = np.array(phase.responses(self.run.state.nv))
        self.run.v += p[:n] @ Y
        for one, law in zip(touching, laws, strict=True):
            if p[one.first] > 0.0 or one.approaches(u):
                self._note(
                    "impact",
                    one,
                    law,
                    float(u[one.first]),
                    float(after[one.first]),
                    float(p[one.first]),
                )
                self.impacts.setdefault(one.key, []).append(self.t)
        return True

    def _strike(self, W: np.ndarray, u: np.ndarray, touching: list[Candidate]) -> Any:
        """Impulses, velocities after them and laws; None where there is no answer.

        What would bounce no higher than rounding does not bounce: it is closed from here on.
        """
        method = self.run.setup.method
        found = strike_all(W, u, touching, method)
        if found is None:
            return None
        after = found[1]
        low = [
            one
            for one in touching
            if after[one.first] > SLOW
            and one.restitution > 0.0
            and not self._rises(one, after[one.first])
        ]
        if not low:
            return found
        made = [replace(one, restitution=0.0) if one in low else one for one in touching]
        return strike_all(W, u, made, method) or found

    def _accumulated(self, contacts: list[Candidate]) -> float | None:
        """The moment at which impacts that come ever faster end, if it is near."""
        u = self.run.phase.u
        for one in contacts:
            times = [*self.impacts.get(one.key, ()), self.t]
            if one.drive or not one.approaches(u) or len(times) < 4:
                continue
            left = left_of(times)
            if left is not None:
                return float(self.t + left)
        return None

    def _close_all(
        self, contacts: list[Candidate], known: dict[Key, Candidate], ends: float
    ) -> list[Candidate]:
        """Close every contact that takes part in impacts which come to their end here.

        All impacts that are left push as much as one without restitution does, and rub as much.
        What moves contacts apart then is taken out of the velocities.
        """
        since = self.t - 10.0 * (ends - self.t) - 1e-300
        wide = closed(self.run.state, self.contact_run, FAR * self.size, known)
        here = {one.key for one in contacts}
        more = [
            one
            for one in wide
            if one.key not in here and any(t >= since for t in self.impacts.get(one.key, ()))
        ]
        contacts = [*contacts, *more]
        self._prepare(contacts)
        phase = self.run.phase
        W, u = np.array(phase.delassus), np.array(phase.u[: phase.rows])
        Y = np.array(phase.responses(self.run.state.nv))
        touching = [one for one in contacts if not one.drive]
        rows = [one.first for one in touching]
        still = LITTLE * max(abs(u[r]) for r in rows)
        dead = [replace(one, restitution=0.0) for one in touching]
        last = strike_all(W, u, dead, self.run.setup.method)
        if last is not None:
            self.run.v += last[0] @ Y
            u = last[1]
        for one in entries(touching):
            if np.linalg.norm(u[one.tangents]) <= still:
                rows += range(one.tangents.start, one.tangents.stop)
        p = np.linalg.lstsq(W[np.ix_(rows, rows)], -u[rows], rcond=1e-10)[0]
        self.run.v += p @ Y[rows]
        for one in contacts:
            if not one.drive and one.mode not in CLOSED_MODES:
                self._tell_of(Happening(ends, "rest", self.name(one), point=self.point(one)))
        self._prepare(contacts)
        return contacts

    def _come_to_rest(
        self, contacts: list[Candidate], known: dict[Key, Candidate]
    ) -> list[Candidate] | None:
        """Close all that is all but closed by an impact without restitution.

        Impacts at several points of a body hardly ever come faster by one law each, and have their
        end all the same. None where something is too fast for that, or loses nothing in impacts.
        """
        wide = closed(self.run.state, self.contact_run, FAR * self.size, known)
        contacts = [*contacts, *(one for one in wide if one.key not in {c.key for c in contacts})]
        touching = [one for one in contacts if not one.drive]
        if self._prepare(contacts) != OK or not touching:
            return None
        phase = self.run.phase
        W, u = np.array(phase.delassus), np.array(phase.u[: phase.rows])
        fastest = max(abs(float(u[one.first])) for one in touching)
        if fastest > CALM or any(one.restitution >= 1.0 for one in touching):
            return None
        dead = [replace(one, restitution=0.0) for one in touching]
        found = strike_all(W, u, dead, self.run.setup.method)
        if found is None:
            return None
        self.run.v += found[0] @ np.array(phase.responses(self.run.state.nv))
        for one in touching:
            if one.mode not in CLOSED_MODES and not found[1][one.first] > SLOW:
                self._note("rest", one)
        return contacts if self._prepare(contacts) == OK else None
