"""Programs that give the same bits on every machine: no fused operations, no library of a system.

The text of a program is changed before it is optimised. Products and sums are rounded one by one,
and sine, logarithm and the like are kernels of the package (`numerics.elementary`), linked with it.
WebAssembly is made from such programs; `DALEMBERT_PORTABLE=1` makes all machine code so.
"""

from __future__ import annotations

import functools
import importlib
import os
import re
from typing import Any

from dalembert._translate.kinds import FLOAT
from dalembert._translate.program import Program

PORTABLE = os.environ.get("DALEMBERT_PORTABLE", "0") == "1"
"""True: compiled code of this process gives the same bits on every machine."""

MARK = " portable" if PORTABLE else ""
"""End of the keys of kept machine code."""

_HOME = "dalembert.numerics.elementary"

_OWN = {
    "llvm.sin.f64": "sine",
    "llvm.cos.f64": "cosine",
    "llvm.exp.f64": "exponential",
    "llvm.log.f64": "logarithm",
    "llvm.pow.f64": "power",
    "tan": "tangent",
    "asin": "arcsine",
    "acos": "arccosine",
    "atan": "arctangent",
    "atan2": "arctangent_of",
    "hypot": "hypotenuse",
    "sinh": "hyperbolic_sine",
    "cosh": "hyperbolic_cosine",
    "tanh": "hyperbolic_tangent",
}
"""Functions of libraries, and the kernels that take their places."""

_BOTH, _PAIR = "llvm.sincos.f64", "{double, double}"
_NAME = re.compile("|".join(f"@{re.escape(name)}(?=\\()" for name in (*_OWN, _BOTH)))
_CONTRACT = re.compile(r"\b(fadd|fsub|fmul|fdiv|fneg|call) contract ")


def parsed(program: str, machine: Any, *, own: bool = PORTABLE) -> Any:
    """The module of a program for a machine, in a context of its own.

    With `own` its operations are rounded one by one, and its functions are those of the package.
    """
    from llvmlite import binding

    context = binding.create_context()
    text = portable(program) if own else program
    module = binding.parse_assembly(text, context)
    if own and "@own." in text:
        module.link_in(binding.parse_assembly(_functions(), context))
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    return module


def portable(program: str) -> str:
    """The program with operations rounded one by one and calls of functions of the package."""
    return _NAME.sub(lambda found: f"@own.{found[0][1:]}", _CONTRACT.sub(r"\1 ", program))


@functools.cache
def _functions() -> str:
    """Texts of all functions there are; what is not called is not linked."""
    home = importlib.import_module(_HOME)
    program = Program(checked=False, whole=True)
    door = []
    for called, own in _OWN.items():
        function = getattr(home, own).function
        count = function.__code__.co_argcount
        name, _ = program.instance(function, (FLOAT,) * count)
        head = ", ".join(f"double %x{i}" for i in range(count))
        door += [
            f"define linkonce_odr double @own.{called}({head}) nounwind {{",
            f"  %y = call double @{name}({head})",
            "  ret double %y",
            "}",
        ]
    both, _ = program.instance(home.sine_and_cosine.function, (FLOAT,))
    door += [
        f"define linkonce_odr {_PAIR} @own.{_BOTH}(double %x) nounwind {{",
        f"  %y = call {_PAIR} @{both}(double %x)",
        f"  ret {_PAIR} %y",
        "}",
    ]
    return _CONTRACT.sub(r"\1 ", program.text(door))
