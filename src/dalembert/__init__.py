"""Constrained mechanical systems without drift.

>>> import dalembert as dl

Every public name is loaded when it is first used: importing the package costs next to nothing and
compiles nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_MODULE_OF = {
    # describing
    "coordinates": "formulas.variables",
    "parameters": "formulas.variables",
    "time": "formulas.variables",
    "where": "formulas.functions",
    "minimum": "formulas.functions",
    "maximum": "formulas.functions",
    "Model": "model.model",
    "Inertia": "model.inertia",
    "load": "importers.native",
    # running
    "simulate": "simulation.simulate",
    "Event": "integration.events",
    "Solution": "simulation.solution",
    "load_solution": "simulation.solution",
    # methods: how constraints are kept
    "AugmentedLagrangian": "enforcement",
    "Baumgarte": "enforcement",
    "BaumgarteVelocity": "enforcement",
    "BraunGoldfarb": "enforcement",
    "BraunGoldfarbPerStage": "enforcement",
    "Compliant": "enforcement",
    "IndexTwo": "enforcement",
    "LagrangeMultipliers": "enforcement",
    "Partitioning": "enforcement",
    "Penalty": "enforcement",
    "Projection": "enforcement",
    "Rattle": "enforcement",
    "SchurComplement": "enforcement",
    "UdwadiaKalaba": "enforcement",
    "VelocitySplitting": "enforcement",
    # integrators: how time advances
    "DormandPrince": "integration",
    "ExplicitEuler": "integration",
    "GeneralizedAlpha": "integration",
    "ImplicitMidpoint": "integration",
    "RK4": "integration",
    "SemiImplicitEuler": "integration",
    # the constraint step for one's own integrator
    "compliant_velocity": "enforcement.on_arrays",
    "constraint_forces": "enforcement.on_arrays",
    "project_position": "enforcement.on_arrays",
    "project_velocity": "enforcement.on_arrays",
    # reading results
    "compare": "analysis.compare",
    "observed_order": "analysis.convergence",
    "work_precision": "analysis.work_precision",
    "plot": "plotting.plot",
}
_SUBMODULES = ("catalog", "errors")

__all__ = [
    "AugmentedLagrangian",
    "Baumgarte",
    "BaumgarteVelocity",
    "BraunGoldfarb",
    "BraunGoldfarbPerStage",
    "Compliant",
    "DormandPrince",
    "Event",
    "ExplicitEuler",
    "GeneralizedAlpha",
    "ImplicitMidpoint",
    "IndexTwo",
    "Inertia",
    "LagrangeMultipliers",
    "Model",
    "Partitioning",
    "Penalty",
    "Projection",
    "RK4",
    "Rattle",
    "SchurComplement",
    "SemiImplicitEuler",
    "Solution",
    "UdwadiaKalaba",
    "VelocitySplitting",
    "__version__",
    "catalog",
    "compare",
    "compliant_velocity",
    "constraint_forces",
    "coordinates",
    "errors",
    "load",
    "load_solution",
    "maximum",
    "minimum",
    "observed_order",
    "parameters",
    "plot",
    "project_position",
    "project_velocity",
    "simulate",
    "time",
    "where",
    "work_precision",
]


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        found = getattr(importlib.import_module(f"dalembert.{_MODULE_OF[name]}"), name)
    elif name in _SUBMODULES:
        found = importlib.import_module(f"dalembert.{name}")
    else:
        raise AttributeError(f"module 'dalembert' has no attribute {name!r}")
    globals()[name] = found  # the next use does not come here
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if TYPE_CHECKING:
    from dalembert import catalog, errors
    from dalembert.analysis.compare import compare
    from dalembert.analysis.convergence import observed_order
    from dalembert.analysis.work_precision import work_precision
    from dalembert.enforcement import (
        AugmentedLagrangian,
        Baumgarte,
        BaumgarteVelocity,
        BraunGoldfarb,
        BraunGoldfarbPerStage,
        Compliant,
        IndexTwo,
        LagrangeMultipliers,
        Partitioning,
        Penalty,
        Projection,
        Rattle,
        SchurComplement,
        UdwadiaKalaba,
        VelocitySplitting,
    )
    from dalembert.enforcement.on_arrays import (
        compliant_velocity,
        constraint_forces,
        project_position,
        project_velocity,
    )
    from dalembert.formulas.functions import maximum, minimum, where
    from dalembert.formulas.variables import coordinates, parameters, time
    from dalembert.importers.native import load
    from dalembert.integration import (
        RK4,
        DormandPrince,
        ExplicitEuler,
        GeneralizedAlpha,
        ImplicitMidpoint,
        SemiImplicitEuler,
    )
    from dalembert.integration.events import Event
    from dalembert.model.inertia import Inertia
    from dalembert.model.model import Model
    from dalembert.plotting.plot import plot
    from dalembert.simulation.simulate import simulate
    from dalembert.simulation.solution import Solution, load_solution
