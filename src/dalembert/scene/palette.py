"""Colours: calm, told apart with every common colour vision, on light and on dark ground."""

from __future__ import annotations

# After Okabe & Ito, softened; grey and pale yellow left out, which vanish on one of the grounds.
BODIES = ("#4C86B8", "#D98A4B", "#4FA58A", "#B97AA5", "#7DB3D6", "#C9A24B", "#8C8CC0")

JOINT = "#4A525C"
RAIL = "#9AA2AC"
GROUND = "#7A828C"
SPRING = "#C0504D"
BAR = "#4C86B8"
LINE = "#7A828C"


def body_color(index: int) -> str:
    """Colour of the body with that number."""
    return BODIES[index % len(BODIES)]
