"""What joints alone say about the axes about which bodies turn and the plane in which they move."""

from itertools import pairwise

import numpy as np
import pytest

import dalembert as dl
from dalembert.model.start.planar_motion import plane_of, turning_axes

TILTED = dl.Rotation.about((1, 2, -1), 0.9)


def four_bar(*, axis="z", inertia=None, tilt=None, last=None):
    """Crank, coupler, rocker in the plane at right angles to `axis`; `tilt` turns everything."""
    around = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    tilt = tilt or dl.Rotation.about("z", 0.0)

    def place(u, v):
        point = np.zeros(3)
        point[list(around)] = u, v
        return point

    gravity = tilt.matrix @ place(1.0, -9.81)
    model = dl.Model("four-bar", gravity=gravity)
    inertia = inertia or dl.Inertia(1.0, (0.02, 0.03, 0.04))
    corners = [place(*c) for c in ((0, 0), (0.2, 0.5), (1.2, 0.9), (1.0, 0.0))]
    names = ("crank", "coupler", "rocker")
    bodies = []
    for name, a, b in zip(names, corners[:-1], corners[1:], strict=True):
        position = tilt.matrix @ (0.5 * (a + b))
        bodies.append(model.add_body(name, inertia, position=position, rotation=tilt))
    links = [model.world, *bodies, model.world]
    middle = [np.zeros(3), *(0.5 * (a + b) for a, b in pairwise(corners))]
    for k, corner in enumerate(corners):
        first, second = links[k], links[k + 1]
        a = corner - (middle[k] if k else 0.0)
        b = corner - (middle[k + 1] if k < 3 else 0.0)
        frames = []
        for link, point in ((first, a), (second, b)):
            if link is model.world:
                point = tilt.matrix @ point
                frames.append(link.at(*point, rotation=tilt))
            else:
                frames.append(link.at(*point))
        kind = last if last is not None and k == 3 else dl.Revolute
        model.add_joint(kind(*frames, axis=axis, name=f"hinge{k}"))
    return model


@pytest.mark.parametrize(("axis", "number"), [("x", 0), ("y", 1), ("z", 2)])
def test_hinges_along_one_axis_make_a_plane(axis, number):
    model = four_bar(axis=axis)
    assert plane_of(model.joints.values(), list(model.bodies)) == number
    for axes in turning_axes(model.joints.values()).values():
        assert any(abs(n[number]) == pytest.approx(1.0) for n in axes)


def test_a_tilted_plane_is_no_coordinate_plane():
    model = four_bar(tilt=TILTED)
    assert plane_of(model.joints.values(), list(model.bodies)) == -1
    for (n,) in turning_axes(model.joints.values()).values():
        np.testing.assert_allclose(np.abs(n), (0, 0, 1), atol=1e-14)


def test_what_slides_along_the_axis_leaves_the_plane():
    model = dl.Model("sleeve")
    ring = model.add_body("ring", dl.Inertia.sphere(mass=1.0, radius=0.1))
    model.add_joint(dl.Cylindrical(model.world, ring, axis="z"))
    assert plane_of(model.joints.values(), ["ring"]) == -1
    assert "ring" in turning_axes(model.joints.values())


@pytest.mark.parametrize(
    ("joint", "plane"),
    [
        (dl.Prismatic, {"x": 1, "z": 0}),  # along x it stays in two planes: the first is taken
        (dl.Planar, {"x": 0, "z": 2}),
    ],
)
def test_sliders_and_plates(joint, plane):
    for axis, expected in plane.items():
        model = dl.Model("one")
        block = model.add_body("block", dl.Inertia.sphere(mass=1.0, radius=0.1))
        model.add_joint(joint(model.world, block, axis=axis))
        assert plane_of(model.joints.values(), ["block"]) == expected


def test_a_body_without_joints_is_in_no_plane():
    model = four_bar()
    model.add_body("bird", dl.Inertia.sphere(mass=1.0, radius=0.1))
    assert plane_of(model.joints.values(), list(model.bodies)) == -1


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_in_its_plane_a_mechanism_moves_as_it_does_in_space(axis):
    """Motion and reactions of a lopsided four-bar: computed in the plane, and in space (tilted)."""
    lopsided = dl.Inertia(1.0, [[0.05, 0.01, -0.02], [0.01, 0.06, 0.015], [-0.02, 0.015, 0.04]])
    options = {"until": 1.0, "step": 2e-3, "formulation": "maximal"}
    flat = dl.simulate(four_bar(axis=axis, inertia=lopsided), **options)
    tilted = dl.simulate(four_bar(axis=axis, inertia=lopsided, tilt=TILTED), **options)
    for name in ("crank", "coupler", "rocker"):
        p = flat[flat.model.bodies[name].position]
        np.testing.assert_allclose(
            p @ TILTED.matrix.T, tilted[tilted.model.bodies[name].position], atol=1e-10
        )
    assert flat.worst["phi"] < 1e-14
    assert flat.worst["phi_dot"] < 1e-13
    # Not unique, but the least ones; those sideways are found by iteration.
    for hinge in ("hinge0", "hinge2"):
        a, b = flat.reaction(hinge), tilted.reaction(hinge)
        np.testing.assert_allclose(a.force @ TILTED.matrix.T, b.force, atol=2e-6)
        np.testing.assert_allclose(a.torque @ TILTED.matrix.T, b.torque, atol=2e-6)
    # The products of inertia do press on the bearings sideways.
    assert np.abs(flat.reaction("hinge0").torque).max() > 1e-3


@pytest.mark.parametrize("method", [dl.Projection, dl.BraunGoldfarb, dl.UdwadiaKalaba])
def test_a_rod_moves_as_a_bar_of_any_thickness(method):
    """Inertia about an axis that no joint lets turn does not matter."""
    paths = []
    for thickness in (0.0, 1e-3, 0.1):
        rod = dl.Inertia(1.0, (0.0 + thickness, 0.08, 0.08))
        solution = dl.simulate(four_bar(inertia=rod), until=1.0, step=2e-3, method=method())
        paths.append(solution[solution.model.bodies["rocker"].position])
    np.testing.assert_allclose(paths[0], paths[2], atol=1e-10)
    np.testing.assert_allclose(paths[1], paths[2], atol=1e-10)


def test_a_doubled_hinge_in_a_plane():
    model = four_bar()
    crank = model.bodies["crank"]
    model.add_joint(dl.Revolute(model.world.at(z=0.3), crank.at(-0.1, -0.25, 0.3), axis="z"))
    one = dl.simulate(four_bar(), until=1.0, step=2e-3)
    two = dl.simulate(model, until=1.0, step=2e-3)
    np.testing.assert_allclose(one.q, two.q, atol=1e-10)


def test_a_push_out_of_the_plane_is_carried_by_the_joints():
    model = four_bar()
    model.add_force(dl.Force(model.bodies["coupler"], value=(0, 0, 5.0), name="push"))
    plain, pushed = (dl.simulate(m, until=1.0, step=2e-3) for m in (four_bar(), model))
    np.testing.assert_allclose(plain.q, pushed.q, atol=1e-11)
    held = sum(pushed.reaction(f"hinge{k}", on="world").force[:, 2] for k in (0, 3))
    np.testing.assert_allclose(held, 5.0, atol=1e-8)
