"""Exudyn: chain or ring (the argument) of spatial bodies with ball joints, generalised-alpha.

The module without range checks, spectral radius 0.9, sparse factors that keep their pattern, one
Jacobian a step. Orientation by the form that is fastest and can be used: three angles for the
chain, whose rods never come to the angles' singular position, Euler parameters for the ring.
"""

from __future__ import annotations

import itertools
import sys
import warnings
from typing import Any

warnings.simplefilter("ignore")  # this release deprecates many setting names
sys.exudynFast = True  # type: ignore[attr-defined]

import chains as scene  # noqa: E402
import exudyn  # noqa: E402
import numpy as np  # noqa: E402
from exudyn import itemInterface as items  # noqa: E402, N813
from exudyn.utilities import RigidBodyInertia  # noqa: E402
from record import best_cpu, emit  # noqa: E402

STEPS = round(scene.CHECK / scene.STEP)
SAMPLE = 50  # steps between samples of the accuracy run
HALF = 0.5 * scene.LENGTH
ORIENTATION = {
    "chain": ("three angles", exudyn.NodeType.RotationRxyz),
    "ring": ("Euler parameters", exudyn.NodeType.RotationEulerParameters),
}


def prepared(kind: str, count: int) -> tuple[Any, list[int], Any]:
    """System, its bodies, and the container, which must outlive the system."""
    begin = scene.start(kind, count)
    container = exudyn.SystemContainer()
    system = container.AddSystem()
    ground = system.AddObject(items.ObjectGround())
    moments = np.diag([scene.ACROSS, scene.ACROSS, scene.ALONG])
    inertia = RigidBodyInertia(mass=scene.MASS, inertiaTensor=moments)
    bodies = []
    for i, tilt in enumerate(begin.tilts):
        c, s = np.cos(tilt), np.sin(tilt)
        bodies.append(
            system.CreateRigidBody(
                inertia=inertia,
                nodeType=ORIENTATION[kind][1],
                referencePosition=list(begin.centres[i]),
                referenceRotationMatrix=np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
                initialVelocity=list(begin.velocities[i]),
                initialAngularVelocity=list(begin.rates[i]),
                gravity=[0, 0, -scene.GRAVITY],
            )
        )

    def ball(*places: tuple[int, float]) -> None:
        markers = [
            system.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=[0, 0, z]))
            for body, z in places
        ]
        system.AddObject(items.SphericalJoint(markerNumbers=markers))

    ball((ground, 0.0), (bodies[0], HALF))
    for above, below in itertools.pairwise(bodies):
        ball((above, -HALF), (below, HALF))
    if begin.closed:
        ball((bodies[-1], -HALF), (bodies[0], HALF))
    system.Assemble()
    return system, bodies, container


def make_settings() -> Any:
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.numberOfSteps = STEPS
    settings.timeIntegration.endTime = scene.CHECK
    settings.timeIntegration.automaticStepSize = False
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.newton.modifiedNewtonJacUpdatePerStep = True
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = 1e9
    settings.linearSolverType = exudyn.LinearSolverType.EigenSparse
    settings.linearSolverSettings.reuseAnalyzedPattern = True
    return settings


def solve(system: Any) -> None:
    kind = exudyn.DynamicSolverType.GeneralizedAlpha
    if not system.SolveDynamic(make_settings(), solverType=kind, showHints=False):
        raise RuntimeError("did not reach the end")


def state(system: Any, bodies: list[int]) -> tuple[Any, Any, Any, Any]:
    """Centres, directions, velocities and rates of the rods."""
    kinds = exudyn.OutputVariableType

    def read(kind: Any) -> Any:
        return np.array([system.GetObjectOutputBody(body, kind, [0, 0, 0]) for body in bodies])

    up = read(kinds.RotationMatrix).reshape(-1, 3, 3)[:, :, 2]
    return read(kinds.Position), up, read(kinds.Velocity), read(kinds.AngularVelocity)


def measure(kind: str, count: int) -> None:
    system, bodies, _container = prepared(kind, count)
    samples: list[tuple[Any, Any, Any, Any]] = []

    def before_step(_system: Any, time: float) -> bool:
        if round(time / scene.STEP) % SAMPLE == 0:
            samples.append(state(system, bodies))
        return True

    system.SetPreStepUserFunction(before_step)
    solve(system)
    samples.append(state(system, bodies))
    energies = [scene.energy(*sample) for sample in samples]
    begin = scene.start(kind, count)
    up = (begin.corners[:-1] - begin.corners[1:]) / scene.LENGTH
    first = scene.energy(begin.centres, up, begin.velocities, begin.rates)

    fresh: list[tuple[Any, ...]] = []
    seconds = best_cpu(
        lambda: solve(fresh[-1][0]), reset=lambda: fresh.append(prepared(kind, count))
    )
    emit(
        engine="Exudyn",
        version=exudyn.GetVersionString(),
        variant=f"{ORIENTATION[kind][0]}, generalised-alpha",
        size=count,
        us_per_step=seconds / STEPS * 1e6,
        error=scene.error(kind, count, *samples[-1][:2]),
        worst_phi=max(scene.opening(kind, *sample[:2]) for sample in samples),
        energy=float(np.abs(np.array(energies) - first).max()) / scene.energy_scale(kind, count),
        note=f"{seconds / STEPS / count * 1e6:.3g} us per body and step; nothing recorded",
    )


for count in scene.SIZES:
    measure(sys.argv[1], count)
