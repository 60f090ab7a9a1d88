"""`export_fmu`: a model as a functional mock-up unit for co-simulation, FMI 2.0."""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from dalembert.errors import OptionError
from dalembert.export.c_code import code_text, header_text, identifier
from dalembert.export.fmi_text import INTERFACE
from dalembert.export.model_text import Exported


def export_fmu(
    model: Any,
    path: Any,
    *,
    step: float,
    name: str | None = None,
    inputs: Sequence[Any] = (),
    outputs: Any = (),
    parameters: Sequence[Any] | None = None,
) -> Path:
    """Write a model as an FMU for co-simulation (FMI 2.0), compiled by the system's C compiler.

    Parameters
    ----------
    path : of the file, NAME.fmu
    step : float            longest step within a communication step: RK4, constraints closed  [s]
    inputs, outputs, parameters : as in `export_c`; states are outputs anyway

    Returns
    -------
    Path

    Raises
    ------
    OptionError             there is no C compiler; a model that `export_c` refuses
    """
    who = "export_fmu"
    if isinstance(step, bool) or not isinstance(step, int | float) or not 0 < step < float("inf"):
        raise OptionError(f"{who}: step is {step!r}. Give a length of time, for example 1e-3.")
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise OptionError(
            f"{who}: there is no C compiler (cc, gcc or clang). Install one; dl.export_c writes the"
            " code without."
        )
    word = identifier(name or getattr(model, "name", None) or "model")
    made = Exported(who, model, inputs, outputs, parameters)
    header, code = header_text(made, word), code_text(made, word)
    mark = hashlib.sha256((header + code + repr(step)).encode()).hexdigest()[:32]
    interface = _interface(made, word, float(step), mark)
    place = Path(path)
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder)
        for file, text in ((f"{word}.h", header), (f"{word}.c", code), ("fmi2.c", interface)):
            (sources / file).write_text(text, encoding="utf-8")
        library = sources / f"{word}{_ending()}"
        _compile(compiler, sources, word, library)
        place.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("modelDescription.xml", description(made, word, float(step), mark))
            archive.write(library, f"binaries/{_platform()}/{word}{_ending()}")
            for file in (f"{word}.h", f"{word}.c", "fmi2.c"):
                archive.write(sources / file, f"sources/{file}")
    return place


def _compile(compiler: str, folder: Path, word: str, library: Path) -> None:
    command = [compiler, "-O2", "-std=c99", "-fPIC", "-shared", "-o", str(library)]
    done = subprocess.run(
        [*command, f"{word}.c", "fmi2.c", "-lm"], cwd=folder, capture_output=True, text=True
    )
    if done.returncode:
        raise OptionError(f"export_fmu: {compiler} does not compile the code: {done.stderr[:500]}")


def _platform() -> str:
    system = {"Linux": "linux", "Darwin": "darwin", "Windows": "win"}[platform.system()]
    return system + ("64" if platform.architecture()[0] == "64bit" else "32")


def _ending() -> str:
    return {"Linux": ".so", "Darwin": ".dylib", "Windows": ".dll"}[platform.system()]


def _interface(made: Exported, word: str, step: float, mark: str) -> str:
    text = INTERFACE.replace("WORD", word).replace("GUID", mark).replace("LONGEST", repr(step))
    for key, given in (
        ("NX", made.states),
        ("NU", made.inputs),
        ("NP", made.parameters),
        ("NY", made.outputs),
    ):
        text = text.replace(f"@{key}@", str(len(given)))
    return text


def description(made: Exported, word: str, step: float, mark: str) -> str:
    """modelDescription.xml; references: inputs, parameters, outputs, states, in this order."""
    lines, number = [], 0
    outputs: list[int] = []
    taken: set[str] = set()

    def add(given: Sequence[str], values: Sequence[float], *, kind: str, ending: str = "") -> None:
        nonlocal number
        for k, one in enumerate(given):
            label = one if one not in taken else f"{one}{ending}"
            taken.add(label)
            head = (
                f"<ScalarVariable name={quoteattr(label)} valueReference={quoteattr(str(number))}"
            )
            if kind == "output":
                outputs.append(number + 1)
                lines.append(f'{head} causality="output" variability="continuous"><Real/>')
            else:
                how = "continuous" if kind == "input" else "fixed"
                first = f'<Real start="{float(values[k])!r}"/>'
                lines.append(f'{head} causality="{kind}" variability="{how}">{first}')
            lines[-1] += "</ScalarVariable>"
            number += 1

    add(made.inputs, made.input_values, kind="input")
    add(made.parameters, made.values, kind="parameter", ending=" (parameter)")
    add(made.outputs, [], kind="output", ending=" (output)")
    add(made.states, [], kind="output", ending=" (state)")
    shown = "".join(f'<Unknown index="{k}"/>' for k in outputs)
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<fmiModelDescription fmiVersion="2.0" modelName={quoteattr(word)} guid="{mark}"'
            ' generationTool="dalembert" variableNamingConvention="flat"'
            ' numberOfEventIndicators="0">',
            f'<CoSimulation modelIdentifier="{word}"'
            ' canHandleVariableCommunicationStepSize="true"/>',
            f'<DefaultExperiment startTime="0" stepSize="{step!r}"/>',
            "<ModelVariables>",
            *lines,
            "</ModelVariables>",
            f"<ModelStructure><Outputs>{shown}</Outputs><InitialUnknowns>{shown}"
            "</InitialUnknowns></ModelStructure>",
            "</fmiModelDescription>",
            "",
        ]
    )
