"""The model that a run takes place with: dampers that need it implicit, controllers bound."""

from __future__ import annotations

from collections.abc import Sequence

from dalembert.enforcement.protocol import Method
from dalembert.model.core.model import Model
from dalembert.simulation.prepare.controllers import Bound, Controller, bind
from dalembert.simulation.prepare.implicit_dampers import with_implicit_dampers


def model_for_run(
    model: Model,
    method: Method,
    step: float | None,
    controllers: Sequence[Controller],
    usual: float | None = None,
) -> tuple[Model, Bound | None]:
    """The model with parameters for what controllers command, and the controllers.

    `usual`: a step that dampers are looked at with where none is given.
    """
    if method.impulses:
        model = with_implicit_dampers(model, usual if step is None else step)
    model, bound = bind(model, controllers)
    if bound is not None and step is not None:
        bound.strides(float(step))
    return model, bound
