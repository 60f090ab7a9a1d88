"""Formulas of an environment: of the state, of actions, and of the time of an episode.

What depends on the state alone is computed with the worlds, in compiled code. Time runs apart in
every episode and actions come from outside: what is made of them is computed from those parts,
for all worlds at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.formulas import Expression, load, parameter, reachable, substitute, symbols, time
from dalembert.formulas.evaluate import Prepared
from dalembert.formulas.node import Node
from dalembert.model.basics.names import nearest

Array = NDArray[np.float64]

MARK = "action."
"""How the names of actions begin in formulas."""


def action(actuator: Any) -> Expression:
    """The action of an actuator, as a symbol for formulas of rewards and of endings.

    Parameters
    ----------
    actuator : actuator or parameter, or its name, as in `actions` of `environment`

    Examples
    --------
    >>> import dalembert as dl
    >>> dl.rl.action("motor") ** 2
    action.motor**2
    """
    name = actuator if isinstance(actuator, str) else getattr(actuator, "name", None)
    if not isinstance(name, str):
        raise OptionError(
            f"action: {actuator!r:.60} has no name. Give an actuator, a parameter or its name."
        )
    return parameter(MARK + name, 0.0)


class Watched:
    """Formulas split into signals of the worlds and what is made of them.

    Parameters
    ----------
    formulas : formulas and conditions
    actions : {name: column of the table of actions}; a parameter goes by its own name as well

    Attributes
    ----------
    signals : formulas that the worlds observe
    """

    def __init__(self, who: str, formulas: Sequence[Node], actions: Mapping[str, int]) -> None:
        self._actions: dict[Node, int] = {}
        for leaf in symbols(formulas, "parameter"):
            name = leaf.name.removeprefix(MARK)
            if name in actions:
                self._actions[leaf] = actions[name]
            elif leaf.name.startswith(MARK):
                raise OptionError(
                    f"{who}: a formula has the action {name!r}, which is none of its actions"
                    f"{nearest(name, list(actions))} They are {', '.join(actions)}."
                )
        loose: set[Node] = {time, *self._actions}
        for node in reachable(formulas):
            if any(argument in loose for argument in node.args):
                loose.add(node)
        self.signals = _largest(formulas, loose)
        seen = {node: load("seen", k) for k, node in enumerate(self.signals)}
        places = {node: k for k, node in enumerate(self.signals)}
        self._columns = [places.get(node, -1) for node in formulas]  # type: ignore[call-overload]
        rest = [node for node in formulas if node not in places]
        self._rest = Prepared(substitute(rest, seen)) if rest else None
        self._seen = list(seen.values())

    def __call__(self, observed: Array, actions: Array, t: Any) -> list[Array]:
        """Values of all formulas, a number for each world.

        Parameters
        ----------
        observed : (worlds, signals)
        actions : (worlds, actions)
        t : (worlds,)       times of the episodes  [s]
        """
        made: list[Any] = []
        if self._rest is not None:
            known: dict[Any, Any] = {leaf: observed[:, k] for k, leaf in enumerate(self._seen)}
            known |= {leaf: actions[:, k] for leaf, k in self._actions.items()}
            known[time] = t
            made = [np.broadcast_to(x, t.shape) for x in self._rest(known)]
        others = iter(made)
        return [observed[:, k] if k >= 0 else next(others) for k in self._columns]


def _largest(formulas: Sequence[Node], loose: set[Node]) -> list[Expression]:
    """The largest formulas of the state alone."""
    found: dict[Expression, None] = {}
    waiting, met = list(reversed(formulas)), set()
    while waiting:
        node = waiting.pop()
        if node in met or node.op == "constant":
            continue
        met.add(node)
        if isinstance(node, Expression) and node not in loose:
            found[node] = None
        else:
            waiting += reversed(node.args)
    return list(found)
