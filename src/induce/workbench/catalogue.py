"""Catalogue of the learners that apply to a source, and the form for the parameters of a learner."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from induce.workbench.runs import entry_of
from induce.workbench.steps import RelationsStep, SourceStep, TableStep, WorldStep
from induce.workbench.tables import opened, problem_of


def form_of(learner: str) -> dict[str, Any]:
    """Return the fields of the form for a learner's parameters."""
    import induce
    from induce.core.description import described_parameters

    entry = entry_of(learner)
    told = [
        each
        for each in described_parameters(getattr(induce, learner))
        if each.name not in ("schema", "random_state", "background", "target")
    ]
    return {
        "name": entry.name,
        "summary": entry.summary,
        "needs": entry.needs,
        "parameters": [asdict(each) for each in told],
    }


def catalogue_view(step: SourceStep, folder: str) -> dict[str, Any]:
    """Return the learners that apply to a source, grouped by task, the recommended ones first."""
    if isinstance(step, TableStep):
        return _for_table(step, folder)
    if isinstance(step, RelationsStep):
        return _for_relations(step)
    return _for_world(step)


def _for_table(step: TableStep, folder: str) -> dict[str, Any]:
    from induce.evaluation.comparing.advice import advise
    from induce.evaluation.comparing.applicable import applicable, holds_numbers

    data, _ = opened(step, folder)
    column = None if data.target is None else data.schema[data.target]
    numbers = column is not None and column.kind == "numeric" and holds_numbers(data.y)
    kind = "density" if column is None else "numbers" if numbers else "classes"
    n_classes = data.y.n_unique() if kind == "classes" else 0
    found, left_out = applicable(data.X, kind, n_classes, data.input_schema)
    # clusters and densities can be learned whatever the target is
    names = set(found) | ({*applicable(data.X, "density", 0, data.input_schema)[0]} if column else set())
    advised = advise(data.X, data.y, schema=data.input_schema)
    return {
        "advised": [{"name": each.learner, "reason": each.reason} for each in advised.suggestions],
        "facts": list(advised.facts),
        "groups": _groups(names),
        "left_out": left_out,
    }


def _for_relations(step: RelationsStep) -> dict[str, Any]:
    from induce.relational.readers.problems import LEARNERS

    problem = problem_of(step)
    usual = type(problem.learner()).__name__
    left_out = {}
    if problem.settings.get("positive_only"):
        left_out = {
            name: "needs negative examples; there are none" for name in LEARNERS.values() if name != "Progol"
        }
    elif problem.has_classes:
        left_out = {
            name: "learns one relation, not several classes"
            for name in LEARNERS.values()
            if name != "RelationalLearner"
        }
    return {
        "advised": [{"name": usual, "reason": "the default for this source"}],
        "facts": [problem.counts()],
        "groups": _groups(set(LEARNERS.values()) - set(left_out)),
        "left_out": left_out,
    }


def _for_world(step: WorldStep) -> dict[str, Any]:
    from induce.core.declarations import learners
    from induce.environments.games.game import game_names

    game = step.source in game_names()
    task = "games" if game else "acting"
    names = {each.name for each in learners() if each.task == task}
    left_out = {} if step.source == "backgammon" or not game else {"TDGammon": "plays backgammon"}
    usual, reason = ("GameLearner", "plays against itself") if game else ("QLearning", "needs no model")
    if step.source == "backgammon":
        usual, reason = "TDGammon", "learns by self-play, with a network"
    elif step.source == "mountain-car":
        usual, reason = "ApproximateQLearning", "its states are numbers"
    return {
        "advised": [{"name": usual, "reason": reason}],
        "facts": [],
        "groups": _groups(names - set(left_out)),
        "left_out": left_out,
    }


def _groups(names: set[str]) -> list[dict[str, Any]]:
    """Group learners by task."""
    from induce.core.declarations import TASKS

    groups = []
    for task, purpose in TASKS.items():
        members = [entry_of(name) for name in sorted(names) if entry_of(name).task == task]
        told = [{"name": each.name, "summary": each.summary, "gives": each.gives} for each in members]
        if told:
            groups.append({"task": task, "purpose": purpose, "learners": told})
    return groups
