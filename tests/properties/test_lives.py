"""One text, three lives: interpreted, compiled, and traced to straight-line code agree.

Short runs, so that a difference of the last bits stays one: the compiler fuses a b + c (an ulp for
each), and straight-line code orders sums differently.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from tests.support import battery
from tests.support.battery import FOUR_BARS, PENDULUM, SLEIGH, SLIDER_CRANK, TOWING_TANK
from tests.support.strategies import LAWS, formula_models

import dalembert as dl
from dalembert import _jit
from dalembert.enforcement import METHODS
from dalembert.integration import INTEGRATORS

pytestmark = pytest.mark.share(2)

EPS = np.finfo(float).eps

STEPS = 20

CASES = (PENDULUM, SLIDER_CRANK, TOWING_TANK, SLEIGH)

CONDITION = {
    "compliant": 1e6,
    "augmented-lagrangian": 1e5,
    "penalty": 1e2,
    "contact-impulse": 1e2,
}
"""Of the matrices a method solves with: h^2 kp, or its penalty, over the mass; of contact that of
joints with a softness of 1e-8, of which steps of the multipliers leave the root."""

compiled_only = pytest.mark.skipif(not _jit.COMPILED, reason="there is one life only")


def assert_agree(a, b, name="", scale=1.0):
    """Equal up to a few ulps of each of the hundred-odd operations of a stage, and conditioning."""
    allowed = 100 * STEPS * EPS * CONDITION.get(name, 1.0) * scale
    for x, y in ((a.q, b.q), (a.v, b.v)):
        size = max(1.0, np.abs(x).max())
        assert np.abs(x - y).max() <= allowed * size


def general(method):
    """The same method without straight-line code."""
    kind = type(method)
    return type(kind.__name__, (kind,), {"traceable": False})()


def run(case, method, integrator=None):
    adaptive = integrator is not None and integrator.adaptive
    return battery.attempt(
        case.model(),
        STEPS * case.step / 2,
        step=None if adaptive else case.step / 2,
        method=method,
        integrator=integrator,
    )


# -- straight-line code against the general kernel ---------------------------------------------


@compiled_only
@pytest.mark.parametrize("name", [n for n, m in METHODS.items() if m.rates and m.traceable])
@pytest.mark.parametrize("case", [*CASES, FOUR_BARS], ids=lambda case: case.name)
def test_straight_line_rates_are_the_general_ones(name, case):
    method = METHODS[name]()
    fast, slow = run(case, method), run(case, general(method))
    assert fast.statistics["specialised"]
    assert not slow.statistics["specialised"]
    assert_agree(fast, slow)


@compiled_only
@pytest.mark.parametrize("name", [n for n, m in METHODS.items() if m.rates and m.traceable])
@pytest.mark.parametrize(
    "integrator", [n for n, i in INTEGRATORS.items() if i.order > 1 and not i.adaptive]
)
def test_straight_line_rates_give_way_at_a_singular_position(name, integrator):
    # The four-bars pass one at t = 0.714 s, where straight-line code gives up and the step is
    # taken again. The passage multiplies a difference by about 1e4 (1 / sigma_min); a step that
    # began from a spoilt memory would differ by much more.
    chosen, method = INTEGRATORS[integrator](), METHODS[name]()
    if chosen.refuse(method) or not method.redundant:
        pytest.skip("refused with a sentence, or needs independent rows")
    options = {"step": 2e-3, "integrator": chosen}
    fast = battery.attempt(FOUR_BARS.model(), 0.8, method=method, **options)
    slow = battery.attempt(FOUR_BARS.model(), 0.8, method=general(method), **options)
    if not (isinstance(fast, dl.Solution) and isinstance(slow, dl.Solution)):
        # An implicit step with a gain of 1 / h may find no solution there; whether it does hangs
        # on the last bits.
        assert name == "braun-goldfarb-per-stage"
        assert not chosen.explicit
        return
    assert fast.statistics["specialised"]
    scale = np.abs(slow.v).max()
    assert np.abs(fast.q - slow.q).max() <= 1e4 * 100 * len(slow.t) * EPS * scale


@compiled_only
@LAWS
@given(formula_models())
def test_straight_line_rates_of_random_models(drawn):
    model, n = drawn
    start = {"initial": (np.full(n, 0.2), np.full(n, 0.1)), "initial_limit": 10.0}
    options = {"until": STEPS * 5e-3, "step": 5e-3, **start}
    for method in (dl.BraunGoldfarb(), dl.Projection()):
        fast = dl.simulate(model, method=method, **options)
        slow = dl.simulate(model, method=general(method), **options)
        assert_agree(fast, slow, scale=10)


# -- compiled against interpreted ----------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_interpreted_methods_agree_with_compiled_ones(name, case):
    method = METHODS[name]()
    compiled = run(case, method)
    with _jit.interpreted():
        interpreted = run(case, general(method) if METHODS[name].rates else method)
    if isinstance(compiled, dl.errors.OptionError):
        assert str(compiled) == str(interpreted)
        return
    assert_agree(compiled, interpreted, name)


@compiled_only
@pytest.mark.parametrize(
    "integrator", [*(kind() for kind in INTEGRATORS.values()), dl.DormandPrince(order=5)], ids=repr
)
@pytest.mark.parametrize("case", [PENDULUM, TOWING_TANK], ids=lambda case: case.name)
def test_interpreted_integrators_agree_with_compiled_ones(integrator, case):
    compiled = run(case, dl.Projection(), integrator)
    with _jit.interpreted():
        interpreted = run(case, general(dl.Projection()), integrator)
    if integrator.adaptive:
        # Steps follow an error estimate whose last digits are rounding, so that they differ a
        # little; the end differs by what the tolerance leaves open.
        assert np.abs(compiled.q[-1] - interpreted.q[-1]).max() <= integrator.rtol
        return
    assert_agree(compiled, interpreted)


@compiled_only
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_interpreted_backward_differences_agree_with_compiled_ones(case):
    integrator = dl.BDF(rtol=1e-5)
    compiled = run(case, dl.IndexTwo(), integrator)
    with _jit.interpreted():
        interpreted = run(case, dl.IndexTwo(), integrator)
    assert np.abs(compiled.q[-1] - interpreted.q[-1]).max() <= integrator.rtol


SCRIPT = """
import json, sys
import numpy as np
import dalembert as dl
from dalembert import _jit
from dalembert.enforcement import METHODS
from tests.support import battery
from tests.properties.test_lives import CASES, run
assert not _jit.COMPILED
found = {}
for case in CASES:
    for name, kind in METHODS.items():
        s = run(case, kind())
        if isinstance(s, dl.Solution):
            found[f"{case.name} {name}"] = [s.q[-1].tolist(), s.v[-1].tolist(), s.lam[-1].tolist()]
json.dump(found, sys.stdout)
"""


@compiled_only
def test_a_process_without_compilation_agrees():
    """Everything interpreted, the model's formulas too, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={
            **os.environ,
            "DALEMBERT_JIT": "0",
            "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found) > 40
    for key, (q, v, _) in found.items():
        case_name, name = key.split(" ")
        case = next(c for c in CASES if c.name == case_name)
        here = run(case, METHODS[name]())
        allowed = 100 * STEPS * EPS * CONDITION.get(name, 1.0)
        for x, y in ((here.q[-1], q), (here.v[-1], v)):
            assert np.abs(x - y).max() <= allowed * max(1.0, np.abs(x).max()), key


# -- parameters ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
def test_a_parameter_changed_without_compiling_is_a_new_model(name):
    method = METHODS[name]()
    x, y = dl.coordinates("x y")
    start = {"initial": {x: 1.5, y: 0.0}, "until": 0.2, "step": 5e-3, "method": method}
    fresh = dl.simulate(dl.catalog.load("pendulum", length=1.5, mass=2.0, gravity=3.0), **start)
    old = dl.catalog.load("pendulum")
    values = {"l": 1.5, "m": 2.0, "g": 3.0}
    once = dl.simulate(old, parameters=values, **start)
    copied = dl.simulate(old.with_parameters(**values), **start)
    again = dl.simulate(old, until=0.2, step=5e-3, method=method)
    plain = dl.simulate(dl.catalog.load("pendulum"), until=0.2, step=5e-3, method=method)
    assert np.array_equal(once.q, copied.q)
    assert np.array_equal(again.q, plain.q)  # the model itself is as it was
    assert_agree(fresh, once, name)
    assert old.parameters == {"m": 1.0, "l": 1.0, "g": 9.81}


def test_a_changed_parameter_compiles_nothing(monkeypatch):
    from dalembert.system import system

    model = dl.catalog.load("slider-crank", l2=1.5)
    dl.simulate(model, until=0.05, step=1e-2)
    compiled = []
    monkeypatch.setattr(system, "compile_function", lambda *a, **k: compiled.append(a))
    for torque in (1.0, 2.0):
        dl.simulate(model, until=0.05, step=1e-2, parameters={"torque": torque})
    assert compiled == []


@pytest.mark.parametrize("gain", [10.0, 25.0, 50.0])
def test_gains_are_options_not_code(gain):
    # The straight-line code of a method is kept by its type: another gain must still be felt.
    model = PENDULUM.model()
    options = {"until": 0.3, "step": 5e-3}
    fast = dl.simulate(model, method=dl.Baumgarte(gain, gain), **options)
    kind = type("Baumgarte", (dl.Baumgarte,), {"traceable": False})
    assert_agree(fast, dl.simulate(model, method=kind(gain, gain), **options), scale=10)
    other = dl.simulate(model, method=dl.BaumgarteVelocity(1 / gain), **options)
    kind = type("BaumgarteVelocity", (dl.BaumgarteVelocity,), {"traceable": False})
    assert_agree(other, dl.simulate(model, method=kind(1 / gain), **options), scale=10)
