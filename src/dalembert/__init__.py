"""Constrained mechanical systems without drift.

>>> import dalembert as dl

Every public name is loaded when it is first used: importing the package costs next to nothing and
compiles nothing.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

__version__ = "0.2.0"

_NAMES = {
    # describing
    "formulas.variables": "coordinates parameters reaction time",
    "formulas.functions": "where minimum maximum",
    "model.core.model": "Model",
    "model.core.smoothing": "smooth_contact",
    "model.contact.combine": "Combine",
    "model.basics.inertia": "Inertia",
    "model.one_sided.cable": "Cable",
    "model.one_sided.limits": "Limits",
    "model.contact.material": "Material",
    "model.basics.masses": "Particle PlanarBody SpatialBody",
    "model.one_sided.stop": "Stop",
    "model.basics.rotation": "Rotation",
    # shapes: what bodies look like
    "model.shapes.solids": "Box Capsule Cone Cylinder Ellipsoid Plane Polyline Sphere",
    "model.shapes.surfaces": "ConvexHull HeightField SignedDistance",
    "model.shapes.mesh": "Mesh",
    # joints
    "model.joints.compound": "Compound",
    "model.joints.constant_velocity": "ConstantVelocity",
    "model.joints.coupler": "Coupler",
    "model.joints.cylindrical": "Cylindrical",
    "model.joints.distance": "Distance",
    "model.joints.fixed": "Fixed",
    "model.joints.gear": "Gear",
    "model.joints.motion": "Motion",
    "model.joints.planar": "Planar",
    "model.joints.point_on_curve": "PointOnCurve",
    "model.joints.point_on_line": "PointOnLine",
    "model.joints.point_on_plane": "PointOnPlane",
    "model.joints.prismatic": "Prismatic",
    "model.joints.rack_pinion": "RackPinion",
    "model.joints.revolute": "Revolute",
    "model.joints.rolling": "Rolling",
    "model.joints.screw": "Screw",
    "model.joints.spherical": "Spherical",
    "model.joints.universal": "Universal",
    # forces
    "model.forces.actuator": "Actuator",
    "model.forces.brake": "Brake",
    "model.forces.bushing": "Bushing",
    "model.forces.compound_spring": "CompoundSpring",
    "model.forces.direct_drive": "DirectDrive",
    "model.forces.drag": "Drag",
    "model.forces.force": "Force",
    "model.forces.joint_friction": "JointFriction",
    "model.forces.motor": "Motor",
    "model.forces.position_servo": "PositionServo",
    "model.forces.potential": "Potential",
    "model.forces.soft_contact": "SoftContact",
    "model.forces.spring": "Spring",
    "model.forces.torque": "Torque",
    "model.forces.torsion_spring": "TorsionSpring",
    "model.forces.velocity_servo": "VelocityServo",
    "model.forces.table": "table",
    # sensors
    "model.sensors.effort_sensor": "EffortSensor",
    "model.sensors.force_sensor": "ForceSensor",
    "model.sensors.imu": "IMU",
    "model.sensors.joint_sensor": "JointSensor",
    "model.sensors.pose_sensor": "PoseSensor",
    "model.sensors.twist_sensor": "TwistSensor",
    # running
    "simulation.assembly.assembly": "assemble",
    "simulation.simulate": "simulate",
    "simulation.prepare.controllers": "Controller",
    "simulation.prepare.events": "Event",
    "simulation.prepare.actions": "Release Engage",
    "simulation.session.session": "Session",
    "simulation.results.solution": "Solution",
    "simulation.rundir.loading": "load load_solution",
    "importers.mjcf.load": "load_mjcf",
    "importers.urdf.load": "load_urdf",
    "importers.urdf.writing": "save_urdf",
    "importers.writing": "save_model",
    "simulation.rundir.resume": "resume",
    "batch.rollout": "rollout",
    "batch.result": "Rollout",
    "batch.worlds": "Worlds",
    "batch.feedback": "Feedback mlp",
    # derivatives of runs
    "gradients.of_runs": "sensitivity",
    "gradients.result": "Sensitivity",
    "gradients.objective": "objective Objective",
    "gradients.identify": "identify Identified",
    # inputs from outputs
    "inverse.servo": "servo",
    "inverse.result": "Servo",
    # for other programs
    "export.c_code": "export_c",
    "export.fmu": "export_fmu",
    # many runs
    "study.axes": "normal span uniform",
    "study.study": "Study",
    "study.sweep": "load_study resume_study sweep",
    # methods: how constraints are kept
    "enforcement.aghili": "Aghili",
    "enforcement.augmented_lagrangian": "AugmentedLagrangian",
    "enforcement.baumgarte": "Baumgarte",
    "enforcement.baumgarte_velocity": "BaumgarteVelocity",
    "enforcement.braun_goldfarb": "BraunGoldfarb",
    "enforcement.braun_goldfarb_per_stage": "BraunGoldfarbPerStage",
    "enforcement.braun_goldfarb_velocity": "BraunGoldfarbVelocity",
    "enforcement.contact_impulse": "ContactImpulse",
    "enforcement.compliant": "Compliant",
    "enforcement.index_two": "IndexTwo",
    "enforcement.lagrange_multipliers": "LagrangeMultipliers",
    "enforcement.partitioning": "Partitioning",
    "enforcement.penalty": "Penalty",
    "enforcement.post_stabilisation": "PostStabilisation",
    "enforcement.projection": "Projection",
    "enforcement.rattle": "Rattle",
    "enforcement.schur_complement": "SchurComplement",
    "enforcement.udwadia_kalaba": "UdwadiaKalaba",
    "enforcement.velocity_splitting": "VelocitySplitting",
    # contact problems: solvers, shapes of friction
    "contact.solvers.table": "ADMM AutomaticContact ConvexContact GaussSeidel "
    "Lemke InteriorPoint NewtonContact ProjectedGaussSeidel",
    "contact.solvers.comparison.friction": "BoxFriction Pyramid",
    "contact.given.problem": "ContactProblem solve_contact",
    "analysis.contact_solvers": "compare_contact_solvers",
    # integrators: how time advances
    "integration.backward": "BDF",
    "integration.dormand_prince": "DormandPrince",
    "integration.explicit_euler": "ExplicitEuler",
    "integration.collocation": "Gauss RadauIIA",
    "integration.generalized_alpha": "GeneralizedAlpha",
    "integration.implicit_midpoint": "ImplicitMidpoint",
    "integration.rk4": "RK4",
    "integration.semi_implicit_euler": "SemiImplicitEuler",
    # the constraint step for one's own integrator
    "enforcement.on_arrays": "compliant_velocity constraint_forces "
    "project_position project_velocity",
    # reading results
    "simulation.evaluation": "Evaluation evaluate",
    "analysis.compare": "compare",
    "analysis.convergence": "observed_order",
    "analysis.equilibrium.equilibrium": "Equilibrium equilibria equilibrium",
    "analysis.equilibrium.steady": "SteadyMotion steady_motion",
    "analysis.equilibrium.contacts": "ContactEquilibrium contact_equilibrium",
    "analysis.equilibrium.self_stress": "SelfStress self_stress",
    "analysis.kinematics.kinematics": "Kinematics kinematics",
    "analysis.kinematics.branches": "assemblies",
    "analysis.sizing.sizing": "Sizing sizing",
    "analysis.sizing.rainflow": "rainflow",
    "analysis.doctor.doctor": "Doctor doctor",
    "analysis.linear.critical": "Critical critical_value",
    "analysis.linear.locus": "Locus campbell root_locus",
    "analysis.linear.linearize": "linearize",
    "analysis.linear.linearization": "Linearization",
    "analysis.linear.modes": "Mode",
    "analysis.work_precision": "work_precision",
    "plotting.plot": "plot",
    "plotting.animate": "animate",
    "viewer.page": "save_html",
    "viewer.embedded": "LivePage live",
    "viewer.lesson": "lesson",
    "viewer.live": "view",
    # what is near
    "simulation.queries": "distance ray_cast",
    # joint coordinates
    "robotics.tree": "Tree",
}
"""Public names by the modules that hold them; `__init__.pyi` says the same to type checkers."""

_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names.split()}

_SUBMODULES = ("catalog", "errors", "rl")

__all__ = ["__version__", *_SUBMODULES, *sorted(_MODULE_OF)]


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        found = getattr(importlib.import_module(f"dalembert.{_MODULE_OF[name]}"), name)
    elif name in _SUBMODULES:
        found = importlib.import_module(f"dalembert.{name}")
    else:
        raise _unknown(name)
    globals()[name] = found  # the next use does not come here
    return found


def _unknown(name: str) -> AttributeError:
    """The error of a name that the package does not have, with the nearest one."""
    import difflib

    from dalembert import errors

    near = {known.lower(): known for known in __all__}
    near |= {e.lower(): f"errors.{e}" for e in vars(errors) if e.endswith(("Error", "Warning"))}
    close = difflib.get_close_matches(name.lower(), near, n=1, cutoff=0.7)
    hint = f"; did you mean {near[close[0]]!r}?" if close and name[:1] != "_" else ""
    return AttributeError(
        f"module 'dalembert' has no attribute {name!r}{hint}", name=name, obj=sys.modules[__name__]
    )


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
