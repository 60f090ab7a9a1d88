"""A model as a scene."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.scene.description import Array, Scene
from dalembert.scene.dress import Dressing
from dalembert.scene.poses import place
from dalembert.scene.skeleton import skeleton, start


def describe(model: Any) -> Scene:
    """The scene of a model, sized for its start.

    Parameters
    ----------
    model : Model

    Examples
    --------
    >>> from dalembert import catalog
    >>> scene = describe(catalog.load("four-bar-3d"))
    >>> [body.name for body in scene.bodies]
    ['crank', 'coupler', 'rocker']
    """
    bare = skeleton(model)
    q, v = start(model)
    placed = place(bare, model, np.zeros(1), q[None], v[None])
    return dressed(bare, model, *placed)


def dressed(bare: Scene, model: Any, p: Array, turned: Array, points: Array) -> Scene:
    """The skeleton with shapes, for bodies and points at k states."""
    return Dressing(bare, model, p, turned, points).scene()
