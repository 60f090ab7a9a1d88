"""A session makes the steps of `simulate`: its formulation, its method, what it leaves out."""

import warnings

import numpy as np
import pytest

import dalembert as dl
from dalembert import catalog
from dalembert.errors import DoubtfulWarning

FEW = ("arm", "cassie-leg", "cradle", "double-pendulum", "falling-humanoid", "gripper-with-box")
SHORT = {"governor": 1e-4}
"""Steps of what 1 ms is too long for  [s]."""

STEPS = 30


def assert_same(model, step, steps=STEPS, **options):
    """To the bit; numbers that became parameters may be rounded once more."""
    run = dl.simulate(model, until=steps * step, step=step, **options)
    session = dl.Session(model, step=step, **options)
    session.advance(steps * step)
    assert session.steps == run.statistics["steps"]
    for mine, theirs in ((session.q, run.q[-1]), (session.v, run.v[-1])):
        assert np.abs(mine - theirs).max() <= 8e-15 * max(1.0, np.abs(theirs).max())
    assert_same_forces(run, session)
    return run, session


def assert_same_forces(run, session):
    """Accelerations and multipliers of the present, with what touches, are those of the run."""
    now = session.measured()
    assert now.a == pytest.approx(run.a[-1], rel=1e-9, abs=1e-11 * (1.0 + np.abs(run.a).max()))
    if run.statistics["unique_multipliers"] and run.lam.size:
        assert now.lam == pytest.approx(run.lam[-1], rel=1e-9, abs=1e-9 * np.abs(run.lam).max())


@pytest.mark.parametrize("name", FEW)
def test_catalog(name):
    assert_same(dl.catalog.load(name), SHORT.get(name, 1e-3))


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in catalog.names() if n not in FEW])
def test_the_rest_of_the_catalog(name):
    assert_same(dl.catalog.load(name), SHORT.get(name, 1e-3))


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_what_rests_on_the_floor_is_held_by_it(formulation):
    """From the first moment on, and a joint carries what stands on it."""
    model = dl.Model("tower")
    model.add_shape(dl.Plane(), name="floor")
    low = model.add_body("low", dl.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.1))
    model.add_shape(dl.Box((0.2, 0.2, 0.2)), on=low, material=dl.Material(friction=0.4))
    top = model.add_body("top", dl.Inertia.box(2.0, size=(0.1, 0.1, 0.1)))
    model.add_joint(dl.Revolute(low.at(z=0.1), top.at(z=-0.05), axis="z", name="pin"))
    session = dl.Session(model, step=1e-3, formulation=formulation, record=True)
    for _ in range(3):
        assert session.measured().a == pytest.approx(0.0, abs=1e-6)
        assert session.snapshot().reaction("pin").force[-1] == pytest.approx(
            (0, 0, 19.62), abs=1e-6
        )
        assert session.snapshot().contact_force("floor")[-1] == pytest.approx(
            (0, 0, -29.43), abs=1e-6
        )
        session.advance(0.05)
    assert len(session.solution().contacts()) == 4


def test_a_pulled_body_on_the_floor_sticks_until_friction_gives_way():
    model = dl.Model("block")
    model.add_shape(dl.Plane(), name="floor")
    block = model.add_body("block", dl.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.1))
    model.add_shape(dl.Box((0.2, 0.2, 0.2)), on=block, material=dl.Material(friction=0.4))
    session = dl.Session(model, step=1e-3)
    session.pull("block", None, [0.01, 0.0, 0.1])
    pull = session.pull_force()[0]
    assert 0.0 < pull < 0.4 * 9.81
    assert session.measured().a == pytest.approx(0.0, abs=1e-6)
    assert session.snapshot().contact_force("block")[-1][0] == pytest.approx(-pull, abs=1e-6)
    session.pull("block", None, [1.0, 0.0, 0.1])
    pull = session.pull_force()[0]
    assert pull > 0.4 * 9.81
    assert session.measured().a[0] > 0.5 * (pull - 0.4 * 9.81)


# -- robots ----------------------------------------------------------------------------------------

WALKER = """
<mujoco>
  <option timestep="0.01"/>
  <default><joint armature="0.1" damping="0.5" limited="true"/><geom density="50"/></default>
  <worldbody>
    <geom type="plane" size="9 9 1"/>
    <body name="torso" pos="0 0 0.6">
      <freejoint/>
      <geom type="sphere" size="0.2"/>
      {legs}
    </body>
  </worldbody>
  <actuator>{motors}</actuator>
</mujoco>
"""

LEG = """
<body pos="{x} {y} 0">
  <joint name="hip{k}" axis="0 0 1" range="-40 40"/>
  <geom type="capsule" fromto="0 0 0 {x} {y} 0" size="0.06"/>
  <body pos="{x} {y} 0">
    <joint name="knee{k}" axis="{a} {b} 0" range="20 80"/>
    <geom type="capsule" fromto="0 0 0 {x} {y} 0" size="0.06"/>
  </body>
</body>
"""

STANDING = """
<mujoco>
  <worldbody>
    <geom type="plane" size="9 9 1"/>
    <body name="torso" pos="0 0 1.3">
      <freejoint/>
      <geom type="capsule" fromto="0 -.1 0 0 .1 0" size="0.1"/>
      <body name="pelvis" pos="0 0 -0.3">
        <joint name="twist" axis="0 0 1" damping="1" stiffness="20" armature="0.02"/>
        <joint name="bend" axis="0 1 0" damping="1" stiffness="10" armature="0.02" range="-75 30"/>
        <geom type="capsule" fromto="0 -.08 0 0 .08 0" size="0.08"/>
        <body name="thigh" pos="0 0.1 -0.1">
          <joint name="hip x" axis="1 0 0" damping="1" stiffness="10" range="-25 5"/>
          <joint name="hip z" axis="0 0 1" damping="1" stiffness="10" range="-60 35"/>
          <joint name="hip y" axis="0 1 0" damping="1" stiffness="20" range="-80 20"/>
          <geom type="capsule" fromto="0 0 0 0 0.01 -.34" size="0.06"/>
          <body name="shin" pos="0 0.01 -0.4">
            <joint name="knee" axis="0 -1 0" range="-160 -2" damping="1"/>
            <geom type="capsule" fromto="0 0 0 0 0 -.3" size="0.05"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="knee" gear="50" ctrlrange="-1 1"/></actuator>
</mujoco>
"""


def walker():
    """Four legs of two hinges with limits, armature and friction of the floor."""
    corners = [(0.2, 0.2), (-0.2, 0.2), (-0.2, -0.2), (0.2, -0.2)]
    legs = "".join(
        LEG.format(k=k, x=x, y=y, a=-y / 0.2, b=x / 0.2) for k, (x, y) in enumerate(corners)
    )
    motors = "".join(f'<motor joint="hip{k}" gear="15" ctrlrange="-1 1"/>' for k in range(4))
    return WALKER.format(legs=legs, motors=motors)


@pytest.fixture(params=["walker", "standing"])
def robot(request, tmp_path):
    pytest.importorskip("mujoco", reason="needs the mjcf extra: pip install 'dalembert[mjcf]'")
    path = tmp_path / f"{request.param}.xml"
    path.write_text(walker() if request.param == "walker" else STANDING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DoubtfulWarning)
        return dl.load_mjcf(path)


def test_robots_that_fall_and_come_to_rest(robot):
    run, session = assert_same(robot, 2e-3, steps=300)
    assert run.statistics["formulation"] == "generalized"
    assert max(session.drift()) < 1e-12
    assert np.abs(session.v).max() < 10.0


def test_a_view_of_a_robot(robot):
    pytest.importorskip("viser")
    live = dl.view(robot, step=5e-3, open_browser=False, block=False, port=9011)
    try:
        live.steering.ask(lambda session: session.advance(0.05))
        live.steering.tick(0.0)
        live._show_safely(1.0)
        assert live.steering.message == ""
        assert live.session.t == pytest.approx(0.05)
    finally:
        live.stop()


# -- what a session does besides, in either formulation --------------------------------------------


def two(model, step=1e-3, **options):
    return [
        dl.Session(model, step=step, formulation=f, **options) for f in ("maximal", "generalized")
    ]


def assert_together(sessions, tolerance=1e-9):
    one, other = sessions
    assert one.t == other.t
    for a, b in ((one.q, other.q), (one.v, other.v)):
        assert np.abs(a - b).max() < tolerance * max(1.0, np.abs(a).max())


def test_a_pull_acts_on_a_tree_as_on_bodies():
    sessions = two(dl.catalog.load("arm"))
    name = sessions[0].grips[-1]
    for session in sessions:
        session.advance(0.1)
        place = session.q[-7:-4]
        session.pull(name, None, place + np.array([0.1, 0.2, 0.3]))
        session.advance(0.2)
        assert np.linalg.norm(session.pull_force()) > 0.1
    assert_together(sessions, 1e-7)
    for session in sessions:
        session.release()
        session.advance(0.1)
    assert_together(sessions, 1e-7)


def wound():
    """A wheel on a torsion spring that turns several times, carrying a pendulum."""
    model = dl.Model("wound", gravity=(0.0, 0.0, -9.81))
    wheel = model.add_body("wheel", dl.Inertia.box(mass=2.0, size=(0.4, 0.1, 0.4)))
    hinge = model.add_joint(
        dl.Revolute(model.world, wheel, axis="y", initial_speed=40.0, name="hinge")
    )
    bob = model.add_body("bob", dl.Inertia.box(mass=0.2, size=(0.1, 0.1, 0.3)))
    model.add_joint(dl.Revolute(wheel.at(x=0.2), bob.at(z=0.15), axis="y", name="joint"))
    (k,) = dl.parameters(k=0.05)
    model.add_force(dl.TorsionSpring(hinge, stiffness=k, name="spring"))
    return model


def test_turns_are_kept_on_a_tree():
    """Three of them before a parameter is changed: the spring goes on pulling as it did."""
    sessions = two(wound(), step=2.5e-4)  # the error of a step is another in each
    for session in sessions:
        session.advance(0.5)
        session.set_parameter("k", 0.08)
        session.advance(0.2)
        assert np.abs(session._angles()).max() > 6 * np.pi
    assert_together(sessions, 1e-8)


def test_samples_and_reactions_of_a_session_on_a_tree():
    sessions = two(dl.catalog.load("arm"), record=True)
    for session in sessions:
        for _ in range(4):
            session.advance(0.02)
    one, other = (session.solution() for session in sessions)
    assert np.abs(one.q - other.q).max() < 1e-9
    assert np.abs(one.lam - other.lam).max() < 1e-6 * np.abs(one.lam).max()
    assert other.statistics["formulation"] == "generalized"


def test_an_unknown_formulation_is_refused():
    with pytest.raises(dl.errors.OptionError, match="formulation is 'both'"):
        dl.Session(dl.catalog.load("arm"), step=1e-3, formulation="both")
