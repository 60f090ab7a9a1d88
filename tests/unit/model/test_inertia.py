import numpy as np
import pytest

from dalembert.errors import ModelError
from dalembert.formulas.variables import coordinates, parameters
from dalembert.model import Inertia


def moments(inertia):
    return tuple(inertia.matrix[i][i] for i in range(3))


def test_shapes_against_textbook_formulas():
    assert moments(Inertia.box(12.0, (1.0, 2.0, 3.0))) == (13.0, 10.0, 5.0)
    assert moments(Inertia.rod(12.0, 2.0, axis="z")) == (4.0, 4.0, 0.0)
    assert moments(Inertia.sphere(5.0, 2.0)) == (8.0, 8.0, 8.0)
    assert moments(Inertia.cylinder(12.0, 1.0, length=3.0, axis="x")) == (6.0, 12.0, 12.0)
    assert moments(Inertia.point(3.0)) == (0.0, 0.0, 0.0)


def test_slender_box_tends_to_a_rod():
    box = moments(Inertia.box(1.0, (2.0, 1e-9, 1e-9)))
    assert np.allclose(box, moments(Inertia.rod(1.0, 2.0)), atol=1e-15)


def test_matrix_keeps_products_of_inertia():
    matrix = [[2.0, 0.1, 0.0], [0.1, 2.0, 0.0], [0.0, 0.0, 3.0]]
    inertia = Inertia(1.0, matrix, center=(0.0, 0.0, 0.5))
    assert inertia.matrix[0][1] == 0.1
    assert not inertia.is_diagonal
    assert inertia.center == (0.0, 0.0, 0.5)
    assert "matrix=" in repr(inertia)
    assert "center=" in repr(inertia)


def test_parameters_stay_formulas_and_are_checked_by_value():
    (m,) = parameters(m=2.0)
    inertia = Inertia.box(m, (1.0, 1.0, 1.0))
    assert inertia.mass is m
    assert inertia.findings({"m": -1.0})
    assert not inertia.findings({"m": 1.0})


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Inertia(0.0, (1, 1, 1)), "mass is 0 kg"),
        (lambda: Inertia(-1.0, (1, 1, 1)), "mass is -1 kg"),
        (lambda: Inertia(float("nan"), (1, 1, 1)), "mass is nan"),
        (lambda: Inertia("heavy", (1, 1, 1)), "not a number"),
        (lambda: Inertia(True, (1, 1, 1)), "not a number"),
        (lambda: Inertia(1.0, (1, 1)), r"shape \(2,\)"),
        (lambda: Inertia(1.0, np.eye(2)), r"shape \(2, 2\)"),
        (lambda: Inertia(1.0, (1, 1, 3)), "belong to no body"),
        (lambda: Inertia(1.0, (-1, 1, 1)), "cannot be negative"),
        (lambda: Inertia(1.0, [[1, 2, 0], [0, 1, 0], [0, 0, 1]]), "not symmetric"),
        (lambda: Inertia(1.0, (1, 1, 1), center=(0, 0)), "center has shape"),
        (lambda: Inertia(1.0, (1, 1, float("inf"))), "inf"),
        (lambda: Inertia.box(1.0, (1.0, 0.0, 1.0)), "positive length"),
        (lambda: Inertia.box(1.0, (1.0, 1.0)), "3 lengths"),
        (lambda: Inertia.rod(1.0, -1.0), "positive length"),
        (lambda: Inertia.rod(1.0, 1.0, axis="w"), "axis 'w'"),
        (lambda: Inertia.sphere(1.0, 0.0), "positive length"),
        (lambda: Inertia.cylinder(1.0, 0.0, length=0.0), "radius is 0 m.*length is 0 m"),
        (lambda: Inertia(coordinates("x")[0], (1, 1, 1)), "mass depends on x"),
    ],
)
def test_refusals_name_the_number_and_the_remedy(make, words):
    with pytest.raises(ModelError, match=words):
        make()


def test_all_findings_at_once():
    with pytest.raises(ModelError) as caught:
        Inertia(-1.0, (1.0, 1.0, 5.0))
    assert "mass is -1" in str(caught.value)
    assert "belong to no body" in str(caught.value)
