"""Many worlds of one model at once."""
