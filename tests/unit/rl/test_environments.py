"""Environments keep the contract of Gymnasium, and are the model they are made from."""

from __future__ import annotations

import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from tests.unit.rl.models import balancing, cart_pole, fragile

import dalembert as dl


def single(**changes):
    model, settings = balancing(**changes)
    return dl.rl.environment(model, **settings)


def many(worlds=5, **changes):
    model, settings = balancing(**changes)
    return dl.rl.vector_environment(model, worlds=worlds, **settings)


def actions_for(env, count, seed=7):
    generator = np.random.default_rng(seed)
    space = env.action_space
    return [generator.uniform(space.low, space.high).astype(np.float32) for _ in range(count)]


def played(env, count=60, seed=3):
    """Everything that a number of steps gave, as one array."""
    observations, _ = env.reset(seed=seed)
    found = [np.ravel(observations)]
    for act in actions_for(env, count):
        step = env.step(act)
        found += [np.ravel(x) for x in step[:4]]
    return np.concatenate(found)


# -- Gymnasium's own checks ------------------------------------------------------------------------


@pytest.mark.parametrize("id_", ["CartPole-v0", "DoublePendulum-v0"])
def test_the_checker_passes(id_):
    dl.rl.register()
    env = gymnasium.make(f"dalembert/{id_}", render_mode="rgb_array").unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it recommends bounds and actions from -1 to 1
        check_env(env)


@pytest.mark.slow
@pytest.mark.parametrize("id_", ["Quadruped-v0", "Leg-v0"])
@pytest.mark.share(3)
def test_the_checker_passes_with_closed_loops(id_):
    test_the_checker_passes(id_)


def test_a_vector_environment_is_what_gymnasium_makes_of_single_ones():
    """The same actions from the same states give the same, worlds that end included."""
    starts = [{"hinge.angle": x} for x in (0.05, -0.1, 0.15)]
    ours = many(3)
    ours.reset(options={"initial": {"hinge.angle": [0.05, -0.1, 0.15]}})
    theirs = [single() for _ in starts]
    for env, start in zip(theirs, starts, strict=True):
        env.reset(options={"initial": start})
    over = np.zeros(3, dtype=bool)
    ended = 0
    for act in actions_for(ours, 40):
        step = ours.step(act)
        for k, env in enumerate(theirs):
            if over[k]:
                continue  # from here on starts are drawn
            alone = env.step(act[k])
            assert step[0][k].tolist() == alone[0].tolist()
            assert [x[k] for x in step[1:4]] == list(alone[1:4])
            over[k] = alone[2] or alone[3]
            ended += over[k]
    assert ended == 3


def test_gymnasiums_wrappers_take_it():
    dl.rl.register()
    env = gymnasium.make_vec("dalembert/CartPole-v0", num_envs=4)
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    env.reset(seed=1)
    for _ in range(80):
        *_, info = env.step(np.full((4, 1), 10.0, dtype=np.float32))
        if "episode" in info:
            break
    length = info["episode"]["l"][info["_episode"]]
    assert len(length)
    assert (length == info["episode"]["r"][info["_episode"]]).all()  # 1 for every step


def test_spaces_and_metadata():
    env = many(4, observations={"hinge.angle": (-1, 1), "rail.displacement": (-3, 3)})
    assert env.observation_space.shape == (4, 2)
    assert env.single_observation_space.high.tolist() == [1.0, 3.0]
    assert env.single_action_space.low.tolist() == [-10.0]
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert env.metadata["render_fps"] == 50
    assert env.num_envs == 4


# -- seeds -----------------------------------------------------------------------------------------


def test_same_seed_same_bits_whatever_the_threads():
    one, two = (played(many(37, threads=n)) for n in (1, 2))
    assert one.tobytes() == two.tobytes()
    assert played(many(37, threads=1), seed=4).tobytes() != one.tobytes()


def test_same_seed_same_bits_in_the_general_form_too():
    one, two = (played(many(5, threads=n, engine="general"), 20) for n in (1, 2))
    assert one.tobytes() == two.tobytes()


def test_a_vector_of_one_world_is_the_single_environment():
    env, alone = many(1, truncate=None, terminate=None), single(truncate=None, terminate=None)
    assert played(env).tobytes() == played(alone).tobytes()


@pytest.mark.parametrize("engine", ["lanes", "general"])
def test_what_was_played_before_leaves_no_trace(engine):
    env = many(9, engine=engine)
    first = played(env)
    env.reset(seed=12)
    env.step(env.action_space.sample())
    assert played(env).tobytes() == first.tobytes()


# -- the model -------------------------------------------------------------------------------------


def test_observations_and_rewards_are_those_of_a_run():
    model, settings = balancing(terminate=None, truncate=None)
    env = dl.rl.environment(model, **settings)
    start = {"hinge.angle": 0.04, "rail.displacement": 0.01}
    first, _ = env.reset(options={"initial": start})
    assert first.tolist() == [0.01, 0.04, 0.0]
    push = 3.0
    for _ in range(25):
        seen, reward, *_ = env.step([push])
    model.set_initial(start)
    pushed = cart_pole()
    pushed.set_initial(start)

    def hold(t, x):
        return push

    control = dl.Controller(hold, rate=50.0, inputs=["hinge.angle"], outputs=["motor"])
    solution = dl.simulate(pushed, until=0.5, step=0.01, controllers=[control])
    names = settings["observations"]
    assert np.allclose(seen, [solution[name][-1] for name in names], rtol=0, atol=1e-12)
    assert reward == pytest.approx(1 - 0.01 * push**2, abs=1e-15)


def test_time_in_formulas_is_that_of_the_episode():
    model, settings = balancing(reward=dl.time, truncate=0.1, terminate=dl.time > 0.05)
    env = dl.rl.vector_environment(model, worlds=2, **settings)
    env.reset(seed=1)
    told = [env.step(np.zeros((2, 1))) for _ in range(4)]
    assert [step[1][0] for step in told] == pytest.approx([0.02, 0.04, 0.06, 0.0])
    assert [bool(step[2][0]) for step in told] == [False, False, True, False]


def test_a_negative_formula_ends_an_episode_too():
    env = single(terminate=[0.2 - abs(cart_pole().joints["hinge"].angle)])
    env.reset(options={"initial": {"hinge.angle": 0.199, "hinge.angle.dot": 1.0}})
    assert env.step([0.0])[2]


def test_conditions_may_have_actions_in_them():
    angle = cart_pole().joints["hinge"].angle
    env = many(2, terminate=(angle > 0.05) & (dl.rl.action("motor") > 0), truncate=None)
    env.reset(options={"initial": {"hinge.angle": 0.1}})
    assert env.step(np.array([[1.0], [-1.0]]))[2].tolist() == [True, False]


def test_a_parameter_is_an_action_and_a_symbol_of_its_own():
    model, settings = fragile()
    env = dl.rl.environment(model, **settings)
    env.reset(options={"initial": {"x": 0.0}})
    seen, reward, *_ = env.step([0.5])
    assert reward == pytest.approx(seen[0] - 0.5, abs=1e-15)


def test_models_with_limits_stop_at_them():
    model, settings = balancing(terminate=None, truncate=None)
    model.set_limits("rail", dl.Limits(-0.5, 0.5))
    env = dl.rl.vector_environment(model, worlds=3, **settings)
    env.reset(seed=1)
    for _ in range(80):
        seen, *_ = env.step(np.array([[10.0], [0.0], [-10.0]]))
    assert seen[[0, 2], 0] == pytest.approx([0.5, -0.5], abs=1e-6)
    assert abs(seen[1, 0]) < 0.5


def test_actions_are_cut_off_at_their_bounds():
    a, b = single(), single()
    for env in (a, b):
        env.reset(seed=5)
    assert a.step([10.0])[0].tobytes() == b.step([1000.0])[0].tobytes()


def test_starts_lie_on_the_constraints():
    model = dl.catalog.load("four-bar-3d")
    model.add_force(dl.DirectDrive("hinge_A", name="motor"))
    env = dl.rl.vector_environment(
        model,
        worlds=6,
        step=1e-3,
        actions={"motor": (-1, 1)},
        observations=["hinge_A.angle", "coupler.x"],
        reward=0.0,
        reset={"hinge_A.angle": (0.8, 1.2)},
    )
    env.reset(seed=1)
    worlds = env.episodes.worlds
    assert np.ptp(worlds.q[:, worlds.coordinate_names.index("hinge_A.angle")]) > 0.1
    names = [name for body in model.bodies.values() for name in body.state_names]
    placing = dl.Worlds(model, 6, step=1e-3, observe=names, initial=(worlds.q, worlds.v))
    for q in placing.observed:
        assert np.abs(dl.evaluate(model, (q, np.zeros(18))).phi).max() < 1e-12


def test_a_function_may_draw_the_starts():
    def draw(generator, count):
        return {"hinge.angle": 0.1 + 0.01 * generator.standard_normal(count)}

    env = many(50, reset=draw)
    angles = env.reset(seed=2)[0][:, 1]
    assert abs(angles.mean() - 0.1) < 0.01
    assert 0.005 < angles.std() < 0.02


# -- episodes that end -----------------------------------------------------------------------------


def pushed_over(env):
    """Steps until a world has ended, its index, and the last two answers."""
    env.reset(options={"initial": {"hinge.angle": [0.0, 0.15, 0.0]}})
    nothing = np.zeros((3, 1), dtype=np.float32)
    for _ in range(40):
        step = env.step(nothing)
        if step[2].any():
            return step, nothing
    raise AssertionError("no pole fell")


def test_next_step_autoreset():
    env = many(3)
    step, nothing = pushed_over(env)
    assert step[2].tolist() == [False, True, False]
    assert abs(step[0][1, 1]) > 0.2  # what was seen last
    assert "final_obs" not in step[4]
    after = env.step(np.full((3, 1), 10.0))
    assert abs(after[0][1, 1]) < 0.05  # a start, whatever the action
    assert (after[1][1], after[2][1], after[3][1]) == (0.0, False, False)
    assert after[1][0] == 0.0 + 1 - 0.01 * 100  # the others acted
    assert env.episodes.steps.tolist()[1] == 0
    start = after[0][1].copy()
    assert env.step(nothing)[0][1].tolist() != start.tolist()


def test_same_step_autoreset():
    env = many(3, autoreset="SameStep")
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    step, _ = pushed_over(env)
    assert abs(step[0][1, 1]) < 0.05
    info = step[4]
    assert info["_final_obs"].tolist() == [False, True, False]
    assert abs(info["final_obs"][1][1]) > 0.2
    assert info["final_obs"][0] is None
    assert step[1][1] == 1.0


def test_disabled_autoreset():
    env = many(3, autoreset=AutoresetMode.DISABLED)
    step, nothing = pushed_over(env)
    with pytest.raises(ResetNeeded, match=r"worlds \[1\]"):
        env.step(nothing)
    others = step[0][[0, 2]]
    seen, _ = env.reset(options={"reset_mask": np.array([False, True, False])})
    assert seen[[0, 2]].tolist() == others.tolist()
    assert abs(seen[1, 1]) < 0.05
    env.step(nothing)


def test_truncation_counts_the_time_of_each_episode():
    env = many(3, terminate=None)
    env.reset(seed=1)
    truncated = [env.step(np.zeros((3, 1)))[3].any() for _ in range(110)]
    assert np.flatnonzero(truncated).tolist() == [49, 100]  # 1 s, one step to begin anew, 1 s


def test_an_episode_that_is_over_must_be_reset():
    env = single(truncate=0.02)
    with pytest.raises(ResetNeeded):
        env.step([0.0])
    env.reset()
    assert env.step([0.0])[3]
    with pytest.raises(ResetNeeded):
        env.step([0.0])


# -- worlds that fail ------------------------------------------------------------------------------


def test_a_world_that_fails_ends_alone_and_says_so():
    model, settings = fragile()
    env = dl.rl.vector_environment(model, worlds=4, **settings)
    alone = dl.rl.vector_environment(model, worlds=4, **settings)
    for one in (env, alone):
        one.reset(seed=1)
    pushes, none = np.zeros((4, 1)), np.zeros((4, 1))
    pushes[2] = 10.0
    for _ in range(10):
        step, other = env.step(pushes), alone.step(none)
        if step[2].any():
            break
    assert step[2].tolist() == [False, False, True, False]
    assert np.isfinite(step[0]).all()
    assert np.isfinite(step[1]).all()
    assert step[1][2] == 0.0
    assert step[4]["_failure"].tolist() == [False, False, True, False]
    assert "world 2" in step[4]["failure"][2]
    assert step[0][[0, 1, 3]].tolist() == other[0][[0, 1, 3]].tolist()
    after = env.step(none)
    assert not after[2].any()
    assert 0.0 <= after[0][2, 0] <= 0.1
    assert "failure" not in after[4]


def test_a_single_world_that_fails_says_so():
    model, settings = fragile()
    env = dl.rl.environment(model, **settings)
    env.reset(seed=1)
    for _ in range(10):
        seen, _, terminated, _, info = env.step([10.0])
        if terminated:
            break
    assert terminated
    assert np.isfinite(seen).all()
    assert "finite" in info["failure"]


# -- pictures --------------------------------------------------------------------------------------


def test_pictures_show_the_world():
    env = single(render_mode="rgb_array", size=(200, 150))
    env.reset(options={"initial": {"hinge.angle": 0.0}})
    first = env.render()
    env.reset(options={"initial": {"hinge.angle": 0.15}})
    leaning = env.render()
    assert first.shape == (150, 200, 3)
    assert first.dtype == np.uint8
    assert (first != leaning).any()
    assert single().render() is None
    pair = many(2, render_mode="rgb_array", size=(100, 80))
    pair.reset(seed=1)
    assert [x.shape for x in pair.render()] == [(80, 100, 3)] * 2


# -- mistakes --------------------------------------------------------------------------------------

MISTAKES = [
    ({"actions": {}}, "actions is {}. Give {actuator: (low, high)}"),
    ({"actions": {"moter": (-1, 1)}}, "'moter' is neither an actuator nor a parameter"),
    ({"actions": {"motor": (1, -1)}}, "action 'motor' lies between 1 and -1"),
    ({"actions": {"motor": 3}}, "action 'motor' is 3. Give (low, high)"),
    ({"observations": []}, "observations is []"),
    ({"observations": ["hinge.angel"]}, "observations names 'hinge.angel'"),
    ({"reward": dl.rl.action("engine")}, "the action 'engine', which is none of its actions"),
    ({"reward": object}, "reward is <class 'object'>"),
    ({"terminate": True}, "terminate is True. Give a condition"),
    ({"truncate": -1.0}, "truncate is -1.0. Give a length of time"),
    ({"step": 0.0}, "step is 0.0. Give a length of time"),
    ({"every": 0}, "every is 0. Give a whole number"),
    ({"reset": 3}, "reset is 3. Give {name: (low, high)}"),
    ({"reset": {"hinge.angle": (1, 0)}}, "reset of 'hinge.angle' is (1, 0). Give (low, high)"),
    ({"render_mode": "human"}, "render_mode is 'human'. Give 'rgb_array'"),
]


@pytest.mark.parametrize(("changes", "told"), MISTAKES, ids=[m[1][:30] for m in MISTAKES])
def test_mistakes_are_named(changes, told):
    with pytest.raises(dl.errors.OptionError) as found:
        single(**changes)
    assert told in str(found.value)


def test_a_start_that_is_no_coordinate_is_named():
    env = single(reset={"hinge.angel": (0, 1)})
    with pytest.raises(dl.errors.OptionError, match=r"'hinge.angel'.*hinge.angle"):
        env.reset()


def test_bad_vectors_are_named():
    with pytest.raises(dl.errors.OptionError, match="autoreset is 'Never'"):
        many(2, autoreset="Never")
    with pytest.raises(dl.errors.OptionError, match="worlds is 0"):
        many(0)
    env = many(2)
    with pytest.raises(dl.errors.OptionError, match="one seed for all worlds"):
        env.reset(seed=[1, 2])
    env.reset(seed=1)
    with pytest.raises(dl.errors.OptionError, match="reset_mask"):
        env.reset(options={"reset_mask": np.zeros(2, dtype=bool)})
    with pytest.raises(dl.errors.OptionError, match="actions of world 1 are not finite"):
        env.step(np.array([[0.0], [np.nan]]))
    with pytest.raises(dl.errors.OptionError, match=r"actions has the shape \(3, 1\)"):
        env.step(np.zeros((3, 1)))


def test_models_that_move_by_themselves_have_a_clock_in_every_world():
    model, settings = balancing(truncate=None, terminate=None)
    model.add_force(dl.DirectDrive("hinge", command=np.sin(40 * dl.time), name="hand"))
    env = dl.rl.vector_environment(model, worlds=3, **settings)
    alone = dl.rl.environment(model, **settings)
    assert played(alone, 5).tobytes() == played(alone, 5).tobytes()
    start = {"hinge.angle": 0.05}
    env.reset(seed=1, options={"initial": start})
    for _ in range(3):
        env.step(np.zeros(env.action_space.shape))
    # one world begins anew, and its time with it
    mask = np.array([False, True, False])
    env.reset(options={"reset_mask": mask, "initial": {"hinge.angle": 0.05}})
    alone.reset(seed=1, options={"initial": start})
    for _ in range(4):
        found = env.step(np.zeros(env.action_space.shape))[0]
        own = alone.step(np.zeros(alone.action_space.shape))[0]
        assert np.abs(found[1] - own).max() < 1e-12
    assert np.abs(found[0] - own).max() > 1e-6
    assert np.array_equal(found[0], found[2])


def test_choices_are_discrete_actions():
    model, settings = balancing()
    (actuator, (low, high)), *_ = settings["actions"].items()
    choices = [{actuator: low}, {actuator: 0.0}, {actuator: high}]
    env = dl.rl.environment(model, **{**settings, "actions": choices})
    assert env.action_space == gymnasium.spaces.Discrete(3)
    check_env(env, skip_render_check=True)
    smooth = dl.rl.environment(model, **settings)
    env.reset(seed=3), smooth.reset(seed=3)
    for k in (0, 2, 1):
        one, other = env.step(k), smooth.step(np.array([(low, 0.0, high)[k]]))
        assert np.array_equal(one[0], other[0])
        assert one[1] == other[1]
    many = dl.rl.vector_environment(model, worlds=2, **{**settings, "actions": choices})
    many.reset(seed=1)
    many.step(many.action_space.sample())
    for bad in ([0, 3], [0.5, 1], [1], [-1, 0]):
        with pytest.raises(dl.errors.OptionError, match="whole number from 0 to 2"):
            many.step(np.array(bad))
    for bad in ([{actuator: 1.0}], [{actuator: 1.0}, {"other": 1.0}], [1.0, 2.0]):
        with pytest.raises(dl.errors.OptionError, match="two choices"):
            dl.rl.environment(model, **{**settings, "actions": bad})


def test_without_gymnasium_it_is_said_how_to_get_it(monkeypatch):
    from dalembert.rl import gymnasium_extra

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(gymnasium_extra.importlib, "import_module", missing)
    with pytest.raises(dl.errors.OptionError, match=r"pip install 'dalembert\[rl\]'"):
        dl.rl.register()
    with pytest.raises(dl.errors.OptionError, match="environment: environments need"):
        single()


def test_gymnasium_is_loaded_when_it_is_asked_for():
    code = "import sys, dalembert as dl; dl.rl.action('motor'); print('gymnasium' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
