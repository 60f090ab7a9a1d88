"""The extension of Sphinx: models that run in pages of documentation."""

import re

import pytest

sphinx = pytest.importorskip("sphinx.application")
docutils = pytest.importorskip("sphinx.util.docutils")

INDEX = """
Index
=====

.. toctree::

   deep/other

.. dalembert:: pendulum

   step: 0.01
   method: [projection, udwadia-kalaba]
   caption: Kept in <two> ways.
   height: 480
"""
OTHER = """
Other
=====

.. dalembert:: {model}

   step: 0.01
"""


def built(folder, builder="html", model="pendulum"):
    """Where Sphinx wrote a project of two pages, and what it complained of."""
    import io

    source = folder / "source"
    (source / "deep").mkdir(parents=True, exist_ok=True)
    (source / "conf.py").write_text(
        "extensions = ['dalembert.viewer.sphinx']\nproject = 'p'\nhtml_theme = 'basic'\n"
    )
    (source / "index.rst").write_text(INDEX)
    (source / "deep" / "other.rst").write_text(OTHER.format(model=model))
    said = io.StringIO()
    with docutils.docutils_namespace():
        sphinx.Sphinx(
            source, source, folder / builder, folder / "trees", builder, status=None, warning=said
        ).build()
    return folder / builder, said.getvalue()


def test_two_pages_show_models_that_run(tmp_path):
    out, said = built(tmp_path)
    assert said == ""
    frames = [
        re.findall(r'<iframe src="([^"]+)"', (out / page).read_text())
        for page in ("index.html", "deep/other.html")
    ]
    assert [len(found) for found in frames] == [1, 1]
    for page, (source,) in zip((out, out / "deep"), frames, strict=True):
        text = (page / source).resolve().read_text()
        assert "wasm-unsafe-eval" in text
    assert frames[0][0].removeprefix("../") != frames[1][0].removeprefix("../")
    index = (out / "index.html").read_text()
    assert "Kept in &lt;two&gt; ways." in index
    assert "height:480px" in index
    text, said = built(tmp_path, "text")  # its pages are there already
    assert said == ""
    assert "[pendulum: Kept in <two> ways.]" in (text / "index.txt").read_text()


def test_mistakes_are_told_where_they_stand(tmp_path):
    _, said = built(tmp_path, model="pendulm")
    assert "other.rst:5" in said
    assert "there is no model 'pendulm'; did you mean 'pendulum'" in said
