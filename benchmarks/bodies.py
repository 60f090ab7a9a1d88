"""Our models of the body scenes, with the numbers of peers/linkage.py and peers/chains.py.

Chain and net are those of the catalog without the points to be drawn, and the chain with the
start of peers/chains.py.
"""

from __future__ import annotations

import itertools

import dalembert as dl
from peers import chains, linkage


def linkage_model(loops: int) -> dl.Model:
    """N four-bar linkages from rods and hinges (IFToMM A02)."""
    return dl.catalog.load("n-four-bar-bodies", count=loops, gravity=linkage.GRAVITY)


def linkage_order(loops: int) -> list[int]:
    """Places of crank 0, coupler 0, crank 1, ... among the model's bodies: cranks, couplers."""
    return [loops + 1 + i // 2 if i % 2 else i // 2 for i in range(2 * loops + 1)]


def chain_model(kind: str, count: int) -> dl.Model:
    """Chain or ring of rods with ball joints; the ring is closed from the last rod to the first."""
    begin = chains.start(kind, count)
    half = 0.5 * chains.LENGTH
    model = dl.Model(f"{kind}-{count}", gravity=(0, 0, -chains.GRAVITY))
    inertia = dl.Inertia.cylinder(chains.MASS, chains.RADIUS, length=chains.LENGTH, axis="z")
    centres, tilts, velocities = begin.centres, begin.tilts, begin.velocities
    rods = [
        model.add_body(
            f"rod{i}",
            inertia,
            position=centres[i],
            rotation=("y", tilts[i]),
            velocity=velocities[i],
            angular_velocity=begin.rates[i],
        )
        for i in range(count)
    ]
    model.add_joint(dl.Spherical(model.world, rods[0].at(z=half), name="hook"))
    for i, (above, below) in enumerate(itertools.pairwise(rods)):
        model.add_joint(dl.Spherical(above.at(z=-half), below.at(z=half), name=f"ball{i}"))
    if begin.closed:
        model.add_joint(dl.Spherical(rods[-1].at(z=-half), rods[0].at(z=half), name="closing"))
    return model


def grid_model(side: int) -> dl.Model:
    """Net of plates, 1 m and 1 kg, flat, so that many rows are dependent; held at two corners."""
    model = dl.Model(f"grid-{side}", gravity=(0, 0, -chains.GRAVITY))
    inertia = dl.Inertia.box(mass=1.0, size=(1.0, 1.0, 0.1))
    plates = [
        [model.add_body(f"plate{i}_{j}", inertia, position=(i, j, 0)) for j in range(side)]
        for i in range(side)
    ]
    for i, j in itertools.product(range(side), range(side)):
        plate = plates[i][j]
        if i + 1 < side:
            beside = plates[i + 1][j].at(x=-0.5)
            model.add_joint(dl.Spherical(plate.at(x=0.5), beside, name=f"x{i}_{j}"))
        if j + 1 < side:
            behind = plates[i][j + 1].at(y=-0.5)
            model.add_joint(dl.Spherical(plate.at(y=0.5), behind, name=f"y{i}_{j}"))
    for i, arm in ((0, -0.5), (side - 1, 0.5)):
        corner = model.world.at(x=i + arm, y=-0.5)
        model.add_joint(dl.Spherical(corner, plates[i][0].at(x=arm, y=-0.5), name=f"hook{i}"))
    return model
