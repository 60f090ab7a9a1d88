"""check: see README.md."""
