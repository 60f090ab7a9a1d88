"""Names by which parts of the start of bodies may be given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dalembert.model.basics.by_name import PARTS, RATE
from dalembert.model.basics.rigid_body import QuaternionBody

SPIN = ("wx", "wy", "wz")


class StartNames:
    """Names that a start may give of a model of bodies; made when they are listed."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        plain = name.removesuffix(RATE)
        owner, _, part = plain.rpartition(".")
        body = self.model.bodies.get(owner)
        if body is not None and part in PARTS:
            return True
        if isinstance(body, QuaternionBody) and name in {*body.state_names, *body.velocity_names}:
            return True
        return is_of_joint(self.model, name)

    def __iter__(self) -> Any:
        for body in self.model.bodies.values():
            own = [f"{body.name}.{part}" for part in PARTS]
            if isinstance(body, QuaternionBody):
                own += [*body.state_names, *body.velocity_names]
            own += [f"{body.name}.{part}{RATE}" for part in PARTS]
            yield from dict.fromkeys(own)
        for name, joint in self.model.joints.items():
            for part in joint.named_parts:
                yield from (f"{name}.{part}", f"{name}.{part}{RATE}")


def is_of_joint(model: Any, name: str) -> bool:
    """Whether a name is that of a coordinate of a joint, or of its rate; bodies come first."""
    owner, _, part = name.removesuffix(RATE).rpartition(".")
    if owner in model.bodies and part in PARTS:
        return False
    joint = model.joints.get(owner)
    return joint is not None and part in joint.named_parts


def bodies_given(model: Any, names: Iterable[str], *, speeds: bool = False) -> set[str]:
    """Bodies of whose place (or speed) something is among the names."""
    found = set()
    for name in names:
        owner, _, part = name.removesuffix(RATE).rpartition(".")
        moving = name.endswith(RATE) or part in SPIN
        if owner in model.bodies and not is_of_joint(model, name) and moving == speeds:
            found.add(owner)
    return found
