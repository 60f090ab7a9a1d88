"""Series for other programs."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import dalembert as dl
from dalembert.cli import main
from dalembert.errors import FileError, OptionError
from dalembert.simulation.results import export


@pytest.fixture(scope="module")
def swing():
    model = dl.catalog.load("pendulum")
    events = [dl.Event(model.coordinates[0], name="below")]
    return dl.simulate(model, until=1.0, step=1e-2, events=events)


@pytest.fixture(scope="module")
def bodies():
    return dl.simulate(dl.catalog.load("four-bar-3d"), until=0.05, step=1e-2)


def test_text_reads_back_to_the_same_numbers(swing, tmp_path):
    with open(swing.export(tmp_path / "swing.csv"), newline="") as file:
        head, *rows = csv.reader(file)
    assert head == list(swing.to_numpy())
    assert np.array_equal(np.array(rows, dtype=float)[:, 1], swing["x"])
    found = json.loads(swing.export(tmp_path / "swing.json").read_text())
    assert found["x.dot"] == swing["x.dot"].tolist()


def test_arrays(swing, tmp_path):
    with np.load(swing.export(tmp_path / "swing.npz")) as found:
        assert np.array_equal(found["lam[bar]"], swing.lam[:, 0])


@pytest.mark.parametrize("name", ["swing", "bodies"])
def test_hdf5(name, request, tmp_path):
    h5py = pytest.importorskip("h5py")
    solution = request.getfixturevalue(name)
    with h5py.File(solution.export(tmp_path / "run.h5")) as file:
        for block in ("t", "q", "v", "a", "lam", "phi", "phi_dot", "kinetic", "potential"):
            assert np.array_equal(file[block][:], getattr(solution, block))
        names = [text.decode() for text in file["v"].attrs["columns"].astype("S")]
        assert tuple(names) == solution.velocity_names
        assert file.attrs["model"] == solution.model.name
        assert file.attrs["status"] == "OK"
        assert file["events/t"][:].tolist() == [event.t for event in solution.events]
        assert file["events/q"].shape == (len(solution.events), solution.q.shape[1])


def test_parquet(swing, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(swing.export(tmp_path / "swing.parquet"))
    assert table.column_names == list(swing.to_numpy())
    assert np.array_equal(table["x"].to_numpy(), swing["x"])


def test_netcdf(swing, tmp_path):
    xarray = pytest.importorskip("xarray")
    with xarray.open_dataset(swing.export(tmp_path / "swing.nc"), engine="scipy") as found:
        assert np.array_equal(found["q"].sel(coordinate="x"), swing["x"])
        assert np.array_equal(found["t"], swing.t)


@pytest.mark.parametrize(
    ("ending", "package"), [(".h5", "h5py"), (".parquet", "pyarrow"), (".nc", "xarray")]
)
def test_a_package_that_is_not_there_is_told(ending, package, swing, tmp_path, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(export.importlib, "import_module", missing)
    with pytest.raises(OptionError, match=rf"needs {package}.*pip install"):
        swing.export(tmp_path / f"swing{ending}")
    assert list(tmp_path.iterdir()) == []


def test_unknown_formats(swing, tmp_path):
    with pytest.raises(FileError, match=r"\.xls says no format"):
        swing.export(tmp_path / "swing.xls")
    with pytest.raises(OptionError, match="'xml' is no format"):
        export.export(swing, tmp_path / "swing.xml", "xml")


def test_command(swing, tmp_path, capsys):
    run = swing.save(tmp_path / "swing.npz")
    assert main(["export", str(run), "--out", str(tmp_path / "a.csv")]) == 0
    assert main(["export", str(run), "--to", "npz"]) == 0
    assert (tmp_path / "swing-columns.npz").is_file()
    capsys.readouterr()
    assert main(["export", str(run), "--to", "csv", "--out", "-"]) == 0
    assert capsys.readouterr().out.startswith("t,x,y,")
    assert main(["export", str(run)]) == 2
    assert "say which format" in capsys.readouterr().err
    assert main(["export", str(run), "--to", "hdf5", "--out", "-"]) == 2
    assert "not text" in capsys.readouterr().err
