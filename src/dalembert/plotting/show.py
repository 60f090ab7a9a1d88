"""Open figures in windows and wait until they are closed."""

from __future__ import annotations

from dalembert.errors import OptionError


def show() -> None:
    """Show every open figure; refused where there is no screen."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    name = mpl.get_backend()
    if not getattr(plt.get_current_fig_manager(), "window", None):
        raise OptionError(
            f"There is no screen to show figures on (matplotlib's backend is {name}). Leave --show "
            "out to write files."
        )
    plt.show()
