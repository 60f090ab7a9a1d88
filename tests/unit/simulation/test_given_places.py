"""Places given at the start: kept, or told with both values and doubted, or refused."""

from __future__ import annotations

import json

import pytest

import dalembert as dl
from dalembert.cli import main
from dalembert.errors import ProjectionError

x, y = dl.coordinates("x y")


def hinged(size=1.0, **start):
    """A rod on a hinge at the origin; its middle belongs at a distance of half its length."""
    model = dl.Model("hinged", gravity=(0, 0, -9.81))
    rod = model.add_body("rod", dl.Inertia.rod(1.0, length=size), **start)
    model.add_joint(dl.Revolute(model.world, rod.at(x=-size / 2), axis="y", name="hinge"))
    return model


def pendulum(**initial):
    return dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        constraints={"bar": x**2 + y**2 - 1.0},
        initial=initial,
        name="pendulum",
    )


def run(model, **options):
    return dl.simulate(model, until=0.01, step=1e-3, **options)


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_a_position_that_a_joint_contradicts_is_told_and_doubtful(formulation):
    solution = run(hinged(position=(0.55, 0.0, 0.0)), formulation=formulation)
    (reason,) = solution.verdict.reasons
    assert (solution.verdict.word, reason.rule) == ("doubtful", "start")
    assert "x of body 'rod' was given as 0.55, but the constraints leave 0.5." in reason.text
    assert "dl.assemble(model)" in reason.remedy
    (told,) = solution.report()["changed_places"]
    assert told["name"] == "x of body 'rod'"
    assert told["asked"] == pytest.approx(0.55)
    assert told["taken"] == pytest.approx(0.5)
    assert "was given as 0.55, 0.5 was taken" in solution.summary()


def test_check_tells_it_before_the_run():
    (doubt,) = hinged(position=(0.55, 0.0, 0.0)).check()
    assert "x of body 'rod' was given as 0.55, the constraints leave 0.5" in doubt


@pytest.mark.parametrize("size", [1.0, 0.01, 100.0])
def test_digits_are_no_reason_to_doubt_and_size_decides(size):
    near = run(hinged(size, position=(0.50001 * size, 0.0, 0.0)))
    assert near.verdict.is_good, near.verdict
    assert near.report()["changed_places"] == []
    assert not run(hinged(size, position=(0.502 * size, 0.0, 0.0))).verdict.is_good


def test_a_rotation_is_told_by_its_angle():
    given = {"position": (0.5, 0.0, 0.0), "rotation": ("x", 0.05)}
    (reason,) = run(hinged(**given)).verdict.reasons
    assert "roll of body 'rod' was given as 0.05" in reason.text


@pytest.mark.parametrize(("name", "value"), [("rod.x", 0.55), ("rod.roll", 0.05)])
def test_coordinates_by_name_are_told_for_a_run_and_in_a_model(name, value):
    model = hinged()
    model.set_initial({name: value})
    part = name.partition(".")[2]
    for solution in (run(hinged(), initial={name: value}), run(model)):
        (reason,) = solution.verdict.reasons
        assert f"{part} of body 'rod' was given as {value}" in reason.text


def test_bodies_left_to_their_joints_are_never_told():
    assert run(hinged()).verdict.is_good
    assert run(hinged(), initial={"hinge.angle": 0.4}).verdict.is_good


def test_a_state_of_an_earlier_run_is_taken_as_it_is():
    first = dl.simulate(hinged(), until=0.3, step=1e-3)
    again = run(hinged(), initial=first.at(0.3))
    assert again.verdict.is_good, again.verdict


def test_coordinates_of_formulas_are_told():
    (reason,) = run(pendulum(x=0.65, y=-0.8)).verdict.reasons
    assert "y was given as -0.8, but the constraints leave -0.776" in reason.text
    assert "Give coordinates that meet the constraints." in reason.remedy
    assert run(pendulum(x=0.6, y=-0.8)).verdict.is_good
    assert not run(pendulum(x=0.6, y=-0.8), initial={"x": 0.65}).verdict.is_good
    assert not run(pendulum(), initial=([0.65, -0.8], [0.0, 0.0])).verdict.is_good


def test_far_off_is_refused_as_before_and_left_alone_where_that_is_asked():
    with pytest.raises(ProjectionError, match="would have to move by"):
        run(hinged(position=(1.5, 0.0, 0.0)))
    assert not run(hinged(position=(1.5, 0.0, 0.0)), initial_limit=10.0).verdict.is_good
    left = run(pendulum(x=0.65, y=-0.8), consistent=False)
    assert left.report()["changed_places"] == []


YAML = """
version: 1
name: hinged
bodies:
  - {name: rod, mass: 1, inertia: {type: rod, length: 1}, position: [0.55, 0, 0]}
joints:
  hinge: {type: revolute, first: world, second: {body: rod, at: [-0.5, 0, 0]}, axis: y}
"""


def test_who_wrote_a_file_is_told_in_words_of_the_shell(tmp_path, capsys):
    file = tmp_path / "hinged.yaml"
    file.write_text(YAML)
    options = ["--until", "0.01", "--step", "1e-3"]
    assert main(["run", str(file), *options]) == 1
    said = capsys.readouterr()
    assert "x of body 'rod' was given as 0.55, but the constraints leave 0.5." in said.out
    assert "dl." not in said.out + said.err
    main(["check", str(file), "--json"])
    (doubt,) = json.loads(capsys.readouterr().out)["doubts"]
    assert "was given as 0.55" in doubt


def test_check_tells_of_formulas_in_the_shell(tmp_path, capsys):
    file = tmp_path / "pendulum.yaml"
    file.write_text(
        "version: 1\nname: pendulum\ncoordinates: [x, y]\nkinetic: (x.dot**2 +"
        " y.dot**2)/2\nconstraints: {bar: x**2 + y**2 - 1}\ninitial: {x: 0.65, y: -0.8}\n"
    )
    assert main(["check", str(file)]) == 0
    assert "y was given as -0.8, the constraints leave -0.776" in capsys.readouterr().out


def test_a_resumed_run_still_tells(tmp_path):
    model = hinged(position=(0.55, 0.0, 0.0))
    folder = tmp_path / "run"
    dl.simulate(model, until=0.02, step=1e-3, save=folder)
    again = dl.resume(folder, until=0.04)
    assert [one["name"] for one in again.report()["changed_places"]] == ["x of body 'rod'"]
    assert not again.verdict.is_good
