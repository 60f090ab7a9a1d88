"""What several elements have in common is no element by itself."""

from __future__ import annotations

import pytest

from dalembert.model.basics.rigid_body import Body
from dalembert.model.forces.base import ForceElement
from dalembert.model.forces.joint_actuator import JointActuator
from dalembert.model.forces.on_joint import OnJoint
from dalembert.model.joints.joint import Joint
from dalembert.model.joints.relation import Relation
from dalembert.model.sensors.base import Sensor


@pytest.mark.parametrize(
    ("base", "missing"),
    [
        (ForceElement, "act"),
        (OnJoint, "effort"),
        (JointActuator, "force"),
        (Joint, "frames"),
        (Relation, "terms"),
        (Body, "rotation"),
        (Sensor, "units"),
    ],
)
def test_bases_name_what_a_kind_must_say(base, missing):
    assert missing in base.__abstractmethods__
    with pytest.raises(TypeError, match="abstract"):
        base()
