"""Errors and doubts at the start of a model."""
