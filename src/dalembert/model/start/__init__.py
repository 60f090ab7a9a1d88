"""start: see README.md."""
