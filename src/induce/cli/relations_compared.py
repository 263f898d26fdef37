"""`induce relate --compare`: learners from relations on the same folds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from induce.relational.readers.problems import Problem

FOLDS = 10


def refuse_alone(given: Mapping[str, Any]) -> None:
    """Refuse options that are about one learner."""
    from induce.core.errors import InputError

    for option, value in given.items():
        if value:
            raise InputError(f"{option} is about one learner, but --compare names several; leave one out")


def put_comparison(
    problem: Problem, names: str, cv: int, time_limit: float | None, seed: int | None, as_json: bool
) -> None:
    """Compare the named learners by cross-validation, and print the leaderboard."""
    from induce.cli import output
    from induce.cli.compare import board_document, put_board
    from induce.cli.progress import bar
    from induce.evaluation.comparing.leaderboard import leaderboard

    models = _models(problem, names, time_limit, seed)
    with bar("comparing"):
        board = leaderboard(
            models, problem.X, problem.y, min(cv, len(problem.y)), time_limit=None, random_state=seed or 0
        )
    if as_json:
        target = "{}/{}".format(*problem.predicate)
        data = {"name": problem.name, "rows": len(problem.y), "target": target}
        output.put_json({"data": data, **board_document(board)})
    else:
        output.put_lines(str(problem), "")
        put_board(problem.name, board)


def _models(problem: Problem, names: str, time_limit: float | None, seed: int | None) -> dict[str, Any]:
    """Return the learners by class name and settings; short names are those of `--learner`."""
    import inspect

    import induce
    from induce.cli.compare import learner_words
    from induce.cli.parameters import parameters_of
    from induce.core.errors import InputError
    from induce.data.names import unknown
    from induce.relational.readers.problems import LEARNERS

    known = LEARNERS | {name: name for name in LEARNERS.values()}
    models = {}
    for word, *settings in learner_words("--compare", names):
        if word not in known:
            raise unknown("learner", word, list(LEARNERS))
        learner: Any = getattr(induce, known[word])
        told = {"time_limit": time_limit, "random_state": seed}
        taken = inspect.signature(learner).parameters
        parameters = {name: value for name, value in told.items() if value is not None and name in taken}
        parameters |= parameters_of(learner, settings)
        models[" ".join([known[word], *settings])] = problem.learner(known[word], **parameters)
    if len(models) < 2:
        raise InputError(f"--compare is {names!r}; give at least two learners, as in foil,progol")
    return models
