"""Joints with their coordinates at the start: given, driven, and those that relations tell.

A joint that nothing was said of, tied by gears, racks or couplers to others that something was said
of, begins where the relation puts it, with all its turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dalembert.formulas.expression import Expression
from dalembert.model.basics.by_name import RATE
from dalembert.model.joints.motion import Motion
from dalembert.model.joints.relation import Relation, Term
from dalembert.model.joints.screw import Screw
from dalembert.model.start.given_names import bodies_given, is_of_joint
from dalembert.model.start.states import number
from dalembert.model.start.turns import TURN

Numbers = Mapping[str, float]


@dataclass(frozen=True)
class Started:
    """Joints at the start.

    Attributes
    ----------
    joints : by name
    asked : (joint, coordinate) of which something was said
    """

    joints: dict[str, Any]
    asked: set[tuple[str, str]]

    def angles(self, parameters: Mapping[str, float]) -> dict[Expression, float]:
        """Angle in (-pi, pi] -> the one that was asked for, turns included."""
        found: dict[Expression, float] = {}
        for name, part in self.asked:
            joint = self.joints[name]
            if part == "angle" or isinstance(joint, Screw):
                for raw in joint.angles(joint.views):
                    found[raw] = coordinate_at_start(joint, "angle", parameters)
        return found


def started(model: Any, layers: Sequence[Numbers]) -> Started:
    """The joints with the starts that drives, names and relations give them."""
    joints = dict(model.joints)
    asked = {
        (name, part)
        for name, joint in joints.items()
        for part in joint.coordinates
        if coordinate_at_start(joint, part, model.parameters) != 0.0
    }
    for layer in layers:
        for name, value in layer.items():
            if is_of_joint(model, name):
                owner, _, part = name.removesuffix(RATE).rpartition(".")
                pair = (None, value) if name.endswith(RATE) else (value, None)
                joints[owner] = joints[owner].started(part, *pair)
                if not name.endswith(RATE):
                    asked.add((owner, part))
    for drive in model.joints.values():
        if isinstance(drive, Motion) and drive.of_joint:
            driven = joints[drive.target.name]
            start = drive.start(model.parameters)
            joints[driven.name] = driven.started(str(drive.coordinate), *start)
            asked.add((driven.name, str(drive.coordinate)))
    made = Started(joints, asked)
    if any(isinstance(joint, Relation) for joint in joints.values()):
        _follow_relations(model, made, _placed(model, layers))
    return made


def _placed(model: Any, layers: Sequence[Numbers]) -> set[str]:
    """Bodies whose place was given: what is said of joints between them has no effect."""
    names = {name for layer in layers for name in layer}
    stated = {name for name, start in model.starts.items() if start.is_placed}
    return {"world"} | stated | bodies_given(model, names)


def _follow_relations(model: Any, made: Started, placed: set[str]) -> None:
    """Set the one coordinate of a relation that nothing was said of, as long as there is one."""
    relations = [joint for joint in model.joints.values() if isinstance(joint, Relation)]

    def is_free(term: Term) -> bool:
        return any(frame.body.name not in placed for frame in term.joint.frames)

    while relations:
        for relation in relations:
            terms = relation.terms
            left = [x for x in terms if not _is_asked(made, x)]
            if len(left) == 1 and len(terms) > 1 and all(is_free(x) for x in terms):
                (term,) = left
                value = _solved(made, relation, term, model.parameters)
                if value is not None:
                    joint = made.joints[term.joint.name]
                    made.joints[joint.name] = joint.started(term.coordinate, value, None)
                    made.asked.add((joint.name, term.coordinate))
                    relations.remove(relation)
                    break
        else:
            return


def _is_asked(made: Started, term: Term) -> bool:
    name = term.joint.name
    if isinstance(term.joint, Screw):  # its two coordinates are one
        return any(owner == name for owner, _ in made.asked)
    return (name, term.coordinate) in made.asked


def _solved(
    made: Started, relation: Any, term: Term, parameters: Mapping[str, float]
) -> float | None:
    """The value of a term that meets a relation; None where none does."""
    rest = number(relation.shift, parameters)
    for other in relation.terms:
        if other is not term:
            at = coordinate_at_start(made.joints[other.joint.name], other.coordinate, parameters)
            rest -= number(other.factor, parameters) * at
    factor = number(term.factor, parameters)
    return rest / factor if factor and rest == rest else None


def coordinate_at_start(joint: Any, part: str, parameters: Mapping[str, float]) -> float:
    """The value that `initial` of a joint gives to one of its coordinates, 0 where it has none."""
    given = getattr(joint, "initial", 0.0)
    if isinstance(joint, Screw):
        factor = number(joint.pitch, parameters) / TURN if part == "displacement" else 1.0
        return factor * number(given, parameters)
    if isinstance(given, tuple):
        parts = joint.named_parts
        given = given[parts.index(part)] if part in parts else 0.0
    return number(given, parameters)
