"""One line while code is compiled for the first time on this machine."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from dalembert import _jit
from dalembert._translate import objects
from dalembert.integration import loop


class _Line:
    """The line that is shown when something is compiled, once."""

    def __init__(self, method: Any, *, silent: bool) -> None:
        self.text = f"dalembert: compiling {type(method).__name__} for this machine, once ...\n"
        self.said = silent

    def __call__(self) -> None:
        if not self.said:
            self.said = True
            sys.stderr.write(self.text)
            sys.stderr.flush()


@contextlib.contextmanager
def compiling(
    method: Any, integrator: Any, contacts: Any, *, silent: bool = False
) -> Iterator[None]:
    """Say so when kernels are compiled, here or later in the run, unless nobody wants to know.

    What a step needs for certain is compiled beside everything that happens before the first one.
    """
    objects.told[:] = [_Line(method, silent=silent)]
    shapes = contacts is not None and len(contacts.model.contact_shapes) > 0
    borders = [b for b in method.step_borders(integrator, shapes) if b is not None]
    with _jit.ahead(borders, [(loop.run_chunk, loop.CHUNK_KINDS)]):
        yield
