"""Settings of the whole suite: hypothesis draws the same examples every time."""

from hypothesis import settings
from hypothesis.internal.conjecture import providers

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")

# Hypothesis also draws constants found in the modules that are loaded. Which ones are depends on
# the tests a worker has run before, and with them the examples: so none are taken.
assert hasattr(providers, "_get_local_constants")
providers._get_local_constants = lambda: providers._local_constants
