"""Models that cannot travel: what, why, and what to do instead."""

from __future__ import annotations

from typing import Any

from dalembert._jit import COMPILED
from dalembert.errors import OptionError

LARGEST = 4_000_000
"""Numbers of a run that a page may carry: 32 MB of memory."""

INSTEAD = (
    "Save what simulate returns instead: dl.save_html(dl.simulate(model, ...), path) plays it."
)


def refuse_session(session: Any) -> None:
    """Refuse what cannot run without Python."""
    if not COMPILED:
        raise OptionError(
            "page: kernels run as plain Python here, and a page needs their code. Leave"
            " DALEMBERT_JIT=0 out."
        )
    run = session.present.run
    if run.calling.bound is not None:
        names = ", ".join(repr(name) for name in run.calling.bound.names)
        raise OptionError(
            f"page: the commands {names} come from a Python function, which cannot travel with the"
            f" page. Give them as formulas of the model, or leave the controllers out. {INSTEAD}"
        )
    if session.method.locates:
        raise OptionError(
            'page: a run with located events (mode="events") asks Python at every event. Leave mode'
            f" out: steps with impulses go into a page. {INSTEAD}"
        )
    count = len(run.work) + len(run.sizes)
    if count > LARGEST:
        raise OptionError(
            f"page: model {session.model.name!r} takes {8 * count / 1e6:.0f} MB of memory, more"
            f" than the {8 * LARGEST / 1e6:.0f} MB that a page carries. {INSTEAD}"
        )
