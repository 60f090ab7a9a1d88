"""The tolerance of error control: the first options of an integrator that finds its steps.

Entry i of a step may err by atol + rtol |x_i|.
"""

from dalembert._jit import kernel
from dalembert._memory import Part
from dalembert.system.state_layout import State

CORRECTION = 30.0
"""Change of a coordinate by the end of a step, over its tolerance, from which on it is an error."""


class Tolerance(Part, of=State):
    """Relative and absolute."""

    rtol: float
    atol: float

    def of(self, size):
        """Error that an entry of this size may have."""
        return self.atol + self.rtol * size


@kernel
def tolerance_of(state: State):
    """The tolerance of a run."""
    return Tolerance(state, state.integrator_options)


@kernel
def judge_correction(state: State, before, q):
    """Make what the end of a step has changed its error, where it is far above the tolerance.

    The step then passed over something its stages did not see, such as a kink in a prescribed
    motion.
    """
    allowed, worst = tolerance_of(state), 0.0
    for i in range(state.nq):
        worst = max(worst, abs(q[i] - before[i]) / allowed.of(abs(q[i])))
    if worst > CORRECTION:
        state.error = worst
