"""Common parts of contact scenes: a floor with all of one material, and checked counts."""

from __future__ import annotations

from dalembert.errors import ModelError
from dalembert.formulas.variables import parameters
from dalembert.model import Model
from dalembert.model.contact.material import Material
from dalembert.model.shapes.solids import Plane


def on_floor(name: str, friction: float, gravity: float) -> tuple[Model, Material]:
    """A model with a floor, and the material of everything on it; parameters mu and g."""
    mu, g = parameters(mu=friction, g=gravity)
    model = Model(name, gravity=(0.0, 0.0, -g))
    surface = Material(friction=mu)
    model.add_shape(Plane(), material=surface, name="floor")
    return model, surface


def on_ground(name: str, friction: float) -> tuple[Model, Material]:
    """A model with a plane "ground", and the material of everything on it; parameter mu."""
    (mu,) = parameters(mu=friction)
    model = Model(name)
    surface = Material(friction=mu)
    model.add_shape(Plane(), material=surface, name="ground")
    return model, surface


def at_least(least: int, name: str, count: int) -> None:
    """Refuse a count below `least`, or none at all, of the catalog model `name`."""
    if not isinstance(count, int) or count < least:
        raise ModelError(f"catalog model {name!r}: count is {count!r}. Give {least} or more.")
