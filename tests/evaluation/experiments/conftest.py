"""Small plans, and experiments that were run by them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from induce.evaluation.experiments import Experiment, experiment

LEARNERS = {
    "tree": "C45",
    "stump": "DecisionStump",
    "bayes": "sklearn.naive_bayes.GaussianNB",
}


def plan_of(**changes: Any) -> dict[str, Any]:
    """A plan of three learners on two small tables, with what is to be different."""
    small = {"splits": {"folds": 3}, "learners": LEARNERS, "datasets": {"flowers": "iris", "wines": "wine"}}
    return small | changes


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    """An experiment in which one learner always fails; not to be changed."""
    broken = {"learner": "sklearn.svm.SVC", "kernel": "precomputed"}
    path = tmp_path_factory.mktemp("finished") / "results.sqlite"
    return experiment(plan_of(title="Small", seeds=[0, 1], learners=LEARNERS | {"broken": broken}), path)


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Path]:
    """Write a plan and return its path."""

    def writing(text: str) -> Path:
        path = tmp_path / "plan.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return writing
