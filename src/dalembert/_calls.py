"""Calls of Python functions out of compiled loops, straight through Python's C interface.

    int32 call(double* work, int64* sizes, double t, int64* context)

calls ``callback(t, x)`` or ``callback(t, x, y)``, whose objects stand in `context`, and puts the
number it returns where `context` says; anything but a number goes to a slower function. Python's
lock must be held (`Kernel.holding`). An exception stays set, and is raised where the loop was
called.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from dalembert._translate import objects
from dalembert._translate.cache import cache_folder
from dalembert._translate.program import SYMBOL

FAILED = 9
"""Code returned when an exception is set: `system.borders.CONTROLLER_FAILED`."""

_INTERFACE = (
    "PyFloat_FromDouble",
    "PyObject_Vectorcall",
    "Py_DecRef",
    "PyFloat_AsDouble",
    "PyErr_Occurred",
    "PyErr_Clear",
    "PyLong_AsLong",
)
LENGTH = 16
"""Integers of a context: addresses of the interface, objects, the number's place."""

# Behind the interface: callback 7, first and second argument 8, 9 (0: none), slow function 10,
# address of the number 11, 1 where one number is wanted 12.
_PROGRAM = f"""
define i32 @{SYMBOL}(ptr %work, ptr %sizes, double %t, ptr %c) {{
entry:
  %room = alloca [4 x ptr]
  %p1 = getelementptr i64, ptr %c, i64 1
  %p2 = getelementptr i64, ptr %c, i64 2
  %p3 = getelementptr i64, ptr %c, i64 3
  %p4 = getelementptr i64, ptr %c, i64 4
  %p5 = getelementptr i64, ptr %c, i64 5
  %p6 = getelementptr i64, ptr %c, i64 6
  %p7 = getelementptr i64, ptr %c, i64 7
  %p8 = getelementptr i64, ptr %c, i64 8
  %p9 = getelementptr i64, ptr %c, i64 9
  %p10 = getelementptr i64, ptr %c, i64 10
  %p11 = getelementptr i64, ptr %c, i64 11
  %p12 = getelementptr i64, ptr %c, i64 12
  %from = load ptr, ptr %c
  %vectorcall = load ptr, ptr %p1
  %release = load ptr, ptr %p2
  %as_double = load ptr, ptr %p3
  %occurred = load ptr, ptr %p4
  %clear = load ptr, ptr %p5
  %as_long = load ptr, ptr %p6
  %callback = load ptr, ptr %p7
  %x = load ptr, ptr %p8
  %y = load ptr, ptr %p9
  %slow = load ptr, ptr %p10
  %place = load ptr, ptr %p11
  %one = load i64, ptr %p12
  %a1 = getelementptr ptr, ptr %room, i64 1
  %a2 = getelementptr ptr, ptr %room, i64 2
  %a3 = getelementptr ptr, ptr %room, i64 3
  %time = call ptr %from(double %t)
  %no_time = icmp eq ptr %time, null
  br i1 %no_time, label %failed, label %ready
ready:
  store ptr %time, ptr %a1
  store ptr %x, ptr %a2
  store ptr %y, ptr %a3
  %single = icmp eq ptr %y, null
  %n = select i1 %single, i64 2, i64 3
  %flagged = or i64 %n, -9223372036854775808
  %r = call ptr %vectorcall(ptr %callback, ptr %a1, i64 %flagged, ptr null)
  call void %release(ptr %time)
  %raised = icmp eq ptr %r, null
  br i1 %raised, label %failed, label %returned
returned:
  %wants_one = icmp eq i64 %one, 1
  br i1 %wants_one, label %number, label %other
number:
  %value = call double %as_double(ptr %r)
  %odd = fcmp oeq double %value, -1.0
  br i1 %odd, label %doubt, label %good
doubt:
  %error = call ptr %occurred()
  %fine = icmp eq ptr %error, null
  br i1 %fine, label %good, label %no_number
no_number:
  call void %clear()
  br label %other
good:
  store double %value, ptr %place
  call void %release(ptr %r)
  ret i32 0
other:
  store ptr %r, ptr %a1
  %s = call ptr %vectorcall(ptr %slow, ptr %a1, i64 -9223372036854775807, ptr null)
  call void %release(ptr %r)
  %bad = icmp eq ptr %s, null
  br i1 %bad, label %failed, label %told
told:
  %code = call i64 %as_long(ptr %s)
  call void %release(ptr %s)
  %short = trunc i64 %code to i32
  ret i32 %short
failed:
  ret i32 {FAILED}
}}
"""


class Call:
    """One function to be called; it keeps alive whatever `context` points to."""

    def __init__(
        self, callback: Any, arguments: list[Any], place: int, slow: Any, *, one: bool
    ) -> None:
        api = ctypes.pythonapi
        found = [ctypes.cast(getattr(api, name), ctypes.c_void_p).value for name in _INTERFACE]
        second = id(arguments[1]) if len(arguments) > 1 else 0
        given: list[Any] = [
            *found,
            id(callback),
            id(arguments[0]),
            second,
            id(slow),
            place,
            int(one),
        ]
        self.context = np.zeros(LENGTH, dtype=np.int64)
        self.context[: len(given)] = given
        self.loaded = objects.load(cache_folder(), None, lambda: (_PROGRAM, ""))
        self.address = int(self.loaded.address)
        self._keep = (callback, arguments, slow)
