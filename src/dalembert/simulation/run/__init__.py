"""run: see README.md."""
