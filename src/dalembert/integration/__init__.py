"""How time advances: one integrator a file, found through this table."""

from __future__ import annotations

from dalembert.integration.backward import BDF
from dalembert.integration.collocation import Gauss, RadauIIA
from dalembert.integration.dormand_prince import DormandPrince
from dalembert.integration.explicit_euler import ExplicitEuler
from dalembert.integration.generalized_alpha import GeneralizedAlpha
from dalembert.integration.implicit_midpoint import ImplicitMidpoint
from dalembert.integration.protocol import Integrator
from dalembert.integration.rk4 import RK4
from dalembert.integration.semi_implicit_euler import SemiImplicitEuler

INTEGRATORS: dict[str, type[Integrator]] = {
    "explicit-euler": ExplicitEuler,
    "semi-implicit-euler": SemiImplicitEuler,
    "rk4": RK4,
    "dormand-prince": DormandPrince,
    "implicit-midpoint": ImplicitMidpoint,
    "generalized-alpha": GeneralizedAlpha,
    "gauss": Gauss,
    "radau-iia": RadauIIA,
    "bdf": BDF,
}
"""Every integrator by the name the command line uses."""

__all__ = ["INTEGRATORS", "Integrator", *sorted(cls.__name__ for cls in INTEGRATORS.values())]
