"""Looks shared by all figures: colours, sizes, grids; and the choice of a backend."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dalembert._files import writing
from dalembert.errors import FileError, NotShownWarning

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe & Ito: told apart with every common colour vision; yellow left out, too pale on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#333333")
DASHES = ("-", "--", "-.", ":")
GREY = "#777777"

_LOOKS: dict[str, Any] = {
    "figure.dpi": 110,
    "savefig.dpi": 150,
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.xmargin": 0.01,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.7,
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "legend.frameon": False,
    "legend.fontsize": 9,
    "lines.linewidth": 1.4,
    "lines.solid_capstyle": "round",
    "axes.formatter.useoffset": False,
}


@contextlib.contextmanager
def looks() -> Iterator[None]:
    """The settings of this package, without touching the user's own.

    Whether figures show themselves is not one of them: a notebook's way to show them is loaded
    with the first figure and says that they do.
    """
    import matplotlib as mpl

    settings: Any = _LOOKS
    interactive = mpl.is_interactive()
    try:
        with mpl.rc_context(settings):
            try:
                yield
            finally:
                interactive = mpl.is_interactive()
    finally:
        mpl.interactive(interactive)


def new_figure(
    rows: int = 1, columns: int = 1, *, size: tuple[float, float], by_column: bool = False
) -> tuple[Figure, Any]:
    """A figure with panels sharing the time axis, or one axis a column; made within `looks`."""
    _choose_backend()
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        rows,
        columns,
        figsize=size,
        layout="constrained",
        sharex="col" if by_column else rows > 1,
        squeeze=False,
    )
    return figure, axes


def finish(figure: Figure, path: str | Path | None) -> None:
    """Write the figure when a path is given; it is then no longer kept open by pyplot."""
    if path is None:
        _say_where()
        return
    import matplotlib.pyplot as plt

    path = Path(path)
    if not path.suffix:
        path = path.with_name(f"{path.name}.png")
    advice = "Choose a folder that may be written and a name ending in .png, .pdf or .svg."
    try:
        with writing(path, "the figure", advice) as file:
            figure.savefig(file, format=path.suffix[1:].lower())
    except ValueError as problem:  # a format Matplotlib does not know
        raise FileError(f"{path}: cannot write the figure ({problem}). {advice}") from problem
    finally:
        plt.close(figure)


def line_styles(count: int) -> list[dict[str, Any]]:
    """One colour each; when the colours are used up, the next dash pattern."""
    pairs = itertools.cycle(itertools.product(DASHES, COLOURS))
    chosen = itertools.islice(pairs, count)
    return [{"color": colour, "linestyle": dash} for dash, colour in chosen]


def legend(axes: Axes, *, least: int = 2, shared: bool = False) -> None:
    """Above the panel for a few short entries, beside it for many: never on the curves.

    ``shared`` says that it serves all panels of the figure.
    """
    handles, labels = axes.get_legend_handles_labels()
    if len(labels) < least:
        return
    if len(labels) <= 3 and sum(map(len, labels)) <= 45:
        axes.legend(
            loc="lower right",
            bbox_to_anchor=(1.0, 1.0),
            ncols=len(labels),
            borderaxespad=0.2,
            columnspacing=1.4,
        )
    elif shared:
        figure: Any = axes.figure
        figure.legend(handles, labels, loc="outside right upper")
    else:
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)


def _is_headless() -> bool:
    """Whether no window can be opened and nobody has chosen a way to show figures."""
    shown = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform.startswith("linux") and not (shown or os.environ.get("MPLBACKEND"))


def _choose_backend() -> None:
    """Agg where a window cannot be opened, decided before pyplot decides otherwise."""
    if "matplotlib.pyplot" not in sys.modules and _is_headless() and not _in_notebook():
        import matplotlib as mpl

        mpl.use("Agg")


def _in_notebook() -> bool:
    """Whether a kernel of Jupyter is running, which shows figures below their cell."""
    return "ipykernel" in sys.modules


def _say_where() -> None:
    """Tell that a figure is not seen, where that is so."""
    import matplotlib as mpl

    if _is_headless() and not _in_notebook() and mpl.get_backend().lower() == "agg":
        warnings.warn(
            "There is no display: the figure was drawn and is not shown. Write it to a file:"
            " dl.plot(..., path='figure.png').",
            NotShownWarning,
            stacklevel=4,
        )
