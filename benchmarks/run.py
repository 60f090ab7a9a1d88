"""Run the scenes here and on the peers; one table per scene, accuracy beside every time.

    python benchmarks/run.py                      all scenes, then the starting times
    python benchmarks/run.py pendulum biped       some of them
    python benchmarks/run.py start                the starting times only

DALEMBERT_PEERS names the interpreter of the peers' environment; without it the peers are left out.
Tables are also written to benchmarks/results/*.csv.
"""

from __future__ import annotations

# isort: off
import one_thread  # noqa: F401  (before numpy)
# isort: on

import argparse
import os
import platform
import sys
import time
from typing import Any

import collisions
import contact_solve
import families
import joint_trees
import leg
import loops
import numpy as np
from asking import ask_peer
from families import FAMILIES, Family
from scenes import CHECK, EVERY, SCENES, Scene
from start import starting_times
from tables import Row, table, text, write_csv

REPEATS = 5

COLUMNS = ("engine", "version", "variant", "us_per_step", "error", "worst_phi", "note")
HEADINGS = ("", "", "", "us/step", "error at 10 s", "worst |phi|", "")

KNOWN = (
    *(scene.name for scene in SCENES),
    *(family.name for family in FAMILIES),
    *("tree", "loops", "leg", "collision", "contact_solve", "start"),
)
"""What can be asked for."""

FAMILY_COLUMNS = (
    *("size", "engine", "version", "variant", "us_per_step", "us_alone", "us_per_body_rhs"),
    *("error", "worst_phi", "worst_phi_dot", "energy", "note"),
)


def measure(scene: Scene, method: Any, repeats: int) -> Row:
    """Whole `simulate` calls, least CPU time; the first call compiles and is not counted."""
    import dalembert as dl

    model = dl.catalog.load(scene.model, **scene.options)

    def run() -> Any:
        return dl.simulate(
            model,
            until=scene.until,
            step=scene.step,
            method=method,
            integrator=dl.RK4(),
            every=EVERY,
        )

    solution = run()
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        solution = run()
        best = min(best, time.process_time() - start)

    record = int(np.argmin(np.abs(solution.t - CHECK)))
    if abs(solution.t[record] - CHECK) > 1e-9:
        raise RuntimeError(f"{scene.name}: no record at t = {CHECK} s")
    error = np.linalg.norm(scene.output(solution, record) - np.array(scene.exact))
    return {
        "engine": "dalembert",
        "version": dl.__version__,
        "variant": f"{type(method).__name__}, RK4",
        "us_per_step": best / scene.steps * 1e6,
        "error": float(error),
        "worst_phi": float(solution.worst["phi"]),
        "note": f"{scene.steps} steps in {best:.3g} s; every {EVERY}th recorded",
    }


def show_scene(scene: Scene, repeats: int, interpreter: str | None) -> None:
    import dalembert as dl

    print(f"\n{scene.title}")
    rows = [measure(scene, m, repeats) for m in (dl.BraunGoldfarb(), dl.Projection())]
    if interpreter:
        for program in scene.peers:
            rows += ask_peer(program, interpreter)
    ours = rows[0]["us_per_step"]
    cells = []
    for row in rows:
        ratio = row["us_per_step"] / ours
        note = row["note"] if row["engine"] == "dalembert" else f"{ratio:.1f}x; {row['note']}"
        cells.append(tuple(text({**row, "note": note}[column]) for column in COLUMNS))
    print(table(HEADINGS, cells))
    write_csv(scene.name, COLUMNS, rows)


def show_family(family: Family, repeats: int, interpreter: str | None) -> None:
    """One table over all sizes: ours, then the peers with their time as a multiple of ours."""
    print(f"\n{family.title}")
    rows = [families.measure(family, size, repeats) for size in family.sizes]
    ours = {row["size"]: (row["us_per_step"], row["us_alone"]) for row in rows}
    if interpreter:
        for program in family.peers:
            rows += ask_peer(program, interpreter)
    rows.sort(key=lambda row: family.sizes.index(row["size"]))
    cells = []
    for row in rows:
        whole, alone = (row["us_per_step"] / ours_us for ours_us in ours[row["size"]])
        note = row["note"]
        if row["engine"] != "dalembert":
            note = f"{whole:.1f}x, {alone:.1f}x of our steps alone; {note}"
        cells.append(tuple(text({**row, "note": note}.get(c, "")) for c in FAMILY_COLUMNS))
    size, error, energy = family.headings
    times = ("us/step", "steps alone", "us/body/rhs")
    headings = (size, "", "", "", *times, error, "|phi|", "|phi'|", energy, "")
    print(table(headings, cells))
    write_csv(family.name, FAMILY_COLUMNS, rows)


def show_start(repeats: int) -> None:
    print("\nStarting")
    rows = starting_times(repeats)
    columns = ("what", "cpu_s", "wall_s", "wanted_s")
    cells = [tuple("" if r[c] is None else text(r[c]) for c in columns) for r in rows]
    print(table(("", "CPU s", "wall s", "wanted"), cells))
    write_csv("start", columns, rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", help=f"some of: {', '.join(KNOWN)}")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="the least time counts")
    given = parser.parse_args()
    unknown = [name for name in given.what if name not in KNOWN]
    if unknown:
        parser.error(f"no scene {unknown[0]!r}; known: {', '.join(KNOWN)}")
    wanted = given.what or KNOWN

    interpreter = os.environ.get("DALEMBERT_PEERS")
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores")
    if interpreter:
        print("Peers: interpreter given by DALEMBERT_PEERS")
    else:
        print("Peers left out: set DALEMBERT_PEERS to the interpreter of their environment.")
    sys.stdout.flush()
    for scene in SCENES:
        if scene.name in wanted:
            show_scene(scene, given.repeats, interpreter)
    for family in FAMILIES:
        if family.name in wanted:
            show_family(family, given.repeats, interpreter)
    if "tree" in wanted:
        joint_trees.show(given.repeats, interpreter)
    if "contact_solve" in wanted:
        contact_solve.show(given.repeats)
    if "loops" in wanted:
        loops.show(given.repeats, interpreter)
    if "leg" in wanted:
        leg.show(given.repeats, interpreter)
    if "collision" in wanted:
        collisions.show(given.repeats, interpreter)
    if "start" in wanted:
        show_start(given.repeats)


if __name__ == "__main__":
    main()
