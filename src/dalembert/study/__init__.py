"""Studies: one model, many runs, one table."""
