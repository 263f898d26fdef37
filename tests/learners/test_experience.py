"""What holds of every learner from experience: parameters, seeds, traces, Ctrl-C, files, resuming, bad sources.

One test per learner runs all checks and tells every failure by name.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from sklearn.base import clone

import induce
from induce.core.errors import InputError
from induce.core.hypothesis import _same
from induce.environments import grid_world
from induce.evolution import AntTrail, OneMax, Reals
from induce.planning import random_problem
from tests.learners.checks import run_all
from tests.learners.forms import examine, examine_formats, examine_pictures

# a small instance of each learner, a source for it, and the parameter that sets how long it learns, if there is one
CASES: dict[str, tuple[dict[str, Any], Any, str | None]] = {
    "ApproximateQLearning": ({"episodes": 6, "discount": 0.9}, grid_world("mitchell-13.2"), "episodes"),
    "BucketBrigade": ({"n_steps": 2000, "max_rules": 30}, grid_world("S...G", {"G": 100}), "n_steps"),
    "Dyna": ({"episodes": 12, "discount": 0.9}, "mitchell-13.2", "episodes"),
    "DynamicProgramming": ({"discount": 0.9}, grid_world("mitchell-13.2"), None),
    "EvolutionStrategy": (
        {"genome": Reals(3, -5, 5), "minimise": True, "generations": 8},
        lambda x: float(x @ x),
        "generations",
    ),
    "EvolutionaryProgramming": (
        {"population_size": 6, "generations": 30, "states": 2, "max_states": 6},
        "abcadbacbdcabdacbdabcacbdadcb",
        "generations",
    ),
    "GameLearner": ({"games": 6}, "tic-tac-toe", "games"),
    "GeneticProgramming": ({"population_size": 20, "generations": 6}, AntTrail(), "generations"),
    "GeneticAlgorithm": ({"population_size": 10, "m": 0.3, "generations": 8}, OneMax(30), "generations"),
    "MacroLearner": ({"max_nodes": 300}, [random_problem("blocks", 4, seed) for seed in range(5)], None),
    "MonteCarlo": ({"episodes": 12, "discount": 0.9}, "mitchell-13.2", "episodes"),
    "QLearning": (
        {"episodes": 12, "discount": 0.9, "replay": "experience", "decay": 0.9},
        "mitchell-13.2",
        "episodes",
    ),
    "Sarsa": ({"episodes": 12, "discount": 0.9}, "mitchell-13.2", "episodes"),
    "SearchControl": ({"max_nodes": 300}, [random_problem("blocks", 4, seed) for seed in range(5)], None),
    "TDGammon": (
        {"n_hidden": 2, "games": 40, "measure_every": 0, "lambda_": 0.5},
        "tic-tac-toe",
        "games",
    ),
    "TDLambda": ({"episodes": 12, "discount": 0.9}, "mitchell-13.2", "episodes"),
}
LEARNERS = [entry.name for entry in induce.learners() if entry.explores and entry.name in CASES]


def made(name: str, **more: Any) -> Any:
    return getattr(induce, name)(**{**CASES[name][0], **more})


def source(name: str) -> Any:
    return CASES[name][1]


def test_every_learner_from_experience_is_tested():
    assert sorted(CASES) == [entry.name for entry in induce.learners() if entry.explores]


def check_what_it_gives(name, folder):
    entry = next(entry for entry in induce.learners() if entry.name == name)
    learner = made(name).learn(source(name))
    assert type(learner.hypothesis_).__name__ == entry.gives
    assert str(learner.hypothesis_)
    assert learner.hypothesis_.size()
    examine(learner.hypothesis_)
    examine_pictures(learner.hypothesis_)
    examine_formats(learner.hypothesis_)
    assert "\n" not in entry.summary + entry.needs


def check_parameters_and_seeds(name, folder):
    seeded = "random_state" in made(name).get_params()
    learner = made(name, **({"random_state": 7} if seeded else {}))
    assert clone(learner).get_params() == learner.get_params()
    first = learner.learn(source(name)).hypothesis_
    assert not hasattr(clone(learner), "hypothesis_")
    assert clone(learner).learn(source(name)).hypothesis_ == first
    assert learner.learn(source(name)).hypothesis_ == first
    with induce.trace():
        assert clone(learner).learn(source(name)).hypothesis_ == first
    seen: list[float] = []
    with induce.progress(seen.append):
        clone(learner).learn(source(name))
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def check_a_saved_run_resumes_exactly(name, folder):
    length = CASES[name][2]
    whole = made(name).learn(source(name))
    part = made(name, **{length: CASES[name][0][length] // 2}).learn(source(name))
    assert not _same(part.state_, whole.state_)
    induce.save(part, folder / "run.induce")
    again = induce.load(folder / "run.induce")
    assert again.get_params() == part.get_params()
    assert again.hypothesis_ == part.hypothesis_
    again.set_params(**{length: CASES[name][0][length]}).resume(source(name))
    assert again.hypothesis_ == whole.hypothesis_
    assert _same(again.state_, whole.state_)
    assert induce.load_hypothesis(folder / "run.induce") == part.hypothesis_


def check_ctrl_c_keeps_the_best_so_far_and_the_run_resumes(name, folder):
    whole = made(name).learn(source(name))
    learner = made(name)

    def stop(share: float) -> None:
        if share >= 0.4:
            raise KeyboardInterrupt

    with induce.progress(stop), pytest.warns(induce.Note, match="interrupted"):
        learner.learn(source(name))
    assert not _same(learner.state_, whole.state_)
    assert learner.resume(source(name)).hypothesis_ == whole.hypothesis_
    assert _same(learner.state_, whole.state_)


def check_sources_that_are_none(name, folder):
    learner = made(name).learn(source(name))
    for bad in (None, 3, [[1, 2], [3, 4]]):
        with pytest.raises((InputError, TypeError)) as caught:
            learner.learn(bad)
        assert "\n" not in str(caught.value)
        assert not hasattr(learner, "hypothesis_")
    with pytest.raises(InputError, match="has learned nothing yet; call its `learn`"):
        induce.save(learner, "never.induce")
    with pytest.raises(InputError, match="has learned nothing yet; call its `learn`"):
        learner.resume(source(name))


@pytest.mark.parametrize("name", LEARNERS)
def test_learner(name, tmp_path, request):
    wanted = request.config.getoption("--check")
    checks = [check_what_it_gives, check_parameters_and_seeds, check_sources_that_are_none]
    if CASES[name][2] is not None:  # it learns step by step
        checks += [check_a_saved_run_resumes_exactly, check_ctrl_c_keeps_the_best_so_far_and_the_run_resumes]
    assert run_all(
        (check.__name__, partial(check, name, tmp_path)) for check in checks if wanted in check.__name__
    )
