"""One model, many methods, the same step: what each of them does to the constraint."""

import dalembert as dl

METHODS = [
    dl.UdwadiaKalaba(),
    dl.BraunGoldfarb(),
    dl.Baumgarte(alpha=50.0, beta=50.0),
    dl.Projection(),
    dl.Rattle(),
    dl.VelocitySplitting(),
]

if __name__ == "__main__":
    result = dl.compare(dl.catalog.load("pendulum"), until=10.0, step=1e-2, methods=METHODS)
    print(result.table())

    rows = {row.method: row for row in result.rows}
    # physics.md section 6, second number of the pendulum column, within a factor of two
    assert rows["UdwadiaKalaba"].error < 2 * 9.5e-5
    assert rows["BraunGoldfarb"].error < 2 * 2.4e-7
    assert rows["Projection"].error < 2 * 5.5e-7
    assert rows["Rattle"].error < 2 * 6.0e-3
    # what is kept exactly, and what is not
    assert rows["Projection"].phi < 1e-14
    assert rows["Rattle"].phi < 1e-13
    assert rows["BraunGoldfarb"].phi < 2 * 8.6e-10
    assert rows["UdwadiaKalaba"].phi > rows["BraunGoldfarb"].phi
