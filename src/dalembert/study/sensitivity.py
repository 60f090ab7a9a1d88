"""Sobol's indices of a study: which part of the variance of a column is due to which axis.

The design "saltelli" has the rows that the estimators of Saltelli et al. (2010) need; SciPy's
`scipy.stats.sobol_indices` has the estimators, and intervals of confidence by bootstrap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.table import text_table
from dalembert.errors import OptionError

Array = NDArray[np.float64]

RESAMPLES = 999


@dataclass(frozen=True)
class Sensitivity:
    """Sobol's indices of one column.

    Attributes
    ----------
    names : of the axes
    first : (axes,)         part of the variance that is due to the axis alone
    total : (axes,)         part that would remain if all others were known
    first_range, total_range : (axes, 2)    intervals of confidence
    """

    names: tuple[str, ...]
    first: Array
    total: Array
    first_range: Array
    total_range: Array

    def __str__(self) -> str:
        rows = [
            [
                name,
                f"{self.first[i]:.3f}",
                "{:.3f} to {:.3f}".format(*self.first_range[i]),
                f"{self.total[i]:.3f}",
                "{:.3f} to {:.3f}".format(*self.total_range[i]),
            ]
            for i, name in enumerate(self.names)
        ]
        return text_table(["", "first", "", "total", ""], rows)


def sensitivity(study: Any, column: str, confidence: float) -> Sensitivity:
    """Indices of a column of a complete study with the design "saltelli"."""
    if study.design != "saltelli":
        raise OptionError(
            f"study.sensitivity: the design is {study.design!r}. Sobol's indices need"
            " design='saltelli', with count a power of two."
        )
    if not study.is_complete:
        raise OptionError(
            f"study.sensitivity: {len(study)} of {study.count} rows are done. Go on with"
            " dl.resume_study first."
        )
    if column not in study.columns or study[column].ndim != 1:
        raise OptionError(
            f"study.sensitivity: {column!r} is no recorded number. There are"
            f" {', '.join(study.columns)}."
        )
    if not 0.0 < confidence < 1.0:
        raise OptionError(
            f"study.sensitivity: confidence is {confidence!r}. Give for example 0.95."
        )
    values = study[column]
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise OptionError(
            f"study.sensitivity: {column!r} is no number in {len(bad)} rows, the first is row"
            f" {bad[0]} ({study['error'][bad[0]]:.100}). Take ranges in which all rows succeed."
        )
    return indices(study.names, values, confidence)


def indices(names: tuple[str, ...], values: Any, confidence: float = 0.95) -> Sensitivity:
    """Indices from values in the order of the design: A, B, then A with each column of B."""
    from scipy.stats import sobol_indices

    width = len(names)
    blocks = np.asarray(values, dtype=float).reshape(width + 2, 1, -1)
    if np.ptp(blocks) == 0.0:
        zero, ends = np.zeros(width), np.zeros((width, 2))
        return Sensitivity(names, zero, zero, ends, ends)  # nothing varies
    # the estimators want a mean near zero: the variance is that of differences
    blocks = blocks - blocks[:2].mean()
    found = sobol_indices(
        func={"f_A": blocks[0], "f_B": blocks[1], "f_AB": blocks[2:]},
        n=blocks.shape[2],
        rng=np.random.default_rng(0),
    )
    sure = found.bootstrap(confidence_level=confidence, n_resamples=RESAMPLES)

    def pair(part: Any) -> Array:
        ends = part.confidence_interval
        return np.stack([np.ravel(ends.low), np.ravel(ends.high)], axis=1)

    return Sensitivity(
        names,
        np.ravel(found.first_order),
        np.ravel(found.total_order),
        pair(sure.first_order),
        pair(sure.total_order),
    )
