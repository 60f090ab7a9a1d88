"""What is said while code is compiled for the first time."""

import io

import pytest

import dalembert as dl
from dalembert import _jit
from dalembert._translate import objects
from dalembert._translate.kinds import kind_named
from dalembert._translate.program import entry_program
from dalembert._translate.separate import is_part
from dalembert.enforcement.projection import end_of, end_step
from dalembert.integration.loop import phase_steps
from dalembert.simulation.prepare import announce
from dalembert.simulation.prepare.located import ContactEvents


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
    assert objects._called("dalembert.contact.step.impulses.close_gaps border") == (
        "contact.step.impulses.close_gaps"
    )
    assert objects._called(None) == "formulas"


def test_located_events_are_named_as_a_user_names_them(monkeypatch):
    stream = Terminal(False)
    monkeypatch.setattr("sys.stderr", stream)
    with announce.compiling(ContactEvents()):
        objects.told[-1]("a.b.first")
    assert stream.getvalue() == "dalembert: compiling ContactImpulse for this machine, once ...\n"


def lines_of(program):
    return program.count("\n")


def test_what_a_first_run_with_located_events_compiles_is_kept_short():
    """Each was above 5000 lines while forces, rows and samples had a copy in every one of them."""
    for called, text in announce.OF_PHASES:
        kinds = tuple(kind_named(kind) for kind in text.split())
        assert is_part(called.function, kinds), called
        assert lines_of(called.part_text(kinds)) < 4500, called
        # the door for Python calls the part
        assert lines_of(entry_program(called.function, kinds, checked=False)[0]) < 300, called


def test_bodies_without_joints_do_not_wait_for_projections():
    assert end_of(6) is end_step
    assert lines_of(end_of(0).text()) < 100


def test_parts_are_begun_with_their_doors(monkeypatch):
    begun = []
    monkeypatch.setattr(_jit.workers, "begin", begun.append)
    monkeypatch.setattr(phase_steps.run_phase, "_found", {})
    _jit.ahead([], announce.OF_PHASES[:1])
    assert [task.func.__name__ for task in begun] == ["part", "_load"]
