"""Numbers of the corners and edges of a box, for keys that last.

Corner: bit k is set on the positive side of axis k. Edge along axis k: 4 k + (positive side of axis
k + 1) + 2 (positive side of axis k + 2), axes counted round.

A contact of two boxes is a corner of one on the other, or an edge across an edge. Its key says so
in these numbers, not in those of the clipping: it is the same whichever box is clipped.
"""

from dalembert._jit import kernel
from dalembert.collision.layout import feature_key

CORNER_OF_A, CORNER_OF_B, EDGES = 1, 2, 3
"""Sorts of features in keys."""


@kernel
def corner_number(k, sign_k, sign_next, sign_after):
    """Corner by the signs along the axes k, k + 1, k + 2."""
    bits = 0
    if sign_k > 0.0:
        bits |= 1 << k
    if sign_next > 0.0:
        bits |= 1 << ((k + 1) % 3)
    if sign_after > 0.0:
        bits |= 1 << ((k + 2) % 3)
    return bits


@kernel
def edge_number(k, sign_next, sign_after):
    """Edge along axis k by the signs along the axes k + 1 and k + 2."""
    bits = 4 * k
    if sign_next > 0.0:
        bits += 1
    if sign_after > 0.0:
        bits += 2
    return bits


@kernel
def corner_key(of_a, number):
    """Key of a corner of A or of B."""
    return feature_key(CORNER_OF_A, number, 0) if of_a else feature_key(CORNER_OF_B, 0, number)


@kernel
def edges_key(edge_a, edge_b):
    """Key of an edge across an edge."""
    return feature_key(EDGES, edge_a, edge_b)
