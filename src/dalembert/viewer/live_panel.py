"""The panel beside a live view: buttons, sliders, read-outs."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert.simulation.session.tunable import TARGET, Knob
from dalembert.viewer.live_steering import FRAME, Steering

GROUPS = {
    "target": "Targets of actuators",
    "parameter": "Parameters",
    "force": "Forces",
    "drive": "Drives",
    "gravity": "Gravity",
}
HISTORY = 300
"""Points of the curves."""

FEW = 8
"""Sliders of a group up to which it is open at first."""


class Panel:
    """Controls of a live view."""

    def __init__(self, server: Any, steering: Steering, actions: Any) -> None:
        self.steering, self.actions = steering, actions
        self._gui = server.gui
        self._uplot = _uplot()
        self._sliders: dict[str, Any] = {}
        self._quiet = False
        self._said = ""
        self.chose_light = False
        self._scheme: str | None = None
        self._curves: deque[tuple[float, float, float]] = deque(maxlen=HISTORY)
        self._add_run_controls()
        self._add_sliders()
        self._add_showing()
        self._add_keeping()

    # -- building ------------------------------------------------------------------------------

    def _add_run_controls(self) -> None:
        gui, steering = self._gui, self.steering
        self.readout = gui.add_markdown("")
        for note in self.actions.drawing.scene.notes:
            gui.add_markdown(f"*{_plain(note)}*")
        self.message = gui.add_markdown("", visible=False)
        self.play = gui.add_button("Pause" if steering.playing else "Play", color="blue")
        self.play.on_click(lambda _: steering.ask(lambda s: steering.play(), "play"))
        self.single = gui.add_button_group("Go on", ("1 step", "1 frame", "Reset"))
        self.single.on_click(self._pressed)
        self.speed = gui.add_slider(
            "Speed",
            0.05,
            5.0,
            0.05,
            min(max(steering.speed, 0.05), 5.0),
            hint="Simulated seconds a second",
        )
        self.speed.on_update(lambda event: steering.set_speed(event.target.value))
        for label, key, action in (
            ("Play or pause", "P", lambda: steering.play()),
            ("One step", "S", lambda: steering.step()),
            ("Reset", "R", lambda: self.actions.reset()),
        ):
            command = gui.add_command(label, hotkey=key)
            command.on_trigger(lambda _, action=action: steering.ask(lambda s: action()))

    def _pressed(self, event: Any) -> None:
        steering = self.steering
        if event.target.value == "Reset":
            steering.ask(lambda s: self.actions.reset(), "reset")
        elif event.target.value == "1 step":
            steering.ask(lambda s: steering.step())
        else:

            def frame(session: Any) -> None:
                steering.playing = False
                steering.go(FRAME * steering.speed)

            steering.ask(frame)

    def _add_sliders(self) -> None:
        gui, knobs = self._gui, self.steering.session.knobs
        values = self.steering.session.parameters
        for group, title in GROUPS.items():
            mine = [knob for knob in knobs if knob.group == group]
            if not mine:
                continue
            with gui.add_folder(title, expand_by_default=len(mine) <= FEW):
                for knob in mine:
                    self._add_slider(knob, values[knob.name])
        if not knobs:
            return
        with gui.add_folder("Any value", expand_by_default=False):
            names = [knob.name for knob in knobs]
            self.which = gui.add_dropdown("Name", names)
            self.exact = gui.add_number("Value", values[names[0]], step=1e-9)
            self.which.on_update(self._chosen)
            self.exact.on_update(self._typed)
            back = gui.add_button("The model's own values")
            back.on_click(lambda _: self.steering.ask(lambda s: s.reset_parameters(), "parameters"))

    def _add_slider(self, knob: Knob, value: float) -> None:
        low, high = min(knob.low, value), max(knob.high, value)
        label = knob.name.removesuffix(f".{TARGET}") if knob.group == "target" else knob.name
        slider = self._gui.add_slider(
            label,
            low,
            high,
            tick(low, high),
            value,
            hint=f"{knob.value:g} in the model; any value can be typed under 'Any value'",
        )

        def moved(event: Any, name: str = knob.name) -> None:
            if event.client is not None and not self._quiet:
                self.set_parameter(name, float(event.target.value))

        slider.on_update(moved)
        self._sliders[knob.name] = slider

    def set_parameter(self, name: str, value: float) -> None:
        """Ask for another value; of many asked at once the last counts."""

        def order(session: Any) -> None:
            self.steering.message = ""
            session.set_parameter(name, value)

        self.steering.ask(order, ("parameter", name))

    def _chosen(self, event: Any) -> None:
        self.exact.value = self.steering.session.parameters[event.target.value]

    def _typed(self, event: Any) -> None:
        if event.client is not None:
            self.set_parameter(self.which.value, float(event.target.value))

    def _add_showing(self) -> None:
        gui, actions = self._gui, self.actions
        with gui.add_folder("Show"):
            self.names = gui.add_checkbox("Names", False)
            self.joints = gui.add_checkbox("Joints", True)
            self.trails = gui.add_checkbox("Trails", False)
            self.arrows = gui.add_checkbox(
                "Forces", False, visible=actions.has_reactions, hint="Of joints and springs"
            )
            self.dark = gui.add_checkbox("Dark", False)
            self.strength = gui.add_slider(
                "Pull strength",
                0.1,
                20.0,
                0.1,
                1.0,
                hint="Of the spring between cursor and body; 1 suits the body alone",
            )
        self.names.on_update(lambda e: actions.later("names"))
        self.joints.on_update(lambda e: actions.later("joints"))
        self.dark.on_update(self._lit)
        self.scheme = gui.add_html(actions.gate.question)

    def _lit(self, event: Any) -> None:
        self.chose_light = self.chose_light or event.client is not None
        self.actions.theme(event.target.value)

    def follow_system(self, gate: Any) -> None:
        """Light or dark as the system of whoever looks, unless the box was used."""
        if gate.scheme == self._scheme:
            return
        self._scheme = gate.scheme
        self.scheme.content = gate.question  # so that it is told again when it changes back
        if not self.chose_light:
            self.dark.value = gate.scheme == "dark"

    def _add_keeping(self) -> None:
        gui, uplot = self._gui, self._uplot
        with gui.add_folder("Curves", expand_by_default=False):
            flat = (np.zeros(2), np.zeros(2), np.zeros(2))
            self.plot = gui.add_uplot(
                flat,
                (
                    uplot.Series(label="t"),
                    uplot.Series(label="energy [J]", stroke="#4C86B8", width=2),
                    uplot.Series(label="kinetic [J]", stroke="#D98A4B", width=1),
                ),
                scales={"x": uplot.Scale(time=False)},
                aspect=1.6,
            )
        with gui.add_folder("Keep", expand_by_default=False):
            self.record = gui.add_checkbox(
                "Record", self.steering.session.recording, hint="A sample a frame, from now on"
            )
            self.save = gui.add_button("Save what was recorded")
        self.record.on_update(self._recording)
        self.save.on_click(lambda event: self.actions.save(event.client))

    def _recording(self, event: Any) -> None:
        wanted = bool(event.target.value)

        def order(session: Any) -> None:
            session.recording = wanted

        self.steering.ask(order, "record")

    # -- telling -------------------------------------------------------------------------------

    def tell(self, slow: bool) -> None:
        """Bring read-outs up to date; `slow`: also those that cost something."""
        steering, session = self.steering, self.steering.session
        label = "Pause" if steering.playing else "Play"
        if self.play.label != label:
            self.play.label = label
        if slow:
            self._tell_numbers()
        text = steering.message
        if text != self._said:
            self._said = text
            offer = " **Reset** begins again." if session.failure is not None else ""
            self.message.content = f"> ⚠ {_plain(text)}{offer}" if text else ""
            self.message.visible = bool(text)
        self._follow_parameters()

    def _tell_numbers(self) -> None:
        steering, session = self.steering, self.steering.session
        phi, phi_dot = session.drift()
        kinetic, potential = session.energy()
        total = kinetic + (potential or 0.0)
        name = "energy" if potential is not None else "kinetic energy"
        state = f"× {steering.real_time:.2f} real time" if steering.playing else "paused"
        if session.failure is not None:
            state = "stopped"
        text = (
            f"**t = {session.t:.3f} s** &nbsp; {state}\n\n"
            f"{name} {total:.6g} J &nbsp; drift {phi:.1e}, {phi_dot:.1e}"
        )
        if text != self.readout.content:
            self.readout.content = text
        if not self._curves or self._curves[-1][0] != session.t:
            if self._curves and session.t < self._curves[-1][0]:
                self._curves.clear()
            self._curves.append((session.t, total, kinetic))
            if len(self._curves) > 1:
                self.plot.data = tuple(np.array(self._curves).T.copy())

    def _follow_parameters(self) -> None:
        """Sliders show what the session has, also after a value was refused or typed."""
        values = self.steering.session.parameters
        for name, slider in self._sliders.items():
            value = values[name]
            if abs(slider.value - value) <= 0.5 * slider.step:
                continue
            if self.steering.waits(("parameter", name)):
                continue
            self._quiet = True
            if value < slider.min:
                slider.min = value
            if value > slider.max:
                slider.max = value
            slider.value = value
            self._quiet = False


def tick(low: float, high: float) -> float:
    """Step of a slider: a power of ten, some hundred to a thousand in the range."""
    return float(10.0 ** math.floor(math.log10((high - low) / 200.0)))


def _plain(text: str) -> str:
    """Without what Markdown would take for its own."""
    for mark in "\\`*_{}[]<>#|":
        text = text.replace(mark, "\\" + mark)
    return text


def _uplot() -> Any:
    from viser import uplot

    return uplot


Action = Callable[[], None]
