"""Recorded friction problems by `auto` and by plain Gauss-Seidel: CPU time to 1e-8 of |q|.

    python benchmarks/friction_problems.py [FOLDER] [--sweeps 20000]

FOLDER has .json files with W (or W_coo), q, mu, and perhaps M, H. Without one, problems whose
answer is known are made. Plain Gauss-Seidel is the textbook's, compiled: each contact by itself,
one after the other, exactly, without momentum; it looks at its residual after every sweep. Both
begin with W, q and mu as arrays, and end with the impulses.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from dalembert._jit import kernel
from dalembert.contact.given.problem import ContactProblem
from dalembert.contact.solvers.delassus.arrays import Given
from dalembert.contact.solvers.delassus.rows import Contacts, residual, times
from dalembert.contact.solvers.delassus.sweeps import sweep

REPEATS, BAR = 5, 1e-8


@kernel
def plain(contacts: Contacts, tolerance, most):
    """Sweeps until the residual is below the tolerance. Returns how many."""
    times(contacts)
    done = 0
    while done < most and residual(contacts) > tolerance:
        sweep(contacts, False)
        done += 1
    return done


def left(W, q, mu, lam):
    """|lam - P_K(lam - u - mu |u_t| n)| / |q|."""
    shape = (len(mu), len(q) // len(mu))
    r, u = lam.reshape(shape), (W @ lam + q).reshape(shape)
    z = r - u
    z[:, 0] -= mu * np.linalg.norm(u[:, 1:], axis=1)
    s = np.linalg.norm(z[:, 1:], axis=1)
    a = np.maximum(z[:, 0] + mu * s, 0.0) / (1.0 + mu**2)
    nearest = np.column_stack([a, (mu * a / np.where(s > 0.0, s, 1.0))[:, None] * z[:, 1:]])
    inside = s <= mu * z[:, 0]
    nearest[inside] = z[inside]
    return np.linalg.norm(r - nearest) / np.linalg.norm(q)


def recorded(folder):
    """(name, W, q, mu, M, H) of the files of a folder."""
    for path in sorted(Path(folder).rglob("*.json")):
        data = json.loads(path.read_text())
        if not {"q", "mu"} <= set(data):
            continue
        if "W" in data:
            W = np.array(data["W"])
        else:
            W, coo = np.zeros((data["m"], data["m"])), data["W_coo"]
            np.add.at(W, (np.array(coo["i"]), np.array(coo["j"])), coo["x"])
        M, H = (np.array(data[k]) if k in data else None for k in ("M", "H"))
        yield path.stem, W, np.array(data["q"]), np.array(data["mu"]), M, H


def made():
    """One body with many contacts, bodies side by side, an unsymmetric W."""
    for name, count, rank, skew in (
        ("one body, 25", 25, 6, 0.0), ("one body, 250", 250, 6, 0.0),
        ("rank 720 of 750", 250, 720, 0.0), ("unsymmetric, 30", 30, 90, 0.2),
    ):  # fmt: skip
        rng = np.random.default_rng(count + rank)
        H, K = rng.standard_normal((rank, 3 * count)), rng.standard_normal((rank, rank))
        M = rank * (np.eye(rank) + skew * (K - K.T) / np.sqrt(rank))
        lam = np.zeros((count, 3))
        lam[:, 0] = rng.exponential(size=count) * (rng.random(count) < 0.7)
        u = np.zeros((count, 3))
        u[lam[:, 0] == 0.0, 0] = 1.0
        W = H.T @ np.linalg.solve(M, H)
        W = W if skew else 0.5 * (W + W.T)
        yield name, W, (u - (W @ lam.ravel()).reshape(-1, 3)).ravel(), np.full(count, 0.3), M, H


def fastest(run):
    """Least CPU time of some runs, in ms, and the result."""
    best, result = np.inf, None
    for _ in range(REPEATS):
        start = time.process_time()
        result = run()
        best = min(best, time.process_time() - start)
    return 1e3 * best, result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--sweeps", type=int, default=20000)
    options = parser.parse_args()
    print(
        f"{'problem':28} rows   plain ms  sweeps     left |   auto ms     left |  M, H ms     left"
    )
    for name, W, q, mu, M, H in recorded(options.folder) if options.folder else made():

        def by_sweeps(W=W, q=q, mu=mu):
            given = Given(W, q, mu, len(q) // len(mu))
            x = given.contacts.x
            x[:] = 0.0
            done = plain(given.contacts, BAR * given.size, options.sweeps)
            return x * given.speed / given.omega, int(done)

        slow, (lam, done) = fastest(by_sweeps)
        line = f"{name:28} {len(q):4} {slow:10.3f} {done:7} {left(W, q, mu, lam):8.1e}"
        build = [lambda W=W, q=q, mu=mu: ContactProblem.from_delassus(W, q, mu)]
        if M is not None:
            build.append(lambda M=M, H=H, q=q, mu=mu: ContactProblem.from_mass(M, H, q, mu))
        for make in build:
            quick, (_, lam, info) = fastest(lambda make=make: make().solve())
            line += f" | {quick:9.3f} {left(W, q, mu, lam):8.1e}"
            line += "" if info.status == "converged" else f" {info.status}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
