"""Model files with random damage: a model comes out, or an error with a name; never a traceback.

The damage is seeded: the same files every time. `MUTANTS=5000` in the environment makes more.
"""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest

from dalembert.cli.models import load_model
from dalembert.errors import DalembertError
from dalembert.model import Model

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))
COUNT = int(os.environ.get("MUTANTS", "60"))
"""Damaged copies of each example."""

LONGEST = 30
"""Seconds after which a file counts as endless; an ordinary one takes milliseconds."""

TOKENS = (
    *("{", "}", "[", "]", "(", ")", ":", ": ", ", ", "- ", "#", "'", '"', "&a ", "*a", "!x ", "|"),
    *("\t", "\n", "\r", "\\", "%", "@", "`", "~", "null", "true", "yes", ".nan", ".inf", "1e999"),
    *("-1", "0", "1e-320", "1/0", "x.dot", "t", "pi", "where(", "sqrt(-1)", "**", "x**x", "ship"),
    *("world", "type", "é", "\u2028", "\ufeff", "0x1F", "1_000", "<<", "? ", "--- ", "...\n"),
)


def mutant(text: str, dice: random.Random) -> str:
    """The text after one to four accidents."""
    for _ in range(dice.randint(1, 4)):
        lines = text.splitlines(keepends=True) or [""]
        i, j = dice.randrange(len(lines)), dice.randrange(len(lines))
        at = dice.randrange(len(text) + 1)
        kind = dice.randrange(10)
        if kind == 0:
            del lines[i]
        elif kind == 1:
            lines.insert(j, lines[i])
        elif kind == 2:
            lines[i], lines[j] = lines[j], lines[i]
        elif kind == 3:
            lines[i] = " " * dice.randint(0, 6) + lines[i].lstrip()
        elif kind == 4:
            words = text.split()
            lines[i] = lines[i].replace(dice.choice(words), dice.choice(words), 1)
        elif kind == 5:
            lines[i] = lines[i].replace(dice.choice("0123456789.-+*/:,[]{}()"), "", 1)
        if kind <= 5:
            text = "".join(lines)
        elif kind == 6:
            text = text[:at] + text[at + dice.randint(1, 20) :]
        elif kind == 7:
            text = text[:at] + dice.choice(TOKENS) + text[at:]
        elif kind == 8:
            text = text[:at] + dice.choice(TOKENS) + text[at + 1 :]
        else:
            text = text[:at] + chr(dice.randrange(1, 400)) + text[at:]
    return text


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_damaged_files(example, tmp_path):
    dice = random.Random(example.name)
    original = example.read_text()
    path = tmp_path / example.name
    loaded, messages = 0, []

    def endless(number, frame):
        pytest.fail(f"endless: {path.read_text()!r}")

    signal.signal(signal.SIGALRM, endless)
    for _ in range(COUNT):
        path.write_text(mutant(original, dice), encoding="utf-8", newline="")
        signal.alarm(LONGEST)
        try:
            model = load_model(str(path))
            assert isinstance(model, Model)
            loaded += 1
            model.check()
        except DalembertError as problem:
            messages.append(str(problem))
        except Exception as problem:
            pytest.fail(f"{type(problem).__name__}: {problem}\n{path.read_text()}")
        finally:
            signal.alarm(0)
    assert loaded > COUNT // 20  # otherwise nothing but the first line of damage was tested
    assert len(messages) > COUNT // 4
    assert all(messages)
    assert not [m for m in messages if "Input should" in m]  # words of the schema, not of a person
