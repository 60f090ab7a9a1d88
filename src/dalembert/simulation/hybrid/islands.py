"""Contacts that move one another: what happens to one island is nothing to the others."""

from __future__ import annotations

import numpy as np

from dalembert.contact.impact.islands import JOINED
from dalembert.simulation.hybrid.candidates import Candidate


def islands_of(W: np.ndarray, contacts: list[Candidate]) -> list[list[Candidate]]:
    """Contacts that W joins, directly or by others, in the order of their first ones.

    Resistances that are among them are joined to what bounds them.
    """
    size = np.sqrt(np.abs(np.diag(W)))
    joined = np.abs(W) > JOINED * np.outer(size, size)
    left, found = list(contacts), []
    while left:
        island = [left.pop(0)]
        for one in island:
            mine = [
                other
                for other in left
                if np.any(joined[one.rows, other.rows]) or one.owner == other.owner
            ]
            island += mine
            left = [other for other in left if other not in mine]
        found.append([one for one in contacts if one in island])
    return found
