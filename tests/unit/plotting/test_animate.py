"""Moving pictures and sheets: frames, sizes, times, and what is refused."""

import builtins
import itertools

import matplotlib as mpl
import numpy as np
import pytest
from tests.support.synthetic import turning

mpl.use("Agg")

import matplotlib.pyplot as plt
from PIL import Image

import dalembert as dl
from dalembert.errors import FileError, OptionError
from dalembert.plotting import animate as module
from dalembert.plotting.animate import animate
from dalembert.plotting.picture import columns_of

SMALL = {"size": (120, 90), "fps": 5.0}


@pytest.fixture(scope="module")
def top():
    return dl.simulate(dl.catalog.load("heavy-top"), until=0.5, step=1e-3)


def frames(path):
    image = Image.open(path)
    found = []
    for k in range(image.n_frames):
        image.seek(k)
        found.append(np.asarray(image.convert("RGB")).astype(int))
    return found


def test_a_gif_has_a_frame_for_every_moment_and_moves(tmp_path):
    before = plt.get_fignums()
    path = animate(turning(until=2.0), tmp_path / "turn.gif", **SMALL)
    image = Image.open(path)
    assert image.size == (120, 90)
    assert image.n_frames == 11
    assert image.info["duration"] == 200
    seen = frames(path)
    assert all(np.abs(a - b).max() > 50 for a, b in itertools.pairwise(seen))
    assert plt.get_fignums() == before


def test_a_moving_picture_in_space(tmp_path, top):
    seen = frames(animate(top, tmp_path / "top.gif", arrows=True, trails=["top"], **SMALL))
    assert len(seen) == 3
    assert all((frame[-1, -1] == 255).all() for frame in seen)  # white stays white
    blue = [np.mean((f[..., 2] - f[..., 0]) > 40) for f in seen]
    assert min(blue) > 0.005  # the body is in every frame


def test_speed_window_and_frames_a_second_count(tmp_path):
    s = turning(until=4.0)
    path = tmp_path / "turn.gif"
    for options, count in (
        ({"fps": 10.0}, 41),
        ({"fps": 10.0, "speed": 2.0}, 21),
        ({"fps": 10.0, "window": (1.0, 2.0)}, 11),
    ):
        animate(s, path, size=(96, 72), **options)
        assert Image.open(path).n_frames == count


def test_a_sheet_is_a_picture_of_the_size_asked_for(tmp_path, top):
    path = animate(top, tmp_path / "sheet.png", frames=6, size=(400, 300))
    image = Image.open(path)
    assert image.size == (400, 300)
    assert len(np.unique(np.asarray(image.convert("RGB")).reshape(-1, 3), axis=0)) > 50


@pytest.mark.parametrize("suffix", [".pdf", ".svg"])
def test_a_sheet_for_print(tmp_path, suffix):
    assert animate(turning(), tmp_path / f"sheet{suffix}", frames=2).stat().st_size > 2000


def test_an_mp4_by_the_extra(tmp_path):
    imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")
    path = animate(turning(until=2.0), tmp_path / "turn.mp4", size=(121, 91), fps=10.0)
    count, seconds = imageio_ffmpeg.count_frames_and_secs(str(path))
    assert count == 21
    assert seconds == pytest.approx(2.1, abs=0.11)
    assert [p.name for p in tmp_path.iterdir()] == ["turn.mp4"]


def test_a_missing_extra_is_a_sentence(tmp_path, monkeypatch):
    found = builtins.__import__

    def without(name, *rest, **options):
        if name == "imageio_ffmpeg":
            raise ImportError(name)
        return found(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(OptionError, match=r"extra 'video'.*pip install 'dalembert\[video\]'"):
        animate(turning(), tmp_path / "turn.mp4")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("turn.avi", {}, "ends in .avi"),
        ("turn", {}, "ends in nothing"),
        ("turn.gif", {"fps": 0}, "fps is 0"),
        ("turn.gif", {"speed": -1.0}, "speed is -1"),
        ("turn.gif", {"size": (10, 10)}, "size is"),
        ("turn.gif", {"size": "big"}, "size is 'big'"),
        ("turn.gif", {"window": (2.0, 1.0)}, "window is"),
        ("turn.gif", {"window": (0.0, 99.0)}, "within 0 to"),
        ("turn.gif", {"view": "below"}, "view 'below' is unknown"),
        ("turn.gif", {"trails": ["nobody"]}, "no point 'nobody'"),
        ("turn.gif", {"fps": 5000.0}, "opens nowhere"),
        ("turn.png", {"frames": 0}, "frames is 0"),
    ],
)
def test_what_cannot_be_shown_is_refused(tmp_path, name, options, said):
    with pytest.raises(OptionError, match=said):
        animate(turning(), tmp_path / name, **options)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(FileError, match="cannot write the film"):
        animate(turning(), tmp_path / "missing" / "turn.gif", **SMALL)


def test_an_interrupted_film_leaves_the_old_one(tmp_path):
    path = tmp_path / "turn.gif"
    path.write_bytes(b"old")

    def stop(done, total):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        animate(turning(), path, progress=stop, **SMALL)
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["turn.gif"]


def test_progress_counts_every_frame(tmp_path):
    told = []
    animate(turning(until=2.0), tmp_path / "a.gif", progress=lambda *x: told.append(x), **SMALL)
    assert told == [(k, 11) for k in range(1, 12)]


def test_a_model_without_places_is_refused(tmp_path):
    (theta,) = dl.coordinates("theta")
    model = dl.Model.from_lagrangian(kinetic=theta.dot**2 / 2, initial={theta.dot: 1.0})
    solution = dl.simulate(model, until=0.1, step=1e-2)
    with pytest.raises(OptionError, match="names no points to draw"):
        animate(solution, tmp_path / "a.gif")


def test_pictures_leave_the_settings_of_matplotlib_alone(tmp_path):
    before = dict(mpl.rcParams)
    animate(turning(), tmp_path / "a.png", frames=2)
    assert dict(mpl.rcParams) == before
    assert module.STILL == (".png", ".pdf", ".svg")


@pytest.mark.parametrize(
    ("count", "ratio", "columns"), [(6, 0.6, 3), (12, 1.3, 4), (12, 1.0, 4), (1, 1.0, 1), (7, 1, 4)]
)
def test_a_sheet_has_few_gaps(count, ratio, columns):
    assert columns_of(count, ratio, 4 / 3) == columns
