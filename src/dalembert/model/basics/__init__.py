"""basics: see README.md."""
