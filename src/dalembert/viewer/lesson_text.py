"""Markdown with mathematics as HTML that needs nothing else: formulas become MathML, pictures data.

Markdown is read by markdown-it-py, LaTeX by latex2mathml. HTML in the text is shown as text.
"""

from __future__ import annotations

import base64
import html
import itertools
import mimetypes
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dalembert.errors import OptionError

BLOCK = "dalembert"
"""Language of a fenced block that is a model."""

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")
UNKNOWN = re.compile(r"<m[a-z]+[^>]*>(\\\w+)</m")
OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Chapter:
    """One text of a lesson.

    Parameters
    ----------
    text : Markdown
    name : what it is called in messages, and by links of other chapters
    folder : where pictures and files of models are
    anchor : how its beginning is found
    """

    def __init__(self, text: str, name: str, folder: Path, anchor: str) -> None:
        self.text, self.name, self.folder, self.anchor = text, name, folder, anchor
        self.title = ""

    def html(self, model: Callable[[Chapter, str, int], str], others: Sequence[Chapter]) -> str:
        """The chapter as HTML; `model` makes that of a block, from its text and its line."""
        from markdown_it import MarkdownIt
        from mdit_py_plugins.dollarmath import dollarmath_plugin

        reader = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
        reader.use(dollarmath_plugin, double_inline=True, renderer=self._math)
        tokens = reader.parse(self.text)
        self._headings(tokens)
        anchors = {chapter.name: chapter.anchor for chapter in others}
        for token in tokens:
            for part in (token, *(token.children or ())):
                self._leave_nothing_outside(part, token, anchors)
        made = reader.renderer.rules["fence"]

        def fence(tokens: Any, i: int, options: Any, env: Any) -> str:
            if tokens[i].info.strip() == BLOCK:
                return model(self, tokens[i].content, tokens[i].map[0] + 1)
            return str(made(tokens, i, options, env))

        reader.renderer.rules["fence"] = fence
        return str(reader.renderer.render(tokens, reader.options, {}))

    def _headings(self, tokens: Sequence[Any]) -> None:
        """Give headings names that links find, the first one that of the chapter."""
        used: set[str] = set()
        for head, inline in itertools.pairwise(tokens):
            if head.type != "heading_open":
                continue
            words = "".join(part.content for part in inline.children or ())
            slug = re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-") or "part"
            anchor = self.anchor if not used else f"{self.anchor}-{slug}"
            self.title = self.title or words
            while anchor in used:
                anchor += "-"
            used.add(anchor)
            head.attrSet("id", anchor)

    def _leave_nothing_outside(self, part: Any, owner: Any, anchors: dict[str, str]) -> None:
        """Links lead within the lesson or to an address; pictures are in the file."""
        line = (owner.map or [0])[0] + 1
        if part.type == "image":
            part.attrSet("src", self._picture(str(part.attrGet("src")), line))
        if part.type != "link_open":
            return
        target = str(part.attrGet("href"))
        if OUTSIDE.match(target):
            part.attrSet("rel", "noreferrer")
            return
        page, _, place = target.partition("#")
        known = self.anchor if not page else anchors.get(page)
        if known is None:
            raise OptionError(
                f"{self.name}, line {line}: the link to {target!r} leads out of the lesson. Give"
                f" an address with https://, or one of its chapters: {', '.join(anchors)}."
            )
        part.attrSet("href", f"#{known}-{place}" if place else f"#{known}")

    def _picture(self, source: str, line: int) -> str:
        kind = mimetypes.guess_type(source)[0]
        path = self.folder / source
        if OUTSIDE.match(source) or kind not in PICTURES or not path.is_file():
            raise OptionError(
                f"{self.name}, line {line}: {source!r} is not a picture beside the text. Give the"
                " path of a PNG, JPEG, GIF, WebP or SVG file: it travels within the lesson."
            )
        return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode('ascii')}"

    def _math(self, text: str, options: dict[str, Any]) -> str:
        """A formula as MathML, which browsers draw by themselves."""
        from latex2mathml.converter import convert_to_element

        display = "block" if options["display_mode"] else "inline"
        try:
            made = _mathml(convert_to_element(text, display=display))
        except Exception as problem:  # of many kinds, without a common one
            raise OptionError(
                f"{self.name}: the formula {text.strip()!r} cannot be read as LaTeX"
                f" ({type(problem).__name__})."
            ) from problem
        unknown = UNKNOWN.search(made)
        if unknown:
            raise OptionError(
                f"{self.name}: {unknown[1]} in the formula {text.strip()!r} is not known. Write it"
                " with commands of LaTeX and amsmath."
            )
        return f'<div class="equation">{made}</div>' if display == "block" else made


LEFT_OUT = ("href", "style", "class", "id")
"""Attributes of formulas that lead elsewhere, or change more than the formula."""


def _mathml(element: Any) -> str:
    """An element of a formula as text; the library's own way does not escape what is in it."""
    tag = str(element.tag)
    if not re.fullmatch(r"m[a-z]+", tag):
        raise ValueError(tag)
    attributes = "".join(
        f' {name}="{plain(html.unescape(str(value)))}"'
        for name, value in element.attrib.items()
        if name not in LEFT_OUT and re.fullmatch(r"[a-z]+", name)
    )
    inside = plain(html.unescape(element.text or "")) + "".join(map(_mathml, element))
    return f"<{tag}{attributes}>{inside}</{tag}>{plain(html.unescape(element.tail or ''))}"


def plain(text: str) -> str:
    """Text for HTML."""
    return html.escape(text, quote=True)
