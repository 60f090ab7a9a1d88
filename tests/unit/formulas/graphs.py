"""Random formulas for the tests of derivatives and of compiled code."""

import numpy as np
from hypothesis import strategies as st

from dalembert.formulas import coordinates, maximum, minimum, parameters, time, where

X = coordinates("x y z")
V = tuple(s.dot for s in X)
P = parameters(a=0.7, b=-1.3)
SYMBOLS = (*X, *V, time, *P)

UNARY = (
    np.sin,
    np.cos,
    np.arctan,
    np.tanh,
    np.sinh,
    np.cosh,
    np.abs,
    np.sign,
    lambda a: np.tan(0.3 * np.sin(a)),
    lambda a: np.arcsin(0.9 * np.sin(a)),
    lambda a: np.arccos(0.9 * np.cos(a)),
    lambda a: np.sqrt(1.0 + a * a),
    lambda a: np.exp(np.sin(a)),
    lambda a: np.log(2.0 + np.cos(a)),
    lambda a: (2.0 + np.sin(a)) ** 1.7,
    lambda a: a**3,
    lambda a: (a * a + 2.0) ** -2,
    lambda a: -a,
    lambda a: 0.25 * a,
)
BINARY = (
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / (3.0 + np.sin(b)),
    np.arctan2,
    minimum,
    maximum,
    lambda a, b: (2.0 + np.sin(a)) ** (0.5 * np.cos(b)),
    lambda a, b: where((a < b) | (b <= 0.1), a * b, a + 1.0),
)


@st.composite
def formulas(draw, size=12):
    """A few random formulas over SYMBOLS that share parts."""
    nodes = list(SYMBOLS)
    for _ in range(draw(st.integers(1, size))):
        pick = st.sampled_from(nodes)
        if draw(st.booleans()):
            made = draw(st.sampled_from(UNARY))(draw(pick))
        else:
            made = draw(st.sampled_from(BINARY))(draw(pick), draw(pick))
        nodes.append(made)
    return nodes[-3:]


def states(seed, count):
    """Random values of all symbols."""
    rng = np.random.default_rng(seed)
    return {s: rng.normal(size=count) for s in SYMBOLS}
