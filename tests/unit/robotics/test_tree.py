"""What `Tree` offers to roboticists, on arms whose answers are known or follow from differences."""

import numpy as np
import pytest
from tests.support.trees import random_tree, state

import dalembert as dl
from dalembert.errors import ModelError, OptionError

EPS = np.finfo(float).eps
H = 1e-6


@pytest.fixture(scope="module")
def tree():
    return dl.Tree(random_tree(4, 12))


@pytest.fixture(scope="module")
def at(tree):
    return state(tree, 4)


def along(tree, q, v, a, s):
    """The state a moment later."""
    return tree.integrate(q, v + 0.5 * s * a, s), v + s * a


def test_names_of_coordinates(tree):
    assert len(tree.coordinate_names) == tree.nq
    assert len(tree.velocity_names) == tree.nv
    for joint in tree.joints:
        assert all(name.startswith(f"{joint.name}.") for name in tree.coordinate_names[joint.q])
    model = random_tree(0, 1, (dl.Cylindrical,), turned=False)
    assert dl.Tree(model).coordinate_names == ["joint0.angle", "joint0.displacement"]
    assert repr(tree) == f"Tree('tree 4', nq={tree.nq}, nv={tree.nv})"


def test_jacobians_of_frames_are_rates(tree, at):
    q, v, a = at
    for body in ("body0", "body7", "body11"):
        frame = tree.model.bodies[body].at(0.1, -0.2, 0.3, rotation=("x", 0.4))
        before, after = (tree.placement(frame, tree.integrate(q, v, s)) for s in (-H, H))
        J = tree.jacobian(frame, q)
        moved = (after.position - before.position) / (2 * H)
        turned = (after.rotation - before.rotation) / (2 * H) @ tree.placement(frame, q).rotation.T
        w = [turned[2, 1], turned[0, 2], turned[1, 0]]
        assert np.abs(J @ v - [*moved, *w]).max() < 1e-7
        slow, fast = (tree.velocity(frame, *along(tree, q, v, a, s)) for s in (-H, H))
        rate = (fast - slow) / (2 * H)
        assert np.abs(tree.acceleration(frame, q, v, a) - rate).max() < 1e-6 * np.abs(rate).max()


def test_change_of_energy_is_power(tree, at):
    q, v, tau = at
    a = tree.forward_dynamics(q, v, tau)
    before, after = (tree.energy(*along(tree, q, v, a, s)).total for s in (-H, H))
    assert (after - before) / (2 * H) == pytest.approx(tau @ v, rel=1e-5)


def test_damping_takes_energy_and_armature_holds_it(at):
    tree = dl.Tree(random_tree(4, 12), armature={"joint0": 0.5}, damping={"joint1": 0.3})
    q, v, tau = at
    a = tree.forward_dynamics(q, v, tau)
    before, after = (tree.energy(*along(tree, q, v, a, s)).total for s in (-H, H))
    lost = 0.3 * (v[tree.joint("joint1").v] ** 2).sum()
    assert (after - before) / (2 * H) == pytest.approx(tau @ v - lost, rel=1e-5)


def test_momentum_of_a_free_system_is_kept():
    model = dl.Model("satellite", gravity=(0, 0, 0))
    hull = model.add_body("hull", dl.Inertia.box(10.0, (1, 2, 3)))
    panel = model.add_body("panel", dl.Inertia.box(1.0, (2, 1, 0.1)))
    model.add_joint(dl.Revolute(hull.at(x=0.5), panel.at(x=-1.0), axis="y", name="hinge"))
    tree = dl.Tree(model)
    q, v, _ = state(tree, 1)
    tau = np.zeros(tree.nv)
    tau[tree.joint("hinge").v] = 3.0
    a = tree.forward_dynamics(q, v, tau)
    before, after = (tree.momentum(*along(tree, q, v, a, s)) for s in (-H, H))
    now = tree.momentum(q, v)
    assert np.abs(after.linear - before.linear).max() < 1e-12 * (1 + np.abs(now.linear).max())
    assert np.abs(after.angular - before.angular).max() / (2 * H) < 1e-7
    center = [tree.center_of_mass(tree.integrate(q, v, s)) for s in (-H, H)]
    speed = (center[1] - center[0]) / (2 * H)
    assert speed == pytest.approx(now.linear / 11.0, abs=1e-8)


def test_gravity_is_the_gradient_of_the_potential(tree, at):
    q, _, _ = at
    for one in np.eye(tree.nv)[::4]:
        low, high = (tree.energy(tree.integrate(q, one, s), 0 * one).potential for s in (-H, H))
        assert tree.gravity(q) @ one == pytest.approx((high - low) / (2 * H), abs=1e-6)


def test_forces_on_bodies_come_in_by_the_jacobian(tree, at):
    q, v, tau = at
    body = tree.model.bodies["body5"]
    wrench = np.array([1.0, -2.0, 0.5, 0.3, 0.2, -0.7])
    pushed = tree.inverse_dynamics(q, v, tau, forces={"body5": wrench})
    alone = tree.inverse_dynamics(q, v, tau)
    J = tree.jacobian(body.center, q)
    assert np.abs(alone - pushed - J.T @ wrench).max() < 1e3 * EPS * np.abs(alone).max()
    a = tree.forward_dynamics(q, v, pushed, forces={body: wrench})
    assert np.abs(a - tau).max() < 1e5 * EPS * np.abs(alone).max()


def test_forward_kinematics_names_bodies_and_frames():
    model = dl.Model("arm")
    arm = model.add_body("arm", dl.Inertia.rod(mass=1.0, length=2.0))
    arm.at(x=1.0, name="tip")
    model.add_joint(dl.Revolute(model.world.at(z=1.0), arm.at(x=-1.0), axis="z", name="hinge"))
    places = dl.Tree(model).forward_kinematics([np.pi / 2])
    assert set(places) == {"arm", "arm/tip"}
    assert places["arm/tip"].position == pytest.approx([0.0, 2.0, 1.0])
    assert places["arm"].rotation[:, 0] == pytest.approx([0.0, 1.0, 0.0])


def test_start_is_that_of_the_model():
    model = dl.Model("arm")
    arm = model.add_body("arm", dl.Inertia.rod(mass=1.0, length=2.0))
    model.add_joint(
        dl.Revolute(model.world, arm.at(x=-1.0), initial=0.7, initial_speed=-2.0, name="hinge")
    )
    q, v = dl.Tree(model).start()
    assert q == pytest.approx([0.7])
    assert v == pytest.approx([-2.0])


# -- inverse kinematics ----------------------------------------------------------------------------


def arm(*, limits=False):
    """Seven hinges, turn and turn about, each link 0.3 m."""
    model = dl.Model("arm")
    parent = model.world
    for k in range(7):
        link = model.add_body(f"link{k}", dl.Inertia.cylinder(mass=1.0, radius=0.05, length=0.3))
        axis = "z" if k % 2 == 0 else "y"
        hinge = model.add_joint(dl.Revolute(parent, link.at(z=-0.15), axis=axis, name=f"hinge{k}"))
        if limits:
            model.set_limits(hinge, dl.Limits(-2.0, 2.0))
        parent = link.at(z=0.15)
    link.at(z=0.15, name="hand")
    return dl.Tree(model)


def test_places_that_can_be_reached_are_reached():
    tree = arm(limits=True)
    for seed in range(10):
        target = tree.placement("link6/hand", tree.random(seed))
        found = tree.inverse_kinematics("link6/hand", target)
        assert found.success, found.message
        place = tree.placement("link6/hand", found.q)
        assert np.abs(place.position - target.position).max() < 1e-8
        assert np.abs(place.rotation - target.rotation).max() < 1e-8
        assert np.abs(found.q).max() <= 2.0


def test_a_position_alone_leaves_the_orientation_open():
    tree = arm()
    found = tree.inverse_kinematics("link6/hand", (0.8, 0.3, 0.9))
    assert found.success
    assert tree.placement("link6/hand", found.q).position == pytest.approx([0.8, 0.3, 0.9])


def test_what_cannot_be_reached_is_told():
    tree = arm(limits=True)
    found = tree.inverse_kinematics("link6/hand", (4.0, 0.0, 0.3), attempts=2)
    assert not found.success
    assert "stays" in found.message
    assert "off the target" in found.message
    assert found.position_error == pytest.approx(4.0 - 1.8, abs=0.05)
    narrow = {f"hinge{k}": (-0.1, 0.1) for k in range(7)}
    found = tree.inverse_kinematics("link6/hand", (1.0, 0.0, 0.8), limits=narrow, attempts=2)
    assert "At their limits: " in found.message
    assert np.abs(found.q).max() <= 0.1


def four_bar():
    """A parallelogram: two cranks of 1 m, a coupler of 2 m, in the x-z plane."""
    model = dl.Model("four-bar", gravity=(0, 0, -9.81))
    cranks = [model.add_body(f"crank{k}", dl.Inertia.rod(1.0, 1.0, axis="z")) for k in range(2)]
    coupler = model.add_body("coupler", dl.Inertia.rod(2.0, 2.0))
    for k, crank in enumerate(cranks):
        ground = model.world.at(x=2.0 * k)
        model.add_joint(dl.Revolute(ground, crank.at(z=-0.5), axis="y", name=f"ground{k}"))
    model.add_joint(dl.Revolute(cranks[0].at(z=0.5), coupler.at(x=-1.0), axis="y", name="left"))
    model.add_joint(dl.Revolute(coupler.at(x=1.0), cranks[1].at(z=0.5), axis="y", name="right"))
    return dl.Tree(model)


def closed_state(tree, angle, speed):
    """Of the parallelogram: both cranks alike, the coupler level."""
    q, v = tree.neutral(), np.zeros(tree.nv)
    for name, sign in (("ground0", 1.0), ("ground1", 1.0), ("left", -1.0), ("right", 1.0)):
        if name in [joint.name for joint in tree.joints]:
            q[tree.joint(name).q], v[tree.joint(name).v] = sign * angle, sign * speed
    return q, v


def test_loops_stay_in_inverse_kinematics():
    tree = four_bar()
    assert len(tree.loops) == 1
    q, v = closed_state(tree, 0.4, 1.0)
    assert np.abs(tree.loop_residual(q)).max() < 10 * EPS
    assert np.abs(tree.loop_jacobian(q) @ v).max() < 10 * EPS
    target = tree.placement("coupler", closed_state(tree, 0.9, 0.0)[0]).position
    found = tree.inverse_kinematics("coupler", target, q)
    assert found.success, found.message
    assert np.abs(tree.loop_residual(found.q)).max() < 1e-9
    assert found.q[tree.joint("ground0").q] == pytest.approx([0.9])


def test_inverse_dynamics_of_a_loop():
    """One drive carries all; two share the work equally; energy says how much there is."""
    tree = four_bar()
    q, v = closed_state(tree, 0.4, 1.0)
    a = closed_state(tree, 0.0, 2.0)[1]
    one = tree.inverse_dynamics_closed(q, v, a, actuated=["ground0"])
    two = tree.inverse_dynamics_closed(q, v, a, actuated=["ground0", "ground1"])
    first, second = (tree.joint(name).v for name in ("ground0", "ground1"))
    # T = 1/2 (2 * 1/3 + 2) w^2,  V = (2 * 1/2 + 2) g cos(angle)
    needed = (2 / 3 + 2) * 2.0 - 3 * 9.81 * np.sin(0.4)
    assert one[first] == pytest.approx([needed], abs=1e-11)
    assert np.abs(one).sum() == pytest.approx(abs(needed))
    assert two[first] == pytest.approx([needed / 2], abs=1e-11)
    assert two[second] == pytest.approx([needed / 2], abs=1e-11)
    with pytest.raises(ModelError, match="drive 0 of 1 freedoms"):
        tree.inverse_dynamics_closed(q, v, a, actuated=[])


# -- messages --------------------------------------------------------------------------------------


def test_wrong_input_is_told(tree):
    with pytest.raises(OptionError, match=r"q has 3 entries. Give \d+ numbers"):
        tree.mass_matrix([0.0, 0.0, 0.0])
    with pytest.raises(OptionError, match="Did you mean 'joint0'"):
        tree.joint("jiont0")
    with pytest.raises(ModelError, match="there is no body 'hand'"):
        tree.placement("hand", tree.neutral())
    with pytest.raises(OptionError, match="there is no body 'hand' to push"):
        tree.forward_dynamics(tree.neutral(), np.zeros(tree.nv), forces={"hand": np.zeros(6)})
    with pytest.raises(OptionError, match="armature of joint 'joint0' is -1"):
        dl.Tree(tree.model, armature={"joint0": -1.0})
    with pytest.raises(OptionError, match="is no place"):
        tree.inverse_kinematics("body0", (1.0, 2.0, 3.0, 4.0))
    with pytest.raises(ModelError, match="is no model"):
        dl.Tree("robot.urdf")


def test_joints_that_close_loops_carry_no_bodies():
    """A weld of the hand to the world, as MJCF files have them, however near it is."""
    model = dl.Model("arm")
    before = model.world
    for k in range(3):
        link = model.add_body(f"link{k}", dl.Inertia.box(1.0, (0.1, 0.1, 0.5)))
        model.add_joint(dl.Revolute(before, link.at(z=-0.25), axis="xyx"[k], name=f"hinge{k}"))
        before = link.at(z=0.25)
    model.add_loop(dl.Fixed(model.world.at(z=1.5), before, name="weld"))
    tree = dl.Tree(model)
    assert tree.coordinate_names == ["hinge0.angle", "hinge1.angle", "hinge2.angle"]
    assert [joint.name for joint in tree.loops] == ["weld"]
    assert np.abs(tree.loop_residual(tree.neutral())).max() == 0.0


def test_a_joint_to_the_world_carries_a_floating_robot_that_stands_on_it():
    tree = dl.Tree(dl.catalog.load("quadruped"))
    assert [joint.name for joint in tree.loops] == ["fr_foot", "rl_foot", "rr_foot"]
    assert (tree.nq, tree.nv) == (16, 15)
    crank = dl.Tree(dl.catalog.load("slider-crank-bodies"))  # the slider is a point mass
    assert [joint.name for joint in crank.loops] == ["wrist"]
    flying = dl.Tree(dl.catalog.load("humanoid", stance=False))
    assert (flying.nq, flying.nv, flying.loops) == (31, 30, [])
    assert flying.joints[0].name == "pelvis"


def test_models_that_are_no_trees_of_bodies_are_told():
    x = dl.coordinates("x")[0]
    with pytest.raises(ModelError, match="no bodies"):
        dl.Tree(dl.Model.from_lagrangian(kinetic=x.dot**2 / 2))
    model = dl.Model("ship")
    model.add_body("ship", dl.Inertia.box(1.0, (1, 1, 1)), orientation="roll-pitch-yaw")
    with pytest.raises(ModelError, match="roll, pitch and yaw"):
        dl.Tree(model)
