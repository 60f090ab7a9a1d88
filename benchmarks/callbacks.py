"""What a call of a Python controller costs above the function itself.

A pendulum with a motor, RK4, one call a step: CPU time of the run with a controller, less that of
the same law as a formula (the same motion, compiled), less the function called as often by itself.
The peer is MuJoCo's `mjcb_control` on the same pendulum, once a step (Euler), less the same steps
without it and the function itself, all in `mj_step(nstep=)`.

    .venv/bin/python benchmarks/callbacks.py
    DALEMBERT_PEERS=/path/to/peers/bin/python .venv/bin/python benchmarks/callbacks.py
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CALLS = 100_000
STEP = 1e-3
REPEATS = 9
RESULTS = Path(__file__).parent / "results" / "callbacks.csv"


def least(run: Callable[[], Any]) -> float:
    """CPU seconds, the least of some repeats."""
    found = []
    for _ in range(REPEATS):
        began = time.process_time()
        run()
        found.append(time.process_time() - began)
    return min(found)


def law(t: float, x: Any) -> float:
    """A PD controller as a user writes it."""
    return -20.0 * x[0] - 2.0 * x[1]


def constant(t: float, x: Any) -> float:
    """The cheapest function there is."""
    return 1.0


def alone(callback: Callable[[float, Any], float], x: Any) -> float:
    """The function called by itself, without the loop around it."""

    def called() -> None:
        for _ in range(CALLS):
            callback(0.0, x)

    def empty() -> None:
        for _ in range(CALLS):
            pass

    return least(called) - least(empty)


def ours() -> list[dict[str, Any]]:
    """Rows of this package."""
    import numpy as np

    import dalembert as dl

    def pendulum(command: Any = 0.0) -> Any:
        model = dl.Model("pendulum")
        rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
        hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
        given = command(hinge) if callable(command) else command
        model.add_force(dl.DirectDrive(hinge, command=given, name="motor"))
        return model, [hinge.angle, hinge.angle.dot]

    def seconds(model: Any, **options: Any) -> float:
        """Of the steps alone; nothing but first and last state is recorded."""
        solution = dl.simulate(
            model, until=CALLS * STEP, step=STEP, every=CALLS, progress=False, **options
        )
        return float(solution.statistics["cpu_time"])

    quiet, inputs = pendulum()
    formulas = {
        constant: pendulum(1.0)[0],
        law: pendulum(lambda hinge: -20.0 * hinge.angle - 2.0 * hinge.angle.dot)[0],
    }
    seen = np.zeros(2)
    seen.flags.writeable = False
    rows = []
    for callback, model in formulas.items():
        control = dl.Controller(callback, rate=1.0 / STEP, inputs=inputs, outputs=["motor"])
        # in turn, so that a machine that is busy for a while is so for both
        pairs = [(seconds(model), seconds(quiet, controllers=[control])) for _ in range(REPEATS)]
        without, total = (min(column) for column in zip(*pairs, strict=True))
        rows.append(row(f"ours: '{callback.__name__}' as a formula", without, 0.0, 0.0))
        function = alone(callback, seen)
        rows.append(row(f"ours: callback '{callback.__name__}'", total, without, function))
    return rows


def row(what: str, total: float, without: float, function: float) -> dict[str, Any]:
    """In microseconds a call."""
    scale = 1e6 / CALLS
    return {
        "what": what,
        "us a step": total * scale,
        "function itself": function * scale,
        "cost a call": (total - without - function) * scale if without else 0.0,
    }


PEER = """
import sys, time
sys.path.insert(0, {folder!r})
import mujoco
from callbacks import CALLS, STEP, alone, least, law, constant
spec = '''<mujoco><option timestep="0.001" integrator="Euler"><flag contact="disable"/></option>
<worldbody><body><joint name="hinge" axis="0 1 0"/><geom type="capsule" size="0.02"
fromto="0 0 0 1 0 0" mass="1"/></body></worldbody>
<actuator><motor joint="hinge"/></actuator></mujoco>'''
model = mujoco.MjModel.from_xml_string(spec)
data = mujoco.MjData(model)
def steps():
    mujoco.mj_step(model, data, nstep=CALLS)
steps()
without = least(steps)
def pd(m, d):
    d.ctrl[0] = -20.0 * d.qpos[0] - 2.0 * d.qvel[0]
def one(m, d):
    pass
def held(m, d):
    d.ctrl[0] = 1.0
import numpy as np
print("MuJoCo: steps without callback", without, 0, 0, sep=";")
for name, callback in (("nothing", one), ("constant", held), ("law", pd)):
    mujoco.set_mjcb_control(callback)
    total = least(steps)
    mujoco.set_mjcb_control(None)
    def itself():
        for _ in range(CALLS):
            callback(model, data)
    def empty():
        for _ in range(CALLS):
            pass
    function = least(itself) - least(empty)
    print(f"MuJoCo: mjcb_control '{{name}}'", total, without, function, sep=";")
"""


def peers() -> list[dict[str, Any]]:
    """Rows of MuJoCo, where it is."""
    python = os.environ.get("DALEMBERT_PEERS")
    if not python:
        sys.stderr.write("DALEMBERT_PEERS is not set: no peer beside it.\n")
        return []
    program = PEER.format(folder=str(Path(__file__).parent))
    found = subprocess.run([python, "-c", program], capture_output=True, text=True, check=True)
    rows = []
    for line in found.stdout.strip().splitlines():
        what, *numbers = line.split(";")
        rows.append(row(what, *map(float, numbers)))
    return rows


def main() -> None:
    """Print and keep the table."""
    rows = ours() + peers()
    for found in rows:
        print(f"{found['what']:<36}" + "".join(f"{x:>12.3f}" for x in list(found.values())[1:]))
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(
            {k: f"{v:.4f}" if isinstance(v, float) else v for k, v in r.items()} for r in rows
        )


if __name__ == "__main__":
    main()
