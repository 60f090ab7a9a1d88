"""`load_urdf`: a robot's file to a model."""

from __future__ import annotations

import math
import numbers
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dalembert.errors import DoubtfulWarning, ImportFileError, OptionError
from dalembert.importers.readers import Loss, Read
from dalembert.importers.urdf.build import Contact, build
from dalembert.importers.urdf.loops import add_loops
from dalembert.importers.urdf.read_robot import read_robot
from dalembert.importers.urdf.robot import Link, Robot
from dalembert.importers.urdf.tree import plan
from dalembert.model import Model
from dalembert.model.contact.material import Material

BASES = ("fixed", "floating")


def load_urdf(
    path: str | Path,
    *,
    base: str | None = None,
    loops: Any = None,
    strict: bool = False,
    packages: Mapping[str, str | Path] | None = None,
    initial: Mapping[str, float] | None = None,
    merge: bool = True,
    massless: float | None = None,
    meshes: bool = True,
    contact: bool = True,
    self_collision: bool = False,
    material: Any = None,
    gravity: Sequence[Any] | None = None,
) -> Model:
    r"""Model of a robot described in URDF.

    Parameters
    ----------
    path : str or Path
    base : "fixed" or "floating"
        Whether the root link is part of the world, or free. By default part of the world, but free
        where no joint moves: a single body.
    loops : dict name -> joint, or list of joints
        Joints that close the tree: ``{"rod": {"type": "spherical", "first": {"body": "crank",
        "at": [0, 0, 0.1]}, "second": "coupler"}}`` with the keys of a model file, or dl.Revolute
        and others between links by name.
    strict : bool
        Refuse the file when anything in it is not taken over.
    packages : dict name -> folder
        Where ``package://name/...`` is; folders above the file and those ROS knows are found.
    initial : dict joint -> value  [rad] or [m]
        Where joints start; 0 by default. Joints that mimic follow.
    merge : bool
        Make links that fixed joints connect one body; the links stay as frames. Without it only
        those without mass are merged, and the joints have reactions.
    massless : float  [kg]
        Given to links that move and have no mass; its moments, as a ball of 1 cm, to those with a
        mass and none. Without it the joints on both sides become one
        where hinges meet in a point, and other such links are refused.
    meshes : bool
        Read the files of meshes (.stl, .obj, .dae), for drawing and contact.
    contact : bool
        Take <collision> over: shapes that touch what else is in the model.
    self_collision : bool
        Let the robot's own links touch each other, except those that a joint connects.
    material : dl.Material
        Of all its shapes; URDF does not say.
    gravity : 3 numbers  [m/s^2]

    Returns
    -------
    Model
        ``model.losses`` lists what is not in it, with file and line; a warning counts it.

    Raises
    ------
    ImportFileError
        With file, line, what was found, and the nearest known name.

    Examples
    --------
    >>> import tempfile
    >>> text = '''<robot name="pendulum">
    ...   <link name="ground"/>
    ...   <link name="rod">
    ...     <inertial>
    ...       <origin xyz="0 0 -0.5"/><mass value="2"/>
    ...       <inertia ixx=".2" ixy="0" ixz="0" iyy=".2" iyz="0" izz=".01"/>
    ...     </inertial>
    ...   </link>
    ...   <joint name="hinge" type="continuous">
    ...     <parent link="ground"/><child link="rod"/><axis xyz="0 1 0"/>
    ...   </joint>
    ... </robot>'''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "pendulum.urdf"
    ...     _ = file.write_text(text)
    ...     load_urdf(file, initial={"hinge": 0.5})
    Model('pendulum': 1 body, 1 joint, 5 constraint rows)
    """
    found = read_urdf(
        path,
        base=base,
        loops=loops,
        strict=strict,
        packages=packages,
        initial=initial,
        merge=merge,
        massless=massless,
        meshes=meshes,
        contact=contact,
        self_collision=self_collision,
        material=material,
        gravity=gravity,
    )
    tell(path, found.losses)
    return found.model


def read_urdf(
    path: str | Path,
    *,
    base: str | None = None,
    loops: Any = None,
    strict: bool = False,
    packages: Mapping[str, str | Path] | None = None,
    initial: Mapping[str, float] | None = None,
    merge: bool = True,
    massless: float | None = None,
    meshes: bool = True,
    contact: bool = True,
    self_collision: bool = False,
    material: Any = None,
    gravity: Sequence[Any] | None = None,
) -> Read:
    """Read a model as `load_urdf` does, with a list of what was lost instead of warnings."""
    if base not in (None, *BASES):
        raise OptionError(f"base is {base!r:.60}. Give 'fixed' or 'floating'.")
    if massless is not None and not _is_positive(massless):
        raise OptionError(f"massless is {massless!r:.60}. Give a small positive mass in kg.")
    for name, value in (initial or {}).items():
        if not _is_finite(value):
            raise OptionError(f"initial: joint '{name}' is {value!r:.60}. Give a finite number.")
    robot = read_robot(path)
    is_single = _is_single(robot)
    is_free = base == "floating" or (base is None and is_single)
    tree = plan(robot, merge=merge, massless=massless, is_free=is_free, initial=initial or {})
    if len(tree.groups) == 1 and not is_free:
        robot.file.refuse(robot.links[robot.root].element, _why_nothing_moves(robot, is_single))
    options = {} if gravity is None else {"gravity": gravity}
    if material is not None and not isinstance(material, Material):
        raise OptionError(f"material is {material!r:.60}. Give a dl.Material(...).")
    model = build(
        robot,
        tree,
        packages=packages or {},
        meshes=meshes,
        is_free=is_free,
        contact=Contact(contact, self_collision, material),
        **options,
    )
    add_loops(model, loops, Path(path))
    losses = tuple(sorted(robot.file.losses, key=lambda loss: _line(loss.where)))
    if strict and losses:
        raise refusal(path, losses)
    model.losses = losses
    notes = ("no joint of the robot moves: it is one free body (base=fixed|floating).",)
    return Read(model, losses, notes if base is None and is_single else ())


def _is_single(robot: Robot) -> bool:
    """Whether it is one body with a mass: a link alone, or several that fixed joints hold."""
    is_rigid = all(joint.kind == "fixed" for joint in robot.joints.values())
    return is_rigid and any(_has_mass(link) for link in robot.links.values())


def _has_mass(link: Link) -> bool:
    return link.inertial is not None and link.inertial.mass > 0.0


def _why_nothing_moves(robot: Robot, is_single: bool) -> str:
    if is_single:
        return (
            "nothing of the robot moves: it has one link, or all its joints are fixed. Load it "
            "with base='floating' (base: floating in a model file)."
        )
    moving = [joint for joint in robot.joints.values() if joint.kind != "fixed"]
    if not moving:
        return (
            "nothing of the robot moves: no link has a mass, and no joint moves. Give a link its"
            " <inertial>."
        )
    first = moving[0]
    return (
        f"nothing of the robot moves: link '{first.child}', which joint '{first.name}' moves, has"
        " no mass, and carries none. Give it its <inertial>."
    )


def refusal(path: str | Path, losses: Sequence[Loss]) -> ImportFileError:
    """The error of strict reading: it names everything that would be lost."""
    lines = "\n".join(map(str, losses))
    return ImportFileError(
        f"{path}: {len(losses)} of what it says would be lost, and strict allows none:\n{lines}"
    )


def tell(path: str | Path, losses: Sequence[Loss]) -> None:
    """Warn that something is not in the model."""
    if losses:
        warnings.warn(
            f"{path}: {len(losses)} of what it says is not in the model; model.losses lists it. "
            f"The first: {losses[0]}",
            DoubtfulWarning,
            stacklevel=3,
        )


def _line(where: str) -> int:
    number = where.rpartition(", line ")[2]
    return int(number) if number.isdigit() else 0


def _is_finite(given: Any) -> bool:
    return isinstance(given, numbers.Real) and math.isfinite(float(given))


def _is_positive(given: Any) -> bool:
    return _is_finite(given) and float(given) > 0.0
