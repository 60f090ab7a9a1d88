"""Takes the picture of docs/how-to/page-that-simulates.md: a bar pulled in a page that simulates.

Run: python docs/images/model_page.py      (needs playwright and a Chromium)
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import dalembert as dl
from browser import browser, keep

DESKTOP = {"width": 1100, "height": 640}


def main() -> None:
    """Write the page, go on, take hold of the coupler, take the picture."""
    with browser() as chromium, tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        model = dl.catalog.load("four-bar-3d")
        dl.save_html(model, page, live=True, step=1e-3, theme="light", play=False)
        tab = chromium.new_page(viewport=DESKTOP)
        tab.goto(page.as_uri())
        tab.evaluate("async () => { await dalembert.ready }")
        place = (
            "() => { for (let k = 0; k < 72; k++) dalembert.app.clock.drive(1 / 60, Infinity);"
            " dalembert.app.draw();"
            " const [x, y] = dalembert.project(dalembert.bodyPosition('coupler'));"
            " const box = document.getElementById('picture').getBoundingClientRect();"
            " return [box.left + x, box.top + y] }"
        )
        x, y = tab.evaluate(place)
        tab.mouse.move(x, y)
        tab.mouse.down()
        tab.mouse.move(x + 110, y - 60, steps=4)
        tab.evaluate(
            "() => { dalembert.pause();"
            " for (let k = 0; k < 12; k++) dalembert.app.clock.drive(1 / 60, Infinity);"
            " dalembert.app.changed(); dalembert.app.plots.renew(); dalembert.app.draw() }"
        )
        keep(tab, "model-page")


if __name__ == "__main__":
    main()
