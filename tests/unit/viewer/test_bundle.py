"""The bundle in the package is what the sources give."""

import hashlib
import json
import shutil
import subprocess
from importlib import resources
from pathlib import Path

import pytest

PLAYER = Path(__file__).parents[3] / "player"

NAMES = ("player.js", "player.css", "lesson.js", "lesson.css", "lesson.html", "page.html")


def assets():
    place = resources.files("dalembert.viewer") / "assets"
    return {name: (place / name).read_bytes() for name in NAMES}


def sums():
    place = resources.files("dalembert.viewer") / "assets" / "SHA256SUMS"
    lines = place.read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split("  ") for line in lines)}


def test_the_files_have_the_hashes_that_are_recorded():
    assert {name: hashlib.sha256(data).hexdigest() for name, data in assets().items()} == sums()


def test_the_tree_is_locked_to_exact_versions_and_names_no_host():
    wanted = json.loads((PLAYER / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    text = (PLAYER / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]
    assert "://" not in text.replace("https://opencollective.com", "")
    for name, version in wanted.items():
        assert packages[f"node_modules/{name}"]["version"] == version
        assert packages[f"node_modules/{name}"]["integrity"].startswith("sha512-")


def test_the_licence_of_three_is_kept():
    assert b"Three.js Authors" in assets()["player.js"]
    assert b"SPDX-License-Identifier: MIT" in assets()["player.js"]


def test_the_script_cannot_end_early():
    text = assets()["player.js"].decode("ascii").lower()
    assert "</script" not in text
    assert "<!--" not in text


@pytest.mark.slow
def test_building_again_gives_the_same_bytes(tmp_path):
    if not shutil.which("npm") or not shutil.which("node"):
        pytest.skip("npm is not installed: the bundle was not built again")
    copy = tmp_path / "player"
    shutil.copytree(PLAYER, copy, ignore=shutil.ignore_patterns("node_modules"))
    install = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        fetched = subprocess.run(install, cwd=copy, capture_output=True, text=True, timeout=240)
    except subprocess.TimeoutExpired:
        pytest.skip("npm took too long to fetch the packages: the bundle was not built again")
    if fetched.returncode:
        pytest.skip(f"npm could not fetch the packages: {fetched.stderr[-300:]}")
    subprocess.run(["node", "build.mjs"], cwd=copy, check=True, timeout=120)
    made = tmp_path / "src" / "dalembert" / "viewer" / "assets"
    assert {name: (made / name).read_bytes() for name in assets()} == assets()
