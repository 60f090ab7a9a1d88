"""A Chromium for the scripts that take pictures of pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
)
"""WebGL without a graphics card."""

PATIENCE = 240_000
"""Milliseconds: pictures take long without a graphics card."""


@contextmanager
def browser() -> Iterator[Any]:
    """The system's Chromium."""
    path = next(found for name in NAMES if (found := shutil.which(name)))
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield opened
        finally:
            opened.close()


def keep(tab: Any, name: str, *, close: bool = True, fewer: bool = True) -> None:
    """The picture of a tab as docs/images/<name>.png; text is small enough with all colours."""
    target = FOLDER / f"{name}.png"
    tab.screenshot(path=target, timeout=PATIENCE)
    if close:
        tab.goto("about:blank")  # what it draws must not keep the browser from closing it
        tab.close()
    if not fewer:
        return
    # 256 colours are enough for flat shading, and a fifth of the size.
    picture = Image.open(target).convert("RGB")
    picture.quantize(256, dither=Image.Dither.NONE).save(target, optimize=True)
