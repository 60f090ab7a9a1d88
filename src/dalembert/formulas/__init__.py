"""Formulas of the user, traced from NumPy-looking code, and what is derived from them.

node          the hash-consed graph                  variables    coordinates, parameters, time
expression    formulas with operators of numbers     simplify     operations, simplified
functions     sin, where, maximum, ...               graph        walks, substitution, hoisting
derivative    exact derivatives                      evaluate     interpreted evaluation
llvm          compilation                            text         printing
parser        text to formula                        packing      formulas as plain data
"""

from dalembert.formulas.derivative import directional, gradient, jacobian, time_derivative
from dalembert.formulas.evaluate import computed, evaluate
from dalembert.formulas.expression import Condition, Expression, constant, load, parameter
from dalembert.formulas.functions import maximum, minimum, where
from dalembert.formulas.graph import reachable, split_constant, substitute, symbols
from dalembert.formulas.text import to_text
from dalembert.formulas.variables import coordinates, parameters, time

__all__ = [
    "Condition",
    "Expression",
    "computed",
    "constant",
    "coordinates",
    "directional",
    "evaluate",
    "gradient",
    "jacobian",
    "load",
    "maximum",
    "minimum",
    "parameter",
    "parameters",
    "reachable",
    "split_constant",
    "substitute",
    "symbols",
    "time",
    "time_derivative",
    "to_text",
    "where",
]
