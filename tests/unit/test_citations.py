"""Sections that source files cite exist in `docs/theory`.

A citation is the name of a page and the number of one of its sections, "methods 4.5", "contact 16",
"errata C2"; several of one page are parted by commas.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
THEORY = ROOT / "docs" / "theory"
PAGES = sorted(page.stem for page in THEORY.glob("*.md"))
NUMBER = r"(?:[A-E])?\d+(?:\.\d+)?"
CITED = re.compile(rf"\b({'|'.join(PAGES)}) ({NUMBER}(?:, {NUMBER})*)")
ELSEWHERE = re.compile(r"\b(?:physics|contact|design|stack|problems)\.md\b|\bphysics \d")
SOURCES = sorted((ROOT / "src").rglob("*.py"))


def sections(page):
    """Numbers of the headings of a page."""
    text = (THEORY / f"{page}.md").read_text(encoding="utf-8")
    return set(re.findall(rf"^#+ ({NUMBER})[. ]", text, flags=re.MULTILINE))


SECTIONS = {page: sections(page) for page in PAGES}


def citations(text):
    """(page, number) of everything that is cited; line breaks do not part a citation."""
    for page, numbers in CITED.findall(re.sub(r"\s*\n\s*#?\s*", " ", text)):
        yield from ((page, number) for number in numbers.split(", "))


def test_what_is_cited_exists():
    missing = [
        f"{path.relative_to(ROOT)}: {page} {number}"
        for path in SOURCES
        for page, number in citations(path.read_text(encoding="utf-8"))
        if SECTIONS[page] and number not in SECTIONS[page]
    ]
    assert missing == []


def test_methods_and_the_step_of_contact_cite_their_equations():
    """Every method, the solve, the projection and the step: a reader finds the page."""
    texts = {p: p.read_text(encoding="utf-8") for p in SOURCES}
    wanted = [
        p for p, text in texts.items() if "Method):" in text and p.parent.name == "enforcement"
    ]
    assert len(wanted) > 10
    kernels = ("contact/step/step.py", "mechanics/projection.py", "mechanics/dense.py")
    wanted += [ROOT / "src/dalembert" / name for name in kernels]
    silent = [path.name for path in wanted if not list(citations(texts[path]))]
    assert silent == []


def test_nothing_outside_the_repository_is_cited():
    found = {p.name: ELSEWHERE.findall(p.read_text(encoding="utf-8")) for p in SOURCES}
    assert {name: cited for name, cited in found.items() if cited} == {}
