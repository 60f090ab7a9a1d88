"""Readers of solutions that answer with numbers: compare, convergence, rank."""
