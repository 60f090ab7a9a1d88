"""Our models of the body scenes, with the numbers of peers/linkage.py and peers/chains.py."""

from __future__ import annotations

import itertools

from peers import chains, linkage

import dalembert as dl


def linkage_model(loops: int) -> dl.Model:
    """N four-bar linkages from rods and hinges (IFToMM A02)."""
    model = dl.Model(f"{loops}-four-bar-bodies", gravity=(0, -linkage.GRAVITY, 0))
    rods = []
    for i, (centre, angle, velocity, rate) in enumerate(zip(*linkage.start(loops), strict=True)):
        rods.append(
            model.add_body(
                f"{'coupler' if i % 2 else 'crank'}{i // 2}",
                dl.Inertia.rod(mass=1.0, length=1.0),
                position=(*centre, 0.0),
                rotation=("z", angle),
                velocity=(*velocity, 0.0),
                angular_velocity=(0.0, 0.0, rate),
            )
        )

    def hinge(first: dl.Frame, second: dl.Frame, name: str) -> None:
        model.add_joint(dl.Revolute(first, second, axis="z", name=name))

    for i, crank in enumerate(rods[::2]):
        hinge(model.world.at(x=float(i)), crank.at(x=-0.5), f"bearing{i}")
    for i, (before, coupler, after) in enumerate(
        zip(rods[:-1:2], rods[1::2], rods[2::2], strict=True)
    ):
        hinge(before.at(x=0.5), coupler.at(x=-0.5), f"left{i}")
        hinge(coupler.at(x=0.5), after.at(x=0.5), f"right{i}")
    return model


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
    """Net of square plates, 1 m and 1 kg, with a ball joint in the middle of every common edge.

    It lies flat and is held at the corners of two plates; flat, many of its rows are dependent.
    """
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
