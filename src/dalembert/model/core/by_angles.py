"""Joints and forces between bodies with roll-pitch-yaw: constraints and generalised forces.

These bodies take the way of formulas: a joint becomes constraints, a force the generalised force
Q = sum of  F . dv/dq' + T . dw/dq'  over its frames.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dalembert.formulas.derivative import jacobian
from dalembert.formulas.expression import ZERO, Expression
from dalembert.model.basics.constraint import Constraint
from dalembert.model.basics.element import dot
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.base import ForceElement
from dalembert.model.joints.joint import Joint

SLIP = "slip"
"""Added to the name of a joint for its velocity rows, when it has both kinds."""


def joint_constraints(joint: Joint, findings: Findings) -> list[Constraint]:
    """The rows of a joint as constraints on the coordinates of its bodies."""
    if joint.counts_turns:
        _refuse(f"joint '{joint.name}'", joint.kind, findings)
        return []
    rows, slips = joint.formulas()
    found = []
    if rows:
        found.append(Constraint(joint.name, tuple(rows), joint.row_labels[: len(rows)]))
    if slips:
        name = f"{joint.name} {SLIP}" if rows else joint.name
        found.append(Constraint(name, tuple(slips), joint.row_labels[len(rows) :]))
    return found


def check_force(force: ForceElement, findings: Findings) -> None:
    """Note what cannot be done with these bodies."""
    if force.counts_turns or force.watched.joints:
        _refuse(f"force '{force.name}'", force.kind, findings)


def _refuse(element: str, kind: str, findings: Findings) -> None:
    article = "an" if kind[0] in "aeiou" else "a"
    findings.add(
        element,
        f"{article} {kind.replace('_', ' ')} counts full turns, which bodies with orientation "
        "'roll-pitch-yaw' do not. Give the bodies orientation='quaternion'.",
    )


def generalised(
    elements: Iterable[ForceElement],
    coordinates: Sequence[Expression],
    given: Mapping[Expression, Expression],
) -> tuple[dict[Expression, Expression], Expression]:
    """Generalised forces without potential, by coordinate, and the potential of the elements."""
    forces, V = dict(given), ZERO
    rates = [q.dot for q in coordinates]
    for element in elements:
        loads, energy = element.evaluated()
        if energy is not None:
            V = V + energy
        if element.follows_from_energy:
            continue
        total = [ZERO] * len(rates)
        for (pull, torque), view in zip(loads, element.views, strict=True):
            slopes = jacobian([*view.velocity, *view.angular_velocity], rates)
            for k in range(len(rates)):
                total[k] = total[k] + dot(pull, [row[k] for row in slopes[:3]])
                total[k] = total[k] + dot(torque, [row[k] for row in slopes[3:]])
        if energy is not None:  # its part of the loads comes with the potential
            slope = jacobian([energy], coordinates)[0]
            total = [a + b for a, b in zip(total, slope, strict=True)]
        for q, entry in zip(coordinates, total, strict=True):
            if entry is not ZERO:
                forces[q] = forces.get(q, ZERO) + entry
    return forces, V
