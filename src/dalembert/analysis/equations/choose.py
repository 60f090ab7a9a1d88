"""The equations of a model, whatever it is made of."""

from __future__ import annotations

import copy
from typing import Any

from dalembert.analysis.equations.bodies import BodyEquations
from dalembert.analysis.equations.formulas import FormulaEquations
from dalembert.analysis.equations.point import Equations
from dalembert.errors import OptionError
from dalembert.model.basics.contents import remembered
from dalembert.model.core.model import Model


def equations_of(model: Any, asked: str) -> Equations:
    """The equations of a model; `asked` names who asks, in messages."""
    if not isinstance(model, Model):
        raise OptionError(f"{asked}: {model!r:.60} is not a model. Give a dl.Model.")
    made: Equations = _equations(model)
    return made


@remembered
def _equations(model: Any) -> Any:
    model = copy.copy(model)  # whoever remembers must not keep the model itself alive
    return BodyEquations(model) if model.is_maximal else FormulaEquations(model)
