"""Sentences of the README that claim something, each with the tests or tables that bear it out.

A claim that is changed or added fails here until somebody says what it rests on.
"""

import re
from pathlib import Path

import pytest

from dalembert.enforcement import METHODS

REPOSITORY = Path(__file__).parents[2]
README = " ".join((REPOSITORY / "README.md").read_text().split())
NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve thirteen".split()
NUMBERS += "fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()

CLAIMS = {
    "differentiates them exactly": ("unit/formulas/test_derivative.py",),
    "the constraint holds to rounding error for as long as you like": ("golden/test_pendulum.py",),
    "through singular positions and with redundant rows": (
        *("golden/test_four_bars.py", "golden/test_contact_redundant.py"),
        "robustness/test_mechanism_fuzz.py",
    ),
    "norm of the kinetic energy": ("unit/mechanics", "conformance/test_methods.py"),
    "It has no gains to choose": ("unit/test_documented_methods.py",),
    "velocity (nonholonomic) constraint": ("golden/test_nonholonomic.py",),
    "prescribed motion": ("golden/test_kinematics.py",),
    "Bodies are placed by their joints": ("golden/test_catalog_bodies.py",),
    "joints that hold the same motion twice are legal": ("agreement/test_repeated_joints.py",),
    "Shapes touch, with Coulomb's friction; joints stop at their limits": (
        *("golden/test_static_friction.py", "golden/test_contact_closed_forms.py"),
        *("properties/test_limits_located.py", "robustness/test_contact_fuzz.py"),
    ),
    "the step is [chosen]": ("unit/simulation/test_step_choice.py",),
    "with a list of everything that is not taken over": (
        *("unit/importers/test_urdf.py", "unit/importers/test_mjcf.py"),
    ),
    "several in each register of the processor": ("unit/batch/test_rollout.py",),
    "exact derivatives of runs": ("golden/test_gradients.py", "properties/test_gradients.py"),
    "inputs for prescribed outputs": ("golden/test_servo.py", "convergence/test_servo_order.py"),
    "take a model [elsewhere]": ("unit/export/test_export.py",),
    "plays in any browser, on a phone too, without a network": ("browser/test_player.py",),
    "a study that was killed goes on": ("robustness/test_killed_studies.py",),
    "pause it, turn its parameters, pull it with the mouse": ("browser/test_live_view.py",),
    "file that runs in any browser, offline": ("browser/test_model_page.py",),
    "Exit codes: 0 fine": ("unit/cli/test_cli.py", "robustness/test_cli_bad_input.py"),
    "does not grow": ("convergence/test_drift_orders.py",),
    "long conservative runs: no energy drift": ("conformance/test_methods.py",),
    "call them between your integrator's steps": ("programs/test_documents.py",),
    "Processor time of a step, one thread": ("programs/test_benchmarks.py",),
    "each ends in an assertion": ("programs/test_examples.py",),
    "builds all of it as a site, offline": ("programs/test_site.py",),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_has_its_tests(claim):
    words = claim if claim in README else claim[0].upper() + claim[1:]
    assert words in README
    for name in CLAIMS[claim]:
        place = REPOSITORY / "tests" / name
        files = sorted(place.rglob("test_*.py")) if place.is_dir() else [place]
        assert any("def test_" in file.read_text() for file in files), name


def test_counts():
    (word,) = re.findall(r"(\w+) ways of keeping a constraint", README)
    assert NUMBERS.index(word.lower()) == len(METHODS)
    (told,) = re.findall(r"(\d+) problems that were reported", README)
    assert int(told) == len(list((REPOSITORY / "examples" / "museum").glob("[0-9]*.py")))


def test_extras_are_those_that_install():
    text = (REPOSITORY / "pyproject.toml").read_text()
    (line,) = re.findall(r"Extras: (.*?) To work on it", README)
    for name in re.findall(r"`(\w+)`(?: \(|,|\.)", line):
        assert re.search(rf"^{name} = \[", text, re.MULTILINE), name
