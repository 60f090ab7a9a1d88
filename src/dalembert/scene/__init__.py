"""Scenes to draw: the one description that pictures, the page and the live view share.

`describe` turns a model into shapes, `follow` adds the motion of a run, `place` one state.
"""

from dalembert.scene.describe import describe
from dalembert.scene.description import (
    Scene,
    SceneArrow,
    SceneBody,
    SceneFrame,
    SceneJoint,
    SceneLink,
    ScenePoint,
    Shape,
    Signal,
)
from dalembert.scene.follow import follow
from dalembert.scene.motion import Motion
from dalembert.scene.poses import place

__all__ = [
    "Motion",
    "Scene",
    "SceneArrow",
    "SceneBody",
    "SceneFrame",
    "SceneJoint",
    "SceneLink",
    "ScenePoint",
    "Shape",
    "Signal",
    "describe",
    "follow",
    "place",
]
