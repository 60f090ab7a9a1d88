"""Takes the pictures of docs/how-to/watch.md and README: runs in the page, on desktop and phone.

Run: python docs/images/player.py [names]      (needs playwright and a Chromium)
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import dalembert as dl
from browser import browser, keep

DESKTOP = {"width": 1100, "height": 640}
PHONE = {"width": 390, "height": 780}


def cart() -> dl.Model:
    """A cart between a wall and a double pendulum, in formulas."""
    s, x1, y1, x2, y2 = dl.coordinates("s x1 y1 x2 y2")
    return dl.Model.from_lagrangian(
        kinetic=s.dot**2 + (x1.dot**2 + y1.dot**2 + x2.dot**2 + y2.dot**2) / 2,
        potential=9.81 * (y1 + y2) + 20.0 * s**2,
        constraints={
            "upper": (x1 - s) ** 2 + y1**2 - 0.64,
            "lower": (x2 - x1) ** 2 + (y2 - y1) ** 2 - 0.64,
        },
        initial={s: 0.2, x1: 1.0, x2: 1.0, y2: -0.8},
        points={"wall": (-1.2, 0.0), "cart": (s, 0.0), "first": (x1, y1), "second": (x2, y2)},
        lines=[("wall", "cart"), ("cart", "first", "second")],
        name="cart",
    )


# name: (model, end, step, moment shown, size of the window, options of the page)
PICTURES: dict[str, tuple[Any, float, Any, float, dict[str, int], dict[str, Any]]] = {
    "four-bar": (("four-bar-3d", {}), 4.0, 1e-3, 0.95, DESKTOP, {"arrows": True}),
    "cart": (cart, 10.0, 2e-3, 4.0, DESKTOP, {}),
    "stack": (("stack", {}), 2.0, None, 0.3, PHONE, {}),
    "humanoid": (("falling-humanoid", {}), 2.5, None, 0.9, DESKTOP, {}),
    "humanoid-phone": (("falling-humanoid", {}), 2.5, None, 0.9, PHONE, {"theme": "dark"}),
    "stewart-platform": (("stewart-platform", {"driven": True}), 4.0, 1e-3, 0.35, DESKTOP, {}),
    "biped": (("biped", {"exercise": 3}), 4.0, 1e-3, 2.0, DESKTOP, {}),
    "towing-tank": (
        ("towing-tank-bodies", {}),
        6.0,
        1e-3,
        0.25,
        DESKTOP,
        {"theme": "dark", "view": "iso"},
    ),
    "chain": (
        ("chain", {"count": 12, "rate": 0.9}),
        10.0,
        1e-3,
        4.4,
        DESKTOP,
        {"trails": ["end12"]},
    ),
}


def main() -> None:
    """Simulate, write the page, take its picture."""
    with browser() as chromium, tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or list(PICTURES):
            given, until, step, moment, size, shown = PICTURES[name]
            model = given() if callable(given) else dl.catalog.load(given[0], **given[1])
            solution = dl.simulate(model, until=until, step=step)
            page = Path(folder) / f"{name}.html"
            dl.save_html(solution, page, **{"theme": "light", **shown})
            density = 1 if size is DESKTOP else 2
            tab = chromium.new_page(viewport=size, device_scale_factor=density, has_touch=True)
            tab.goto(page.as_uri())
            tab.evaluate("async () => { await dalembert.ready }")
            tab.evaluate("moment => dalembert.setTime(moment)", moment)
            tab.wait_for_timeout(500)
            keep(tab, f"player-{name}")


main()
