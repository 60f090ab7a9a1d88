"""The equations of a random model: rows, their derivatives, and what the solve promises."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.support.strategies import LAWS, formula_models, states

import dalembert as dl
from dalembert.formulas import evaluate, symbols, time
from dalembert.simulation.prepare.consistent import open_checked
from dalembert.system import borders
from dalembert.system.build import build
from dalembert.system.state_layout import State

EPS = np.finfo(float).eps


class Opened:
    """The compiled `evaluate` of a model, read back by name."""

    def __init__(self, model):
        self.model, self.system = model, build(model)
        values = [model.parameters[name] for name in self.system.parameter_names]
        self.work, self.sizes = open_checked(self.system, values)

    def at(self, t, q, v):
        borders.evaluate(self.work, self.sizes, float(t), q.copy(), v.copy())
        state = State(self.work, self.sizes)
        fields = {name: name for name in ("phi", "phi_dot", "phi_t", "rhs_a")}
        fields |= {"J": "jacobian", "M": "mass", "Q": "force"}
        found = {name: getattr(state, field).copy() for name, field in fields.items()}
        found["phi"] = found["phi"][: state.holonomic]
        found["M"] = np.tril(found["M"]) + np.tril(found["M"], -1).T
        return found


def central(function, x, width=1e-5):
    """Derivative of `function` with respect to the vector x, columns by entries."""
    columns = []
    for k in range(len(x)):
        step = np.zeros_like(x)
        step[k] = width
        columns.append((function(x + step) - function(x - step)) / (2 * width))
    return np.array(columns).T


# Central differences: truncation w^2 f'''/6 and rounding eps f / w, with w = 1e-5 and third
# derivatives of these formulas below about 1e2: 2e-9 and 1e-10 or so.
DIFFERENCE = 1e-7


@LAWS
@given(st.data())
def test_jacobian_is_the_derivative_of_the_rows(data):
    model, n = data.draw(formula_models())
    opened = Opened(model)
    t, q, v = data.draw(states(n))
    here = opened.at(t, q, v)
    mh = opened.system.extents.holonomic
    scale = 1 + np.abs(here["J"]).max()
    by_position = central(lambda x: opened.at(t, x, v)["phi"], q)
    assert np.abs(by_position - here["J"][:mh]).max(initial=0.0) <= DIFFERENCE * scale
    by_velocity = central(lambda u: opened.at(t, q, u)["phi_dot"], v)
    assert np.abs(by_velocity - here["J"]).max() <= DIFFERENCE * scale


@LAWS
@given(st.data())
def test_velocity_residual_is_the_rate_of_the_position_residual(data):
    model, n = data.draw(formula_models(velocity_rows=False))
    opened = Opened(model)
    t, q, v = data.draw(states(n))
    here, w = opened.at(t, q, v), 1e-5
    rate = (opened.at(t + w, q + w * v, v)["phi"] - opened.at(t - w, q - w * v, v)["phi"]) / (2 * w)
    assert np.abs(rate - here["phi_dot"]).max() <= DIFFERENCE * (1 + np.abs(rate).max())
    assert np.abs(here["J"] @ v + here["phi_t"] - here["phi_dot"]).max() <= 1e3 * EPS * (
        1 + np.abs(here["J"]).max() * np.abs(v).max(initial=1.0)
    )


@LAWS
@given(st.data())
def test_rhs_a_is_what_the_rate_of_the_velocity_residual_leaves(data):
    # Along any path with acceleration a:  d(Phi')/dt = J a - rhs_a.
    model, n = data.draw(formula_models())
    opened = Opened(model)
    t, q, v = data.draw(states(n))
    _, a, _ = data.draw(states(n))
    here, w = opened.at(t, q, v), 1e-5

    def along(s):
        return opened.at(t + s, q + s * v + s * s * a / 2, v + s * a)["phi_dot"]

    rate = (along(w) - along(-w)) / (2 * w)
    expected = here["J"] @ a - here["rhs_a"]
    assert np.abs(rate - expected).max() <= 10 * DIFFERENCE * (1 + np.abs(rate).max())


@LAWS
@given(st.data())
def test_compiled_evaluate_agrees_with_the_interpreted_formulas(data):
    model, n = data.draw(formula_models())
    opened = Opened(model)
    t, q, v = data.draw(states(n))
    here, e = opened.at(t, q, v), opened.system.equations
    values = {time: t}
    values.update(zip(e.coordinates, q, strict=True))
    values.update(zip(e.velocities, v, strict=True))
    groups = {
        "phi": e.phi,
        "phi_dot": e.phi_dot,
        "rhs_a": e.rhs_a,
        "J": [x for row in e.J for x in row],
        "Q": e.force,
        "M": [x for row in e.mass for x in row],
    }
    for name, formulas in groups.items():
        for leaf in symbols(formulas, "parameter"):
            values[leaf] = model.parameters[leaf.name]
        expected = np.array([float(x) for x in evaluate(formulas, values)])
        found = here[name].ravel()
        # Terms of moderate size: an ulp or two in each of some dozens of operations.
        scale = 1 + np.abs(expected).max(initial=0.0)
        assert np.abs(found - expected).max(initial=0.0) <= 200 * EPS * scale, name


@LAWS
@given(st.data())
def test_samples_satisfy_the_equations_of_motion(data):
    model, n = data.draw(formula_models())
    solution = dl.simulate(
        model, until=0.05, step=5e-3, initial_limit=10.0, initial=(np.full(n, 0.2), np.full(n, 0.1))
    )
    opened = Opened(model)
    for k, t in enumerate(solution.t):
        here = opened.at(t, solution.q[k], solution.v[k])
        M, J, Q = here["M"], here["J"], here["Q"]
        a, lam = solution.a[k], solution.lam[k]
        force = np.abs(M) @ np.abs(a) + np.abs(Q) + np.abs(J.T) @ np.abs(lam)
        condition = np.linalg.cond(M) * np.linalg.cond(J) ** 2
        assert np.all(np.abs(M @ a - Q - J.T @ lam) <= 50 * EPS * condition * (1 + force.max()))
        demand = np.abs(J) @ np.abs(a) + np.abs(here["rhs_a"])
        assert np.all(np.abs(J @ a - here["rhs_a"]) <= 50 * EPS * condition * (1 + demand.max()))


@LAWS
@given(st.data())
def test_the_constraint_force_does_no_work_on_admissible_motion(data):
    model, n = data.draw(formula_models())
    opened = Opened(model)
    t, q, v = data.draw(states(n))
    here = opened.at(t, q, v)
    M, J, Q = here["M"], here["J"], here["Q"]
    a, _ = dl.constraint_forces(M, J, Q, here["rhs_a"])
    constraint_force = M @ a - Q
    _, _, rows = np.linalg.svd(J)
    for w in rows[J.shape[0] :]:  # J w = 0
        size = np.linalg.norm(M @ a) + np.linalg.norm(Q)
        assert abs(constraint_force @ w) <= 100 * EPS * np.linalg.cond(M) * np.linalg.cond(J) * size


@LAWS
@given(st.data())
def test_the_least_constraint_is_exerted(data):
    # Gauss: among all accelerations with J a = rhs_a, the true one is nearest to M^-1 Q in the
    # mass norm. Any admissible deviation makes it larger.
    model, n = data.draw(formula_models())
    opened = Opened(model)
    t, q, v = data.draw(states(n))
    here = opened.at(t, q, v)
    M, J, Q = here["M"], here["J"], here["Q"]
    a, _ = dl.constraint_forces(M, J, Q, here["rhs_a"])
    _, _, rows = np.linalg.svd(J)

    def deviation(x):
        d = x - np.linalg.solve(M, Q)
        return d @ M @ d

    least = deviation(a)
    for w in rows[J.shape[0] :]:
        for size in (1e-2, -1e-2):
            assert deviation(a + size * w) >= least * (1 - 100 * EPS)
