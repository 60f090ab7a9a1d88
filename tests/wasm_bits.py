"""The same bits in node as natively: catalog models run by their engines and by this process.

    DALEMBERT_PORTABLE=1 python -m tests.wasm_bits                      the whole catalog
    DALEMBERT_PORTABLE=1 python -m tests.wasm_bits arm stack            some models
    ... --steps 10000 --length 1e-3                                     how many, how long
    ... --chromium                                                      in Chromium, too

Each line: model, method, kind of coordinates, size of the module, microseconds a step natively, in
node and in Chromium, and whether q and v are the same bits after all steps.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import dalembert as dl
from dalembert._translate.portable import PORTABLE
from dalembert.engine.engine import Engine
from dalembert.engine.live import engine_of
from dalembert.errors import DalembertError

PLAYER = Path(__file__).parents[1] / "player" / "src"
NODE = shutil.which("node")

LOOKS, LOOK = 60, 2e-3
"""How often some steps are timed, the shortest counts, and how long that takes  [s]."""

SCRIPT = """
import { readFileSync } from "node:fs";
import { Engine } from "%(engine)s";
const { spec, codes, memory, steps, timed } = JSON.parse(readFileSync(0));
const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
const engine = await Engine.open(spec, codes.map(bytes), bytes(memory));
const status = engine.call("run", steps);
const state = [...engine.arrays.q, ...engine.arrays.v];
let best = Infinity;
for (let k = 0; k < %(looks)s; k++) {
  const begin = process.hrtime.bigint();
  engine.call("run", timed);
  best = Math.min(best, Number(process.hrtime.bigint() - begin) / 1e3 / timed);
}
const hex = Buffer.from(Float64Array.from(state).buffer).toString("hex");
process.stdout.write(JSON.stringify({ status, hex, best }));
"""


IN_PAGE = """async ([text, given, looks]) => {
  const file = new Blob([text], { type: "text/javascript" });
  const { Engine } = await import(URL.createObjectURL(file));
  const { spec, codes, memory, steps, timed } = given;
  const bytes = (text) => Uint8Array.from(atob(text), (x) => x.charCodeAt(0));
  const engine = await Engine.open(spec, codes.map(bytes), bytes(memory));
  const status = engine.call("run", steps);
  const state = Float64Array.from([...engine.arrays.q, ...engine.arrays.v]);
  let best = Infinity;
  for (let k = 0; k < looks; k++) {
    const begin = performance.now();
    engine.call("run", timed);
    best = Math.min(best, (performance.now() - begin) * 1e3 / timed);
  }
  const digits = [...new Uint8Array(state.buffer)].map((x) => x.toString(16).padStart(2, "0"));
  return { status, hex: digits.join(""), best };
}"""


@dataclass(frozen=True)
class Compared:
    """A model run in all ways."""

    name: str
    method: str
    coordinates: str
    module: int
    native: float
    elsewhere: tuple[float, ...]
    statuses: tuple[int, ...]
    same: bool

    def line(self) -> str:
        """For people."""
        said = "same bits" if self.same else "DIFFERENT"
        times = " ".join(f"{x:8.2f}" for x in self.elsewhere)
        return (
            f"{self.name:24} {self.method:16} {self.coordinates:12} {self.module:8} bytes "
            f"{self.native:8.2f} {times} us  {said} {self.statuses}"
        )


def _given(engine: Engine, steps: int, timed: int) -> dict:
    """An engine in plain values."""
    return {
        "spec": engine.spec,
        "codes": [base64.b64encode(module.code).decode() for module in engine.modules],
        "memory": base64.b64encode(engine.memory).decode(),
        "steps": steps,
        "timed": timed,
    }


def in_node(engine: Engine, steps: int, timed: int) -> dict:
    """Status, state and time a step of an engine in node."""
    given = _given(engine, steps, timed)
    with tempfile.NamedTemporaryFile("w", suffix=".mjs") as script:
        script.write(SCRIPT % {"engine": (PLAYER / "engine.js").as_uri(), "looks": LOOKS})
        script.flush()
        made = subprocess.run(
            [NODE, script.name], input=json.dumps(given), capture_output=True, text=True, check=True
        )
    return json.loads(made.stdout)


def in_chromium(tab: Any, engine: Engine, steps: int, timed: int) -> dict:
    """The same in a tab of Chromium."""
    text = (PLAYER / "engine.js").read_text()
    return tab.evaluate(IN_PAGE, [text, _given(engine, steps, timed), LOOKS])


@contextlib.contextmanager
def a_tab(wanted: bool) -> Iterator[Any]:
    """A tab of the system's Chromium; None where none is wanted."""
    if not wanted:
        yield None
        return
    from playwright.sync_api import sync_playwright
    from tests.browser.conftest import FLAGS, NAMES

    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        tab = browser.new_page()
        tab.set_default_timeout(600_000)
        yield tab
        browser.close()


def compared(name: str, steps: int, length: float | None, tab: Any = None) -> Compared:
    """One catalog model."""
    ahead, session = (dl.Session(dl.catalog.load(name), step=length) for _ in range(2))
    with contextlib.suppress(DalembertError):
        for _ in range(steps // 100):
            ahead.advance(100 * (length or 1e-3))
    engine = engine_of(session, ahead=ahead)
    run = session.present.run
    begin = time.perf_counter()
    status = run.chunk(steps)
    once = (time.perf_counter() - begin) / steps
    wanted = np.concatenate([run.q, run.v]).tobytes().hex()
    best, timed = np.inf, max(1, round(LOOK / once))
    for _ in range(LOOKS):
        begin = time.perf_counter()
        run.chunk(timed)
        best = min(best, (time.perf_counter() - begin) / timed * 1e6)
    others = [in_node(engine, steps, timed)]
    if tab is not None:
        others.append(in_chromium(tab, engine, steps, timed))
    kind = "joints" if run.in_joints else "bodies" if session.model.is_maximal else "formulas"
    same = all(found["hex"] == wanted and found["status"] == status for found in others)
    return Compared(
        name,
        type(session.method).__name__,
        kind,
        sum(len(module.code) for module in engine.modules),
        best,
        tuple(found["best"] for found in others),
        (status, *(found["status"] for found in others)),
        same,
    )


def main() -> int:
    """Compare and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.wasm_bits")
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--length", type=float, default=1e-3)
    parser.add_argument("--chromium", action="store_true")
    parser.add_argument("models", nargs="*")
    args = parser.parse_args()
    if not PORTABLE:
        sys.exit("Set DALEMBERT_PORTABLE=1: native code rounds otherwise without.")
    different = 0
    with a_tab(args.chromium) as tab:
        for name in args.models or dl.catalog.names():
            try:
                found = compared(name, args.steps, args.length, tab)
            except DalembertError as problem:
                print(f"{name:24} {type(problem).__name__}: {problem}", flush=True)
                different += 1
                continue
            different += not found.same
            print(found.line(), flush=True)
    return different


if __name__ == "__main__":
    sys.exit(main())
