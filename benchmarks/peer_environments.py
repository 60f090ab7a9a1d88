"""Environments of the peers, made once: what does not install is left out and told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

BUILD = Path(__file__).resolve().parents[1] / "build"
WANTED = {
    "DALEMBERT_PEERS": ("peers", ("mujoco", "exudyn", "pin", "cmeel-eigen")),
    "DALEMBERT_MORE_PEERS": ("more-peers", ("pybullet", "drake", "dartpy")),
}
SICONOS = "DALEMBERT_SICONOS"
"""Names an interpreter with Siconos, which is no package of PyPI: Debian has python3-siconos."""


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
    variables |= _eigen(Path(variables["DALEMBERT_PEERS"]).parents[1])
    found = siconos()
    if found:
        variables[SICONOS] = found
    told.append(f"siconos {_version(found, 'siconos') or 'of the system'}" if found else MISSING)
    return variables, told


MISSING = "siconos is left out: apt install python3-siconos, or name an interpreter that has it in"
MISSING += f" {SICONOS}"


def siconos() -> str | None:
    """An interpreter with Siconos, or None."""
    for python in (os.environ.get(SICONOS), "/usr/bin/python3", shutil.which("python3")):
        if python and Path(python).exists():
            job = [python, "-c", "import siconos.mechanics.collision.bullet"]
            if subprocess.run(job, capture_output=True, check=False).returncode == 0:
                return python
    return None


def _eigen(place: Path) -> dict[str, str]:
    """The variable that names Eigen's headers, for the peer's programs in C++."""
    if "PEER_EIGEN" in os.environ:
        return {}
    found = next(iter(place.glob("lib/python*/site-packages/cmeel.prefix/include/eigen3")), None)
    return {"PEER_EIGEN": str(found)} if found else {}


def _version(python: str | Path, name: str) -> str | None:
    """Version of a package in an environment."""
    ask = f"import importlib.metadata as m; print(m.version({name!r}))"
    known = subprocess.run([str(python), "-c", ask], capture_output=True, text=True, check=False)
    return known.stdout.strip() if known.returncode == 0 else None


def _installed(python: Path, name: str) -> str:
    """Version of a peer, installed where it is not yet; the last line of pip where that fails."""
    known = _version(python, name)
    if known:
        return known
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--only-binary", ":all:", "--timeout", "60", name]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    known = _version(python, name)
    if done.returncode == 0 and known:
        return known
    return "is left out: " + (done.stderr.strip().splitlines() or ["pip failed"])[-1][:160]


if __name__ == "__main__":
    print("\n".join(make()[1]))
