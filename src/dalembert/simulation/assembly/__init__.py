"""assembly: see README.md."""
