"""Bodies, frames, angles and formulas along a motion."""
