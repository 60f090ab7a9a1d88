"""Memory of a run with contact."""
