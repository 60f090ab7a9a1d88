"""Many worlds at once: the same motion as one run each, whatever stands beside."""

import numpy as np
import pytest

import dalembert as dl
from dalembert.batch import stored

EPS = np.finfo(float).eps


def alone(model, steps, step, initial, **options):
    """One run by `simulate`, in the coordinates of joints where there is a tree."""
    if model.is_maximal:
        options.setdefault("formulation", "generalized")
    return dl.simulate(model, until=steps * step, step=step, initial=initial, **options)


FORMULAS = {
    "pendulum": {"x": np.array([1.0, 0.6, -0.8]), "y": np.array([0.0, 0.8, 0.6])},
    "double-pendulum": {"theta1": np.array([0.3, -1.0, 2.0])},
    "sleigh": {"theta.dot": np.array([0.1, 0.5, -0.4])},
}


@pytest.mark.parametrize("integrator", [dl.RK4(), dl.SemiImplicitEuler(), dl.ExplicitEuler()])
@pytest.mark.parametrize("name", FORMULAS)
def test_formulas_move_as_in_simulate(name, integrator):
    model, initial = dl.catalog.load(name), FORMULAS[name]
    found = dl.rollout(model, initial, step=1e-3, steps=200, integrator=integrator)
    assert found.engine == "lanes"
    for world in range(3):
        own = {key: float(values[world]) for key, values in initial.items()}
        run = alone(model, 200, 1e-3, own, integrator=integrator)
        size = np.abs(run.q).max() + np.abs(run.v).max()
        assert np.abs(found.q[world] - run.q).max() <= 1e-12 * size
        assert np.abs(found.v[world] - run.v).max() <= 1e-11 * size


METHODS = [
    dl.Projection(),
    dl.Baumgarte(),
    dl.BaumgarteVelocity(),
    dl.BraunGoldfarb(),
    dl.UdwadiaKalaba(),
    dl.LagrangeMultipliers(),
    dl.SchurComplement(),
]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_methods_move_as_in_simulate(method):
    model = dl.catalog.load("pendulum")
    initial = {"x": np.array([1.0, 0.8]), "y": np.array([0.0, -0.6])}
    found = dl.rollout(model, initial, step=1e-3, steps=300, method=method)
    assert found.engine == "lanes", found.reason
    run = dl.simulate(model, until=0.3, step=1e-3, method=method, initial={"x": 0.8, "y": -0.6})
    assert np.abs(found.q[1] - run.q).max() <= 1e-12
    assert np.abs(found.v[1] - run.v).max() <= 1e-11


TREES = ["arm", "chain", "heavy-top", "four-bar-3d", "five-bar", "slider-crank-bodies"]


@pytest.mark.parametrize("integrator", [dl.RK4(), dl.SemiImplicitEuler()])
@pytest.mark.parametrize("name", TREES)
def test_trees_and_loops_agree_with_the_general_form(name, integrator):
    model = dl.catalog.load(name)
    options = {"step": 1e-3, "steps": 100, "integrator": integrator, "worlds": 3}
    fast = dl.rollout(model, engine="lanes", **options)
    slow = dl.rollout(model, engine="general", **options)
    assert (fast.left == -1).all()
    assert (slow.status == 0).all()
    size = np.abs(slow.data).max()
    assert np.abs(fast.data - slow.data).max() <= 1e-11 * size


def test_loops_stay_closed():
    model = dl.catalog.load("four-bar-3d")
    found = dl.rollout(model, worlds=2, step=1e-3, steps=2000, integrator=dl.SemiImplicitEuler())
    run = alone(model, 2000, 1e-3, None, integrator=dl.SemiImplicitEuler())
    assert run.worst["phi"] < 1e-12
    angles = found.coordinate_names
    for k, name in enumerate(angles):
        assert np.abs(found.q[0, :, k] - run[name]).max() < 1e-10


def test_energy_is_kept_by_a_tree():
    model = dl.catalog.load("arm", driven=False)
    found = dl.rollout(model, {"joint2.angle": [0.6, 0.9]}, step=5e-4, steps=2000)
    for world, angle in enumerate((0.6, 0.9)):
        run = alone(model, 2000, 5e-4, {"joint2.angle": angle})
        assert np.ptp(run.energy) < 1e-6 * np.abs(run.energy).max()
        for k, name in enumerate(found.coordinate_names):
            assert np.abs(found.q[world, :, k] - run[name]).max() < 1e-9


def test_a_world_does_not_depend_on_its_neighbours_nor_on_threads():
    model = dl.catalog.load("four-bar-3d")
    passed = dl.rollout(model, worlds=1, step=1e-3, steps=360, every=10)
    states = passed.q[0].copy(), passed.v[0].copy()
    options = {"step": 2e-3, "steps": 50}
    whole = dl.rollout(model, states, threads=1, **options)
    again = dl.rollout(model, states, threads=2, **options)
    assert np.array_equal(whole.data, again.data)
    turned = tuple(np.ascontiguousarray(part[::-1]) for part in states)
    back = dl.rollout(model, turned, threads=2, **options)
    assert np.array_equal(whole.data, back.data[::-1])


def test_parameters_of_every_world():
    model = dl.catalog.load("pendulum")
    g = np.array([1.0, 9.81, 20.0])
    found = dl.rollout(model, {"x": 1.0, "y": 0.0}, parameters={"g": g}, step=1e-3, steps=300)
    for world in range(3):
        run = dl.simulate(
            model, until=0.3, step=1e-3, parameters={"g": g[world]}, initial={"x": 1.0, "y": 0.0}
        )
        assert np.abs(found.q[world] - run.q).max() < 1e-13


def test_lengths_of_a_loop_in_every_world():
    a, b = dl.parameters(crank=0.3, rod=1.0)
    model = dl.Model("slider-crank", gravity=(0, 0, -9.81))
    crank = model.add_body("crank", dl.Inertia.rod(mass=1.0, length=a))
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=b))
    slider = model.add_body("slider", dl.Inertia.point(mass=1.0))
    model.add_joint(dl.Revolute(model.world, crank.at(x=-a / 2), axis="y", name="bearing"))
    model.add_joint(dl.Revolute(crank.at(x=a / 2), rod.at(x=-b / 2), axis="y", name="pin"))
    model.add_joint(dl.Revolute(rod.at(x=b / 2), slider, axis="y", name="wrist"))
    model.add_joint(dl.Prismatic(model.world, slider, axis="x", name="guide"))
    lengths = np.array([0.25, 0.3, 0.35])
    found = dl.rollout(
        model,
        {"bearing.angle": 0.5},
        parameters={"crank": lengths},
        record=["slider.x", "bearing.angle"],
        step=1e-3,
        steps=100,
    )
    for world, length in enumerate(lengths):
        run = alone(model, 100, 1e-3, {"bearing.angle": 0.5}, parameters={"crank": length})
        assert np.abs(found["slider.x"][world] - run["slider.x"]).max() < 1e-11
        assert np.abs(found["bearing.angle"][world] - run["bearing.angle"]).max() < 1e-11


def cart_pole(limits=False):
    """A cart with a pole upright, commanded by a force."""
    model = dl.Model("cart-pole", gravity=(0, 0, -9.81))
    cart = model.add_body("cart", dl.Inertia.box(1.0, size=(0.2, 0.2, 0.2)))
    pole = model.add_body("pole", dl.Inertia.rod(mass=0.1, length=1.0))
    rail = model.add_joint(dl.Prismatic(model.world, cart, axis="x", name="rail"))
    hinge = dl.Revolute(cart, pole.at(x=-0.5), axis="y", initial=-1.5, name="hinge")
    model.add_joint(hinge)
    model.add_force(dl.DirectDrive(rail, name="push"))
    if limits:
        model.set_limits(rail, dl.Limits(-0.1, 0.1))
    return model


def test_controls_are_those_of_a_controller():
    commands = np.random.default_rng(3).uniform(-5, 5, (4, 50))
    found = dl.rollout(cart_pole(), controls={"push": commands}, step=0.01, steps=50)
    for world in range(4):
        own = commands[world]
        control = dl.Controller(
            lambda t, x, own=own: own[min(round(t / 0.01), 49)],
            rate=100.0,
            inputs=["hinge.angle"],
            outputs=["push"],
        )
        run = alone(cart_pole(), 50, 0.01, None, controllers=[control])
        for name in found.coordinate_names:
            assert np.abs(found[name][world] - run[name]).max() < 1e-12


def test_limits_are_those_of_a_run():
    model = cart_pole(limits=True)
    commands = np.random.default_rng(4).uniform(-20, 20, (6, 1)) * np.ones((1, 100))
    # what a run's own solver may leave, 1e-8 m/s otherwise, is not to be compared
    options = {"step": 5e-3, "steps": 100, "method": dl.ContactImpulse(tolerance=1e-12)}
    found = dl.rollout(model, controls={"push": commands}, **options)
    assert found.engine == "lanes"
    assert np.abs(found["rail.displacement"]).max() > 0.0999  # they are reached
    assert np.abs(found["rail.displacement"]).max() < 0.1 + 1e-6
    slow = dl.rollout(model, controls={"push": commands}, engine="general", **options)
    assert np.abs(found.data - slow.data).max() < 1e-11


def test_contact_takes_the_general_form_and_is_that_of_simulate():
    model = dl.catalog.load("bouncing-ball")
    found = dl.rollout(model, worlds=2, step=1e-3, steps=400, record=["ball.z"])
    run = dl.simulate(model, until=0.4, step=1e-3)
    assert found.engine == "general"
    assert "shapes" in found.reason
    assert np.array_equal(found["ball.z"][0], run["ball.z"])


def test_stops_end_worlds():
    model = dl.catalog.load("pendulum")
    options = {"step": 1e-3, "steps": 900, "stop": ["x"], "worlds": 3}
    for engine in ("lanes", "general"):
        found = dl.rollout(model, {"x": 1.0, "y": 0.0}, engine=engine, **options)
        first = int(np.flatnonzero(found["x"][0] < 0)[0])
        assert (found.ended == first).all()
        assert np.array_equal(found["x"][0, first:], np.full(901 - first, found["x"][0, first]))


def test_reductions_are_those_of_all_samples():
    model = dl.catalog.load("double-pendulum")
    options = {"step": 1e-2, "steps": 100, "record": ["theta1", "theta2.dot"]}
    initial = {"theta1": np.linspace(-1, 1, 11)}
    every = dl.rollout(model, initial, **options).data
    wanted = {
        "final": every[:, -1],
        "min": every.min(axis=1),
        "max": every.max(axis=1),
        "mean": every.mean(axis=1),
    }
    for reduce, values in wanted.items():
        found = dl.rollout(model, initial, reduce=reduce, **options)
        assert found.data.shape == (11, 1, 2)
        assert np.abs(found.data[:, 0] - values).max() < 1e-13


@pytest.mark.parametrize("kind", ["path", "zarr", "hdf5"])
def test_into_a_store(tmp_path, monkeypatch, kind):
    """Part by part, the bits of one array."""
    library = pytest.importorskip("h5py" if kind == "hdf5" else "zarr")
    monkeypatch.setattr(stored, "PART", 3 * 8 * 11 * 4)
    model = dl.catalog.load("double-pendulum")
    options = {"step": 1e-3, "steps": 10}
    start = {"theta1": np.linspace(0.1, 1.0, 10)}
    whole = dl.rollout(model, start, **options)
    path = tmp_path / "runs.zarr"
    if kind == "path":
        into = path
    elif kind == "zarr":
        into = library.create_array(store=path, shape=(10, 11, 4), chunks=(3, 11, 4), dtype="f8")
    else:
        file = library.File(tmp_path / "runs.h5", "w")
        into = file.create_dataset("runs", (10, 11, 4), chunks=(2, 11, 4), dtype="f8")
    found = dl.rollout(model, start, into=into, **options)
    assert np.array_equal(np.asarray(found.data[:]), whole.data)
    assert np.array_equal(found["theta1"], whole["theta1"])
    assert np.array_equal(found.status, whole.status)
    if kind == "path":
        again = library.open_array(path)
        assert again.attrs["names"][0] == whole.coordinate_names[0]
        with pytest.raises(dl.errors.OptionError, match="is there already"):
            dl.rollout(model, start, into=path, **options)
    elif kind == "zarr":
        with pytest.raises(dl.errors.OptionError, match="shape"):
            dl.rollout(model, start, into=into, step=1e-3, steps=5)


def test_every_and_into():
    model, room = dl.catalog.load("pendulum"), np.zeros((2, 11, 4))
    found = dl.rollout(model, worlds=2, step=1e-3, steps=100, every=10, into=room)
    assert found.data is room
    assert np.allclose(found.t, np.linspace(0, 0.1, 11))
    assert np.array_equal(room, dl.rollout(model, worlds=2, step=1e-3, steps=100).data[:, ::10])


def test_a_singular_position_is_left_to_the_general_form():
    model = dl.catalog.load("four-bars")
    found = dl.rollout(model, worlds=2, step=1e-3, steps=2000)
    slow = dl.rollout(model, worlds=2, step=1e-3, steps=2000, engine="general")
    assert (found.left > 0).all()
    assert (found.status == 0).all()
    run = dl.simulate(model, until=2.0, step=1e-3)
    assert np.abs(slow.q[0] - run.q).max() < 1e-6
    assert np.abs(found.q[0] - run.q).max() < 1e-6


def test_one_bad_world_does_not_stop_the_others():
    (x,) = dl.coordinates("x")
    (k,) = dl.parameters(k=1.0)
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, potential=-k * x**4 / 4)
    found = dl.rollout(model, {"x": [0.1, 5.0, 0.2]}, step=1e-2, steps=400)
    assert list(found.failed) == [1]
    assert np.isfinite(found.q[[0, 2]]).all()
    assert np.isnan(found.q[1, -1]).all()


def test_feedback_by_formulas_is_that_of_the_model():
    model = cart_pole()
    angle = model.joints["hinge"].angle
    law = 60 * (angle + np.pi / 2) + 10 * angle.dot
    found = dl.rollout(model, worlds=2, step=0.01, steps=100, feedback={"push": law})
    written = dl.Model("cart-pole", gravity=(0, 0, -9.81))
    cart = written.add_body("cart", dl.Inertia.box(1.0, size=(0.2, 0.2, 0.2)))
    pole = written.add_body("pole", dl.Inertia.rod(mass=0.1, length=1.0))
    rail = written.add_joint(dl.Prismatic(written.world, cart, axis="x", name="rail"))
    hinge = written.add_joint(
        dl.Revolute(cart, pole.at(x=-0.5), axis="y", initial=-1.5, name="hinge")
    )
    command = 60 * (hinge.angle + np.pi / 2) + 10 * hinge.angle.dot
    written.add_force(dl.DirectDrive(rail, command=command, name="push"))
    run = alone(written, 100, 0.01, None)
    assert np.abs(found["hinge.angle"][0] - run["hinge.angle"]).max() < 1e-12


def test_feedback_by_a_function_is_held_between_calls():
    def push(t, x):
        return 60 * (x[:, :1] + np.pi / 2) + 10 * x[:, 1:]

    policy = dl.Feedback(push, outputs=["push"], inputs=["hinge.angle", "hinge.angle.dot"], every=2)
    found = dl.rollout(cart_pole(), worlds=2, step=0.01, steps=60, feedback=policy)
    control = dl.Controller(
        lambda t, x: 60 * (x[0] + np.pi / 2) + 10 * x[1],
        rate=50.0,
        inputs=["hinge.angle", "hinge.angle.dot"],
        outputs=["push"],
    )
    run = alone(cart_pole(), 60, 0.01, None, controllers=[control])
    assert np.abs(found["hinge.angle"][0] - run["hinge.angle"]).max() < 1e-11


def test_a_network_is_its_formulas():
    x, y = dl.coordinates("x y")
    random = np.random.default_rng(0)
    layers = [
        (random.normal(size=(5, 2)), random.normal(size=5)),
        (random.normal(size=(1, 5)), random.normal(size=1)),
    ]
    (out,) = dl.mlp([x, y], layers)
    value = np.array([0.3, -0.7])
    wanted = layers[1][0] @ np.tanh(layers[0][0] @ value + layers[0][1]) + layers[1][1]
    from dalembert.formulas import evaluate

    assert abs(evaluate([out], {x: 0.3, y: -0.7})[0] - wanted[0]) < 10 * EPS


def test_worlds_are_rollouts_in_pieces():
    model = cart_pole()
    worlds = dl.Worlds(model, 5, step=0.01, controls=["push"], observe=["hinge.angle"])
    commands = np.random.default_rng(5).uniform(-3, 3, (5, 10))
    for k in range(10):
        worlds.advance(4, controls=commands[:, k : k + 1])
    table = np.repeat(commands, 4, axis=1)
    found = dl.rollout(model, controls={"push": table}, step=0.01, steps=40)
    assert np.array_equal(worlds.q, found.q[:, -1])
    assert np.array_equal(worlds.observed[:, 0], worlds.q[:, 1])
    worlds.reset([1, 3])
    assert np.array_equal(worlds.q[1], found.q[0, 0])
    assert not np.array_equal(worlds.q[0], found.q[0, 0])


BAD = [
    ({"step": 0.0}, "step is 0.0"),
    ({"steps": 0}, "steps is 0"),
    ({"worlds": 0}, "worlds is 0"),
    ({"reduce": "sum"}, "reduce is 'sum'"),
    ({"engine": "fast"}, "engine is 'fast'"),
    ({"initial": {"z": 1.0}}, "'z'"),
    ({"initial": {"x": [1.0, np.nan]}}, "world 1"),
    ({"initial": {"x": [1.0, 0.9]}, "worlds": 3}, "2, 3 rows"),
    ({"initial": ([[1.0]], [[0.0]])}, "shape (1, 1)"),
    ({"controls": {"push": 1.0}}, "'push'"),
    ({"record": ["nothing.x"]}, "'nothing.x'"),
    ({"parameters": {"g": [1.0, np.inf]}}, "world 1"),
    ({"into": np.zeros(3)}, "into"),
    ({"feedback": 3}, "feedback is 3"),
]


@pytest.mark.parametrize(("options", "said"), BAD, ids=[said for _, said in BAD])
def test_bad_input_is_named(options, said):
    given = {"step": 1e-3, "steps": 10, **options}
    with pytest.raises(dl.errors.DalembertError) as problem:
        dl.rollout(dl.catalog.load("pendulum"), given.pop("initial", None), **given)
    assert said in str(problem.value)


def test_lanes_that_cannot_be_are_refused_with_the_reason():
    with pytest.raises(dl.errors.OptionError, match="shapes touch"):
        dl.rollout(dl.catalog.load("bouncing-ball"), step=1e-3, steps=1, engine="lanes")


def test_initial_values_by_formulas_are_those_by_names():
    model = cart_pole()
    hinge, rail = model.joints["hinge"], model.joints["rail"]
    formulas = {hinge.angle: [-1.4, -1.5], rail.displacement: 0.1, hinge.angle.dot: 0.2}
    names = {"hinge.angle": [-1.4, -1.5], "rail.displacement": 0.1, "hinge.angle.dot": 0.2}
    options = {"step": 0.01, "steps": 5}
    found = dl.rollout(model, formulas, **options)
    assert np.array_equal(found.data, dl.rollout(model, names, **options).data)
