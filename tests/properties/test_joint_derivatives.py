"""J, phi' and the acceleration right-hand side of every joint, against differences along a motion.

Nothing is derived by hand (`system.kinds`), so what is tested is the chain from a joint's formulas
to the compiled code: symbols, rules, records, data, blocks. States are random and off the
constraints: the identities hold there too.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

import dalembert as dl
from dalembert import _jit
from dalembert.mechanics.choose_solve import install
from dalembert.mechanics.motion import displace
from dalembert.system.borders import evaluate, residual
from dalembert.system.build import build
from dalembert.system.state_layout import State

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "model"))
from mechanisms import AXIS, BOX, JOINTS, TILT, helix, two_bodies

OTHERS = {
    "Distance": {"length": 0.7},
    "PointOnLine": {"axis": AXIS},
    "PointOnPlane": {"axis": AXIS},
    "PointOnCurve": {"curve": helix},
    "Rolling": {"radius": 0.3, "normal": "z", "axis": "y"},
}


def joint_model(kind):
    given = {"position": (0.9, -0.4, 0.6), "rotation": ("x", 0.8)} if kind in OTHERS else None
    return two_bodies(kind, (JOINTS | OTHERS)[kind], given=given)[0]


def driven(target, coordinate=None):
    model, joint = two_bodies("Cylindrical", JOINTS["Cylindrical"])
    amplitude, rate = dl.parameters(amplitude=0.4, rate=3.0)
    value = amplitude * np.sin(rate * dl.time) + 0.1 * dl.time**2
    what = joint if target == "joint" else model.bodies["arm"]
    model.add_joint(dl.Motion(what, coordinate=coordinate, value=value, name="drive"))
    return model


def geared():
    model = dl.Model("gears")
    frame = model.add_body("frame", BOX, rotation=TILT)
    wheels = [model.add_body(f"wheel{k}", BOX) for k in range(2)]
    for k, wheel in enumerate(wheels):
        at = frame.at(x=float(k))
        model.add_joint(dl.Revolute(at, wheel, axis="z", name=f"axle{k}", initial=0.3 * k))
    model.add_joint(dl.Gear("axle0", "axle1", ratio=-2.5, name="mesh"))
    return model


def formula():
    model, joint = two_bodies("Revolute", JOINTS["Revolute"])
    base, arm = model.bodies.values()
    (rate,) = dl.parameters(rate=2.0)
    tip = arm.at(x=0.3, y=0.1).position
    model.constrain(tip @ base.position - np.sin(rate * dl.time), name="dot")
    model.constrain(arm.roll - 0.3 * joint.angle, name="roll")
    model.constrain(arm.angular_velocity @ base.velocity - 0.2, name="nonlinear velocity")
    return model


MODELS = {kind: (lambda kind=kind: joint_model(kind)) for kind in JOINTS | OTHERS} | {
    "Motion of an angle": lambda: driven("joint", "angle"),
    "Motion of a displacement": lambda: driven("joint", "displacement"),
    "Motion of a body": lambda: driven("body", "z"),
    "Motion of yaw": lambda: driven("body", "yaw"),
    "Gear": geared,
    "formulas": formula,
}


def opened(model):
    system = build(model)
    state, extents = system.open([model.parameters[n] for n in system.parameter_names])
    install("automatic", state)
    return system, *state, extents


def read(work, sizes, field, count):
    return getattr(State(work, sizes), field)[:count].copy()


def random_state(extents, generator):
    q = generator.standard_normal(extents.nq)
    for b in range(extents.bodies):
        q[7 * b + 3 : 7 * b + 7] /= np.linalg.norm(q[7 * b + 3 : 7 * b + 7])
    return q, generator.standard_normal(extents.nv)


def moved(work, sizes, q, v, step):
    q = q.copy()
    displace(work, sizes, step, v, q)
    return q


@pytest.mark.parametrize("name", MODELS)
def test_derivatives_of_the_rows(name):
    generator = np.random.default_rng(7)
    with _jit.interpreted():
        system, work, sizes, e = opened(MODELS[name]())
        m, mh = e.rows, e.holonomic
        for _ in range(3):
            q, v = random_state(e, generator)
            a, t, h = generator.standard_normal(e.nv), 0.37, 1e-5

            def level(time, step, q=q, v=v, a=a):
                # q along the rotation of constant w, v along the constant a
                middle = v + 0.5 * step * a
                residual(work, sizes, time, moved(work, sizes, q, middle, step), v + step * a)
                return read(work, sizes, "phi", mh), read(work, sizes, "phi_dot", m)

            evaluate(work, sizes, t, q, v)
            phi_dot, rhs = read(work, sizes, "phi_dot", m), read(work, sizes, "rhs_a", m)
            phi_t, J = read(work, sizes, "phi_t", m), system.jacobian(State(work, sizes))
            before, after = level(t - h, -h), level(t + h, h)
            size = 1.0 + np.abs(J) @ np.abs(v) + np.abs(rhs)
            # central differences: truncation h^2, rounding eps / h
            bar = 200 * (h**2 + 2.2e-16 / h) * size**2
            assert np.all(np.abs((after[0] - before[0]) / (2 * h) - phi_dot[:mh]) <= bar[:mh])
            assert np.all(np.abs((after[1] - before[1]) / (2 * h) - (J @ a - rhs)) <= bar)
            if name != "formulas":  # its velocity row is curved in v
                assert np.abs(phi_dot - J @ v - phi_t).max() <= 1e-13 * size.max()


@pytest.mark.parametrize("name", ["Revolute", "Screw", "Gear", "formulas"])
def test_rows_do_not_care_how_they_are_run(name):
    """Compiled and interpreted formulas give the same numbers."""
    model = MODELS[name]()
    system, work, sizes, e = opened(model)
    q, v = random_state(e, np.random.default_rng(3))
    evaluate(work, sizes, 0.2, q, v)
    compiled = [
        read(work, sizes, f, n)
        for f, n in (("phi", e.holonomic), ("rhs_a", e.rows), ("force", e.nv))
    ]
    compiled.append(system.jacobian(State(work, sizes)))
    kept, _jit.COMPILED = _jit.COMPILED, False
    try:
        with _jit.interpreted():
            from dalembert.mechanics.maximal import placing_code
            from dalembert.system.body_system import BodySystem

            plain = BodySystem(system.parts, system.gravity, system.parameter_names)
            values = [model.parameters[n] for n in plain.parameter_names]
            (work, sizes), _ = plain.open(values)
            install("automatic", State(work, sizes))
            assert sizes.min() < 0 or placing_code().address < 0
            evaluate(work, sizes, 0.2, q, v)
            found = [
                read(work, sizes, f, n)
                for f, n in (("phi", e.holonomic), ("rhs_a", e.rows), ("force", e.nv))
            ]
            found.append(plain.jacobian(State(work, sizes)))
    finally:
        _jit.COMPILED = kept
    for left, right in zip(compiled, found, strict=True):
        assert np.abs(left - right).max() <= 1e-13 * (1.0 + np.abs(left).max())
