"""Calls of controllers out of the compiled loop: hooks, what they command, and what went wrong."""

from __future__ import annotations

import ctypes
import linecache
import traceback
from typing import Any

import numpy as np

from dalembert import _jit
from dalembert.integration import loop
from dalembert.simulation.controllers import Bound, Commands, Controller, places
from dalembert.simulation.opening import Opened
from dalembert.system.borders import CONTROLLER_FAILED, OK
from dalembert.system.layout import FAILED_INDEX, INPUT_VALUES

_HOOK = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double)

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
        self.calls = np.zeros((len(controllers), 5), dtype=np.int64)
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
        self.places = places(opened.keep[0], opened.sizes, model, names)
        strides = [0] * len(controllers) if adaptive else bound.strides(float(step or 0.0))
        first = int(opened.sizes[INPUT_VALUES])
        for c, controller in enumerate(controllers):
            columns = bound.output_slices[c]
            seen = bound.input_slices[c]
            if seen is None:
                arguments = [_read_only(x) for x in state]
            else:
                arguments = [_read_only(opened.work[first + seen.start : first + seen.stop])]
            address = self._address(self._hook(controller, arguments, columns))
            count = columns.stop - columns.start
            self.calls[c, [loop.HOOK, loop.STRIDE]] = address, strides[c]
            self.calls[c, [loop.FIRST, loop.OUTPUTS]] = columns.start, count

    @property
    def arrays(self) -> tuple[Any, ...]:
        """What the loop is given."""
        return self.calls, self.rates, self.held, self.places, self.log_t, self.log_held

    def make_room(self, count: int) -> None:
        """Room for another call."""
        if self.bound is not None and count >= len(self.log_t):
            self.log_t = np.concatenate([self.log_t, np.zeros_like(self.log_t)])
            self.log_held = np.concatenate([self.log_held, np.zeros_like(self.log_held)])

    def commands(self, count: int) -> Commands | None:
        """What was commanded in the first calls."""
        if self.bound is None:
            return None
        if not count:  # the first call failed: nothing but the model's own values was held
            return Commands(self.bound.names, np.full(1, -np.inf), self._given[None, :])
        return Commands(self.bound.names, self.log_t[:count].copy(), self.log_held[:count].copy())

    # -- hooks ---------------------------------------------------------------------------------

    def _address(self, hook: Any) -> int:
        if not _jit.COMPILED:
            return int(_jit.register(hook))
        made = _HOOK(hook)
        self._keep.append(made)
        address = ctypes.cast(made, ctypes.c_void_p).value
        assert address is not None
        return int(address)

    def _hook(self, controller: Controller, arguments: list[Any], columns: slice) -> Any:
        """The function the loop calls: as little as possible around the user's."""
        callback, failed = controller.callback, self._failed
        held, first = self.held, columns.start
        count, view = columns.stop - columns.start, self.held[columns]
        fast = (float, np.float64)
        x, *more = arguments

        def take(value: Any) -> int:
            """Anything but a plain number."""
            try:
                made = np.array(value, dtype=float) if not isinstance(value, str) else None
            except (TypeError, ValueError):
                made = None
            if made is None or value is None or made.size != count or made.ndim > 1:
                said = f"its callback returned {value!r:.60}, not {_wanted(count)}"
                self._failure = controller.name, said
                return CONTROLLER_FAILED
            view[:] = made
            return OK

        def see_inputs(work: Any, sizes: Any, t: float) -> int:
            try:
                value = callback(t, x)
                if type(value) in fast and count == 1:
                    held[first] = value
                    return 0
                return take(value)
            except BaseException as problem:  # nothing may leave a hook: the loop is not Python
                return failed(controller, problem)

        def see_state(work: Any, sizes: Any, t: float) -> int:
            try:
                value = callback(t, x, more[0])
                if type(value) in fast and count == 1:
                    held[first] = value
                    return 0
                return take(value)
            except BaseException as problem:
                return failed(controller, problem)

        return see_state if more else see_inputs

    # -- failures ------------------------------------------------------------------------------

    def _failed(self, controller: Controller, problem: BaseException) -> int:
        self.cause = problem
        if isinstance(problem, KeyboardInterrupt):
            return INTERRUPTED
        text = "".join(traceback.format_exception_only(problem)).strip().splitlines()[-1]
        said = f"its callback raised {text}{_line(controller, problem)}"
        self._failure = controller.name, said
        return CONTROLLER_FAILED

    def explained(self, sizes: Any) -> tuple[str, str]:
        """Which controller failed, and how."""
        assert self.bound is not None
        if self._failure is not None:
            return self._failure
        k = int(sizes[FAILED_INDEX])
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
    frames = traceback.extract_tb(problem.__traceback__)[1:]
    code = getattr(controller.callback, "__code__", None)
    own = [f for f in frames if code is not None and f.filename == code.co_filename]
    if not (own or frames):
        return ""
    frame = (own or frames)[-1]
    text = (frame.line or linecache.getline(frame.filename, frame.lineno or 0)).strip()
    place = f"line {frame.lineno} of {frame.filename.rpartition('/')[2]}"
    return f" ({place}: {text})" if text else f" ({place})"
