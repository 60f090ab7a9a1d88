"""`load`: whatever a file or folder of this package holds; `load_solution`: a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dalembert.simulation.results import storage
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.rundir import reading


def load(path: str | Path) -> Any:
    """A model from its description, or a solution from a run that was kept.

    Parameters
    ----------
    path : str or Path
        A .yaml, .json, .toml, .urdf or MJCF .xml file gives a `Model`; a .npz file or a run
        folder, finished or not, gives a `Solution`.

    Returns
    -------
    Model or Solution

    Raises
    ------
    ImportFileError     a model file that cannot be read; with line and nearest known name
    FileError           a saved run that cannot be read, or is none

    Examples
    --------
    >>> import tempfile
    >>> import dalembert as dl
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = Path(folder) / "swing"
    ...     _ = dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-2, save=run)
    ...     load(run)
    Solution('pendulum', 0 to 1 s, 101 samples, OK)
    """
    place = Path(path)
    if place.is_dir() or place.suffix.lower() in (".npz", ".new", ""):
        return load_solution(place)
    if place.suffix.lower() == ".urdf":
        from dalembert.importers.urdf.load import load_urdf

        return load_urdf(path)
    if place.suffix.lower() in (".mjcf", ".xml"):
        from dalembert.importers.readers import read
        from dalembert.importers.urdf.load import tell

        found = read(place)
        tell(path, found.losses)
        return found.model
    from dalembert.importers.native import load as load_model

    return load_model(path)


def load_solution(path: str | Path) -> Solution:
    """Read a run saved by `Solution.save` or kept in a folder, finished or not.

    Examples
    --------
    >>> import dalembert as dl
    >>> solution = dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-3)
    >>> path = solution.save("run.npz")
    >>> load_solution(path)
    Solution('pendulum', 0 to 1 s, 1001 samples, OK)
    """
    return reading.load(path) if Path(path).is_dir() else storage.load(path)
