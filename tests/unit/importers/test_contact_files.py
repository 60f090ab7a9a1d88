"""Contact and one-sided constraints in model files and URDF: there and back, what is refused."""

import re

import pytest

import dalembert as dl
from dalembert.errors import ImportFileError, ModelError, OptionError
from dalembert.importers.native import load
from dalembert.importers.urdf.load import read_urdf
from dalembert.importers.writing import save_model, text_in
from dalembert.model.contact.pairs import pairs


def everything():
    """A model with all that touches and stops."""
    (mu,) = dl.parameters(mu=0.3)
    model = dl.Model("all")
    arm = model.add_body("arm", dl.Inertia.rod(1.0, length=1.0))
    tip = model.add_body("tip", dl.Inertia.sphere(1.0, radius=0.1))
    rubber = dl.Material(friction=mu, restitution=0.1, rolling=0.01, torsional=0.02, name="rubber")
    belt = dl.Material(stiffness=1e4, damping=10.0, surface_velocity=(1, mu, 0))
    wall = dl.Plane((1, 0, 1), mu - 1, position=(0, 0, -2), size=(3, 4), opacity=0.5)
    model.add_shape(dl.Plane("y", -0.5), material=rubber, name="floor", group="ground")
    model.add_shape(wall, material=rubber, contact=False)
    inside = [dl.Box(1, 1, mu, color="red"), dl.Capsule(0.1, 0.3, axis="x")]
    options = {"material": belt, "group": "robot", "ignores": "robot"}
    shapes = model.add_shape(inside, on=arm.at(x=0.3, rotation=("z", 0.3)), **options)
    model.add_shape(dl.Sphere(0.1), on=tip, drawn=False, collides_with=["ground", "robot"])
    soft = dl.Material(frequency=8.0, damping_ratio=0.5, tangential_stiffness=9.0)
    model.add_shape(dl.Ellipsoid((0.1, 0.2, 0.3)), on=tip, material=soft)
    model.add_shape(dl.Cone(0.1, 0.2), on=tip, contact=False)
    hinge = model.add_joint(dl.Revolute(model.world, arm.at(x=-0.5), axis="y", name="hinge"))
    wrist = model.add_joint(dl.Revolute(arm.at(x=0.5), tip, axis="y", name="wrist"))
    model.set_contact("arm", model.world, friction=0.1)
    model.ignore_contact(shapes[0], "floor")
    model.allow_contact(arm, tip)
    model.set_contact(rubber, tip, restitution=mu, stiffness=1e5)
    model.combine = dl.Combine(friction="min")
    model.set_limits(hinge, dl.Limits(-1, 1, effort=3.0, restitution=0.5))
    model.set_limits(wrist, dl.Limits(upper=1, frequency=10.0, damping_ratio=0.3))
    model.keep(tip.z >= -3, tip.x <= 2, name="room", restitution=0.2, stiffness=mu)
    model.keep(wrist.angle >= -2, name="bend")
    rope = {"length": 2.0 + mu, "through": [arm.at(z=0.1)], "stiffness": 100.0}
    model.keep(dl.Cable(model.world, tip, name="rope", **rope))
    model.keep(dl.Stop(model.world.at(z=-1), tip, axis="-x", gap=-mu, name="stop"))
    model.add_force(dl.JointFriction(hinge, dry=mu, static=0.4, stribeck=0.1, name="rough"))
    model.add_force(dl.Brake(wrist, torque=mu * dl.time, name="brake"))
    model.add_force(dl.VelocityServo(hinge, command=1.0, limits=2, name="motor"))
    return model


def laws(model):
    return {(a.name, b.name): model.contact_law(a, b) for a, b in pairs(model)}


@pytest.mark.parametrize("suffix", [".yaml", ".json"])
def test_there_and_back(tmp_path, suffix):
    model = everything()
    other = load(save_model(model, tmp_path / f"all{suffix}"))
    assert text_in(other, suffix) == text_in(model, suffix)
    assert laws(other) == laws(model)
    assert [(s.name, s.kind, s.drawn) for s in other.contact_shapes] == [
        (s.name, s.kind, s.drawn) for s in model.contact_shapes
    ]
    assert other.one_sided() == model.one_sided()
    assert other.limits == model.limits
    changed = other.with_parameters(mu=0.2)
    assert laws(changed) == laws(model.with_parameters(mu=0.2))
    assert laws(changed) != laws(model)


def test_one_shape_may_be_drawn_and_touch_unseen(tmp_path):
    model = dl.Model("ball")
    skin = dl.Sphere(0.1)
    body = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), shapes=[skin])
    model.add_shape(skin, on=body, drawn=False)
    model.add_shape(skin, on=body)
    other = load(save_model(model, tmp_path / "ball.yaml"))
    assert text_in(other, ".yaml") == text_in(model, ".yaml")
    assert [(s.name, s.drawn) for s in other.contact_shapes] == [
        (s.name, s.drawn) for s in model.contact_shapes
    ]
    assert len(other.shapes["ball"]) == 2


def test_a_formula_model_keeps_its_floor(tmp_path):
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(kinetic=(x.dot**2 + y.dot**2) / 2, potential=9.81 * y)
    model.keep(y >= x**2, name="bowl")
    model.keep(x <= 1, x >= -1, name="walls", restitution=0.5)
    other = load(save_model(model, tmp_path / "ball.yaml"))
    assert other.unilaterals == model.unilaterals


BODY = """\
version: 1
bodies:
- {name: ball, mass: 1, inertia: {type: sphere, radius: 0.1}, shapes: [SHAPE]}
- {name: other, mass: 1, inertia: {type: sphere, radius: 0.1}}
joints:
  hinge: {type: revolute, first: ball, second: other, axis: y}
"""
SPHERE = "{type: sphere, radius: 0.1, contact: true}"


def written(folder, shape=SPHERE, more=""):
    path = folder / "model.yaml"
    path.write_text(BODY.replace("SHAPE", shape) + more)
    return path


def test_shapes_touch_when_the_file_says_so(tmp_path):
    assert not load(written(tmp_path, "{type: sphere, radius: 0.1}")).contact_shapes
    (shape,) = load(written(tmp_path)).contact_shapes
    assert shape.material.friction == 0.5
    on_the_spot = "{type: sphere, radius: 0.1, material: {friction: 0.2 + 0.1}}"
    (shape,) = load(written(tmp_path, on_the_spot)).contact_shapes
    assert shape.material.friction == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("shape", "more", "line", "said"),
    [
        ("{type: sphere, radius: 0, contact: true}", "", 3, "radius is 0 m"),
        ("{type: cone, radius: 1, length: 1, contact: true}", "", 3, "cone does not touch"),
        ("{type: plane, contact: true}", "", 3, "a plane has no end"),
        ("{type: plane, normal: [0, 0, 0]}", "", 3, "normal is"),
        ("{type: sphere, radius: 1, material: steel}", "", 3, "no material 'steel'"),
        ("{type: sphere, radius: 1, material: {friction: -1}}", "", 3, "friction is -1"),
        ("{type: sphere, radius: 1, material: {slip: 1}}", "", 3, "slip"),
        ("{type: sphere, radius: 1, contact: false, group: a}", "", 3, "goes with contact: true"),
        ("{type: sphere, radius: 1, collides_with: [1]}", "", 3, "collides_with"),
        ("{type: sphere, radius: 1, name: other}", "", 3, None),
        (SPHERE, "materials: {ice: {friction: -2}}", 7, "friction is -2"),
        (SPHERE, "materials: {ice: {restitution: 1.1}}", 7, "restitution is 1.1"),
        (SPHERE, "materials: {ice: {damping: 1}}", 7, "goes with stiffness"),
        (SPHERE, "materials: {ice: {surface_velocity: [1, 2]}}", 7, "2 entries, expected 3"),
        (SPHERE, "contacts: [{pair: [ball, wrld], friction: 1}]", 7, "'wrld'.*world"),
        (SPHERE, "contacts: [{pair: [ball], friction: 1}]", 7, "1 names, not 2"),
        (SPHERE, "contacts: [{pair: [ball, world]}]", 7, "one of them"),
        (SPHERE, "contacts: [{pair: [ball, world], ignore: true, friction: 1}]", 7, "one of them"),
        (SPHERE, "combine: {friction: sum}", 7, "sum"),
        (SPHERE, "limits: {hinge: {lower: 0, restitution: 7}}", 7, "restitution is 7"),
        (SPHERE, "keep: {floor: ball.z}", 7, "there is no comparison"),
        (SPHERE, "keep: {floor: ball.zz >= 0}", 7, "unknown name 'ball.zz'"),
        (SPHERE, "keep: {floor: ball.z.dot >= 0}", 7, "contains a velocity"),
        (SPHERE, "keep: {floor: {formula: ball.z >= 0, restitution: 2}}", 7, "restitution is 2"),
        (SPHERE, "keep: {rope: {type: cable, first: world, second: ball}}", 7, "length"),
        (SPHERE, "keep: {rope: {type: cable, first: world, second: b, length: 1}}", 7, "'b'"),
        (SPHERE, "keep: {hinge: ball.z >= 0}", 7, "a joint of that name"),
        (SPHERE, "forces: {b: {type: brake, joint: hinge, torque: -1}}", 7, "torque is -1"),
    ],
)
def test_what_files_must_not_say(tmp_path, shape, more, line, said):
    path = written(tmp_path, shape, more)
    if said is None:
        said = "there is a body of that name|no 'other'"
        path.write_text(path.read_text().replace("name: other}]", "name: ball}]"))
    with pytest.raises(ImportFileError, match=f"line {line}") as refused:
        load(path)
    assert re.search(said, str(refused.value)), refused.value


def test_keys_of_bodies_are_refused_beside_formulas(tmp_path):
    path = tmp_path / "m.yaml"
    for key in ("materials: {a: {friction: 1}}", "contacts: [{pair: [a, b], ignore: true}]"):
        path.write_text(f"version: 1\ncoordinates: [x]\nkinetic: x.dot**2/2\n{key}\n")
        with pytest.raises(ImportFileError, match="go with free bodies"):
            load(path)
    cable = "keep: {rope: {type: cable, first: world, second: ball, length: 1}}"
    path.write_text(f"version: 1\ncoordinates: [x]\nkinetic: x.dot**2/2\n{cable}\n")
    with pytest.raises(ImportFileError, match="goes with free bodies"):
        load(path)


# -- URDF ------------------------------------------------------------------------------------------

MASS = (
    '<inertial><mass value="2"/>'
    '<inertia ixx=".1" ixy="0" ixz="0" iyy=".2" iyz="0" izz=".2"/></inertial>'
)
ROBOT = f"""<robot name="walker">
  <link name="base"><collision><geometry><box size="1 1 0.1"/></geometry></collision></link>
  <link name="leg">
    {MASS}
    <visual><geometry><box size="1 1 1"/></geometry></visual>
    <collision name="shin"><origin xyz="0 0 1"/>
      <geometry><capsule radius=".1" length=".5"/></geometry></collision>
  </link>
  <link name="foot">
    {MASS}
    <collision><geometry><sphere radius=".1"/></geometry></collision>
    <collision><geometry><mesh filename="foot.ply"/></geometry></collision>
    <collision><geometry><sphere radius="0"/></geometry></collision>
  </link>
  <joint name="knee" type="revolute"><parent link="base"/><child link="leg"/>
    <limit lower="-1" upper="2"/><dynamics friction="0.3"/></joint>
  <joint name="toe" type="revolute"><parent link="leg"/><child link="foot"/>
    <limit effort="1" velocity="2"/></joint>
</robot>"""


@pytest.fixture
def walker(tmp_path):
    path = tmp_path / "walker.urdf"
    path.write_text(ROBOT)
    (tmp_path / "foot.ply").write_text("no mesh we read")
    return path


def test_collision_geometry_touches(walker):
    read = read_urdf(walker, material=dl.Material(friction=0.7))
    model = read.model
    shapes = model.contact_shapes
    assert [(s.name, s.body, s.kind, s.drawn) for s in shapes] == [
        ("world.box", "world", "box", True),
        ("shin", "leg", "capsule", False),  # the visual is drawn
        ("foot.sphere", "foot", "sphere", True),
    ]
    assert {s.material.friction for s in shapes} == {0.7}
    assert shapes[1].position == (0.0, 0.0, 1.0)
    assert not model.has_contact  # not with itself
    model.add_shape(dl.Plane(offset=-5.0), name="ground")
    assert {(a.name, b.name) for a, b in pairs(model)} == {
        ("ground", "shin"),
        ("ground", "foot.sphere"),
    }
    own = read_urdf(walker, self_collision=True).model
    assert {(a.name, b.name) for a, b in pairs(own)} == {
        ("world.box", "shin"),
        ("world.box", "foot.sphere"),
    }
    told = "\n".join(map(str, read.losses))
    assert "mesh 'foot.ply' does not touch: .ply is not read" in told
    assert "is not positive; left out" in told
    assert "joint 'toe': says no range; it has no ends" in told
    assert list(model.limits) == ["knee", "toe"]
    assert not model.limits["toe"].is_bounded
    assert model.forces["knee_friction"].dry == 0.3


def test_collision_geometry_may_be_left_out(walker):
    read = read_urdf(walker, contact=False)
    assert read.model.contact_shapes == []
    assert sum("(contact=False)" in str(loss) for loss in read.losses) == 4
    with pytest.raises(OptionError, match="material is 'ice'"):
        read_urdf(walker, material="ice")


def test_a_model_file_says_how_a_robot_touches(walker):
    path = walker.parent / "scene.yaml"
    path.write_text(
        "version: 1\nmaterials: {ice: {friction: 0.1}}\n"
        "urdf: {file: walker.urdf, material: ice, self_collision: true}\n"
        "shapes: [{type: plane, offset: -5, material: ice, name: ground}]\n"
    )
    with pytest.warns(dl.errors.DoubtfulWarning):
        model = load(path)
    assert len(list(pairs(model))) == 4
    assert {s.material.name for s in model.contact_shapes} == {"ice"}


def test_urdf_is_written_with_collisions(walker, tmp_path):
    model = read_urdf(walker).model
    lost = dl.save_urdf(model, tmp_path / "again.urdf", strict=False)
    assert lost == ()
    again = read_urdf(tmp_path / "again.urdf").model
    assert [(s.body, s.kind, s.sizes, s.position) for s in again.contact_shapes] == [
        (s.body, s.kind, s.sizes, s.position) for s in model.contact_shapes
    ]
    assert again.forces["knee_friction"].dry == 0.3
    assert again.limits["knee"] == model.limits["knee"]
    model.keep(model.bodies["foot"].z >= -9, name="floor")
    model.set_limits("knee", dl.Limits(-1, 1, restitution=0.5))
    model.set_contact("leg", "world", friction=0.1)
    model.add_shape(dl.Sphere(0.1), on="foot", material=dl.Material(friction=0.1))
    told = "\n".join(dl.save_urdf(model, tmp_path / "more.urdf", strict=False))
    for what in ("'floor': URDF has no", "how a joint stops", "rules about", "no materials"):
        assert what in told
    with pytest.raises(ModelError, match="URDF cannot say"):
        dl.save_urdf(model, tmp_path / "strict.urdf")
