"""A model read from MJCF beside MuJoCo's own: places, coordinates, accelerations."""

import warnings

import numpy as np

import dalembert as dl
from dalembert.formulas.expression import Expression
from dalembert.importers.mjcf.load import understand
from dalembert.importers.mjcf.reading import matrix
from dalembert.model.basics.element import FrameView


def moved(mujoco, m, rng, size=0.4):
    """A random state near qpos0, all of MuJoCo's kinematics done."""
    d = mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, rng.uniform(-size, size, m.nv), 1.0)
    d.qvel[:] = rng.uniform(-1.0, 1.0, m.nv)
    for step in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_comVel):
        step(m, d)
    return d


def places_differ(mujoco, reading, d):
    """Largest difference of anything the two say about places, over the size of the model."""
    m = reading.m
    number = {
        place.body.name: b
        for b, place in reading.places.items()
        if b and m.body_jntnum[b] and not place.p.any()
    }
    worst = {"rows": 0.0, "coordinates": 0.0, "frames": 0.0, "forward": 0.0}
    size = max(1.0, float(np.abs(d.xpos).max()))

    def pose(body):
        if body.name == "world":
            return np.zeros(3), np.eye(3)
        b = number[body.name]
        return np.array(d.xpos[b]), matrix(d.xquat[b])

    def view(frame):
        p, R = pose(frame.body)
        at = p + R @ np.array(frame.offset, dtype=float)
        zero = np.zeros(3)
        return FrameView(at, R @ frame.orientation.matrix, zero, zero)

    held = {joint.name for joint in reading.joints.values() if joint is not None}
    values = {}
    for j, coordinate in reading.coordinates.items():
        q = float(d.qpos[m.jnt_qposadr[j]]) - coordinate.zero
        values.setdefault(coordinate.joint.name, {})[coordinate.which] = coordinate.sign * q
    for name in held:
        joint = reading.model.joints[name]
        views = [view(frame) for frame in joint.frames]
        found = joint.rows(views, joint.data(), [0.0] * 9)
        worst["rows"] = max(worst["rows"], max((abs(number_of(x)) for x in found), default=0.0))
        for which, expected in values.get(name, {}).items():
            if isinstance(which, int) and which >= len(joint.slides) and not joint.has_angles:
                continue
            if isinstance(which, int):
                got = number_of(joint.coordinate(which, views, joint.directions())[0])
            elif which == "angle":
                got = number_of(joint.angles(views)[0])
            else:
                a, b = views
                got = float(a.z @ (b.origin - a.origin))
            miss = got - expected
            if which == "angle" or isinstance(which, int):
                miss = (miss + np.pi) % (2 * np.pi) - np.pi
            worst["coordinates"] = max(worst["coordinates"], abs(miss))
        forward = started(joint, values.get(name, {}))
        if forward is not None:
            a, b = views
            p, R = forward.pose({})
            miss = (
                np.abs(a.origin + a.axes @ p - b.origin).max() + np.abs(a.axes @ R - b.axes).max()
            )
            worst["forward"] = max(worst["forward"], float(miss))
    for b, place in reading.places.items():
        p, R = pose(place.body)
        miss = np.abs(p + R @ place.p - d.xpos[b]).max()
        miss += np.abs(R @ place.R - matrix(d.xquat[b])).max()
        worst["frames"] = max(worst["frames"], float(miss))
    for s, frame in reading.sites.items():
        at = view(frame)
        miss = np.abs(at.origin - d.site_xpos[s]).max()
        miss += np.abs(at.axes - np.array(d.site_xmat[s]).reshape(3, 3)).max()
        worst["frames"] = max(worst["frames"], float(miss))
    return {key: value / size for key, value in worst.items()}


def started(joint, values):
    """The joint with the values as its start; None where they do not say where it stands."""
    from dataclasses import replace

    if joint.kind in ("revolute", "prismatic"):
        return replace(joint, initial=next(iter(values.values())))
    if joint.kind == "cylindrical":
        return replace(joint, initial=(values["angle"], values["displacement"]))
    if joint.kind == "compound" and len(values) == joint.coordinate_count:
        return replace(joint, initial=tuple(values[k] for k in range(len(values))))
    return None


def number_of(x):
    """A number, or a formula of numbers only."""
    return float(x.value if isinstance(x, Expression) else x)


def without_what_is_lost(mujoco, m, actuated=False):
    """Switch off in MuJoCo's model what the model of bodies has not."""
    off = mujoco.mjtDisableBit
    flags = [off.mjDSBL_CONTACT, off.mjDSBL_LIMIT, off.mjDSBL_FRICTIONLOSS, off.mjDSBL_EQUALITY]
    for flag in flags + ([] if actuated else [off.mjDSBL_ACTUATION]):
        m.opt.disableflags |= int(flag)
    m.dof_armature[:] = 0.0
    m.tendon_armature[:] = 0.0
    m.opt.density = m.opt.viscosity = 0.0
    mujoco.mj_setConst(m, mujoco.MjData(m))  # it keeps parts of the mass matrix
    return m


def accelerations_differ(mujoco, m, rng):
    """Largest difference of accelerations of centres of mass, and angular, over the largest."""
    d = moved(mujoco, m, rng)
    d.ctrl[:] = rng.uniform(-1.0, 1.0, m.nu)
    mujoco.mj_forward(m, d)
    mujoco.mj_rnePostConstraint(m, d)
    reading = understand(m, qpos=d.qpos, qvel=d.qvel, shapes=False)
    controls = {
        reading.actuators[name]: float(d.ctrl[m.actuator_ctrladr[k]])
        for k in range(m.nactuator)
        if (name := reading.c.name("actuator", k)) in reading.actuators
    }
    model = reading.model.with_parameters(**controls)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solution = dl.simulate(model, until=1e-7, step=1e-7, integrator=dl.ExplicitEuler())
    expected = {}
    falls = not m.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_GRAVITY)
    for b, place in reading.places.items():
        if b and m.body_jntnum[b]:
            found = np.zeros(6)
            mujoco.mj_objectAcceleration(m, d, mujoco.mjtObj.mjOBJ_XBODY, b, found, 0)
            speed = np.zeros(6)
            mujoco.mj_objectVelocity(m, d, mujoco.mjtObj.mjOBJ_XBODY, b, speed, 0)
            r = matrix(d.xquat[b]) @ np.array(place.body.inertia.center)
            w, alpha = speed[:3], found[:3]
            a = found[3:] + falls * m.opt.gravity + np.cross(alpha, r) + np.cross(w, np.cross(w, r))
            expected[place.body.name] = np.concatenate([a, alpha])
    names = list(reading.model.bodies)  # small bodies of chains of joints are ours alone
    ours = solution.a[0].reshape(-1, 6)[[names.index(name) for name in expected]]
    theirs = np.array(list(expected.values()))
    return float(np.abs(ours - theirs).max() / max(1.0, np.abs(theirs).max()))


def mass_matrix_differs(mujoco, reading, d):
    """Mass matrix of `dl.Tree` over slides and hinges, armature included; None where it is other.

    A joint of the file that is none of the tree's (an equality carries its body), a plane or a ball
    has velocities of its own.
    """
    m = reading.m
    tree = dl.Tree(reading.model)
    carried = {joint.name for joint in tree.joints}
    kinds = {at.joint.kind for at in reading.coordinates.values()}
    named = {at.joint.name for at in reading.coordinates.values()}
    if not named or not named <= carried or "planar" in kinds or np.any(m.jnt_type == 1):
        return None
    q, ours, theirs, signs = tree.neutral(), [], [], []
    for j, at in reading.coordinates.items():
        where = tree.joint(at.joint.name)
        k = at.which if isinstance(at.which, int) else at.joint.coordinates.index(at.which)
        if where.reversed and where.parts:
            k = len(where.parts) - 1 - k
        q[where.q.start + k] = at.sign * (float(d.qpos[m.jnt_qposadr[j]]) - at.zero)
        ours.append(where.v.start + k)
        theirs.append(int(m.jnt_dofadr[j]))
        signs.append(at.sign)
    M = np.zeros((m.nv, m.nv))
    mujoco.mj_forward(m, d)
    for k, unit in enumerate(np.eye(m.nv)):
        mujoco.mj_mulM(m, d, M[k], unit)
    found = tree.mass_matrix(q)[np.ix_(ours, ours)] * np.outer(signs, signs)
    return float(np.abs(found - M[np.ix_(theirs, theirs)]).max() / np.abs(M).max())
