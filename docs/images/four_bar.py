"""Draws four-bar.png of the README: one turn of the two four-bar linkages.

Run: python docs/images/four_bar.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

import dalembert as dl

PATH = Path(__file__).with_name("four-bar.png")
DARK = "#222222"

solution = dl.simulate(dl.catalog.load("four-bars"), until=2.0, step=1e-3)
axes = dl.plot(solution, "stroboscope", frames=41)
figure = axes.figure
for bar in figure.axes[1:]:
    bar.remove()

# The singular positions: all five bars in one line, y = 0.
flat = np.flatnonzero(np.diff(np.sign(solution["y1"])))
for sample, end, side in zip(flat, (3.0, -1.0), ("right", "left"), strict=True):
    for i in (1, 2, 3):
        tip = solution[f"x{i}"][sample]
        axes.plot([i - 1, tip], [0, 0], color=DARK, linewidth=2.6, zorder=3)
        axes.plot(tip, 0, "o", color="white", markeredgecolor=DARK, markersize=5.5, zorder=6)
    axes.annotate(
        f"singular at {solution.t[sample]:.2f} s:\nall bars in one line",
        (end, 0.03),
        (end + (0.4 if end > 0 else -0.4), 0.8),
        ha=side,
        fontsize=9.5,
        color=DARK,
        arrowprops={
            "arrowstyle": "-",
            "color": DARK,
            "linewidth": 0.8,
            "relpos": (0.9 if end > 0 else 0.1, 0),
        },
    )
axes.set_axis_off()
axes.set_title("", loc="left")
axes.margins(0.03)
axes.set_xlim(-1.42, 3.42)
figure.set_size_inches(8.6, 3.9)
figure.savefig(PATH, dpi=120)
# 128 colours are enough for lines and make the file a third of its size.
Image.open(PATH).convert("RGB").quantize(128).save(PATH, optimize=True)
