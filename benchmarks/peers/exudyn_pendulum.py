"""Exudyn: the pendulum as a one-hinge kinematic tree with RK44, and in Cartesian coordinates.

The hinge is the favourable form for the peer (minimal coordinate). The Cartesian form with a
distance constraint and generalised-alpha shows what keeping the constraint costs there.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

warnings.simplefilter("ignore")  # this release deprecates many setting names

import exudyn  # noqa: E402
import numpy as np  # noqa: E402
from exudyn import itemInterface as items  # noqa: E402, N813
from record import GRAVITY, PENDULUM_AT_10, STEP, STEPS, best_cpu, emit  # noqa: E402

VERSION = exudyn.GetVersionString()


def hinge(system: Any) -> None:
    node = system.AddNode(
        items.NodeGenericODE2(
            referenceCoordinates=[0.0],
            initialCoordinates=[0.0],
            initialCoordinates_t=[0.0],
            numberOfODE2Coordinates=1,
        )
    )
    rotations, offsets = exudyn.Matrix3DList(), exudyn.Vector3DList()
    inertias, centres = exudyn.Matrix3DList(), exudyn.Vector3DList()
    rotations.Append(np.eye(3))
    offsets.Append(np.zeros(3))
    inertias.Append(np.eye(3) * 1e-12)
    centres.Append(np.array([1.0, 0.0, 0.0]))
    system.AddObject(
        items.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[exudyn.JointType.RevoluteY],
            linkParents=[-1],
            jointTransformations=rotations,
            jointOffsets=offsets,
            linkInertiasCOM=inertias,
            linkCOMs=centres,
            linkMasses=[1.0],
            gravity=[0, 0, -GRAVITY],
        )
    )


def cartesian(system: Any) -> None:
    ground = system.AddNode(items.NodePointGround())
    node = system.AddNode(items.NodePoint2D(referenceCoordinates=[1, 0]))
    system.AddObject(items.MassPoint2D(physicsMass=1, nodeNumber=node))
    origin = system.AddMarker(items.MarkerNodePosition(nodeNumber=ground))
    bob = system.AddMarker(items.MarkerNodePosition(nodeNumber=node))
    system.AddObject(items.DistanceConstraint(markerNumbers=[origin, bob], distance=1))
    system.AddLoad(items.Force(markerNumber=bob, loadVector=[0, -GRAVITY, 0]))


def prepared(build: Callable[[Any], None], steps: int) -> tuple[Any, Any, Any]:
    """System, settings, and the container, which must outlive the system."""
    container = exudyn.SystemContainer()
    system = container.AddSystem()
    build(system)
    system.Assemble()
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = steps * STEP
    settings.timeIntegration.automaticStepSize = False
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = 1e9
    settings.linearSolverType = exudyn.LinearSolverType.EXUdense
    return system, settings, container


def measure(
    variant: str,
    build: Callable[[Any], None],
    solver: Any,
    place: Callable[[Any], tuple[float, float]],
    note: str,
) -> None:
    todo: list[tuple[Any, Any, Any]] = []

    def solve() -> None:
        system, settings, _ = todo[-1]
        system.SolveDynamic(settings, solverType=solver, showHints=False)

    todo.append(prepared(build, round(10.0 / STEP)))
    solve()
    position = place(todo[-1][0].systemData.GetODE2Coordinates())
    seconds = best_cpu(solve, reset=lambda: todo.append(prepared(build, STEPS)))
    emit(
        engine="Exudyn",
        version=VERSION,
        variant=variant,
        us_per_step=seconds / STEPS * 1e6,
        error=math.dist(position, PENDULUM_AT_10),
        worst_phi=0.0 if build is hinge else abs(math.hypot(*position) - 1.0),
        note=note,
    )


def main() -> None:
    kinds = exudyn.DynamicSolverType
    measure(
        "hinge (tree), RK44",
        hinge,
        kinds.RK44,
        lambda q: (math.cos(q[0]), -math.sin(q[0])),
        "minimal coordinate; nothing recorded",
    )
    measure(
        "x, y and distance, generalised-alpha",
        cartesian,
        kinds.GeneralizedAlpha,
        lambda q: (1.0 + q[0], q[1]),
        "length error at t = 10 s; nothing recorded",
    )


main()
