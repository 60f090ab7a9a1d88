"""Siconos: a scene of contact by Moreau-Jean's steps, NSGS to 1e-4, as it is used, and to 1e-9.

siconos_contact.py DESCRIPTION REPEATS

Bodies and Bullet's collision detection of `siconos.mechanics`; only bodies without hinges. The half
space is a large box. Contacts and gaps are those of its interactions; the laws are not judged.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import siconos.kernel as kernel
import siconos.mechanics.collision as shapes
import siconos.numerics as numerics
from contact_judge import Judge, load, matrices, matrix, measure, quaternion
from record import emit
from siconos.mechanics.collision.bullet import SiconosBulletCollisionManager, SiconosBulletOptions

SETTINGS = {"NSGS 1e-4": (1e-4, 200), "NSGS 1e-9": (1e-9, 1000)}  # tolerance, sweeps
FLOOR, DEEP = 100.0, 1.0  # sizes of the box that is the half space  [m]
MARGIN = 0.02  # of Bullet, inside of shapes, relative
KINDS = ("box", "sphere", "cylinder", "plane")
FOREVER = 1e6  # [s]


def solid(shape: dict[str, Any]) -> Any:
    """A shape of Siconos; it and its contactor must be kept."""
    sizes = shape["sizes"]
    if shape["kind"] == "plane":
        return shapes.SiconosBox([FLOOR, FLOOR, DEEP])
    kind = getattr(shapes, "Siconos" + shape["kind"].capitalize())
    return kind(sizes if shape["kind"] == "box" else sizes[0], *sizes[1:][: len(sizes) == 2])


class World:
    """The scene with its simulation."""

    def __init__(self, scene: dict[str, Any], setting: str) -> None:
        self.scene, self.kept = scene, []
        self.system = kernel.NonSmoothDynamicalSystem(0.0, FOREVER)
        self.bodies = [self.add(body) for body in scene["bodies"]]
        options = SiconosBulletOptions()
        options.worldScale = 1.0
        options.contactBreakingThreshold = 0.04 * self.smallest()
        self.manager = SiconosBulletCollisionManager(options)
        for ground in scene["ground"]:
            self.ground(ground)
        law = kernel.NewtonImpactFrictionNSL(0.0, 0.0, scene["friction"], 3)
        self.manager.insertNonSmoothLaw(law, 0, 0)
        tolerance, sweeps = SETTINGS[setting]
        problem = kernel.FrictionContact(3, numerics.SICONOS_FRICTION_3D_NSGS)
        solver = problem.numericsSolverOptions()
        solver.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = sweeps
        solver.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
        problem.setMaxSize(60000)
        problem.setMStorageType(numerics.NM_SPARSE_BLOCK)
        problem.setNumericsVerboseMode(False)
        problem.setKeepLambdaAndYState(True)
        steps = kernel.TimeDiscretisation(0.0, scene["step"])
        self.simulation = kernel.TimeStepping(self.system, steps)
        self.simulation.insertInteractionManager(self.manager)
        self.simulation.insertIntegrator(kernel.MoreauJeanOSI(0.5))
        self.simulation.insertNonSmoothProblem(problem)
        self.kept += [law, problem, steps, options]

    def smallest(self) -> float:
        """Least size of a body's shape  [m]."""
        return min(min(s["sizes"]) for b in self.scene["bodies"] for s in b["shapes"])

    def contactors(self, given: list[dict[str, Any]], centre: np.ndarray) -> Any:
        """Shapes about the centre of mass."""
        found = shapes.SiconosContactorSet()
        for shape in given:
            place = np.array(shape["position"]) - centre
            if shape["kind"] == "plane":
                place = place - matrix(shape["quaternion"]) @ [0.0, 0.0, DEEP / 2]
            made = solid(shape)
            made.setInsideMargin(MARGIN * min(shape["sizes"], default=1.0))
            made.setOutsideMargin(0.0)
            found.append(shapes.SiconosContactor(made, [*place, *shape["quaternion"]]))
            self.kept.append(made)
        return found

    def add(self, given: dict[str, Any]) -> Any:
        """A free body; its axes are those of the body about the centre of mass."""
        R, centre = matrix(given["quaternion"]), np.array(given["center"])
        at = np.array(given["position"]) + R @ centre
        body = shapes.RigidBodyDS(
            [*at, *quaternion(R)], [0.0] * 6, given["mass"], np.array(given["inertia"])
        )
        body.setContactors(self.contactors(given["shapes"], centre))
        weight = given["mass"] * np.array(self.scene["gravity"])
        body.setFExtPtr(weight)
        self.kept.append(weight)
        self.system.insertDynamicalSystem(body)
        return body

    def ground(self, shape: dict[str, Any]) -> None:
        """What does not move."""
        held = self.contactors([shape], np.zeros(3))
        self.manager.insertStaticContactorSet(held, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
        self.kept.append(held)

    def advance(self, count: int) -> None:
        """So many steps."""
        for _ in range(count):
            self.simulation.computeOneStep()
            self.simulation.nextStep()

    def state(self) -> tuple[np.ndarray, ...]:
        """Centres, axes, velocities of the centres, angular velocities."""
        q = np.array([np.array(body.q()) for body in self.bodies])
        v = np.array([np.array(body.velocity()) for body in self.bodies])
        R = matrices(q[:, 3:])
        return q[:, :3], R, v[:, :3], np.einsum("bij,bj->bi", R, v[:, 3:])

    def gaps(self) -> list[float]:
        """Of all interactions."""
        topology = self.system.topology()
        return [float(one.y(0)[0]) for one in kernel.interactions(topology.indexSet(0))]


class Look:
    """One run that is looked at after every step."""

    def __init__(self, scene: dict[str, Any], setting: str) -> None:
        self.scene, self.setting = scene, setting
        self.run: World | None = None

    def step(self, judge: Judge, k: int) -> None:
        """Step k, and what the judge wants to know of it."""
        if self.run is None:
            self.run = World(self.scene, self.setting)
            judge.state(*self.run.state())
        self.run.advance(1)
        judge.state(*self.run.state())
        gaps = self.run.gaps()
        judge.count(len(gaps), min(gaps, default=0.0))


def main() -> None:
    scene, repeats = load(sys.argv[1]), int(sys.argv[2])
    kinds = {shape["kind"] for body in scene["bodies"] for shape in body["shapes"]}
    if kinds - set(KINDS) or any(body["hinge"] for body in scene["bodies"]):
        return  # other shapes, or hinges
    for setting in SETTINGS:

        def start(setting: str = setting) -> Any:
            return World(scene, setting).advance

        emit(**measure(scene, "Siconos", setting, repeats, start, Look(scene, setting).step))


main()
