"""States of a step that was made twice, whole and in halves (`contact.step.controlled`)."""

from dalembert._memory import Part, over
from dalembert._records import Numbers
from dalembert.system.state_layout import State


class Doubled(Part, of=State):
    """Where a step began, was in the middle, and ended when made whole."""

    start_q: Numbers = over("nq")
    start_v: Numbers = over("nv")
    middle_q: Numbers = over("nq")
    middle_v: Numbers = over("nv")
    whole_q: Numbers = over("nq")
    whole_v: Numbers = over("nv")
    jump: Numbers = over("nv")  # of v by impacts, in both halves (`contact.step.meetings`)
    jump_dot: Numbers = over("nq")  # of q'
