"""The folder of compiled code."""

from __future__ import annotations

import os
import threading
import time

import pytest

from dalembert._translate import cache


@pytest.fixture
def base(tmp_path, monkeypatch):
    monkeypatch.setenv("DALEMBERT_CACHE", str(tmp_path))
    cache.cache_folder.cache_clear()
    yield tmp_path
    cache.cache_folder.cache_clear()


def made(base, name, age):
    """A folder with a file, last in use so long ago  [s]."""
    folder = base / name
    folder.mkdir()
    (folder / "code.o").write_bytes(b"x")
    os.utime(folder, 2 * (time.time() - age,))
    return folder


def test_code_that_nobody_uses_is_removed_with_the_next_version(base):
    old = made(base, "0123456789abcdef", 2 * cache.KEPT)
    recent = made(base, "fedcba9876543210", 0.5 * cache.KEPT)
    other = made(base, "somebody's", 2 * cache.KEPT)
    folder = cache.cache_folder()
    assert folder.parent == base
    assert [p.exists() for p in (old, recent, other, folder)] == [False, True, True, True]


def test_a_folder_in_use_is_marked(base):
    folder = made(base, cache.source_hash(), 2 * cache.KEPT)
    old = made(base, "0123456789abcdef", 2 * cache.KEPT)
    assert cache.cache_folder() == folder
    assert time.time() - folder.stat().st_mtime < 60.0
    assert old.exists()  # nothing new was made


def test_where_nothing_can_be_written_there_is_another_place(base, monkeypatch, capsys):
    blocked = base / "file"
    blocked.write_text("")
    monkeypatch.setenv("DALEMBERT_CACHE", str(blocked))
    folder = cache.cache_folder()
    assert folder.is_dir()
    assert str(blocked) in capsys.readouterr().err
    folder.rmdir()


def test_threads_that_begin_at_once_have_one_folder(base, capsys):
    """What is compiled first asks from several threads."""
    found = set()
    for _ in range(50):
        cache.cache_folder.cache_clear()
        start = threading.Barrier(8)

        def look(start=start):
            start.wait()
            found.add(cache.cache_folder())

        threads = [threading.Thread(target=look) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {base / cache.source_hash()}
    assert capsys.readouterr().err == ""
    assert list(next(iter(found)).iterdir()) == []
