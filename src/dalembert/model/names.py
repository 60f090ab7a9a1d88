"""Names a user gave, and the nearest one when there is none such."""

from __future__ import annotations

import difflib
from collections.abc import Sequence


def nearest(given: str, known: Sequence[str]) -> str:
    """End of a sentence: the nearest known name, or all of them when they are few."""
    if not known:
        return " (there are none)."
    close = difflib.get_close_matches(given, known, n=1, cutoff=0.5)
    if close:
        return f"; did you mean '{close[0]}'?"
    return f" (known: {', '.join(known)})." if 0 < len(known) <= 12 else "."
