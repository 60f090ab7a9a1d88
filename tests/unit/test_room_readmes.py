"""Each room has a README that names its files and rooms."""

from pathlib import Path

import pytest

import dalembert

SOURCE = Path(dalembert.__file__).parent
ROOMS = (
    *("system", "robotics", "integration", "simulation"),
    *(
        f"simulation/{folder.name}"
        for folder in sorted((SOURCE / "simulation").iterdir())
        if (folder / "__init__.py").is_file()
    ),
)


@pytest.mark.parametrize("room", ROOMS)
def test_every_file_of_a_room_is_in_its_readme(room):
    folder = SOURCE / room
    text = (folder / "README.md").read_text()
    files = {path.name for path in folder.glob("*.py")} - {"__init__.py"}
    rooms = {path.parent.name for path in folder.glob("*/__init__.py")}
    missing = [name for name in files if f"`{name}`" not in text]
    missing += [name for name in rooms if f"{name}/" not in text]
    assert not missing
    lines = text.splitlines()
    named = {part for line in lines if line.startswith("|") for part in line.split("`")[1::2]}
    assert not {name for name in named if name.endswith(".py")} - files
    assert len(lines) <= 50  # one screen
