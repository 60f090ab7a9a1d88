"""Small pictures of the gallery: every example is run, and its last run or comparison drawn.

python docs/images/gallery.py [names]; pictures are committed.
"""

import contextlib
import io
import os
import runpy
import sys
import tempfile
import warnings
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
import matplotlib.pyplot as plt

import dalembert as dl

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
SIZE, DPI = (3.2, 2.2), 100


def runs_of(path):
    """Solutions of an example, in order."""
    found, simulate = [], dl.simulate

    def watched(*args, **options):
        found.append(simulate(*args, **options))
        return found[-1]

    dl.simulate = watched
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            runpy.run_path(str(path), run_name="__main__")
    finally:
        dl.simulate = simulate
    return found


def draw(solution, path):
    """Draw how it moves, or where nothing can be drawn its coordinates over time."""
    model = solution.model
    figure, axes = plt.subplots(figsize=SIZE)
    if model.shapes or model.lines or model.bodies:
        plt.close(figure)
        axes = dl.plot(solution, "stroboscope", frames=7)
        figure = axes.figure
        figure.set_size_inches(*SIZE)
        axes.set_axis_off()
        axes.set_title("")
        for legend in filter(None, [axes.get_legend()]):
            legend.remove()
    else:
        moving = np.ptp(solution.q, axis=0).argsort()[::-1][:3]
        axes.plot(solution.t, solution.q[:, moving])
        axes.set_xlabel("t [s]")
        figure.tight_layout()
    figure.savefig(path, dpi=DPI)
    plt.close("all")


def main(names):
    """Draw those examples, or all."""
    (HERE / "gallery").mkdir(exist_ok=True)
    files = sorted((EXAMPLES / "museum").glob("[0-9]*.py")) + sorted(EXAMPLES.glob("*.py"))
    for path in files:
        if names and path.stem not in names:
            continue
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            try:
                found = runs_of(path)
                if found:
                    longest = max(found, key=lambda run: len(run.t))
                    draw(longest, HERE / "gallery" / f"{path.stem}.png")
            except Exception as problem:
                sys.stderr.write(f"{path.stem}: {type(problem).__name__}: {problem}\n"[:200])


if __name__ == "__main__":
    os.environ.setdefault("MPLBACKEND", "Agg")
    main(sys.argv[1:])
