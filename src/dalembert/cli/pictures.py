"""Options of moving pictures and sheets, and writing them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dalembert.cli.parser import number
from dalembert.errors import OptionError

KINDS = {"gif": (".gif",), "mp4": (".mp4",), "sheet": (".png", ".pdf", ".svg")}
"""Options that name a file, and how it may end."""


def add_picture_options(parser: argparse.ArgumentParser) -> None:
    """--gif, --mp4, --sheet, and how they look."""
    group = parser.add_argument_group("moving pictures")
    group.add_argument("--gif", metavar="FILE.gif", help="the run as a moving picture")
    group.add_argument("--mp4", metavar="FILE.mp4", help="as a film (needs the extra 'video')")
    group.add_argument("--sheet", metavar="FILE.png", help="moments of the run side by side")
    group.add_argument("--frames", type=int, metavar="N", default=12, help="of a sheet")
    group.add_argument("--fps", type=number, metavar="F", default=25.0, help="frames a second")
    group.add_argument("--speed", type=number, metavar="X", default=1.0, help="1 is real time")
    group.add_argument(
        "--window", metavar="A:B", type=window_of, help="part of the run that is shown [s]"
    )
    group.add_argument("--size", metavar="WxH", type=size_of, default=(800, 600), help="in pixels")
    group.add_argument(
        "--view", choices=("auto", "iso", "front", "side", "top"), default="auto", help="from where"
    )
    group.add_argument("--arrows", action="store_true", help="with reactions and forces")
    group.add_argument(
        "--trail", metavar="NAME", action="append", help="path of a point or body; may be repeated"
    )


def asked(arguments: argparse.Namespace) -> list[Path]:
    """The files that were asked for; a wrong ending is told before a model is run."""
    found = []
    for kind, endings in KINDS.items():
        given = getattr(arguments, kind)
        if given is None:
            continue
        if Path(given).suffix.lower() not in endings:
            raise OptionError(f"--{kind} {given}: the name must end in {' or '.join(endings)}.")
        found.append(Path(given))
    return found


def write_pictures(arguments: argparse.Namespace, solution: Any, paths: list[Path]) -> None:
    """Write the files."""
    from dalembert.plotting.animate import animate

    for path in paths:
        animate(
            solution,
            path,
            fps=arguments.fps,
            size=arguments.size,
            speed=arguments.speed,
            window=arguments.window,
            frames=arguments.frames,
            view=arguments.view,
            arrows=arguments.arrows,
            trails=arguments.trail,
            progress=False if arguments.json or arguments.progress is False else None,
        )


def size_of(text: str) -> tuple[int, int]:
    """800x600."""
    parts = text.lower().split("x")
    try:
        width, height = (int(part) for part in parts)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"found {text!r}, expected width and height such as 800x600"
        ) from None
    return width, height


def window_of(text: str) -> tuple[float, float]:
    """0:2.5."""
    try:
        start, stop = (float(part) for part in text.split(":"))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"found {text!r}, expected two moments such as 0:2.5"
        ) from None
    return start, stop
