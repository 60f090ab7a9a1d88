"""Runs that cannot begin or cannot go on: a named error, its place, and everything computed so far.

Each kind of bad input gets its named error (or, for redundant rows, works), and nothing already
computed is lost. Bad descriptions and files in all their variants are in `test_bad_models`,
`test_bad_files` and `test_cli_bad_input`.
"""

import subprocess
import sys

import numpy as np
import pytest

import dalembert as dl
from dalembert import errors
from dalembert.simulation.run.run import Run
from dalembert.simulation.status import Status

NAN, INF = float("nan"), float("inf")
x, y, z = dl.coordinates("x y z")
CIRCLE = x**2 + y**2 - 1
LANDING = 0.714355529292960 / 400  # a step that ends in the singular position of the four-bars


def pendulum(**options):
    return dl.catalog.load("pendulum", **options)


def particle(**options):
    given = {
        "kinetic": (x.dot**2 + y.dot**2) / 2,
        "potential": 9.81 * y,
        "coordinates": [x, y],
        "initial": {x: 1.0},
    }
    return dl.Model.from_lagrangian(**(given | options))


def run(model=None, until=1.0, **options):
    return dl.simulate(model or pendulum(), until, **({"step": 1e-3} | options))


def misspelt(folder):
    path = folder / "model.yaml"
    path.write_text("version: 1\ncoordinates: [x]\nkinetik: x.dot**2/2\n")
    return dl.load(path)


# -- runs that cannot begin -----------------------------------------------------------------------

REFUSED = {
    # what is done (given a folder); the error; words of its message
    "NaN in the initial position": (
        lambda _: run(initial={"x": NAN}),
        errors.OptionError,
        "'x' is nan",
    ),
    "NaN in the initial velocity": (
        lambda _: run(initial={x.dot: NAN}),
        errors.OptionError,
        "'x.dot' is nan",
    ),
    "NaN in initial arrays": (
        lambda _: run(initial=([1.0, NAN], [0.0, 0.0])),
        errors.OptionError,
        r"q0\[1\] \(y\) is nan",
    ),
    "infinite initial position": (
        lambda _: run(initial={"y": -INF}),
        errors.OptionError,
        "'y' is -inf",
    ),
    "NaN parameter": (lambda _: run(parameters={"m": NAN}), errors.ModelError, "'m' is nan"),
    "zero mass": (
        lambda _: run(parameters={"m": 0.0}),
        errors.MassMatrixError,
        "with m = 0 the kinetic energy of coordinate 'x' is not positive",
    ),
    "negative mass": (
        lambda _: run(parameters={"m": -1.0}),
        errors.MassMatrixError,
        "with m = -1 the kinetic energy of coordinate 'x' is not positive",
    ),
    "coordinate without mass": (
        lambda _: run(particle(kinetic=x.dot**2 / 2)),
        errors.ModelError,
        "coordinate 'y': carries no mass",
    ),
    "singular mass matrix": (
        lambda _: run(particle(kinetic=(x.dot + y.dot) ** 2 / 2)),
        errors.MassMatrixError,
        "coordinate 'y' has no inertia",
    ),
    "mass matrix singular at the start only": (
        lambda _: run(particle(kinetic=(x**2 * x.dot**2 + y.dot**2) / 2, initial={y.dot: 1.0})),
        errors.MassMatrixError,
        "coordinate 'x'",
    ),
    "contradictory positions": (
        lambda _: run(particle(constraints={"left": x - 1, "right": x - 2}, initial={x: 1.5})),
        errors.ProjectionError,
        "'left'.*'right'.*contradict",
    ),
    "contradictory velocities": (
        lambda _: run(
            particle(
                constraints={"slow": x - np.sin(dl.time), "fast": x - 2 * np.sin(dl.time)},
                initial={x: 0.0},
            )
        ),
        errors.ProjectionError,
        "'fast' is off by -2.*contradict",
    ),
    "contradictory accelerations": (
        lambda _: run(
            particle(
                constraints={"slow": x - dl.time**2, "fast": x - 2 * dl.time**2}, initial={x: 0.0}
            )
        ),
        errors.InconsistentError,
        "'slow', 'fast'",
    ),
    "dependent rows for the Schur complement": (
        lambda _: run(
            particle(constraints={"one": CIRCLE, "two": 2 * CIRCLE}), method=dl.SchurComplement()
        ),
        errors.RedundancyError,
        r"SchurComplement.*\(one, two\)",
    ),
    "dependent rows for the saddle-point form": (
        lambda _: run(
            particle(constraints={"one": CIRCLE, "two": CIRCLE}), method=dl.LagrangeMultipliers()
        ),
        errors.RedundancyError,
        "LagrangeMultipliers",
    ),
    "unreachable assembly": (
        lambda _: run(particle(constraints={"bar": CIRCLE, "wall": x - 3})),
        errors.ProjectionError,
        "'wall' .off by -2",
    ),
    "constraint without solution": (
        lambda _: run(particle(constraints={"bar": x**2 + y**2 + 1})),
        errors.ProjectionError,
        "'bar'",
    ),
    "start where the row vanishes": (
        lambda _: run(initial={"x": 0.0, "y": 0.0}),
        errors.ProjectionError,
        "'bar'",
    ),
    "start beyond the limit": (
        lambda _: run(initial={"x": 3.0}),
        errors.ProjectionError,
        "'x' would have to move by 2 .* initial_limit",
    ),
    "limit below zero": (
        lambda _: run(initial_limit=-1.0),
        errors.OptionError,
        "initial_limit",
    ),
    "limit NaN": (
        lambda _: run(initial={"x": 1.05}, initial_limit=NAN),
        errors.OptionError,
        "initial_limit",
    ),
    "unknown coordinate": (
        lambda _: run(initial={"xx": 1.0}),
        errors.ModelError,
        "no coordinate 'xx'. Did you mean 'x'",
    ),
    "coordinate of another model": (
        lambda _: run(initial={z: 1.0}),
        errors.ModelError,
        "no coordinate 'z'. Its coordinates are x, y",
    ),
    "unknown velocity": (
        lambda _: run(initial={"z.dot": 1.0}),
        errors.ModelError,
        "no coordinate 'z'",
    ),
    "key that is no name": (lambda _: run(initial={3: 1.0}), errors.OptionError, "the key 3"),
    "initial text": (lambda _: run(initial={"x": "one"}), errors.OptionError, "'x' is 'one'"),
    "positions of wrong shape": (
        lambda _: run(initial=([1.0, 0.0, 0.0], [0.0, 0.0])),
        errors.OptionError,
        r"q0 has shape \(3,\), expected \(2,\)",
    ),
    "velocities of wrong shape": (
        lambda _: run(initial=([1.0, 0.0], [0.0])),
        errors.OptionError,
        r"v0 has shape \(1,\)",
    ),
    "three arrays": (
        lambda _: run(initial=([1.0, 0.0], [0.0, 0.0], [0.0, 0.0])),
        errors.OptionError,
        r"a pair of arrays \(q0, v0\)",
    ),
    "unknown parameter": (lambda _: run(parameters={"mm": 1.0}), errors.ModelError, "'mm'"),
    "step zero": (lambda _: run(step=0.0), errors.OptionError, "step is 0.0"),
    "step negative": (lambda _: run(step=-1e-3), errors.OptionError, "step is -0.001"),
    "step NaN": (lambda _: run(step=NAN), errors.OptionError, "step is nan"),
    "step infinite": (lambda _: run(step=INF), errors.OptionError, "step is inf"),
    "step as text": (lambda _: run(step="1e-3"), errors.OptionError, "step is '1e-3'"),
    "step longer than the run": (
        lambda _: run(step=2.0),
        errors.OptionError,
        "longer than the whole run",
    ),
    "step tiny": (lambda _: run(step=1e-20), errors.OptionError, "too small"),
    "no step": (
        lambda _: run(step=None, integrator=dl.RK4()),
        errors.OptionError,
        "RK4 needs a fixed step",
    ),
    "step for error control": (
        lambda _: run(integrator=dl.DormandPrince()),
        errors.OptionError,
        "DormandPrince chooses its own step",
    ),
    "end before the start": (lambda _: run(until=-1.0), errors.OptionError, "not after start"),
    "end NaN": (lambda _: run(until=NAN), errors.OptionError, "until is nan"),
    "two discretisations": (
        lambda _: run(method=dl.Rattle(), integrator=dl.RK4()),
        errors.OptionError,
        "Rattle.*RK4",
    ),
    "position method on a velocity constraint": (
        lambda _: run(dl.catalog.load("skate-particle"), method=dl.Partitioning()),
        errors.OptionError,
        "Partitioning.*'skate' is a velocity constraint",
    ),
    "rate correction without a place": (
        lambda _: run(method=dl.BraunGoldfarb(), integrator=dl.GeneralizedAlpha()),
        errors.OptionError,
        "BraunGoldfarb",
    ),
    "impulses under error control": (
        lambda _: run(step=None, method=dl.VelocitySplitting(), integrator=dl.DormandPrince()),
        errors.OptionError,
        "VelocitySplitting",
    ),
    "mass matrix that RATTLE cannot take": (
        lambda _: run(dl.catalog.load("slider-crank"), method=dl.Rattle()),
        errors.OptionError,
        "Rattle: the mass matrix depends",
    ),
    "gains beyond stability": (
        lambda _: run(method=dl.Baumgarte(1e4, 1e4)),
        errors.OptionError,
        "Baumgarte",
    ),
    "method as text": (lambda _: run(method="rattle"), errors.OptionError, "'rattle' is not a me"),
    "method as a class": (lambda _: run(method=dl.Rattle), errors.OptionError, "is not a method"),
    "integrator as text": (lambda _: run(integrator="rk4"), errors.OptionError, "an integrator"),
    "times beyond the end": (lambda _: run(times=[2.0]), errors.OptionError, "outside the run"),
    "times in disorder": (lambda _: run(times=[0.5, 0.2]), errors.OptionError, "increase"),
    "times as text": (lambda _: run(times=["soon"]), errors.OptionError, "times"),
    "times of wrong shape": (lambda _: run(times=[[0.1, 0.2]]), errors.OptionError, "times"),
    "every of nothing": (lambda _: run(every=0), errors.OptionError, "every is 0"),
    "event of another model": (
        lambda _: run(events=[dl.Event(z)]),
        errors.OptionError,
        "z is not a coordinate",
    ),
    "event as text": (lambda _: run(events=["x"]), errors.OptionError, "Event"),
    "model by its name": (
        lambda _: dl.simulate("pendulum", 1.0),
        (errors.OptionError, errors.ModelError),
        "pendulum",
    ),
    "unwritable output": (
        lambda folder: run(until=0.01).save(folder / "no" / "such" / "run.npz"),
        errors.FileError,
        "cannot write",
    ),
    "folder as output": (
        lambda folder: run(until=0.01).save(folder),
        errors.FileError,
        "cannot write",
    ),
    "misspelt key in YAML": (
        misspelt,
        errors.ImportFileError,
        r"model.yaml.*3.*'kinetik' is unknown; did you mean 'kinetic'",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_cannot_begin(case, tmp_path):
    act, error, words = REFUSED[case]
    with pytest.raises(error, match=words) as caught:
        act(tmp_path)
    message = str(caught.value)
    assert message.rstrip().endswith((".", "?", ")")), "a sentence"
    assert len(message) < 600


def test_a_solution_that_could_not_be_written_is_still_there(tmp_path):
    solution = run(until=0.1)
    with pytest.raises(errors.FileError):
        solution.save(tmp_path / "no" / "run.npz")
    assert dl.load_solution(solution.save(tmp_path / "run.npz")).t[-1] == 0.1


# -- redundant rows work --------------------------------------------------------------------------

REDUNDANT = [
    dl.Projection(),
    dl.Projection(norm="euclidean"),
    dl.BraunGoldfarb(),
    dl.UdwadiaKalaba(),
    dl.Baumgarte(),
    dl.BaumgarteVelocity(),
    dl.Partitioning(),
    dl.AugmentedLagrangian(),
    dl.Rattle(),
    dl.VelocitySplitting(),
]


@pytest.mark.parametrize("method", REDUNDANT, ids=repr)
@pytest.mark.parametrize("factor", [1.0, 2.0, -1e3])
def test_redundant_rows_work(method, factor):
    once = run(particle(constraints={"bar": CIRCLE}), method=method)
    model = particle(constraints={"bar": CIRCLE, "again": factor * CIRCLE})
    twice = run(model, method=method)
    assert twice.status is Status.OK
    # Rounding, carried on for 1000 steps. The matrix of the augmented Lagrangian grows with the
    # square of the row, 1e7 * 1e6: there its own error, h^2, is what may change.
    squared = isinstance(method, dl.AugmentedLagrangian) and abs(factor) > 100
    allowed = 1e-3**2 if squared else 1000 * 1e-14
    assert np.abs(twice.q - once.q).max() <= allowed
    assert not twice.statistics["unique_multipliers"]
    # the force of the two rows together is unique
    force = twice.lam @ [1.0, factor]
    scale = np.abs(once.lam).max()
    assert np.abs(force[1:] - once.lam[1:, 0]).max() <= 100 * allowed * scale


# -- runs that cannot go on -----------------------------------------------------------------------

GROWING = dl.Model.from_lagrangian(
    name="growing",
    kinetic=x.dot**2 / 2,
    forces={x: x.dot**3},
    coordinates=[x],
    initial={x.dot: 2.0},
)  # x'^-2 = 1/4 - 2 t: infinite at t = 1/8
SHRINKING = particle(
    name="shrinking",
    constraints={"bar": x**2 + y**2 - (1 - dl.time)},
    initial={x: 1.0, x.dot: -0.5},
)  # no length is left at t = 1
THINNING = particle(
    name="thinning",
    kinetic=(x.dot**2 + (1 - x) * y.dot**2) / 2,
    potential=0,
    initial={x.dot: 2.0},
)  # no mass is left at x = 1, t = 1/2
OPPOSED = particle(
    name="opposed",
    constraints={"slow": x - dl.time**3, "fast": x - 2 * dl.time**3},
    initial={x: 0.0},
)  # agree at the start up to accelerations

STOPPED = {
    # model, options; error, status, the element named, latest moment
    "explicit springs too stiff": (
        pendulum(),
        {"until": 10.0, "step": 1e-2, "method": dl.Penalty(1e6, 0.0)},
        (errors.NonFiniteError, Status.NON_FINITE, "x", 10.0),
    ),
    "springs too stiff, angles lost": (
        dl.catalog.load("slider-crank"),
        {"until": 10.0, "step": 1e-2, "method": dl.Penalty(1e6, 0.0)},
        (errors.NonFiniteError, Status.NON_FINITE, "", 10.0),
    ),
    "drift through singular positions": (
        dl.catalog.load("four-bars"),
        {"until": 10.0, "method": dl.UdwadiaKalaba()},
        (errors.NonFiniteError, Status.NON_FINITE, "x", 10.0),
    ),
    "velocity overflows": (
        GROWING,
        {},
        (errors.NonFiniteError, Status.NON_FINITE, "x", 0.13),
    ),
    "velocity overflows under error control": (
        GROWING,
        {"step": None},
        (errors.StepSizeError, Status.STEP_TOO_SMALL, None, 0.1250001),
    ),
    "force undefined": (
        particle(potential=-np.sqrt(1.5 - x), initial={x: 1.0, x.dot: 2.0}),
        {"until": 3.0},
        (errors.NonFiniteError, Status.NON_FINITE, "x", 1.0),
    ),
    "constraint without solution later": (
        SHRINKING,
        {"until": 2.0},
        (errors.StepSizeError, Status.NO_CONVERGENCE, "bar", 1.001),
    ),
    "contradiction later": (
        OPPOSED,
        {},
        (errors.SimulationError, None, "slow", 0.1),
    ),
    "mass vanishes": (
        THINNING,
        {},
        (errors.MassMatrixError, Status.NOT_POSITIVE_DEFINITE, "y", 0.502),
    ),
    "mass vanishes, constrained": (
        particle(
            kinetic=(x.dot**2 + (1 - x) * y.dot**2) / 2,
            constraints={"guide": y - 0.1 * x},
            potential=0,
            initial={x.dot: 2.0},
        ),
        {},
        (errors.MassMatrixError, Status.NOT_POSITIVE_DEFINITE, "y", 0.51),
    ),
    "rows become dependent, Schur complement": (
        dl.catalog.load("four-bars"),
        {"until": 5.0, "step": LANDING, "method": dl.SchurComplement()},
        (errors.RedundancyError, Status.RANK_DEFICIENT, "c", 0.7144),
    ),
    "rows become dependent, saddle-point form": (
        dl.catalog.load("four-bars"),
        {"until": 5.0, "step": LANDING, "method": dl.LagrangeMultipliers()},
        (errors.RedundancyError, Status.RANK_DEFICIENT, "c", 0.7144),
    ),
    "partition lost": (
        dl.catalog.load("four-bars"),
        {"until": 5.0, "step": LANDING, "method": dl.Partitioning()},
        (errors.StepSizeError, Status.NO_CONVERGENCE, "c", 0.7144),
    ),
    "step far too long": (
        pendulum(),
        {"until": 100.0, "step": 50.0},
        (errors.StepSizeError, Status.NO_CONVERGENCE, "bar", 50.0),
    ),
}


@pytest.mark.parametrize("case", STOPPED)
def test_cannot_go_on(case):
    model, options, (error, status, element, latest) = STOPPED[case]
    with pytest.raises(error) as caught:
        run(model, **options)
    solution, message = caught.value.solution, str(caught.value)
    assert status is None or solution.status is status
    assert solution.status.failed
    assert message == solution.message
    # where: the moment, and the user's own name of a coordinate, velocity or row
    assert f"t = {solution.t[-1]:.10g} s" in message
    if element is not None:
        names = [*solution.coordinate_names, *solution.row_names]
        named = [n for n in names if n.startswith(element) and f"'{n}" in message]
        assert named, message
    # what to do
    assert message.count(". ") >= 1
    # everything computed: all steps, all of them numbers
    assert solution.t[-1] <= latest
    assert len(solution.t) == solution.statistics["steps"] + 1
    for block in (solution.t, solution.q, solution.v, solution.phi, solution.phi_dot):
        assert np.all(np.isfinite(block))


@pytest.mark.parametrize("case", STOPPED)
def test_returned_instead(case, tmp_path):
    """`on_failure="return"` gives the same solution, which can be read, told and kept."""
    model, options, _ = STOPPED[case]
    with pytest.raises(errors.SimulationError) as caught:
        run(model, **options)
    returned = run(model, on_failure="return", **options)
    raised = caught.value.solution
    for name in ("t", "q", "v", "lam"):
        np.testing.assert_array_equal(getattr(returned, name), getattr(raised, name))
    assert returned.status is raised.status
    assert returned.message in " ".join(returned.summary().split())
    kept = dl.load_solution(returned.save(tmp_path / "run.npz"))
    assert kept.status is returned.status
    np.testing.assert_array_equal(kept.q, returned.q)


@pytest.mark.parametrize("options", [{"every": 7}, {"times": np.linspace(0.0, 1.0, 21)}])
def test_sparse_samples_end_with_the_last_good_state(options):
    """Samples asked for are all there; without `times` the last state is one more."""
    with pytest.raises(errors.NonFiniteError) as caught:
        run(GROWING, **options)
    solution = caught.value.solution
    assert solution.t[0] == 0.0
    if "every" in options:
        assert np.allclose(np.diff(solution.t[:-1]), 7e-3)
        assert 0.12 < solution.t[-1] < 0.13
    else:
        np.testing.assert_allclose(solution.t, [0.0, 0.05, 0.1])


# -- Ctrl-C ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{"step": 1e-3, "every": 1}, {"step": None}, {"step": 1e-3, "times": [0.01, 0.02, 5.0]}],
    ids=["fixed step", "error control", "times"],
)
def test_interrupt_keeps_what_was_computed(options, monkeypatch):
    """The third look around from compiled code is answered by Ctrl-C."""
    chunk, calls = Run.chunk, []

    def interrupted(self, steps):
        calls.append(steps)
        if len(calls) > 3:  # the first call only compiles
            raise KeyboardInterrupt
        return chunk(self, min(steps, 50))

    whole = run(until=10.0, **options)
    monkeypatch.setattr(Run, "chunk", interrupted)
    with pytest.raises(KeyboardInterrupt) as caught:
        run(until=10.0, **options)
    solution = caught.value.solution
    assert solution.status is Status.INTERRUPTED
    assert not solution.status.failed
    assert "interrupted" in solution.message
    count = len(solution.t)
    assert 0 < solution.statistics["steps"] < whole.statistics["steps"]
    if "every" in options:
        assert count == solution.statistics["steps"] + 1 == 101
    np.testing.assert_array_equal(solution.t, whole.t[:count])
    np.testing.assert_array_equal(solution.q, whole.q[:count])
    assert solution.worst["phi"] <= 1e-14


SIGNALLED = """
import os, signal, threading
import dalembert as dl

# A shell that starts this in the background has it ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
model = dl.catalog.load("pendulum")
dl.simulate(model, until=1.0, step=1e-3)  # compiled
# Late enough to find the run under way on a loaded machine too.
threading.Timer(5.0, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    dl.simulate(model, until=1e9, step=1e-3, progress=False)
except KeyboardInterrupt as problem:
    solution = problem.solution
assert solution.status is type(solution.status).INTERRUPTED
assert 0 < solution.t[-1] < 1e9
assert solution.statistics["steps"] == round(solution.t[-1] / 1e-3)
assert solution.q.shape == (len(solution.t), 2)
print(solution.message)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_a_signal_in_the_middle_of_a_run(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", SIGNALLED],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "interrupted by the user" in done.stdout


@pytest.mark.parametrize("step", [0.05, 0.01])
def test_a_stiff_spring_sends_an_arm_off(step):
    """In joint coordinates that was a mass matrix that is not positive definite."""
    model = dl.Model("stiff")
    rod = dl.Inertia.rod(1.0, 1.0)
    arm, fore = model.add_body("arm", rod), model.add_body("fore", rod)
    model.add_joint(dl.Revolute(model.world, arm.at(x=-0.5), axis="y", name="shoulder"))
    elbow = dl.Revolute(arm.at(x=0.5), fore.at(x=-0.5), axis="y", initial=0.3, name="elbow")
    model.add_joint(elbow)
    model.add_force(dl.TorsionSpring("elbow", stiffness=1e5, name="spring"))
    with pytest.raises(errors.StepSizeError, match=r"'(arm|fore)'.*rad in a step.*stiff springs"):
        dl.simulate(model, until=2.0, step=step, formulation="generalized", progress=False)
