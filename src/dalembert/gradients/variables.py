"""Variables that derivatives are taken by: parameters, the initial state, controls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dalembert.batch.given import name_of
from dalembert.batch.starts import coordinate_name
from dalembert.errors import OptionError
from dalembert.model.basics.names import nearest

PARAMETER, START, CONTROL = "parameter", "initial value", "control"


@dataclass(frozen=True)
class Variable:
    """One number that may vary.

    Attributes
    ----------
    kind : parameter, initial value or control
    name : of the parameter, of the coordinate or velocity of the run, or of the control
    place : index of the coordinate or velocity in (q, v), or row of the control
    label : as it was asked for
    """

    kind: str
    name: str
    place: int = 0
    label: str = ""


def read_variables(
    who: str,
    model: Any,
    setup: Any,
    asked: Sequence[Any],
    controls: dict[str, int],
    parameters: list[str],
) -> list[Variable]:
    """Variables in the order in which they were asked for; controls are one for every row.

    `controls` has the number of rows of each by its name; `parameters` are those of the model, of
    outputs and of events.
    """
    if isinstance(asked, str) or not isinstance(asked, Sequence) or not len(asked):
        raise OptionError(f"{who}: with_respect_to is {asked!r:.60}. Give a list of names.")
    system = setup.running
    states = [*system.coordinate_names, *system.velocity_names]
    made: list[Variable] = []
    for one in asked:
        label = one if isinstance(one, str) else name_of(one)
        name = coordinate_name(model, states, one)
        if name in controls:
            made += [Variable(CONTROL, name, row, label) for row in range(controls[name])]
        elif name in parameters:
            made.append(Variable(PARAMETER, name, 0, label))
        elif name in states:
            made.append(Variable(START, name, states.index(name), label))
        else:
            known = [*parameters, *states, *controls]
            raise OptionError(
                f"{who}: with_respect_to names {label!r}, which is no parameter, control,"
                f" coordinate or velocity of the run{nearest(label, known)}"
                f" There are {', '.join(known[:12])}."
            )
    if len({(v.kind, v.name, v.place) for v in made}) < len(made):
        raise OptionError(f"{who}: with_respect_to names something twice.")
    return made
