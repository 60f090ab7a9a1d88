"""The folder of compiled code."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import tempfile
import threading
import time

import pytest

from dalembert._translate import cache, store

KEY = "a" * 64


@pytest.fixture
def base(tmp_path, monkeypatch):
    monkeypatch.setenv("DALEMBERT_CACHE", str(tmp_path))
    cache._folder.cache_clear()
    yield tmp_path
    cache._folder.cache_clear()


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


@pytest.fixture
def read_only(monkeypatch):
    """No file can be made; whoever is root could do it whatever a folder's mode is."""

    def refused(**_):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refused)


def test_a_full_cache_that_cannot_be_written_is_used(base, read_only, capsys):
    folder = made(base, cache.source_hash(), 10.0)
    assert cache.cache_folder() == folder
    assert capsys.readouterr().err == ""


def test_an_empty_cache_that_cannot_be_written_is_not(base, read_only, capsys):
    (base / cache.source_hash()).mkdir()
    assert base not in cache.cache_folder().parents
    assert "Read-only file system" in capsys.readouterr().err


# -- whose code is run -----------------------------------------------------------------------------

posix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and modes of POSIX")


@posix
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770, 0o702])
@pytest.mark.parametrize("which", ["base", "version"])
def test_code_that_others_may_have_written_is_not_used(base, mode, which, capsys):
    folder = made(base, cache.source_hash(), 10.0)
    shared = base if which == "base" else folder
    shared.chmod(mode)
    found = cache.cache_folder()
    assert base not in found.parents
    assert stat.S_IMODE(found.stat().st_mode) == 0o700
    said = capsys.readouterr().err
    assert f"others may write to {shared}" in said
    assert "DALEMBERT_CACHE" in said
    found.rmdir()


@posix
def test_a_folder_that_anybody_may_put_another_in_the_place_of_is_not_used(base, monkeypatch):
    shared = base / "shared"
    shared.mkdir()
    monkeypatch.setenv("DALEMBERT_CACHE", str(shared / "mine"))
    shared.chmod(0o777)
    assert shared not in cache.cache_folder().parents
    cache._folder.cache_clear()
    shared.chmod(0o1777)  # as /tmp is: only the owner may rename
    assert cache.cache_folder() == shared / "mine" / cache.source_hash()


@posix
def test_a_link_in_the_place_of_a_version_is_not_followed(base, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (base / cache.source_hash()).symlink_to(elsewhere)
    assert cache.cache_folder() != base / cache.source_hash()


@posix
def test_what_belongs_to_another_user_is_not_used(base, monkeypatch, capsys):
    folder = made(base, cache.source_hash(), 10.0)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    if os.getuid() == 0:
        assert cache.cache_folder() == folder  # what root has put there is used
        os.chown(folder, 23456, -1)
        cache._folder.cache_clear()
    assert base not in cache.cache_folder().parents
    assert "belongs to another user" in capsys.readouterr().err


@posix
def test_the_folder_of_the_program_itself_is_closed_to_others(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("DALEMBERT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cache.sys, "platform", "linux")
    own = tmp_path / "dalembert"
    own.mkdir()
    own.chmod(0o775)  # as made where groups are private
    cache._folder.cache_clear()
    assert cache.cache_folder() == own / cache.source_hash()
    assert stat.S_IMODE(own.stat().st_mode) == 0o755
    assert capsys.readouterr().err == ""
    cache._folder.cache_clear()


def test_the_temporary_folder_goes_with_the_program(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    program = "from dalembert._translate.cache import cache_folder as f; print(f(), f().is_dir())"
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "DALEMBERT_CACHE": str(blocked), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip().endswith("True")
    assert list(tmp_path.iterdir()) == [blocked]


# -- files -----------------------------------------------------------------------------------------


def test_code_is_read_as_it_was_written(tmp_path):
    store.remember(tmp_path, KEY, b"code")
    (file,) = tmp_path.iterdir()
    assert store.recall(tmp_path, KEY) == b"code"
    assert store.recall(tmp_path, "b" * 64) is None
    file.write_bytes(file.read_bytes() + b".")
    assert store.recall(tmp_path, KEY) is None


@posix
def test_only_regular_files_of_ones_own_are_read(tmp_path, monkeypatch):
    store.remember(tmp_path, KEY, b"code")
    (file,) = tmp_path.iterdir()
    file.chmod(0o662)
    assert store.recall(tmp_path, KEY) is None
    file.chmod(0o600)
    assert store.recall(tmp_path, KEY) == b"code"
    moved = file.rename(tmp_path / "moved")
    file.symlink_to(moved)
    assert store.recall(tmp_path, KEY) is None
    file.unlink()
    os.mkfifo(file)
    assert store.recall(tmp_path, KEY) is None  # nobody waits for it
    file.unlink()
    file.mkdir()
    assert store.recall(tmp_path, KEY) is None
    file.rmdir()
    moved.rename(file)
    if os.getuid() == 0:
        os.chown(file, 23456, -1)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert store.recall(tmp_path, KEY) is None


def aged(folder, name, size, age):
    path = folder / f"{name}.o"
    path.write_bytes(bytes(size))
    os.utime(path, 2 * (time.time() - age,))
    return path


def test_what_was_used_least_lately_goes_first(tmp_path):
    files = [aged(tmp_path, k, 100, 3600.0 * age) for k, age in enumerate((5, 1, 4, 2, 3))]
    store.trim(tmp_path, most=500)
    assert all(path.exists() for path in files)
    store.trim(tmp_path, most=400)
    assert [path.exists() for path in files] == [False, True, False, True, True]


def test_what_was_not_used_for_long_goes(tmp_path):
    old, recent = aged(tmp_path, "a", 1, 61 * store.DAY), aged(tmp_path, "b", 1, 59 * store.DAY)
    store.trim(tmp_path)
    assert [path.exists() for path in (old, recent)] == [False, True]


def test_reading_marks_code_as_used(tmp_path):
    store.remember(tmp_path, KEY, b"code")
    (file,) = tmp_path.iterdir()
    os.utime(file, 2 * (time.time() - 50 * store.DAY,))
    assert store.recall(tmp_path, KEY) == b"code"
    assert time.time() - file.stat().st_mtime < 60.0


def test_the_folder_of_formulas_stays_below_its_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "EVERY", 8)
    monkeypatch.setattr(store.trim, "__defaults__", (3000, store.LONGEST))
    folder = tmp_path / "formulas"
    for k in range(100):
        store.remember_bounded(folder, f"{k:064x}"[::-1], bytes(100 - store.DIGEST))
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 3000 + 800
    assert store.recall(folder, f"{99:064x}"[::-1]) is not None


def test_threads_that_begin_at_once_have_one_folder(base, capsys):
    """What is compiled first asks from several threads."""
    found = set()
    for _ in range(50):
        cache._folder.cache_clear()
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


def test_threads_that_begin_at_once_are_told_once(base, monkeypatch, capsys):
    blocked = base / "file"
    blocked.write_text("")
    monkeypatch.setenv("DALEMBERT_CACHE", str(blocked))
    start = threading.Barrier(8)
    found = set()

    def look():
        start.wait()
        found.add(cache.cache_folder())

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 1
    assert capsys.readouterr().err.count("dalembert:") == 1
