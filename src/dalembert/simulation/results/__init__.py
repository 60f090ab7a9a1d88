"""results: see README.md."""
