"""Write a lesson: Markdown with mathematics and models that run, as one HTML file, offline.

Several files are chapters. A block ```dalembert with `model: NAME` in it is a model that runs
there: one of the catalog, or a file beside the text. Other lines of the block are options of the
command `page`: step, method (or a list of them), parameters, title, caption, height and so on.
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("texts", metavar="FILE.md", nargs="+", help="chapters, in their order")
    parser.add_argument(
        "-o", "--out", metavar="FILE.html", help="where to; by default the first file's name"
    )
    parser.add_argument("--title", metavar="TEXT", help="above all chapters")
    parser.add_argument("--theme", default="auto", help="auto (the default), light or dark")
    parser.add_argument("--open", action="store_true", help="open it in the browser")


def run(arguments: argparse.Namespace) -> int:
    """Write it and print where it is."""
    import webbrowser
    from pathlib import Path

    from dalembert.cli import OK
    from dalembert.cli.output import check_writable
    from dalembert.viewer.lesson import lesson

    path = check_writable(arguments.out or f"{Path(arguments.texts[0]).stem}.html")
    made = lesson(arguments.texts, path, title=arguments.title, theme=arguments.theme)
    print(made)
    if arguments.open:
        webbrowser.open(made.resolve().as_uri())
    return OK
