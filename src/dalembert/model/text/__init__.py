"""text: see README.md."""
