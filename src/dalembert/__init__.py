"""Constrained mechanical systems without drift.

>>> import dalembert as dl

Every public name is loaded when it is first used: importing the package costs next to nothing and
compiles nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_MODULE_OF = {
    # describing
    "coordinates": "formulas.variables",
    "reaction": "formulas.variables",
    "parameters": "formulas.variables",
    "time": "formulas.variables",
    "where": "formulas.functions",
    "minimum": "formulas.functions",
    "maximum": "formulas.functions",
    "Model": "model.core.model",
    "Combine": "model.contact.combine",
    "Inertia": "model.basics.inertia",
    "Cable": "model.one_sided.cable",
    "Limits": "model.one_sided.limits",
    "Material": "model.contact.material",
    "Particle": "model.basics.masses",
    "Stop": "model.one_sided.stop",
    "PlanarBody": "model.basics.masses",
    "SpatialBody": "model.basics.masses",
    "Rotation": "model.basics.rotation",
    # shapes: what bodies look like
    "Box": "model.shapes.solids",
    "Capsule": "model.shapes.solids",
    "Cone": "model.shapes.solids",
    "ConvexHull": "model.shapes.surfaces",
    "Cylinder": "model.shapes.solids",
    "Ellipsoid": "model.shapes.solids",
    "HeightField": "model.shapes.surfaces",
    "Mesh": "model.shapes.mesh",
    "Plane": "model.shapes.solids",
    "Polyline": "model.shapes.solids",
    "SignedDistance": "model.shapes.surfaces",
    "Sphere": "model.shapes.solids",
    # joints
    "Compound": "model.joints.compound",
    "ConstantVelocity": "model.joints.constant_velocity",
    "Coupler": "model.joints.coupler",
    "Cylindrical": "model.joints.cylindrical",
    "Distance": "model.joints.distance",
    "Fixed": "model.joints.fixed",
    "Gear": "model.joints.gear",
    "Motion": "model.joints.motion",
    "Planar": "model.joints.planar",
    "PointOnCurve": "model.joints.point_on_curve",
    "PointOnLine": "model.joints.point_on_line",
    "PointOnPlane": "model.joints.point_on_plane",
    "Prismatic": "model.joints.prismatic",
    "RackPinion": "model.joints.rack_pinion",
    "Revolute": "model.joints.revolute",
    "Rolling": "model.joints.rolling",
    "Screw": "model.joints.screw",
    "Spherical": "model.joints.spherical",
    "Universal": "model.joints.universal",
    # forces
    "Actuator": "model.forces.actuator",
    "Brake": "model.forces.brake",
    "Bushing": "model.forces.bushing",
    "CompoundSpring": "model.forces.compound_spring",
    "DirectDrive": "model.forces.direct_drive",
    "Drag": "model.forces.drag",
    "Force": "model.forces.force",
    "JointFriction": "model.forces.joint_friction",
    "Motor": "model.forces.motor",
    "PositionServo": "model.forces.position_servo",
    "Potential": "model.forces.potential",
    "Spring": "model.forces.spring",
    "Torque": "model.forces.torque",
    "TorsionSpring": "model.forces.torsion_spring",
    "VelocityServo": "model.forces.velocity_servo",
    "table": "model.forces.table",
    # sensors
    "EffortSensor": "model.sensors.effort_sensor",
    "ForceSensor": "model.sensors.force_sensor",
    "IMU": "model.sensors.imu",
    "JointSensor": "model.sensors.joint_sensor",
    "PoseSensor": "model.sensors.pose_sensor",
    "TwistSensor": "model.sensors.twist_sensor",
    # running
    "assemble": "simulation.assembly.assembly",
    "simulate": "simulation.simulate",
    "Controller": "simulation.prepare.controllers",
    "Event": "simulation.prepare.events",
    "Release": "simulation.prepare.actions",
    "Engage": "simulation.prepare.actions",
    "Session": "simulation.session.session",
    "Solution": "simulation.results.solution",
    "load": "simulation.rundir.loading",
    "load_solution": "simulation.rundir.loading",
    "load_mjcf": "importers.mjcf.load",
    "load_urdf": "importers.urdf.load",
    "save_urdf": "importers.urdf.writing",
    "resume": "simulation.rundir.resume",
    # methods: how constraints are kept
    "Aghili": "enforcement.aghili",
    "AugmentedLagrangian": "enforcement.augmented_lagrangian",
    "Baumgarte": "enforcement.baumgarte",
    "BaumgarteVelocity": "enforcement.baumgarte_velocity",
    "BraunGoldfarb": "enforcement.braun_goldfarb",
    "BraunGoldfarbPerStage": "enforcement.braun_goldfarb_per_stage",
    "BraunGoldfarbVelocity": "enforcement.braun_goldfarb_velocity",
    "ContactImpulse": "enforcement.contact_impulse",
    "Compliant": "enforcement.compliant",
    "IndexTwo": "enforcement.index_two",
    "LagrangeMultipliers": "enforcement.lagrange_multipliers",
    "Partitioning": "enforcement.partitioning",
    "Penalty": "enforcement.penalty",
    "PostStabilisation": "enforcement.post_stabilisation",
    "Projection": "enforcement.projection",
    "Rattle": "enforcement.rattle",
    "SchurComplement": "enforcement.schur_complement",
    "UdwadiaKalaba": "enforcement.udwadia_kalaba",
    "VelocitySplitting": "enforcement.velocity_splitting",
    # contact problems: solvers, shapes of friction
    "ADMM": "contact.solvers.table",
    "AutomaticContact": "contact.solvers.table",
    "BoxFriction": "contact.solvers.comparison.friction",
    "ContactProblem": "contact.given.problem",
    "ConvexContact": "contact.solvers.table",
    "GaussSeidel": "contact.solvers.table",
    "Lemke": "contact.solvers.table",
    "InteriorPoint": "contact.solvers.table",
    "NewtonContact": "contact.solvers.table",
    "ProjectedGaussSeidel": "contact.solvers.table",
    "Pyramid": "contact.solvers.comparison.friction",
    "compare_contact_solvers": "analysis.contact_solvers",
    "solve_contact": "contact.given.problem",
    # integrators: how time advances
    "DormandPrince": "integration.dormand_prince",
    "ExplicitEuler": "integration.explicit_euler",
    "Gauss": "integration.collocation",
    "GeneralizedAlpha": "integration.generalized_alpha",
    "ImplicitMidpoint": "integration.implicit_midpoint",
    "RK4": "integration.rk4",
    "RadauIIA": "integration.collocation",
    "BDF": "integration.backward",
    "SemiImplicitEuler": "integration.semi_implicit_euler",
    # the constraint step for one's own integrator
    "compliant_velocity": "enforcement.on_arrays",
    "constraint_forces": "enforcement.on_arrays",
    "project_position": "enforcement.on_arrays",
    "project_velocity": "enforcement.on_arrays",
    # reading results
    "Evaluation": "simulation.evaluation",
    "evaluate": "simulation.evaluation",
    "compare": "analysis.compare",
    "observed_order": "analysis.convergence",
    "work_precision": "analysis.work_precision",
    "plot": "plotting.plot",
    "animate": "plotting.animate",
    "save_html": "viewer.page",
    "view": "viewer.live",
    # what is near
    "distance": "simulation.queries",
    "ray_cast": "simulation.queries",
    # joint coordinates
    "Tree": "robotics.tree",
}
_SUBMODULES = ("catalog", "errors")

__all__ = [
    "BDF",
    "ADMM",
    "Actuator",
    "Aghili",
    "AugmentedLagrangian",
    "AutomaticContact",
    "Baumgarte",
    "BaumgarteVelocity",
    "Box",
    "BoxFriction",
    "Brake",
    "BraunGoldfarb",
    "BraunGoldfarbPerStage",
    "BraunGoldfarbVelocity",
    "Bushing",
    "Cable",
    "Capsule",
    "Combine",
    "Compliant",
    "Compound",
    "CompoundSpring",
    "Cone",
    "ConstantVelocity",
    "ContactImpulse",
    "ContactProblem",
    "Controller",
    "ConvexContact",
    "ConvexHull",
    "Coupler",
    "Cylinder",
    "Cylindrical",
    "DirectDrive",
    "Distance",
    "DormandPrince",
    "Drag",
    "EffortSensor",
    "Ellipsoid",
    "Engage",
    "Evaluation",
    "Event",
    "ExplicitEuler",
    "Fixed",
    "Force",
    "ForceSensor",
    "Gauss",
    "GaussSeidel",
    "Gear",
    "GeneralizedAlpha",
    "HeightField",
    "IMU",
    "ImplicitMidpoint",
    "IndexTwo",
    "Inertia",
    "InteriorPoint",
    "JointFriction",
    "JointSensor",
    "LagrangeMultipliers",
    "Lemke",
    "Limits",
    "Material",
    "Mesh",
    "Model",
    "Motion",
    "Motor",
    "NewtonContact",
    "Particle",
    "Partitioning",
    "Penalty",
    "Planar",
    "PlanarBody",
    "Plane",
    "PointOnCurve",
    "PointOnLine",
    "PointOnPlane",
    "Polyline",
    "PoseSensor",
    "PositionServo",
    "PostStabilisation",
    "Potential",
    "Prismatic",
    "ProjectedGaussSeidel",
    "Projection",
    "Pyramid",
    "RK4",
    "RackPinion",
    "RadauIIA",
    "Rattle",
    "Release",
    "Revolute",
    "Rolling",
    "Rotation",
    "SchurComplement",
    "Screw",
    "SemiImplicitEuler",
    "Session",
    "SignedDistance",
    "Solution",
    "SpatialBody",
    "Sphere",
    "Spherical",
    "Spring",
    "Stop",
    "Torque",
    "TorsionSpring",
    "Tree",
    "TwistSensor",
    "UdwadiaKalaba",
    "Universal",
    "VelocityServo",
    "VelocitySplitting",
    "__version__",
    "animate",
    "assemble",
    "catalog",
    "compare",
    "compare_contact_solvers",
    "compliant_velocity",
    "constraint_forces",
    "coordinates",
    "distance",
    "errors",
    "evaluate",
    "load",
    "load_mjcf",
    "load_solution",
    "load_urdf",
    "maximum",
    "minimum",
    "observed_order",
    "parameters",
    "plot",
    "project_position",
    "project_velocity",
    "ray_cast",
    "reaction",
    "resume",
    "save_html",
    "save_urdf",
    "simulate",
    "solve_contact",
    "table",
    "time",
    "view",
    "where",
    "work_precision",
]


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        found = getattr(importlib.import_module(f"dalembert.{_MODULE_OF[name]}"), name)
    elif name in _SUBMODULES:
        found = importlib.import_module(f"dalembert.{name}")
    else:
        raise AttributeError(f"module 'dalembert' has no attribute {name!r}")
    globals()[name] = found  # the next use does not come here
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if TYPE_CHECKING:
    from dalembert import catalog, errors
    from dalembert.analysis.compare import compare
    from dalembert.analysis.contact_solvers import compare_contact_solvers
    from dalembert.analysis.convergence import observed_order
    from dalembert.analysis.work_precision import work_precision
    from dalembert.contact.given.problem import ContactProblem, solve_contact
    from dalembert.contact.solvers.comparison.friction import BoxFriction, Pyramid
    from dalembert.contact.solvers.table import (
        ADMM,
        AutomaticContact,
        ConvexContact,
        GaussSeidel,
        InteriorPoint,
        Lemke,
        NewtonContact,
        ProjectedGaussSeidel,
    )
    from dalembert.enforcement.aghili import Aghili
    from dalembert.enforcement.augmented_lagrangian import AugmentedLagrangian
    from dalembert.enforcement.baumgarte import Baumgarte
    from dalembert.enforcement.baumgarte_velocity import BaumgarteVelocity
    from dalembert.enforcement.braun_goldfarb import BraunGoldfarb
    from dalembert.enforcement.braun_goldfarb_per_stage import BraunGoldfarbPerStage
    from dalembert.enforcement.braun_goldfarb_velocity import BraunGoldfarbVelocity
    from dalembert.enforcement.compliant import Compliant
    from dalembert.enforcement.contact_impulse import ContactImpulse
    from dalembert.enforcement.index_two import IndexTwo
    from dalembert.enforcement.lagrange_multipliers import LagrangeMultipliers
    from dalembert.enforcement.on_arrays import (
        compliant_velocity,
        constraint_forces,
        project_position,
        project_velocity,
    )
    from dalembert.enforcement.partitioning import Partitioning
    from dalembert.enforcement.penalty import Penalty
    from dalembert.enforcement.post_stabilisation import PostStabilisation
    from dalembert.enforcement.projection import Projection
    from dalembert.enforcement.rattle import Rattle
    from dalembert.enforcement.schur_complement import SchurComplement
    from dalembert.enforcement.udwadia_kalaba import UdwadiaKalaba
    from dalembert.enforcement.velocity_splitting import VelocitySplitting
    from dalembert.formulas.functions import maximum, minimum, where
    from dalembert.formulas.variables import coordinates, parameters, reaction, time
    from dalembert.importers.mjcf.load import load_mjcf
    from dalembert.importers.urdf.load import load_urdf
    from dalembert.importers.urdf.writing import save_urdf
    from dalembert.integration.backward import BDF
    from dalembert.integration.collocation import Gauss, RadauIIA
    from dalembert.integration.dormand_prince import DormandPrince
    from dalembert.integration.explicit_euler import ExplicitEuler
    from dalembert.integration.generalized_alpha import GeneralizedAlpha
    from dalembert.integration.implicit_midpoint import ImplicitMidpoint
    from dalembert.integration.rk4 import RK4
    from dalembert.integration.semi_implicit_euler import SemiImplicitEuler
    from dalembert.model.basics.inertia import Inertia
    from dalembert.model.basics.masses import Particle, PlanarBody, SpatialBody
    from dalembert.model.basics.rotation import Rotation
    from dalembert.model.contact.combine import Combine
    from dalembert.model.contact.material import Material
    from dalembert.model.core.model import Model
    from dalembert.model.forces.actuator import Actuator
    from dalembert.model.forces.brake import Brake
    from dalembert.model.forces.bushing import Bushing
    from dalembert.model.forces.compound_spring import CompoundSpring
    from dalembert.model.forces.direct_drive import DirectDrive
    from dalembert.model.forces.drag import Drag
    from dalembert.model.forces.force import Force
    from dalembert.model.forces.joint_friction import JointFriction
    from dalembert.model.forces.motor import Motor
    from dalembert.model.forces.position_servo import PositionServo
    from dalembert.model.forces.potential import Potential
    from dalembert.model.forces.spring import Spring
    from dalembert.model.forces.table import table
    from dalembert.model.forces.torque import Torque
    from dalembert.model.forces.torsion_spring import TorsionSpring
    from dalembert.model.forces.velocity_servo import VelocityServo
    from dalembert.model.joints.compound import Compound
    from dalembert.model.joints.constant_velocity import ConstantVelocity
    from dalembert.model.joints.coupler import Coupler
    from dalembert.model.joints.cylindrical import Cylindrical
    from dalembert.model.joints.distance import Distance
    from dalembert.model.joints.fixed import Fixed
    from dalembert.model.joints.gear import Gear
    from dalembert.model.joints.motion import Motion
    from dalembert.model.joints.planar import Planar
    from dalembert.model.joints.point_on_curve import PointOnCurve
    from dalembert.model.joints.point_on_line import PointOnLine
    from dalembert.model.joints.point_on_plane import PointOnPlane
    from dalembert.model.joints.prismatic import Prismatic
    from dalembert.model.joints.rack_pinion import RackPinion
    from dalembert.model.joints.revolute import Revolute
    from dalembert.model.joints.rolling import Rolling
    from dalembert.model.joints.screw import Screw
    from dalembert.model.joints.spherical import Spherical
    from dalembert.model.joints.universal import Universal
    from dalembert.model.one_sided.cable import Cable
    from dalembert.model.one_sided.limits import Limits
    from dalembert.model.one_sided.stop import Stop
    from dalembert.model.sensors.effort_sensor import EffortSensor
    from dalembert.model.sensors.force_sensor import ForceSensor
    from dalembert.model.sensors.imu import IMU
    from dalembert.model.sensors.joint_sensor import JointSensor
    from dalembert.model.sensors.pose_sensor import PoseSensor
    from dalembert.model.sensors.twist_sensor import TwistSensor
    from dalembert.model.shapes.mesh import Mesh
    from dalembert.model.shapes.solids import (
        Box,
        Capsule,
        Cone,
        Cylinder,
        Ellipsoid,
        Plane,
        Polyline,
        Sphere,
    )
    from dalembert.model.shapes.surfaces import ConvexHull, HeightField, SignedDistance
    from dalembert.plotting.animate import animate
    from dalembert.plotting.plot import plot
    from dalembert.robotics.tree import Tree
    from dalembert.simulation.assembly.assembly import assemble
    from dalembert.simulation.evaluation import Evaluation, evaluate
    from dalembert.simulation.prepare.actions import Engage, Release
    from dalembert.simulation.prepare.controllers import Controller
    from dalembert.simulation.prepare.events import Event
    from dalembert.simulation.queries import distance, ray_cast
    from dalembert.simulation.results.solution import Solution
    from dalembert.simulation.rundir.loading import load, load_solution
    from dalembert.simulation.rundir.resume import resume
    from dalembert.simulation.session.session import Session
    from dalembert.simulation.simulate import simulate
    from dalembert.viewer.live import view
    from dalembert.viewer.page import save_html
