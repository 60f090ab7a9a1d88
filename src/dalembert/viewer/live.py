"""`view`: a model simulated before one's eyes, in a page of one's own browser."""

from __future__ import annotations

import contextlib
import io
import tempfile
import threading
import time as clocks
import webbrowser
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from dalembert.errors import DalembertError, OptionError
from dalembert.model.core.model import Model
from dalembert.scene import describe, place
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.session.session import Session
from dalembert.viewer.live_camera import look_at_start
from dalembert.viewer.live_drawing import Drawing, outline, turned
from dalembert.viewer.live_gate import Gate
from dalembert.viewer.live_panel import Panel
from dalembert.viewer.live_server import need_viser, open_server
from dalembert.viewer.live_steering import Steering

LOOPBACK = "127.0.0.1"
PORT = 8080
"""Where a page is looked for first."""

NUMBERS_EVERY, ARROWS_EVERY, TRAILS_EVERY = 0.2, 0.2, 0.05
"""Seconds between read-outs, between arrows of reactions, between points of trails."""

ARROWS_PART = 5.0
"""Time between arrows over the time they take: reactions of large models are not cheap."""


def view(
    model: Any,
    *,
    step: float | None = None,
    method: Any = None,
    integrator: Any = None,
    formulation: str = "auto",
    initial: Any = None,
    parameters: Any = None,
    controllers: Any = (),
    speed: float = 1.0,
    play: bool = True,
    record: bool = False,
    fps: float = 60.0,
    host: str = LOOPBACK,
    port: int = PORT,
    open_browser: bool = True,
    block: bool = True,
) -> Any:
    """Simulate a model in real time and show it in the browser, to be paused, steered and pulled.

    Parameters
    ----------
    model : Model, or Solution
        A solution is not simulated again: its page (`save_html`) is written to a temporary file
        and opened.
    step, method, integrator, formulation, initial, parameters, controllers : as for `simulate`
    speed : float       simulated seconds a second
    play : bool         False waits for the button
    record : bool       keep a sample a frame, to be saved from the page
    fps : float         pictures a second; fewer for a slow computer
    host : str          by default the page can be reached from this computer only; from elsewhere,
                        too, it takes the address that is printed, with its token
    port : int          the next free one is taken if it is not
    open_browser : bool
    block : bool        False returns at once, with a `LiveView` to steer and stop

    Returns
    -------
    Session, when it has ended; `LiveView` with ``block=False``; for a solution the path of its page

    Notes
    -----
    Needs viser: ``pip install 'dalembert[viewer]'``. Ctrl-C ends it.
    """
    if isinstance(model, Solution):
        return view_solution(model, open_browser=open_browser)
    if not isinstance(model, Model):
        raise OptionError(
            f"view: {model!r:.60} is neither a model nor a solution. Give a dl.Model, "
            "dl.load(path) or what dl.simulate returns."
        )
    need_viser()
    session = Session(
        model,
        step=step,
        method=method,
        integrator=integrator,
        formulation=formulation,
        initial=initial,
        parameters=parameters,
        controllers=controllers,
        record=record,
    )
    live = LiveView(session, speed=speed, play=play, fps=fps, host=host, port=port)
    if not block:
        live.tell(open_browser)
        live.start()
        return live
    with live, contextlib.suppress(KeyboardInterrupt):
        live.tell(open_browser)
        live.run()
    print(f"\nSimulated {live.steering.simulated:.4g} s in {live.seconds:.4g} s.", flush=True)
    return session


def view_solution(solution: Solution, *, path: Any = None, open_browser: bool = True) -> Path:
    """The page of a run, in a temporary file unless a path is given, opened in the browser."""
    from dalembert.viewer.page import save_html

    if path is None:
        folder = Path(tempfile.mkdtemp(prefix="dalembert-"))
        path = folder / f"{_file_name(solution.model.name)}.html"
    made = Path(save_html(solution, path)).resolve()
    if open_browser:
        webbrowser.open(made.as_uri())
    return made


class LiveView:
    """The page of a session: `run` in this thread or `start` another; `stop` ends it.

    Attributes
    ----------
    session : Session       to be read; change it through ``steering.ask``
    steering : Steering     play, pause, speed
    url : str               with the token that whoever looks must have
    """

    def __init__(
        self,
        session: Session,
        *,
        speed: float = 1.0,
        play: bool = True,
        fps: float = 60.0,
        host: str = LOOPBACK,
        port: int = PORT,
    ) -> None:
        for name, value in (("speed", speed), ("fps", fps)):
            if not isinstance(value, int | float | np.number) or not 0.0 < value < np.inf:
                raise OptionError(f"view: {name} is {value!r}. Give a positive number.")
        self.session = session
        self.frame = 1.0 / float(fps)
        self.steering = Steering(session, playing=play, speed=speed)
        if not isinstance(host, str):
            raise OptionError(f"view: host is {host!r}. Give a name or an address as text.")
        self.gate = Gate(host)
        self.server = open_server(self.gate, port, session.model.name)
        self.url = self.gate.url(self.server.get_port())
        self.seconds = 0.0
        self._ended, self._stopped = threading.Event(), False
        self._seen = threading.Event()
        self._thread: threading.Thread | None = None
        self._wanted: set[str] = set()
        self._due = dict.fromkeys(("numbers", "arrows", "trails"), 0.0)
        self._grip: dict[str, Any] = {}
        self._described: Any = None
        self._state: Any = None
        self._largest = 0.0
        self.has_reactions = bool(session.model.is_maximal and session.model.joints)
        self.look, self.floor = look_at_start(self.server, session)
        self.theme(False)
        self.drawing = self._drawn()
        self.panel = Panel(self.server, self.steering, self)
        self.server.on_client_connect(self._joined)
        self._show(0.0)

    def _joined(self, client: Any) -> None:
        """Somebody looks: the motion begins."""
        self.look.show(client)
        self._seen.set()

    # -- going ---------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def tell(self, open_browser: bool) -> None:
        """Print the address, and open it."""
        print(f"Live view of {self.session.model.name} at {self.url} (Ctrl-C ends it)", flush=True)
        if open_browser:
            webbrowser.open(self.url)

    def start(self) -> None:
        """Go on in a thread of its own."""
        self._thread = threading.Thread(target=self.run, name="dalembert live view", daemon=True)
        self._thread.start()

    def run(self) -> None:
        """Go on until `stop`; the motion begins when somebody looks."""
        began = clocks.perf_counter()
        try:
            while not self._ended.is_set():
                now = clocks.perf_counter()
                if self._seen.is_set():
                    self.steering.tick(now)
                self._show_safely(now)
                rest = self.frame - (clocks.perf_counter() - now)
                self._ended.wait(max(rest, 0.001))
        finally:
            self.seconds = clocks.perf_counter() - began

    def stop(self) -> None:
        """End the simulation and the page; a second time nothing happens."""
        if self._stopped:
            return
        self._stopped = True
        self._ended.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=10.0)
        with contextlib.redirect_stdout(io.StringIO()):
            self.server.stop()

    # -- pictures ------------------------------------------------------------------------------

    def _show_safely(self, now: float) -> None:
        """One frame; a picture that cannot be drawn does not end the simulation."""
        try:
            self._show(now)
        except Exception as problem:
            self.steering.message = (
                f"The picture cannot be drawn: {type(problem).__name__}: {problem}."
            )

    def _show(self, now: float) -> None:
        """One frame. Everything in it arrives together: arrows do not lag behind bodies."""
        session = self.session
        if session.model is not self._described:
            self._describe_again()
        slow = now >= self._due["numbers"]
        if slow:
            self._due["numbers"] = now + NUMBERS_EVERY
        q = session.q
        state = (session.t, q.tobytes(), id(session.model))
        moved, self._state = state != self._state, state
        with self.server.atomic():
            if moved:
                self.drawing.move(
                    *place(self.drawing.scene, session.model, session.t, q, session.v)
                )
            grip = session.grip
            self.drawing.show_pull(session.held_point(), None if grip is None else grip.target)
            if now >= self._due["trails"] and (moved or not self.panel_value("trails")):
                self._due["trails"] = now + TRAILS_EVERY
                centers = [body.center for body in self.drawing.scene.bodies]
                self.drawing.leave_trail(self.panel_value("trails"), centers)
            if now >= self._due["arrows"]:
                began = clocks.perf_counter()
                self._show_arrows()
                spent = clocks.perf_counter() - began
                self._due["arrows"] = now + max(ARROWS_EVERY, ARROWS_PART * spent)
            for what in list(self._wanted):
                self._wanted.discard(what)
                getattr(self.drawing, f"show_{what}")(self.panel_value(what))
            if hasattr(self, "panel"):
                self.panel.tell(slow)
                self.panel.follow_system(self.gate)

    def panel_value(self, name: str) -> bool:
        """Whether a box of the panel is ticked."""
        panel = getattr(self, "panel", None)
        return bool(getattr(panel, name).value) if panel is not None else False

    def _show_arrows(self) -> None:
        if not (self.has_reactions and self.panel_value("arrows")):
            self.drawing.show_arrows(None, None)
            return
        try:
            tails, tips = self._reactions()
        except DalembertError as problem:
            self.steering.message = str(problem)
            return
        self.drawing.show_arrows(tails, tips)

    def _reactions(self) -> tuple[Any, Any]:
        """Tails and tips of the arrows of reactions now."""
        from dalembert.scene import follow

        scene, motion = follow(self.session.snapshot(), times=[self.session.t])
        keep = [k for k, arrow in enumerate(scene.arrows) if arrow.unit == "N"]
        tails, vectors = motion.tails[0][keep], motion.vectors[0][keep]
        # one scale for all arrows, by the largest so far: they do not breathe with the motion
        longest = float(np.linalg.norm(vectors, axis=1).max(initial=0.0))
        self._largest = max(self._largest, longest)
        if self._largest == 0.0:
            return np.zeros((0, 3)), np.zeros((0, 3))
        return tails, tails + vectors * (0.3 * self.drawing.scene.size / self._largest)

    def _drawn(self) -> Drawing:
        scene = describe(self.session.model)
        self._described = self.session.model
        return Drawing(self.server, scene, self, self.session.grips)

    def _describe_again(self) -> None:
        """After a parameter was changed: other shapes only where they are others."""
        scene = describe(self.session.model)
        self._described, self._largest = self.session.model, 0.0
        self.floor.place(scene)
        if outline(scene) == outline(self.drawing.scene):
            self.drawing.scene = replace(scene, size=self.drawing.scene.size)
            return
        with self.server.atomic():
            self.drawing.remove()
            self.drawing = Drawing(self.server, scene, self, self.session.grips)
        self._wanted |= {"names", "joints"}
        self._state = None

    # -- what the panel asks for ---------------------------------------------------------------

    def later(self, what: str) -> None:
        """Show or hide with the next frame."""
        self._wanted.add(what)

    def theme(self, dark: bool) -> None:
        """Light or dark; nothing that would leave this computer is offered."""
        self.server.gui.configure_theme(
            dark_mode=bool(dark),
            show_logo=False,
            show_share_button=False,
            control_width="medium",
            brand_color=(76, 134, 184),
        )
        self.floor.light(bool(dark))

    def reset(self) -> None:
        """Back to the start."""
        self.steering.reset()
        self.drawing.forget_trails()

    def save(self, client: Any) -> None:
        """Hand what was recorded to the browser as a file."""

        def order(session: Session) -> None:
            solution = session.solution()
            with tempfile.TemporaryDirectory() as folder:
                path = solution.save(Path(folder) / "live.npz")
                content = Path(path).read_bytes()
            client.send_file_download(f"{_file_name(session.model.name)}.npz", content)

        self.steering.ask(order)

    # -- dragging ------------------------------------------------------------------------------

    async def drag(self, event: Any, on: Any) -> None:
        """A drag of a body, or of the bar between two points."""
        if event.phase == "end":
            self._grip.pop(event.client_id, None)
            if not self._grip:
                self.steering.ask(lambda session: session.release(), "pull")
            return
        if event.phase == "start" or event.client_id not in self._grip:
            self._grip[event.client_id] = self._held(on, np.array(event.start_position))
        held, at = self._grip[event.client_id]
        target = np.array(event.end_position)
        strength = float(self.panel.strength.value)
        self.steering.ask(lambda session: session.pull(held, at, target, strength=strength), "pull")

    def _held(self, on: Any, grabbed: Any) -> tuple[Any, Any]:
        """The part that is held: a body and the place on it, or shares of two points."""
        positions, rotations, points = self.drawing.shown
        scene = self.drawing.scene
        if isinstance(on, str):
            k = next(i for i, body in enumerate(scene.bodies) if body.name == on)
            back = rotations[k] * np.array([1.0, -1.0, -1.0, -1.0])
            return on, turned(back, grabbed - positions[k])
        names = [point.name for point in scene.points]
        a, b = on
        if a == b:
            return a, None
        start, way = points[names.index(a)], points[names.index(b)] - points[names.index(a)]
        share = float(np.clip(way @ (grabbed - start) / max(float(way @ way), 1e-300), 0.0, 1.0))
        return {a: 1.0 - share, b: share}, None


def _file_name(text: str) -> str:
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in text) or "run"
