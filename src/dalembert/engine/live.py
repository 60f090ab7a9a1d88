"""The engine of a session: its run as it begins, with everything that can be turned in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.engine import full_turns
from dalembert.engine.contacts import touching_of
from dalembert.engine.engine import Engine, Making
from dalembert.engine.joint_forces import measured_of, open_measured
from dalembert.engine.limits import bounds_of
from dalembert.engine.program import moved_state
from dalembert.engine.pull import places_of, pull_of
from dalembert.engine.refusals import refuse_session
from dalembert.engine.sentences import words_of
from dalembert.engine.signals import MOST, signals_of
from dalembert.engine.sliders import initial_of, sliders_of
from dalembert.engine.start_coordinates import turned_of
from dalembert.engine.starts import moved_starts, moves_only_the_start, start_formulas
from dalembert.engine.surface_laws import law_stores
from dalembert.engine.watched_formulas import Binding, free_points, kinetic_energy, potential_energy
from dalembert.formulas.llvm import program_at
from dalembert.formulas.llvm_text import write_program
from dalembert.integration import loop
from dalembert.integration.loop.clock import Clock
from dalembert.mechanics.motion import accelerate
from dalembert.mechanics.projection import MASS_NORM, project
from dalembert.mechanics.tree_states import states_of_bodies
from dalembert.mechanics.winding import begin_winding
from dalembert.simulation.prepare.announce import compiling_page
from dalembert.simulation.prepare.consistent import open_checked
from dalembert.simulation.prepare.contacts import roomy
from dalembert.simulation.prepare.start import CAP
from dalembert.simulation.session.session import Session
from dalembert.system.parameter_tables import table_stores

DROPPED = ("samples", "logged", "event_count")
"""Counts of what a run records, which nobody asks for."""


def engine_of(
    session: Session, points: Any = (), ahead: Session | None = None, *, checked: bool = False
) -> Engine:
    """The engine of a session that has not gone on yet.

    points : names of points of formulas whose places are wanted
    ahead : a session of the same that has gone on: room for contacts, which cannot grow elsewhere,
        is twice what that one has needed
    checked : kernels look at every index, and tell of one that is out of range
    """
    refuse_session(session)
    run = session.present.run
    run.provide_general()
    if run.opened.tables is not None:
        needed = (session if ahead is None else ahead).present.run.contact_part
        run.put_contacts(roomy(run.state, run.opened.tables, needed))
    with compiling_page(session.model.name):
        return _Laid(session, tuple(points), checked=checked).engine()


class _Laid:
    """A session laid out: its run, and a second state with which starts are made consistent."""

    def __init__(self, session: Session, points: tuple[str, ...], *, checked: bool) -> None:
        self.session, self.points = session, points
        self.setup, self.run = session.present.setup, session.present.run
        self.system: Any = self.run.opened.keep[0]
        self.making = Making(checked=checked)
        self.checked = open_checked(self.setup.running, self.setup.values)
        self.setup.beginning.write_rows(self.checked)
        self.measured = open_measured(self.setup)

    def engine(self) -> Engine:
        """All of it."""
        self._kernels()
        self._arrays()
        knobs = sliders_of(self.session, self.system, self.run.state)
        moved = moved_starts(self.session, knobs)
        for knob in knobs:
            knob["restarts"] |= moves_only_the_start(self.session, moved, knob["name"])
        names = self.setup.running.parameter_names
        more = {
            "step": self.session.step_length,
            "clock": {name: Clock.span(name).start for name in ("t", "step", "until", "start")},
            "counts": {name: Clock.span(name).start for name in DROPPED},
            "until": float(self.run.clock.until),
            "seen": self._seen(),
            "renew": self._renewing(),
            "hand": self._pull(),
            "words": words_of(self.run, self.setup.running),
            "hinges": full_turns.places_of_hinges(self.run.state),
            "forces": self._forces(),
            "measured": None
            if self.measured is None
            else measured_of(self.making, self.setup, self.measured),
            "bounds": bounds_of(self.making, self.session.model, self.setup.running, self.checked),
            "touching": touching_of(self.run, self.session.model),
            "knobs": knobs,
            "initial": {
                **initial_of(self.session, self.setup.running),
                **turned_of(
                    self.making, self.session, self.setup.running, self.checked, self.trial
                ),
                "formulas": start_formulas(self.making, self.session, self.checked, names),
                "moved": moved,
            },
            "names": {
                "q": list(self.setup.running.coordinate_names),
                "v": list(self.setup.running.velocity_names),
            },
        }
        making, run = self.making, self.run
        states = [run.state, self.checked, *([] if self.measured is None else [self.measured])]
        making.program.look(*(state.sizes for state in states), run.clock_counts)
        making.program.settle()
        for state in states:
            making.instead(state.sizes, moved_state(making.program, state.sizes))
        making.instead(run.clock_counts, making.program.moved(run.clock_counts))
        return making.engine(more)

    def _kernels(self) -> None:
        """Kernels that the page calls."""
        run, making = self.run, self.making
        state, t = run.state, float(run.clock.t)
        course = run.course()
        making.entry("run", loop.run_chunk, course, 0)
        clock = (run.clock_numbers, run.clock_counts)
        making.entry("watch", loop.watch, state, *clock, t, run.q, run.v)
        making.entry("begin", begin_winding, state, t, run.q, run.v)
        self.trial = np.zeros_like(run.q), np.zeros_like(run.v)
        making.entry("project", project, self.checked, t, *self.trial, int(MASS_NORM), int(CAP))
        accelerations = np.zeros(len(run.v)), np.zeros(self.checked.rows)
        making.array("trial_a", accelerations[0])
        making.array("trial_lam", accelerations[1])
        making.entry("accelerate", accelerate, self.checked, t, *self.trial, *accelerations)
        self.bodies = run.q, run.v
        if run.in_joints:
            tree = self.setup.running.tree  # type: ignore[union-attr]
            count = len(tree.bodies)
            self.bodies = np.zeros((1, 7 * count)), np.zeros((1, 6 * count))
            numbers, own = state.tree_numbers, (run.q[None], run.v[None])
            room = tree.room()
            making.entry(
                "bodies", states_of_bodies, tree.integers, numbers, room, *own, *self.bodies
            )

    def _arrays(self) -> None:
        """Arrays that the page reads and writes, by name."""
        run, making, state = self.run, self.making, self.run.state
        named = {
            "q": run.q,
            "v": run.v,
            "clock": run.clock_numbers,
            "counts": run.clock_counts,
            "work": run.work,
            "sizes": run.sizes,
            "checked": self.checked.work,
            "checked_sizes": self.checked.sizes,
            "trial_q": self.trial[0],
            "trial_v": self.trial[1],
            "bodies_q": self.bodies[0],
            "bodies_v": self.bodies[1],
            "phi": state.phi,
            "phi_dot": state.phi_dot,
            "parameters": state.parameters,
            "checked_parameters": self.checked.parameters,
            "checked_phi": self.checked.phi,
            "checked_phi_dot": self.checked.phi_dot,
            "checked_rhs": self.checked.rhs_a,
            "checked_force": self.checked.force,
            "angles": state.last_angles,
            "checked_angles": self.checked.last_angles,
        }
        for name, array in named.items():
            making.array(name, array)

    def _pull(self) -> dict[str, Any] | None:
        """Places of the hand in the state that runs, and in the one that is looked at."""
        made = pull_of(self.making, self.session, self.system, self.run.state)
        if made is not None:
            made["checked"] = places_of(self.session, self.setup.running, self.checked)
            if self.measured is not None:
                made["measured"] = places_of(self.session, self.setup.system, self.measured)
        return made

    # -- formulas ----------------------------------------------------------------------------------

    def _seen(self) -> dict[str, Any]:
        """The function of what is looked at: points, energies, signals."""
        model, state = self.session.model, self.run.state
        names = self.setup.running
        known = {*names.coordinate_names, *names.velocity_names}
        binding = Binding(model, self.system.parameter_names, state.start_of("parameters"))
        points = binding.bound(free_points(model, self.points)) or []
        moving = kinetic_energy(model)
        kinetic = None if moving is None else binding.bound([moving])
        stated = potential_energy(model)
        potential = None if stated is None else binding.bound([stated])
        signals = []
        for signal in signals_of(self.session, known):
            bound = binding.bound([signal.formula])
            if bound is not None:
                signals.append((signal, bound[0]))
        formulas = [*points, *(kinetic or []), *(potential or []), *(x for _, x in signals)]
        out = np.zeros(max(1, len(formulas)))
        self.making.array("seen", out)
        stores = [("out", i, x) for i, x in enumerate(formulas)]
        arguments = ["t", "q", "v", full_turns.ARRAY, "out"]
        text = write_program("seen", arguments, stores, binding.places)
        self.making.program.formulas("seen", text)
        first = len(formulas) - len(signals)
        return {
            "points": len(points) // 3,
            "turns": full_turns.count_turns(self.making, self.run, model, binding),
            "signals": [
                [signal.name, signal.unit, signal.group, first + k]
                for k, (signal, _) in enumerate(signals)
            ],
            "kinetic": len(points) if kinetic else None,
            "potential": len(points) + 1 if potential and kinetic else None,
        }

    def _forces(self) -> list[list[Any]]:
        """Signals of constraints, and where among the multipliers they stand.

        With contact the equations alone do not tell them.
        """
        if self.setup.contacts is not None:
            return []
        asked = self.setup.running if self.measured is None else self.setup.system
        return [[name, k] for k, name in enumerate(asked.row_names[:MOST])]

    def _renewing(self) -> list[list[str]]:
        """Functions that follow the parameters: name, and the arrays they are called with."""
        made = []
        for work, sizes, system, state in (
            ("work", "sizes", self.system, self.run.state),
            ("checked", "checked_sizes", self.setup.running, self.checked),
            ("measured", "measured_sizes", self.setup.system, self.measured),
        ):
            if state is None:
                continue
            stores = table_stores(system, state)
            if work == "work":
                stores += law_stores(self.run, self.setup.contacts)
            if stores:
                name = f"tables_{work}"
                binding = Binding(
                    self.session.model, system.parameter_names, state.start_of("parameters")
                )
                bound = binding.bound([x for _, _, x in stores])
                assert bound is not None
                text = write_program(
                    name,
                    ["t"],
                    [("work", at, x) for (_, at, _), x in zip(stores, bound, strict=True)],
                    binding.places,
                )
                self.making.program.formulas(name, text)
                made.append([name, work, sizes])
            for k, function in enumerate(system.prologues(state)):
                name = f"constants_{work}_{k}"
                found = program_at(function.address)
                assert found is not None
                self.making.program.formulas(name, found[1], function.name)
                made.append([name, work, sizes])
        return made
