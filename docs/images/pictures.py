"""Pictures of docs/how-to/shapes-and-pictures.md."""

from pathlib import Path

import dalembert as dl

HERE = Path(__file__).parent

four_bar = dl.simulate(dl.catalog.load("four-bar-3d"), until=1.7, step=1e-2)
dl.animate(four_bar, HERE / "sheet-four-bar.png", frames=6, size=(900, 420))
top = dl.simulate(dl.catalog.load("heavy-top"), until=1.0, step=1e-3)
axes = dl.plot(top, "stroboscope", frames=9)
axes.figure.savefig(HERE / "stroboscope-top.png", dpi=90)
