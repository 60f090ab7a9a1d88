"""A lesson: Markdown with mathematics and several models that run, in one HTML file, offline."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path

import dalembert
from dalembert._files import checked, writing
from dalembert.errors import DalembertError, OptionError
from dalembert.model.core.model import Model
from dalembert.viewer.lesson_block import block_of
from dalembert.viewer.lesson_text import Chapter, plain
from dalembert.viewer.model_page import Prepared, packed_engines, prepared
from dalembert.viewer.page import (
    THEMES,
    asset,
    check_choice,
    check_page_name,
    json_for_html,
    policy,
    put_in,
)


def lesson(
    sources: str | Path | Sequence[str | Path],
    path: str | Path,
    *,
    models: Mapping[str, Model] | None = None,
    title: str | None = None,
    theme: str = "auto",
) -> Path:
    r"""Write Markdown files, with the models in them running, to one HTML file; its path.

    A fenced block of the language ``dalembert`` is a model that runs where it stands. It is YAML:
    `model` is a name of `models` or of the catalog (``arm``, ``pendulum:length=2``), or a file
    beside the text; `method` a method or a list of them to compare; `caption`, `height` in pixels;
    all else as for ``save_html(model, live=True)``. The player is in the file once, and so are
    kernels that models share.

    Parameters
    ----------
    sources : a Markdown file, or several, which are chapters
    models : made in Python, by the names that blocks call them
    title : of the page; by default the first heading
    theme : "auto" (as the reader's system), "light" or "dark"

    Examples
    --------
    >>> import dalembert as dl
    >>> from pathlib import Path
    >>> text = "# A pendulum\n\n~~~dalembert\nmodel: pendulum\nstep: 0.01\n~~~\n"
    >>> _ = Path("swing.md").write_text(text)
    >>> dl.lesson("swing.md", "swing.html").stat().st_size < 1_200_000
    True
    """
    _require_readers()
    check_page_name(path)
    check_choice("theme", theme, THEMES)
    checked(path, "the lesson")
    given = [sources] if isinstance(sources, str | Path) else list(sources)
    if not given:
        raise OptionError("lesson: no text was given. Give a Markdown file, or a list of them.")
    chapters = [_chapter(Path(source), k) for k, source in enumerate(given)]
    text = _Lesson(chapters, models or {}, theme).page(title)
    with writing(path, "the lesson") as file:
        file.write(text.encode("utf-8"))
    return Path(path)


def _require_readers() -> None:
    """Refuse where the readers of Markdown and LaTeX are not installed."""
    names = ("markdown_it", "mdit_py_plugins", "latex2mathml")
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        raise OptionError(
            f"lesson: {' and '.join(missing)} cannot be imported, which read Markdown and"
            " mathematics. Install them: pip install 'dalembert[lesson]'"
        )


def _chapter(path: Path, k: int) -> Chapter:
    try:
        return Chapter(path.read_text(encoding="utf-8"), path.name, path.parent, f"chapter-{k + 1}")
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "it is not a text"
        remedy = "Give a file of Markdown."
        if isinstance(problem, FileNotFoundError):
            reason, remedy = "there is no such file", "Check the path."
        raise OptionError(f"lesson: {path} cannot be read: {reason}. {remedy}") from problem


class _Lesson:
    """A lesson that is being made."""

    def __init__(
        self, chapters: Sequence[Chapter], models: Mapping[str, Model], theme: str
    ) -> None:
        self.chapters, self.models, self.theme = chapters, models, theme
        self.made: list[Prepared] = []

    def page(self, title: str | None) -> str:
        """The HTML file."""
        texts = [chapter.html(self._figure, self.chapters) for chapter in self.chapters]
        named = (chapter.title for chapter in self.chapters)
        heading = title or next((name for name in named if name), "") or self.chapters[0].name
        player, script = asset("player.js"), asset("lesson.js")
        return put_in(
            asset("lesson.html"),
            {
                "LANG": "en",
                "THEME": self.theme,
                "POLICY": policy(player, script, engines=True),
                "TITLE": plain(heading),
                "LOOK": asset("lesson.css"),
                "CONTENTS": self._contents(title),
                "TEXT": "\n".join(texts),
                "VERSION": plain(dalembert.__version__),
                "DATA": "\n".join(self._blocks()),
                "LESSON": script,
            },
        )

    def _contents(self, title: str | None) -> str:
        """Title and links to the chapters, where there are several."""
        head = f"<h1>{plain(title)}</h1>\n" if title else ""
        if len(self.chapters) < 2:
            return head
        items = "".join(
            f'<li><a href="#{chapter.anchor}">{plain(chapter.title or chapter.name)}</a></li>'
            for chapter in self.chapters
        )
        return f'{head}<nav class="chapters" aria-label="Chapters"><ol>{items}</ol></nav>'

    def _blocks(self) -> list[str]:
        """Data of all models, the player, and the page they stand in, once."""
        runs = [run for each in self.made for run in each.runs]
        packed = packed_engines(runs)
        engines = iter(packed["engine"])
        found = {f"kernels-{k}": text for k, text in enumerate(packed["kernels"])}
        for m, each in enumerate(self.made):
            for i, (run, _) in enumerate(each.runs):
                found[f"data-{m}-{i}"] = run.pop("data")
                found[f"engine-{m}-{i}"] = next(engines)
            found[f"header-{m}"] = json_for_html(each.header)
            parts = {
                "TITLE": plain(each.title),
                "THEME": self.theme,
                "POLICY": policy(asset("player.js"), engines=True),
            }
            found[f"parts-{m}"] = json_for_html(parts)
        if self.made:
            found |= {"page": json_for_html(asset("page.html")), "style": asset("player.css")}
            found["player"] = asset("player.js")
        return [
            f'<script type="text/plain" id="{name}">{text}</script>' for name, text in found.items()
        ]

    # -- a block -----------------------------------------------------------------------------------

    def _figure(self, chapter: Chapter, text: str, line: int) -> str:
        """The place of a model in the text."""
        try:
            block = block_of(text, chapter.folder, self.models)
            each = prepared(block.model, theme=self.theme, **block.options)
        except DalembertError as problem:
            told = str(problem).removeprefix("page: ")
            raise type(problem)(f"{chapter.name}, line {line}: {told}") from problem
        self.made.append(each)
        below = f"<figcaption>{plain(block.caption)}</figcaption>" if block.caption else ""
        return (
            f'<figure class="model"><iframe data-model="{len(self.made) - 1}"'
            f' title="{plain(each.title)}, a model that runs" style="height:{block.height}px"'
            f" allowfullscreen></iframe>{below}</figure>\n"
        )
