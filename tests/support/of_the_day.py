"""Shares of long lists of cases: others every day, all of them with DALEMBERT_WHOLE=1."""

import datetime as dt
import os
import zlib


def of_the_day(cases, parts):
    """Every so many-th of the cases; in so many days each has had its turn."""
    cases = list(cases)
    if _all():
        return cases
    return cases[_today() % parts :: parts]


def has_its_turn(name, parts):
    """Whether the test of this name, one of so many days, is run today."""
    return _all() or (zlib.crc32(name.encode()) + _today()) % parts == 0


def _all():
    return os.environ.get("DALEMBERT_WHOLE") == "1"


def _today():
    return dt.date.today().toordinal()
