"""The site: staged pages, generated ones, and Sphinx with warnings as errors.

python docs/site/build.py [folder]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import api_pages
import front
import gallery_pages
from sphinx.cmd.build import build_main
from stage import REPOSITORY, stage

ORDER = {
    "Learn": ["readme", "tutorial/*", "lessons/*", "gallery"],
    "Coming from": ["coming-from/*"],
    "Do": ["map", "how-to/*"],
    "Look up": ["reference/*", "api/*"],
    "Understand": ["theory/*", "decisions/*"],
    "Prove": ["museum/*", "benchmarks", "benchmark-results"],
    "Project": ["contributing", "changelog", "security", "conduct"],
}


def trees(folder: Path) -> dict[str, list[str]]:
    """Pages by captions of the navigation."""
    found: dict[str, list[str]] = {}
    for caption, patterns in ORDER.items():
        names = [page for pattern in patterns for page in sorted(folder.glob(f"{pattern}.md"))]
        found[caption] = [str(page.relative_to(folder).with_suffix("")) for page in names]
    return found


def build(out: Path) -> int:
    """Build the site into a folder; what Sphinx returns."""
    with tempfile.TemporaryDirectory() as place:
        folder, extra = Path(place) / "pages", Path(place) / "extra"
        folder.mkdir()
        extra.mkdir()
        stage(folder)
        api_pages.write(folder)
        gallery_pages.write(folder)
        shutil.copytree(folder / "images", extra / "images")
        front.write(folder, extra, trees(folder))
        settings = ["-c", str(Path(__file__).parent), "-D", f"html_extra_path={extra}"]
        quiet = ["-q", "-W", "--keep-going", "-b", "html", "-d", str(Path(place) / "trees")]
        return build_main([*quiet, *settings, str(folder), str(out)])


if __name__ == "__main__":
    goal = Path(sys.argv[1]) if len(sys.argv) > 1 else REPOSITORY / "build" / "site"
    shutil.rmtree(goal, ignore_errors=True)
    sys.exit(build(goal))
