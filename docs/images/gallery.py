"""Small pictures of the gallery: every example is run, and its longest run drawn.

python docs/images/gallery.py [--page] [names]; pictures are committed. With --page it is that of
the page that plays the run, which shows scenes on a floor better (needs a Chromium).
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


def longest(found):
    """The run with the most samples, of those that can be shown; None where there is none."""
    shown = [run for run in found if hasattr(run, "t") and hasattr(run, "model")]
    return max(shown, key=lambda run: len(run.t), default=None)


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


def draw_page(solution, path):
    """Take the picture of the page of a run, a third through it."""
    from PIL import Image

    from browser import PATIENCE, browser

    with browser() as chromium, tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "run.html"
        dl.save_html(solution, page, theme="light", view="iso", play=False)
        tab = chromium.new_page(viewport={"width": 900, "height": 640})
        tab.goto(page.as_uri())
        tab.evaluate("async () => { await dalembert.ready }")
        tab.evaluate("moment => dalembert.setTime(moment)", float(solution.t[-1]) / 3)
        tab.wait_for_timeout(500)
        tab.locator("#picture").screenshot(path=path, timeout=PATIENCE)
        tab.goto("about:blank")
    picture = Image.open(path).convert("RGB")
    picture.thumbnail((320, 240))
    picture.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def main(names):
    """Draw those examples, or all."""
    drawn = draw_page if "--page" in names else draw
    names = [name for name in names if name != "--page"]
    (HERE / "gallery").mkdir(exist_ok=True)
    files = sorted((EXAMPLES / "museum").glob("[0-9]*.py")) + sorted(EXAMPLES.glob("*.py"))
    for path in files:
        if names and path.stem not in names:
            continue
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            try:
                run = longest(runs_of(path))
                if run is not None:
                    drawn(run, HERE / "gallery" / f"{path.stem}.png")
            except Exception as problem:
                sys.stderr.write(f"{path.stem}: {type(problem).__name__}: {problem}\n"[:200])


if __name__ == "__main__":
    os.environ.setdefault("MPLBACKEND", "Agg")
    main(sys.argv[1:])
