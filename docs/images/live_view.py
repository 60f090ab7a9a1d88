"""Takes the pictures of docs/how-to/live-view.md: robots of the catalog, light and dark.

Run: python docs/images/live_view.py [names]      (needs viser, playwright and a Chromium)
"""

from __future__ import annotations

import sys
import time
from typing import Any

import dalembert as dl
from browser import PATIENCE, browser, keep

# name: (model, moment shown, colours of the system, folders to open or close)
PICTURES: dict[str, tuple[str, float, str, tuple[str, ...]]] = {
    "live-view": ("quadruped", 1.2, "light", ()),
    "live-view-dark": ("falling-humanoid", 0.9, "dark", ("Targets of actuators",)),
}


def settled(condition: Any, seconds: float = 120.0) -> None:
    """Until it is so; the machine may be slow."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.1)


def main() -> None:
    """Open the live view of each, let it go on to its moment, take its picture."""
    with browser() as chromium:
        for name in sys.argv[1:] or list(PICTURES):
            model, moment, scheme, folders = PICTURES[name]
            live = dl.view(
                dl.catalog.load(model), play=False, fps=5, open_browser=False, block=False
            )
            size = {"width": 1100, "height": 680}
            tab = chromium.new_page(viewport=size, color_scheme=scheme)
            tab.set_default_timeout(PATIENCE)
            tab.goto(live.url)
            settled(lambda live=live, scheme=scheme: live.gate.scheme == scheme)
            live.steering.ask(lambda session, moment=moment: session.advance(moment))
            settled(lambda live=live, moment=moment: live.session.t >= 0.99 * moment)
            for folder in folders:
                tab.get_by_text(folder, exact=True).first.evaluate("title => title.click()")
            said = tab.locator(".mantine-Notification-closeButton")  # of software rendering
            for k in range(said.count()):
                said.nth(k).evaluate("button => button.click()")
            tab.wait_for_timeout(6000)
            keep(tab, name)
            live.stop()


main()
