"""Every exception of the package; each message says what is wrong, where, and what to do."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

LONGEST = 10_000
"""Characters of a message: what a file or a user says may be longer."""


class DalembertError(Exception):
    """Any error this package raises on purpose."""

    def __init__(self, *args: Any) -> None:
        if args and isinstance(args[0], str) and len(args[0]) > LONGEST:
            left = len(args[0]) - LONGEST
            args = (f"{args[0][:LONGEST]} ... ({left} characters more)", *args[1:])
        super().__init__(*args)


class ModelError(DalembertError, ValueError):
    """A description that is not a mechanical system: zero mass, unknown name, wrong shape."""


class ChangeError(ModelError, FrozenInstanceError):
    """Something assigned to what does not change, or has no such attribute; the message says how.

    It is an `AttributeError`, too.
    """


class UnknownNameError(ModelError, KeyError):
    """A model was asked for something by a name it does not have; the message has the nearest."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class FormulaError(DalembertError, ValueError):
    """A formula that cannot be traced; the message shows the user's own line."""


class ImportFileError(DalembertError, ValueError):
    """A model file that cannot be read; the message gives file, line and the nearest known name."""


class OptionError(DalembertError, ValueError):
    """A parameter of a method, integrator or run out of range, or an unsuitable combination."""


class SimulationError(DalembertError, RuntimeError):
    """A run that stopped early. `solution` holds everything computed up to that moment."""

    def __init__(self, message: str, solution: Any = None) -> None:
        super().__init__(message)
        self.solution = solution


class ProjectionError(SimulationError):
    """No configuration on the constraints was found near the given one."""


class AssemblyError(ProjectionError):
    """Joints or held values that cannot be met together; the message names them.

    `conflict` holds their names.
    """

    def __init__(self, message: str, solution: Any = None, conflict: tuple[str, ...] = ()) -> None:
        super().__init__(message, solution)
        self.conflict = conflict


class EquilibriumError(SimulationError):
    """No equilibrium or steady motion was found; the message names what is not balanced."""


class RedundancyError(SimulationError):
    """A method that needs independent constraint rows met dependent ones."""


class InconsistentError(SimulationError):
    """Constraints contradict one another: no acceleration satisfies them all."""


class MassMatrixError(SimulationError):
    """The mass matrix is not positive definite."""


class StepSizeError(SimulationError):
    """The step is unusable: driven to nothing by error control, or an iteration diverged."""


class NonFiniteError(SimulationError):
    """A coordinate or velocity left the numbers; the message names the first one."""


class ComplementarityError(SimulationError):
    """The laws of contact were not met to the tolerance (strict runs), or no answer was found."""


class ControllerError(SimulationError):
    """The callback of a controller raised an error or returned something that is no command."""


class FileError(DalembertError, OSError):
    """A file that cannot be read or written."""


class RunFileError(FileError):
    """A run on disk that cannot be written, read or resumed.

    `solution` holds what was computed nevertheless, or None.
    """

    def __init__(self, message: str, solution: Any = None) -> None:
        super().__init__(message)
        self.solution = solution


class InterruptedRun(KeyboardInterrupt):
    """Ctrl-C during a run; `solution` holds what was computed."""

    def __init__(self, message: str, solution: Any = None) -> None:
        super().__init__(message)
        self.solution = solution


class StudyError(DalembertError, RuntimeError):
    """A study that could not go on: its workers or its scheduler were lost.

    `study` holds what is done.
    """

    def __init__(self, message: str, study: Any = None) -> None:
        super().__init__(message)
        self.study = study


class StudyFileError(FileError):
    """A study on disk that cannot be written, read or gone on with; `study` holds it, or None."""

    def __init__(self, message: str, study: Any = None) -> None:
        super().__init__(message)
        self.study = study


class InterruptedStudy(KeyboardInterrupt):
    """Ctrl-C during a study; `study` holds what is done."""

    def __init__(self, message: str, study: Any = None) -> None:
        super().__init__(message)
        self.study = study


class NotShownWarning(UserWarning):
    """A figure that was drawn, and that nobody sees."""


class DoubtfulWarning(UserWarning):
    """Legal, but probably not what was meant."""
