"""The report tells why contacts took steps instead of located events."""

import pytest

import dalembert as dl


def told(model, until=0.02, **options):
    solution = dl.simulate(model, until=until, progress=False, **options)
    report = solution.report()
    if report["stepping"] is not None:
        assert report["stepping"] in solution.summary()
    return report["stepping"]


def ball(**material):
    model = dl.Model("ball")
    model.add_shape(dl.Plane(), name="floor")
    body = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.1))
    model.add_shape(dl.Sphere(0.1), on=body, material=dl.Material(**material), name="shell")
    return model


@pytest.mark.parametrize(
    ("material", "words"),
    [
        ({"viscous": 1.0}, "shape 'shell' has viscous, which acts in steps only."),
        (
            {"tangential_stiffness": 1e5},
            "shape 'shell' has tangential_stiffness, which acts in steps only.",
        ),
    ],
)
def test_materials(material, words):
    assert words in told(ball(**material))


def test_many_shapes():
    assert "60 shapes move, and events are located for up to 6." in told(dl.catalog.load("pile"))


def test_options():
    method = dl.ContactImpulse(solver="nsgs")
    assert "ContactImpulse(solver=...) is an option of steps." in told(ball(), method=method)
    assert "a step is given." in told(ball(), step=1e-3)
    assert "mode='stepping' is asked for." in told(ball(), mode="stepping")


def test_nothing_is_told_where_events_are_located():
    assert told(ball()) is None
    assert told(ball(rolling=1e-3, torsional=1e-3)) is None
    assert told(dl.catalog.load("pendulum"), step=1e-3) is None


def test_a_run_that_goes_on_with_steps():
    model = dl.Model("sunk")
    model.add_shape(dl.Plane(), name="floor")
    body = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.08))
    model.add_shape(dl.Sphere(0.1), on=body, name="shell")
    words = told(model, mode="events")
    assert words.startswith("of impulses from 0 s on: floor - shell starts 0.02 within")


def test_kept_in_folders_and_files(tmp_path):
    solution = dl.simulate(ball(viscous=1e-3), until=0.02, save=tmp_path / "kept")
    words = solution.report()["stepping"]
    assert dl.load_solution(tmp_path / "kept").report()["stepping"] == words


def test_the_start_that_is_within_is_named():
    (y,) = dl.coordinates("y")
    model = dl.Model.from_lagrangian(kinetic=y.dot**2 / 2, potential=9.81 * y)
    model.keep(y >= 0, name="floor")
    words = told(model, initial={y: -0.1})
    assert words == "of impulses from 0 s on: floor starts 0.1 within, which steps push out."


@pytest.mark.parametrize("options", [{"restitution": "energetic"}, {"impacts": "sequential"}])
def test_laws_of_located_impacts_are_refused_where_auto_takes_steps(options):
    (name,) = options
    with pytest.raises(dl.errors.OptionError, match=f"{name}=.*takes steps: shape 'shell'"):
        dl.simulate(ball(viscous=1.0), until=0.01, method=dl.ContactImpulse(**options))
