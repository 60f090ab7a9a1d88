"""The one link that a robot hangs on; what keeps its links from being a tree, by line."""

from __future__ import annotations

from collections.abc import Mapping

from dalembert.importers.urdf.reading import XmlFile
from dalembert.importers.urdf.robot import JointEntry, Link
from dalembert.model.basics.names import nearest


def root_link(file: XmlFile, links: Mapping[str, Link], joints: Mapping[str, JointEntry]) -> str:
    """The link that is no child; every other one hangs on it, each by one joint."""
    above = _joints_above(file, links, joints)
    roots = [name for name in links if name not in above]
    if len(roots) > 1:
        shown = ", ".join(f"'{name}' (line {links[name].element.sourceline})" for name in roots[:6])
        more = f" and {len(roots) - 6} more" if len(roots) > 6 else ""
        file.refuse(
            links[roots[1]].element,
            f"several links hang on no joint: {shown}{more}. Connect all but one.",
        )
    reached = _reached(roots, joints)
    for name in links:
        if name not in reached:
            _refuse_ring(file, name, above)
    return roots[0]


def _joints_above(
    file: XmlFile, links: Mapping[str, Link], joints: Mapping[str, JointEntry]
) -> dict[str, JointEntry]:
    """The joint that each link hangs on."""
    above: dict[str, JointEntry] = {}
    for joint in joints.values():
        for end, role in ((joint.parent, "parent"), (joint.child, "child")):
            if end not in links:
                (element,) = [e for e in joint.element if e.tag == role]
                file.refuse(
                    element,
                    f"joint '{joint.name}': its {role} link '{end}' does not exist"
                    f"{nearest(end, list(links))}",
                )
        if joint.parent == joint.child:
            file.refuse(
                joint.element,
                f"joint '{joint.name}': link '{joint.parent}' is its parent and its child. "
                "Join two links.",
            )
        other = above.setdefault(joint.child, joint)
        if other is not joint:
            file.refuse(
                joint.element,
                f"joint '{joint.name}': link '{joint.child}' is the child of joint "
                f"'{other.name}' (line {other.element.sourceline}) already. URDF is a tree; "
                "give this joint as a loop (loops=, or loops: of a model file).",
            )
    return above


def _reached(roots: list[str], joints: Mapping[str, JointEntry]) -> set[str]:
    """Links that hang on the roots."""
    below: dict[str, list[str]] = {}
    for joint in joints.values():
        below.setdefault(joint.parent, []).append(joint.child)
    reached, waiting = set(roots), list(roots)
    while waiting:
        for child in below.get(waiting.pop(), ()):
            reached.add(child)
            waiting.append(child)
    return reached


def _refuse_ring(file: XmlFile, lost: str, above: Mapping[str, JointEntry]) -> None:
    """Tell of the links that hang on one another instead of on the root."""
    ring = [lost]
    while (up := above[ring[-1]].parent) not in ring:
        ring.append(up)
    ring = ring[ring.index(up) :]
    shown = " - ".join(f"'{name}'" for name in [*reversed(ring), ring[-1]][:8])
    file.refuse(
        above[ring[0]].element,
        f"the links {shown} hang on one another in a ring. URDF is a tree; take one joint "
        "out and give it as a loop (loops=, or loops: of a model file).",
    )
