"""Messages in the language of who reads them: remedies in Python become those of files and shells.

Messages are written once, for Python. Whoever wrote a model file or a command is told what to do
there: `as_file` for YAML, JSON and TOML, `as_command` for options of commands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

Rule = tuple[str, str | Callable[[re.Match[str]], str]]


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _kebab(name: str) -> str:
    return _snake(name).replace("_", "-")


def _entry(found: re.Match[str]) -> str:
    """``dl.TorsionSpring(...)`` in a file."""
    return f"type: {_snake(found[1])}"


FILE: Sequence[Rule] = (
    (
        r"let them pass: model\.ignore_contact\b",
        "let them pass: contacts: [{pair: [a, b], ignore: true}]",
    ),
    (r"add_shape\(\.\.\., contact=False\)", "contact: false"),
    (r"^(Inertia(\.\w+)?|Limits|Material): ", ""),
    (r"such as body\.at\(x=0\.5\)", "{body: ..., at: [0.5, 0, 0]}"),
    (r"several names are separated by spaces", "several names are separated by commas"),
    (r"Make some with dl\.coordinates\('x y'\)", "List them: coordinates: [x, y]"),
    (r"Use dl\.coordinates\('x y'\)", "List it: coordinates: [x, y]"),
    (
        r"Write it in Python with dl\.coordinates and np functions, without quotes\.",
        "Write a formula of coordinates and parameters.",
    ),
    (
        r"Make it once with dl\.parameters and use that one; change it with with_parameters\.",
        "Give it once, under parameters.",
    ),
    (r"with model\.constrain\b", "under constraints"),
    (r"are given to model\.keep\b", "stand under keep"),
    (r"choose with dl\.where\b", "choose with where(condition, a, b)"),
    (r"parameters and dl\.time\b", "parameters and t"),
    (r"coordinates=\.\.\.", "coordinates: [...]"),
    (
        r"List coordinates in coordinates= and give values in parameters=\{name: value\}\.",
        "List coordinates under coordinates and values under parameters.",
    ),
    (r"Give a dl\.Inertia\b", "Give its inertia"),
    (r"dl\.Inertia\.(\w+)\(mass, (\w+)=\w+\)", r"inertia: {type: \1, \2: ...}"),
    (r"orientation='([\w-]+)'", r"orientation: \1"),
    (r"a dl\.Material\(\.\.\.\)", "a material"),
    (r"make (\S+) a dl\.([A-Z]\w+)", lambda found: f"give {found[1]} type: {_snake(found[2])}"),
    (r"a dl\.([A-Z]\w+)(?:\([^()]*\))?", lambda found: f"one of {_entry(found)}"),
    (r"\bdl\.([A-Z]\w+)(?:\([^()]*\))?", _entry),
    # options by themselves; arguments of a call are shown as they are
    (r"(?<!\w\()(?<!, )\b(\w+)=True\b", r"\1: true"),
    (r"(?<!\w\()(?<!, )\b(\w+)=False\b", r"\1: false"),
)
"""Remedies of models, and what they are in a file."""

COMMAND: Sequence[Rule] = (
    (r"^simulate: (rtol|atol) is ", r"--\1 is "),
    (r"^simulate: rtol and atol are", "--rtol and --atol are"),
    (r"^simulate: ", ""),
    (r"^save_html: ", "--html: "),
    (r"^(?:simulate: )?mode='events'", "--mode events"),
    (r"mode='(\w+)'", r"--mode \1"),
    (r"Leave `(step|mode|integrator|method)` out(?!, or give)", r"Leave --\1 out"),
    (r"\bGive step=\.\.\., in seconds", "Give --step, in seconds"),
    (r"\bTry rtol=([\d.e+-]*\d)", r"Try --rtol \1"),
    (r"\b(Try|Give) step=([\d.e+-]*\d)", r"\1 --step \2"),
    (
        r"Leave `step` out, or give first_step / max_step to the integrator",
        "Leave --step out, or give --integrator NAME:max_step=...",
    ),
    (r", raise initial_limit, or use dl\.assemble", ", or raise --initial-limit"),
    (r"raise initial_limit( of simulate)?", "raise --initial-limit"),
    (
        r": dl\.assemble\(model, velocities=\.\.\.\) finds them, or says which do not",
        " (`dalembert check` tells which do not)",
    ),
    (
        r" dl\.assemble\(model, velocities=\.\.\.\) finds speeds that go together\.",
        " Give speeds that go together.",
    ),
    (
        r"Find speeds that go together with dl\.assemble\(model, velocities=\.\.\.\)",
        "Give speeds that go together",
    ),
    (r", which dl\.assemble\(model\) finds, or leave it to them", ", or leave it to them"),
    (r"\bUse method=dl\.(\w+)\(\)", lambda found: f"Use --method {_kebab(found[1])}"),
    (r"Use dl\.(\w+)\(\)", lambda found: f"Use --method {_kebab(found[1])}"),
    (r"Simulate with dl\.(\w+)\(\)", lambda found: f"Run it with --method {_kebab(found[1])}"),
    (r"formulation='(\w+)'", r"--formulation \1"),
    (r'model\.set_initial\(\{"([^"]+)": (-?[\d.e+-]+)\}\)', r"--initial \1=\2"),
    (r"with model\.check\(\)", "with `dalembert check`"),
    (r"\(--overwrite, overwrite=True\)", "(--overwrite)"),
    (
        r"\bbase='floating' \(base: floating in a model file\)",
        "base=floating: `robot.urdf:base=floating`, or base: floating in a model file",
    ),
    (r"\bmassless=1e-3 \(kg", "`robot.urdf:massless=1e-3` (kg"),
    (
        r"dl\.resume\(path, controllers=\[\.\.\.\]\)",
        "from Python, dl.resume(path, controllers=[...])",
    ),
    (
        r"Tighten rtol and atol of the integrator by a factor of 100",
        "Tighten --integrator dormand-prince:rtol=...,atol=... by a factor of 100",
    ),
    (r"Give an object such as dl\.(\w+)\(\)", lambda found: f"Give for example {_kebab(found[1])}"),
)
"""Remedies of runs, and what they are on a command line."""


def as_file(message: str) -> str:
    """The message for who wrote a model file.

    Examples
    --------
    >>> as_file("If it is meant so, give doubtful=True.")
    'If it is meant so, give doubtful: true.'
    """
    return _said(message, FILE)


def as_command(message: str, names: Mapping[str, str] | None = None) -> str:
    """The message for who wrote a command; `names` of classes on the command line.

    Examples
    --------
    >>> as_command("simulate: RK4 needs a fixed step. Give step=..., in seconds.", {"RK4": "rk4"})
    'rk4 needs a fixed step. Give --step, in seconds.'
    """
    said = _said(message, COMMAND)
    for name, word in (names or {}).items():
        said = re.sub(rf"(?<![\w.'-]){name}(?![\w'(=-])", word, said)
    return said


def _said(message: str, rules: Sequence[Rule]) -> str:
    for pattern, words in rules:
        message = re.sub(pattern, words, message)
    return message
