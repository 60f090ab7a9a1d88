"""The description of a system: plain Python, no compilation, picklable, printable.

model        Model and its constructors        of_bodies    bodies, joints, forces of a model
body         masses placed by formulas         rigid_body   bodies free in space
frame        frames on bodies, the world       rotation     rotations as numbers
joints/      one joint a file                  forces/      one force a file
element      what joints and forces state      placement    where bodies are at the start
constraint   constraints and their forces      inertia      mass, centre and moments
assemble     description to M, Q, T, V         check        plausibility at the initial state
shapes       what bodies look like             mesh_file    triangles of STL and OBJ files
contact/     materials, shapes that touch      one_sided/   cables, stops, bounded rows
stated       models stated by formulas         touching, stopping   contact and limits of a model
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
