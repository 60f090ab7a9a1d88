"""How a run ended: one code, one meaning, one sentence.

Kernels return the plain integers; 0 and 1 are fixed there (``OK``, ``RANK_DEFICIENT``).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from dalembert import errors


class Status(IntEnum):
    """How a run ended.

    ``meaning`` is the one-line meaning, ``failed`` whether the run stopped against the user's will.
    """

    OK = 0
    RANK_DEFICIENT = 1
    NOT_POSITIVE_DEFINITE = 2
    NO_CONVERGENCE = 3
    NON_FINITE = 4
    STEP_TOO_SMALL = 5
    INCONSISTENT = 6
    EVENT = 7
    INTERRUPTED = 8
    CONTROLLER_FAILED = 9
    NOT_SOLVED = 10
    RAN_AWAY = 11
    NOT_WRITTEN = 12

    @property
    def meaning(self) -> str:
        """Meaning of the code, in one line."""
        return _MEANING[self]

    @property
    def failed(self) -> bool:
        """True when the run could not go on (an event or Ctrl-C is not a failure)."""
        return self not in (Status.OK, Status.EVENT, Status.INTERRUPTED)


_MEANING = {
    Status.OK: "reached the end of the interval",
    Status.RANK_DEFICIENT: "constraint rows became dependent and the method needs independent ones",
    Status.NOT_POSITIVE_DEFINITE: "the mass matrix is not positive definite",
    Status.NO_CONVERGENCE: "an iteration (projection or implicit step) did not converge",
    Status.NON_FINITE: "a coordinate or velocity is no longer a finite number",
    Status.STEP_TOO_SMALL: "error control reduced the step to nothing",
    Status.INCONSISTENT: "no state near meets all constraints: they contradict one another or a"
    " prescribed motion is out of reach",
    Status.EVENT: "a terminal event was reached",
    Status.INTERRUPTED: "interrupted by the user",
    Status.CONTROLLER_FAILED: "a controller gave no command",
    Status.NOT_SOLVED: "the laws of contact and stops were not met",
    Status.RAN_AWAY: "the motion has become faster than a fixed step can follow",
    Status.NOT_WRITTEN: "the run could not be written",
}

_REMEDY = {
    Status.RANK_DEFICIENT: "Remove the redundant constraint, or take a method that accepts"
    " dependent rows (Projection, BraunGoldfarb, UdwadiaKalaba).",
    Status.NOT_POSITIVE_DEFINITE: "Give every coordinate a positive mass or inertia.",
    Status.NO_CONVERGENCE: "Take a smaller step, or start nearer to the constraints.",
    Status.NON_FINITE: "Take a smaller step, or a method without drift (Projection).",
    Status.STEP_TOO_SMALL: "Loosen the tolerances, or look for a singularity or a jump in the"
    " forces at this moment.",
    Status.INCONSISTENT: "Remove or correct one of the constraints.",
    Status.CONTROLLER_FAILED: "Correct the callback: it must return finite numbers.",
    Status.NOT_SOLVED: "Take a smaller step, or another solver.",
    Status.RAN_AWAY: "Take a smaller step, and look for what drives it: joints that contradict one"
    " another, bodies that start deep in one another, motors without limits, stiff springs.",
    Status.NOT_WRITTEN: "Make room, and go on with dalembert resume, or save elsewhere.",
}

_ERROR: dict[Status, type[errors.DalembertError]] = {
    Status.RANK_DEFICIENT: errors.RedundancyError,
    Status.NOT_POSITIVE_DEFINITE: errors.MassMatrixError,
    Status.NO_CONVERGENCE: errors.StepSizeError,
    Status.NON_FINITE: errors.NonFiniteError,
    Status.STEP_TOO_SMALL: errors.StepSizeError,
    Status.INCONSISTENT: errors.InconsistentError,
    Status.CONTROLLER_FAILED: errors.ControllerError,
    Status.NOT_SOLVED: errors.ComplementarityError,
    Status.RAN_AWAY: errors.StepSizeError,
    Status.NOT_WRITTEN: errors.RunFileError,
}


def remedy(status: Status | int) -> str:
    """Advice on a status; empty when nothing is wrong."""
    return _REMEDY.get(Status(status), "")


def error_class(status: Status | int) -> type[Any]:
    """The exception that stands for a failed status."""
    return _ERROR.get(Status(status), errors.SimulationError)


def sentence(
    status: Status | int,
    *,
    t: float | None = None,
    where: str | None = None,
    detail: str | None = None,
    advice: str | None = None,
) -> str:
    """A text that says what happened, where and when, and what to do.

    Parameters
    ----------
    status : Status or int    code returned by a kernel
    t : float, optional       moment of the last good state  [s]
    where : str, optional     the user's own name of the coordinate, constraint or event
    detail : str, optional    a further clause, such as the size of a residual
    advice : str, optional    what to do, where more is known than the status

    Examples
    --------
    >>> sentence(Status.EVENT, t=1.5, where="ground")
    "Stopped at t = 1.5 s, 'ground': a terminal event was reached."
    """
    status = Status(status)
    place = f"'{where}'" if where else ""
    if status is Status.OK:
        head = "Finished" + (f" at t = {t:.10g} s" if t is not None else "")
    else:
        head = "Stopped" + (f" at t = {t:.10g} s" if t is not None else "")
    head += f", {place}" if place else ""
    text = f"{head}: {status.meaning}"
    text += f" ({detail})." if detail else "."
    advice = advice or remedy(status)
    return f"{text} {advice}" if advice else text
