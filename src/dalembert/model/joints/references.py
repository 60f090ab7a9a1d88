"""Bodies, frames and joints of one model, found by what a user gives for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dalembert.model.basics.frame import WORLD, Frame, World
from dalembert.model.basics.names import nearest
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rigid_body import Body

if TYPE_CHECKING:
    from dalembert.model.joints.joint import Joint


class References:
    """Bodies, world and joints that the elements of a model may refer to."""

    def __init__(
        self, bodies: Mapping[str, Body], world: World, joints: Mapping[str, Joint]
    ) -> None:
        self.bodies = bodies
        self.world = world
        self.joints = joints

    def frame(
        self, given: Any, element: str, findings: Findings, *, or_joint: bool = False
    ) -> Frame | None:
        """Frame given itself, as a body, or as the text "body/frame".

        ``or_joint`` says that a joint could have been meant as well.
        """
        if isinstance(given, str):
            return self._named_frame(given, element, findings, or_joint)
        frame = given.at() if isinstance(given, Body | World) else given
        if not isinstance(frame, Frame):
            findings.add(
                element,
                f"{given!r:.60} is neither a frame nor a body. Give a body, body.at(...) or "
                "'body/frame'.",
            )
            return None
        body = frame.body
        if isinstance(body, Body) and self.bodies.get(body.name) is not body:
            findings.add(
                element,
                f"'{body.name}' is a body of another model. Use what add_body of this model "
                "returned.",
            )
            return None
        return frame

    def _named_frame(
        self, given: str, element: str, findings: Findings, or_joint: bool
    ) -> Frame | None:
        name, _, part = given.partition("/")
        body: Body | World | None = self.world if name == WORLD else self.bodies.get(name)
        if body is None and not part:
            alone = self.frame_alone(name)
            if alone is not None:
                return alone
        if body is None:
            known = [*(self.joints if or_joint else ()), *self.bodies, WORLD]
            what = "joint or body" if or_joint else "body"
            findings.add(element, f"there is no {what} '{name}'{nearest(name, known)}")
            return None
        if not part:
            return body.at()
        if part not in body.frames:
            near = nearest(part, list(body.frames))
            remedy = "" if body.frames else " Give the place itself, such as body.at(x=0.5)."
            findings.add(element, f"body '{name}' has no frame '{part}'{near}{remedy}")
            return None
        return body.frames[part]

    def frame_alone(self, name: str) -> Frame | None:
        """The frame of that name, where only one body has one: a link that was merged."""
        bodies: list[Body | World] = [self.world, *self.bodies.values()]
        found = [body.frames[name] for body in bodies if name in body.frames]
        return found[0] if len(found) == 1 else None

    def joint(self, given: Any, element: str, findings: Findings) -> Joint | None:
        """Joint given itself, or by its name."""
        if isinstance(given, str):
            if given not in self.joints:
                near = nearest(given, list(self.joints))
                findings.add(element, f"there is no joint '{given}'{near}")
            return self.joints.get(given)
        found = self.joints.get(getattr(given, "name", ""))
        if found is None or found is not given:
            findings.add(
                element,
                f"{given!r:.60} is no joint of this model. Use what add_joint returned, or the "
                "joint's name.",
            )
            return None
        return found
