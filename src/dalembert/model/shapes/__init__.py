"""shapes: see README.md."""
