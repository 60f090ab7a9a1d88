"""Islands: contacts that W joins, directly or by others."""

import math

from dalembert._jit import kernel

JOINED = 1e-14
"""Entry of W between contacts, over the root of the product of diagonals, that joins them."""


@kernel
def find_islands(impact):
    """Number of every contact's island: that of its first contact."""
    for c in range(impact.count):
        impact.island[c] = c
    changed = True
    while changed:
        changed = False
        for c in range(impact.count):
            for d in range(c):
                a, b = impact.island[c], impact.island[d]
                if a != b and joined(impact, c, d):
                    impact.island[c] = impact.island[d] = min(a, b)
                    changed = True


@kernel
def joined(impact, c, d):
    """Whether an impulse of one contact moves the other, or bounds it."""
    W = impact.W
    if impact.owner[c] == d or impact.owner[d] == c:
        return True
    for i in range(impact.first[c], impact.first[c] + impact.dim[c]):
        for k in range(impact.first[d], impact.first[d] + impact.dim[d]):
            if abs(W[i, k]) > JOINED * math.sqrt(W[i, i] * W[k, k]):
                return True
    return False
