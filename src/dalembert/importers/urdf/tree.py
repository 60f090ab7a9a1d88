"""Which links of a robot move as one: those that fixed joints hold, and those without mass.

A massless link that carries mass further out cannot be a body: its acceleration has no equation.
Where the joints on both sides of it are slides, then hinges through one point, they become one
joint; otherwise it is refused by name, or given a mass the user chose. One that carries nothing
moves nothing: it is held where it starts, and told.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from dalembert.errors import ImportFileError
from dalembert.importers.urdf.robot import ONE_COORDINATE, JointEntry, MassEntry, Pose, Robot
from dalembert.model.basics.names import nearest
from dalembert.model.basics.rotation import Rotation, about, unit_vector

MEET = 1e-12
"""Distance of hinges that counts as none [m]."""


@dataclass
class Group:
    """Links that move as one; `root` is the one whose frame is the body's."""

    root: str
    joint: JointEntry | None
    """The joint it hangs on; None for what holds the robot's own root."""
    members: list[tuple[str, Pose]] = field(default_factory=list)
    """Every link and where it stands in the group's frame."""
    inertial: MassEntry | None = None
    chain: list[JointEntry] = field(default_factory=list)
    """Joints through links without mass that lead here, the group's own last; else empty."""
    is_absorbed: bool = False
    """Without mass, between the joints of a chain: no body."""


@dataclass(frozen=True)
class Tree:
    """Groups from the root outwards, where each link is, and how the joints start."""

    groups: list[Group]
    place: dict[str, tuple[Group, Pose]]
    """Link -> its group and where it stands in it."""
    starts: dict[str, float]
    """Joint of one coordinate -> its value at the start."""


def plan(
    robot: Robot,
    *,
    merge: bool,
    massless: float | None,
    is_free: bool,
    initial: Mapping[str, float],
) -> Tree:
    """Group the links; massless ones that cannot be bodies are refused together."""
    order = outwards(robot)
    starts = starting_values(robot, initial)
    heavy = _carries_mass(robot, order)
    held = _held(robot, heavy)
    groups: list[Group] = [Group(robot.root, None, [(robot.root, Pose())])]
    place: dict[str, tuple[Group, Pose]] = {robot.root: (groups[0], Pose())}
    for joint in order:
        group, pose = place[joint.parent]
        at = pose @ joint.origin
        if joint.name in held:
            at = at @ displaced(joint, starts.get(joint.name, 0.0))
            _tell_held(robot, joint, heavy)
        own = robot.links[joint.child].inertial
        is_weld = joint.kind == "fixed" and (merge or own is None or own.mass == 0.0)
        if is_weld or joint.name in held:
            group.members.append((joint.child, at))
            place[joint.child] = group, at
        else:
            made = Group(joint.child, joint, [(joint.child, Pose())])
            groups.append(made)
            place[joint.child] = made, Pose()
    bare = []
    for k, group in enumerate(groups):
        group.inertial = _together(robot, group)
        moves = k > 0 or is_free
        if moves and (group.inertial is None or group.inertial.mass == 0.0):
            bare.append(group)
    if bare and massless is None:
        absorb(robot, groups, place, bare)
        bare = [group for group in bare if not group.is_absorbed]
    if bare:
        _give_mass(robot, bare, massless)
    if massless is not None:
        _give_moments(robot, groups if is_free else groups[1:], massless)
    return Tree(groups, place, starts)


def outwards(robot: Robot) -> list[JointEntry]:
    """Joints from the root outwards, parents before children, otherwise as in the file."""
    below: dict[str, list[JointEntry]] = {}
    for joint in robot.joints.values():
        below.setdefault(joint.parent, []).append(joint)
    found: list[JointEntry] = []
    waiting = list(reversed(below.get(robot.root, [])))
    while waiting:
        joint = waiting.pop()
        found.append(joint)
        waiting += reversed(below.get(joint.child, []))
    return found


def starting_values(robot: Robot, initial: Mapping[str, float]) -> dict[str, float]:
    """Values of the joints at the start; those that mimic follow the others."""
    known = [name for name, joint in robot.joints.items() if joint.kind in ONE_COORDINATE]
    for name in initial:
        if name not in known:
            what = "has no single coordinate" if name in robot.joints else "does not exist"
            raise ImportFileError(
                f"{robot.file.path}: initial: joint '{name}' {what}{nearest(name, known)}"
            )
        if robot.joints[name].mimic is not None:
            raise ImportFileError(
                f"{robot.file.path}: initial: joint '{name}' mimics another and starts as that "
                "one says. Leave it out."
            )
    found = {name: float(initial.get(name, 0.0)) for name in known}
    done: set[str] = set()
    for name in known:
        chain: list[str] = []
        while name not in done:
            mimic = robot.joints[name].mimic
            if name in chain:
                ring = " - ".join(f"'{other}'" for other in [*chain[chain.index(name) :], name])
                assert mimic is not None
                robot.file.refuse(mimic.element, f"joints mimic one another in a ring: {ring}.")
            chain.append(name)
            if mimic is None:
                break
            if mimic.joint not in found:
                what = "does not exist"
                if mimic.joint in robot.joints:
                    what = f"is {robot.joints[mimic.joint].kind} and has nothing to mimic"
                near = nearest(mimic.joint, known) if what == "does not exist" else "."
                robot.file.refuse(
                    mimic.element, f"joint '{name}' mimics '{mimic.joint}', which {what}{near}"
                )
            name = mimic.joint
        for name in reversed(chain):
            mimic = robot.joints[name].mimic
            if mimic is not None:
                found[name] = mimic.multiplier * found[mimic.joint] + mimic.offset
            done.add(name)
    return found


def displaced(joint: JointEntry, value: float) -> Pose:
    """The child's frame in the joint's for a value of its coordinate."""
    if value == 0.0 or joint.kind not in ONE_COORDINATE:
        return Pose()
    axis = unit_vector(joint.axis, "")
    if joint.kind == "prismatic":
        return Pose(value * axis)
    return Pose(np.zeros(3), Rotation(about(axis, value)))


def _carries_mass(robot: Robot, order: list[JointEntry]) -> dict[str, bool]:
    """Whether a link, or anything that hangs on it, has mass."""
    found = {
        name: link.inertial is not None and link.inertial.mass > 0.0
        for name, link in robot.links.items()
    }
    for joint in reversed(order):
        found[joint.parent] |= found[joint.child]
    return found


def _held(robot: Robot, heavy: Mapping[str, bool]) -> set[str]:
    """Movable joints that move no mass, and those that mimic one of them."""
    found = {
        name
        for name, joint in robot.joints.items()
        if joint.kind != "fixed" and not heavy[joint.child]
    }
    followers: dict[str, list[str]] = {}
    for name, joint in robot.joints.items():
        if joint.mimic is not None:
            followers.setdefault(joint.mimic.joint, []).append(name)
    waiting = list(found)
    while waiting:
        for name in followers.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def _tell_held(robot: Robot, joint: JointEntry, heavy: Mapping[str, bool]) -> None:
    if heavy[joint.child]:
        assert joint.mimic is not None
        why = f"it mimics joint '{joint.mimic.joint}', which moves no mass"
    else:
        why = f"link '{joint.child}' and what hangs on it have no mass, so their motion is free"
    robot.file.lose(joint.element, f"joint '{joint.name}' is held where it starts: {why}.")


def _together(robot: Robot, group: Group) -> MassEntry | None:
    """Inertia of the links of a group about their common centre, in the group's axes."""
    parts: list[MassEntry] = []
    for name, pose in group.members:
        own = robot.links[name].inertial
        if own is None:
            continue
        R = pose.rotation.matrix
        turned = own.matrix if pose.rotation.is_identity else R @ own.matrix @ R.T
        parts.append(MassEntry(own.mass, (pose @ Pose(own.center)).position, turned))
    if len(parts) < 2:
        return parts[0] if parts else None
    mass = sum(part.mass for part in parts)
    if mass == 0.0:
        return replace(parts[0], mass=0.0)
    center = sum((part.mass * part.center for part in parts), np.zeros(3)) / mass
    matrix = np.zeros((3, 3))
    for part in parts:
        d = part.center - center
        matrix += part.matrix + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return MassEntry(float(mass), center, (matrix + matrix.T) / 2)


def absorb(
    robot: Robot, groups: list[Group], place: dict[str, tuple[Group, Pose]], bare: list[Group]
) -> None:
    """Make joints through massless links one joint each, where slides come before hinges.

    The hinges must meet in a point: a hip of three hinges, a base on slides and hinges.
    """
    without = {id(group) for group in bare}
    below: dict[int, list[Group]] = {}
    for group in groups:
        if group.joint is not None:
            below.setdefault(id(place[group.joint.parent][0]), []).append(group)
    coupled = {j.mimic.joint for j in robot.joints.values() if j.mimic is not None}
    for group in groups:
        if id(group) in without or group.joint is None:
            continue
        passed: list[Group] = []
        chain = [group.joint]
        above = place[group.joint.parent][0]
        while id(above) in without and above.joint is not None and len(below[id(above)]) == 1:
            passed.append(above)
            chain.insert(0, above.joint)
            above = place[above.joint.parent][0]
        free = all(j.kind in ONE_COORDINATE and j.mimic is None for j in chain)
        if passed and free and not coupled & {j.name for j in chain} and _meet(chain, place):
            group.chain = chain
            for one in passed:
                one.is_absorbed = True


def _meet(chain: list[JointEntry], place: dict[str, tuple[Group, Pose]]) -> bool:
    """Whether slides come first and all hinges go through one point."""
    kinds = ["slide" if joint.kind == "prismatic" else "hinge" for joint in chain]
    slides = kinds.count("slide")
    if kinds != sorted(kinds, reverse=True) or slides > 3 or len(kinds) - slides > 3:
        return False
    steps = [(place[joint.parent][1] @ joint.origin).position for joint in chain]
    if any(np.abs(step).max() > MEET for step in steps[max(slides + 1, 1) :]):
        return False
    axes = along_chain(chain, place)[0]
    turning = axes[slides:]
    if any(np.linalg.norm(np.cross(a, b)) < 1e-6 for a, b in itertools.pairwise(turning)):
        return False
    return slides == 0 or bool(np.linalg.svd(axes[:slides], compute_uv=False)[-1] > 1e-6)


def along_chain(
    chain: list[JointEntry], place: dict[str, tuple[Group, Pose]]
) -> tuple[np.ndarray, Pose]:
    """Axes of the joints of a chain, and its end, in the frame of the first joint at zero."""
    at = Pose()
    axes = [unit_vector(chain[0].axis, "")]
    for joint in chain[1:]:
        at = at @ place[joint.parent][1] @ joint.origin
        axes.append(at.rotation.matrix @ unit_vector(joint.axis, ""))
    return np.array(axes), at


def _give_mass(robot: Robot, bare: list[Group], massless: float | None) -> None:
    """Refuse links that move without mass, or give them the mass the user chose."""
    file = robot.file
    if massless is None:
        lines = []
        for group in bare[:12]:
            link = robot.links[group.root]
            how = f"by joint '{group.joint.name}'" if group.joint else "freely"
            lines.append(
                f"{file.where(link.element)}: link '{group.root}' moves {how} and has no mass"
            )
        more = f"\n{file.path}: and {len(bare) - 12} more." if len(bare) > 12 else ""
        raise ImportFileError(
            ".\n".join(lines) + f".{more}\nA body without mass has no equation of motion. Give "
            "each an <inertial>, make its joint fixed, or let all have a small mass: massless=1e-3 "
            "(kg, a ball of 1 cm)."
        )
    for group in bare:
        group.inertial = MassEntry(massless, np.zeros(3), _ball(massless))
        file.lose(
            robot.links[group.root].element,
            f"link '{group.root}' moves and has no mass; it was given {massless:g} kg.",
        )


def _ball(mass: float) -> np.ndarray:
    """Moments of a ball of 1 cm."""
    return 0.4 * mass * 0.01**2 * np.eye(3)


def _give_moments(robot: Robot, groups: list[Group], massless: float) -> None:
    """Give masses without moments of inertia, which cannot turn, those of the small ball."""
    for group in groups:
        own = group.inertial
        if own is None or own.mass == 0.0 or np.any(own.matrix):
            continue
        group.inertial = replace(own, matrix=_ball(massless))
        robot.file.lose(
            robot.links[group.root].element,
            f"link '{group.root}' has no moments of inertia; it was given those of a ball of"
            f" {massless:g} kg and 1 cm.",
        )
