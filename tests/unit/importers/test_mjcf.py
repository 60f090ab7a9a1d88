"""MJCF through MuJoCo's compiled model, on small mechanisms written here."""

import itertools
import random
import re
import warnings

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import DalembertError, DoubtfulWarning, ImportFileError, OptionError
from dalembert.importers.readers import read
from dalembert.model.contact.pairs import pairs

mujoco = pytest.importorskip("mujoco", reason="needs the mjcf extra: pip install 'dalembert[mjcf]'")

from tests.support.mjcf_compare import (  # noqa: E402
    accelerations_differ,
    mass_matrix_differs,
    moved,
    places_differ,
    without_what_is_lost,
)
from tests.unit.model.mechanisms import numbers  # noqa: E402

from dalembert.importers.mjcf.load import understand  # noqa: E402

BALL = '<geom type="sphere" size=".1" pos=".05 .02 -.3" mass="2"/>'
BAR = '<geom type="box" size=".05 .1 .3" pos="0 .05 -.3" mass="1.5" euler="10 20 30"/>'


def chain(joints, *, more="", inner="", base='<body name="base" pos=".1 .2 1" euler="20 30 40">'):
    """A swinging base and a body on it with the given joints."""
    return f"""<mujoco model="chain"><option gravity="0.3 -0.2 -9.7"/><worldbody>
      {base}<joint name="swing" axis="0 1 0.2" pos="0 0 .1" damping=".2"/>{BAR}
        <body name="arm" pos=".2 -.1 -.4" euler="-30 15 5">{joints}{BALL}{BAR}{inner}</body>
      </body></worldbody>{more}</mujoco>"""


HINGES = {
    "three": '<joint name="a" axis="1 0 0"/><joint name="b" axis="0 0 1"/>'
    '<joint name="c" axis="0 1 0"/>',
    "three leaning": '<joint name="a" axis="1 0 .3"/><joint name="b" axis="0 1 0"/>'
    '<joint name="c" axis="0 .0 1"/>',
    "three anyhow": '<joint name="a" axis="1 .5 0"/><joint name="b" axis="0 1 0"/>'
    '<joint name="c" axis="0 .0 1"/>',
    "two": '<joint name="a" axis="2 1 1"/><joint name="b" axis="0 -1 1"/>',
    "two leaning": '<joint name="a" axis="1 0 0"/><joint name="b" axis="1 1 .2"/>',
    "two apart": '<joint name="a" axis="0 1 0" pos="0 0 .1"/>'
    '<joint name="b" axis="1 0 .5" pos="0 0 .03"/>',
    "two parallel": '<joint name="a" axis="0 1 0" pos="0 0 .1"/>'
    '<joint name="b" axis="0 1 0" pos=".1 0 .03"/>',
    "two meeting elsewhere": '<joint name="a" axis="1 0 0" pos=".3 .1 0"/>'
    '<joint name="b" axis="0 1 0" pos="-.1 .2 0"/>',
    "slides": '<joint name="a" type="slide" axis="1 0 0"/>'
    '<joint name="b" type="slide" axis="1 2 0"/>',
    "three slides": '<joint name="a" type="slide" axis="1 0 0"/>'
    '<joint name="b" type="slide" axis="0 1 0"/><joint name="c" type="slide" axis="1 0 1"/>',
    "slide and hinges": '<joint name="a" type="slide" axis="1 0 1"/>'
    '<joint name="b" axis="0 1 0"/><joint name="c" axis="1 0 0"/>',
    "hinges and slide": '<joint name="a" axis="0 1 0"/><joint name="b" axis="1 0 0"/>'
    '<joint name="c" type="slide" axis="1 0 1"/>',
    "planar": '<joint name="a" type="slide" axis="1 0 0"/>'
    '<joint name="b" type="slide" axis="0 0 1"/><joint name="c" axis="0 1 0" pos="0 0 .2"/>',
    "cylindrical": '<joint name="a" axis="0 1 0" pos="0 0 .2"/>'
    '<joint name="b" type="slide" axis="0 -1 0"/>',
    "six": "".join(f'<joint name="s{x[0]}" type="slide" axis="{x}"/>' for x in ("1 0 0", "0 1 0"))
    + '<joint name="s" type="slide" axis="0 0 1"/><joint name="a" axis="1 0 0"/>'
    '<joint name="b" axis="0 1 0"/><joint name="c" axis="0 0 1"/>',
    "ball": '<joint name="a" type="ball" pos="0 0 .2"/>',
    "slide and ball": '<joint name="a" type="slide" axis="1 0 0"/><joint name="b" type="ball"/>',
    "hinge": '<joint name="a" axis="0 1 0" ref="30"/>',
    "slide": '<joint name="a" type="slide" axis="0 1 1" ref=".2"/>',
}
CHAINS = {
    "three apart": '<joint name="a" axis="1 0 0" pos="0 0 .1"/><joint name="b" axis="0 0 1"/>'
    '<joint name="c" axis="0 1 .2" pos=".05 0 -.1"/>',
    "slide between": '<joint name="a" axis="0 1 0"/>'
    '<joint name="b" type="slide" axis="1 0 1"/><joint name="c" axis="1 0 0" pos="0 .1 0"/>',
    "hinge and ball": '<joint name="a" axis="1 0 0" pos="0 .1 0"/><joint name="b" type="ball"/>',
    "parallel": '<joint name="a" axis="0 1 0" pos="0 0 .2" ref="20"/>'
    '<joint name="b" axis="0 1 0" pos=".1 0 0"/><joint name="c" axis="0 1 0" pos="0 0 -.2"/>',
}
"""Joints of a body for which no single joint stands."""
NO_ANGLES = {"three anyhow"}
"""Sets whose coordinates are no formulas here."""


def with_springs(joints):
    """Every slide and hinge with a spring and a damper; balls with a damper."""
    sprung = joints.replace('axis="', 'stiffness="3" springref=".3" damping=".4" axis="')
    return sprung.replace('type="ball"', 'type="ball" damping=".4"')


@pytest.mark.parametrize("case", HINGES)
def test_places_and_coordinates_are_those_of_mujoco(case):
    reading = understand(
        chain(HINGES[case], inner='<site name="tip" pos="0 .1 -.6" euler="1 2 3"/>')
    )
    rng = np.random.default_rng(5)
    for size in (0.0, 0.4, 0.4):
        found = places_differ(mujoco, reading, moved(mujoco, reading.m, rng, size))
        assert max(found.values()) < 1e-13
    total = sum(reading.model.masses().values())
    assert total == pytest.approx(float(reading.m.body_mass.sum()), rel=1e-15)


@pytest.mark.parametrize("case", [case for case in HINGES if case not in NO_ANGLES])
def test_accelerations_with_springs_and_dampers_are_those_of_mujoco(case):
    m = mujoco.MjModel.from_xml_string(chain(with_springs(HINGES[case])))
    m = without_what_is_lost(mujoco, m)
    assert accelerations_differ(mujoco, m, np.random.default_rng(7)) < 1e-11


@pytest.mark.parametrize("case", CHAINS)
def test_joints_that_no_joint_stands_for_are_a_chain(case):
    """Places as MuJoCo's; accelerations to the mass of the small bodies; all told."""
    m = mujoco.MjModel.from_xml_string(chain(with_springs(CHAINS[case])))
    m = without_what_is_lost(mujoco, m)
    rng = np.random.default_rng(5)
    told = next(loss for loss in understand(m).losses if "chain" in loss.what)
    assert told.names[:2] == ("a", "b")
    assert max(accelerations_differ(mujoco, m, rng) for _ in range(4)) < 1e-4
    # the start is that of the file, small bodies and velocities included
    d = moved(mujoco, m, rng)
    reading = understand(m, qpos=d.qpos, qvel=d.qvel)
    found = dl.evaluate(reading.model)
    assert np.abs(found.phi).max() < 1e-12
    assert np.abs(found.phi_dot).max() < 1e-12
    run = dl.simulate(reading.model, until=1e-7, step=1e-7)
    for j, at in reading.coordinates.items():
        q = d.qpos[m.jnt_qposadr[j]] - at.zero
        assert run[at.value()][0] == pytest.approx(q, abs=1e-12)
        assert run[at.value().dot][0] == pytest.approx(d.qvel[m.jnt_dofadr[j]], abs=1e-12)


@pytest.mark.parametrize("case", sorted(NO_ANGLES))
def test_hinges_whose_angles_are_no_formulas_are_a_chain_where_something_acts(case):
    m = without_what_is_lost(
        mujoco, mujoco.MjModel.from_xml_string(chain(with_springs(HINGES[case])))
    )
    (told,) = [loss for loss in understand(m).losses if "chain" in loss.what]
    assert told.names == ("a", "b", "c")
    assert accelerations_differ(mujoco, m, np.random.default_rng(7)) < 1e-4
    limited = chain(HINGES[case].replace('name="a"', 'name="a" range="-10 20"'))
    assert understand(limited).model.limits["a"].upper == pytest.approx(np.radians(20.0))
    alone = understand(chain(HINGES[case])).model
    assert [x.kind for x in alone.joints.values()] == ["revolute", "compound"]


@pytest.mark.parametrize(
    "case", [case for case in HINGES if case not in ("ball", "slide and ball")]
)
def test_the_mass_matrix_of_the_tree_is_that_of_mujoco(case):
    count = itertools.count(1)  # different ones, so that their order counts
    joints = re.sub(" axis=", lambda _: f' armature=".0{next(count)}" axis=', HINGES[case])
    reading = understand(chain(joints))
    d = moved(mujoco, reading.m, np.random.default_rng(6))
    assert reading.model.armature
    assert mass_matrix_differs(mujoco, reading, d) < 1e-13


ACTUATORS = """<actuator>
  <motor name="push" joint="a" gear="3" ctrlrange="-.5 .5" ctrllimited="true"/>
  <position name="servo" joint="b" kp="20" kv="2"/>
  <general name="any" joint="swing" gear="2" gainprm="4" biastype="affine" biasprm=".3 -2 -.1"
    forcerange="-1 1" forcelimited="true"/>
  <motor name="thrust" site="tip" gear="1 0 .5 0 .2 0"/>
</actuator>"""


@pytest.mark.parametrize("case", ["three", "two apart", "hinges and slide", "slides"])
def test_actuators_pull_like_those_of_mujoco(case):
    text = chain(HINGES[case], inner='<site name="tip" pos="0 .1 -.6"/>', more=ACTUATORS)
    m = without_what_is_lost(mujoco, mujoco.MjModel.from_xml_string(text), actuated=True)
    assert understand(m).actuators == {
        "push": "ctrl_push",
        "servo": "ctrl_servo",
        "any": "ctrl_any",
        "thrust": "ctrl_thrust",
    }
    assert accelerations_differ(mujoco, m, np.random.default_rng(2)) < 1e-11


LIMITED = """<actuator>
  <motor name="push" joint="a" gear="-3"/>
  <position name="servo" joint="b" kp="20" kv="2" forcerange="-.8 .3"/>
  <general name="any" joint="swing" gear="2" gainprm="4" biastype="affine" biasprm=".3 -2 -.1"/>
</actuator>"""


@pytest.mark.parametrize("case", ["three", "two apart", "hinges and slide", "slides", "hinge"])
def test_forces_are_limited_like_those_of_mujoco(case):
    """The force of an actuator, and of a joint with one actuator, also within sets of joints."""
    joints = HINGES[case].replace('name="a"', 'name="a" actuatorfrcrange="-.2 1.1"')
    more = LIMITED if 'name="b"' in joints else re.sub(".*servo.*", "", LIMITED)
    m = mujoco.MjModel.from_xml_string(chain(joints, more=more))
    assert not any("range" in loss.what for loss in understand(m).losses)
    m = without_what_is_lost(mujoco, m, actuated=True)
    random = np.random.default_rng(3)
    assert max(accelerations_differ(mujoco, m, random) for _ in range(8)) < 1e-11


def test_a_limit_that_actuators_share_is_lost_by_name():
    joints = HINGES["two"].replace('name="a"', 'name="a" actuatorfrcrange="-.2 1.1"')
    more = '<actuator><motor joint="a"/><motor joint="a"/><motor joint="b"/></actuator>'
    (loss,) = [x for x in understand(chain(joints, more=more)).losses if "frcrange" in x.what]
    assert loss.names == ("a",)


@pytest.mark.parametrize("case", ["two", "slides"])
@pytest.mark.parametrize("biasprm", ["0 -2 .3", "0 2 -.3"])
def test_servos_that_push_on_are_lost_by_name(case, biasprm):
    """Along several coordinates they refused the file: "damping is -0.3"."""
    more = f"""<actuator><motor name="push" joint="a"/><general name="eager" joint="b"
      biastype="affine" biasprm="{biasprm}"/></actuator>"""
    reading = understand(chain(HINGES[case], more=more))
    (loss,) = [x for x in reading.losses if "actuator" in x.what]
    assert loss.names == ("eager",)
    value = max(float(x) for x in biasprm.split())
    assert f"biasprm has {value:g} for joint 'b'" in loss.what
    assert set(reading.actuators) == {"push"}


def test_springs_that_push_apart_are_lost_by_name():
    joints = HINGES["two"].replace('name="a"', 'name="a" stiffness="-3"')
    losses = understand(chain(joints)).losses
    assert any(x.names == ("a",) and "stiffness is -3" in x.what for x in losses)


@pytest.mark.parametrize("case", ["two", "slides", "slide and hinges"])
def test_dry_friction_of_several_joints_holds_and_slides(case):
    joints = HINGES[case].replace('name="b"', 'name="b" frictionloss="40"')
    reading = understand(chain(joints))
    assert not any("friction" in loss.what for loss in reading.losses)
    model = reading.model
    assert model.forces["b_frictionloss"].dry == 40.0
    run = dl.simulate(model, until=0.3, step=1e-3)
    assert run.verdict.is_good
    number = mujoco.mj_name2id(reading.m, mujoco.mjtObj.mjOBJ_JOINT, "b")
    at = reading.coordinates[number]
    assert np.abs(run[at.value()]).max() < 1e-6  # it sticks
    free = understand(chain(joints.replace('frictionloss="40"', 'frictionloss=".1"'))).model
    moved_by = dl.simulate(free, until=0.3, step=1e-3)[at.value()]
    assert np.abs(moved_by).max() > 1e-2


def test_bodies_without_joints_become_part_of_their_parent():
    inner = (
        '<body name="tool" pos="0 .1 -.5" euler="40 0 10"><geom size=".07" mass=".4"/>'
        '<body name="tip" pos=".1 0 0"/></body>'
    )
    m = mujoco.MjModel.from_xml_string(chain(HINGES["hinge"], inner=inner))
    reading = understand(m)
    assert list(reading.model.bodies) == ["base", "arm"]
    assert set(reading.model.bodies["arm"].frames) == {"tool", "tip"}
    assert accelerations_differ(
        mujoco, without_what_is_lost(mujoco, m), np.random.default_rng(1)
    ) < (1e-12)


LOOP = """<mujoco><worldbody>
  <body name="crank" pos="0 0 1"><joint name="j1" axis="0 1 0"/>{bar}
    <body name="coupler" pos="0 0 -.6"><joint name="j2" axis="0 1 0"/>{bar}</body></body>
  <body name="rocker" pos=".5 0 1"><joint name="j3" axis="0 1 0"/>{bar}</body>
  <body name="slider" pos="1 0 0"><joint name="j4" type="slide" axis="1 0 0"/>{bar}</body>
</worldbody><equality>{equality}</equality></mujoco>"""


@pytest.mark.parametrize(
    ("equality", "kind", "count"),
    [
        ('<connect name="e" body1="coupler" body2="rocker" anchor="0 0 -.6"/>', "spherical", 3),
        ('<weld name="e" body1="coupler" body2="rocker"/>', "fixed", 6),
        ('<joint name="e" joint1="j1" joint2="j3" polycoef="0 2 0 0 0"/>', "coupler", 1),
        ('<joint name="e" joint1="j1" polycoef=".3 0 0 0 0"/>', "coupler", 1),
        ('<joint name="e" joint1="j4" joint2="j3" polycoef="0 .5 .3 0 .1"/>', None, 1),
    ],
)
def test_equalities_hold_where_those_of_mujoco_hold(equality, kind, count):
    text = LOOP.format(bar=BAR, equality=equality)
    reading = understand(text)
    model = reading.model
    if kind is None:
        rows = next(c for c in model.constraints if c.name == "e").rows
    else:
        assert model.joints["e"].kind == kind
        rows = model.joints["e"].formulas()[0]
    assert len(rows) == count
    # at a random state, MuJoCo's residual and ours vanish together
    m = reading.m
    rng = np.random.default_rng(4)
    for _ in range(3):
        d = moved(mujoco, m, rng)
        if m.eq_type[0] == mujoco.mjtEq.mjEQ_JOINT:
            a = m.eq_data[0, :5]
            x, y = int(m.eq_obj1id[0]), int(m.eq_obj2id[0])
            other = d.qpos[y] if y >= 0 else 0.0
            d.qpos[x] = np.polyval(a[::-1], other)
        mujoco.mj_forward(m, d)
        theirs = np.abs(d.efc_pos[: d.ne]).max()
        there = understand(text, qpos=d.qpos).model
        element = there.joints["e"].formulas()[0] if kind else there.constraints[-1].rows
        ours = np.abs(numbers(element, there)).max()
        if m.eq_type[0] == mujoco.mjtEq.mjEQ_JOINT:
            assert theirs < 1e-12
            assert ours < 1e-12
        elif kind == "spherical":
            assert ours == pytest.approx(theirs, rel=1e-9)
        else:
            assert ours > 1e-3
            assert theirs > 1e-3


def test_a_run_of_a_loop_stays_closed():
    equality = '<connect body1="coupler" body2="rocker" anchor="0 0 -.6"/>'
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DoubtfulWarning)
        model = dl.load_mjcf(LOOP.format(bar=BAR, equality=equality), contact=False)
        solution = dl.simulate(model, until=0.1, step=2e-3)
    assert np.abs(solution.phi).max() < 1e-12
    assert model.suggested == {"until": 10.0}


def test_the_time_step_is_suggested_where_something_stops():
    stops = HINGES["hinge"].replace("<joint", '<joint range="-60 60"')
    model = dl.load_mjcf(chain(stops), contact=False)
    assert model.suggested == {"until": 10.0, "step": 0.002}


def test_a_stiff_servo_runs_as_suggested():
    """kv h / I = 11 with the file's time step, which RK4 does not stand."""
    more = '<actuator><velocity joint="a" kv="2000" forcerange="-500 500"/></actuator>'
    model = dl.load_mjcf(chain(HINGES["hinge"], more=more), contact=False)
    run = dl.simulate(model, initial={"a.angle.dot": 1.0}, **model.suggested | {"until": 0.2})
    assert run.verdict.is_good


def test_ranges_that_end_before_they_begin_are_told():
    """MuJoCo takes them for no limit at all, and says nothing."""
    joint = '<joint name="a" axis="0 1 0" range="60 -30" actuatorfrcrange="3 -3"/>'
    more = '<actuator><motor name="m" joint="a" ctrlrange="1 -1" forcerange="2 -2"/></actuator>'
    reading = understand(chain(joint, more=more))
    told = [loss for loss in reading.losses if "ends before it begins" in loss.what]
    assert [loss.names for loss in told] == [("a",), ("a",), ("m",), ("m",)]
    kinds = [loss.what.split(" '")[0] for loss in told]
    assert kinds[:2] == ["range of joint", "actuatorfrcrange of joint"]
    assert kinds[2:] == ["ctrlrange of actuator", "forcerange of actuator"]
    right = understand(chain(joint.replace("60 -30", "-30 60").replace("3 -3", "-3 3")))
    assert not [loss for loss in right.losses if "begins" in loss.what]


def test_keyframes_and_states_are_where_the_model_starts():
    more = '<keyframe><key name="up" qpos=".3 .2" qvel="1 -2"/></keyframe>'
    text = chain(HINGES["hinge"], more=more)
    reading = understand(text, keyframe="up")
    same = understand(text, qpos=[0.3, 0.2], qvel=[1.0, -2.0])
    assert reading.model.initial == same.model.initial
    d = mujoco.MjData(reading.m)
    d.qpos[:] = 0.3, 0.2
    mujoco.mj_kinematics(reading.m, d)
    body = reading.model.bodies["arm"]
    assert reading.model.starts["arm"].position == pytest.approx(d.xpos[2], abs=1e-15)
    assert body.name == "arm"
    with pytest.raises(OptionError, match="keyframe 'down' is unknown"):
        understand(text, keyframe="down")
    with pytest.raises(OptionError, match=r"qpos is .* Give 2 finite numbers"):
        understand(text, qpos=[1.0])


def test_what_is_not_taken_over_is_told_and_strict_refuses():
    more = """<sensor><jointlimitpos name="feel" joint="a"/></sensor>
      <actuator><muscle name="biceps" joint="a" lengthrange="0 1"/></actuator>"""
    joints = (
        '<joint name="a" axis="0 1 0" armature=".1" frictionloss=".2" range="-30 60" '
        'limited="true"/>'
    )
    text = chain(joints, more=more)
    reading = understand(text)
    said = {loss.what.split(" '")[0]: loss.names for loss in reading.losses}
    assert "range of joint" not in said
    assert "dry friction of joint" not in said
    assert reading.model.armature == {"a": (0.1,)}
    assert said["actuator"] == ("biceps",)
    assert said["sensor"] == ("feel",)
    limits = reading.model.limits["a"]
    assert (limits.lower, limits.upper) == pytest.approx((-np.pi / 6, np.pi / 3))
    assert reading.model.forces["a_frictionloss"].dry == 0.2
    with pytest.raises(ImportFileError, match=r"(?s)strict allows none:.*biceps"):
        dl.load_mjcf(text, strict=True)
    with pytest.warns(DoubtfulWarning, match="model.losses lists it"):
        assert dl.load_mjcf(text).losses == tuple(reading.losses)


def test_sensors_read_what_those_of_mujoco_read():
    more = """<sensor><jointpos name="angle" joint="swing"/><jointvel name="rate" joint="swing"/>
      <accelerometer name="felt" site="tip"/><gyro name="turn" site="tip"/>
      <framepos name="place" objtype="body" objname="arm"/>
      <velocimeter name="flow" site="tip"/><framelinvel name="speed" objtype="xbody" objname="arm"/>
      </sensor>"""
    text = chain(
        HINGES["two apart"], inner='<site name="tip" pos="0 .1 -.6" euler="9 8 7"/>', more=more
    )
    m = without_what_is_lost(mujoco, mujoco.MjModel.from_xml_string(text))
    d = moved(mujoco, m, np.random.default_rng(8))
    mujoco.mj_forward(m, d)
    model = understand(m, qpos=d.qpos, qvel=d.qvel, shapes=False).model
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = dl.simulate(model, until=1e-7, step=1e-7, integrator=dl.ExplicitEuler())
    signals = {
        "angle": ["angle.angle"],
        "rate": ["rate.speed"],
        "felt": ["felt.ax", "felt.ay", "felt.az"],
        "turn": ["turn.wx", "turn.wy", "turn.wz"],
        "place": ["place.x", "place.y", "place.z"],
        "flow": ["flow.vx", "flow.vy", "flow.vz"],
        "speed": ["speed.vx", "speed.vy", "speed.vz"],
    }
    for name, parts in signals.items():
        ours = [float(run[part][0]) for part in parts]
        assert ours == pytest.approx(d.sensor(name).data, rel=1e-9, abs=1e-10), name


def test_a_file_without_losses_passes_strict():
    text = chain('<joint name="a" axis="0 1 0"/>').replace("<geom", '<geom contype="0"')
    text = text.replace('contype="0"', 'contype="0" conaffinity="0"')
    assert dl.load_mjcf(text, strict=True).losses == ()


def test_shapes_and_colours_are_drawn_on_their_bodies():
    inner = (
        '<body name="tool" pos="0 0 1"><geom name="cap" type="capsule" size=".02 .3" '
        'rgba="1 0 0 .5" mass="0"/><geom name="ghost" size=".1" group="3" mass="0"/></body>'
    )
    text = chain(HINGES["hinge"], inner=inner).replace(
        "<worldbody>", '<worldbody><geom type="plane" size="1 2 .1"/>'
    )
    reading = understand(text)
    *_, capsule = reading.model.shapes["arm"]
    assert (capsule.radius, capsule.length, capsule.color, capsule.opacity) == (
        0.02,
        0.6,
        "#FF0000",
        0.5,
    )
    assert capsule.position == (0.0, 0.0, 1.0)
    (plane,) = reading.model.shapes["world"]
    assert plane.size == (2.0, 4.0)
    (floor,) = understand(text.replace('size="1 2 .1"', 'size="9 9 .1"')).model.shapes["world"]
    assert floor.size is None  # wider than twice what moves: the floor of the picture
    ghost = next(s for s in reading.model.contact_shapes if s.name == "ghost")
    assert not ghost.drawn  # hidden in the file, but it touches the floor
    untouched = understand(text, contact=False)
    assert any(loss.names == ("ghost",) for loss in untouched.losses)
    assert not untouched.model.contact_shapes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<mujoco><worldbody/></mujoco>", "nothing in it moves"),
        ("<mujoco>\n<worldbody>\n<bdy/>\n</worldbody></mujoco>", r"line 3.*MuJoCo does not accept"),
        ("<mujoco>\n<worldbody>", r"line 2.*MuJoCo does not accept it"),
    ],
)
def test_what_mujoco_refuses_is_told_with_its_line(text, message, tmp_path):
    with pytest.raises(ImportFileError, match=message):
        understand(text)
    path = tmp_path / "model.xml"
    path.write_text(text)
    with pytest.raises(ImportFileError, match=message) as told:
        read(path)
    assert str(path) in str(told.value)


def test_xml_that_is_neither_mjcf_nor_urdf_is_refused(tmp_path):
    path = tmp_path / "page.xml"
    path.write_text("<html/>")
    with pytest.raises(ImportFileError, match="begins with <html>"):
        read(path)
    path.write_text(chain(HINGES["three"]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DoubtfulWarning)
        assert dl.load(path).name == "chain"
    with pytest.raises(OptionError, match="is no file, XML text or"):
        understand(3)


def test_a_missing_package_is_told_with_the_command(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(ImportFileError, match=r"pip install 'dalembert\[mjcf\]'"):
        understand(chain(HINGES["hinge"]))


def test_compiling_leaves_no_log_behind(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    understand(chain(HINGES["hinge"]).replace("<option", '<compiler settotalmass="2"/><option'))
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr().err == ""


def test_written_as_yaml_and_read_again_it_is_the_same(tmp_path):
    from dalembert.importers.same_model import differing
    from dalembert.importers.writing import as_data

    text = chain(
        with_springs(HINGES["two apart"]), more=ACTUATORS, inner='<site name="tip" pos="0 0 1"/>'
    )
    for case in ("three", "slide and hinges", "cylindrical", "planar"):
        understand(chain(with_springs(HINGES[case])))
    model = understand(text).model
    again = dl.load(dl.save_model(model, tmp_path / "m.yaml"))
    assert not differing(as_data(model), as_data(again))


# -- mutations -------------------------------------------------------------------------------------

TOKENS = ("0", "-1", "1e300", "nan", "inf", "-1e-30", "''", "free", "slide", "ball", "a", "arm", "")


def mutated(text, rng):
    """The text with one to three changes: numbers, names, attributes, elements, characters."""
    for _ in range(rng.randint(1, 3)):
        kind = rng.choice((0, 1, 2, 3, 4, 5, 5, 5, 5))
        marks = {0: r'"[^"]*"', 1: r'"[^"]*"', 5: r"(?<=[ \"])-?\d*\.?\d+(?=[ \"])"}
        spots = list(re.finditer(marks.get(kind, r"<[^>]*>|\s\w+="), text))
        if not spots:
            return text
        spot = rng.choice(spots)
        if kind == 0:
            text = text[: spot.start()] + f'"{rng.choice(TOKENS)}"' + text[spot.end() :]
        elif kind == 1:
            value = " ".join(rng.choice(TOKENS) for _ in range(rng.randint(1, 6)))
            text = text[: spot.start()] + f'"{value}"' + text[spot.end() :]
        elif kind == 5:
            number = rng.choice((0.0, -1.0, 1e-9, 1e12, rng.gauss(0, 1)))
            text = text[: spot.start()] + f"{number:.6g}" + text[spot.end() :]
        elif kind == 2:
            text = text[: spot.start()] + text[spot.end() :]
        elif kind == 3:
            text = text[: spot.end()] + spot.group() + text[spot.end() :]
        else:
            k = rng.randrange(len(text))
            text = text[:k] + rng.choice("<>\"'&/ x\0é") + text[k + 1 :]
    return text


def test_mutated_files_give_a_model_or_a_named_error():
    rng = random.Random(20)
    equality = '<equality><joint joint1="a" joint2="b" polycoef="0 1 0 0 0"/></equality>'
    seeds = [
        chain(with_springs(HINGES[case]), more=ACTUATORS + equality, inner='<site name="tip"/>')
        for case in ("three", "two apart", "slides", "cylindrical")
    ]
    loaded = refused = 0
    for k in range(200):
        text = mutated(seeds[k % len(seeds)], rng)
        try:
            understand(text)
            loaded += 1
        except DalembertError:
            refused += 1
    assert loaded > 20
    assert refused > 20


FEET = """<mujoco model="feet">
  <default><geom friction=".8 .02 .001"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 .1" condim="3"/>
    <geom name="wall" type="box" size=".1 1 1" pos="3 0 1" contype="2" conaffinity="2"/>
    <body name="a" pos="0 0 1"><freejoint/>
      <geom name="left" type="sphere" size="1" friction="1.2 .03 .002" condim="6"/>
      <geom name="look" type="box" size=".1 .1 .1" contype="0" conaffinity="0"/>
      <body name="b" pos="0 0 .5"><joint name="j" range="-10 20" limited="true" axis="1 0 0"/>
        <geom name="right" type="capsule" size="1 1" priority="1" solref=".01 .5"/>
      </body>
    </body>
    <body name="c" pos="1 0 1"><freejoint/>
      <geom name="ball" size="1" contype="2" conaffinity="3" condim="1"/>
      <geom name="other" size="1" pos="0 0 1"/>
    </body>
  </worldbody>
  <contact>
    <exclude body1="b" body2="c"/>
    <pair geom1="left" geom2="other" friction=".3 .3 .1 .01 .01" condim="4"/>
  </contact>
</mujoco>"""


def touching_pairs(model):
    return {frozenset((a.name, b.name)) for a, b in pairs(model)}


def test_geoms_touch_as_they_do_in_mujoco():
    reading = understand(FEET)
    model, m = reading.model, reading.m
    assert [shape.name for shape in model.contact_shapes] == [
        *("floor", "wall", "left", "right", "ball", "other")
    ]
    assert len(model.shapes["a"]) == 2  # what only looks is drawn
    data = mujoco.MjData(m)
    found = set()
    names = [reading.c.name("geom", g) for g in range(m.ngeom)]
    # everything in one place, where all overlap: MuJoCo finds every pair that may touch
    for body in ("a", "c"):
        first = m.jnt_qposadr[m.body_jntadr[m.body(body).id]]
        data.qpos[first : first + 3] = 3.0, 0.0, -0.2
    mujoco.mj_forward(m, data)
    for contact in data.contact[: data.ncon]:
        found.add(frozenset((names[contact.geom1], names[contact.geom2])))
    assert touching_pairs(model) == found


def test_laws_of_geoms_are_those_of_mujoco():
    model = understand(FEET).model
    law = model.contact_law("floor", "left")
    assert (law.friction, law.torsional, law.rolling) == (1.2, 0.03, 0.002)
    assert law.is_rigid
    law = model.contact_law("floor", "other")
    assert (law.friction, law.torsional, law.rolling) == (0.8, 0.0, 0.0)
    law = model.contact_law("floor", "right")  # its priority is higher
    assert (law.friction, law.torsional) == (0.8, 0.0)
    assert law.frequency == pytest.approx(1 / (2 * np.pi * 0.005))
    assert law.damping_ratio == 0.5
    assert model.contact_law("left", "right").friction == 0.8
    law = model.contact_law("left", "other")  # a pair of its own
    assert (law.friction, law.torsional, law.rolling) == (0.3, 0.1, 0.0)
    assert model.contact_law("ball", "wall").friction == 0.8  # of dimension 3 by the wall


def test_ranges_stop_and_soft_ones_are_springs():
    text = chain('<joint name="a" axis="0 1 0" range="-30 60" solreflimit="-100 -2"/>')
    limits = understand(text).model.limits["a"]
    assert limits.frequency == pytest.approx(10 / (2 * np.pi))
    assert limits.damping_ratio == pytest.approx(0.1)
    rows = understand(chain('<joint name="a" axis="0 1 0" range="-30 60"/>')).model.one_sided()
    assert [row.name for row in rows] == ["a: lower", "a: upper"]
    two = '<joint name="x" axis="1 0 0" range="-9 9"/><joint name="y" axis="0 1 0" range="-8 7"/>'
    reading = understand(chain(two))
    assert [one.name for one in reading.model.unilaterals] == ["x_range", "y_range"]
    assert not any("range" in loss.what for loss in reading.losses)


def test_a_name_that_is_no_text_is_named_by_its_number(tmp_path):
    path = tmp_path / "latin.xml"
    body = b'<body name="\xacarm"><freejoint/><geom type="sphere" size="0.1"/></body>'
    path.write_bytes(b"<mujoco><worldbody>" + body + b"</worldbody></mujoco>")
    with pytest.raises(dl.errors.ImportFileError, match="name of body 1 is not UTF-8"):
        dl.load_mjcf(path)
