"""The scene `leg`: a leg like Cassie's with its two loops, released on its springs, beside MuJoCo.

The mechanism is the catalog's `cassie-leg` with springs in place of the motors; the same bodies,
hinges, springs and dampers are written out as MJCF, the rods' ends as `equality/connect`.
"""

from __future__ import annotations

import inspect
import math
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from asking import ask_peer
from tables import Row, table, text, write_csv

STEP, UNTIL, CHECK, EVERY = 1e-3, 60.0, 1.0, 20  # [s], [s], [s], steps
OPTIONS = {"driven": False}
POINT = "toe"

COLUMNS = (
    *("engine", "version", "variant", "us_per_step", "steps_per_s", "error", "worst_phi"),
    *("energy", "note"),
)
HEADINGS = ("", "", "", "us/step", "steps/s", "error at 1 s [m]", "|phi| [m]", "energy [J]", "")


def load() -> Any:
    """The model here."""
    import dalembert as dl

    return dl.catalog.load("cassie-leg", **OPTIONS)


# -- the same mechanism for MuJoCo -----------------------------------------------------------------


def numbers(values: Any) -> str:
    """Without rounding."""
    return " ".join(repr(float(x)) for x in values)


def mjcf(model: Any) -> str:
    """Bodies nested as the tree has them; all frames are parallel to the world's at the start."""
    import dalembert as dl
    from dalembert.catalog.cassie_leg import TOE

    tree = dl.Tree(model)
    places = {name: p for name, (p, *_) in model.placement().items()} | {"world": np.zeros(3)}
    children: dict[str, list[Any]] = {}
    for edge in tree.joints:
        children.setdefault(edge.parent, []).append(edge)

    site = f'<site name="{POINT}" pos="{numbers(TOE - places["foot_link"])}"/>'

    def body(edge: Any) -> str:
        name = edge.body
        inertia = model.bodies[name].inertia
        moments = [
            inertia.matrix[i][j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        ]
        inner = "".join(body(child) for child in children.get(name, ()))
        return (
            f'<body name="{name}" pos="{numbers(places[name] - places[edge.parent])}">'
            f"{hinges(model, edge)}"
            f'<inertial pos="{numbers(inertia.center)}" mass="{inertia.mass!r}" '
            f'fullinertia="{numbers(moments)}"/>{site if name == "foot_link" else ""}{inner}</body>'
        )

    bodies = "".join(body(edge) for edge in children["world"])
    loops = ""
    for joint in tree.loops:
        first, second = joint.frames
        loops += (
            f'<connect name="{joint.name}" body1="{first.body.name}" body2="{second.body.name}" '
            f'anchor="{numbers(first.offset)}" SOLVER/>'
        )
    gravity = -model.parameters["g"]
    return (
        '<mujoco><compiler angle="radian" inertiafromgeom="false" balanceinertia="false"/>'
        f'<option gravity="0 0 {gravity!r}" timestep="{STEP!r}" INTEGRATOR>FLAGS</option>'
        f"<worldbody>{bodies}</worldbody><equality>{loops}</equality></mujoco>"
    )


def hinges(model: Any, edge: Any) -> str:
    """One hinge, or the two of a cross joint, with springs and dampers."""
    first, second = edge.joint.frames
    stiffness = damping = 0.0
    for force in model.forces.values():
        held = getattr(force, "joint", None) or getattr(force, "first", None)
        if getattr(held, "name", None) == edge.joint.name:
            stiffness += _value(model, getattr(force, "stiffness", 0.0))
            damping += _value(model, force.damping)
    axes = [first.orientation.matrix[:, 0], second.orientation.matrix[:, 1]]
    if edge.joint.kind == "revolute":
        axes = [second.orientation.matrix[:, 2]]
    return "".join(
        f'<joint name="{edge.joint.name}{k}" pos="{numbers(second.offset)}" axis="{numbers(axis)}" '
        f'stiffness="{stiffness!r}" damping="{damping!r}"/>'
        for k, axis in enumerate(axes)
    )


def _value(model: Any, quantity: Any) -> float:
    from dalembert.model.basics.quantity import value_of

    return float(value_of(quantity, model.parameters) or 0.0)


# -- measuring -------------------------------------------------------------------------------------


def variants() -> list[tuple[str, dict[str, Any]]]:
    """What is run here."""
    import dalembert as dl

    both = {"RK4": dl.RK4(), "Euler": dl.SemiImplicitEuler()}
    if "formulation" not in inspect.signature(dl.simulate).parameters:
        return [(f"maximal, {name}", {"integrator": x}) for name, x in both.items()]
    return [
        (f"{formulation}, {name}", {"integrator": x, "formulation": formulation})
        for formulation in ("generalized", "maximal")
        for name, x in both.items()
    ]


def reference(model: Any) -> np.ndarray:
    """Where the toe is at the moment of comparison, by tight error control."""
    import dalembert as dl

    tight = dl.DormandPrince(order=8, rtol=1e-12, atol=1e-12)
    solution = dl.simulate(model, until=CHECK, integrator=tight, progress=False)
    return np.asarray(solution[np.array(model.points[POINT])][-1])


def measure(model: Any, name: str, options: dict[str, Any], exact: Any, repeats: int) -> Row:
    """Whole `simulate` calls, least CPU time; the first call compiles and is not counted."""
    import dalembert as dl

    def run() -> Any:
        return dl.simulate(model, UNTIL, step=STEP, every=EVERY, progress=False, **options)

    solution = run()
    best, alone = math.inf, math.inf
    for _ in range(repeats):
        begin = time.process_time()
        solution = run()
        best = min(best, time.process_time() - begin)
        alone = min(alone, float(solution.report()["cpu_time"]))
    k = int(np.argmin(np.abs(solution.t - CHECK)))
    toe = solution[np.array(model.points[POINT])][k]
    steps = round(UNTIL / STEP)
    return {
        "engine": "dalembert",
        "version": dl.__version__,
        "variant": name,
        "us_per_step": 1e6 * best / steps,
        "steps_per_s": steps / best,
        "error": float(np.linalg.norm(toe - exact)),
        "worst_phi": float(solution.worst["phi"]),
        "energy": float(solution.energy[-1]),
        "note": f"whole call; steps alone {1e6 * alone / steps:.3g} us",
    }


def show(repeats: int, interpreter: str | None) -> None:
    """One table: here, then MuJoCo with its time as a multiple of ours with as many stages."""
    print(f"\nLeg like Cassie's with two loops, 7 degrees of freedom; h = {STEP:g} s, {UNTIL:g} s")
    model = load()
    exact = reference(model)
    rows = [measure(model, name, options, exact, repeats) for name, options in variants()]
    if interpreter:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "leg.xml"
            file.write_text(mjcf(model))
            sizes = f"{STEP!r} {UNTIL!r} {CHECK!r} {EVERY}"
            theirs = ask_peer(f"mujoco_leg.py {file} {sizes}", interpreter)
        for row in theirs:
            row["error"] = float(np.linalg.norm(np.array(row.pop("toe")) - exact))
        rows += theirs
    ours: dict[bool, float] = {}
    for row in rows:
        stages = row["variant"].endswith("RK4")
        if row["engine"] == "dalembert":
            ours[stages] = min(row["us_per_step"], ours.get(stages, math.inf))
    cells = []
    for row in rows:
        if row["engine"] != "dalembert":
            ratio = row["us_per_step"] / ours[row["variant"].endswith("RK4")]
            row["note"] = f"{ratio:.2f}x; {row['note']}"
        cells.append(tuple(text(row[column]) for column in COLUMNS))
    print(table(HEADINGS, cells))
    write_csv("leg", COLUMNS, rows)
