"""Solvers for comparison: they keep other laws, or converge slowly."""
