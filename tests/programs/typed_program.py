"""A program of a user, as strict as it can be."""

import numpy as np
from numpy.typing import NDArray

import dalembert as dl


def fall(height: float) -> NDArray[np.float64]:
    """Height of a ball that is dropped."""
    model = dl.Model("drop")
    ground = dl.Material(friction=0.4, restitution=0.2)
    model.add_shape(dl.Plane(), material=ground)
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, 0.1), position=(0.0, 0.0, height))
    model.add_shape(dl.Sphere(0.1), on=ball, material=ground)
    solution: dl.Solution = dl.simulate(model, until=1.0, step=1e-3)
    return solution["ball.z"]


def swing() -> float:
    """Angle of a pendulum after a second."""
    model = dl.Model("pendulum")
    rod = model.add_body("rod", dl.Inertia.rod(1.0, 0.5, axis="z"))
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(z=0.25), axis="y", initial=0.3))
    solution = dl.simulate(model, until=1.0, step=1e-3, method=dl.BraunGoldfarb())
    words: str = solution.verdict.word
    print(words, solution.summary())
    return float(solution[hinge.angle][-1])


def formulas() -> float:
    """A coordinate of a pendulum of formulas after a second."""
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2, potential=9.81 * y, initial={x: 1.0, y: 0.0}
    )
    model.constrain(x**2 + y**2 - 1)
    return float(dl.simulate(model, until=1.0).q[-1, 0])


if __name__ == "__main__":
    print(f"{fall(0.5)[-1]:.2f} {swing():.2f} {formulas():.2f}")
