"""A plain four-bar of four hinges in space: why a count of joints says that it cannot move.

6 * 3 - 4 * 5 = -2 degrees of freedom, but the hinges are parallel and three of their 20 rows repeat
what the others say. The motion is unique, single reactions are not; with one hinge relaxed as
`check` proposes they are.
"""

import numpy as np

import dalembert as dl


def four_bar(*, relaxed: bool) -> dl.Model:
    """Trapezium hanging in the x-z plane, pushed to the side; hinge_D holds less if relaxed."""
    model = dl.Model("four-bar", gravity=(5.0, 0, -9.81))
    bar = dl.Inertia.cylinder(mass=2.0, radius=0.02, length=1.0, axis="x")
    crank, coupler, rocker = (model.add_body(n, bar) for n in ("crank", "coupler", "rocker"))

    support = model.world.at(x=2.0)
    for name, first, second, angle in (
        ("hinge_A", model.world.at(), crank.at(x=-0.5), -np.pi / 3),
        ("hinge_B", crank.at(x=0.5), coupler.at(x=-0.5), np.pi / 3),
        ("hinge_C", coupler.at(x=0.5), rocker.at(x=0.5), -2 * np.pi / 3),
        ("hinge_D", support, rocker.at(x=-0.5), -2 * np.pi / 3),
    ):
        if relaxed and name == "hinge_D":
            model.add_joint(dl.PointOnLine(first, second, axis="y", name=name))
        else:
            model.add_joint(dl.Revolute(first, second, axis="-y", initial=angle, name=name))
    return model


if __name__ == "__main__":
    stiff, relaxed = four_bar(relaxed=False), four_bar(relaxed=True)
    print(stiff.check())
    print(relaxed.check())
    runs = [dl.simulate(model, until=10.0, step=1e-3) for model in (stiff, relaxed)]
    for run in runs:
        print(run.reaction("hinge_D").summary())

    # the same motion, whichever rows are repeated
    assert [model.check().rank for model in (stiff, relaxed)] == [17, 17]
    assert [model.row_count for model in (stiff, relaxed)] == [20, 17]
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-9
    for run in runs:
        assert run.worst["phi"] < 1e-13
        assert run.worst["phi_dot"] < 1e-12
        assert np.ptp(run.energy) < 1e-8 * run.kinetic.max()
    # in the plane the forces are the same; across it nothing asks for any, and none is made up
    pulls = [run.reaction("hinge_D") for run in runs]
    assert [pull.unique for pull in pulls] == [False, True]
    assert np.abs(pulls[0].force - pulls[1].force).max() < 1e-6 * pulls[1].max()
    assert np.abs(pulls[0].torque).max() < 1e-9 * pulls[1].max()
