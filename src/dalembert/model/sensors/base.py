"""The common part of sensors: a name, signals, and which of them are formulas of the motion.

A sensor does nothing to a model; it names what is to be read. Signals that are functions of
position, velocity and time are formulas: they may stand in commands and forces, and controllers see
them. Signals that need accelerations or reactions are worked out of the results.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.named import Named
from dalembert.model.basics.names import nearest
from dalembert.model.basics.reading import Findings
from dalembert.model.joints.joint import end_text
from dalembert.model.joints.references import References

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

VECTOR = ("x", "y", "z")


@dataclass(frozen=True, eq=False, repr=False)
class Sensor(Named, ABC):
    """Something to be read during a run or from its results.

    Parameters
    ----------
    name : str
        Of the signals in results, "imu.ax"; by default numbered.
    """

    ends: ClassVar[tuple[str, ...]] = ("frame",)
    """Fields that say what is measured."""

    @property
    def title(self) -> str:
        """``sensor 'imu'``, as messages begin."""
        return f"sensor '{self.name}'" if self.name else self.kind

    @abstractmethod
    def resolved(self, model: Model, names: References, name: str, findings: Findings) -> Self:
        """A copy of the sensor with a name, on parts of the model."""

    # -- signals -------------------------------------------------------------------------------

    @property
    @abstractmethod
    def units(self) -> dict[str, str]:
        """Unit of each signal, in their order."""

    @property
    def signals(self) -> tuple[str, ...]:
        """Names of the signals."""
        return tuple(self.units)

    @property
    @abstractmethod
    def formulas(self) -> dict[str, Expression]:
        """Signals that are functions of position, velocity and time."""

    def with_accelerations(self, model: Model) -> dict[str, Expression]:
        """Signals that contain accelerations, as formulas of `acceleration` symbols as well."""
        return {}

    def with_reactions(self, model: Model) -> dict[str, Expression]:
        """Signals that contain reactions, as formulas of multipliers as well."""
        return {}

    def __getitem__(self, signal: str) -> Expression:
        """One signal as a formula, for commands and forces."""
        known = self.formulas
        if signal in known:
            return known[signal]
        if signal in self.signals:
            raise ModelError(
                f"{self.title}: {signal!r} depends on accelerations or reactions and is no formula "
                "of the motion. Read it from the solution."
            )
        raise ModelError(
            f"{self.title}: there is no signal {signal!r}{nearest(str(signal), self.signals)}"
        )

    def __iter__(self) -> Any:
        """Refused: signals are asked for by name."""
        raise TypeError(f"{self.title} is not a sequence. Its signals: {', '.join(self.signals)}.")

    # -- telling -------------------------------------------------------------------------------

    def __repr__(self) -> str:
        ends = ", ".join(end_text(getattr(self, end)) for end in self.ends)
        options = "".join(f", {key}={value}" for key, value in self.options())
        return f"{type(self).__name__}({ends}{options}, name={self.name!r})"

    def options(self) -> list[tuple[str, str]]:
        """Options to be shown, as text."""
        return []


def part_of_model(sensor: Sensor, part: Any, kind: type[Any]) -> Any:
    """A field of a sensor that has joined a model."""
    if not isinstance(part, kind):
        raise ModelError(f"{sensor.title}: is part of no model yet. Use what add_sensor returns.")
    return part


def components(letter: str, unit: str) -> dict[str, str]:
    """``{"ax": unit, "ay": unit, "az": unit}``."""
    return {f"{letter}{axis}": unit for axis in VECTOR}


def named(letter: str, vector: Iterable[Any]) -> dict[str, Any]:
    """Components of a vector by name."""
    return dict(zip(components(letter, ""), vector, strict=True))
