"""Pages of the public names, from their docstrings: one for each group of the table of names."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import dalembert as dl

TABLE = Path(__file__).resolve().parents[1] / "reference" / "api.md"
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)


def groups() -> dict[str, list[str]]:
    """Names by the groups of the table."""
    found: dict[str, list[str]] = {}
    for line in TABLE.read_text().split("## Exceptions")[0].splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) < 4:
            continue
        title = re.match(r"\*\*(.+?)\*\*", cells[2])
        if not cells[1] and title:
            found[title[1].split(":")[0]] = group = []
        elif cells[1].startswith("`") and found:
            group += re.findall(r"`(\w+)`", cells[1])
    return found


def write(folder: Path) -> list[str]:
    """Write the pages; their names."""
    (folder / "api").mkdir()
    places = []
    for title, names in groups().items():
        name = re.sub(r"\W+", "-", title.lower()).strip("-")
        parts = [f"# {title[0].upper()}{title[1:]}\n"]
        parts += [entry(one) for one in names if hasattr(dl, one)]
        (folder / "api" / f"{name}.md").write_text("\n".join(parts))
        places.append(f"api/{name}")
    return places


def entry(name: str) -> str:
    """One name: signature, docstring, methods."""
    thing = getattr(dl, name)
    if inspect.ismodule(thing) or not (inspect.isclass(thing) or callable(thing)):
        return f"## {name}\n\n{markdown(inspect.getdoc(thing) or '')}\n"
    parts = [f"## {name}\n", f"```python\n{signature(name, thing)}\n```\n"]
    parts.append(markdown(inspect.getdoc(thing) or ""))
    if inspect.isclass(thing):
        parts += [member(name, *one) for one in members(thing)]
    return "\n".join(parts) + "\n"


def signature(name: str, thing: Any) -> str:
    """How a thing is called, wrapped."""
    try:
        text = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return name
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)
    text = re.sub(r" object at 0x[0-9a-f]+", "", text)
    if len(text) < 80:
        return name + text
    inside, _, returns = text[1:].rpartition(")")
    parts = re.split(r", (?=\*?\w+\s*[:=]|\*,)", inside)
    return f"{name}(\n    " + ",\n    ".join(parts) + f",\n){returns}"


def members(thing: type) -> list[tuple[str, Any]]:
    """Public methods and properties of a class with docstrings of their own."""
    found = []
    for name, value in vars(thing).items():
        value = getattr(value, "__func__", value)
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
            if inspect.getdoc(value):
                found.append((name, value))
    return found


def member(owner: str, name: str, value: Any) -> str:
    """A method or property."""
    call = f"{owner}.{name}"
    if not isinstance(value, property):
        call = signature(call, value)
    return f"```python\n{call}\n```\n\n{markdown(inspect.getdoc(value) or '')}\n"


def markdown(doc: str) -> str:
    """A docstring in the form of numpydoc, as Markdown."""
    parts = SECTION.split(doc)
    out = [escaped(parts[0])]
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        out.append(f"\n**{title}**\n")
        out.append(examples(body) if title == "Examples" else definitions(body))
    return "\n".join(out) + "\n"


def escaped(text: str) -> str:
    """Prose; blocks that are drawn with spaces stay as they are."""
    parts = []
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        lines = part.splitlines()
        drawn = any(line.startswith("    ") or line.startswith("|") for line in lines)
        if lines and drawn:
            parts.append("```text\n" + part.strip("\n") + "\n```")
        else:
            parts.append(re.sub(r"(?<!`)``?([^`]+)``?(?!`)", code, safe(part)))
    return "\n\n".join(parts)


def code(match: re.Match[str]) -> str:
    """What stands in backquotes, as it was."""
    return "`" + re.sub(r"\\(.)", r"\1", match[1]) + "`"


def safe(text: str) -> str:
    """Text without what Markdown would read."""
    return re.sub(r"([*_<>$\[\]#|~])", r"\\\1", text)


def definitions(body: str) -> str:
    """Parameters, returns and the like: a list."""
    out, lines = [], body.strip("\n").splitlines()
    for line in lines:
        if line and not line.startswith(" "):
            out.append(f"- **{safe(line.strip())}**  ")
        elif line.strip():
            out.append(f"  {escaped(line.strip())}")
    return "\n".join(out)


def examples(body: str) -> str:
    """What is typed and what it prints."""
    return "```pycon\n" + inspect.cleandoc("\n" + body).strip() + "\n```"
