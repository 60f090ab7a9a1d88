"""A session against the wall clock: play, pause, speed, and orders from other threads.

One thread calls `tick` again and again; whoever else wants something of the session asks.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

from dalembert.errors import DalembertError
from dalembert.simulation.session.session import Session

FRAME = 1.0 / 60.0
"""Time between two pictures  [s]."""

LONGEST = 0.1
"""Time between two ticks that is made up for; after a longer pause the motion just goes on  [s]."""

BUDGET = 0.025
"""Wall time of one tick's simulation  [s]: a slow model moves slowly, the page stays awake."""

WINDOW = 1.0
"""Time over which the real-time factor is taken  [s]."""

SLOWEST, FASTEST = 1e-3, 1e3

Order = Callable[[Session], Any]


class Steering:
    """Runs a session in real time.

    Attributes
    ----------
    session : Session
    playing : bool
    speed : float               simulated seconds a second
    message : str               what went wrong last; empty when nothing did
    """

    def __init__(
        self,
        session: Session,
        *,
        playing: bool = True,
        speed: float = 1.0,
        budget: float = BUDGET,
    ) -> None:
        self.session = session
        self.playing = playing
        self.speed = float(speed)
        self.budget = budget
        self.message = ""
        self.simulated = 0.0
        self._orders: OrderedDict[Any, Order] = OrderedDict()
        self._lock = threading.Lock()
        self._last: float | None = None
        self._marks: deque[tuple[float, float]] = deque()

    # -- from any thread -----------------------------------------------------------------------

    def ask(self, order: Order, key: Any = None) -> None:
        """Have something done to the session before it goes on.

        Of several orders with the same key only the last is carried out.
        """
        with self._lock:
            self._orders.pop(key, None)
            self._orders[object() if key is None else key] = order

    def waits(self, key: Any) -> bool:
        """Whether an order with that key has not been carried out yet."""
        with self._lock:
            return key in self._orders

    def play(self, wanted: bool | None = None) -> None:
        """Play or pause; without an argument whichever it is not."""
        self.playing = (not self.playing) if wanted is None else wanted

    def set_speed(self, speed: float) -> None:
        """Simulated seconds a second."""
        self.speed = min(max(float(speed), SLOWEST), FASTEST)

    # -- from one thread -----------------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Carry out what was asked, then go on to the moment `now` of a clock  [s]."""
        elapsed = 0.0 if self._last is None else min(now - self._last, LONGEST)
        self._last = now
        with self._lock:
            orders, self._orders = list(self._orders.values()), OrderedDict()
        for order in orders:
            self._try(order)
        if self.playing and self.session.failure is None and elapsed > 0.0:
            self._try(lambda session: self.go(elapsed * self.speed))
        self._mark(now)

    def go(self, duration: float) -> None:
        """Simulate, within the time of a tick."""
        self.simulated += self.session.advance(duration, budget=self.budget)

    def step(self) -> None:
        """One step of the integrator; the motion pauses."""
        self.playing = False
        self._try(lambda session: self._count(session.step()))

    def _count(self, duration: float) -> None:
        self.simulated += duration

    def _try(self, order: Order) -> None:
        """Nothing that is asked of a session may end the loop: it becomes a sentence."""
        try:
            order(self.session)
        except DalembertError as problem:
            self.message = str(problem)
        except Exception as problem:
            self.message = (
                f"Something went wrong inside dalembert: {type(problem).__name__}: {problem}."
            )
        else:
            return
        if self.session.failure is not None:
            self.playing = False

    def reset(self) -> None:
        """Back to the start."""
        self.message = ""
        self._try(lambda session: session.reset())
        self._marks.clear()

    # -- reading -------------------------------------------------------------------------------

    @property
    def real_time(self) -> float:
        """Simulated seconds a second, over the last second; 0 while paused."""
        if len(self._marks) < 2 or not self.playing:
            return 0.0
        (t0, s0), (t1, s1) = self._marks[0], self._marks[-1]
        return (s1 - s0) / (t1 - t0) if t1 > t0 else 0.0

    def _mark(self, now: float) -> None:
        if not self.playing:
            self._marks.clear()
        self._marks.append((now, self.simulated))
        while self._marks and now - self._marks[0][0] > WINDOW:
            self._marks.popleft()
