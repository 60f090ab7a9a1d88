"""Worlds that hit, rest on and leave limits: in lanes the same steps as by `simulate`.

The solver of a run leaves a residual of up to its tolerance, 1e-8 m/s; both are given 1e-12 here,
so that what is compared is the law.
"""

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError


def arm(links=4, limit=0.6):
    """Hinges about two axes in turn, with limits, dampers and motors."""
    model = dl.Model("limited arm", gravity=(0, 0, -9.81))
    below = model.world
    for i in range(links):
        body = model.add_body(f"b{i}", dl.Inertia.box(1.0 - 0.1 * i, size=(0.06, 0.08, 0.3)))
        at = below if i == 0 else below.at(z=0.15)
        hinge = dl.Revolute(at, body.at(z=-0.15), axis="xy"[i % 2], name=f"j{i}")
        joint = model.add_joint(hinge)
        model.set_limits(joint, dl.Limits(-limit, limit))
        model.add_force(dl.DirectDrive(joint, name=f"m{i}"))
        model.add_force(dl.JointFriction(joint, damping=0.05, name=f"d{i}"))
        below = body
    return model


def tables(links, worlds, steps, seed=1):
    """Initial angles, and commands that press against limits and let go."""
    random = np.random.default_rng(seed)
    start = {f"j{i}.angle": random.uniform(-0.4, 0.4, worlds) for i in range(links)}
    start |= {f"j{i}.angle.dot": random.uniform(-1, 1, worlds) for i in range(links)}
    swings = np.sin(np.linspace(0, 9, steps)[None, :] + random.uniform(0, 6, (worlds, 1)))
    return start, {f"m{i}": 6.0 * swings / (1 + i) for i in range(links)}


def by_simulate(model, start, controls, world, steps, step, **options):
    """One run, commanded in every step."""
    own = {name: float(values[world]) for name, values in start.items()}
    table = {name: values[world] for name, values in controls.items()}
    control = dl.Controller(
        lambda t, x: [row[min(round(t / step), steps - 1)] for row in table.values()],
        rate=1 / step,
        inputs=["j0.angle"],
        outputs=list(table),
    )
    return dl.simulate(
        model,
        until=steps * step,
        step=step,
        initial=own,
        controllers=[control],
        formulation="generalized",
        **options,
    )


def met(found):
    """How often limits were touched, rested on and left."""
    touching = np.abs(np.abs(found) - 0.6) < 1e-9
    before, after = touching[:, :-1], touching[:, 1:]
    return (~before & after).sum(), (before & after).sum(), (before & ~after).sum()


@pytest.mark.parametrize(
    ("order", "integrator"), [(None, dl.RK4()), (None, dl.SemiImplicitEuler()), (2, dl.RK4())]
)
def test_limits_are_those_of_simulate(order, integrator):
    model, steps, step, worlds = arm(), 300, 2e-3, 12
    start, controls = tables(4, worlds, steps)
    method = dl.ContactImpulse(tolerance=1e-12, order=order)
    options = {"method": method, "integrator": integrator}
    found = dl.rollout(model, start, controls=controls, step=step, steps=steps, **options)
    assert found.engine == "lanes"
    assert (found.left == -1).all()
    hits, rests, leaves = met(np.stack([found[f"j{i}.angle"] for i in range(4)]).reshape(-1, 301))
    assert hits > 20
    assert rests > 200
    assert leaves > 10
    for world in range(3):
        run = by_simulate(model, start, controls, world, steps, step, **options)
        for i in range(4):
            off = np.abs(found[f"j{i}.angle"][world] - run[f"j{i}.angle"])
            # a step adds no more than this, and 300 of them not even ten times as much
            assert np.abs(np.diff(off)).max() <= 1e-11, (world, i, int(np.argmax(off > 1e-11)))
            assert off.max() <= 1e-10


def test_no_world_leaves_and_none_depends_on_its_neighbours():
    model, steps, step, worlds = arm(), 200, 2e-3, 37
    start, controls = tables(4, worlds, steps)
    options = {"step": step, "steps": steps}
    together = dl.rollout(model, start, controls=controls, threads=1, **options)
    threads = dl.rollout(model, start, controls=controls, threads=2, **options)
    assert np.array_equal(together.data, threads.data)
    for world in (0, 17, 36):
        alone = dl.rollout(
            model,
            {name: values[world : world + 1] for name, values in start.items()},
            controls={name: values[world : world + 1] for name, values in controls.items()},
            **options,
        )
        assert np.array_equal(alone.data[0], together.data[world])


def test_what_bounces_or_gives_way_takes_the_kernels_of_a_run():
    model = dl.Model("bouncing", gravity=(0, 0, -9.81))
    body = model.add_body("b", dl.Inertia.box(1.0, size=(0.1, 0.1, 0.1)))
    slide = model.add_joint(dl.Prismatic(model.world, body, axis="z", name="slide"))
    model.set_limits(slide, dl.Limits(-0.1, 0.5, restitution=0.5))
    options = {"step": 1e-3, "steps": 400, "worlds": 2}
    fast = dl.rollout(model, **options)
    slow = dl.rollout(model, engine="general", **options)
    assert fast.engine == "lanes"
    assert np.abs(fast.data - slow.data).max() <= 1e-11
    assert np.ptp(fast["slide.displacement"][0]) > 0.09


def test_an_integrator_takes_the_steps_in_which_nothing_touches():
    model = arm(2)
    options = {"until": 0.1, "step": 2e-3, "formulation": "generalized"}
    initial = {"j0.angle": 0.1, "j1.angle": -0.2}
    free = arm(2, limit=3.0)
    euler = dl.simulate(free, integrator=dl.SemiImplicitEuler(), initial=initial, **options)
    rk4 = dl.simulate(free, initial=initial, **options)
    assert 1e-5 < np.abs(euler["j0.angle"] - rk4["j0.angle"]).max() < 1e-1
    limited = dl.simulate(model, integrator=dl.SemiImplicitEuler(), initial=initial, **options)
    assert np.abs(euler["j0.angle"] - limited["j0.angle"]).max() < 1e-12
    assert "SemiImplicitEuler" in limited.summary()  # the report says so
    with pytest.raises(OptionError, match="Leave the integrator out"):
        dl.simulate(model, integrator=dl.ImplicitMidpoint(), initial=initial, **options)
    model.add_force(dl.JointFriction("j0", dry=0.1, name="dry"))
    with pytest.raises(OptionError, match=r"act in every step\. Leave the integrator out"):
        dl.simulate(model, integrator=dl.SemiImplicitEuler(), initial=initial, **options)
