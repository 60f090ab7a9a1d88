"""`animate`: a run as a moving picture or as a sheet of moments, without a display."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from dalembert._files import writing
from dalembert.errors import FileError, OptionError
from dalembert.plotting import picture, style
from dalembert.plotting.painter import Painter, outlines
from dalembert.plotting.series import labelled

MOST = 1500
"""Frames of a GIF; programs that show one hold all of them in memory."""

LONG = 60
"""Frames from which on progress is shown on a terminal."""

STILL = (".png", ".pdf", ".svg")
ADVICE = "Choose a folder that may be written and a name ending in .gif, .mp4 or .png."


def animate(
    solution: Any,
    path: str | Path,
    *,
    fps: float = 25.0,
    size: tuple[int, int] = (800, 600),
    speed: float = 1.0,
    window: tuple[float, float] | None = None,
    frames: int = 12,
    view: Any = "auto",
    arrows: bool = False,
    trails: Any = None,
    progress: Callable[[int, int], None] | bool | None = None,
) -> Path:
    """Write a run as a GIF, an MP4 or a sheet of moments, by the suffix of the path.

    Parameters
    ----------
    solution : Solution
    path : str or Path
        .gif; .mp4 (needs the extra ``video``); .png, .pdf or .svg for a sheet.
    fps : float
        Frames a second of a moving picture.
    size : (width, height)
        In pixels; of a sheet the whole of it.
    speed : float
        1 is real time, 0.1 ten times slower.
    window : (start, stop)  [s]
        Part of the run; by default all of it.
    frames : int
        Moments of a sheet.
    view : "auto", "iso", "front", "side", "top", or (azimuth, elevation) in degrees
        "auto" looks straight at a planar motion and obliquely at any other.
    arrows : bool
        Draw reactions and applied forces.
    trails : points, frames or bodies, or their names
        Whose paths are drawn; by default the points a model names, if they are few.
    progress : callable (done, total), True or False
        By default a bar on a terminal when there are many frames.

    Returns
    -------
    Path

    Examples
    --------
    >>> import dalembert as dl
    >>> solution = dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-2)
    >>> dl.animate(solution, "pendulum.gif", fps=10)  # doctest: +SKIP
    PosixPath('pendulum.gif')
    """
    solution = _single(solution)
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in (".gif", ".mp4", *STILL):
        raise OptionError(
            f"animate: {path.name!r} ends in {suffix or 'nothing'}. Give a name that ends in .gif,"
            " .mp4 or .png."
        )
    width, height = _size(size)
    start, stop = picture.interval(solution, window)
    if suffix in STILL:
        return _sheet(solution, path, (start, stop), frames, (width, height), view, arrows, trails)
    encoder = _ffmpeg() if suffix == ".mp4" else None
    times = _times(start, stop, fps, speed, suffix)
    scene, motion = picture.filmed(solution, times, arrows=arrows, trails=trails)
    painter = Painter(scene, view=view, arrows=arrows)
    # a codec wants even numbers
    shape = (width - width % 2, height - height % 2) if encoder else (width, height)
    pictures = _pictures(painter, motion, shape)
    with _shown(progress, len(times)) as told, writing(path, "the film", ADVICE) as file:
        if encoder is None:
            some = _some(motion, [0, len(times) // 2, len(times) - 1])
            palette = _palette(_pictures(painter, some, shape))
            _write_gif(file, told(pictures), palette, fps)
        else:
            _write_mp4(file, told(pictures), shape, fps, encoder)
    return path


def _single(thing: Any) -> Any:
    solutions = labelled(thing)
    if len(solutions) != 1:
        raise OptionError("animate: give one solution, for example result.solutions[...].")
    solution = next(iter(solutions.values()))
    if not len(solution.t):
        raise OptionError("animate: nothing was recorded, so there is nothing to show.")
    return solution


def _size(size: Any) -> tuple[int, int]:
    try:
        width, height = (int(length) for length in size)
    except (TypeError, ValueError):
        width = height = 0
    if not (64 <= width <= 7680 and 64 <= height <= 4320):
        raise OptionError(
            f"animate: size is {size!r:.60}. Give (width, height) in pixels, at least 64 each."
        )
    return width, height


def _times(start: float, stop: float, fps: float, speed: float, suffix: str) -> Any:
    for name, value in (("fps", fps), ("speed", speed)):
        if not (isinstance(value, int | float) and 0.0 < value < np.inf):
            raise OptionError(f"animate: {name} is {value!r:.60}. Give a positive number.")
    count = max(2, round((stop - start) / speed * fps) + 1)
    if suffix == ".gif" and count > MOST:
        longest = MOST / fps * speed
        raise OptionError(
            f"animate: {stop - start:g} s need {count} frames, and a GIF of more than {MOST} opens"
            f" nowhere. Give window=({start:g}, {start + longest:g}), speed={count / MOST:.2g}"
            " times what it is, a lower fps, or write .mp4."
        )
    return np.linspace(start, stop, count)


# -- frames ----------------------------------------------------------------------------------------


def _pictures(painter: Painter, motion: Any, shape: tuple[int, int]) -> Iterator[Any]:
    """Every frame as an array (height, width, 3) of bytes."""
    with style.looks():
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        dots = 100
        figure = Figure(figsize=(shape[0] / dots, shape[1] / dots), dpi=dots, facecolor="white")
        canvas = FigureCanvasAgg(figure)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        picture.bare(axes, painter, motion)
        painter.grid(axes)
        if painter.scene.trails:
            painter.trails(axes, motion)
        clock = axes.text(
            0.02, 0.97, "", transform=axes.transAxes, va="top", color="#444444", fontsize=11
        )
        axes.text(
            0.98,
            0.97,
            painter.scene.name,
            transform=axes.transAxes,
            va="top",
            ha="right",
            color="#444444",
            fontsize=11,
        )
        drawn = painter.paint(axes, motion, 0)
        digits = 2 if motion.t[-1] - motion.t[0] < 100 else 1
        for k, t in enumerate(motion.t):
            polygons, colors = painter.faces(motion, k)
            drawn.set_verts(list(polygons))
            drawn.set_facecolor(colors)
            drawn.set_edgecolor(outlines(colors))
            clock.set_text(f"t = {t:.{digits}f} s")
            canvas.draw()  # type: ignore[no-untyped-call]
            pixels = canvas.buffer_rgba()  # type: ignore[no-untyped-call]
            yield np.asarray(pixels)[:, :, :3].copy()


def _some(motion: Any, chosen: list[int]) -> Any:
    """The motion at some of its moments."""
    return replace(
        motion, **{field.name: getattr(motion, field.name)[chosen] for field in fields(motion)}
    )


def _palette(pictures: Iterator[Any]) -> Any:
    """Colours of some frames, pure white among them."""
    from PIL import Image

    sample = Image.fromarray(np.concatenate(list(pictures)))
    made = sample.quantize(colors=255, method=Image.Quantize.MEDIANCUT)
    table = np.array(made.getpalette()).reshape(-1, 3)
    table[(table > 247).all(axis=1)] = 255  # the search is coarse: no other may be near
    table[np.argmax(table.sum(axis=1))] = 255
    made.putpalette([int(entry) for entry in table.ravel()])
    return made


def _write_gif(file: Any, pictures: Iterator[Any], palette: Any, fps: float) -> None:
    from PIL import Image

    # one palette for all frames: colours do not flicker, and unchanged places cost nothing
    made = (
        Image.fromarray(pixels).quantize(palette=palette, dither=Image.Dither.NONE)
        for pixels in pictures
    )
    first = next(made)
    first.save(
        file,
        format="GIF",
        save_all=True,
        append_images=made,
        duration=max(20, round(1000.0 / fps / 10) * 10),  # counted in hundredths of a second
        loop=0,
        disposal=1,
    )


def _ffmpeg() -> Any:
    try:
        import imageio_ffmpeg  # type: ignore[import-untyped, unused-ignore]
    except ImportError as problem:
        raise OptionError(
            "animate: an MP4 needs the extra 'video', which is not installed. Install it with"
            " pip install 'dalembert[video]', or write .gif."
        ) from problem
    return imageio_ffmpeg


def _write_mp4(
    file: Any, pictures: Iterator[Any], shape: tuple[int, int], fps: float, encoder: Any
) -> None:
    # the name of the unfinished file has no suffix that would tell the format
    sink = encoder.write_frames(
        file.name,
        shape,
        fps=fps,
        codec="libx264",
        pix_fmt_in="rgb24",
        quality=None,
        macro_block_size=2,
        output_params=["-crf", "20", "-preset", "medium", "-movflags", "+faststart", "-f", "mp4"],
        ffmpeg_log_level="error",
    )
    try:
        sink.send(None)
        for pixels in pictures:
            sink.send(np.ascontiguousarray(pixels))
    except OSError as problem:
        raise FileError(f"{file.name}: the film was not written ({problem}). {ADVICE}") from problem
    finally:
        sink.close()


# -- a sheet ---------------------------------------------------------------------------------------


def _sheet(
    solution: Any,
    path: Path,
    window: tuple[float, float],
    frames: int,
    size: tuple[int, int],
    view: Any,
    arrows: bool,
    trails: Any,
) -> Path:
    """Moments in panels, from left to right and down."""
    times, shown = picture.sheet_times(*window, frames)
    scene, motion = picture.filmed(solution, times, arrows=arrows, trails=trails)
    painter = Painter(scene, view=view, arrows=arrows)
    with style.looks():
        from matplotlib.figure import Figure

        low, high = painter.limits(motion)
        ratio = float((high - low)[0] / max((high - low)[1], 1e-12))
        columns = picture.columns_of(frames, float(np.clip(ratio, 0.4, 2.5)), size[0] / size[1])
        rows = int(np.ceil(frames / columns))
        dots = 100
        figure = Figure(figsize=(size[0] / dots, size[1] / dots), dpi=dots, layout="constrained")
        panels = figure.subplots(rows, columns, squeeze=False)
        figure.suptitle(scene.name, x=0.01, ha="left", fontsize=11, fontweight="bold")
        for axes in panels.flat[frames:]:
            axes.set_axis_off()
        for axes, k in zip(panels.flat, shown, strict=False):
            picture.bare(axes, painter, motion)
            painter.grid(axes)
            painter.trails(axes, motion, until=int(k))
            painter.paint(axes, motion, int(k))
            axes.set_title(f"{motion.t[k]:.3g} s", fontsize=9, fontweight="normal", loc="center")
        advice = "Choose a folder that may be written and a name ending in .png, .pdf or .svg."
        with writing(path, "the picture", advice) as file:
            figure.savefig(file, format=path.suffix[1:].lower(), dpi=dots)
    return path


# -- progress --------------------------------------------------------------------------------------


@contextlib.contextmanager
def _shown(progress: Any, total: int) -> Iterator[Any]:
    """A function that passes frames on and tells how many there were."""
    if progress is None:
        progress = total > LONG and sys.stderr.isatty()
    if progress is False:
        yield lambda pictures: pictures
        return
    if callable(progress):

        def counted(pictures: Iterator[Any]) -> Iterator[Any]:
            for done, one in enumerate(pictures, 1):
                yield one
                progress(done, total)

        yield counted
        return
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    yield lambda pictures: track(pictures, "drawing", total=total, console=console, transient=True)
