"""Sessions that locate events, and that act: the same motion as of `simulate`."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.simulation.test_actions import carts
from tests.unit.simulation.test_located_output import swinging

import dalembert as dl


def advanced(session, until, pieces=7):
    for _ in range(pieces):
        session.advance(until / pieces)
    return session


def test_a_session_locates_events():
    run = dl.simulate(swinging(restitution=0.5), until=1.0, progress=False)
    session = advanced(dl.Session(swinging(restitution=0.5), mode="events"), 1.0)
    assert [one.kind for one in session.log] == [one.kind for one in run.log]
    for mine, theirs in zip(session.log, run.log, strict=True):
        assert mine.t == pytest.approx(theirs.t, abs=1e-8)
    assert np.allclose(session.q, run.q[-1], rtol=0, atol=1e-9)
    session.reset()
    assert session.log == ()


def test_a_session_acts_at_events():
    model = carts()
    x, y = model.coordinates
    docking = dl.Event(y - x, action=dl.Engage("coupling"))
    session = dl.Session(model, released=["coupling"], events=[docking])
    advanced(session, 2.0)
    assert session.t == pytest.approx(2.0)
    assert np.allclose(session.v, 0.4, rtol=0, atol=1e-13)
    [entry] = session.log
    assert (entry.kind, session.released) == ("engage", ())
    session.act(dl.Release("coupling"))
    before = session.v
    assert session.released == ("coupling",)
    session.act({"x.dot": 0.0})
    assert np.array_equal(session.v, [0.0, before[1]])
    assert [one.kind for one in session.log] == ["engage", "release", "set"]


def test_a_session_with_a_fixed_step_acts_where_events_are():
    model = carts()
    x, y = model.coordinates
    docking = dl.Event(y - x, action=dl.Engage("coupling"))
    session = dl.Session(model, step=1e-2, released=["coupling"], events=[docking])
    advanced(session, 2.0)
    assert session.log[0].t == pytest.approx(1.0, abs=1e-12)
    assert session.q[0] == pytest.approx(1.0 + 0.4 * (session.t - 1.0), abs=1e-12)


def test_a_session_keeps_contacts_closed_through_actions():
    model = swinging()
    session = advanced(dl.Session(model, mode="events"), 0.5)
    assert [one.kind for one in session.log] == ["impact", "close"]
    session.act({"x.dot": 0.0})
    session.advance(0.5)
    assert [one.kind for one in session.log] == ["impact", "close", "set"]
    assert session.q[1] == pytest.approx(0.0, abs=1e-14)


def test_what_a_session_refuses():
    model = carts()
    x, _ = model.coordinates
    broken = dl.Event("coupling.force", limit=1.0, action=dl.Release("coupling"))
    with pytest.raises(dl.errors.OptionError, match="located by `simulate`"):
        dl.Session(model, events=[broken])
    with pytest.raises(dl.errors.OptionError, match="ends nothing"):
        dl.Session(model, released=["coupling"], events=[dl.Event(x, terminal=True)])
    session = dl.Session(model, released=["coupling"])
    with pytest.raises(dl.errors.OptionError, match="has no joint or constraint 'rope'"):
        session.act(dl.Release("rope"))
    with pytest.raises(dl.errors.InconsistentError, match="off by 1"):
        session.act(dl.Engage("coupling"))
    assert session.released == ("coupling",)
    session.advance(0.1)


@pytest.mark.parametrize("mode", ["stepping", "events"])
def test_parameters_of_stops_alone_are_turned(mode):
    (x,), (least,) = dl.coordinates("x"), dl.parameters(least=0.0)
    model = dl.Model.from_lagrangian(
        name="falling", kinetic=x.dot**2 / 2, potential=9.81 * x, initial={"x": 1.0}
    )
    model.keep(x >= least, name="floor")
    session = dl.Session(model, mode=mode)
    for height in (0.2, 0.5):
        session.set_parameter("least", height)
        session.act({"x": 1.0, "x.dot": 0.0})
        session.advance(1.0)
        assert session.q[0] == pytest.approx(height, abs=1e-9)
