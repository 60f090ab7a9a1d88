"""What is said while code is compiled for the first time."""

import io

import pytest

import dalembert as dl
from dalembert._translate import objects
from dalembert.simulation.prepare import announce


class Terminal(io.StringIO):
    """Standard error as it is on a terminal, or not."""

    def __init__(self, tty):
        super().__init__()
        self.tty = tty

    def isatty(self):
        return self.tty


def said(monkeypatch, *, tty, silent=False, programs=("a.b.first", "a.b.second")):
    stream = Terminal(tty)
    monkeypatch.setattr("sys.stderr", stream)
    with announce.compiling(dl.Projection(), silent=silent):
        for program in programs:
            objects.told[-1](program)
    return stream.getvalue()


def test_a_terminal_is_told_of_each_program_on_one_line(monkeypatch):
    text = said(monkeypatch, tty=True)
    shown = [line.strip() for line in text.split("\r")[1:]]
    assert shown[0].startswith("dalembert: compiling Projection for this machine, once ... 1, 0 s:")
    assert shown[0].endswith("first")
    assert "2, 0 s: second" in shown[1]
    assert shown[2].endswith("2 programs, 0.0 s")
    assert text.count("\n") == 1


def test_a_file_is_told_once(monkeypatch):
    text = said(monkeypatch, tty=False)
    assert text == "dalembert: compiling Projection for this machine, once ...\n"


@pytest.mark.parametrize("tty", [True, False])
def test_nothing_is_said_where_nothing_is_compiled_or_nobody_asks(monkeypatch, tty):
    assert not said(monkeypatch, tty=tty, silent=True)
    assert not said(monkeypatch, tty=tty, programs=())


def test_programs_have_names():
    assert objects._called("dalembert.contact.step.borders.close_gaps border") == (
        "contact.step.borders.close_gaps"
    )
    assert objects._called(None) == "formulas"
