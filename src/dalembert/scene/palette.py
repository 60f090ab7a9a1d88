"""Colours: calm, told apart with every common colour vision, on light and on dark ground."""

from __future__ import annotations

# Okabe & Ito, softened; grey and yellow left out, which vanish on one ground or the other.
BODIES = ("#4C86B8", "#D98A4B", "#4FA58A", "#B97AA5", "#7DB3D6", "#C9A24B", "#8C8CC0")

JOINT = "#5B6470"
GROUND = "#8A929C"
SPRING = "#C0504D"
LINE = "#7A828C"


def body_color(index: int) -> str:
    """Colour of the body with that number."""
    return BODIES[index % len(BODIES)]
