"""One step with contact."""
