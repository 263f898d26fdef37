"""`induce evolve`: evolve solutions of a fitness function, or of a shipped problem."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from induce.cli.options import Json
from induce.cli.parameters import setting_words

PICTURES = ("svg", "png", "pdf")


def _problem_names() -> list[str]:
    from induce.evolution.problems.catalogue import PROBLEMS

    return list(PROBLEMS)


def evolve(
    problem: Annotated[
        str | None,
        typer.Argument(
            metavar="PROBLEM",
            autocompletion=_problem_names,
            help="Shipped problem, or FILE.py:FUNCTION; without it, all shipped problems are listed.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KEY=VALUE",
            autocompletion=setting_words,
            help="Parameters of the learner; see `induce learners NAME`.",
        ),
    ] = None,
    learner: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Learner from a fitness function; by default GeneticAlgorithm, or GeneticProgramming for programs.",
        ),
    ] = None,
    genome: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Genome of a function: bits:N, wholes:N:LOW:HIGH, reals:N:LOW:HIGH, permutation:N, or a name in "
            "the file, of a genome or of a language of programs.",
        ),
    ] = None,
    size: Annotated[int | None, typer.Option(metavar="N", help="Size of a shipped problem.")] = None,
    demes: Annotated[
        int | None, typer.Option(metavar="N", help="Divide the population into demes, in a ring.")
    ] = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Save the run here.")] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="FILE", help="Continue a run that --out saved.")
    ] = None,
    draw: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the fitness here (svg, png or pdf).")
    ] = None,
    search: Annotated[
        bool, typer.Option("--search", help="Also run plain search with as many evaluations.")
    ] = False,
    live: Annotated[
        bool | None,
        typer.Option("--live/--no-live", help="Print a line per generation; by default on a terminal."),
    ] = None,
    jobs: Annotated[int, typer.Option(metavar="N", help="Number of processes that compute the fitness.")] = 1,
    time_limit: Annotated[
        float | None, typer.Option(metavar="S", help="Seconds after which an evaluation is abandoned.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="Random seed.")] = None,
    as_json: Json = False,
) -> None:
    """Evolve solutions of a problem and print the best one."""
    from induce.cli import output
    from induce.cli.pictures import check_extension, picture
    from induce.cli.runs import watched
    from induce.core.files import write_whole
    from induce.core.persistence import save

    if problem is None:
        _list(as_json)
        return
    for path in (out, draw):
        output.check_writable(path)
    kind = None if draw is None else check_extension(draw, PICTURES)
    source, own, usual, suited = _source(problem, genome, size)
    given = {"demes": demes, "jobs": jobs, "time_limit": time_limit, "seed": seed}
    model = _model(learner or usual, settings or [], own, suited, given, resume)
    started = time.perf_counter()
    with watched(live, "breeding"):
        model = model.learn(source) if resume is None else model.resume(source)
    seconds = time.perf_counter() - started
    beside = None
    if search:
        from induce.evolution.comparison import beside_search

        beside = beside_search(model, source, seed or 0)
    image = None if kind is None else picture(model.history_ if beside is None else beside, kind)
    if out is not None:
        save(model, out)
    if draw is not None and image is not None:
        write_whole(draw, image)
    written = [path for path in (out, draw) if path is not None]
    if as_json:
        output.put_json(_document(problem, model, seconds, beside, written))
    else:
        output.put_lines(*_report(model, seconds, beside, written))


def _list(as_json: bool) -> None:
    from induce.cli.output import put_json, put_table
    from induce.evolution.problems.catalogue import PROBLEMS

    if as_json:
        put_json([{"name": name, "summary": entry.summary} for name, entry in PROBLEMS.items()])
    else:
        put_table(("problem", "goal"), [(name, entry.summary) for name, entry in PROBLEMS.items()])


def _source(problem: str, genome: str | None, size: int | None) -> tuple[Any, Any, str, dict[str, Any]]:
    """Return the source, the genome of a function, the default learner, and settings for a shipped problem."""
    from induce.core.errors import InputError
    from induce.evolution.problems.catalogue import PROBLEMS
    from induce.evolution.problems.catalogue import problem as shipped

    path, colon, name = problem.rpartition(":")
    if colon and path.endswith(".py"):
        if size is not None:
            raise InputError(
                "--size is for shipped problems; the genome determines the size of an individual"
            )
        return _from_file(path, name, genome)
    if problem.endswith(".py"):
        raise InputError(f"name the fitness function in {problem!r}, as {problem}:fitness")
    if genome is not None:
        raise InputError(f"--genome is for functions of a file; {problem} has its own genome")
    source = shipped(problem, size)
    return source, None, PROBLEMS[problem].learner, dict(PROBLEMS[problem].settings)


def _from_file(path: str, name: str, genome: str | None) -> tuple[Any, Any, str, dict[str, Any]]:
    import os
    import runpy

    from induce.core.errors import InputError
    from induce.evolution.genomes.kind import Genome
    from induce.evolution.problems.catalogue import genome_of
    from induce.evolution.programs.language import Language

    if not os.path.isfile(path):
        raise InputError(f"there is no file {path!r}")
    try:
        names = runpy.run_path(path)
    except Exception as problem:
        reason = " ".join(f"{type(problem).__name__}: {problem}".split())
        raise InputError(f"{path!r} cannot be run ({reason})") from None
    if not callable(names.get(name)):
        functions = [key for key, value in names.items() if callable(value) and not key.startswith("_")]
        raise InputError(f"{path!r} has no function {name!r}; it has {', '.join(functions) or 'none'}")
    kind = names.get(genome) if genome is not None else names.get("genome", names.get("language"))
    if isinstance(kind, Language):
        return names[name], kind, "GeneticProgramming", {}
    if not isinstance(kind, Genome):
        if genome is None:
            raise InputError("give the genome with --genome, as bits:20, or name it `genome` in the file")
        kind = genome_of(genome)
    return names[name], kind, "GeneticAlgorithm", {}


def _model(
    learner: str,
    settings: list[str],
    genome: Any,
    suited: dict[str, Any],
    given: dict[str, Any],
    resume: str | None,
) -> Any:
    """Return the learner: a new one, or the one in the file of a run."""
    import inspect

    from induce.cli.parameters import catalogued, learner_class, parameters_of
    from induce.cli.runs import check_parameters, saved_run
    from induce.core.errors import InputError
    from induce.evolution.programs.language import Language
    from induce.evolution.structures import Demes

    entry = catalogued(learner)
    if not entry.explores or not hasattr(learner_class(learner), "history_"):
        raise InputError(
            f"{entry.name} does not learn from a fitness function; `induce learners` lists those that do"
        )
    chosen = learner_class(learner)
    if resume is not None:
        model = saved_run(resume, "evolve")
        chosen = type(model)
    known = inspect.signature(chosen).parameters
    parameters = parameters_of(chosen, settings)
    extra = {"n_jobs": given["jobs"], "time_limit": given["time_limit"]}
    if given["demes"] is not None:
        extra["structure"] = Demes(given["demes"])
    if given["seed"] is not None:
        extra["random_state"] = given["seed"]
    check_parameters(chosen, extra)
    if resume is not None:
        _check_genome(genome, model)
        return model.set_params(**extra, **parameters)
    if genome is not None:
        takes = "language" if isinstance(genome, Language) else "genome"
        if takes not in known:
            raise InputError(f"{chosen.__name__} has no parameter {takes!r}; choose another --learner")
        extra[takes] = genome
    usual = {name: value for name, value in suited.items() if name in known}
    return chosen(**{**usual, **extra, **parameters})


def _check_genome(genome: Any, model: Any) -> None:
    """Refuse to continue with individuals of another kind than those of the run."""
    from induce.core.errors import InputError

    own = getattr(model, "genome", getattr(model, "language", None))
    if genome is not None and own is not None and genome != own:
        raise InputError(
            f"the run to be resumed has individuals of {own}, not of {genome}; leave out --genome"
        )


def _report(model: Any, seconds: float, beside: Any, written: list[str]) -> list[str]:
    history = model.history_
    lines = [*str(history).splitlines(), "", *str(model.hypothesis_).splitlines(), ""]
    lines.append(f"{type(model).__name__}: {model.hypothesis_.size()}, learned in {seconds:.2f} s")
    if beside is not None:
        lines += ["", *str(beside).splitlines()]
    return [*lines, *(f"wrote {path}" for path in written)]


def _document(problem: str, model: Any, seconds: float, beside: Any, written: list[str]) -> dict[str, Any]:
    from induce.core.plain import plain

    history = model.history_
    return {
        "problem": problem,
        "learner": {"name": type(model).__name__, "seconds": seconds},
        "hypothesis": str(model.hypothesis_),
        "fitness": history.best,
        "generations": len(history.rows) - 1,
        "evaluations": history.evaluations,
        "failed": plain(dict(history.problems)),
        "history": plain([vars(row) for row in history.rows]),
        "search": None if beside is None else {name: each.best for name, each in beside.histories.items()},
        "files": written,
    }
