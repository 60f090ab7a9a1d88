"""Linear algebra in one thread, and as before behind it."""

from __future__ import annotations

import threading

import pytest

import dalembert as dl
from dalembert.numerics import one_thread as module
from dalembert.numerics.one_thread import one_thread


@pytest.fixture
def two_threads():
    """Every library of linear algebra with two threads."""
    libraries = module._libraries()
    if not libraries:
        pytest.skip("there is no OpenBLAS")
    before = [get() for get, _ in libraries]
    for _, put in libraries:
        put(2)
    if any(get() != 2 for get, _ in libraries):
        pytest.skip("it has one thread only")
    yield lambda: {get() for get, _ in libraries}
    for (_, put), count in zip(libraries, before, strict=True):
        put(count)


def test_it_is_one_within_and_as_before_behind(two_threads):
    with one_thread():
        with one_thread():
            assert two_threads() == {1}
        assert two_threads() == {1}
    assert two_threads() == {2}
    with pytest.raises(ZeroDivisionError), one_thread():
        raise ZeroDivisionError
    assert two_threads() == {2}


def test_blocks_in_several_threads(two_threads):
    began, over = threading.Event(), threading.Event()

    def other():
        with one_thread():
            began.set()
            over.wait(10.0)

    thread = threading.Thread(target=other)
    with one_thread():
        thread.start()
        began.wait(10.0)
    assert two_threads() == {1}
    over.set()
    thread.join()
    assert two_threads() == {2}


def test_an_analysis_leaves_it_as_it_was(two_threads):
    dl.linearize(dl.catalog.load("pendulum"))
    assert two_threads() == {2}
