"""Takes the pictures of docs/how-to/notebook.md: a notebook of JupyterLab, cell by cell.

Run: python docs/images/notebook.py [PYTHON]      (needs playwright and a Chromium; PYTHON, by
default this one, has JupyterLab, and its kernel imports dalembert)
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from browser import FOLDER, PATIENCE, browser, keep

PORT = 8899
PAGE = FOLDER.parent / "how-to" / "notebook.md"

# name: (first cell, height of the window)
PICTURES = {
    "notebook-equations": (0, 700),
    "notebook-solution": (2, 1190),
    "notebook-figures": (3, 960),
}


def cells() -> list[str]:
    """The Python blocks of the page."""
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)


def written(folder: Path, some: list[str]) -> str:
    """A notebook of these cells; its name."""
    made = [
        {
            "cell_type": "code",
            "id": f"cell-{k}",
            "metadata": {},
            "source": text.strip(),
            "outputs": [],
            "execution_count": None,
        }
        for k, text in enumerate(some)
    ]
    kernel = {"name": "python3", "display_name": "Python 3"}
    about = {"kernelspec": kernel, "language_info": {"name": "python"}}
    book = {"cells": made, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    (folder / "pendulum.ipynb").write_text(json.dumps(book))
    return "pendulum.ipynb"


def main() -> None:
    """Serve, run all cells, take the pictures."""
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    with tempfile.TemporaryDirectory() as place, browser() as chromium:
        folder = Path(place)
        name = written(folder, cells())
        address = f"http://127.0.0.1:{PORT}"
        options = ["--no-browser", f"--port={PORT}", "--allow-root", "--IdentityProvider.token="]
        with (folder / "log").open("w") as log:
            server = subprocess.Popen(
                [python, "-m", "jupyterlab", *options], cwd=folder, stdout=log, stderr=log
            )
        try:
            for _ in range(300):
                try:
                    urllib.request.urlopen(f"{address}/api").close()
                    break
                except OSError:
                    time.sleep(0.2)
            tab = chromium.new_page(viewport={"width": 980, "height": 800})
            tab.set_default_timeout(PATIENCE)
            tab.goto(f"{address}/lab/tree/{name}?reset")
            tab.wait_for_selector(".jp-Cell")
            tab.get_by_text("| Idle").wait_for()  # the kernel: before, cells asked for are not run
            tab.keyboard.press("Control+b")  # the sidebar goes
            tab.get_by_text("Run", exact=True).first.click()
            tab.get_by_text("Run All Cells", exact=True).click()
            shown = tab.locator(".jp-Cell")
            shown.last.locator(".jp-OutputArea-output").first.wait_for()
            tab.get_by_role("button", name="No", exact=True).click()  # no news, thank you
            for picture, (first, height) in PICTURES.items():
                tab.set_viewport_size({"width": 980, "height": height})
                tab.mouse.move(5, 5)
                shown.nth(first).evaluate("cell => cell.scrollIntoView()")
                tab.wait_for_timeout(8_000)
                keep(tab, picture, close=False, fewer=False)
            tab.close()
        finally:
            server.terminate()
            server.wait(timeout=30)


main()
