"""Steps as Python scripts and as commands that reproduce the page's results."""

from __future__ import annotations

import inspect
import json
import shlex
from pathlib import Path
from typing import Any

from induce.workbench.runs import entry_of, model_name, parameters_of, world_settings
from induce.workbench.steps import (
    AnswerStep,
    CompareStep,
    CurveStep,
    ExperimentStep,
    OpenStep,
    RelationsStep,
    RunStep,
    SourceStep,
    Step,
    TableStep,
    WorldStep,
)

LOOKS = "looks.jsonl"
"""Log of accesses to locked rows, in the folder of a sheet."""


def python_of(step: Step) -> str:
    """Return a script that reproduces a step.

    Examples
    --------
    >>> print(python_of(RunStep(1, TableStep("play-tennis"), "C45", {"max_depth": "2"})))
    import induce
    <BLANKLINE>
    data = induce.dataset("play-tennis")
    model = induce.C45(schema=data.input_schema, max_depth=2)
    model.fit(data.X, data.y)
    print(model.hypothesis_)
    print(induce.evaluate(model, data.X, data.y, cv=10))
    induce.save(model, "C45.induce")
    >>> print(python_of(RunStep(1, WorldStep("taxi"), "QLearning", seed=1)))
    import induce
    from induce.environments import environment
    <BLANKLINE>
    world = environment("taxi")
    model = induce.QLearning(random_state=1)
    model.learn(world)
    print(model.hypothesis_)
    print(induce.evaluate(model.hypothesis_, world))
    induce.save(model, "QLearning.induce")
    """
    if isinstance(step, SourceStep):
        imports, opened = _opened(step)
        said = "print(induce.describe(data))" if step.kind == "table" else f"print({_called(step)})"
        return _script(imports, [*opened, said])
    if isinstance(step, ExperimentStep):
        plan = Path(step.plan)
        lines = [f"found = induce.experiment({_quoted(str(plan))})", "print(found)"]
        return _script([], [*lines, f"found.report({_quoted(str(plan.with_suffix('.html')))})"])
    if isinstance(step, AnswerStep):
        imports, opened = _opened(step.table)
        begun = f"Dialogue(opening_space(data, unlabelled={step.unlabelled}))"
        lines = [f"dialogue = {begun}", f"for answer in {list(step.answers)}:", "    dialogue.answer(answer)"]
        script = [*opened, *lines, "print(dialogue.space)"]
        return _script(
            [*imports, "from induce.concepts.learners.dialogue import Dialogue, opening_space"], script
        )
    first = step if isinstance(step, RunStep) else step.of[0] if isinstance(step, CompareStep) else step.of
    imports, opened = _opened(first.table, first.seed)
    if isinstance(step, CompareStep):
        models = [f"    {_quoted(model_name(each))}: {_built(each)}," for each in step.of]
        seed = f", random_state={first.seed}" if first.seed is not None else ""
        rows = "problem.X, problem.y" if first.table.kind == "relations" else f"data.X, {_target(first)}"
        how = f"{rows}, cv={first.cv}{seed}, time_limit=None"
        judged = f"print(induce.leaderboard(models, {how}))"
        return _script(imports, [*opened, "models = {", *models, "}", judged])
    if isinstance(step, CurveStep):
        seed = f", random_state={first.seed}" if first.seed is not None else ""
        curve = f"print(learning_curve(model, data.X, data.y, cv={first.cv}{seed}))"
        imports = [*imports, "from induce.evaluation import learning_curve"]
        return _script(imports, [*opened, f"model = {_built(first)}", curve])
    if isinstance(step, OpenStep):
        assert isinstance(first.table, TableStep)
        lines = [
            f"model = {_built(first)}",
            "model.fit(data.X, data.y)",
            _read("test", str(first.table.test), first.table),
            f"locked = LockedTest(test.X, test.y, log={_quoted(LOOKS)})",
            f"print(locked.evaluate(model, by={_quoted(f'run {first.run}')}))",
        ]
        return _script([*imports, "from induce.evaluation import LockedTest"], [*opened, *lines])
    return _script(imports, [*opened, *_learned(step)])


def _script(imports: list[str], lines: list[str]) -> str:
    return "\n".join(["import induce", *(each for each in imports if each != "import induce"), "", *lines])


def _learned(step: RunStep) -> list[str]:
    """Return the lines that fit, evaluate and save the model of a run."""
    model, kept = f"model = {_built(step)}", f'induce.save(model, "{step.learner}.induce")'
    seed = f", random_state={step.seed}" if step.seed is not None else ""
    shown = "print(model.hypothesis_)"
    if isinstance(step.table, WorldStep):
        judged = f"print(induce.evaluate(model.hypothesis_, {_called(step.table)}))"
        return [model, f"model.learn({_called(step.table)})", shown, judged, kept]
    if isinstance(step.table, RelationsStep):
        judged = f"print(induce.evaluate(model, problem.X, problem.y, cv={step.cv}{seed}))"
        return [model, "model.fit(problem.X, problem.y)", shown, judged, kept]
    judged = f"print(induce.evaluate(model, data.X, {_target(step)}, cv={step.cv}{seed}))"
    return [model, f"model.fit(data.X, {_target(step)})", shown, judged, kept]


def _target(step: RunStep) -> str:
    """Return the expression for the target of a run on a table."""
    return "data.y" if entry_of(step.learner).has_target else "None"


def _built(step: RunStep) -> str:
    """Return the constructor call of a run's learner."""
    import induce

    taken = inspect.signature(getattr(induce, step.learner)).parameters
    told = ["schema=data.input_schema"] if "schema" in taken and step.table.kind == "table" else []
    told += [f"random_state={step.seed}"] if step.seed is not None and "random_state" in taken else []
    told += [f"{name}={value!r}" for name, value in parameters_of(step).items()]
    if isinstance(step.table, RelationsStep):
        return f"problem.learner({', '.join([_quoted(step.learner), *told])})"
    return f"induce.{step.learner}({', '.join(told)})"


def command_of(step: Step) -> str:
    """Return a command that reproduces a step.

    Examples
    --------
    >>> command_of(RunStep(1, TableStep("my data.csv", "play"), "C45", {"max_depth": "2"}))
    "induce learn 'my data.csv' --target play --learner C45 max_depth=2 --out C45.induce"
    >>> command_of(RunStep(1, RelationsStep("family.pl", "aunt/2"), "FOIL"))
    'induce relate family.pl --target aunt/2 --learner foil --cv 10 --out FOIL.induce'
    """
    if isinstance(step, ExperimentStep):
        plan = Path(step.plan)
        return f"{shlex.join(['induce', 'experiment', str(plan)])}\n" + shlex.join(
            ["induce", "report", str(plan.with_suffix(".sqlite"))]
        )
    if isinstance(step, AnswerStep):
        parts = ["induce", "ask", step.table.source, *_columns(step.table)]
        return shlex.join([*parts, *(["--unlabelled"] if step.unlabelled else [])])
    if isinstance(step, CurveStep):
        return _tried("curve", (step.of,))
    if isinstance(step, OpenStep):
        assert isinstance(step.of.table, TableStep)
        missing = [f"--missing={each}" for each in step.of.table.missing]
        parts = ["induce", "evaluate", f"{step.of.learner}.induce", str(step.of.table.test), *missing]
        return f"{command_of(step.of)}\n{shlex.join(parts)}"
    if isinstance(step, CompareStep):
        return _tried("compare", step.of)
    if isinstance(step, RunStep):
        return _run_command(step)
    verb = {"table": "data", "relations": "relate", "world": "train"}[step.kind]
    if isinstance(step, TableStep):
        return shlex.join(["induce", verb, step.source, *_columns(step)])
    return shlex.join(["induce", verb, step.source, *_about(step)])


def game_scripts(step: RunStep, second: bool = False) -> tuple[str, str]:
    """Return a script that evaluates the first position of a game, and the commands to play against the
    learned player.

    Examples
    --------
    >>> print(game_scripts(RunStep(1, WorldStep("tic-tac-toe"), "GameLearner"))[1])
    induce train tic-tac-toe --learner GameLearner --evaluate --out GameLearner.induce
    induce play tic-tac-toe --against GameLearner.induce
    """
    name = step.table.source
    play = ["induce", "play", name, "--against", f"{step.learner}.induce", *(["--second"] if second else [])]
    imports = "from induce.environments.games.game import Turn, find_game"
    lines = [
        *_learned(step),
        f"game = find_game({_quoted(name)})",
        "position = game.start()",
        "rolls = game.rolls(position)",
        "roll = rolls[0][0] if rolls else None",
        "print(model.hypothesis_.reasons(Turn.of(game, position, roll)))",
    ]
    return _script([imports], lines), f"{command_of(step)}\n{shlex.join(play)}"


def _run_command(step: RunStep) -> str:
    from induce.relational.readers.problems import LEARNERS

    settings = [f"{name}={text}" for name, text in step.settings.items()]
    seed = ["--seed", str(step.seed)] if step.seed is not None else []
    out = ["--out", f"{step.learner}.induce"]
    table = step.table
    if isinstance(table, RelationsStep):
        name = next(word for word, learner in LEARNERS.items() if learner == step.learner)
        parts = ["induce", "relate", table.source, *_about(table), "--learner", name]
        for setting in settings:
            key, _, text = setting.partition("=")
            parts += [f"--time-limit={text}"] if key == "time_limit" else ["--set", setting]
        return shlex.join([*parts, "--cv", str(step.cv), *seed, *out])
    if isinstance(table, WorldStep):
        parts = ["induce", "train", table.source, *settings, "--learner", step.learner, *_about(table)]
        return shlex.join([*parts, "--evaluate", *seed, *out])
    parts = ["induce", "learn", table.source, *_columns(table), "--learner", step.learner, *settings]
    parts += ["--cv", str(step.cv)] if step.cv != 10 else []
    return shlex.join([*parts, *seed, *out])


def _tried(verb: str, runs: tuple[RunStep, ...]) -> str:
    """Return the command that compares the learners of runs, or prints their learning curves."""
    first, table = runs[0], runs[0].table
    words = [
        " ".join([each.learner, *(_listed(f"{name}={text}") for name, text in each.settings.items())])
        for each in runs
    ]
    seed = ["--seed", str(first.seed)] if first.seed is not None else []
    if isinstance(table, RelationsStep):
        parts = ["induce", "relate", table.source, *_about(table), f"--{verb}", ",".join(words)]
        return shlex.join([*parts, "--cv", str(first.cv), *seed])
    assert isinstance(table, TableStep)
    parts = ["induce", verb, table.source, *_columns(table), "--learners", ",".join(words)]
    parts += ["--cv", str(first.cv)] if first.cv != 10 else []
    return shlex.join([*parts, *seed, *(["--time-limit", "0"] if verb == "compare" else [])])


def _listed(setting: str) -> str:
    """Quote a setting for a comma-separated list of learners."""
    quoted = shlex.quote(setting)
    return f"'{setting}'" if "," in setting and quoted == setting else quoted


def _columns(table: TableStep) -> list[str]:
    """Return the options that declare the columns of a table."""
    parts = ["--target", table.target] if table.target is not None else []
    for name, told in table.told().items():
        # a value may look like an option
        parts += [f"--{name}={each}" for each in ([told] if isinstance(told, str) else told)]
    return parts


def _about(step: RelationsStep | WorldStep) -> list[str]:
    """Return the options that describe relations or an environment."""
    if isinstance(step, WorldStep):
        return [each for name, text in step.settings.items() for each in ("--set", f"{name}={text}")]
    parts = ["--target", step.target] if step.target is not None else []
    for name, told in step.told().items():
        parts += [f"--{name}={each}" for each in ([told] if isinstance(told, str) else told)]
    return parts


def _called(step: SourceStep) -> str:
    """Return the variable that holds the source in a script."""
    if isinstance(step, WorldStep):
        return "world" if _is_shipped_world(step) else _quoted(step.source)
    return "data" if step.kind == "table" else "problem"


def _is_shipped_world(step: WorldStep) -> bool:
    from induce.environments.catalogue import ENVIRONMENTS

    return step.source in ENVIRONMENTS


def _opened(step: SourceStep, seed: int | None = None) -> tuple[list[str], list[str]]:
    """Return the imports and the lines that open a source; `seed` samples negative examples."""
    if isinstance(step, WorldStep):
        if not _is_shipped_world(step):
            return [], []
        said = "".join(f", {name}={value!r}" for name, value in world_settings(step).items())
        called = f"world = environment({_quoted(step.source)}{said})"
        return ["from induce.environments import environment"], [called]
    if isinstance(step, RelationsStep):
        target = f", {_quoted(step.target)}" if step.target is not None else ""
        said = "".join(f", {name}={value!r}" for name, value in step.told().items())
        said += f", random_state={seed}" if seed is not None else ""
        opened = f"problem = read_problem({_quoted(step.source)}{target}{said})"
        return ["from induce.relational import read_problem"], [opened]
    from induce.data.table_sources import is_shipped

    told: dict[str, Any] = ({"target": step.target} if step.target is not None else {}) | step.told()
    if not is_shipped(step.source):
        return [], [_read("data", step.source, step)]
    if not told:
        return [], [f"data = induce.dataset({_quoted(step.source)})"]
    said = "".join(f", {name}={value!r}" for name, value in ({"target": None} | told).items())
    return ["from induce.data.table_sources import opened_data"], [
        f"data = opened_data({_quoted(step.source)}{said})"
    ]


def _read(name: str, source: str, table: TableStep) -> str:
    """Return the line that reads a file with the declarations of a table."""
    told: dict[str, Any] = ({"target": table.target} if table.target is not None else {}) | table.told()
    said = "".join(f", {key}={value!r}" for key, value in told.items())
    return f"{name} = induce.read({_quoted(source)}{said})"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
