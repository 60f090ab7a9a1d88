"""Basins of attraction of a pendulum over three magnets: where it comes to rest, from everywhere.

A bob hangs on a long string above three magnets. It is let go at rest from every place of a grid;
the colour of the place is the magnet at which it stops. Light places are those where the bob has
not yet been caught at the end.

    python basins_of_attraction.py [--full] [--picture FILE.png]
"""

import resource
import sys
import time

import numpy as np

import dalembert as dl

PULL, HEIGHT, SPRING, DAMPING = 1.0, 0.25, 0.5, 0.2
MAGNETS = np.array([[np.cos(a), np.sin(a)] for a in np.pi / 2 + 2 * np.pi / 3 * np.arange(3)])
REACH, STEP, UNTIL = 2.0, 0.02, 30.0

x, y = dl.coordinates("x y")
pull = sum(-PULL / np.sqrt((x - a) ** 2 + (y - b) ** 2 + HEIGHT**2) for a, b in MAGNETS)
model = dl.Model.from_lagrangian(
    name="magnetic-pendulum",
    coordinates=[x, y],
    kinetic=(x.dot**2 + y.dot**2) / 2,
    potential=SPRING * (x**2 + y**2) / 2 + pull,
    forces={x: -DAMPING * x.dot, y: -DAMPING * y.dot},
)


def basins(size):
    """The magnet at which each bob rests, 0, 1 or 2; -1 where it is not near one; and the run."""
    line = np.linspace(-REACH, REACH, size)
    columns, rows = (table.ravel() for table in np.meshgrid(line, line))
    found = dl.rollout(
        model,
        {x: columns, y: rows},
        step=STEP,
        steps=round(UNTIL / STEP),
        record=[x, y],
        reduce="final",
    )
    place = found.data[:, 0]
    away = np.linalg.norm(place[:, None] - MAGNETS, axis=2)
    caught = np.where(away.min(axis=1) < 0.2, away.argmin(axis=1), -1)
    return caught.reshape(size, size), found


def picture(caught, path):
    """A picture of three colours and white, of as many points as the grid has."""
    from PIL import Image

    colours = [(250, 250, 250), (31, 78, 121), (224, 123, 57), (88, 140, 92)]
    made = Image.fromarray((caught[::-1] + 1).astype(np.uint8), mode="P")
    made.putpalette([level for colour in colours for level in colour])
    made.save(path, optimize=True)


if __name__ == "__main__":
    size = 1000 if "--full" in sys.argv else 60
    began = time.perf_counter()
    caught, found = basins(size)
    spent = time.perf_counter() - began
    steps = size**2 * round(UNTIL / STEP)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{size**2} runs of {UNTIL:g} s: {spent:.1f} s, {steps / spent / 1e6:.1f} million steps/s"
    )
    print(f"memory at most {memory:.0f} MiB; shares {np.bincount(caught.ravel() + 1) / size**2}")
    if "--picture" in sys.argv:
        picture(caught, sys.argv[sys.argv.index("--picture") + 1])

    # next to a magnet a bob stays there; the picture is that of its mirror with magnets exchanged
    line = np.linspace(-REACH, REACH, size)
    for k, (a, b) in enumerate(MAGNETS):
        assert caught[np.argmin(np.abs(line - b)), np.argmin(np.abs(line - a))] == k
    mirrored = np.array([-1, 0, 2, 1])[caught[:, ::-1] + 1]
    assert np.mean(mirrored == caught) > 0.99
    assert not len(found.failed)
    assert np.mean(caught < 0) < 0.02
