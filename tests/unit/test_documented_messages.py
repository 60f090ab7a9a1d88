"""The error messages that docs/how-to/write-a-model.md explains are those a user meets."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

import dalembert as dl

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-model.md"

x, y, z = dl.coordinates("x y z")
m, l, g = dl.parameters(m=1.0, l=1.0, g=9.81)
T = m * (x.dot**2 + y.dot**2) / 2


def model(*constraints, kinetic=T, **options):
    return dl.Model.from_lagrangian(kinetic=kinetic, constraints=constraints, **options)


def start(*constraints, **options):
    return dl.simulate(model(*constraints, **options), until=1.0, step=1e-2)


MISTAKES = (
    lambda: math.sin(x),
    lambda: 1 if x > 0 else 0,
    lambda: model(x**2 + y**2 == l**2),
    lambda: model(x <= 1),
    lambda: model("x**2 + y**2 - l**2"),
    lambda: model(kinetic=m * x.dot**2 / 2, potential=m * g * y),
    lambda: model(kinetic=T + abs(x.dot) ** 3),
    lambda: model(potential=m * x.dot),
    lambda: model(potential=dl.parameters(m=2.0)[0] * g * y),
    lambda: model(coordinates=[x, y], potential=z),
    lambda: model([x - 1, y.dot]),
    lambda: model(l - 1),
    lambda: dl.Inertia(1.0, [1, 1, 3]),
    lambda: start(kinetic=m * (x.dot + y.dot) ** 2 / 2),
    lambda: start(x**2 + y**2 - l**2, initial={x: 3.0}),
    lambda: start(x**2 + y**2 - l**2),
    lambda: start(x - dl.time**2, x - 2 * dl.time**2),
    lambda: start(potential=np.log(x)),
)


def documented() -> list[str]:
    text = PAGE.read_text().partition("| message (its beginning) |")[2]
    return re.findall(r"^\| `(.+?)` \|", text, re.MULTILINE)


def test_every_message_has_its_mistake():
    assert len(documented()) == len(MISTAKES)


@pytest.mark.parametrize(("message", "mistake"), list(zip(documented(), MISTAKES, strict=False)))
def test_message(message, mistake):
    pattern = ".*".join(re.escape(part) for part in message.split("..."))
    with pytest.raises(dl.errors.DalembertError, match=pattern):
        mistake()
