"""URDF files written by hand, for tests."""

from __future__ import annotations

from dalembert.importers.urdf.load import read_urdf

MASS = (
    '<inertial><origin xyz="0.1 0 0"/><mass value="2"/>'
    '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.2"/></inertial>'
)


def link(name: str, inside: str = MASS) -> str:
    return f'<link name="{name}">{inside}</link>'


def joint(name: str, kind: str, parent: str, child: str, inside: str = "") -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f"{inside}</joint>"
    )


def file_of(folder, *parts: str, name: str = "robot.urdf"):
    path = folder / name
    path.write_text("\n".join(['<robot name="r">', *parts, "</robot>"]))
    return path


def read(folder, *parts: str, **options):
    return read_urdf(file_of(folder, *parts), **options)
