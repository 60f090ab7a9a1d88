"""The equations of a model, whatever it is made of."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from dalembert.analysis.equations.bodies import BodyEquations
from dalembert.analysis.equations.formulas import FormulaEquations
from dalembert.analysis.equations.point import Equations
from dalembert.analysis.equations.turning import Turning
from dalembert.errors import OptionError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.contents import remembered
from dalembert.model.core.model import Model
from dalembert.model.start.turns import relations_of
from dalembert.simulation.motion.turns import hinges_of


def equations_of(
    model: Any, asked: str, angles: Mapping[Expression, float] | None = None
) -> Equations:
    """The equations of a model; `asked` names who asks, in messages.

    `angles`: those of hinges with their turns at the place where one begins, where they are known.
    """
    if not isinstance(model, Model):
        raise OptionError(f"{asked}: {model!r:.60} is not a model. Give a dl.Model.")
    made: Any = _equations(model)
    if hinges_of(model) and (angles is not None or relations_of(model) is not None):
        _ = made.rows_turn  # told once for all copies
        made = copy.copy(made)
        made.turning = Turning(model, angles)
    return made  # type: ignore[no-any-return]


@remembered
def _equations(model: Any) -> Any:
    model = copy.copy(model)  # whoever remembers must not keep the model itself alive
    return BodyEquations(model) if model.is_maximal else FormulaEquations(model)
