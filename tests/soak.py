"""Everything that is random, for as long as it is asked to, with seeds that change by the day.

    python -m tests.soak --minutes 24 [--first 261118000]

Scenes with contact, impacts, located events, mechanisms and damaged files, each with a share of the
processor time. What complains is told with the command that shows it again; the number of those is
the exit code, at most 1.
"""

from __future__ import annotations

import argparse
import collections
import datetime as dt
import json
import resource
import subprocess
import sys

SHARES = {
    "tests.mechanism_fuzz": 0.20,
    "tests.element_fuzz": 0.15,
    "tests.contact_fuzz": 0.25,
    "tests.event_fuzz": 0.15,
    "tests.impact_fuzz": 0.15,
    "tests.file_fuzz": 0.10,
}
AT_ONCE = 25
"""Cases of one child: its time is known when it has ended."""


def spent() -> float:
    """Processor time of all children so far  [s]."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def batch(module: str, first: int, count: int):
    """Verdicts of some cases, as dictionaries; a case in which the child dies complains."""
    seed, last = first, first + count
    while seed < last:
        command = [sys.executable, "-m", module, "--child", str(seed), str(last)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        for line in done.stdout.splitlines():
            told = json.loads(line)
            if "begin" in told:
                seed = told["begin"]
            else:
                yield told
                seed += 1
        if seed < last:
            said = done.stderr.strip()[-400:]
            yield {"seed": seed, "ended": "broken", "complaints": [f"died: {said}"]}
            seed += 1


def soak(module: str, seconds: float, first: int) -> tuple[int, list[tuple[int, str]]]:
    """Cases until the time is over; how many, and what complained."""
    began, count, bad, ended = spent(), 0, [], collections.Counter()
    while spent() - began < seconds:
        for told in batch(module, first + count, AT_ONCE):
            count += 1
            ended[str(told["ended"]).split(":")[0]] += 1
            if told["complaints"]:
                bad.append((told["seed"], str(told["complaints"][0])))
    words = ", ".join(f"{number} {how}" for how, number in ended.most_common(5))
    used = spent() - began
    print(f"{module}: {count} cases from {first} in {used:.0f} s of CPU, {words}; ", end="")
    print(f"{len(bad)} with complaints", flush=True)
    for seed, said in bad:
        print(f"    python -m {module} --seed {seed}    {said[:300]}", flush=True)
    return count, bad


def main() -> int:
    """The program."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("--minutes", type=float, default=24.0, help="of processor time, in all")
    today = int(dt.date.today().strftime("%y%m%d")) * 1000
    parser.add_argument("--first", type=int, default=today, help="seed; by default of the date")
    args = parser.parse_args()
    total, wrong = 0, 0
    for module, share in SHARES.items():
        count, bad = soak(module, 60.0 * args.minutes * share, args.first)
        total, wrong = total + count, wrong + len(bad)
    print(f"{total} cases from seed {args.first}, {wrong} with complaints, {spent():.0f} s of CPU")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
