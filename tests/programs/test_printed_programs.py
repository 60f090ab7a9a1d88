"""Programs 1 to 4 of the design run as printed.

The texts in `printed/` are those of shared/design.md, section 6, letter by letter (a test compares
them where that file is at hand). A program is run in a process of its own, followed by lines that
look at what it left behind. Programs 2 to 4 print no imports.
"""

import re
from pathlib import Path

import pytest
from tests.programs.running import run

pytestmark = pytest.mark.share(2)

PRINTED = Path(__file__).parent / "printed"
DESIGN = Path(__file__).resolve().parents[2].parent / "shared" / "design.md"

# A11 with another ship: the mount is at its centre, so that the pitch stays 0 and the force on the
# ship is (0, 0, m (g + h'')). Soft: the spring gives way by less than F / k = 2e-4 m.
AFTER = {
    "1_pendulum.txt": """
assert solution.t[-1] == 1000.0 and solution.statistics["steps"] == 1_000_000
assert abs(solution[x][-1] - -0.68323018855231) <= 5e-8      # physics.md 9.1
assert solution.worst["phi"] <= 1e-14
assert solution.worst["phi_dot"] <= 2 * 1.6e-13
import matplotlib.pyplot as plt
assert plt.get_fignums(), "a figure was drawn"
""",
    # Driven without friction to 200 rad/s, 8 steps a quarter turn: only its beginning is accurate.
    "2_slider_crank.txt": """
assert solution.t[-1] == 100.0 and np.isfinite(solution.q).all()
assert model.check().rank == 17 and model.check().degrees_of_freedom == 1
early = solution.t <= 10.0
assert np.abs(solution.phi[early]).max() <= 1e-7
gained = solution.energy - solution.energy[0]
work = 5.0 * solution[model.joints["bearing"].angle]
assert np.abs(gained - work)[early].max() <= 1e-5 * gained[early].max()
bearing, guide = solution.reaction("bearing"), solution.reaction("prismatic1")
assert bearing.unique is False and bearing.max() >= 1e5
a = solution.a[:, 0:3] + solution.a[:, 6:9] + solution.a[:, 12:15] + [0.0, 0.0, 3 * 9.81]
assert np.abs(bearing.force + guide.force - a).max() <= 1e-5 * bearing.max()   # Newton, m = 1
""",
    "3_towing_tank.txt": """
omega = 2 * np.pi * 0.8
force = 120.0 * (9.81 - 0.05 * omega**2 * np.sin(omega * rigid.t))
assert np.abs(rigid[mount.force][:, 4] / force - 1).max() <= 1e-9
assert np.abs(rigid[ship.pitch]).max() == 0.0
assert rigid.worst["phi"] <= 1e-14 and rigid.worst["phi_dot"] <= 1e-13
assert np.abs(soft[ship.z] - rigid[ship.z]).max() <= 2e-4 + 1e-3 * 0.05 * omega**2
late = soft.t > 1.0                                          # the spring has settled
assert np.abs(soft[mount.force][late, 4] / force[late] - 1).max() <= 1e-2
import matplotlib.pyplot as plt
assert plt.get_fignums(), "a figure was drawn"
""",
    # Sweeps that end early leave a residual: the tower leans by 5 cm in 5 s, and stands. The
    # default solver moves it by less than a micrometre.
    "4_boxes.txt": """
assert solution.t[-1] == 5.0 and np.isfinite(solution.q).all()
heights = [solution[body.z][-1] for body in model.bodies.values()]
assert np.abs(np.array(heights) - 0.5 - np.arange(10)).max() <= 0.02
assert max(abs(solution[body.x][-1]) for body in model.bodies.values()) <= 0.1
exact = dl.simulate(model, until=5.0, step=1 / 240)
assert max(np.abs(exact[body.x]).max() for body in model.bodies.values()) <= 1e-6
""",
}


@pytest.mark.parametrize("name", AFTER)
def test_runs_as_printed(name, tmp_path):
    text = (PRINTED / name).read_text()
    if "import dalembert" not in text:
        text = "import numpy as np\n\nimport dalembert as dl\n\n" + text
    # no browser is opened where there is none; the page is written all the same
    text = "import webbrowser\n\nwebbrowser.open = lambda address: True\n" + text
    printed = run(text + AFTER[name], tmp_path)
    if "summary()" in text:
        for word in ("1000000", "phi", "energy"):
            assert word in printed.replace(" ", "").replace(",", "").replace("_", "")


@pytest.mark.parametrize("name", AFTER)
def test_text_is_that_of_the_design(name):
    if not DESIGN.is_file():
        pytest.skip("shared/design.md is not beside the repository")
    blocks = re.findall(
        r"^```python\n(.*?)^```", DESIGN.read_text(), flags=re.DOTALL | re.MULTILINE
    )
    assert (PRINTED / name).read_text() in blocks
