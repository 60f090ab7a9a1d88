"""The site: staged pages, generated ones, and Sphinx with warnings as errors.

python docs/site/build.py [folder] [--few]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import api_pages
import front
import gallery_pages
import plays
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


def build(out: Path, few: bool = False) -> int:
    """Build the site into a folder, few examples replayed or all; what Sphinx returns."""
    with tempfile.TemporaryDirectory() as place:
        folder, extra = Path(place) / "pages", Path(place) / "extra"
        folder.mkdir()
        extra.mkdir()
        stage(folder)
        api_pages.write(folder)
        played = plays.write(extra, gallery_pages.files(), few)
        gallery_pages.write(folder, played, few)
        link_lessons(folder, played)
        shutil.copytree(folder / "images", extra / "images")
        front.write(folder, extra, trees(folder))
        settings = ["-c", str(Path(__file__).parent), "-D", f"html_extra_path={extra}"]
        quiet = ["-q", "-W", "--keep-going", "-b", "html", "-d", str(Path(place) / "trees")]
        return build_main([*quiet, *settings, str(folder), str(out)])


def link_lessons(folder: Path, played: set[str]) -> None:
    """Let every lesson begin with a link to the page in which its models run."""
    for page in sorted((folder / "lessons").glob("*.md")):
        if f"lesson-{page.stem}" in played:
            heading, _, rest = page.read_text().partition("\n")
            way = f"../plays/lesson-{page.stem}.html"
            link = f'<p><a href="{way}">This lesson with its models running, in one page.</a></p>'
            page.write_text(f"{heading}\n\n{link}\n{rest}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=REPOSITORY / "build" / "site")
    parser.add_argument("--few", action="store_true", help="replay a few examples only")
    given = parser.parse_args()
    shutil.rmtree(given.folder, ignore_errors=True)
    sys.exit(build(given.folder, given.few))
