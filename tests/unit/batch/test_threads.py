"""Threads that stay: every piece once, errors told, no waiting for whoever is busy."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from dalembert.batch.given import read_controls
from dalembert.batch.threads import MOST_THREADS, in_threads
from dalembert.errors import OptionError


def test_every_piece_is_done_once_and_rooms_are_of_one_thread():
    done, rooms = [], []

    def room():
        rooms.append(threading.get_ident())
        return threading.get_ident()

    def work(own, k):
        assert own == threading.get_ident()
        done.append(k)

    in_threads(4, room, work, [(k,) for k in range(100)])
    assert sorted(done) == list(range(100))
    assert len(rooms) <= 4


def test_threads_stay():
    before = set()
    for _ in range(5):
        in_threads(3, threading.get_ident, lambda own, k: before.add(own), [(k,) for k in range(9)])
    assert len(before) <= MOST_THREADS
    kept = [t for t in threading.enumerate() if t.name.startswith("dalembert")]
    assert 1 <= len(kept) <= MOST_THREADS


def test_an_error_is_raised_when_all_have_ended():
    done = []

    def work(own, k):
        if k == 3:
            raise ZeroDivisionError
        done.append(k)

    with pytest.raises(ZeroDivisionError):
        in_threads(2, lambda: None, work, [(k,) for k in range(8)])
    assert 3 not in done


def test_calls_within_calls_end():
    count = []

    def inner(own, k):
        count.append(k)

    def outer(own, k):
        in_threads(4, lambda: None, inner, [(n,) for n in range(5)])

    with ThreadPoolExecutor(8) as pool:
        jobs = [
            pool.submit(in_threads, 8, lambda: None, outer, [(k,) for k in range(40)])
            for _ in range(8)
        ]
        for job in jobs:
            job.result(timeout=60)
    assert len(count) == 8 * 40 * 5


def test_controls_are_laid_out_the_same_by_any_number_of_threads():
    random, worlds, steps = np.random.default_rng(6), 3000, 40
    given = {
        "every step": random.uniform(-1, 1, (worlds, steps)),
        "held": random.uniform(-1, 1, (worlds, 7)),
        "the same": random.uniform(-1, 1, steps),
        "a number": 2.0,
    }
    for names in (list(given), ["every step"], ["held"], ["the same"]):
        asked = {name: given[name] for name in names}
        rows = max(np.atleast_2d(x).shape[1] for x in asked.values())
        for threads in (1, 3):
            read = read_controls(asked, names, worlds, steps, threads)
            table = read.table.reshape(worlds, read.rows, len(names))
            assert read.rows == rows
            for k, x in enumerate(np.atleast_2d(x) for x in asked.values()):
                held = x[:, np.minimum(np.arange(rows), x.shape[1] - 1)]
                assert np.array_equal(table[:, :, k], np.broadcast_to(held, (worlds, rows)))


@pytest.mark.parametrize("others", [[], ["held"]])
def test_one_number_that_is_not_finite_is_told_by_the_name_of_its_control(others):
    table = np.ones((3000, 40))
    table[-1, -1] = np.nan
    given = {name: np.ones((3000, 40)) for name in others} | {"bad": table}
    with pytest.raises(OptionError, match="'bad' holds numbers that are not finite"):
        read_controls(given, list(given), 3000, 40, 2)
