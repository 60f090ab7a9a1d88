"""What tests of several files read."""

from __future__ import annotations

import pytest
from tests.unit.importers.urdf_text import file_of, joint, link


@pytest.fixture
def arm(tmp_path):
    """One hinge."""
    return file_of(
        tmp_path, link("base", ""), link("arm"), joint("hinge", "continuous", "base", "arm")
    )
