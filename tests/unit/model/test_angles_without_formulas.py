"""Angles of a compound joint that no formula gives: names of a start, and told so elsewhere."""

from __future__ import annotations

import pytest

import dalembert as dl
from dalembert.errors import DalembertError


def wrist():
    """Hinges z, y, z: where the middle angle is zero the other two are one."""
    model = dl.Model("wrist")
    hand = model.add_body("hand", dl.Inertia(1.0, (0.01, 0.01, 0.02), center=(0, 0, 0.3)))
    model.add_joint(dl.Compound(model.world, hand, hinges=["z", "y", "z"], name="wrist"))
    model.set_initial({"wrist.angle_2": 0.6})
    return model


ASKED = [
    lambda m: dl.linearize(m, coordinates=["wrist.angle_2", "wrist.angle_1", "wrist.angle_3"]),
    lambda m: dl.linearize(m, outputs=["wrist.angle_2.dot"]),
    lambda m: dl.steady_motion(m, {"wrist.angle_1": 1.0}),
    lambda m: dl.assemble(m, hold={"wrist.angle_2": 0.5}),
    lambda m: dl.sensitivity(m, ["wrist.angle_2"], ["hand.x"], until=0.1),
    lambda m: dl.simulate(m, until=1e-2, step=1e-3)["wrist.angle_2"],
]


@pytest.mark.parametrize("asked", ASKED)
def test_why_is_told(asked):
    with pytest.raises(DalembertError, match=r"no angles as formulas.*dl\.Tree") as problem:
        asked(wrist())
    assert "Did you mean" not in str(problem.value)
    assert "did you mean" not in str(problem.value)


def test_misspelt_names_are_still_guessed():
    with pytest.raises(DalembertError, match="hand"):
        dl.assemble(wrist(), hold={"hnad.x": 0.5})
