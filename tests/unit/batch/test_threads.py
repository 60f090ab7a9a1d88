"""Threads that stay: every piece once, errors told, no waiting for whoever is busy."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from dalembert.batch.threads import MOST_THREADS, in_threads


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
