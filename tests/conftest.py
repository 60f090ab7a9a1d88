"""Settings of the whole suite: hypothesis draws the same examples every time."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")
