"""Faces, depth and cameras of painted scenes."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt

import dalembert as dl
from dalembert import catalog
from dalembert.plotting import tessellation
from dalembert.plotting.camera import Camera
from dalembert.plotting.painter import Painter, nice
from dalembert.scene import Motion, Scene, Shape, describe, place
from dalembert.scene.skeleton import start


def still(scene, model):
    """The start of a model as a motion of one moment."""
    q, v = start(model)
    p, turned, points = place(scene, model, np.zeros(1), q[None], v[None])
    none = np.zeros((1, 0, 3))
    return Motion(np.zeros(1), p, turned, points, none, none, np.zeros((1, 0)))


@pytest.mark.parametrize("name", catalog.names())
def test_every_model_of_the_catalog_is_painted(name):
    model = catalog.load(name)
    scene = describe(model)
    painter = Painter(scene)
    motion = still(scene, model)
    polygons, colors = painter.faces(motion, 0)
    assert len(polygons) == len(colors) > 0
    assert np.isfinite(polygons).all()
    assert ((colors >= 0) & (colors <= 1)).all()
    low, high = painter.limits(motion)
    assert (polygons.reshape(-1, 2) >= low - 1e-9).all()
    assert (polygons.reshape(-1, 2) <= high + 1e-9).all()


SOLIDS = [
    (Shape("box", (1.0, 2.0, 3.0)), 6.0),
    (Shape("sphere", (1.0,)), 4 / 3 * np.pi),
    (Shape("cylinder", (0.5, 2.0)), np.pi / 2),
    (Shape("capsule", (0.5, 2.0)), np.pi / 2 + np.pi / 6),
    (Shape("cone", (0.5, 3.0)), np.pi / 4),
    (Shape("ellipsoid", (1.0, 2.0, 3.0)), 8 * np.pi),
]


@pytest.mark.parametrize(("shape", "volume"), SOLIDS)
def test_faces_enclose_the_solid_and_look_outwards(shape, volume):
    quads = tessellation.faces(shape, 0.4)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    a, b, c = triangles.transpose(1, 0, 2)
    made = float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)
    assert 0.85 * volume < made <= volume * (1 + 1e-9)


def test_a_mesh_is_cut_into_pieces_without_changing_it():
    corners = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=float)
    faces = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    quads = tessellation.faces(Shape("mesh", vertices=corners, faces=faces), 0.1)
    assert len(quads) > 50
    a, b, c = quads[:, :3].transpose(1, 0, 2)
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(1 / 6)


def picture(shapes, view):
    """Colours in the middle of the picture of shapes on the ground."""
    scene = Scene("test", ground=tuple(shapes), size=2.0)
    painter = Painter(scene, view=view)
    none = np.zeros((1, 0, 3))
    motion = Motion(np.zeros(1), none, np.zeros((1, 0, 4)), none, none, none, np.zeros((1, 0)))
    figure, axes = plt.subplots(figsize=(2, 2), dpi=50)
    painter.paint(axes, motion, 0)
    axes.set_xlim(-1, 1)
    axes.set_ylim(-1, 1)
    axes.set_axis_off()
    axes.set_position((0, 0, 1, 1))
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[50, 50, :3]
    plt.close(figure)
    return pixels.astype(int)


RED = Shape("box", (0.5, 0.5, 0.5), (0.0, -0.6, 0.0), color="#FF0000")
BLUE = Shape("box", (0.9, 0.5, 0.9), (0.0, 0.6, 0.0), color="#0000FF")


@pytest.mark.parametrize("order", [(RED, BLUE), (BLUE, RED)])
def test_what_is_nearer_hides_what_is_behind(order):
    red, _, blue = picture(order, "front")  # seen from -y
    assert red > 120 > 60 > blue
    red, _, blue = picture(order, (90.0, 0.0))  # seen from +y
    assert blue > 120 > 60 > red


def test_the_plane_of_a_motion_lies_in_the_paper():
    scene = describe(catalog.load("pendulum"))
    assert Camera.of(scene).labels() == ("x", "y")
    solution = dl.simulate(catalog.load("four-bar-3d"), until=0.1, step=1e-2)
    from dalembert.scene import follow

    camera = Camera.of(follow(solution)[0])
    assert camera.labels() == ("x", "z")
    assert camera.seen(np.array([1.0, 5.0, 2.0]))[:2] == pytest.approx([1.0, 2.0])


@pytest.mark.parametrize("view", ["iso", "front", "side", "top", (30.0, 50.0), (0.0, -90.0)])
@pytest.mark.parametrize("up", [(0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)])
def test_cameras_are_right_handed_and_stand_upright(view, up):
    camera = Camera.of(Scene("test", up=up), view)
    np.testing.assert_allclose(camera.axes @ camera.axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(camera.axes) == pytest.approx(1.0)
    assert camera.axes[1] @ np.array(up) >= -1e-12


@pytest.mark.parametrize(
    ("length", "expected"), [(1.0, 1.0), (0.49, 0.2), (7.3, 5.0), (0.02, 0.02)]
)
def test_grid_lines_are_at_round_distances(length, expected):
    assert nice(length) == pytest.approx(expected)


def test_the_stroboscope_of_bodies_in_space_has_equal_scales_and_no_axes():
    solution = dl.simulate(catalog.load("heavy-top"), until=0.3, step=1e-3)
    axes = dl.plot(solution, "stroboscope", frames=4)
    assert axes.get_aspect() == 1.0
    assert not axes.axison
    assert len(axes.collections) >= 4
    plt.close("all")


def test_the_stroboscope_of_planar_bodies_shows_their_plane():
    solution = dl.simulate(catalog.load("four-bar-3d"), until=2.0, step=1e-2)
    axes = dl.plot(solution, "stroboscope", frames=5)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x [m]", "z [m]")
    assert "0 to 1.7" in axes.get_title(loc="left")  # one turn of the crank
    plt.close("all")
