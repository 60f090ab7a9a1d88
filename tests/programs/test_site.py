"""The site builds without a warning; its links lead somewhere and its search finds things."""

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

pytest.importorskip("sphinx")
pytest.importorskip("furo")
stemmer = pytest.importorskip("snowballstemmer").stemmer
REPOSITORY = Path(__file__).parents[2]
ASKED = {  # what people ask for, and the page it has to lead to among the others
    "redundant": "how-to/singular-and-redundant",
    "friction": "how-to/contact",
    "urdf": "how-to/robots",
    "baumgarte": "theory/methods",
    "gradient": "how-to/gradients",
    "quaternion": "theory/equations",
    "fmu": "how-to/export",
    "ratchet": "museum/index",
    "stewart": "reference/catalog",
    "mujoco": "coming-from/mujoco",
}


@pytest.mark.share(4)
@pytest.mark.slow
def test_site(tmp_path):
    """One test, so that it is built once, however many processes share the tests."""
    program = REPOSITORY / "docs" / "site" / "build.py"
    command = [sys.executable, str(program), str(tmp_path), "--few"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY)
    assert done.returncode == 0, done.stderr[-3000:]
    check_links(tmp_path)
    check_that_nothing_is_fetched(tmp_path)
    check_search(tmp_path)
    check_gallery(tmp_path)


def own(site):
    """Pages of Sphinx; those that play are one program each."""
    played = ("plays", "_static")
    pages = (page for page in site.rglob("*.html") if not page.name.startswith("run"))
    return [page for page in pages if page.relative_to(site).parts[0] not in played]


def check_links(site):
    anchors = {}
    broken = []
    pages = own(site)
    for page in pages:
        anchors[page.resolve()] = set(re.findall(r'\bid="([^"]+)"', page.read_text()))
    for page in pages:
        for target in re.findall(r'(?:href|src)="([^"]+)"', page.read_text()):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, fragment = unquote(target).partition("#")
            file = (page.parent / path.split("?")[0]).resolve() if path else page.resolve()
            if not file.exists() or (fragment and fragment not in anchors.get(file, {fragment})):
                broken.append(f"{page.relative_to(site)}: {target}")
    assert broken == []
    assert len(pages) > 150


def check_that_nothing_is_fetched(site):
    for page in own(site):
        assert not re.search(
            r'<(?:script|link|img|iframe)[^>]+(?:src|href)="https?:', page.read_text()
        )


def check_search(site):
    text = (site / "searchindex.js").read_text()
    index = json.loads(text[text.index("(") + 1 : text.rindex(")")])
    stem = stemmer("porter").stemWord
    for word, page in ASKED.items():
        found = []
        for kind in ("terms", "titleterms"):
            hits = index[kind].get(stem(word), [])
            found += [index["docnames"][k] for k in (hits if isinstance(hits, list) else [hits])]
        assert page in found, word


def check_gallery(site):
    gallery = (site / "gallery.html").read_text()
    assert gallery.count('class="card"') >= 50
    for heading in ("Contact", "Robots and trees", "Control", "Events", "Many runs"):
        assert f"<h2>{heading}<" in gallery
    page = (site / "examples" / "dominoes_fall_py.html").read_text()
    assert 'src="../plays/dominoes_fall.html"' in page
    assert "<canvas" in (site / "plays" / "dominoes_fall.html").read_text()
