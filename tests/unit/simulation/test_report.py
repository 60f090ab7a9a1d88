"""The fidelity report says what is known, and does not make up what is not."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.synthetic import turning

import dalembert as dl
from dalembert.errors import OptionError

x, y = dl.coordinates("x y")


def line(text, label):
    return next(part for part in text.splitlines() if part.strip().startswith(label))


# -- velocity constraints only -------------------------------------------------------------------


def test_a_model_without_position_level_reports_none():
    run = dl.simulate(dl.catalog.load("skate-particle"), until=0.1, step=1e-2)
    report = run.report()
    assert report["worst_phi"] is None
    assert report["worst_phi_row"] is None
    assert report["worst_phi_dot"] is not None
    assert "velocities only" in line(run.summary(), "position")
    assert "skate" in line(run.summary(), "velocity")


# -- nothing recorded ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def empty():
    model = dl.catalog.load("pendulum")
    ground = dl.Event(model.coordinates[0], terminal=True, name="lowest")
    return dl.simulate(model, until=5.0, step=1e-2, times=[4.0], events=[ground])


def test_an_empty_solution_knows_no_rank(empty):
    assert not len(empty.t)
    report = empty.report()
    assert report["rank_max"] is None
    assert report["degrees_of_freedom"] is None
    assert report["multipliers_unique"] is None
    assert report["samples"] == 0
    text = empty.summary()
    assert "unknown" in line(text, "model")
    assert "unknown" in line(text, "multipliers")
    assert "no potential" not in text
    assert "not measured" in line(text, "energy")


def test_an_empty_solution_knows_its_interval(empty):
    report = empty.report()
    assert report["start"] == 0.0
    assert report["end"] == pytest.approx(empty.events[0].t)
    assert line(empty.summary(), "interval").endswith("no samples recorded")


def test_an_empty_solution_has_no_state_at_any_moment(empty):
    with pytest.raises(OptionError, match="nothing was recorded"):
        empty.at(0.1)
    with pytest.raises(OptionError, match="nothing was recorded"):
        empty.sampled(x, [0.1])
    assert "no samples" in repr(empty)


def test_a_model_without_constraints_has_all_its_freedoms_even_unrecorded():
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, initial={x.dot: 1.0})
    stop = dl.Event(x - 0.1, terminal=True)
    run = dl.simulate(model, until=1.0, step=1e-2, times=[0.9], events=[stop])
    assert run.report()["degrees_of_freedom"] == 1


# -- interval and samples ------------------------------------------------------------------------


def test_the_interval_is_that_of_the_run_not_of_the_samples():
    run = dl.simulate(dl.catalog.load("pendulum"), until=5.0, step=1e-2, times=[1.0, 2.0])
    report = run.report()
    assert (report["start"], report["end"]) == (0.0, 5.0)
    assert (report["first_sample"], report["last_sample"]) == (1.0, 2.0)
    text = line(run.summary(), "interval")
    assert "0 to 5 s, 500 steps, 2 samples recorded from 1 to 2 s" in text
    assert "at the samples" in line(run.summary(), "energy")


def test_energy_needs_two_samples():
    run = dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-2, times=[0.5])
    assert run.report()["energy_change"] is None
    assert "not measured" in line(run.summary(), "energy")


def test_energy_that_left_the_numbers_is_not_a_relative_error():
    kinetic = np.full(61, 2.0)
    kinetic[30:] = np.inf
    s = turning(kinetic=kinetic)
    assert s.report()["energy_change"] is None
    assert "lost" in line(s.summary(), "energy")
    assert "1.5 s" in line(s.summary(), "energy")


def test_leaps_are_steps():
    statistics = {"steps": 62, "rejected": 17, "leaps": 14, "rank_min": 1, "rank_max": 1}
    text = line(turning(statistics=statistics).summary(), "interval")
    assert "62 steps (of them 14 leaps past singular positions) and 17 rejected" in text
    statistics |= {"leaps": 1}
    text = line(turning(statistics=statistics).summary(), "interval")
    assert "(of them 1 leap past a singular position)" in text


def test_a_start_left_as_given_is_not_called_consistent():
    run = dl.simulate(
        dl.catalog.load("pendulum"), until=0.1, step=1e-2, initial={"x": 1.01}, consistent=False
    )
    assert "left as given, off by 2.0e-02" in line(run.summary(), "initial state")


# -- reading -------------------------------------------------------------------------------------


def test_at_keeps_the_shape_of_the_moments():
    s = turning()
    assert s.at([])[0].shape == (0, 2)
    q, v = s.at([[0.1, 0.2, 0.3], [1.1, 1.2, 1.3]])
    assert q.shape == v.shape == (2, 3, 2)
    np.testing.assert_array_equal(q[1, 2], s.at(1.3)[0])
    assert s.sampled(x, [[0.1, 0.2], [1.1, 1.2]]).shape == (2, 2)


def test_outside_the_samples_says_where_they_are():
    with pytest.raises(OptionError, match="recorded samples, from 0 to 3 s"):
        turning().at(4.0)


def test_a_constraint_name_leads_to_its_force():
    with pytest.raises(OptionError, match=r"Did you mean 'bar\.force'\?"):
        turning()["bar"]
    with pytest.raises(OptionError, match=r"Did you mean 'bar\.force'\?"):
        turning()["baar"]


def test_event_records_compare():
    one, other = turning().events[0], turning().events[0]
    assert one == other
    assert hash(one) == hash(other)
    assert one != turning(events=()).t[0]
    moved = type(one)(one.name, one.t, one.q + 1, one.v)
    assert one != moved
