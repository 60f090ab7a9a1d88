"""Machine code for other machines: objects for Linux, macOS and Windows on x86-64 and arm64.

The same translator and the same passes as for this machine; what differs is the target. Processors
are the oldest of their kind still in use: whoever loads an object may have any.
"""

from __future__ import annotations

from dataclasses import dataclass

from dalembert._translate import objects, workers
from dalembert._translate.processor import machine_for


@dataclass(frozen=True)
class Platform:
    """A kind of machine: LLVM's name for it, its oldest processor, the format of its objects."""

    triple: str
    processor: str
    format: str


PLATFORMS = {
    "linux-x86-64": Platform("x86_64-unknown-linux-gnu", "x86-64-v2", "ELF"),
    "linux-arm64": Platform("aarch64-unknown-linux-gnu", "generic", "ELF"),
    "macos-x86-64": Platform("x86_64-apple-macosx11.0.0", "x86-64-v2", "Mach-O"),
    "macos-arm64": Platform("arm64-apple-macosx11.0.0", "apple-m1", "Mach-O"),
    "windows-x86-64": Platform("x86_64-pc-windows-msvc", "x86-64-v2", "COFF"),
    "windows-arm64": Platform("aarch64-pc-windows-msvc", "generic", "COFF"),
}


def object_for(platform: Platform, program: str, *, own: bool = False) -> bytes:
    """Object code of a program for a platform.

    own : operations are rounded one by one and functions are those of the package, so that every
        platform gives the same bits (`portable`)
    """

    def made() -> bytes:
        return objects.compiled(program, machine_for(platform.triple, platform.processor), own=own)

    return workers.elsewhere(made)


_MACHINES = {0x8664: "x86-64", 0xAA64: "arm64"}
_OF_ELF = {0x3E: "x86-64", 0xB7: "arm64"}
_OF_MACH = {0x01000007: "x86-64", 0x0100000C: "arm64"}


def told_by(code: bytes) -> tuple[str, str]:
    """Format and processor of an object, as its first bytes say."""
    word = int.from_bytes(code[:4], "little")
    if code[:4] == b"\x7fELF":
        return "ELF", _OF_ELF.get(int.from_bytes(code[18:20], "little"), "?")
    if word == 0xFEEDFACF:
        return "Mach-O", _OF_MACH.get(int.from_bytes(code[4:8], "little"), "?")
    if word & 0xFFFF in _MACHINES:
        return "COFF", _MACHINES[word & 0xFFFF]
    return "?", "?"
