"""All series of a solution by name, as arrays or as a DataFrame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.model.basics.by_name import formula_of, frame_names, joint_names
from dalembert.simulation.results import sensing, signals

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]


def columns(solution: Solution) -> dict[str, Array]:
    """Every series by name."""
    found: dict[str, Array] = {"t": solution.t}
    for names, block in (
        (solution.coordinate_names, solution.q),
        (solution.velocity_names, solution.v),
        (solution.acceleration_names, solution.a),
    ):
        found |= zip(names, block.T, strict=True)
    blocks = {"lam": solution.lam, "phi": solution.phi, "phi_dot": solution.phi_dot}
    for label, block in blocks.items():
        for i in range(block.shape[1]):
            found[f"{label}[{solution.row_names[i]}]"] = block[:, i]
    found["kinetic"] = solution.kinetic
    if solution.potential is not None:
        found["potential"] = solution.potential
    return found | _by_name(solution) | sensing.columns(solution)


def _by_name(solution: Solution) -> dict[str, Array]:
    """Frames of bodies and coordinates of joints, with the rates of these."""
    model = solution.model
    if not model.is_maximal:
        return {}
    names = list(frame_names(model))
    for name in joint_names(model):
        names += [name, f"{name}.dot"]
    formulas = [formula_of(model, name) for name in names]
    return dict(zip(names, signals.formulas(solution, formulas), strict=True))


def frame(solution: Solution) -> Any:
    """The columns as a DataFrame indexed by time."""
    try:
        import pandas as pd
    except ImportError as problem:
        raise OptionError(
            "to_pandas needs pandas, which is not installed."
            " Install it (pip install pandas), or use to_numpy()."
        ) from problem
    return pd.DataFrame(solution.to_numpy()).set_index("t")
