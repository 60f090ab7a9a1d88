"""What a notebook shows of a model; it never fails."""

import re

import pytest

import dalembert as dl
from dalembert.model.text import html as module


def rows(text):
    """Every table row as its cells without tags."""
    found = re.findall(r"<tr>(.*?)</tr>", text, re.DOTALL)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in found]


def test_bodies_joints_freedom_and_doubts():
    text = dl.catalog.load("four-bar-3d")._repr_html_()
    shown = rows(text)
    assert ["crank", "1.6", "hinge_A, hinge_B"] in shown
    assert ["hinge_C", "revolute", "coupler – rocker", "5"] in shown
    assert "1 degree of freedom; 20 rows of rank 17" in text
    assert "hinge_D: translation y repeats" in text


def test_coordinates_constraints_and_parameters():
    text = dl.catalog.load("pendulum")._repr_html_()
    assert ["x", "1", "0"] in rows(text)
    assert ["bar", "holonomic", "x**2 + y**2 - l**2"] in rows(text)
    assert "g = 9.81" in text


@pytest.mark.parametrize("name", dl.catalog.names())
def test_every_model_of_the_catalog_has_its_tables(name):
    model = dl.catalog.load(name)
    text = model._repr_html_()
    assert "dalembert-html" in text
    for part in [*model.bodies, *model.joints][: module.MOST]:
        assert part in text
    assert text.count("<table>") == text.count("</table>") > 0


def test_nothing_comes_from_outside_and_names_cannot_inject():
    model = dl.Model("<script>alert(1)</script>")
    model.add_body("ball", dl.Inertia.sphere(mass=1.0, radius=0.1))
    text = model._repr_html_()
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "http" not in text


def test_a_long_model_is_cut():
    text = dl.catalog.load("chain", count=70)._repr_html_()
    assert "and 30 more" in text
    assert "model.check()" in text


def test_an_impossible_model_says_so():
    model = dl.Model("open")
    bar = model.add_body("bar", dl.Inertia.rod(mass=1.0, length=1.0), position=(0, 0, 0))
    model.add_joint(dl.Spherical(model.world.at(x=5.0), bar, name="far"))
    model.add_joint(dl.Spherical(model.world.at(x=-5.0), bar, name="near"))
    text = model._repr_html_()
    assert 'class="doubt"' in text or 'class="wrong"' in text


def test_an_empty_model_and_a_failing_part_still_show_something(monkeypatch):
    assert "Model(" in dl.Model("nothing")._repr_html_()

    def broken(model):
        raise RuntimeError

    monkeypatch.setattr(module, "of_model", broken)
    assert dl.Model("<x>")._repr_html_() == "<pre>Model(&#x27;&lt;x&gt;&#x27;: 0 coordinates)</pre>"
