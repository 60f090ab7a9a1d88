"""Solvers of contacts that are given by their Delassus matrix W."""
