"""A batch as kernels see it: its plan, its parts, its worlds, and room for one block.

A block is as many worlds as there are lanes: entry i of lane l stands at `lanes * i + l`. Worlds
come from and go to tables with a row each.
"""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert._records import IntegerMatrix, Integers, Matrix, Numbers, Place, value
from dalembert._signature import Signature

BATCH = Signature("batch", "t h q v p s x y", {})
"""A part of a step: coordinates, velocities, what is given, scratch, a stage and its rates."""

ALL, FINAL, LEAST, LARGEST, MEAN = range(5)
"""Ways to keep a signal: every sample, or one number."""


class Code(Place):
    """A part of a step, as the loop calls it."""

    class integers:
        address: int
        x: int  # entries of the scratch: where it reads,
        y: int  # and where it writes
        most: int  # calls until no lane is left; 0: one, and no lane comes back
        rest: int  # 1: for lanes that an earlier part has asked for; 2: for all, if it has
        asks: int  # 1: lanes that are left over do not leave, but are for the parts with `rest`

    class numbers:
        offset: float  # its moment, in steps


class Plan(Place):
    """Counts and times of a batch."""

    class integers:
        lanes: int
        parts: int
        worlds: int
        steps: int
        every: int  # steps from sample to sample
        nq: int
        nv: int
        given: int  # entries of p
        controls: int  # of these, the last ones change with every step
        control_rows: int  # steps that have controls of their own
        signals: int  # 0: states are recorded
        stops: int  # formulas behind the signals that end a world when they are negative
        signal_code: int
        reduction: int
        begins: int  # 1: the first sample is that of the start
        keeps: int  # 1: states at the end become the initial ones
        hybrid: int  # 1: steps with impulses are made lane by lane
        # of worlds whose steps at stops are in lanes, too (`batch.kernels.at_stops`)
        smooth: int  # 1: a step may be smooth
        by_step: int  # 1: of first order while something goes on pushing
        memory: int  # numbers that a world remembers
        first_start: int  # parts of a step of first order,
        first_parts: int
        second_start: int  # of second order
        second_parts: int

    class numbers:
        start: float
        step: float


CODE, CODE_NUMBERS = Code.entries("integers"), Code.entries("numbers")
PLAN, PLAN_NUMBERS = Plan.entries("integers"), Plan.entries("numbers")


@value
class Batch:
    """A batch: its plan, its parts, its worlds, and room for one block."""

    integers: Integers  # the plan, then the parts
    numbers: Numbers
    q0: Matrix  # a row for each world
    v0: Matrix
    given: Matrix
    controls: Matrix
    ended: Integers  # steps until a world ended, or -1
    left: Integers  # step at which a world left, or -1
    q_left: Matrix  # and its state there
    v_left: Matrix
    out: Matrix
    work: Numbers  # of a run that has not begun, for steps with impulses
    sizes: Integers
    given_places: Integers  # places of `work` of what is given,
    control_places: Integers  # (place, which control),
    angles: Matrix  # coordinate, sign and offset of angles whose turns are counted

    @property
    def plan(self):
        """Counts and times."""
        return Plan(self.integers, 0, self.numbers, 0)

    def code(self, i):
        """The i-th part of a step."""
        return Code(self.integers, PLAN + CODE * i, self.numbers, PLAN_NUMBERS + CODE_NUMBERS * i)


@value
class Block:
    """Room for one block; a part has `rest` for what it is handed."""

    q: Numbers
    v: Numbers
    p: Numbers
    s: Numbers
    q_old: Numbers
    v_old: Numbers
    y: Numbers  # signals
    dummy: Integers
    q_before: Numbers  # one step earlier
    v_before: Numbers
    works: Matrix  # runs of the lanes
    sizes: IntegerMatrix
    owners: Integers  # worlds that these are the runs of, or -1
    lane_q: Numbers
    lane_v: Numbers
    rows: Matrix  # of a group of worlds (`batch.kernels.at_stops`), after each of three steps
    kinds: Integers
    packet: Integers  # those that are in the lanes


@kernel
def world_of(plan, block, lane):
    """World of a lane; lanes beyond the last one repeat it."""
    return min(plan.lanes * block + lane, plan.worlds - 1)


@kernel
def take_lane(x, lanes, lane, out):
    """Entries of one lane."""
    for i in range(len(out)):
        out[i] = x[lanes * i + lane]


@kernel
def put_lane(x, lanes, lane, out):
    """Put entries into one lane."""
    for i in range(len(x)):
        out[lanes * i + lane] = x[i]
