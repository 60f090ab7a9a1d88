"""Tables of the rows of loops on a tree, for kernels (`system.loop_rows` makes them).

`tree_element_table` begins with the loops; lists follow, which their owners find by where they
begin in the table. `tree_products` has the products that W = Y Y^T consists of.
"""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert._records import Place, value
from dalembert.system.state_layout import State


class Loop(Place):
    """A constraint between links."""

    class integers:
        row: int  # the first one
        count: int  # of its rows
        width: int  # velocities it touches
        start: int  # of its rows in `tree_rows` and `tree_half`, `width` numbers each
        taking: int  # list: those of its rows that take part in W
        taking_count: int
        first_in_dual: int  # number of the first of these in W
        velocities: int  # list of `Touched`
        sides: int  # list of `Side`
        side_count: int


class Touched(Place):
    """A velocity that a loop touches."""

    class integers:
        dof: int
        above: int  # index in the list of the one before it on the way to the world, or -1


class Side(Place):
    """A body that a loop holds."""

    class integers:
        block: int  # of J
        links: int  # list of `WayLink`: from the body to the world
        link_count: int


class WayLink(Place):
    """A link on the way from a body to the world."""

    class integers:
        link: int
        v_start: int
        dofs: int
        index: int  # of its first velocity among those that the loop touches


class LoopProduct(Place):
    """A block of W: rows of one loop times rows of another."""

    class integers:
        w: int  # where the block begins
        column_start: int  # of the rows of the first in `tree_half`,
        column_width: int  # their velocities,
        column_count: int  # and how many take part
        row_start: int
        row_width: int
        row_count: int
        is_diagonal: int  # the lower triangle is enough
        common: int  # list: pairs of indices of velocities that both touch
        common_count: int


LOOP, TOUCHED, SIDE = (kind.entries("integers") for kind in (Loop, Touched, Side))
WAY_LINK, LOOP_PRODUCT = (kind.entries("integers") for kind in (WayLink, LoopProduct))


@value
class Loops:
    """The loops of a tree."""

    state: State

    def __len__(self):
        return self.state.tree_elements

    def __getitem__(self, e):
        return Loop(self.state.sizes, self.state.tree_element_table + LOOP * e)

    def taking(self, loop, i):
        """The i-th of its rows that take part, counted within the loop."""
        return self.state.sizes[self.state.tree_element_table + loop.taking + i]

    def velocity(self, loop, k):
        """The k-th velocity that it touches."""
        start = self.state.tree_element_table + loop.velocities
        return Touched(self.state.sizes, start + TOUCHED * k)

    def side(self, loop, i):
        """The i-th body that it holds."""
        return Side(self.state.sizes, self.state.tree_element_table + loop.sides + SIDE * i)

    def link(self, side, i):
        """The i-th link on the way from such a body to the world."""
        start = self.state.tree_element_table + side.links
        return WayLink(self.state.sizes, start + WAY_LINK * i)


@value
class LoopProducts:
    """The products that W consists of."""

    state: State

    def __len__(self):
        return self.state.tree_product_count

    def __getitem__(self, i):
        return LoopProduct(self.state.sizes, self.state.tree_products + LOOP_PRODUCT * i)

    def common(self, product):
        """Pairs of indices: a velocity in the list of the first, and in the one of the second."""
        start = self.state.tree_element_table + product.common
        return self.state.sizes[start : start + 2 * product.common_count]


@kernel
def loops_of(state: State):
    """The loops of a tree."""
    return Loops(state)


@kernel
def products_of(state: State):
    """The products that W consists of."""
    return LoopProducts(state)
