"""Objects for other machines: format, processor, symbols; arm64 is run where qemu is there."""

import functools
import math
import shutil
import subprocess

import numpy as np
import pytest

from dalembert._jit import kernel
from dalembert._translate import objects, ship, shipped
from dalembert._translate.kinds import FLOAT, Array
from dalembert._translate.platforms import PLATFORMS, object_for, told_by
from dalembert._translate.program import SYMBOL, entry_program

TABLE = np.array([0.5, 0.25, 2.0, -1.0 / 3.0])
ARM = "aarch64-linux-gnu-gcc", "qemu-aarch64"


@kernel
def orbit(x, out):
    """Sums over a table, functions of the library, a branch, many times over."""
    total = x
    for n in range(1000):
        for k in range(len(TABLE)):
            total += 1e-3 * TABLE[k] * math.sin(total + n) + 1e-4 * math.exp(-total * total)
            if total > 2.0:
                total -= math.atan2(total, 1.0 + k)
            out[k] = total * 1.1 + TABLE[k]
    return round(1e6 * total)


def program():
    return entry_program(orbit.function, (FLOAT, Array(FLOAT, 1)), checked=False)[0]


@pytest.mark.parametrize("name", PLATFORMS)
def test_every_platform_gets_its_format_and_the_door(name):
    platform = PLATFORMS[name]
    code = object_for(platform, program(), own=True)
    processor = "arm64" if name.endswith("arm64") else "x86-64"
    assert told_by(code) == (platform.format, processor)
    prefix = "_" if platform.format == "Mach-O" else ""
    names = code.split(b"\0")
    # in the table of strings; in COFF its length stands right before it
    assert any(part.endswith(f"{prefix}{SYMBOL}".encode()) for part in names)
    assert not [own for own in (b"sin", b"exp", b"atan2") if own in names]  # nothing of a libm
    assert code == object_for(platform, program(), own=True)


def test_without_functions_of_its_own_an_object_asks_for_those_of_the_system():
    names = object_for(PLATFORMS["linux-arm64"], program()).split(b"\0")
    assert {b"sin", b"exp", b"atan2"} <= set(names)


DRIVER = """
#include <stdint.h>
#include <stdio.h>
void dalembert_kernel(void *slots);
int main(void) {
  static union { double x; int64_t n; void *at; } slots[4];
  double out[4];
  slots[1].x = 0.7;
  slots[2].at = out;
  slots[3].n = 4;
  dalembert_kernel(slots);
  printf("%lld", (long long)slots[0].n);
  for (int k = 0; k < 4; k++) printf(" %a", out[k]);
  return 0;
}
"""


def run(folder, platform, compiler, *before):
    """What a program with the object of a platform in it writes."""
    place = folder / platform
    place.mkdir()
    (place / "main.c").write_text(DRIVER)
    (place / "orbit.o").write_bytes(object_for(PLATFORMS[platform], program(), own=True))
    line = [compiler, "-O1", "-static", "-no-pie", "main.c", "orbit.o", "-o", "main"]
    subprocess.run(line, cwd=place, check=True, capture_output=True)
    done = subprocess.run(
        [*before, "./main"], cwd=place, check=True, capture_output=True, text=True
    )
    return done.stdout.split()


def test_arm64_gives_the_bits_of_x86_64(tmp_path):
    missing = [tool for tool in (*ARM, "gcc") if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not found")
    here = run(tmp_path, "linux-x86-64", "gcc")
    there = run(tmp_path, "linux-arm64", *ARM)
    assert there == here
    out = np.zeros(4)
    whole = orbit.function(0.7, out)
    assert int(here[0]) == whole
    assert np.allclose([float.fromhex(x) for x in here[1:]], out, rtol=1e-12)


@pytest.mark.parametrize(
    ("platform", "tool", "fused"),
    [
        ("linux-arm64", "aarch64-linux-gnu-objdump", ("fmadd", "fmsub", "fnmadd", "fnmsub")),
        ("linux-x86-64", "objdump", ("vfmadd", "vfmsub", "vfnmadd")),
    ],
)
def test_disassembled_it_is_a_function_that_fuses_nothing(tmp_path, platform, tool, fused):
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} not found")

    def told(own):
        path = tmp_path / f"orbit-{own}.o"
        path.write_bytes(object_for(PLATFORMS[platform], program(), own=own))
        done = subprocess.run([tool, "-d", path], check=True, capture_output=True, text=True)
        return done.stdout

    portable = told(True)
    assert f"<{SYMBOL}>:" in portable
    assert portable.count("ret") >= 1
    assert not [word for word in fused if word in portable]
    if platform == "linux-arm64":  # every processor of that kind can
        assert any(word in told(False) for word in fused)


@pytest.mark.parametrize("name", PLATFORMS)
def test_files_for_a_wheel_are_made_of_every_platform(name, tmp_path):
    triple = PLATFORMS[name].triple
    make = functools.partial(objects._noted, program(), "")
    for level in shipped.LEVELS[triple.split("-")[0]]:
        index = shipped.opened(ship.write(tmp_path, triple, level, {"orbit": make}))
        code = shipped.read(index, "orbit").partition(b"\n")[2]
        assert told_by(code)[0] == PLATFORMS[name].format
