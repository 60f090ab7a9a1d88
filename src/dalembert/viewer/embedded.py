"""Models that run, in a frame of their own: a cell of a notebook, a page of documentation."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

from dalembert._files import checked, writing
from dalembert.errors import OptionError
from dalembert.viewer.model_page import model_page
from dalembert.viewer.page import check_page_name

HEIGHT = 520
"""Height of a frame  [px]."""

STYLE = "width:100%;border:1px solid rgba(128,128,128,.35);border-radius:6px"


class LivePage:
    """A model that runs, as a notebook shows it.

    Attributes
    ----------
    text : str     the page, an HTML file of its own
    title : str
    height : int   of its frame  [px]
    """

    def __init__(self, text: str, title: str, height: int = HEIGHT) -> None:
        self.text, self.title, self.height = text, title, check_height(height)

    def __repr__(self) -> str:
        return f"LivePage({self.title!r}, {len(self.text) / 1e6:.2f} MB)"

    def _repr_html_(self) -> str:
        """The page in a frame, for notebooks: nothing else is needed, neither kernel nor server."""
        return (
            f'<iframe srcdoc="{html.escape(self.text, quote=True)}"'
            f' title="{html.escape(self.title, quote=True)}, a model that runs" loading="lazy"'
            f' style="height:{self.height}px;{STYLE}" allowfullscreen></iframe>'
        )

    def save(self, path: str | Path) -> Path:
        """Write the page to an HTML file."""
        check_page_name(path)
        checked(path, "the page")
        with writing(path, "the page") as file:
            file.write(self.text.encode("utf-8"))
        return Path(path)


def live(model: Any, *, height: int = HEIGHT, **options: Any) -> LivePage:
    """A model that runs where it is shown: at the end of a cell of a notebook, without a kernel.

    What is saved with the notebook runs wherever it is opened, also as HTML made by nbconvert.

    Parameters
    ----------
    model : Model
    height : of the frame  [px]
    options : as for ``save_html(model, path, live=True)``

    Examples
    --------
    >>> import dalembert as dl
    >>> dl.live(dl.catalog.load("pendulum"), step=1e-3).title
    'pendulum'
    """
    text = model_page(model, **options)
    title = options.get("title")
    return LivePage(text, model.name if title is None else str(title), height)


def check_height(height: Any) -> int:
    """The height of a frame; refuses what is none."""
    if isinstance(height, bool) or not isinstance(height, int) or not 200 <= height <= 2000:
        raise OptionError(f"height is {height!r}. Give pixels, 200 to 2000.")
    return height
