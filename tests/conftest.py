"""Settings of the whole suite.

Hypothesis draws the same examples every time. A test marked `share(n)` has its turn one day in n,
if nobody names its file, and always with DALEMBERT_WHOLE=1.
"""

from hypothesis import settings
from hypothesis.internal.conjecture import providers
from tests.support.of_the_day import has_its_turn

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")

# Hypothesis also draws constants found in the modules that are loaded. Which ones are depends on
# the tests a worker has run before, and with them the examples: so none are taken.
assert hasattr(providers, "_get_local_constants")
providers._get_local_constants = lambda: providers._local_constants


def pytest_collection_modifyitems(config, items):
    """Leave the tests to other days that are marked as shares of a whole."""
    if any(".py" in argument for argument in config.args):
        return
    marks = {item: item.get_closest_marker("share") for item in items}
    later = [
        item for item, mark in marks.items() if mark and not has_its_turn(item.nodeid, *mark.args)
    ]
    config.hook.pytest_deselected(items=later)
    items[:] = [item for item in items if item not in set(later)]
