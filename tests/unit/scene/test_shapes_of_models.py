"""What bodies, joints and formulas look like when nobody says."""

import numpy as np
import pytest

import dalembert as dl
from dalembert import catalog
from dalembert.scene import describe, follow, solids
from dalembert.scene.description import Shape

KINDS = {
    "box": 3,
    "sphere": 1,
    "cylinder": 2,
    "capsule": 2,
    "cone": 2,
    "ellipsoid": 3,
    "plane": 2,
    "mesh": 0,
    "polyline": 1,
}


def all_shapes(scene):
    found = [shape for body in scene.bodies for shape in body.shapes]
    found += [s for joint in scene.joints for s in (*joint.shapes, *joint.shapes_a)]
    return [*found, *scene.ground]


@pytest.mark.parametrize("name", catalog.names())
def test_every_model_of_the_catalog_can_be_drawn(name):
    scene = describe(catalog.load(name))
    assert scene.bodies or scene.points
    assert 0.0 < scene.size < np.inf
    assert np.linalg.norm(scene.up) == pytest.approx(1.0)
    for body in scene.bodies:
        assert body.shapes, body.name
        assert body.color.startswith("#")
    for shape in all_shapes(scene):
        assert len(shape.size) == KINDS[shape.kind]
        assert all(0.0 < length < np.inf for length in shape.size)
        assert np.linalg.norm(shape.rotation) == pytest.approx(1.0)
        assert np.isfinite(solids.corners(shape)).all()
        if shape.kind == "mesh":
            assert shape.faces.max() < len(shape.vertices)
    for link in scene.links:
        assert all(0 <= k < len(scene.points) for k in link.points)
        assert link.width > 0.0
    for joint in scene.joints:
        assert {joint.body_a, joint.body_b} <= {-1, *range(len(scene.bodies))}


@pytest.mark.parametrize("name", sorted(dl.catalog.names()))
def test_no_part_is_larger_than_the_scene(name):
    scene = describe(catalog.load(name))
    for body in scene.bodies:
        for shape in body.shapes:
            assert np.linalg.norm(np.ptp(solids.corners(shape), axis=0)) <= scene.size * (1 + 1e-9)


def bar_model(*places, inertia=None):
    """A body held to the world at some places of its own."""
    model = dl.Model("held")
    inertia = inertia or dl.Inertia(1.0, (0.1, 0.2, 0.25))
    body = model.add_body("body", inertia, position=(0, 0, 0))
    for place in places:
        model.add_joint(dl.Spherical(model.world.at(*place), body.at(*place)))
    return model


def test_a_body_held_at_two_points_is_a_bar_between_them():
    (bar,) = describe(bar_model((0, 0, 0), (1.0, 2.0, 2.0))).bodies[0].shapes
    assert bar.kind == "capsule"
    assert bar.size[1] == pytest.approx(3.0)
    axis = solids.matrix(bar.rotation)[:, 2] * bar.size[1] / 2
    ends = sorted([tuple(np.array(bar.position) + s * axis) for s in (-1, 1)])
    assert ends[0] == pytest.approx((0, 0, 0), abs=1e-12)
    assert ends[1] == pytest.approx((1.0, 2.0, 2.0))


def test_held_at_three_points_it_is_a_plate_that_holds_them():
    corners = np.array([(0.0, 0, 0), (1.0, 0, 0), (0.0, 1.0, 0)])
    (plate,) = describe(bar_model(*corners)).bodies[0].shapes
    assert plate.kind == "mesh"
    assert np.ptp(plate.vertices[:, 2]) < 0.1
    low, high = plate.vertices.min(axis=0), plate.vertices.max(axis=0)
    assert (low <= corners.min(axis=0)).all()
    assert (high >= corners.max(axis=0)).all()
    assert _volume(plate) > 0.0  # faces turn outwards
    assert _volume(plate) == pytest.approx(
        _area(plate.vertices, high[2]) * (high - low)[2], rel=1e-6
    )


def test_held_at_points_in_space_it_is_a_star():
    model = bar_model((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    shapes = describe(model).bodies[0].shapes
    assert [shape.kind for shape in shapes] == ["capsule"] * 4


def test_the_measures_of_the_inertia_are_drawn():
    inertia = dl.Inertia.cylinder(mass=2.0, radius=0.3, length=0.1, axis="y").moved((0.5, 0, 0))
    (shape,) = describe(bar_model(inertia=inertia)).bodies[0].shapes
    assert (shape.kind, shape.size) == ("cylinder", (0.3, 0.1))
    assert shape.position == pytest.approx((0.5, 0, 0))
    assert np.abs(solids.matrix(shape.rotation)[:, 2]) == pytest.approx([0, 1, 0])


def test_a_joint_outside_the_measures_gets_a_stub():
    inertia = dl.Inertia.sphere(mass=1.0, radius=0.1)
    ball, stub = describe(bar_model((0, 0, 1.0), inertia=inertia)).bodies[0].shapes
    assert ball.kind == "sphere"
    assert solids.corners(stub)[:, 2].max() >= 1.0
    assert solids.corners(stub)[:, 2].min() <= 0.1


def test_parts_of_a_combined_inertia_are_drawn_and_holes_are_not():
    ball = dl.Inertia.sphere(mass=5.0, radius=0.1)
    both = dl.Inertia.combined(
        [ball.moved((-0.5, 0, 0)), ball.moved((0.5, 0, 0))],
        without=[dl.Inertia.sphere(mass=0.1, radius=0.01)],
    )
    shapes = describe(bar_model(inertia=both)).bodies[0].shapes
    assert [shape.position[0] for shape in shapes] == [-0.5, 0.5]


@pytest.mark.parametrize(
    ("moments", "kind", "size"),
    [
        ((0.4, 0.4, 0.4), "sphere", (1.0,)),
        ((0.25, 0.25, 0.5), "cylinder", (1.0, None)),  # a disc
        ((1 / 12 * 13, 1 / 12 * 10, 1 / 12 * 5), "box", (1.0, 2.0, 3.0)),
    ],
)
def test_other_moments_give_the_solid_that_has_them(moments, kind, size):
    (shape,) = describe(bar_model(inertia=dl.Inertia(1.0, moments))).bodies[0].shapes
    assert shape.kind == kind
    for made, expected in zip(shape.size, size, strict=True):
        assert expected is None or made == pytest.approx(expected)


def test_given_shapes_are_taken_as_they_are():
    model = dl.Model("given")
    (l,) = dl.parameters(l=2.0)
    body = model.add_body(
        "body",
        dl.Inertia.point(mass=1.0),
        shapes=[dl.Box(size=(l, 0.1, 0.2), position=(l / 2, 0, 0), color="red", opacity=0.5)],
        color="#123456",
    )
    model.add_shape(dl.Sphere(radius=0.1), on=body)
    model.add_shape(dl.Plane(size=(3.0, 4.0)))
    box, ball = describe(model).bodies[0].shapes
    assert (box.kind, box.size, box.position) == ("box", (2.0, 0.1, 0.2), (1.0, 0.0, 0.0))
    assert (box.color, box.opacity) == ("#C0504D", 0.5)
    assert ball.color is None
    assert describe(model).bodies[0].color == "#123456"
    assert describe(model).ground[0].size == (3.0, 4.0)
    longer = describe(model.with_parameters(l=3.0)).bodies[0].shapes[0]
    assert longer.size[0] == 3.0


def test_a_cylinder_along_an_axis_is_turned_there():
    model = dl.Model("shaft")
    model.add_body(
        "body", dl.Inertia.point(mass=1.0), shapes=dl.Cone(radius=0.1, length=1.0, axis="-x")
    )
    (shape,) = describe(model).bodies[0].shapes
    assert solids.matrix(shape.rotation)[:, 2] == pytest.approx([-1, 0, 0])


# -- joints ----------------------------------------------------------------------------------------


def test_the_hinge_lies_along_its_axis_at_its_place():
    scene = describe(catalog.load("four-bar-3d"))
    joint = next(joint for joint in scene.joints if joint.name == "hinge_C")
    (pin,) = joint.shapes
    assert pin.kind == "cylinder"
    assert pin.position == joint.position == pytest.approx((1.6, 0.0, 0.0))
    assert np.abs(solids.matrix(pin.rotation)[:, 2]) == pytest.approx([0, 1, 0])


def test_joints_on_the_ground_stand_on_feet_that_point_up():
    scene = describe(catalog.load("four-bar-3d"))
    tips = []
    for foot in scene.ground:
        assert foot.kind == "cone"
        tips.append(np.array(foot.position) + solids.matrix(foot.rotation)[:, 2] * foot.size[1] / 2)
    assert sorted(tip[0] for tip in tips) == pytest.approx([0.0, 2.0], abs=1e-12)
    assert [tip[2] for tip in tips] == pytest.approx([0.0, 0.0], abs=1e-12)


def test_springs_dampers_ropes_and_distances_are_links():
    model = dl.Model("links")
    ball = model.add_body("ball", dl.Inertia.sphere(mass=1.0, radius=0.1), position=(0, 0, -1))
    up = model.world.at(x=0.3)
    model.add_force(dl.Spring(up, ball, free_length=1.0, stiffness=5.0, name="spring"))
    model.add_force(dl.Spring(up, ball, free_length=1.0, damping=5.0, name="damper"))
    model.add_force(
        dl.Spring(up, ball, free_length=1.0, law=lambda e, r: dl.maximum(0.0, 9 * e), name="rope")
    )
    model.add_joint(dl.Distance(model.world, ball, length=1.0, name="rod"))
    scene = describe(model)
    assert {link.name: link.kind for link in scene.links} == {
        "rod": "distance",
        "spring": "spring",
        "damper": "damper",
        "rope": "rope",
    }
    link = next(link for link in scene.links if link.name == "spring")
    first, second = (scene.points[k] for k in link.points)
    assert (first.body, first.offset) == (-1, (0.3, 0.0, 0.0))
    assert second.body == 0


def test_pitch_circles_of_gears_touch():
    scene = describe(catalog.load("gear-train"))
    radii = [
        float(np.linalg.norm(joint.shapes[0].vertices[0]))
        for joint in scene.joints
        if joint.name == "mesh"
    ]
    assert radii == pytest.approx([0.4, 0.1])


# -- formulas --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("pendulum", ["bar"]),
        ("four-bars", ["bar"] * 5),
        ("car-axis", ["spring", "bar", "spring"]),
        ("biped", ["bar"] * 11),
        ("double-pendulum", ["bar", "bar"]),
    ],
)
def test_lines_that_keep_their_length_are_bars_and_others_springs(name, kinds):
    assert [link.kind for link in describe(catalog.load(name)).links] == kinds


def test_a_planar_model_is_seen_from_the_front():
    flat = describe(catalog.load("pendulum"))
    assert (flat.planar, flat.normal, flat.up) == (True, (0, 0, 1), (0, 1, 0))


def test_coordinates_that_look_like_places_are_points():
    x1, y1, x2, y2, phi = dl.coordinates("x1 y1 x2 y2 phi")
    model = dl.Model.from_lagrangian(kinetic=sum(q.dot**2 for q in (x1, y1, x2, y2, phi)) / 2)
    assert [point.name for point in describe(model).points] == ["(x1, y1)", "(x2, y2)"]


def test_a_model_without_places_says_so():
    theta, phi = dl.coordinates("theta phi")
    scene = describe(dl.Model.from_lagrangian(kinetic=(theta.dot**2 + phi.dot**2) / 2))
    assert scene.points == ()
    assert "names no points" in scene.notes[0]


def _volume(mesh: Shape) -> float:
    a, b, c = mesh.vertices[mesh.faces].transpose(1, 0, 2)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def _area(vertices, height):
    top = vertices[np.isclose(vertices[:, 2], height)][:, :2]
    angle = np.arctan2(*(top - top.mean(axis=0)).T[::-1])
    x, y = top[np.argsort(angle)].T
    return 0.5 * abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def test_a_cart_on_a_spring_is_drawn_as_such():
    """Also where the potential speaks of a coordinate, not of a distance; a weight is no spring."""
    x, a = dl.coordinates("x a")
    k, l, g = dl.parameters(k=30.0, l=1.0, g=9.81)
    model = dl.Model.from_lagrangian(
        kinetic=x.dot**2 + (x.dot + l * np.cos(a) * a.dot) ** 2 / 2 + (l * np.sin(a) * a.dot) ** 2,
        potential=k * x**2 / 2 - g * l * np.cos(a),
        points={
            "wall": (-2, 0),
            "cart": (x, 0),
            "bob": (x + l * np.sin(a), -l * np.cos(a)),
            "far": (3, 3),
        },
        lines=[("wall", "cart"), ("cart", "bob"), ("far", "bob")],
        initial={x: 0.3, a: 0.5},
    )
    scene, _ = follow(dl.simulate(model, until=1.0, step=1e-2))
    kinds = {link.name: link.kind for link in scene.links}
    assert list(kinds.values())[:2] == ["spring", "bar"]
    slides = {point.name: point.slide for point in scene.points}
    assert slides["cart"] is not None
    assert np.abs(np.abs(slides["cart"]) - [1, 0, 0]).max() < 1e-12
    assert slides["bob"] is None
    assert slides["wall"] is None
