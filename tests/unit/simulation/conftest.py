"""What tests of several files read."""

from __future__ import annotations

import pytest
from tests.unit.simulation.folders import X, simulate

import dalembert as dl


@pytest.fixture
def kept(tmp_path):
    """A complete run."""
    folder = tmp_path / "run"
    simulate(save=folder, events=[dl.Event(X, name="below")])
    return folder
