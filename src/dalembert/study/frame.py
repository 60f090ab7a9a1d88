"""The table of a study as a DataFrame."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from dalembert.errors import OptionError


def frame(table: np.ndarray) -> Any:
    """A DataFrame indexed by id; a recorded series becomes columns x[0], x[1], ..."""
    try:
        pandas = importlib.import_module("pandas")
    except ImportError as problem:
        raise OptionError(
            "study.to_pandas: pandas is not installed. Install dalembert[pandas], or use"
            " study.table, which is a NumPy array."
        ) from problem
    columns: dict[str, Any] = {}
    for name in table.dtype.names or ():
        column = table[name]
        if column.ndim == 2:
            columns |= {f"{name}[{i}]": column[:, i] for i in range(column.shape[1])}
        else:
            columns[name] = column
    made = pandas.DataFrame(columns).set_index("id")
    for name in ("status", "verdict"):
        made[name] = made[name].astype("category")
    return made
