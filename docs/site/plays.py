"""Pages that replay the examples, and lessons whose models run: made when the site is built.

What was made is kept in build/plays by the example's text and the package's sources, so that only
what has changed is run again.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
import sys
import tempfile
from pathlib import Path

from stage import DOCS, REPOSITORY

import dalembert as dl
from dalembert._translate.cache import source_hash

sys.path.insert(0, str(DOCS / "images"))
from gallery import longest, runs_of

KEPT = REPOSITORY / "build" / "plays"
FEW = ("pendulum", "latch", "dominoes_fall", "10_box_on_a_slope", "singular-positions")
"""Examples that are replayed where the site is built for a test, and a lesson that is taught."""


def write(extra: Path, files: list[Path], few: bool) -> set[str]:
    """Write the pages of examples and lessons; their names."""
    (extra / "plays").mkdir()
    made = set()
    for file in files:
        if file.suffix == ".py" and (not few or file.stem in FEW):
            page = kept(file, replayed)
            if page is not None:
                shutil.copy(page, extra / "plays" / f"{file.stem}.html")
                made.add(file.stem)
    for file in sorted((DOCS / "lessons").glob("*.md")):
        page = kept(file, taught) if not few or file.stem in FEW else None
        if page is not None:
            shutil.copy(page, extra / "plays" / f"lesson-{file.stem}.html")
            made.add(f"lesson-{file.stem}")
    return made


def kept(file: Path, make: object) -> Path | None:
    """The page of a file, made where it is not there yet; None where there is nothing to show."""
    told = b"".join(each.read_bytes() for each in chapters(file))
    digest = hashlib.sha256(told + str(source_hash()).encode()).hexdigest()[:20]
    page = KEPT / f"{file.stem}-{digest}.html"
    if not page.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        for old in KEPT.glob(f"{file.stem}-{'?' * 20}.html"):
            old.unlink()
        make(file, page)  # type: ignore[operator]
        if not page.exists():
            page.write_text("")  # nothing to show: it need not be run again
    return page if page.stat().st_size else None


def replayed(file: Path, page: Path) -> None:
    """Run an example and write the page of its longest run."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        run = longest(runs_of(file))
    if run is not None and len(run.t) > 2:
        dl.save_html(run, page)


def taught(file: Path, page: Path) -> None:
    """A lesson as one page in which its models run; those it leads to are further chapters."""
    dl.lesson(chapters(file), page)


def chapters(first: Path) -> list[Path]:
    """A lesson and all lessons that links lead to from it."""
    found, new = [], [first]
    while new:
        found.append(new.pop(0))
        led = re.findall(r"\]\(([\w-]+\.md)", found[-1].read_text())
        new += [first.parent / name for name in led if first.parent / name not in [*found, *new]]
    return found
