"""Parameters that differ from world to world: masses, lengths, laws of contact, starts."""

from dataclasses import replace

import numpy as np
import pytest

import dalembert as dl
from dalembert.batch import starts
from dalembert.batch.general import General
from dalembert.batch.varying import VaryingParameters
from dalembert.errors import ModelError
from dalembert.simulation.prepare import arrays


def two_links():
    """Two rods, the first of a mass and a length of its own."""
    mass, length = dl.parameters(mass=1.0, length=0.5)
    model = dl.Model("two links", gravity=(0, 0, -9.81))
    first = model.add_body("first", dl.Inertia.rod(mass=mass, length=length))
    second = model.add_body("second", dl.Inertia.rod(mass=0.5, length=0.4))
    model.add_joint(
        dl.Revolute(model.world, first.at(x=-length / 2), axis="y", initial=0.3, name="root")
    )
    model.add_joint(
        dl.Revolute(first.at(x=length / 2), second.at(x=-0.2), axis="y", initial=0.5, name="pin")
    )
    return model


def box_on_floor():
    """A box that slides, with friction and a height of its own."""
    friction, height = dl.parameters(friction=0.3, height=0.2)
    model = dl.Model("box on a floor")
    rough = dl.Material(friction=friction, name="rough")
    model.add_shape(dl.Plane(), material=rough, name="floor")
    inertia = dl.Inertia.box(2.0, size=(0.4, 0.4, height))
    box = model.add_body("box", inertia, position=(0, 0, height / 2), velocity=(1, 0, 0))
    model.add_shape(dl.Box(0.4, 0.4, height), on=box, material=rough)
    return model


def test_masses_and_lengths_by_formulas(monkeypatch):
    asked = []
    work = VaryingParameters._work
    monkeypatch.setattr(
        VaryingParameters, "_work", lambda self, values: asked.append(1) or work(self, values)
    )
    model, random = two_links(), np.random.default_rng(3)
    values = {"mass": random.uniform(0.5, 2, 500), "length": random.uniform(0.3, 0.7, 500)}
    found = dl.rollout(model, parameters=values, step=1e-3, steps=50)
    assert found.engine == "lanes"
    assert len(asked) < 20  # trials and the ends of the ranges, not every world
    for world in (0, 123, 499):
        own = {name: float(x[world]) for name, x in values.items()}
        run = dl.simulate(model, until=0.05, step=1e-3, parameters=own, progress=False)
        assert np.abs(found["pin.angle"][world] - run["pin.angle"]).max() < 1e-13
    # a world has the same bits whoever stands beside it
    few = {name: x[[123, 7]] for name, x in values.items()}
    other = dl.rollout(model, parameters=few, step=1e-3, steps=50)
    assert np.array_equal(other.data[0], found.data[123])


def test_a_mass_that_cannot_be_is_told():
    values = {"mass": [0.5, -1.0, 2.0]}
    with pytest.raises(ModelError, match="mass"):
        dl.rollout(two_links(), parameters=values, step=1e-3, steps=5)


@pytest.mark.parametrize(("name", "values"), [("friction", (0.2, 0.5)), ("height", (0.2, 0.3))])
def test_contact_and_starts_are_those_of_the_world(name, values):
    model = box_on_floor()
    seen = ["box.x", "box.z"]
    found = dl.rollout(model, parameters={name: values}, record=seen, step=5e-3, steps=60)
    for world, value in enumerate(values):
        run = dl.simulate(
            model,
            until=0.3,
            step=5e-3,
            mode="stepping",
            parameters={name: value},
            progress=False,
        )
        for signal in seen:
            assert np.abs(found[signal][world] - run[signal]).max() < 1e-9


def test_parameters_that_do_not_move_the_start_are_not_assembled(monkeypatch):
    model = dl.Model("four-bar", gravity=(0, 0, -9.81))
    (mass,) = dl.parameters(mass=1.0)
    crank = model.add_body("crank", dl.Inertia.rod(mass=mass, length=0.3))
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    slider = model.add_body("slider", dl.Inertia.point(mass=1.0))
    model.add_joint(dl.Revolute(model.world, crank.at(x=-0.15), axis="y", initial=0.4, name="base"))
    model.add_joint(dl.Revolute(crank.at(x=0.15), rod.at(x=-0.5), axis="y", name="pin"))
    model.add_joint(dl.Revolute(rod.at(x=0.5), slider, axis="y", name="wrist"))
    model.add_joint(dl.Prismatic(model.world, slider, axis="x", name="guide"))
    asked = []
    start = starts._start
    monkeypatch.setattr(starts, "_start", lambda *given: asked.append(1) or start(*given))
    masses = np.linspace(0.5, 2.0, 40)
    found = dl.rollout(model, parameters={"mass": masses}, step=1e-3, steps=20)
    assert len(asked) <= 2
    run = dl.simulate(
        model,
        until=0.02,
        step=1e-3,
        parameters={"mass": masses[39]},
        formulation="generalized",
        progress=False,
    )
    angle = found.q[39, :, found.coordinate_names.index("base.angle")]
    assert np.abs(angle - run["base.angle"]).max() < 1e-11


def test_worlds_that_need_more_room_do_not_disturb_others(monkeypatch):
    """One run after the other in the same arrays, which grow on the way."""
    first_room = arrays.first_room

    def little(tables):
        room = first_room(tables)
        return replace(room, contacts=2)

    provided = []
    provide = General._provide
    monkeypatch.setattr(General, "_provide", lambda *given: provided.append(1) or provide(*given))

    def boxes(name):
        model = dl.Model(name)
        model.add_shape(dl.Plane(), name="floor")
        for i in range(2):
            inertia = dl.Inertia.box(1.0, size=(0.2, 0.2, 0.2))
            body = model.add_body(f"box{i}", inertia, position=(0.3 * i, 0, 0.11 + 0.02 * i))
            model.add_shape(dl.Box(0.2, 0.2, 0.2), on=body)
        return model

    options = {"worlds": 3, "step": 5e-3, "steps": 30, "threads": 1}
    wanted = dl.rollout(boxes("roomy"), **options)
    assert not provided
    monkeypatch.setattr(arrays, "first_room", little)
    found = dl.rollout(boxes("narrow"), **options)
    assert provided
    assert np.array_equal(found.data, wanted.data)
    assert np.array_equal(found.data[0], found.data[2])
