"""A page for every example, and the gallery of those with a picture."""

from __future__ import annotations

import ast
import html
import os
from pathlib import Path

from stage import REPOSITORY, example_page

EXAMPLES = REPOSITORY / "examples"
PICTURES = REPOSITORY / "docs" / "images" / "gallery"
LEXERS = {".py": "python", ".yaml": "yaml", ".xml": "xml"}


def files() -> list[Path]:
    """Examples, those of the museum last."""
    own = sorted(file for file in EXAMPLES.iterdir() if file.suffix in LEXERS)
    return own + sorted((EXAMPLES / "museum").glob("[0-9]*.py"))


def told(file: Path) -> str:
    """First paragraphs of an example: its docstring, or its first comment."""
    text = file.read_text()
    if file.suffix == ".py":
        return ast.get_docstring(ast.parse(text)) or file.stem
    first = text.lstrip("<!-# ").splitlines()[0].rstrip("->")
    return first if file.suffix == ".yaml" else f"{file.stem}: a model file"


def title(file: Path) -> str:
    """Words of the name of a file."""
    words = file.stem.lstrip("0123456789_").replace("_", " ").replace("-", " ")
    return words[0].upper() + words[1:]


def picture(file: Path) -> Path | None:
    """Its small picture, where there is one."""
    path = PICTURES / f"{file.stem}.png"
    return path if path.exists() else None


def write(folder: Path) -> None:
    """Write the pages and the gallery."""
    (folder / "examples").mkdir(exist_ok=True)
    cards = []
    for file in files():
        page, doc, image = example_page(file), told(file), picture(file)
        parts = [f"# {title(file)}\n", html.escape(doc, quote=False).replace("*", r"\*"), ""]
        if image:
            parts += [f"![{title(file)}](../images/gallery/{image.name})", ""]
            cards.append(card(file, page, doc, image))
        where = os.path.relpath(file, REPOSITORY)
        parts += [f"`{where}`", "", f"```{LEXERS[file.suffix]}", file.read_text().rstrip(), "```"]
        (folder / page).write_text("\n".join(parts) + "\n")
    pages = "\n".join(str(example_page(file).with_suffix("")) for file in files())
    (folder / "gallery.md").write_text(
        "# Gallery\n\nEvery picture is a file of `examples/`, run by the tests; it ends in "
        "assertions.\n\n" + '<div class="gallery">\n' + "\n".join(cards) + "\n</div>\n\n"
        f"```{{toctree}}\n:hidden:\n:maxdepth: 1\n\n{pages}\n```\n"
    )


def card(file: Path, page: Path, doc: str, image: Path) -> str:
    """One picture with its words."""
    words = html.escape(doc.split("\n\n")[0].replace("\n", " "))
    return (
        f'<a class="card" href="{page.with_suffix(".html")}"><img loading="lazy" alt="" '
        f'src="images/gallery/{image.name}"><b>{title(file)}</b><span>{words}</span></a>'
    )
