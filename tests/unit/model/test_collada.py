"""Collada files: triangles and polygons, placed by the nodes of the scene, in the file's unit."""

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import FileError, ModelError
from dalembert.model.shapes.mesh_file import read_mesh

HEAD = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
  <library_geometries><geometry id="shape"><mesh>
    <source id="places"><float_array id="numbers" count="12">
      0 0 0  1 0 0  1 2 0  0 2 0</float_array>
      <technique_common><accessor source="#numbers" count="4" stride="3"/></technique_common>
    </source>
    <vertices id="corners"><input semantic="POSITION" source="#places"/></vertices>
    FACES
  </mesh></geometry></library_geometries>
  SCENE
</COLLADA>"""
TRIANGLES = """<triangles count="2"><input semantic="VERTEX" source="#corners" offset="0"/>
  <input semantic="NORMAL" source="#none" offset="1"/><p>0 0 1 0 2 0  0 0 2 0 3 0</p></triangles>"""
SCENE = """<library_nodes><node id="part"><translate>0 0 5</translate>
    <instance_geometry url="#shape"/></node></library_nodes>
  <library_visual_scenes><visual_scene id="all">NODES</visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#all"/></scene>"""


def written(tmp_path, faces=TRIANGLES, nodes=None, text=HEAD):
    scene = "" if nodes is None else SCENE.replace("NODES", nodes)
    path = tmp_path / "part.dae"
    path.write_text(text.replace("FACES", faces).replace("SCENE", scene))
    return path


def test_without_a_scene_geometries_stand_as_they_are(tmp_path):
    vertices, faces = read_mesh(written(tmp_path))
    np.testing.assert_allclose(
        vertices, 0.01 * np.array([[0, 0, 0], [1, 0, 0], [1, 2, 0], [0, 2, 0]])
    )
    assert faces.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_nodes_move_what_is_in_them(tmp_path):
    nodes = """<node><rotate>0 0 1 90</rotate><scale>2 2 2</scale><node>
        <matrix>1 0 0 3  0 1 0 0  0 0 1 0  0 0 0 1</matrix><instance_node url="#part"/>
        </node></node>
      <node><instance_geometry url="#shape"/></node>"""
    vertices, faces = read_mesh(written(tmp_path, nodes=nodes))
    assert len(vertices) == 8
    assert faces.max() == 7
    # (1, 2, 0) is shifted by (3, 0, 5), doubled, turned about z; then centimetres
    np.testing.assert_allclose(vertices[2], 0.01 * np.array([-4.0, 8.0, 10.0]), atol=1e-15)
    np.testing.assert_allclose(vertices[6], [0.01, 0.02, 0.0])


@pytest.mark.parametrize(
    "faces",
    [
        '<polylist count="1"><input semantic="VERTEX" source="#corners" offset="0"/>'
        "<vcount>4</vcount><p>0 1 2 3</p></polylist>",
        '<polygons count="1"><input semantic="VERTEX" source="#corners" offset="0"/>'
        "<p>0 1 2 3</p></polygons>",
    ],
    ids=["polylist", "polygons"],
)
def test_polygons_become_triangles(tmp_path, faces):
    assert read_mesh(written(tmp_path, faces))[1].tolist() == [[0, 1, 2], [0, 2, 3]]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("<p>0 0 1 0 2 0  0 0 2 0 3 0</p>", "<p>0 0 9 0 2 0</p>"), "beyond the 4 vertices"),
        (('source="#places"', 'source="#nowhere"'), "there is no '#nowhere'"),
        (('semantic="POSITION"', 'semantic="COLOR"'), "something is missing"),
        (("0 0 0  1 0 0", "0 0 0  1 zero 0"), "could not convert"),
        (('meter="0.01"', 'meter="-1"'), "its unit is -1 m"),
        (('semantic="VERTEX"', 'semantic="TEXCOORD"'), "names no vertices"),
        (("</COLLADA>", ""), "is no XML"),
        (("<?xml version", "<!DOCTYPE x [<!ENTITY a 'b'>]><?xml version"), "defines an entity"),
        (("<COLLADA xml", "<OTHER xml"), "is no XML"),
        ((TRIANGLES, ""), "has no triangle"),
    ],
)
def test_damaged_files_are_told(tmp_path, change, words):
    text = HEAD.replace("FACES", TRIANGLES).replace("SCENE", "").replace(*change)
    path = tmp_path / "part.dae"
    path.write_text(text)
    with pytest.raises(FileError, match=r"part\.dae") as found:
        read_mesh(path)
    assert words in str(found.value)


def test_nodes_within_themselves_end(tmp_path):
    nodes = '<node id="loop"><instance_node url="#loop"/></node>'
    with pytest.raises(FileError, match="within themselves"):
        read_mesh(written(tmp_path, nodes=nodes))


def test_mesh_shapes_take_them(tmp_path):
    assert len(dl.Mesh(written(tmp_path)).faces) == 2
    with pytest.raises(ModelError, match="no XML"):
        dl.Mesh(written(tmp_path, text="nothing"))
