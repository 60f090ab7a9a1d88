"""Lessons: Markdown, mathematics and models in one file, and what is refused."""

import base64
import re

import pytest

import dalembert as dl
from dalembert.errors import DalembertError, OptionError
from dalembert.viewer.lesson_text import Chapter

pytest.importorskip("latex2mathml")

PENDULUM = "~~~dalembert\nmodel: pendulum\nstep: 0.01\n~~~\n"
DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def shown(text, folder=None, others=()):
    chapter = Chapter(text, "text.md", folder, "chapter-1")
    return chapter.html(lambda *_: "MODEL", [chapter, *others])


def test_mathematics_becomes_mathml():
    made = shown("Rod $\\varphi = x^2$ and\n\n$$\\ddot\\varphi = 0$$\n")
    assert made.count("<math") == 2
    assert 'display="block"' in made
    assert "$" not in made


@pytest.mark.parametrize("formula", ["\\nosuch{x}", "\\left( x"])
def test_a_formula_that_cannot_be_read_is_told(formula):
    with pytest.raises(OptionError, match=r"text\.md: .*formula") as told:
        shown(f"Here ${formula}$")
    assert formula in str(told.value).replace("\\\\", "\\")


def test_html_is_shown_as_text_and_scripts_lead_nowhere():
    made = shown("<script>alert(1)</script>\n\n<img src=x onerror=alert(2)>\n\n[a](javascript:x)")
    assert "<script" not in made
    assert "<img" not in made
    assert "href" not in made


@pytest.mark.parametrize(
    "formula",
    [
        "\\text{<script>alert(1)</script>}",
        "\\text{&lt;script&gt;}",
        "\\href{javascript:alert(1)}{x}",
        "a < b",
    ],
)
def test_formulas_cannot_leave_their_places(formula):
    made = shown(f"Here ${formula}$.")
    tags = set(re.findall(r"</?([a-z]+)", made))
    assert tags <= {"p", "span", "math", "mrow", "mtext", "mi", "mo"}
    assert "href" not in made


def test_pictures_travel(tmp_path):
    (tmp_path / "dot.png").write_bytes(DOT)
    made = shown("![a dot](dot.png)", tmp_path)
    assert f"data:image/png;base64,{base64.b64encode(DOT).decode()}" in made


@pytest.mark.parametrize("source", ["https://example.org/a.png", "missing.png", "page.html"])
def test_pictures_from_elsewhere_are_refused(source, tmp_path):
    with pytest.raises(OptionError, match=r"text\.md, line 3: .* is not a picture beside the text"):
        shown(f"# A\n\n![x]({source})", tmp_path)


def test_links_lead_to_chapters_or_to_an_address():
    other = Chapter("# B", "b.md", None, "chapter-2")
    text = "# A\n\n## Next part\n\n[b](b.md) [c](b.md#d) [e](#next-part) [f](https://example.org)"
    made = shown(text, others=[other])
    found = re.findall(r'href="([^"]+)"', made)
    assert found == ["#chapter-2", "#chapter-2-d", "#chapter-1-next-part", "https://example.org"]
    assert 'id="chapter-1-next-part"' in made
    with pytest.raises(OptionError, match=r"line 1: the link to 'c\.md' leads out of the lesson"):
        shown("[c](c.md)")


def test_models_share_the_player_and_their_kernels(tmp_path):
    source = tmp_path / "two.md"
    source.write_text(f"# Two\n\n{PENDULUM}\n~~~dalembert\nmodel: mine\nstep: 0.01\n~~~\n")
    longer = dl.catalog.load("pendulum").with_parameters(l=2.0)
    path = dl.lesson(source, tmp_path / "two.html", models={"mine": longer})
    text = path.read_text()
    assert text.count('id="player"') == 1
    assert len(re.findall(r'id="kernels-\d+"', text)) == 1
    assert len(re.findall(r'id="engine-\d+-0"', text)) == 2
    assert text.count("<iframe") == 2
    assert path.stat().st_size < 800_000
    assert "unsafe-inline'" in text  # of styles, and of nothing else
    policies = re.findall(r"script-src ([^;]*);", text)
    assert all(
        set(policy.split()) - {"'wasm-unsafe-eval'"} == set(re.findall(r"'sha256-\S+'", policy))
        for policy in policies
    )


@pytest.mark.parametrize(
    ("block", "told"),
    [
        ("step: 0.01", "line 3: the block names no model. Write: model: pendulum"),
        ("model: pendulm", "line 3: there is no model 'pendulm'; did you mean 'pendulum'"),
        ("model: pendulum\nsteps: 0.01", "line 3: no option 'steps'; did you mean 'step'"),
        ("model: [", "line 3: the block of a model is YAML, and this is not"),
        ("model: pendulum\nmethod: projektion", "line 3: No method 'projektion'"),
        ("model: pendulum\nheight: tall", "line 3: height is 'tall'. Give pixels"),
        ("model: pendulum\nview: below", "line 3: view='below' is not known"),
        ("model: none.yaml", "line 3: "),
        ("model: 3", "line 3: model is 3. Give the name of a model."),
    ],
)
def test_mistakes_are_told_with_their_line(block, told, tmp_path):
    source = tmp_path / "text.md"
    source.write_text(f"# A\n\n~~~dalembert\n{block}\n~~~\n")
    with pytest.raises(DalembertError) as problem:
        dl.lesson(source, tmp_path / "text.html")
    assert str(problem.value).startswith(f"text.md, {told}")
    assert not (tmp_path / "text.html").exists()


def test_a_missing_text_is_told(tmp_path):
    with pytest.raises(OptionError, match=r"none\.md cannot be read: there is no such file"):
        dl.lesson(tmp_path / "none.md", tmp_path / "page.html")
    with pytest.raises(OptionError, match="no text was given"):
        dl.lesson([], tmp_path / "page.html")


def test_missing_readers_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(OptionError, match=r"pip install 'dalembert\[lesson\]'"):
        dl.lesson(tmp_path / "a.md", tmp_path / "page.html")


def test_a_cell_of_a_notebook_is_a_frame_of_its_own(tmp_path):
    cell = dl.live(dl.catalog.load("pendulum"), step=1e-2, title='a "b" <c>', height=400)
    made = cell._repr_html_()
    assert made.startswith("<iframe srcdoc=")
    assert made.count("<") == 2  # the frame begins and ends; all else is its text
    assert "height:400px" in made
    assert cell.save(tmp_path / "cell.html").read_text() == cell.text
    with pytest.raises(OptionError, match="height is 3"):
        dl.live(dl.catalog.load("pendulum"), step=1e-2, height=3)


def test_the_command_writes_a_lesson(tmp_path, capsys, monkeypatch):
    from dalembert.cli import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "swing.md").write_text(f"# Swing\n\n{PENDULUM}")
    assert main(["lesson", "swing.md", "--title", "All of it"]) == 0
    assert capsys.readouterr().out.strip() == "swing.html"
    assert "<title>All of it</title>" in (tmp_path / "swing.html").read_text()
    assert main(["lesson", "none.md"]) == 2
    assert "none.md cannot be read" in capsys.readouterr().err


def test_a_mechanism_of_twenty_bodies_is_small():
    page = dl.live(dl.catalog.load("chain", count=20), step=1e-3)
    assert len(page.text) < 1_200_000
