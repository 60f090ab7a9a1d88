"""Hook of the build: a wheel that carries machine code is one of its platform.

`make wheel` writes the code to `build/code` first. Where there is none, or it was made from other
sources, the wheel is that of pure Python, which compiles on the machine it runs on.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PlatformWheel(BuildHookInterface):  # type: ignore[type-arg]
    """Put `build/code` into the wheel where `DALEMBERT_MACHINE_CODE` asks for it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files, and the tag of the platform they are for."""
        if version == "editable" or os.environ.get("DALEMBERT_MACHINE_CODE") != "1":
            return
        root = Path(self.root)
        files = sorted((root / "build" / "code").glob("*.bin"))
        if not files:
            sys.exit("platform_wheel: there is no machine code in build/code. Run `make wheel`.")
        build_data["force_include"] |= {str(p): f"dalembert/_code/{p.name}" for p in files}
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{_platform()}"


def _platform() -> str:
    """Tag of this platform; the code calls nothing but the mathematics of the C library."""
    name = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return name.replace("linux_", "manylinux_2_28_") if name.startswith("linux_") else name
