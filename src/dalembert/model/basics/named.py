"""The common part of joints, forces and sensors: a name, a kind, and how they are read."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from dalembert.errors import ModelError
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.unchanging import BY_PARAMETERS, Settled


@dataclass(frozen=True, eq=False, repr=False)
class Named(Settled):
    """An element of a model that is known by a name.

    Parameters
    ----------
    name : str
        For reports and results; empty until the element joins a model, unless given.
    """

    _later: ClassVar[str] = BY_PARAMETERS

    _: KW_ONLY
    name: str = ""

    def __post_init__(self) -> None:
        findings = Findings()
        given: object = self.name
        if not isinstance(given, str):
            findings.append(f"the name is {given!r:.60}. Give a text.")
            object.__setattr__(self, "name", "")
        try:
            self.read(findings)
        except ModelError as problem:
            findings.append(str(problem))
        findings.raise_if_any(self.title)

    def read(self, findings: Findings) -> None:
        """Check what was given and note what is wrong."""

    @property
    def kind(self) -> str:
        """Name of the kind of element: "revolute", "spring", "imu"."""
        return snake_case(type(self).__name__)

    @property
    def title(self) -> str:
        """How messages about the element begin."""
        return f"{self.kind} '{self.name}'" if self.name else self.kind


def snake_case(name: str) -> str:
    """PointOnLine -> point_on_line, IMU -> imu."""
    if name.isupper():
        return name.lower()
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
