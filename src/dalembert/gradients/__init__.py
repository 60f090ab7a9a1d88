"""Exact derivatives of runs, and what is made of them: objectives, identification."""
