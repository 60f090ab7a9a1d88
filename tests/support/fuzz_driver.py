"""Many random cases through child processes, which may die or hang, and their sum.

A program that judges cases by seed has a `Verdict` (a dataclass with at least `seed`, `ended` and
`complaints`; its other fields are numbers) and calls `main` with its name and its judge:

    python -m tests.NAME --count 10000 --first 0      all of them, in child processes
    python -m tests.NAME --seed 4711                  one of them, told at length
"""

from __future__ import annotations

import argparse
import collections
import faulthandler
import json
import os
import subprocess
import sys
import threading
import time

PATIENCE = 100.0
"""Seconds of computing, first compilation included, after which a case counts as without end."""


def child(judge, first, last):
    """Cases one after another; a line of JSON for each."""
    began = [time.process_time()]

    def watch():
        while time.process_time() - began[0] < PATIENCE:
            time.sleep(1.0)
        print("no end", file=sys.stderr)
        faulthandler.dump_traceback()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    for seed in range(first, last):
        print(json.dumps({"begin": seed}), flush=True)
        began[0] = time.process_time()
        print(json.dumps(vars(judge(seed))), flush=True)


def many(module, verdict_class, first, count):
    """Verdicts of all cases, through children that may die."""
    seed, last = first, first + count
    while seed < last:
        command = [sys.executable, "-m", module, "--child", str(seed), str(last)]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as p:
            for line in p.stdout:
                told = json.loads(line)
                if "begin" in told:
                    seed = told["begin"]
                    continue
                yield verdict_class(**told)
                seed += 1
            said = p.stderr.read()
        if seed < last:
            yield verdict_class(seed, "broken", [f"died ({p.returncode}): {said.strip()[-600:]}"])
            seed += 1


def main(module, verdict_class, judge, described):
    """The program; `described(seed)` is printed before a single case is judged."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--child", type=int, nargs=2)
    args = parser.parse_args()
    if args.child:
        child(judge, *args.child)
        return 0
    if args.seed is not None:
        print(described(args.seed))
        print(judge(args.seed))
        return 0
    ended, total, most = collections.Counter(), collections.Counter(), collections.Counter()
    bad = 0
    for verdict in many(module, verdict_class, args.first, args.count):
        ended[" ".join(verdict.ended.split()[:2]).rstrip(":")] += 1
        for name, value in vars(verdict).items():
            if name != "seed" and isinstance(value, int | float):
                total[name] += value
                most[name] = max(most[name], value)
        if verdict.complaints:
            bad += 1
            told = "\n    ".join(verdict.complaints[:3])
            print(f"{verdict.seed}: {told}", flush=True)
        total["cases"] += 1
        if total["cases"] % 500 == 0:
            print(f"{total['cases']} cases, {bad} with complaints", flush=True)
    print(f"{args.count} cases, {bad} with complaints")
    print("ended", dict(ended))
    print("sum", {name: float(f"{value:.6g}") for name, value in total.items()})
    print("most", {name: float(f"{value:.6g}") for name, value in most.items()})
    return int(bad > 0)
