"""Runs in which something is done at events."""
