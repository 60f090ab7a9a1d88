"""A step with impulses that is tried and not taken leaves no trace."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert import _jit
from dalembert.contact.run.record_layout import CONTACT_FLOATS, KEPT_FLOATS, KEPT_RECORD
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.run.tables import COUNTS, SETTINGS
from dalembert.enforcement.contact_impulse import ContactImpulse
from dalembert.integration.dormand_prince import ErrorControl
from dalembert.simulation.hybrid.make_run import make_run
from dalembert.simulation.prepare.prepare import Wanted, prepare
from dalembert.system.borders import OK, STEPPING

OF_CONTROL = (
    *("kink", "kink_rate", "doubted", "doubted_length", "doubted_error", "doubted_rate", "steady"),
    *("hit", "aimed"),
)
"""What is learnt from a step that failed."""


def begun(name, steps, most=1.0, **options):
    """A run after so many steps."""
    control = ErrorControl(most=most, first_step=1e-3)
    setup = prepare(dl.catalog.load(name), Wanted(ContactImpulse(**options), control, None))
    run = make_run(setup, start=0.0, until=10.0, every=None, times=None, events=())
    run.warm()
    while run.clock.done < steps:
        status = run.chunk(int(steps - run.clock.done))
        if status in (102, 103):
            run.provide(status)
    return run


def attempt(run, t, h, q, v):
    """One step of length h from (t, q, v), in place; its error."""
    state = run.state
    state.start_q[:], state.start_v[:] = q, v
    status = STEPPING.call(state.advance, *state, t, h, q, v)
    while status == 103:
        run.provide(status)
        state = run.state
        q[:], v[:] = state.start_q, state.start_v
        status = STEPPING.call(state.advance, *state, t, h, q, v)
    assert status == OK
    return float(state.error)


def lasting(run):
    """The memory of contact as far as it is in use, without what control has learnt."""
    integers, numbers = run.contact_part
    own = ContactRun(numbers, integers)
    alone = [getattr(own, name) for name in (*COUNTS, *SETTINGS) if name not in OF_CONTROL]
    present, kept = own.contacts + own.resting, own.remembered
    tables = [
        *(own.kept_integers[: KEPT_RECORD * kept], own.kept_numbers[: KEPT_FLOATS * kept]),
        own.contact_table[: CONTACT_FLOATS * present],
        *(getattr(own, name) for name in ("fixed_impulses", "last_change", "last_push")),
        *(getattr(own, name) for name in ("sleep_times", "last_twists", "report", "worst")),
    ]
    return np.concatenate([alone, *tables])


@pytest.mark.parametrize(
    ("name", "steps", "lengths", "options"),
    [
        ("boxes", 15, (0.5, 0.1, 0.03), {}),
        ("boxes", 25, (0.5, 0.1, 0.03), {"sleeping": True}),
        ("gripper-with-box", 12, (0.5,), {}),
        ("falling-humanoid", 10, (0.5, 0.1, 0.03), {}),
        ("cup", 12, (0.5, 0.1), {}),
        ("boxes", 15, (0.5, 0.1, 0.03), {"order": 1}),
        ("painleve-rod", 6, (0.5, 0.1), {"restitution": "poisson"}),
    ],
)
def test_a_rejected_step_leaves_no_trace(name, steps, lengths, options):
    runs = [begun(name, steps, **options) for _ in range(2)]
    tried, plain = runs
    t, q, v = float(tried.clock.t), tried.q.copy(), tried.v.copy()
    before = lasting(tried)
    for h in lengths:
        assert attempt(tried, t, h, q.copy(), v.copy()) > 1.0
    assert np.array_equal(lasting(tried), before)
    ends = []
    for run in runs:
        own_q, own_v = q.copy(), v.copy()
        h, now = 2e-5, t
        for _ in range(4):
            error = attempt(run, now, h, own_q, own_v)
            assert error <= 1.0
            now += h
        ends.append((own_q, own_v, lasting(run)))
    for found, expected in zip(*ends, strict=True):
        assert np.array_equal(found, expected)
    assert not np.array_equal(ends[0][0], q)
    assert plain.state.error == tried.state.error


def test_no_room_is_kept_for_fixed_steps():
    """Fixed steps have the memory that they had."""
    model = dl.catalog.load("boxes")
    fixed = prepare(model, Wanted(ContactImpulse(), dl.RK4(), 1e-3))
    run = make_run(fixed, start=0.0, until=1.0, every=None, times=None, events=())
    followed = begun("boxes", 0)
    with _jit.interpreted():
        assert len(run.work) < len(followed.work)
