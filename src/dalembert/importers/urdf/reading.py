"""An XML file read safely: no entities, nothing fetched, every element with its line."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from dalembert._files import read_bytes
from dalembert.errors import ImportFileError
from dalembert.importers.readers import Loss
from dalembert.model.basics.names import nearest

LARGEST = 64_000_000
"""Bytes of a file; robots have some hundred thousand."""

HUGE = 1e50
"""Lengths, masses and moments beyond it are mistakes, and their squares no numbers."""

_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")

XACRO = "xacro"
HOW_TO_EXPAND = (
    "Expand it first: `xacro robot.urdf.xacro > robot.urdf` (in ROS, or from "
    "`pip install xacro`), and read the result."
)

ATTRIBUTES = frozenset(
    "name type version link joint xyz rpy quat_xyzw value ixx ixy ixz iyy iyz izz lower upper "
    "effort velocity damping friction multiplier offset filename scale size radius length "
    "rgba".split()
)
"""Names of URDF's attributes; none of them is another one misspelt."""

OTHERS = {
    "mujoco": "an MJCF file",
    "mujocoinclude": "a part of an MJCF file",
    "sdf": "an SDF file",
    "world": "a world of Gazebo",
    "COLLADA": "a mesh",
    "launch": "a launch file of ROS",
}
"""Root elements of other formats, and what such a file is."""


@dataclass
class XmlFile:
    """An XML file, and what of it is not taken over."""

    path: Path
    root: Any
    losses: list[Loss] = field(default_factory=list)

    def where(self, element: Any) -> str:
        """``file, line 7``."""
        line = getattr(element, "sourceline", None)
        return f"{self.path}, line {line}" if line else str(self.path)

    def refuse(self, element: Any, what: str) -> NoReturn:
        """Raise an ImportFileError about an element."""
        raise ImportFileError(f"{self.where(element)}: {what}")

    def lose(self, element: Any, what: str) -> None:
        """Note that something is not in the model."""
        self.losses.append(Loss(what, self.where(element)))

    # -- elements ------------------------------------------------------------------------------

    def children(self, element: Any, known: Sequence[str], owner: str) -> Iterator[Any]:
        """Elements inside one, without comments; what is not known is lost."""
        for child in element:
            if not isinstance(child.tag, str):
                continue  # a comment or a processing instruction
            if child.tag in known:
                yield child
                continue
            if is_xacro(child):
                self.refuse(child, f"{owner} holds {tag(child)}, which is xacro. {HOW_TO_EXPAND}")
            close = nearest(child.tag, known) if "}" not in child.tag else "."
            near = close if close.startswith(";") else "."
            self.lose(child, f"{tag(child)} of {owner} is not understood{near}")

    def only(self, element: Any, name: str, owner: str) -> Any | None:
        """The one element of a name, or None."""
        found = [child for child in element if child.tag == name]
        if len(found) > 1:
            self.refuse(
                found[1],
                f"{owner} has a second <{name}>; the first is on line {found[0].sourceline}. "
                "Keep one.",
            )
        return found[0] if found else None

    def needed(self, element: Any, name: str, owner: str) -> Any:
        """The one element of a name."""
        found = self.only(element, name, owner)
        if found is None:
            known = [child.tag for child in element if isinstance(child.tag, str)]
            close = nearest(name, known)
            near = f" Is <{close.split(chr(39))[1]}> meant for it?" if close[0] == ";" else ""
            self.refuse(element, f"{owner} has no <{name}>. Add it.{near}")
        return found

    # -- attributes ----------------------------------------------------------------------------

    def text(self, element: Any, name: str, owner: str) -> str:
        """An attribute that must be there and say something."""
        given = element.get(name)
        if given is None:
            near = nearest(name, [key for key in element.keys() if key not in ATTRIBUTES])
            near = near if near.startswith(";") else "."
            self.refuse(element, f"{owner}: {tag(element)} has no attribute '{name}'{near}")
        given = given.strip()
        if not given:
            self.refuse(element, f"{owner}: attribute '{name}' of {tag(element)} is empty.")
        return str(given)

    def number(
        self,
        element: Any,
        name: str,
        owner: str,
        default: float | None = None,
        largest: float = HUGE,
    ) -> float:
        """An attribute that is a finite number."""
        if default is not None and element.get(name) is None:
            return default
        return self.numbers(element, name, 1, owner, largest=largest)[0]

    def numbers(
        self,
        element: Any,
        name: str,
        count: int,
        owner: str,
        default: Sequence[float] | None = None,
        largest: float = HUGE,
    ) -> tuple[float, ...]:
        """An attribute that is so many finite numbers."""
        if default is not None and element.get(name) is None:
            return tuple(default)
        words = self.text(element, name, owner).split()
        wanted = "1 number" if count == 1 else f"{count} numbers"
        found = f"{owner}: attribute '{name}' of {tag(element)} is {' '.join(words)!r:.60}"
        if len(words) != count:
            apart = ", separated by spaces" if "," in "".join(words) else ""
            self.refuse(element, f"{found}, expected {wanted}{apart}.")
        values: list[float] = []
        for word in words:
            value = float(word) if _NUMBER.fullmatch(word) else math.nan
            if largest < abs(value) < math.inf:
                self.refuse(element, f"{found}; {word:.40} is too large for a robot.")
            if not math.isfinite(value):
                finite = "" if word.lower().strip("+-") not in ("nan", "inf") else "finite "
                self.refuse(element, f"{found}; {word!r:.40} is no {finite}number. Give one.")
            values.append(value)
        return tuple(values)

    def extra(self, element: Any, known: Sequence[str], owner: str) -> None:
        """Note attributes that are not known."""
        for name, value in element.items():
            if name not in known and "}" not in name:
                close = nearest(name, known)
                near = close if close.startswith(";") else "."
                self.lose(
                    element,
                    f"{owner}: attribute {name}={value!r:.40} of {tag(element)} is not "
                    f"understood{near}",
                )


def read_xml(path: str | Path) -> XmlFile:
    """The elements of a file.

    Raises
    ------
    ImportFileError
        File missing, unreadable, too large, empty, not well-formed or with entities; with the
        line where it broke.
    """
    from lxml import etree

    path = Path(path)
    data, oddities = _without_oddities(_bytes(path))
    at = data.find(b"<!ENTITY")
    if at >= 0:
        line = data.count(b"\n", 0, at) + 1
        raise ImportFileError(
            f"{path}, line {line}: defines an entity, which is not read: it can grow without "
            "bound or name other files. Write the text out."
        )
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as problem:
        what = str(problem.msg or "nothing is in it").partition(", line ")[0]
        at_line = f", line {problem.lineno}" if problem.lineno else ""
        remedy = "Check tags and quotes there."
        if "encoding" in what:
            remedy = "Save it as UTF-8."
        elif what.startswith("Extra content") and data.count(b"<robot") > 1:
            what, remedy = "a second robot begins", "A file holds one: make two files."
        raise ImportFileError(f"{path}{at_line}: not well-formed XML: {what}. {remedy}") from None
    except (ValueError, LookupError, RecursionError) as problem:
        raise ImportFileError(f"{path}: not well-formed XML: {problem!s:.100}") from None
    if root.getroottree().docinfo.internalDTD is not None and any(
        True for _ in root.getroottree().docinfo.internalDTD.iterentities()
    ):
        raise ImportFileError(f"{path}: defines entities, which are not read. Write them out.")
    return XmlFile(path, root, [Loss(what, f"{path}, line 1") for what in oddities])


DECLARATION = re.compile(rb"\s*<\?xml\s[^>]*?\?>")
VERSION = re.compile(rb"(version\s*=\s*[\"'])([^\"']*)")


def _without_oddities(data: bytes) -> tuple[bytes, list[str]]:
    """XML as it should be, of what other readers of robots let pass; and what was odd.

    Lines before the declaration are moved behind it, so that all others keep their number.
    """
    found = []
    if data.endswith(b"\0"):
        data = data.rstrip(b"\0")
        found.append("the file ends with zero bytes; they are left out.")
    head = DECLARATION.match(data)
    if head is None:
        return data, found
    text = head.group().lstrip()
    space = data[: head.end() - len(text)]
    if space:
        found.append("there is white space before the declaration of XML; it is left out.")
    version = VERSION.search(text)
    if version is not None and version.group(2) not in (b"1.0", b"1.1"):
        given = version.group(2).decode("ascii", "replace")
        found.append(f"the version of XML is {given!r:.20}; it is read as 1.0.")
        text = VERSION.sub(rb"\g<1>1.0", text, count=1)
    return text + space + data[head.end() :], found


def _bytes(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise ImportFileError(
                f"{path}: has {size / 1e6:.0f} MB, more than a robot needs "
                f"({LARGEST / 1e6:.0f} MB are read). Give the robot's own file."
            )
        data = read_bytes(path, LARGEST)
    except FileNotFoundError:
        if "<" in str(path):
            raise ImportFileError(
                f"{str(path)[:40]!r} is text, not the name of a file. Write it to a file and give"
                " its path."
            ) from None
        raise ImportFileError(f"{path}: there is no such file. Check the path.") from None
    except IsADirectoryError:
        raise ImportFileError(f"{path}: is a folder. Give a file in it.") from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise ImportFileError(f"{path}: cannot be read: {reason}.") from None
    if not data.strip():
        raise ImportFileError(f'{path}: is empty. A URDF file begins with <robot name="...">.')
    ended = data.rstrip(b"\0").rstrip().endswith(b">")
    text = data.rstrip(b"\0") if ended else data
    if b"\0" in text[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ImportFileError(f"{path}: is not text but binary. Give a URDF file.")
    return data


def tag(element: Any) -> str:
    """``<origin>``, as written in the file; a foreign name with its prefix."""
    name = element.tag
    if isinstance(name, str) and "}" in name:
        name = f"{element.prefix}:{name.partition('}')[2]}" if element.prefix else name
    return f"<{name}>"


def is_xacro(element: Any) -> bool:
    """Whether an element belongs to a macro that was not expanded."""
    name = element.tag
    if not isinstance(name, str):
        return False
    return element.prefix == XACRO or name.startswith((f"{XACRO}:", "{http://www.ros.org/wiki/xac"))
