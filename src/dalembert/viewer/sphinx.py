"""An extension of Sphinx: `.. dalembert::` shows a model that runs.

In conf.py ``extensions = ["dalembert.viewer.sphinx"]``; then, in reStructuredText,

    .. dalembert:: pendulum

       step: 0.01
       method: [projection, udwadia-kalaba]
       caption: The same pendulum, kept in two ways.

and in Markdown by MyST the fence ``{dalembert} pendulum`` with the same lines. The argument is a
model of the catalog, or a file beside the text; the lines are those of a block of a lesson.

Every model is a page of its own in ``_dalembert``, which the text shows in a frame. Other builders
than those of HTML show the caption.
"""

from __future__ import annotations

import hashlib
import html
import os
import shutil
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive

import dalembert
from dalembert.errors import DalembertError
from dalembert.viewer.embedded import STYLE
from dalembert.viewer.lesson_block import block_of, is_file
from dalembert.viewer.model_page import model_page

FOLDER = "_dalembert"
"""Where pages of models are, in what Sphinx writes."""


class ModelNode(nodes.General, nodes.Element):
    """A model in a document: kept, title, caption, height."""


class ModelDirective(Directive):
    """``.. dalembert:: MODEL`` with options of its page as lines of YAML."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """The place of the model, its page made."""
        env = self.state.document.settings.env
        folder = Path(env.doc2path(env.docname)).parent
        name = self.arguments[0].strip()
        text = "\n".join([f"model: {_quoted(name)}", *self.content])
        marks = [dalembert.__version__, text]
        if is_file(name):
            env.note_dependency(str(folder / name))
            marks.append(_contents(folder / name))
        key = hashlib.sha256("\n".join(marks).encode()).hexdigest()[:16]
        kept = Path(env.doctreedir) / FOLDER / f"{key}.html"
        try:
            block = block_of(text, folder)
            if not kept.exists():
                page = model_page(block.model, **block.options)
                kept.parent.mkdir(parents=True, exist_ok=True)
                part = kept.with_suffix(f".{os.getpid()}")
                part.write_text(page, encoding="utf-8")
                part.replace(kept)
        except DalembertError as problem:
            raise self.error(f"dalembert: {problem}") from problem
        title = str(block.options.get("title") or block.model.name)
        return [
            ModelNode("", kept=str(kept), title=title, caption=block.caption, height=block.height)
        ]


def _quoted(name: str) -> str:
    """A name as a text of YAML."""
    return "'" + name.replace("'", "''") + "'"


def _contents(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""  # told when it is read


def visit_html(self: Any, node: Any) -> None:
    """The frame; the page of the model is copied beside the others."""
    kept = Path(node["kept"])
    place = Path(self.builder.outdir) / FOLDER / kept.name
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(kept, place)
    depth = self.builder.get_target_uri(self.builder.current_docname).count("/")
    source = f"{'../' * depth}{FOLDER}/{kept.name}"
    caption = html.escape(node["caption"])
    below = f"<figcaption>{caption}</figcaption>" if caption else ""
    self.body.append(
        f'<figure class="dalembert-model" style="margin:1.2em 0"><iframe src="{source}"'
        f' title="{html.escape(node["title"], quote=True)}, a model that runs" loading="lazy"'
        f' style="height:{node["height"]}px;{STYLE}" allowfullscreen></iframe>{below}</figure>\n'
    )
    raise nodes.SkipNode


def visit_other(self: Any, node: Any) -> None:
    """Title and caption, where nothing can run."""
    said = ": ".join(text for text in (node["title"], node["caption"]) if text)
    if hasattr(self, "add_text"):
        self.add_text(f"[{said}]")
    elif hasattr(self, "body"):
        self.body.append(self.encode(said) if hasattr(self, "encode") else said)
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, Any]:
    """Register the directive."""
    app.add_node(
        ModelNode,
        html=(visit_html, None),
        **dict.fromkeys(("latex", "text", "man", "texinfo"), (visit_other, None)),
    )
    app.add_directive("dalembert", ModelDirective)
    return {
        "version": dalembert.__version__,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
