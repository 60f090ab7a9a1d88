"""The state of a run: everything that kernels read and write, by name.

Two arrays hold it, `work` and `sizes`. `system.state_fields` declares what stands in them and
`system.layout` allocates it. A kernel takes the state and says `state.phi[i]`, `state.nv`,
`state.jacobian[i, k]`; rows of tables are places, `state.pair(e)`.
"""

from dalembert.system.state_fields import Fields
from dalembert.system.tables import (
    ACTION_STRIDE,
    CONSTANT,
    DIVISION,
    EMPTY_BLOCK,
    HINGE,
    HINGE_FLOATS,
    INCIDENCE_STRIDE,
    INERTIA,
    LACKING,
    MISSING,
    PAIR_STRIDE,
    PRODUCT,
    QUATERNION,
    RECORD,
    SIDE_NUMBERS,
    TERM_STRIDE,
    Action,
    Body,
    BodyRecord,
    Division,
    Drive,
    EmptyBlock,
    Hinge,
    Incidence,
    Massless,
    MissingInertia,
    Pair,
    Product,
    QuaternionStart,
    Stop,
    Term,
    TurnedBody,
)
from dalembert.system.tree_layout import Tree


class State(Fields):
    """The packed arrays of a run."""

    # -- rows of tables ----------------------------------------------------------------------------

    def quaternion(self, i):
        """Where the i-th quaternion begins."""
        return QuaternionStart(self.sizes, self.quaternion_table + QUATERNION * i)

    def pair(self, i):
        """The i-th constraint of two frames."""
        return Pair(self.sizes, self.pair_table + PAIR_STRIDE * i)

    def action(self, i):
        """The i-th force element."""
        return Action(self.sizes, self.action_table + ACTION_STRIDE * i)

    def incidence(self, i):
        """The i-th body in constraints of any number of bodies."""
        return Incidence(self.sizes, self.incidence_table + INCIDENCE_STRIDE * i)

    def term(self, i):
        """The i-th product of two blocks of J in H."""
        return Term(self.sizes, self.term_table + TERM_STRIDE * i)

    def empty_start(self, i):
        """Where the i-th block of H begins that no pair writes."""
        return self.sizes[self.empty_table + i]

    def division(self, i):
        """The i-th block of M^-1 J^T."""
        return Division(self.sizes, self.dual_divisions + DIVISION * i)

    def product(self, i):
        """The i-th product in W."""
        return Product(self.sizes, self.dual_products + PRODUCT * i)

    def empty_block(self, i):
        """The i-th block of W that no product begins."""
        return EmptyBlock(self.sizes, self.dual_empty + EMPTY_BLOCK * i)

    def row_of(self, i):
        """Row of the system, of the i-th one that takes part in W."""
        return self.sizes[self.dual_rows + i]

    def massless_body(self, i):
        """The i-th body without inertia about some axis."""
        return Massless(self.sizes, self.massless_table + MISSING * i)

    # -- bodies ------------------------------------------------------------------------------------

    def body(self, b):
        """Constants of a body of seven coordinates."""
        return Body(self.body_constants, CONSTANT * b)

    def turned_body(self, b):
        """Mass matrix of a body at the last evaluated state."""
        return TurnedBody(self.body_inertia, INERTIA * b)

    def inverse_body(self, b):
        """Inverse of `turned_body`."""
        return TurnedBody(self.mass_inverses, INERTIA * b)

    def body_record(self, b):
        """Where a body is and how it moves; after the last one comes the world."""
        return BodyRecord(self.body_records, RECORD * b)

    def record_of(self, b):
        """Where a body is and how it moves; -1 is the world."""
        return self.body_record(b if b >= 0 else self.placed)

    def record(self, b):
        """Numbers of `body_record`."""
        return self.body_records[RECORD * b : RECORD * b + RECORD]

    def constants_of(self, b):
        """Numbers of `body`."""
        return self.body_constants[CONSTANT * b : CONSTANT * b + CONSTANT]

    def inertia_of(self, b):
        """Numbers of `turned_body`."""
        return self.body_inertia[INERTIA * b : INERTIA * b + INERTIA]

    def inverse_of(self, b):
        """Numbers of the inverse of `turned_body`."""
        return self.mass_inverses[INERTIA * b : INERTIA * b + INERTIA]

    def missing_inertia(self, i):
        """Inertia that the i-th body without some lacks."""
        return MissingInertia(self.spare_inertia, LACKING * i)

    # -- trees -------------------------------------------------------------------------------------

    @property
    def on_tree(self):
        """Whether velocities are those of the joints of a tree."""
        return self.mechanism == 1 and self.bodies == 0

    @property
    def tree_integers(self):
        """The integers of the tree."""
        return self.sizes[self.tree_table : self.tree_table + self.tree_length]

    @property
    def tree(self):
        """The tree of links, with the scratch of a run."""
        return Tree(self.tree_integers, self.tree_room)

    def is_seen(self, i):
        """Whether rows see the body of a link, which counts from 1."""
        return self.sizes[self.tree_seen + i - 1] == 1

    # -- rows --------------------------------------------------------------------------------------

    def block(self, start, count):
        """Block of J of a body, six entries a row."""
        return self.jacobian_blocks[start : start + 6 * count]

    def data(self, start):
        """Data of an element; how many there are is the element's affair."""
        return self.element_data[start:]

    def stop(self, row):
        """Law of a one-sided row that is a stop."""
        return Stop(self.side_data, SIDE_NUMBERS * row)

    def drive(self, row):
        """Law of a one-sided row that is a drive."""
        return Drive(self.side_data, SIDE_NUMBERS * row)

    # -- turns -------------------------------------------------------------------------------------

    def hinge(self, i):
        """The i-th hinge whose turns are counted."""
        return Hinge(
            self.sizes,
            self.hinge_table + HINGE * i,
            self.work,
            self.hinge_numbers + HINGE_FLOATS * i,
        )

    def hinge_of_angle(self, k):
        """The hinge of a wound angle, or -1."""
        return self.sizes[self.wound_hinges + k] if self.hinges > 0 else -1

    def keep_turns(self, k, turns):
        """Tell formulas the full turns of a wound angle."""
        self.work[self.sizes[self.turns_table + k]] = turns
