import numpy as np
import pytest

from dalembert.errors import ModelError
from dalembert.formulas.variables import coordinates, parameters
from dalembert.model import Inertia, Rotation
from dalembert.model.basics.quantity import value_of


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


def test_combined_is_the_parallel_axis_theorem():
    """Against the inertia of the same points summed one by one."""
    generator = np.random.default_rng(5)
    points, masses = generator.normal(size=(40, 3)), generator.uniform(0.5, 2.0, 40)

    def of(which):
        m, p = masses[which], points[which]
        center = m @ p / m.sum()
        d = p - center
        matrix = np.einsum("k,ij->ij", m * (d * d).sum(axis=1), np.eye(3)) - np.einsum(
            "k,ki,kj->ij", m, d, d
        )
        return Inertia(m.sum(), matrix, center)

    both = Inertia.combined([of(slice(0, 15)), of(slice(15, 40))])
    whole = of(slice(0, 40))
    np.testing.assert_allclose(both.matrix, whole.matrix, rtol=1e-12)
    np.testing.assert_allclose(both.center, whole.center, atol=1e-13)
    part = Inertia.combined([whole], without=[of(slice(15, 40))])
    np.testing.assert_allclose(part.matrix, of(slice(0, 15)).matrix, atol=1e-11)


def test_moved_turns_and_shifts():
    turn = Rotation.from_roll_pitch_yaw(0.3, -0.5, 0.8)
    given = Inertia(2.0, (0.3, 0.4, 0.5), center=(0.1, 0.2, 0.3))
    made = given.moved((1.0, 2.0, 3.0), rotation=turn)
    R = turn.matrix
    np.testing.assert_allclose(made.matrix, R @ np.diag([0.3, 0.4, 0.5]) @ R.T, atol=1e-15)
    np.testing.assert_allclose(made.center, (1, 2, 3) + R @ (0.1, 0.2, 0.3), atol=1e-15)
    np.testing.assert_allclose(made.principal()[0], (0.3, 0.4, 0.5))


def test_a_compound_of_parameters_follows_them():
    (m,) = parameters(m=2.0)
    made = Inertia.combined(
        [Inertia.sphere(m, 0.1).moved((1, 0, 0)), Inertia.sphere(1.0, 0.1).moved((-1, 0, 0))]
    )
    assert value_of(made.mass, {"m": 5.0}) == 6.0
    assert value_of(made.center[0], {"m": 5.0}) == pytest.approx(4.0 / 6.0)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Inertia.combined([]), "there are no parts"),
        (lambda: Inertia.combined([3.0]), "3.0 is no Inertia"),
        (
            lambda: Inertia.combined([Inertia.point(1.0)], without=[Inertia.point(2.0)]),
            "the mass is -1 kg. Take away less",
        ),
        (lambda: Inertia.point(1.0).moved((0, 0)), "Give 3 numbers"),
        (lambda: Inertia.point(1.0).moved((0, 0, 0), rotation=2.0), "Give a dl.Rotation"),
    ],
)
def test_refused_compounds(make, words):
    with pytest.raises(ModelError, match=words):
        make()
