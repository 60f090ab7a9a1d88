"""The head of `sizes` has room for every slot that is declared."""

from dalembert._signature import SIZES_LENGTH
from dalembert.system import layout
from dalembert.system.state_layout import State


def test_no_slot_is_behind_the_head():
    extents = layout.Extents(nq=1, nv=1, holonomic=0, rows=0, parameters=0)
    fields = [slot for slot, _ in State.lengths(layout._counts(extents))]
    named = [*State.slots(State.integers), *State.slots(State.addresses)]
    assert max(*fields, *named) < SIZES_LENGTH
