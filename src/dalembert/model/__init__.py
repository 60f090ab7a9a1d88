"""The description of a system: plain Python, no compilation, picklable, printable.

core         Model: what can be added to it, what it answers
check        model.check()                      text         a model told
start        where bodies are at the start      sensors      one sensor a file
one_sided    stops, cables, limits              contact      materials, pairs
forces       one force a file                   joints       one joint a file
shapes       what bodies look like              basics       bodies, frames, inertias
"""

from dalembert.model.basics.constraint import Constraint, ConstraintForce
from dalembert.model.basics.frame import Frame, World
from dalembert.model.basics.inertia import Inertia
from dalembert.model.basics.masses import Particle, PlanarBody, SpatialBody
from dalembert.model.basics.rigid_body import Body
from dalembert.model.basics.rotation import Rotation
from dalembert.model.core.model import Model

__all__ = [
    "Body",
    "Constraint",
    "ConstraintForce",
    "Frame",
    "Inertia",
    "Model",
    "Particle",
    "PlanarBody",
    "Rotation",
    "SpatialBody",
    "World",
]
