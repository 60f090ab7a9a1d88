"""Exudyn: N four-bar linkages of planar bodies and planar hinges, generalised-alpha, index 3.

The module without range checks, spectral radius 0.9 (with 1 it does not pass the singular
position), sparse factors that keep their pattern from ten loops on, dense ones below. Two settings:
Newton's method as the release comes, and the fastest that was found with the same accuracy: one
Jacobian a step, and a tolerance that leaves the loops closed to 2e-12.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

warnings.simplefilter("ignore")  # this release deprecates many setting names
sys.exudynFast = True  # type: ignore[attr-defined]

import exudyn  # noqa: E402
import linkage as scene  # noqa: E402
import numpy as np  # noqa: E402
from exudyn import itemInterface as items  # noqa: E402, N813
from record import best_cpu, emit  # noqa: E402

SAMPLE = 10  # steps between samples of the accuracy run
SPARSE_FROM = 10  # loops
SETTINGS = ("as it comes", "fastest")
DOWN = [0, -scene.GRAVITY, 0]


def build(system: Any, loops: int) -> None:
    ground = system.AddObject(items.ObjectGround())
    bodies = []
    for centre, angle, velocity, rate in zip(*scene.start(loops), strict=True):
        node = system.AddNode(
            items.NodeRigidBody2D(
                referenceCoordinates=[*centre, angle], initialVelocities=[*velocity, rate]
            )
        )
        body = system.AddObject(
            items.RigidBody2D(physicsMass=1, physicsInertia=scene.MOMENT, nodeNumber=node)
        )
        weight = system.AddMarker(items.MarkerBodyMass(bodyNumber=body))
        system.AddLoad(items.LoadMassProportional(markerNumber=weight, loadVector=DOWN))
        bodies.append(body)

    def hinge(*places: tuple[int, float]) -> None:
        markers = [
            system.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0, 0]))
            for body, x in places
        ]
        system.AddObject(items.RevoluteJoint2D(markerNumbers=markers))

    for i in range(loops + 1):
        hinge((ground, float(i)), (bodies[2 * i], -0.5))
        if i < loops:
            hinge((bodies[2 * i], 0.5), (bodies[2 * i + 1], -0.5))
            hinge((bodies[2 * i + 1], 0.5), (bodies[2 * i + 2], 0.5))


def settings_of(loops: int, setting: str) -> Any:
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.numberOfSteps = scene.STEPS
    settings.timeIntegration.endTime = scene.UNTIL
    settings.timeIntegration.automaticStepSize = False
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = 1e9
    kinds = exudyn.LinearSolverType
    settings.linearSolverType = kinds.EigenSparse if loops >= SPARSE_FROM else kinds.EigenDense
    settings.linearSolverSettings.reuseAnalyzedPattern = True
    if setting == "fastest":
        settings.timeIntegration.newton.modifiedNewtonJacUpdatePerStep = True
        settings.timeIntegration.newton.relativeTolerance = 1e-5  # errors stay those of the step
        settings.timeIntegration.newton.absoluteTolerance = 1e-7
    return settings


def prepared(loops: int) -> tuple[Any, Any]:
    """System, and the container, which must outlive it."""
    container = exudyn.SystemContainer()
    system = container.AddSystem()
    build(system, loops)
    system.Assemble()
    return system, container


def solve(system: Any, settings: Any) -> None:
    kind = exudyn.DynamicSolverType.GeneralizedAlpha
    if not system.SolveDynamic(settings, solverType=kind, showHints=False):
        raise RuntimeError("did not reach the end")


def sampled(loops: int, settings: Any) -> list[np.ndarray]:
    """Centres, angles, velocities, rates at every SAMPLE-th step and at the end."""
    system, _container = prepared(loops)
    centres, angles, _, _ = scene.start(loops)
    reference = np.concatenate([centres, angles[:, None]], axis=1)
    samples: list[tuple[np.ndarray, ...]] = []

    def take() -> None:
        q = system.systemData.GetODE2Coordinates().reshape(-1, 3) + reference
        v = system.systemData.GetODE2Coordinates_t().reshape(-1, 3)
        samples.append((q[:, :2], q[:, 2], v[:, :2], v[:, 2]))

    def before_step(_system: Any, time: float) -> bool:
        if round(time / scene.STEP) % SAMPLE == 0:
            take()
        return True

    system.SetPreStepUserFunction(before_step)
    solve(system, settings)
    take()
    return [np.array(series) for series in zip(*samples, strict=True)]


def measure(loops: int, setting: str) -> None:
    settings = settings_of(loops, setting)
    found = scene.measures(loops, *sampled(loops, settings))
    fresh: list[tuple[Any, Any]] = []
    seconds = best_cpu(
        lambda: solve(fresh[-1][0], settings), reset=lambda: fresh.append(prepared(loops))
    )
    emit(
        engine="Exudyn",
        version=exudyn.GetVersionString(),
        variant=f"planar bodies and hinges, {setting}, generalised-alpha",
        size=loops,
        us_per_step=seconds / scene.STEPS * 1e6,
        **found,
        note="nothing recorded",
    )


for loops in scene.SIZES:
    for setting in SETTINGS:
        measure(loops, setting)
