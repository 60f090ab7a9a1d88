"""Calls of controllers out of the compiled loop: hooks, what they command, and what went wrong."""

from __future__ import annotations

import ctypes
import linecache
import traceback
from typing import Any

import numpy as np

from dalembert import _jit
from dalembert._calls import LENGTH, Call
from dalembert._signature import Registered
from dalembert.integration import loop
from dalembert.simulation.prepare.arrays import Opened
from dalembert.simulation.prepare.controllers import Bound, Commands, Controller, places
from dalembert.system.borders import CONTROLLER_FAILED, OK

_HOOK = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p
)

INTERRUPTED = 8
ROOM = 1024


class Calling:
    """Controllers of one run: the arrays that the loop reads, and the functions behind them.

    Without controllers the arrays are empty.
    """

    def __init__(
        self,
        bound: Bound | None = None,
        opened: Opened | None = None,
        model: Any = None,
        state: tuple[Any, Any] | None = None,
        step: float | None = None,
        adaptive: bool = False,
    ) -> None:
        self.bound = bound
        self.cause: BaseException | None = None
        self._failure: tuple[str, str] | None = None
        controllers = () if bound is None else bound.controllers
        names = () if bound is None else bound.names
        self.calls = np.zeros((len(controllers), loop.Call.entries("integers")), dtype=np.int64)
        self.contexts = np.zeros((len(controllers), LENGTH), dtype=np.int64)
        self.rates = np.array([c.rate for c in controllers], dtype=float)
        self.held = np.zeros(len(names))
        self.places = np.zeros((0, 2), dtype=np.int64)
        room = ROOM if controllers else 0
        self.log_t, self.log_held = np.zeros(room), np.zeros((room, len(names)))
        self._keep: list[Any] = []
        if bound is None:
            return
        assert opened is not None
        assert state is not None
        self.held[:] = [model.parameters[name] for name in names]
        self._given = self.held.copy()
        self.places = places(opened.keep[0], opened.state, model, names)
        strides = [0] * len(controllers) if adaptive else bound.strides(float(step or 0.0))
        self._state = state
        for c in range(len(controllers)):
            columns = bound.output_slices[c]
            call = loop.Call(self.calls[c], 0)
            call.stride, call.first = strides[c], columns.start
            call.outputs = columns.stop - columns.start
        self.look_at(opened)

    def look_at(self, opened: Opened) -> None:
        """Let controllers read their inputs where they stand now."""
        if self.bound is None:
            return
        self._keep.clear()
        values = opened.state.input_values
        for c, controller in enumerate(self.bound.controllers):
            seen = self.bound.input_slices[c]
            if seen is None:
                arguments = [_read_only(x) for x in self._state]
            else:
                arguments = [_read_only(values[seen.start : seen.stop])]
            address = self._installed(c, controller, arguments, self.bound.output_slices[c])
            loop.Call(self.calls[c], 0).hook = address

    @property
    def calls_made(self) -> np.ndarray:
        """How often each controller was called, as a view."""
        made: np.ndarray = loop.Call.column(self.calls.reshape(-1), "calls", len(self.calls))
        return made

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arrays that the loop is given."""
        return (
            self.calls,
            self.contexts,
            self.rates,
            self.held,
            self.places,
            self.log_t,
            self.log_held,
        )

    def make_room(self, count: int) -> None:
        """Room for another call."""
        if self.bound is not None and count >= len(self.log_t):
            self.log_t = np.concatenate([self.log_t, np.zeros_like(self.log_t)])
            self.log_held = np.concatenate([self.log_held, np.zeros_like(self.log_held)])

    def commands(self, count: int) -> Commands | None:
        """Commands of the first calls."""
        if self.bound is None:
            return None
        if not count:  # the first call failed: nothing but the model's own values was held
            return Commands(self.bound.names, np.full(1, -np.inf), self._given[None, :])
        return Commands(self.bound.names, self.log_t[:count].copy(), self.log_held[:count].copy())

    # -- hooks ---------------------------------------------------------------------------------

    def _installed(
        self, c: int, controller: Controller, arguments: list[Any], columns: slice
    ) -> int:
        """Address of what the loop calls: straight into Python where the loop holds its lock."""
        if not _jit.COMPILED:
            return self._address(self._hook(controller, arguments, columns))
        place = int(self.held.ctypes.data) + 8 * columns.start
        one = columns.stop - columns.start == 1
        take = self._take(controller, columns)
        made = Call(controller.callback, arguments, place, take, one=one)
        self._keep.append(made)
        self.contexts[c] = made.context
        return made.address

    def _address(self, hook: Any) -> int:
        if not _jit.COMPILED:
            registered = Registered(hook)
            self._keep.append(registered)
            return registered.key
        made = _HOOK(hook)
        self._keep.append(made)
        address = ctypes.cast(made, ctypes.c_void_p).value
        assert address is not None
        return int(address)

    def _take(self, controller: Controller, columns: slice) -> Any:
        """The function for anything but a plain number."""
        count, view = columns.stop - columns.start, self.held[columns]

        def take(value: Any) -> int:
            try:
                made = None if value is None else np.array(value, dtype=float)
            except (TypeError, ValueError):
                made = None
            if made is None or isinstance(value, str) or made.size != count or made.ndim > 1:
                said = f"its callback returned {value!r:.60}, not {_wanted(count)}"
                self._failure = controller.name, said
                return CONTROLLER_FAILED
            view[:] = made
            return OK

        return take

    def _hook(self, controller: Controller, arguments: list[Any], columns: slice) -> Any:
        """The function that an interpreted loop calls."""
        callback, take = controller.callback, self._take(controller, columns)

        def hook(work: Any, sizes: Any, t: float, context: Any) -> int:
            try:
                return int(take(callback(t, *arguments)))
            except BaseException as problem:  # nothing may leave it: the loop is not Python
                return self.failed(controller, problem)

        return hook

    # -- failures ------------------------------------------------------------------------------

    def failed(self, given: Controller | int, problem: BaseException) -> int:
        """Note what a callback raised; `given`: the controller, or what `failed_index` says."""
        assert self.bound is not None
        if isinstance(given, Controller):
            controller = given
        else:
            controller = self.bound.controllers[max(0, -1 - given)]
        self.cause = problem
        if isinstance(problem, KeyboardInterrupt):
            return INTERRUPTED
        text = "".join(traceback.format_exception_only(problem)).strip().splitlines()[-1]
        said = f"its callback raised {text}{_line(controller, problem)}"
        self._failure = controller.name, said
        return CONTROLLER_FAILED

    def explained(self, k: int) -> tuple[str, str]:
        """Which controller failed, and how; `k`: the output that was no number."""
        assert self.bound is not None
        if self._failure is not None:
            return self._failure
        c = next(c for c, s in enumerate(self.bound.output_slices) if s.start <= k < s.stop)
        said = f"its callback returned {self.held[k]} for {self.bound.names[k]!r}"
        return self.bound.controllers[c].name, said


def _wanted(count: int) -> str:
    return "a number" if count == 1 else f"{count} numbers"


def _read_only(array: Any) -> Any:
    seen = array.view()
    seen.flags.writeable = False
    return seen


def _line(controller: Controller, problem: BaseException) -> str:
    """`` (line 12 of balance.py: return 1 / x[0])``: the deepest line of the user's own file."""
    frames = traceback.extract_tb(problem.__traceback__)
    callback = controller.callback
    called = callback if hasattr(callback, "__code__") else type(callback).__call__
    code = getattr(called, "__code__", None)
    own = [f for f in frames if code is not None and f.filename == code.co_filename]
    if (
        isinstance(problem, TypeError)
        and code is not None
        and not any(f.name == code.co_name for f in own)
    ):
        return " (it is called with the time and what it reads: f(t, x))"  # it was not entered
    if not (own or frames):
        return ""
    frame = (own or frames)[-1]
    text = (frame.line or linecache.getline(frame.filename, frame.lineno or 0)).strip()
    place = f"line {frame.lineno} of {frame.filename.rpartition('/')[2]}"
    return f" ({place}: {text})" if text else f" ({place})"
