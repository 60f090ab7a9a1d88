"""The log of a run with events, entry by entry."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Happening:
    """One thing that happened.

    Attributes
    ----------
    t : float           moment  [s]
    kind : str          "impact"; "close", "open", "stick", "slip", "reverse": what a contact does
                        from here on; "rest": impacts that came ever faster have ended; "jam": an
                        impact without collision; "stepping": steps with impulses from here on;
                        of actions: "release", "engage", "set"
    contact : str       name of the stop, or of the two shapes that touch, and ", spin" or
                        ", rolling" behind it where it is their resistance to that which holds
                        ("stick") or is overcome ("slip"); of what is released, engaged or set
    law : str           law of restitution of an impact; else ""
    before, after : float   normal velocity  [m/s]; speed of the rows that engage; values that are
                        set
    impulse : float     along the normal, or of the rows that engage  [N s]
    point : int         which of the points in which two shapes touch
    """

    t: float
    kind: str
    contact: str
    law: str = ""
    before: float = 0.0
    after: float = 0.0
    impulse: float = 0.0
    point: int = 0
