"""The front page: what it is, runs that play, and where to go."""

from __future__ import annotations

from pathlib import Path

import dalembert as dl

RUNS = {  # catalog model, options, until, step
    "two four-bars": ("four-bars", {}, 4.0, 5e-3),
    "a walking leg": ("jansen-leg", {}, 4.2, 1e-2),
    "a gripper lifts a box": ("gripper-with-box", {}, 2.0, 1e-3),
    "a humanoid falls": ("falling-humanoid", {}, 2.0, 2e-3),
}
OPEN, CLOSED = '<div id="app">', '<div id="app" class="closed">'
"""Frames of the front page have no room for curves; a click opens them."""
WORDS = Path(__file__).parent / "front.txt"


def write(folder: Path, extra: Path, trees: dict[str, list[str]]) -> None:
    """Write the page, and the runs into the folder that is copied as it is."""
    frames = []
    for k, (words, (name, options, until, step)) in enumerate(RUNS.items()):
        run = dl.simulate(dl.catalog.load(name, **options), until=until, step=step)
        assert run.verdict.is_good, f"{words}: {run.verdict}"
        page = dl.save_html(run, extra / f"run{k}.html", title=words)
        page.write_text(page.read_text().replace(OPEN, CLOSED))
        frames.append(f'<iframe src="run{k}.html" title="{words}" loading="lazy"></iframe>')
    text = WORDS.read_text().replace("FRAMES", "\n".join(frames))
    for caption, names in trees.items():
        listed = "\n".join(names)
        text += f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n\n"
    (folder / "index.md").write_text(text)
