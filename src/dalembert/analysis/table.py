"""Plain aligned text tables."""

from __future__ import annotations

from collections.abc import Sequence


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """First column to the left, the others to the right, a rule below the head."""
    widths = [max(len(line[i]) for line in [head, *rows]) for i in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        first = cells[0].ljust(widths[0])
        rest = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
        return "  ".join([first, *rest]).rstrip()

    return "\n".join([line(head), "  ".join("-" * w for w in widths), *map(line, rows)])


def number(value: float | None) -> str:
    """Two significant digits in exponent form, 0 as ``0``, a dash for nothing."""
    if value is None:
        return "-"
    return "0" if value == 0 else f"{value:.1e}"


def below(value: float | None, uncertainty: float | None) -> str:
    """The number, or ``< u`` when it is not larger than the uncertainty it is measured with."""
    if value is not None and uncertainty is not None and value <= uncertainty:
        return f"< {number(uncertainty)}"
    return number(value)
