"""Worlds with contact: what only a report needs is not measured, and the motion is the same."""

import numpy as np
import pytest

import dalembert as dl
from dalembert.batch import general
from dalembert.contact.problem.record_layout import Info
from dalembert.contact.run.run_layout import ContactRun
from dalembert.simulation.prepare.contacts import part_of


def rolled(monkeypatch, name, unreported):
    """States of a few worlds, and the worst of a run that measures for its report or does not."""
    seen = []
    world = general.General._world

    def opened_world(self, opened, *rest):
        first, run = (ContactRun(*reversed(part_of(x.state))) for x in (self.opened, opened))
        assert first.unreported == 1
        first.unreported = unreported  # every world begins as this one
        seen.append(run)
        return world(self, opened, *rest)

    monkeypatch.setattr(general.General, "_world", opened_world)
    model = dl.catalog.load(name)
    found = dl.rollout(model, worlds=2, step=1e-3, steps=150, threads=1)
    assert found.engine == "general"
    return found.data, Info(seen[0].worst, 0).momentum


@pytest.mark.parametrize("name", ["incline", "stack"])
def test_the_motion_is_that_with_reports(monkeypatch, name):
    with monkeypatch.context() as patch:
        without, unmeasured = rolled(patch, name, 1)
    with monkeypatch.context() as patch:
        reported, measured = rolled(patch, name, 0)
    assert np.array_equal(without, reported)
    assert unmeasured == 0.0 < measured
