"""modelDescription.xml of an FMU, for FMI 2.0 and 3.0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from dalembert.export.model_text import Exported

BUILD = """<?xml version="1.0" encoding="UTF-8"?>
<fmiBuildDescription fmiVersion="3.0">
<BuildConfiguration modelIdentifier="WORD">
<SourceFileSet language="C99">
<SourceFile name="WORD.c"/>
<SourceFile name="fmi3.c"/>
</SourceFileSet>
</BuildConfiguration>
</fmiBuildDescription>
"""
"""buildDescription.xml of FMI 3.0; WORD is filled in."""


@dataclass(frozen=True)
class Variable:
    """A variable of an FMU; its reference is its number."""

    name: str
    causality: str
    start: float | None = None

    @property
    def variability(self) -> str:
        """How it changes."""
        return "fixed" if self.causality == "parameter" else "continuous"

    @property
    def attributes(self) -> str:
        """Attributes of both versions, the reference aside."""
        return f'causality="{self.causality}" variability="{self.variability}"'


def variables(made: Exported) -> list[Variable]:
    """Inputs, parameters, outputs, states, in this order, with different names."""
    found: list[Variable] = []
    taken: set[str] = set()

    def add(
        names: Sequence[str], values: Sequence[float] | None, causality: str, kind: str
    ) -> None:
        for k, name in enumerate(names):
            label = name if name not in taken else f"{name} ({kind})"
            taken.add(label)
            found.append(Variable(label, causality, None if values is None else float(values[k])))

    add(made.inputs, made.input_values, "input", "input")
    add(made.parameters, made.values, "parameter", "parameter")
    add(made.outputs, None, "output", "output")
    add(made.states, None, "output", "state")
    return found


def description(made: Exported, word: str, step: float, mark: str, fmi: str) -> str:
    """The text of modelDescription.xml."""
    known = variables(made)
    lines = _lines_2(known, word, mark) if fmi == "2.0" else _lines_3(known, word, mark)
    common = [
        f'<CoSimulation modelIdentifier="{word}" canHandleVariableCommunicationStepSize="true"/>',
        f'<DefaultExperiment startTime="0" stepSize="{step!r}"/>',
    ]
    head, *rest = lines
    return "\n".join(
        ['<?xml version="1.0" encoding="UTF-8"?>', head, *common, *rest, "</fmiModelDescription>\n"]
    )


def _head(fmi: str, word: str, mark: str, more: str = "") -> str:
    return (
        f'<fmiModelDescription fmiVersion="{fmi}" modelName={quoteattr(word)} {mark}'
        f' generationTool="dalembert" variableNamingConvention="flat"{more}>'
    )


def _lines_2(known: Sequence[Variable], word: str, mark: str) -> list[str]:
    lines = [_head("2.0", word, f'guid="{mark}"', ' numberOfEventIndicators="0"')]
    lines.append("<ModelVariables>")
    for number, one in enumerate(known):
        value = "<Real/>" if one.start is None else f'<Real start="{one.start!r}"/>'
        lines.append(
            f'<ScalarVariable name={quoteattr(one.name)} valueReference="{number}"'
            f" {one.attributes}>{value}</ScalarVariable>"
        )
    outputs = [k + 1 for k, one in enumerate(known) if one.causality == "output"]
    shown = "".join(f'<Unknown index="{k}"/>' for k in outputs)
    lines.append("</ModelVariables>")
    lines.append(
        f"<ModelStructure><Outputs>{shown}</Outputs><InitialUnknowns>{shown}</InitialUnknowns>"
        "</ModelStructure>"
    )
    return lines


def _lines_3(known: Sequence[Variable], word: str, mark: str) -> list[str]:
    names = {one.name for one in known}
    clock = "time" if "time" not in names else "time (independent)"
    lines = [_head("3.0", word, f'instantiationToken="{mark}"'), "<ModelVariables>"]
    for number, one in enumerate([*known, Variable(clock, "independent")]):
        value = "" if one.start is None else f' start="{one.start!r}"'
        own = f'name={quoteattr(one.name)} valueReference="{number}"'
        lines.append(f"<Float64 {own} {one.attributes}{value}/>")
    lines += ["</ModelVariables>", "<ModelStructure>"]
    outputs = [k for k, one in enumerate(known) if one.causality == "output"]
    lines += [f'<Output valueReference="{k}"/>' for k in outputs]
    lines += [f'<InitialUnknown valueReference="{k}"/>' for k in outputs]
    return [*lines, "</ModelStructure>"]
