"""Cost of an exact gradient by the way back, in forward runs.

    .venv/bin/python benchmarks/adjoint.py

A forward run is the very same traced run without derivative: start closed, same steps, same
events, outputs looked at. A gradient is that run and the way back through it. Both are taken
in turns, in processor time; the ratio is that of the best of each. Operations are counted, too:
those of one step, forth and back.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from tables import table, text, write_csv

import dalembert as dl
from dalembert.gradients.prepared import Prepared

ROUNDS = 15
COLUMNS = ("model", "parameters", "operations", "in_operations", "run_ms", "in_time")


def springs(n: int) -> tuple[Any, ...]:
    """Masses on nonlinear springs, formulas."""
    q = dl.coordinates("q", n)
    k = dl.parameters(**{f"k{i}": 10.0 + i for i in range(n)})
    m = dl.parameters(**{f"m{i}": 1.0 + 0.1 * i for i in range(n)})
    gaps = [q[0], *(q[i] - q[i - 1] for i in range(1, n))]
    model = dl.Model.from_lagrangian(
        coordinates=list(q),
        kinetic=sum(a * x.dot**2 / 2 for a, x in zip(m, q, strict=True)),
        potential=sum(a * x**2 / 2 + 0.1 * x**4 for a, x in zip(k, gaps, strict=True)),
        initial={q[0]: 0.5},
    )
    return model, [q[-1]], [x.name for x in (*k, *m)], {}


def arm(n: int) -> tuple[Any, ...]:
    """Rods on hinges about two axes in turn: a tree."""
    model = dl.Model("arm")
    end, names = model.world.at(), []
    for i in range(n):
        length, mass = dl.parameters(**{f"l{i}": 0.5 + 0.03 * i, f"m{i}": 1.0 + 0.1 * i})
        rod = model.add_body(f"rod{i}", dl.Inertia.rod(mass, length=length))
        axis, at = "yz"[i % 2], rod.at(x=-length / 2)
        model.add_joint(dl.Revolute(end, at, axis=axis, name=f"j{i}", initial=0.3))
        end = rod.at(x=length / 2)
        names += [length.name, mass.name]
    return model, [f"j{n - 1}.angle"], names, {}


def balls(n: int) -> tuple[Any, ...]:
    """Boxes on ball joints: a tree with quaternions."""
    model = dl.Model("balls")
    end, names = model.world.at(), []
    for i in range(n):
        length, mass = dl.parameters(**{f"l{i}": 0.5 + 0.03 * i, f"m{i}": 1.0 + 0.1 * i})
        box = model.add_body(f"box{i}", dl.Inertia.box(mass, size=(0.1, 0.2, length)))
        model.add_joint(dl.Spherical(end, box.at(x=0.1, z=length / 2), name=f"j{i}"))
        end = box.at(z=-length / 2)
        names += [length.name, mass.name]
    return model, [box.at().position[0]], names, {}


def four_bar_of_formulas() -> tuple[Any, ...]:
    """A loop of formulas."""
    a, b, c = dl.coordinates("a b c")
    A, B, C, G, m = dl.parameters(A=0.4, B=1.0, C=0.8, G=1.0, m=1.0)

    def along(x: Any) -> Any:
        return np.array([np.cos(x), np.sin(x)])

    pin, pivot = A * along(a), np.array([G, 0])
    places = [pin / 2, pin + B / 2 * along(b), pivot + C / 2 * along(c)]
    bodies = [
        dl.PlanarBody(m, m * size**2 / 12, position=place, angle=x)
        for size, place, x in zip((A, B, C), places, (a, b, c), strict=True)
    ]
    model = dl.Model.from_map(
        bodies=bodies,
        coordinates=[a, b, c],
        gravity=(0, -9.81),
        constraints={"loop": list(pin + B * along(b) - pivot - C * along(c))},
        initial={a: 1.0, b: 0.4, c: 1.5},
    )
    return model, [c], ["A", "B", "C", "G", "m"], {"hold": ["a"]}


def four_bar_of_bodies() -> tuple[Any, ...]:
    """A loop of bodies on the tree of their hinges."""
    A, B, C, G, m = dl.parameters(A=0.4, B=1.0, C=0.7, G=1.0, m=1.0)
    model = dl.Model("four-bar", gravity=(0, 0, -9.81))
    crank = model.add_body("crank", dl.Inertia.rod(m, length=A))
    coupler = model.add_body("coupler", dl.Inertia.rod(m, length=B))
    rocker = model.add_body("rocker", dl.Inertia.rod(m, length=C))
    start = dl.Revolute(model.world, crank.at(x=-A / 2), axis="y", initial=-np.pi / 2, name="a")
    model.add_joint(start)
    pin = crank.at(x=A / 2), coupler.at(x=-B / 2)
    model.add_joint(dl.Revolute(*pin, axis="y", initial=1.267661551, name="b"))
    pivot = model.world.at(x=G), rocker.at(x=-C / 2)
    model.add_joint(dl.Revolute(*pivot, axis="y", initial=-1.6359776, name="c"))
    model.add_joint(dl.Revolute(coupler.at(x=B / 2), rocker.at(x=C / 2), axis="y", name="loop"))
    return model, ["c.angle"], ["A", "B", "C", "G", "m"], {"hold": ["a.angle"]}


def bounces() -> tuple[Any, ...]:
    """A ball that is thrown back by a slope, with drag: located impacts."""
    x, y = dl.coordinates("x y")
    e, k, m, s = dl.parameters(e=0.8, k=0.1, m=1.5, s=0.2)
    model = dl.Model.from_lagrangian(
        coordinates=[x, y],
        kinetic=m * (x.dot**2 + y.dot**2) / 2,
        potential=m * 9.81 * y,
        dissipation=k * (x.dot**2 + y.dot**2) / 2,
        initial={y: 0.4, x.dot: 0.5},
    )
    model.keep(y >= s * x - 0.1, name="floor", restitution=e)
    return model, [y], ["e", "k", "m", "s"], {}


def stiff(n: int) -> tuple[Any, ...]:
    """The springs with stages that are solved for."""
    return *springs(n)[:3], {"integrator": dl.RadauIIA()}


MODELS: dict[str, Callable[[], tuple[Any, ...]]] = {
    "2 springs": lambda: springs(2),
    "20 springs": lambda: springs(20),
    "tree of 2 rods": lambda: arm(2),
    "tree of 4 rods": lambda: arm(4),
    "tree of 7 rods": lambda: arm(7),
    "2 boxes on balls": lambda: balls(2),
    "loop of formulas": four_bar_of_formulas,
    "loop of bodies": four_bar_of_bodies,
    "bounces": bounces,
    "4 springs, RadauIIA": lambda: stiff(4),
}


def measure(name: str, until: float = 1.5, step: float = 1e-3) -> dict[str, Any]:
    """One row: the cost of a gradient of one model."""
    model, outputs, wanted, rest = MODELS[name]()
    made = Prepared("adjoint", model, outputs, wanted, **rest)
    point, samples = made.own_point, np.array([until])

    def gradient() -> Any:
        run, first = made.run(point, samples, step, back=True)
        weights = np.ones(run.values.shape)
        return run.adjoints(weights, made.variables, made.places, first.slopes())

    gradient()
    taken: tuple[list[float], list[float]] = [], []
    for _ in range(ROUNDS):
        for function, times in zip(
            (lambda: made.run(point, samples, step), gradient), taken, strict=True
        ):
            begin = time.process_time()
            function()
            times.append(time.process_time() - begin)
    run, whole = (min(times) for times in taken)
    forth, back = made.flow.operations()
    counted = (forth, 1 + back / forth) if not made.flow.stages else ("", "")  # solved for
    row = name, len(wanted), *counted, 1e3 * run, whole / run
    return dict(zip(COLUMNS, row, strict=True))


def main() -> None:
    rows = [measure(name) for name in MODELS]
    print(table(COLUMNS, [tuple(text(row[c]) for c in COLUMNS) for row in rows]))
    write_csv("adjoint", COLUMNS, rows)


if __name__ == "__main__":
    main()
