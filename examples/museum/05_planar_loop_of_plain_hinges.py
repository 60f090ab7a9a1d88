"""A planar four-bar of four plain hinges in space (modelica/ModelicaStandardLibrary#2039).

No cut joint has to be chosen. The same linkage with the cut joint, a pin that holds two directions
only, moves the same way.
"""

import numpy as np

import dalembert as dl


def four_bar(closing):
    model = dl.Model("four-bar")
    ends = []
    for name, length in {"crank": 1.0, "coupler": 2.0, "rocker": 1.5}.items():
        body = model.add_body(name, dl.Inertia.box(1.0, size=(length, 0.05, 0.05)))
        ends.append((body.at(x=-length / 2), body.at(x=length / 2)))
    (a, b), (c, d), (f, e) = ends
    model.add_joint(dl.Revolute(model.world, a, axis="-y", name="A"))
    model.add_joint(dl.Revolute(b, c, axis="-y", name="B"))
    model.add_joint(dl.Revolute(model.world.at(x=2.0), f, axis="-y", name="D"))
    model.add_joint(closing(d, e, axis="y", name="C"))
    return model


hinges, cut = four_bar(dl.Revolute), four_bar(dl.PointOnLine)
told = hinges.check()
print(f"{len(told.redundant)} rows are repeated:", told[0])
start = dl.assemble(hinges, hold={"A": 1.0})
runs = [dl.simulate(model, until=10.0, initial=start.state) for model in (hinges, cut)]
apart = abs(runs[0]["rocker.x"][-1] - runs[1]["rocker.x"][-1])
print(f"with and without the cut joint: {apart:.1e} m apart after 10 s")
assert len(told.redundant) == 3
assert told.degrees_of_freedom == cut.check().degrees_of_freedom == 1
assert apart < 1e-8
assert all(np.ptp(run.energy) < 1e-8 for run in runs)
