"""`export_c`: a model as stand-alone C code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dalembert.errors import OptionError
from dalembert.export.model_text import Exported

CORRECTIONS, STALLED = 12, 32.0
"""Corrections behind a step, and the residual that counts as rounding where they gain no more, of
`gradients.kernels`."""


def export_c(
    model: Any,
    folder: Any,
    *,
    name: str | None = None,
    inputs: Sequence[Any] = (),
    outputs: Any = (),
    parameters: Sequence[Any] | None = None,
) -> tuple[Path, Path]:
    """Write a model as C code: state in, derivative out. Nothing but `math.h` is needed.

    Parameters
    ----------
    folder : where NAME.h and NAME.c are written; it is made if it is not there
    name : beginning of all names in the code; by default that of the model
    inputs : parameters and actuators that are arguments `u`
    outputs : formulas and names of signals, for NAME_outputs
    parameters : those that are arguments `p`, masses and lengths of bodies, too; by default all of
        a model of formulas, none of bodies

    Returns
    -------
    (header, code)          paths

    Raises
    ------
    OptionError             contact, stops, brakes, dry friction: there is no formula of them

    Examples
    --------
    >>> import dalembert as dl, tempfile
    >>> header, code = dl.export_c(dl.catalog.load("double-pendulum"), tempfile.mkdtemp())
    >>> code.name
    'double_pendulum.c'
    """
    word = identifier(name or getattr(model, "name", None) or "model")
    made = Exported("export_c", model, inputs, outputs, parameters)
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    header, code = place / f"{word}.h", place / f"{word}.c"
    header.write_text(header_text(made, word), encoding="utf-8")
    code.write_text(code_text(made, word), encoding="utf-8")
    return header, code


def identifier(name: str) -> str:
    """A name that C allows."""
    word = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower()
    if not word:
        raise OptionError(f"export: {name!r} gives no name in C. Give name='...' in letters.")
    return word if not word[0].isdigit() else f"m{word}"


def header_text(made: Exported, word: str) -> str:
    """The header: sizes, names and functions."""
    big = word.upper()

    def names(what: str, given: Sequence[str]) -> list[str]:
        return [f"   {what}[{k}] {one}" for k, one in enumerate(given)]

    return "\n".join(
        [
            f"/* {word}: equations of motion, written by dalembert. SI units, radians.",
            *names("x", made.states),
            *names("u", made.inputs),
            *names("p", made.parameters),
            *names("y", made.outputs),
            "   Functions return 0, or 1 where a position is singular. */",
            f"#ifndef {big}_H",
            f"#define {big}_H",
            f"#define {big}_NX {len(made.states)}",
            f"#define {big}_NU {len(made.inputs)}",
            f"#define {big}_NP {len(made.parameters)}",
            f"#define {big}_NY {len(made.outputs)}",
            f"extern const double {word}_start[]; /* the start of the model */",
            f"extern const double {word}_inputs[]; /* inputs of the model itself */",
            f"extern const double {word}_parameters[]; /* parameters of the model itself */",
            "/* xdot = f(t, x, u, p) */",
            f"int {word}_rates(double t, const double *x, const double *u, const double *p,"
            " double *xdot);",
            "/* y = g(t, x, u, p) */",
            f"int {word}_outputs(double t, const double *x, const double *u, const double *p,"
            " double *y);",
            "/* one step of RK4 of length h, with constraints closed behind it; x is changed */",
            f"int {word}_step(double t, double h, double *x, const double *u, const double *p);",
            "/* the state x put on the constraints, where parameters were changed */",
            f"int {word}_close(double t, double *x, const double *u, const double *p);",
            "#endif",
            "",
        ]
    )


def code_text(made: Exported, word: str) -> str:
    """The code."""
    states = len(made.states)
    parts = [
        f'#include "{word}.h"',
        "#include <math.h>",
        "",
        _numbers(f"{word}_start", made.start),
        _numbers(f"{word}_inputs", made.input_values),
        _numbers(f"{word}_parameters", made.values),
        _function(f"int {word}_rates(double t, ", "double *xdot", made.rates()),
        _function(f"int {word}_outputs(double t, ", "double *y", made.signals()),
        _function("static int move(double t, double h, ", "double *y", made.step()),
        _function("static int close(double t, ", "double *y", made.closing()),
        STEP.replace("WORD", word)
        .replace("STATES", str(states))
        .replace("CORRECTIONS", str(CORRECTIONS))
        .replace("STALLED", repr(STALLED))
        .replace("ROWS", str(len(made.traced.phi_dot))),
    ]
    return "\n".join(parts)


def _numbers(name: str, values: Sequence[float]) -> str:
    shown = ", ".join(repr(float(x)) for x in values) or "0.0"
    return f"const double {name}[] = {{{shown}}};"


def _function(head: str, out: str, lines: Sequence[str]) -> str:
    """A function; a model in which nothing is free reads and writes nothing."""
    arguments = f"const double *x, const double *u, const double *p, {out})"
    names = re.findall(r"(\w+)[,)]", head + arguments)
    quiet = " ".join(f"(void){name};" for name in names)
    return "\n".join(
        [f"{head}{arguments}", "{", f"    {quiet}", *(f"    {x}" for x in lines), "}", ""]
    )


STEP = """int WORD_close(double t, double *x, const double *u, const double *p)
{
    double y[STATES + 1], last = INFINITY;
    int k, i;
    for (k = 0; k < CORRECTIONS && ROWS > 0; k++) {
        close(t, x, u, p, y);
        if (y[STATES] <= 1.0) return 0;
        if (!(y[STATES] < 0.5 * last)) return y[STATES] <= STALLED ? 0 : 1;
        last = y[STATES];
        for (i = 0; i < STATES; i++) x[i] = y[i];
    }
    return ROWS > 0 ? 1 : 0;
}

int WORD_step(double t, double h, double *x, const double *u, const double *p)
{
    double y[STATES + 1];
    int status = move(t, h, x, u, p, y), i;
    if (status) return status;
    for (i = 0; i < STATES; i++) x[i] = y[i];
    return WORD_close(t + h, x, u, p);
}
"""
