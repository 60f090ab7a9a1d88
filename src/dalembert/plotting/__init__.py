"""Figures of solutions and comparisons; the only folder that knows matplotlib."""
