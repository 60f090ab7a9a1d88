"""How constraints are kept: one method a file, found through this table.

Adding a method: its file, one line here, its row in ``docs/reference/methods.md``.
"""

from __future__ import annotations

from dalembert.enforcement.aghili import Aghili
from dalembert.enforcement.augmented_lagrangian import AugmentedLagrangian
from dalembert.enforcement.baumgarte import Baumgarte
from dalembert.enforcement.baumgarte_velocity import BaumgarteVelocity
from dalembert.enforcement.braun_goldfarb import BraunGoldfarb
from dalembert.enforcement.braun_goldfarb_per_stage import BraunGoldfarbPerStage
from dalembert.enforcement.braun_goldfarb_velocity import BraunGoldfarbVelocity
from dalembert.enforcement.compliant import Compliant
from dalembert.enforcement.contact_impulse import ContactImpulse
from dalembert.enforcement.index_two import IndexTwo
from dalembert.enforcement.lagrange_multipliers import LagrangeMultipliers
from dalembert.enforcement.partitioning import Partitioning
from dalembert.enforcement.penalty import Penalty
from dalembert.enforcement.post_stabilisation import PostStabilisation
from dalembert.enforcement.projection import Projection
from dalembert.enforcement.protocol import Method
from dalembert.enforcement.rattle import Rattle
from dalembert.enforcement.schur_complement import SchurComplement
from dalembert.enforcement.udwadia_kalaba import UdwadiaKalaba
from dalembert.enforcement.velocity_splitting import VelocitySplitting

METHODS: dict[str, type[Method]] = {
    "udwadia-kalaba": UdwadiaKalaba,
    "lagrange-multipliers": LagrangeMultipliers,
    "schur-complement": SchurComplement,
    "braun-goldfarb": BraunGoldfarb,
    "braun-goldfarb-per-stage": BraunGoldfarbPerStage,
    "braun-goldfarb-velocity": BraunGoldfarbVelocity,
    "baumgarte": Baumgarte,
    "baumgarte-velocity": BaumgarteVelocity,
    "velocity-splitting": VelocitySplitting,
    "projection": Projection,
    "aghili": Aghili,
    "post-stabilisation": PostStabilisation,
    "compliant": Compliant,
    "penalty": Penalty,
    "partitioning": Partitioning,
    "augmented-lagrangian": AugmentedLagrangian,
    "index-two": IndexTwo,
    "rattle": Rattle,
    "contact-impulse": ContactImpulse,
}
"""Every method by the name the command line uses."""

__all__ = ["METHODS", "Method", *sorted(cls.__name__ for cls in METHODS.values())]
