"""Many worlds: thousand steps a second of processor time, beside `mujoco.rollout` on equal work.

    python benchmarks/worlds.py [--only cartpole,arm7] [--worlds 256] [--repeats 5] [--grow]

The scenes are MJCF texts that both read: cart-pole, arm of seven hinges, chain of twenty links,
four-bar closed by a `connect`, with limits, dampers and motors. Worlds start from random states and
have a random command each in every step; all states are stored as float64. Both take the same steps
of the same integrator (MuJoCo's Euler is semi-implicit), warm, the best of the repeats, of which
there is half a second at least. Accuracy beside it: the difference of both after the first step and
at the end, and how far the loop is open. MuJoCo is needed in the environment this is run in (extra
`mjcf`, part of `test`); without it our column stands alone. `--grow` runs the cart-pole in 1 to
4096 worlds, too. Tables go to `results/worlds.csv` and `results/worlds-growth.csv`.

`humanoid/Euler` is gymnasium's humanoid.xml, lying: 64 worlds fall for 1000 steps by themselves, in
either program, and are timed for 100 steps, without commands. Contacts are rigid here and
soft there, so that motions are not compared; beside ours stand the residual of its laws and its
contacts, beside the peer's its contacts and how deep they are.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import math
import os
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from tables import write_csv

import dalembert as dl

GROWN = (1, 16, 256, 4096)
"""Numbers of worlds of `--grow`."""
COLUMNS = (
    *("scene", "worlds", "engine", "version", "us_per_step", "us_wall", "ratio"),
    *("first_step", "end", "loop", "residual", "note"),
)
HEAD = (
    '<mujoco><compiler angle="radian" autolimits="true"/><option timestep="{dt}" '
    'integrator="{integ}" gravity="0 0 -9.81" solver="Newton" iterations="100" tolerance="1e-10">'
    '<flag eulerdamp="disable"/></option>'
)


def motors(names):
    """A motor on every joint."""
    parts = "".join(f'<motor name="m_{name}" joint="{name}"/>' for name in names)
    return f"<actuator>{parts}</actuator>"


def cartpole(limits):
    """A cart with a pole upright, pushed along its rail."""
    lim = 'range="-1 1"' if limits else ""
    inertia = 0.1 / 12
    return (
        f'<worldbody><body name="cart"><joint name="x" type="slide" axis="1 0 0" {lim}/>'
        '<inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/><body name="pole">'
        '<joint name="th" type="hinge" axis="0 1 0"/><inertial pos="0 0 0.5" mass="0.1" '
        f'diaginertia="{inertia} {inertia} 5e-6"/></body></body></worldbody>' + motors(["x"])
    )


def arm7(limits):
    """An arm of seven hinges."""
    masses = [3, 3, 2.5, 2, 1.5, 1, 0.5]
    axes = ["0 0 1", "0 1 0"] * 3 + ["0 0 1"]
    lim = 'range="-1.5 1.5" damping="0.1"' if limits else ""
    text = ""
    for i, (m, axis) in enumerate(zip(masses, axes, strict=True)):
        inertia = f"{0.02 * m} {0.025 * m} {0.01 * m}"
        text += (
            f'<body name="b{i}" pos="0 0 {0.25 if i else 0}"><joint name="j{i}" type="hinge" '
            f'axis="{axis}" {lim}/><inertial pos="0.02 0.01 0.125" mass="{m}" '
            f'diaginertia="{inertia}"/>'
        )
    names = [f"j{i}" for i in range(7)]
    return f"<worldbody>{text}{'</body>' * 7}</worldbody>" + motors(names)


def chain(limits):
    """Twenty links in a plane."""
    t, a = 0.1 * 0.01 / 12, 0.1 * 1e-4 / 2
    text = ""
    for i in range(20):
        text += (
            f'<body name="b{i}" pos="{0.1 if i else 0} 0 0"><joint name="j{i}" type="hinge" '
            f'axis="0 1 0"/><inertial pos="0.05 0 0" mass="0.1" diaginertia="{a} {t} {t}"/>'
        )
    return f"<worldbody>{text}{'</body>' * 20}</worldbody>"


def fourbar(limits):
    """A four-bar in the x-z plane: crank 0.4, coupler 1, rocker 0.7; closed by a connect."""
    A, P = np.array([0, 0.4]), np.array([1.0, 0.0])
    d = float(np.linalg.norm(P - A))
    a = math.atan2(P[1] - A[1], P[0] - A[0])
    c = math.acos((1.0 + d * d - 0.49) / (2 * d))
    B = A + np.array([math.cos(a + c), math.sin(a + c)])

    def body(name, p0, p1, m, inner, place):
        r, length = p1 - p0, float(np.linalg.norm(p1 - p0))
        i = m * length * length / 12
        return (
            f'<body name="{name}" pos="{place[0]} 0 {place[1]}"><joint name="{name}" type="hinge" '
            f'axis="0 1 0"/><inertial pos="{r[0] / 2} 0 {r[1] / 2}" '
            f'euler="0 {-math.atan2(r[1], r[0])} 0" mass="{m}" diaginertia="{m * 1e-4} {i} {i}"/>'
            f"{inner}</body>"
        )

    coupler = body("coupler", A, B, 1.0, "", A)
    crank, rocker = body("crank", 0 * A, A, 0.4, coupler, 0 * A), body("rocker", P, B, 0.7, "", P)
    anchor = B - A
    return (
        f"<worldbody>{crank}{rocker}</worldbody><equality>"
        f'<connect body1="coupler" body2="rocker" anchor="{anchor[0]} 0 {anchor[1]}" '
        'solref="0.004 1" solimp="0.999 0.9999 0.001"/></equality>' + motors(["crank"])
    )


# name: text, limits, integrator, step, steps, seed, sizes of q, v, controls
SCENES = {
    "cartpole/Euler": (cartpole, False, "Euler", 0.01, 200, 1, 0.2, 0.2, 1.0),
    "cartpole/RK4": (cartpole, False, "RK4", 0.01, 200, 1, 0.2, 0.2, 1.0),
    "cartpole/Euler/limits": (cartpole, True, "Euler", 0.01, 200, 1, 0.2, 0.2, 5.0),
    "arm7/Euler": (arm7, False, "Euler", 0.002, 200, 2, 0.5, 0.5, 2.0),
    "arm7/RK4": (arm7, False, "RK4", 0.002, 100, 2, 0.5, 0.5, 2.0),
    "arm7/Euler/limits": (arm7, True, "Euler", 0.002, 200, 2, 0.5, 0.5, 2.0),
    "chain20/Euler": (chain, False, "Euler", 0.001, 100, 3, 0.1, 0.1, 0.0),
    "chain20/RK4": (chain, False, "RK4", 0.001, 50, 3, 0.1, 0.1, 0.0),
    "fourbar/Euler": (fourbar, False, "Euler", 0.001, 100, 4, 0.0, 0.0, 2.0),
}


def best(call, repeats):
    """Least processor time and wall time of a call, in so many calls and half a second at least."""
    call()
    found, enough = (math.inf, math.inf), time.perf_counter() + 0.5
    done = 0
    while done < repeats or time.perf_counter() < enough:
        done += 1
        w, c = time.perf_counter(), time.process_time()
        call()
        w, c = time.perf_counter() - w, time.process_time() - c
        found = min(found[0], c), min(found[1], w)
    return found


def ours(text, spec, worlds, repeats, threads):
    """Steps a second of processor time and of wall time, the states, and the compile time."""
    _, _, integ, dt, steps, seed, qs, vs, us = spec
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.xml"
        path.write_text(text)
        model = dl.load_mjcf(path)
    random = np.random.default_rng(seed)
    integrator = dl.SemiImplicitEuler() if integ == "Euler" else dl.RK4()
    options = {"step": dt, "steps": steps, "integrator": integrator, "threads": threads}
    began = time.perf_counter()
    first = dl.rollout(model, worlds=1, **options)
    compiled = time.perf_counter() - began
    nq, nv = len(first.coordinate_names), len(first.velocity_names)
    q = first.q[0, 0] + qs * random.uniform(-1, 1, (worlds, nq))
    v = vs * random.uniform(-1, 1, (worlds, nv))
    names = [name for name in model.parameters if name.startswith("ctrl_")]
    u = us * random.uniform(-1, 1, (worlds, steps, len(names)))
    controls = {name: np.ascontiguousarray(u[:, :, k]) for k, name in enumerate(names)}
    out = np.zeros((worlds, steps + 1, nq + nv))
    last = []

    def call():
        last[:] = [dl.rollout(model, (q, v), controls=controls, into=out, **options)]

    cpu, wall = best(call, repeats)
    return worlds * steps / cpu, worlds * steps / wall, (q, v, u, out), compiled, last[0]


def peer(text, spec, given, repeats, threads):
    """The same by `mujoco.rollout`, with the states of both compared."""
    import mujoco
    from mujoco import rollout

    q, v, u, out = given
    steps = u.shape[1]
    m = mujoco.MjModel.from_xml_string(text)
    n = mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_FULLPHYSICS.value)
    state = np.zeros((len(q), n))
    state[:, 1 : 1 + m.nq], state[:, 1 + m.nq : 1 + m.nq + m.nv] = q, v
    room = np.zeros((len(q), steps, n))
    data = [mujoco.MjData(m) for _ in range(threads)]
    with rollout.Rollout(nthread=threads if threads > 1 else 0) as rolling:

        def call():
            rolling.rollout(m, data, state, u if m.nu else None, nstep=steps, state=room)

        cpu, wall = best(call, repeats)
    theirs, mine = room[:, :, 1 : 1 + m.nq], out[:, 1:, : m.nq]
    apart = np.abs(theirs - mine)
    loop = math.nan
    if m.neq:
        mujoco.mj_setState(m, data[0], room[0, -1], mujoco.mjtState.mjSTATE_FULLPHYSICS.value)
        mujoco.mj_forward(m, data[0])
        loop = float(np.abs(data[0].efc_pos[: data[0].ne]).max())
    worlds = len(q)
    return worlds * steps / cpu, worlds * steps / wall, apart[:, 0].max(), apart.max(), loop


FALL, LYING, LYING_WORLDS, FALL_STEP = 1000, 100, 64, 3e-3
RESIDUAL = 1e-6
"""Steps of the humanoid until it lies, and those that are timed; residual of our laws  [m/s]."""


def humanoid_file():
    """Gymnasium's humanoid, where it is installed; None elsewhere."""
    found = importlib.util.find_spec("gymnasium")
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).parent / "envs" / "mujoco" / "assets" / "humanoid.xml"
    return path if path.exists() else None


def our_humanoid(path, repeats, threads):
    """Steps a second of processor and wall time; contacts, residuals, and the compile time."""
    model, random = dl.load_mjcf(path), np.random.default_rng(5)
    options = {"step": FALL_STEP, "threads": threads}
    options["method"] = dl.ContactImpulse(tolerance=RESIDUAL)
    began = time.perf_counter()
    first = dl.rollout(model, worlds=1, steps=1, **options)
    compiled = time.perf_counter() - began
    v = 0.1 * random.uniform(-1, 1, (LYING_WORLDS, len(first.velocity_names)))
    q = np.repeat(first.q[:, 0], LYING_WORLDS, axis=0)
    fallen = dl.rollout(model, (q, v), steps=FALL, reduce="final", **options)
    q, v = fallen.q[:, -1].copy(), fallen.v[:, -1].copy()
    out = np.zeros((LYING_WORLDS, LYING + 1, q.shape[1] + v.shape[1]))

    def call():
        dl.rollout(model, (q, v), steps=LYING, into=out, **options)

    cpu, wall = best(call, repeats)
    worlds = LYING_WORLDS * LYING
    del options["threads"]
    run = dl.simulate(model, until=(FALL + LYING) * FALL_STEP, progress=False, **options)
    told = {name: values[-LYING:] for name, values in run.solve_info.items()}
    seen = f"{np.mean(told['contacts']):.0f} contacts, residual p95 "
    seen += f"{np.percentile(told['residual'], 95):.0e} m/s, compiled {compiled:.1f} s"
    return worlds / cpu, worlds / wall, seen


def peers_humanoid(path, repeats, threads):
    """The same by `mujoco.rollout`."""
    import mujoco
    from mujoco import rollout

    m = mujoco.MjModel.from_xml_path(str(path))
    m.opt.timestep, m.opt.integrator, m.opt.solver = FALL_STEP, 0, 2
    m.opt.iterations, m.opt.tolerance = 100, 1e-8
    random, full = np.random.default_rng(5), mujoco.mjtState.mjSTATE_FULLPHYSICS.value
    n = mujoco.mj_stateSize(m, full)
    state, room = np.zeros((LYING_WORLDS, n)), np.zeros((LYING_WORLDS, LYING, n))
    state[:, 1 : 1 + m.nq] = m.qpos0
    state[:, 1 + m.nq : 1 + m.nq + m.nv] = 0.1 * random.uniform(-1, 1, (LYING_WORLDS, m.nv))
    u = np.zeros((LYING_WORLDS, LYING, m.nu))
    data = [mujoco.MjData(m) for _ in range(threads)]
    fallen, _ = rollout.rollout(m, data[:1], state, u[:, :1], nstep=FALL)
    state = np.ascontiguousarray(fallen[:, -1])
    with rollout.Rollout(nthread=threads if threads > 1 else 0) as rolling:
        cpu, wall = best(
            lambda: rolling.rollout(m, data, state, u, nstep=LYING, state=room), repeats
        )
    counts, deep = [], 0.0
    for k in range(0, LYING_WORLDS, 8):
        mujoco.mj_setState(m, data[0], room[k, -1], full)
        mujoco.mj_forward(m, data[0])
        counts.append(data[0].ncon)
        deep = min(deep, *(data[0].contact.dist[: data[0].ncon]), 0.0)
    worlds = LYING_WORLDS * LYING
    return worlds / cpu, worlds / wall, f"peer {np.mean(counts):.0f}, {abs(deep):.0e} m deep"


def humanoid_rows(repeats, threads):
    """Rows of the humanoid."""
    path = humanoid_file()
    if path is None:
        print("humanoid/Euler          gymnasium is not installed here")
        return []
    cpu, wall, seen = our_humanoid(path, repeats, threads)
    made = [row("humanoid/Euler", LYING_WORLDS, cpu, wall, residual=RESIDUAL, note=seen)]
    try:
        theirs, their_wall, told = peers_humanoid(path, repeats, threads)
    except ImportError:
        return made
    more = {"ratio": cpu / theirs, "note": told}
    return [*made, row("humanoid/Euler", LYING_WORLDS, theirs, their_wall, peer=True, **more)]


def row(scene, worlds, cpu, wall, peer=False, **more):
    """A row of the table, from steps a second."""
    version = importlib.metadata.version("mujoco") if peer else dl.__version__
    engine = "MuJoCo" if peer else "dalembert"
    made = {"scene": scene, "worlds": worlds, "engine": engine, "version": version}
    return made | {"us_per_step": 1e6 / cpu, "us_wall": 1e6 / wall} | more


def compared(name, worlds, repeats, threads):
    """Rows of a scene: ours, and the peer's with what their motions differ by."""
    spec = SCENES[name]
    text = HEAD.format(dt=spec[3], integ=spec[2]) + spec[0](spec[1]) + "</mujoco>"
    cpu, wall, states, compiled, last = ours(text, spec, worlds, repeats, threads)
    note = f"{last!r}, compiled {compiled:.2f} s"
    made = [row(name, worlds, cpu, wall, note=note)]
    try:
        theirs, their_wall, first, end, loop = peer(text, spec, states, repeats, threads)
    except ImportError:
        return made
    more = {"ratio": cpu / theirs, "first_step": first, "end": end}
    if not math.isnan(loop):
        more["loop"] = loop
    return [*made, row(name, worlds, theirs, their_wall, peer=True, **more)]


def show(rows):
    """One line a row."""
    for one in rows:
        told = ", ".join(
            f"{c} {one[c]:.1e}" for c in ("first_step", "end", "loop", "residual") if c in one
        )
        print(
            f"{one['scene']:24}{one['worlds']:6}  {one['engine']:10}{one['us_per_step']:10.3f} us"
            f"{one.get('ratio', 1.0):7.1f}x  {told} {one.get('note', '')}",
            flush=True,
        )
    return rows


def main():
    """The table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--grow", action="store_true")
    given = parser.parse_args()
    rows = []
    for name in SCENES:
        if not given.only or any(name.startswith(x) for x in given.only.split(",")):
            rows += show(compared(name, given.worlds, given.repeats, given.threads))
            write_csv("worlds", COLUMNS, rows)
    if not given.only or "humanoid" in given.only:
        rows += show(humanoid_rows(given.repeats, given.threads))
        write_csv("worlds", COLUMNS, rows)
    if given.grow:
        grown = []
        for worlds in GROWN:
            if worlds <= 16 * given.worlds:
                grown += show(compared("cartpole/Euler", worlds, given.repeats, given.threads))
                write_csv("worlds-growth", COLUMNS, grown)


if __name__ == "__main__":
    main()
