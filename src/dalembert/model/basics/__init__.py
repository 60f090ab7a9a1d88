"""Bodies, frames, inertias, rotations, and how input is read."""
