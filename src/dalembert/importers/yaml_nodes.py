"""YAML text as nodes, within bounds: it is read event by event, so that nothing recurses.

The events come from libyaml where PyYAML has it, which is ten times as fast. What is wrong is told
in the words of PyYAML's own parser, as long as the text is short.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

LARGEST, DEEPEST = 300_000, 100
"""Values in one file (and as many keys), and values within values."""

SHORT = 200_000
"""Characters of a text that is read again to say better what is wrong with it."""

STRING, LIST, MAP = (f"tag:yaml.org,2002:{name}" for name in ("str", "seq", "map"))

FAST: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def broken(problem: yaml.MarkedYAMLError) -> tuple[int | None, str]:
    """Line and sentence of what is not well-formed, in words of who wrote the file."""
    mark: Any = problem.problem_mark or problem.context_mark
    begin: Any = problem.context_mark
    line = mark.line + 1 if mark else None
    first = begin.line + 1 if begin else line
    what = " ".join(filter(None, (problem.context, problem.problem)))
    if "\\t" in what or "a tab character" in what:
        return line, "begins with a tab, which YAML does not allow. Use spaces."
    if closing := re.search(r"expected ',' or '([]}])'", what):
        kind = "list" if closing[1] == "]" else "mapping"
        return line, (
            f"a comma or {closing[1]!r} is missing before this, in the {kind} that begins on line"
            f" {first}. Add it."
        )
    if "could not find expected ':'" in what:
        return first, "no colon with a space behind it follows the key. Write key: value."
    if "expected <block end>" in what:
        return line, (
            f"is not indented as the lines it belongs to, which begin on line {first}. Put as many"
            " spaces before it as before those."
        )
    if "mapping values are not allowed" in what:
        return line, (
            "a second colon stands in this value, or the line is indented too far. Put the value"
            " in quotes, or take spaces away."
        )
    if "single document" in what:
        return line, "a second document begins ('---'). A file holds one model: make two files."
    return line, f"not well-formed YAML: {what}. Check indentation, commas, quotes and colons."


class TooManyError(Exception):
    """More values than a file may have, or deeper ones; in which line."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}")
        self.line = line


def compose(text: str) -> yaml.Node | None:
    """The root of the only document; None for an empty text."""
    try:
        return _composed(text, FAST)
    except yaml.YAMLError:
        if FAST is yaml.BaseLoader or len(text) > SHORT:
            raise
    return _composed(text, yaml.BaseLoader)


def _composed(text: str, loader: Any) -> yaml.Node | None:
    stack: list[Any] = []
    anchors: dict[str, Any] = {}
    root: yaml.Node | None = None
    count = 0
    event: Any
    for event in yaml.parse(text, Loader=loader):
        mark: Any = event.start_mark
        if isinstance(event, yaml.DocumentStartEvent) and root is not None:
            raise yaml.composer.ComposerError(
                "expected a single document in the stream",
                root.start_mark,
                "but found another document",
                mark,
            )
        if isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            _close(stack.pop(), event)
            continue
        if not isinstance(event, yaml.NodeEvent):
            continue
        count += 1
        if count > 2 * LARGEST or len(stack) > DEEPEST:
            raise TooManyError(mark.line + 1)
        node = _node(event, anchors)
        if stack:
            stack[-1].value.append(node)
        else:
            root = node
        if isinstance(event, yaml.CollectionStartEvent):
            stack.append(node)
    return root


def _node(event: Any, anchors: dict[str, Any]) -> yaml.Node:
    mark: Any = event.start_mark
    if isinstance(event, yaml.AliasEvent):
        if event.anchor not in anchors:
            raise yaml.composer.ComposerError(
                None, None, f"found undefined alias {event.anchor!r}", mark
            )
        known: yaml.Node = anchors[event.anchor]
        return known
    made: Any
    if isinstance(event, yaml.ScalarEvent):
        tag = STRING if event.tag in (None, "!") else event.tag
        end: Any = event.end_mark
        style = event.style or None  # plain: '' of libyaml
        made = yaml.ScalarNode(tag, event.value, mark, end, style)
    else:
        listed = isinstance(event, yaml.SequenceStartEvent)
        tag = (LIST if listed else MAP) if event.tag in (None, "!") else event.tag
        kind: Any = yaml.SequenceNode if listed else yaml.MappingNode
        made = kind(tag, [], event.start_mark, None, event.flow_style)
    if event.anchor is not None:
        if event.anchor in anchors:
            raise yaml.composer.ComposerError(
                f"found duplicate anchor {event.anchor!r}; first occurrence",
                anchors[event.anchor].start_mark,
                "second occurrence",
                event.start_mark,
            )
        anchors[event.anchor] = made
    return made  # type: ignore[no-any-return]


def _close(node: Any, event: Any) -> None:
    """A mapping is a list of pairs."""
    node.end_mark = event.end_mark
    if isinstance(node, yaml.MappingNode):
        parts = node.value
        node.value = list(zip(parts[::2], parts[1::2], strict=True))
