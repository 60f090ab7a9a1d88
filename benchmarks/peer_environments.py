"""Environments of the peers, made once: what does not install is left out and told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BUILD = Path(__file__).resolve().parents[1] / "build"
WANTED = {
    "DALEMBERT_PEERS": ("peers", ("mujoco", "exudyn", "pin")),
    "DALEMBERT_MORE_PEERS": ("more-peers", ("pybullet", "drake")),
}


def make() -> tuple[dict[str, str], list[str]]:
    """Variables that name the interpreters, and a line for every peer: version, or why not."""
    variables, told = {}, []
    for variable, (folder, names) in WANTED.items():
        place = BUILD / folder
        python = place / "bin" / "python"
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        for name in names:
            told.append(f"{name} {_installed(python, name)}")
        variables[variable] = str(python)
    return variables, told


def _installed(python: Path, name: str) -> str:
    """Version of a peer, installed where it is not yet; the last line of pip where that fails."""
    ask = f"import importlib.metadata as m; print(m.version({name!r}))"
    known = subprocess.run([str(python), "-c", ask], capture_output=True, text=True, check=False)
    if known.returncode == 0:
        return known.stdout.strip()
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--only-binary", ":all:", "--timeout", "60", name]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return _installed(python, name)
    return "is left out: " + (done.stderr.strip().splitlines() or ["pip failed"])[-1][:160]


if __name__ == "__main__":
    print("\n".join(make()[1]))
