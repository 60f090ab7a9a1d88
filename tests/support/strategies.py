"""Generators of models and states for the property tests.

Everything drawn is smooth and of moderate size, so that a finite difference or a short run means
something. `LAWS` are the settings: few examples, the same ones in every run.
"""

from __future__ import annotations

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

import dalembert as dl

LAWS = settings(max_examples=12, deadline=None, derandomize=True, database=None)

MOST = 4
"""Coordinates of a drawn model, at most."""


def numbers(low=-1.5, high=1.5):
    """Floats of moderate size, with a few digits so that failing examples can be read."""
    return st.integers(round(low * 100), round(high * 100)).map(lambda k: k / 100)


def states(n):
    """(t, q, v) of n coordinates."""
    entries = st.lists(numbers(), min_size=n, max_size=n).map(np.array)
    return st.tuples(numbers(0.0, 3.0), entries, entries)


@st.composite
def waves(draw, variables, terms=3):
    """A smooth formula of the given variables: a short sum of products of sines and powers."""
    total = draw(numbers(0.3, 1.5)) * draw(st.sampled_from(variables))
    for _ in range(draw(st.integers(1, terms))):
        a, b = draw(st.sampled_from(variables)), draw(st.sampled_from(variables))
        shape = draw(
            st.sampled_from(
                (
                    lambda x, y: x * y,
                    lambda x, y: np.sin(x + 0.7 * y),
                    lambda x, y: np.cos(x) * y,
                    lambda x, y: np.exp(0.3 * x) * np.sin(y),
                    lambda x, y: x**3 / (2 + y**2),
                    lambda x, y: np.sqrt(2 + x**2) * y,
                    lambda x, y: np.arctan2(x, 3 + np.sin(y)),
                )
            )
        )
        total = total + draw(numbers(-1.0, 1.0)) * shape(a, b)
    return total


@st.composite
def formula_models(draw, velocity_rows=True):
    """A model from random formulas, and its number of coordinates.

    The mass matrix is diagonally dominant; holonomic rows may depend on time, velocity rows are
    linear in velocity or not.
    """
    n = draw(st.integers(2, MOST))
    q = list(dl.coordinates("q", n))
    a, b = dl.parameters(a=draw(numbers(0.5, 2.0)), b=draw(numbers(0.5, 2.0)))
    v = [x.dot for x in q]
    kinetic = sum((1 + k / 3) * x**2 for k, x in enumerate(v)) * a
    i, j = draw(st.permutations(range(n)))[:2]
    kinetic = kinetic + draw(numbers(-0.4, 0.4)) * np.cos(q[j]) * v[i] * v[j]
    rows = draw(st.integers(1, n - 1))
    constraints = {}
    for k in range(rows):
        if velocity_rows and draw(st.booleans()):
            twist = draw(waves([*q, dl.time]))
            # Each row has a velocity of its own, so that rows are independent.
            bend = draw(st.sampled_from((0.0, 0.1))) * v[(k + 1) % n] ** 2
            constraints[f"rolling{k}"] = v[k] + 0.3 * np.sin(twist) * v[(k + 1) % n] + bend - 0.1
        else:
            wave = draw(waves([*q, dl.time, b]))
            constraints[f"surface{k}"] = 2 * q[k] + 0.3 * np.sin(wave)
    forces = {q[0]: draw(waves([*q, *v, dl.time]))} if draw(st.booleans()) else None
    model = dl.Model.from_lagrangian(
        kinetic=kinetic,
        potential=draw(waves([*q, a])),
        forces=forces,
        constraints=constraints,
        coordinates=q,
    )
    return model, n
