"""The first program: a pendulum in Cartesian coordinates, one constraint, no drift."""

import dalembert as dl

x, y = dl.coordinates("x y")
m, l, g = dl.parameters(m=1.0, l=1.0, g=9.81)
model = dl.Model.from_lagrangian(
    kinetic=m * (x.dot**2 + y.dot**2) / 2,
    potential=m * g * y,
    constraints=[x**2 + y**2 - l**2],
)

if __name__ == "__main__":
    solution = dl.simulate(model, until=10.0, step=1e-3, initial={x: 1.0, y: 0.0})
    print(solution.summary())

    # closed form, physics.md 9.1; the constraint at the level of rounding
    assert abs(solution[x][-1] - 0.27508746257612) < 1e-9
    assert solution.worst["phi"] < 2e-14
    assert solution.worst["phi_dot"] < 2e-13
