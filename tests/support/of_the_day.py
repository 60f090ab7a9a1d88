"""Shares of long lists of cases: others every day, all of them with DALEMBERT_WHOLE=1."""

import datetime as dt
import os


def of_the_day(cases, parts):
    """Every so many-th of the cases; in so many days each has had its turn."""
    cases = list(cases)
    if os.environ.get("DALEMBERT_WHOLE") == "1":
        return cases
    return cases[dt.date.today().toordinal() % parts :: parts]
