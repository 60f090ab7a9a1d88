"""Pages that simulate, in Chromium: how soon they open, and what a step and a frame take.

    python benchmarks/pages.py                 the models of decision 0013
    python benchmarks/pages.py arm stack       some
    python benchmarks/pages.py --touching      scenes of contact, with the step that is chosen
    python benchmarks/pages.py --slower 4      Chromium slowed down, as a phone

Each line: size of the page; milliseconds from the end of loading to the first picture; microseconds
a step of 1 ms natively and in Chromium, the least of many looks in the same minute, and their
ratio; milliseconds that the engine takes of a frame, a sixtieth of a second, and at the worst.
Drawing is left out of the last two: there is no graphics card here. A scene is simulated in real
time where its frames take less than a sixtieth of a second, 16.7 ms.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

import dalembert as dl

MODELS = {
    "pendulum": {},
    "four-bar-3d": {},
    "arm": {},
    "chain of 100": {"model": "chain", "count": 100},
    "cassie-leg": {},
    "stack of 10": {"model": "stack", "count": 10},
    "humanoid": {},
    "stewart-platform": {},
    "quadruped": {},
}
TOUCHING = {
    name: {}
    for name in (
        "arch boxes cards chain-on-ground cradle cup dominoes falling-humanoid gripper-with-box"
        " hopper incline painleve-rod pile ratchet rocking-block spinning-coin stack"
        " stick-slip-belt top-on-floor wall"
    ).split()
}
STEP, FRAME = 1e-3, 1.0 / 60.0
LOOKS, LOOK = 40, 3e-3
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

STEPS = """([looks, steps]) => {
  const live = dalembert.live.lives[0];
  let best = Infinity;
  for (let k = 0; k < looks; k++) {
    const began = performance.now();
    live.take(steps);
    best = Math.min(best, (performance.now() - began) / steps * 1e3);
  }
  return best;
}"""
FRAMES = """(seconds) => {
  dalembert.live.asGiven();
  const live = dalembert.live.lives[0], found = [];
  for (let k = 0; k < 120; k++) {
    const began = performance.now();
    live.advance(seconds);
    found.push(performance.now() - began);
  }
  found.sort((a, b) => a - b);
  return [found[60], found[119]];
}"""


def native(model: dl.Model) -> float:
    """Microseconds a step of a run here, the least of many looks."""
    run = dl.Session(model, step=STEP).present.run
    begin = time.perf_counter()
    run.chunk(200)
    steps = max(1, round(LOOK / ((time.perf_counter() - begin) / 200)))
    best = float("inf")
    for _ in range(LOOKS):
        begin = time.perf_counter()
        run.chunk(steps)
        best = min(best, (time.perf_counter() - begin) / steps * 1e6)
    return best


def measured(browser, name: str, folder: Path, slower: float, step: float | None) -> str:
    """One line."""
    options = dict(MODELS.get(name, {}))
    model = dl.catalog.load(options.pop("model", name), **options)
    path = dl.save_html(model, folder / "page.html", live=True, step=step, play=False)
    tab = browser.new_page(viewport={"width": 1000, "height": 640})
    tab.set_default_timeout(300_000)
    if slower > 1.0:
        devtools = tab.context.new_cdp_session(tab)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    opening = []
    for _ in range(5):
        tab.goto(path.as_uri(), wait_until="commit")
        opening.append(
            tab.evaluate(
                "async () => { await new Promise((done) => { if (document.readyState !== 'loading')"
                " done(); else addEventListener('DOMContentLoaded', done) });"
                " await dalembert.ready; return performance.now()"
                " - performance.getEntriesByType('navigation')[0].domInteractive }"
            )
        )
    if step is None:
        own = there = float("nan")
    else:
        own = native(model)
        steps = max(1, round(LOOK / (own * 1e-6)))
        there = min(tab.evaluate(STEPS, [LOOKS, steps]) for _ in range(2))
        own = min(own, native(model))
    frame, worst = tab.evaluate(FRAMES, FRAME)
    tab.goto("about:blank")
    tab.close()
    size = path.stat().st_size / 1e6
    return (
        f"{name:20} {len(model.bodies) or '-':>4} bodies {size:5.2f} MB  opens {min(opening):4.0f}"
        f" ms  {own:7.2f} {there:7.2f} us a step, {there / own:4.2f}  frame {frame:5.2f},"
        f" at worst {worst:5.1f} ms"
    )


def main() -> int:
    """Measure and tell."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(prog="benchmarks/pages.py")
    parser.add_argument("models", nargs="*")
    parser.add_argument("--slower", type=float, default=1.0)
    parser.add_argument("--touching", action="store_true")
    asked = parser.parse_args()
    names = asked.models or list(TOUCHING if asked.touching else MODELS)
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        sys.exit("No Chromium was found.")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for name in names:
            print(
                measured(
                    browser,
                    name,
                    Path(folder),
                    asked.slower,
                    None if asked.touching else STEP,
                ),
                flush=True,
            )
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
