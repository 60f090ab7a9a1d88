"""Runs kept in folders, for tests: whole, stopped, and what is in them."""

from __future__ import annotations

import numpy as np
from tests.conformance.test_resume import stopped_after

import dalembert as dl

MODEL = dl.catalog.load("pendulum")
X, Y = MODEL.coordinates


def simulate(until=1.0, model=MODEL, **options):
    return dl.simulate(model, until=until, **{"step": 1e-3, "progress": False, **options})


def half(folder, monkeypatch, steps=400, until=1.0, **options):
    """A run that was stopped, and is kept in `folder`."""
    with monkeypatch.context() as patch:
        stopped_after(steps, patch)
        return simulate(until, save=folder, **{"on_failure": "return", **options})


def content(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.name != "lock"}


def same(a, b):
    return all(
        np.array_equal(getattr(a, name), getattr(b, name), equal_nan=True)
        for name in ("t", "q", "v", "a", "lam", "phi", "phi_dot", "kinetic", "potential")
    )


def same_beginning(part, whole):
    k = len(part.t)
    return k > 1 and all(
        np.array_equal(getattr(part, n), getattr(whole, n)[:k]) for n in ("t", "q", "v")
    )
