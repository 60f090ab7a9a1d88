"""The description of a system: plain Python, no compilation, picklable, printable.

model        Model and its constructors        body         particles and rigid bodies
constraint   constraints and their forces      inertia      mass, centre and moments
assemble     description to M, Q, T, V         check        plausibility at the initial state
"""

from dalembert.model.body import Body, Particle, PlanarBody, SpatialBody
from dalembert.model.constraint import Constraint, ConstraintForce
from dalembert.model.inertia import Inertia
from dalembert.model.model import Model

__all__ = [
    "Body",
    "Constraint",
    "ConstraintForce",
    "Inertia",
    "Model",
    "Particle",
    "PlanarBody",
    "SpatialBody",
]
