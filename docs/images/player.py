"""Takes the pictures of docs/how-to/watch.md: five mechanisms of the catalog in the page.

Run: python docs/images/player.py [names]      (needs playwright and a Chromium)
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

import dalembert as dl

FOLDER = Path(__file__).parent
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
)

# name: (model, options, end, moment shown, options of the page)
PICTURES: dict[str, tuple[str, dict[str, Any], float, float, dict[str, Any]]] = {
    "four-bar": ("four-bar-3d", {}, 4.0, 0.95, {"arrows": True}),
    "stewart-platform": ("stewart-platform", {"driven": True}, 4.0, 0.35, {}),
    "biped": ("biped", {"exercise": 3}, 4.0, 2.0, {}),
    "towing-tank": ("towing-tank-bodies", {}, 6.0, 0.25, {"theme": "dark", "view": "iso"}),
    "chain": ("chain", {"count": 12, "rate": 0.9}, 10.0, 4.4, {"trails": ["end12"]}),
}


def main() -> None:
    """Simulate, write the page, take its picture."""
    wanted = sys.argv[1:] or list(PICTURES)
    path = next(found for name in NAMES if (found := shutil.which(name)))
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        for name in wanted:
            model, options, until, moment, shown = PICTURES[name]
            solution = dl.simulate(dl.catalog.load(model, **options), until=until, step=1e-3)
            page = Path(folder) / f"{name}.html"
            dl.save_html(solution, page, **{"theme": "light", **shown})
            size = {"width": 1100, "height": 640}
            tab = browser.new_page(viewport=size)
            tab.goto(page.as_uri())
            tab.evaluate("async () => { await dalembert.ready }")
            tab.evaluate("moment => dalembert.setTime(moment)", moment)
            tab.wait_for_timeout(500)
            target = FOLDER / f"player-{name}.png"
            tab.screenshot(path=target)
            tab.close()
            # 256 colours are enough for flat shading, and a fifth of the size.
            picture = Image.open(target).convert("RGB")
            picture.quantize(256, dither=Image.Dither.NONE).save(target, optimize=True)
        browser.close()


main()
