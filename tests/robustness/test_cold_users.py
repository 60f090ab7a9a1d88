"""Mistakes a newcomer makes with bodies and joints: one named error that says what to write."""

from __future__ import annotations

import pytest

import dalembert as dl
from dalembert.errors import DalembertError

BAR = dl.Inertia.box(mass=1.0, size=(1.0, 0.1, 0.1))


def pendulum() -> tuple[dl.Model, object]:
    model = dl.Model("m")
    body = model.add_body("bar", BAR)
    model.add_joint(dl.Revolute(model.world, body.at(x=-0.5), axis="y", name="hinge"))
    return model, body


def mass_as_text():
    dl.Inertia.sphere(mass="1 kg", radius=1.0)


def negative_mass():
    dl.Inertia.box(mass=-1.0, size=(1, 1, 1))


def one_size():
    dl.Inertia.box(mass=1.0, size=1.0)


def gravity_as_number():
    dl.Model("m", gravity=-9.81)


def method_as_class():
    dl.simulate(pendulum()[0], 1.0, step=0.1, method=dl.Rattle)


def method_as_text():
    dl.simulate(pendulum()[0], 1.0, step=0.1, method="rattle")


def drive_of_unknown_joint():
    model, _ = pendulum()
    model.add_joint(dl.Motion("hing", value=0.0))


def drive_without_coordinate():
    model, body = pendulum()
    model.add_joint(dl.Motion(body, value=0.0))


def frame_without_name():
    model, _ = pendulum()
    model.add_joint(dl.Spherical("world", "bar/tip"))


def unknown_parameter():
    pendulum()[0].with_parameters(stiffness=3.0)


def held_misspelt():
    dl.assemble(pendulum()[0], {"hinge.angel": 0.3})


SENTENCES = {
    mass_as_text: "Inertia.sphere: mass is '1 kg', not a number. Give a number.",
    negative_mass: "Inertia.box: mass is -1 kg. Give a positive mass.",
    one_size: "Inertia.box: size is 1.0. Give 3 lengths.",
    gravity_as_number: "gravity: has 1 entry. Give 3, such as (0, 0, -9.81).",
    method_as_class: "Give an object such as Rattle(), with brackets.",
    method_as_text: "'rattle' is not a method. Give an object such as dl.Rattle().",
    drive_of_unknown_joint: "there is no joint or body 'hing'; did you mean 'hinge'?",
    drive_without_coordinate: "coordinate= is missing: which one of a body? One of x, y, z",
    frame_without_name: "body 'bar' has no frame 'tip' (there are none).",
    unknown_parameter: "parameter 'stiffness': is unknown (there are none).",
    held_misspelt: "did you mean 'hinge.angle'?",
}


@pytest.mark.parametrize("mistake", SENTENCES, ids=lambda mistake: mistake.__name__)
def test_mistakes(mistake):
    with pytest.raises(DalembertError) as caught:
        mistake()
    assert SENTENCES[mistake] in str(caught.value)
    assert "problems" not in str(caught.value)  # one mistake, one finding
