"""The contact solvers."""
