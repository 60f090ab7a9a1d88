"""Shapes of the friction cone a solver may work with instead of the cone itself.

The law of Coulomb has a round cone. A pyramid or a box makes the problem piecewise linear, at the
price of a direction: sliding bends towards a corner, and a box holds up to sqrt(2) mu lam_n.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dalembert.contact.solvers.comparison.polygon import SQUARE
from dalembert.errors import OptionError
from dalembert.model.basics.unchanging import Settled

MOST_EDGES = 64


@dataclass(frozen=True)
class Pyramid(Settled):
    """A pyramid inscribed in the cone, its first edge along the first tangent.

    Parameters
    ----------
    edges : int     4, 6, 8, ...: directions in which friction acts, in opposite pairs
    """

    edges: int = 4

    def __post_init__(self) -> None:
        if self.edges not in range(4, MOST_EDGES + 1, 2):
            raise OptionError(
                f"Pyramid: edges is {self.edges!r}. Give an even number from 4 to {MOST_EDGES}."
            )

    @property
    def corners(self) -> int:
        """Corners of its base, as `contact.solvers.comparison.polygon` wants them."""
        return self.edges


@dataclass(frozen=True)
class BoxFriction(Settled):
    """Each tangent by itself: |lam_1|, |lam_2| <= mu lam_n."""

    @property
    def corners(self) -> int:
        """The sign for a square, as `contact.solvers.comparison.polygon` wants it."""
        return SQUARE


def friction_of(owner: str, given: Any) -> Pyramid | BoxFriction:
    """The shape meant by "box", "pyramid" or "pyramid8", with its edges; a shape stays as it is."""
    if isinstance(given, (Pyramid, BoxFriction)):
        return given
    if given == "box":
        return BoxFriction()
    edges = str(given).removeprefix("pyramid")
    if isinstance(given, str) and edges != given and (not edges or edges.isdecimal()):
        return Pyramid(int(edges)) if edges else Pyramid()
    raise OptionError(
        f"{owner}: friction is {given!r:.60}. Give 'pyramid', 'pyramid8' (with so many edges), "
        "'box', Pyramid(edges=...) or BoxFriction(); the round cone is GaussSeidel's."
    )
