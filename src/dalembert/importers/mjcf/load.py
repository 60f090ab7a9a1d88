"""`load_mjcf`: a file of MuJoCo's to a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dalembert.errors import DalembertError, ImportFileError, OptionError
from dalembert.importers.mjcf.bodies import add_bodies, add_frames
from dalembert.importers.mjcf.compiled import Compiled
from dalembert.importers.mjcf.forces import add_forces
from dalembert.importers.mjcf.joints import add_joints
from dalembert.importers.mjcf.losses import tell_losses
from dalembert.importers.mjcf.reading import Reading
from dalembert.importers.mjcf.relations import add_relations
from dalembert.importers.mjcf.sensors import add_sensors
from dalembert.importers.mjcf.shapes import add_shapes
from dalembert.importers.readers import Read
from dalembert.importers.urdf.load import refusal, tell
from dalembert.model import Model
from dalembert.model.basics.names import nearest
from dalembert.model.one_sided.rows import hard_only

UNTIL = 10.0
"""Suggested end of a run; the file has none [s]."""


def load_mjcf(
    source: Any,
    *,
    strict: bool = False,
    keyframe: str | int | None = None,
    qpos: Any = None,
    qvel: Any = None,
    shapes: bool = True,
    contact: bool = True,
) -> Model:
    """Model of a mechanism described in MJCF; needs MuJoCo: ``pip install 'dalembert[mjcf]'``.

    Parameters
    ----------
    source : str, Path or mujoco.MjModel
        A file, the XML text itself, or what MuJoCo made of it.
    strict : bool
        Refuse the file when anything in it is not taken over.
    keyframe : str or int
        Start there, with its controls, instead of at the reference positions.
    qpos, qvel : arrays in MuJoCo's order
        Start there instead.
    shapes : bool
        Take the visible geoms over for drawing.
    contact : bool
        Take over which geoms touch, with their friction, groups and pairs.

    Returns
    -------
    Model
        ``model.losses`` lists what is not in it; a warning counts it. An actuator's control is the
        parameter ``ctrl_`` with the actuator's name; the file's time step is suggested for runs
        where something touches, stops or sticks.

    Raises
    ------
    ImportFileError
        MuJoCo does not accept the file (with its line), a body's joints cannot be taken over, or
        MuJoCo is not installed.

    Examples
    --------
    >>> text = '''<mujoco model="pendulum">
    ...   <worldbody>
    ...     <body name="rod">
    ...       <joint name="hinge" axis="0 1 0"/>
    ...       <geom type="capsule" fromto="0 0 0 0 0 -1" size=".02" contype="0" conaffinity="0"/>
    ...     </body>
    ...   </worldbody>
    ... </mujoco>'''
    >>> load_mjcf(text)  # doctest: +SKIP
    Model('pendulum': 1 body, 1 joint, 5 constraint rows)
    """
    found = read_mjcf(
        source,
        strict=strict,
        keyframe=keyframe,
        qpos=qpos,
        qvel=qvel,
        shapes=shapes,
        contact=contact,
    )
    is_file = isinstance(source, str | Path) and not str(source).lstrip().startswith("<")
    tell(source if is_file else found.model.name, found.losses)
    return found.model


def read_mjcf(
    source: Any,
    *,
    strict: bool = False,
    keyframe: str | int | None = None,
    qpos: Any = None,
    qvel: Any = None,
    shapes: bool = True,
    contact: bool = True,
) -> Read:
    """Read a model as `load_mjcf` does, with a list of what was lost instead of warnings."""
    reading = understand(
        source, keyframe=keyframe, qpos=qpos, qvel=qvel, shapes=shapes, contact=contact
    )
    losses = tuple(reading.losses)
    if strict and losses:
        raise refusal(reading.c.where, losses)
    reading.model.losses = losses
    return Read(reading.model, losses)


def understand(
    source: Any,
    *,
    keyframe: str | int | None = None,
    qpos: Any = None,
    qvel: Any = None,
    shapes: bool = True,
    contact: bool = True,
) -> Reading:
    """The model with what belongs to which element of the file."""
    c = Compiled(source)
    m = c.m
    if not m.nv:
        raise c.refuse("nothing in it moves: no body has a joint. Add a joint, or a freejoint.")
    data, control = _start(c, keyframe, qpos, qvel)
    off = m.opt.disableflags & int(c.mj.mjtDisableBit.mjDSBL_GRAVITY)
    gravity = (0.0, 0.0, 0.0) if off else tuple(float(x) for x in m.opt.gravity)
    stem = Path(source).stem if isinstance(source, str | Path) and not c.is_text else "model"
    given = m.names[: m.names.index(b"\0")].decode(errors="replace")
    name = stem if given in ("", "MuJoCo Model") else given
    try:
        reading = Reading(c, Model(name, gravity=gravity))
        add_bodies(reading, data, bool(np.any(data.qvel)))
        add_frames(reading)
        add_joints(reading, data)
        add_relations(reading)
        add_forces(reading, control)
        add_sensors(reading)
        add_shapes(reading, seen=shapes, contact=contact)
        tell_losses(reading)
    except ImportFileError:
        raise
    except DalembertError as problem:
        raise c.refuse(str(problem)) from problem
    except OverflowError:
        raise c.refuse("its numbers are too large to calculate with. Check the units.") from None
    reading.model.suggested |= _suggested(reading)
    return reading


def _suggested(reading: Reading) -> dict[str, float]:
    """How long to run, and the file's time step where something touches, stops or sticks.

    Elsewhere error control finds steps of its own, also for the stiff servos of such files.
    """
    step = float(reading.m.opt.timestep)
    if not (np.isfinite(step) and step > 0):
        return {}
    until = {"until": max(UNTIL, step)}
    return until | {"step": step} if hard_only(reading.model) else until


def _start(c: Compiled, keyframe: Any, qpos: Any, qvel: Any) -> tuple[Any, Any]:
    """MuJoCo's data at the state to start from, and the controls there."""
    m = c.m
    data = c.mj.MjData(m)
    control: Any = np.zeros(0)
    if keyframe is not None:
        k = _keyframe(c, keyframe)
        data.qpos[:], data.qvel[:] = m.key_qpos[k], m.key_qvel[k]
        control = np.array(m.key_ctrl[k])
    for name, given in (("qpos", qpos), ("qvel", qvel)):
        if given is None:
            continue
        size = m.nq if name == "qpos" else m.nv
        try:
            values = np.array(given, dtype=float).ravel()
        except (TypeError, ValueError):
            values = np.zeros(0)
        if len(values) != size or not np.all(np.isfinite(values)):
            raise OptionError(f"{name} is {given!r:.60}. Give {size} finite numbers.")
        getattr(data, name)[:] = values
    c.mj.mj_kinematics(m, data)
    c.mj.mj_comPos(m, data)
    c.mj.mj_comVel(m, data)
    return data, control


def _keyframe(c: Compiled, given: Any) -> int:
    names = [c.name("keyframe", k) for k in range(c.m.nkey)]
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < len(names):
        return given
    if given in names:
        return names.index(given)
    near = nearest(str(given), names) if names else ". The file has none."
    raise OptionError(f"keyframe {given!r:.60} is unknown{near}")
