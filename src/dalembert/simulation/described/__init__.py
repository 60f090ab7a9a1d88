"""A run as plain data: tables of JSON and arrays, read without running anything.

    classes    which of them does a file hold (`classes`, the only ones that may be in one)
    values     numbers, texts, tuples, references to formulas and objects (`writing`, `reading`)
    types      a field against its annotation (`types`)
    checks     what a constructor would have refused (`checks`)

A description is written by `encode` and read by `decode`. Formulas stand in one table in the order
in which they were made, so that sums keep their order and shared parts are shared: equations built
from them again are the same to the bit. Objects are made empty and their declared fields set; no
name in a file is ever looked up but in the table of declared classes.
"""

from dalembert.simulation.described.reading import decode
from dalembert.simulation.described.writing import NotDeclaredError, encode, is_declared

__all__ = ["NotDeclaredError", "decode", "encode", "is_declared"]
