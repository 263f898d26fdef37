"""`induce relate`: clauses from relations."""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from induce.cli.options import Json, ShowTrace

if TYPE_CHECKING:
    from induce.hypotheses.theory import Theory
    from induce.relational.readers.problems import Problem

Name = Literal["auto", "programs", "foil", "progol", "golem", "cigol", "rdt", "focl"]
OPTIONS = {
    "background": "SOURCE",
    "target": "--target",
    "knowledge": "--knowledge",
    "time_limit": "--time-limit",
    "random_state": "--seed",
}
"""Learner parameters that are set by options."""


def relate(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE",
            help="A folder with exs.pl, bk.pl and bias.pl; a stem of .b, .f and .n files; Prolog files; an SQLite "
            "file, the URL of a database, or a folder of CSV or Parquet files.",
        ),
    ],
    target: Annotated[
        str | None,
        typer.Option(metavar="P/N", help="Relation to learn; for a database, the table with the examples."),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(metavar="COL", help="Column of that table that marks the rows in the relation."),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TABLE|TABLE.COL", help="Table or column that clauses must not use. Repeatable."
        ),
    ] = None,
    theory: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="File with rules and facts in Prolog, added to the background."),
    ] = None,
    modes: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="File with modes in Prolog, `:- modeb(*, parent(+person, -person)).`: the only allowed literals.",
        ),
    ] = None,
    learner: Annotated[
        Name | None,
        typer.Option(
            help="Learner; by default the best of several, or progol if there are no negative examples."
        ),
    ] = None,
    knowledge: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Clauses for the target in Prolog, perhaps partly wrong, that guide focl."
        ),
    ] = None,
    negatives: Annotated[
        Literal["given", "closed-world", "none"] | None,
        typer.Option(help="Negative examples; by default those of the source."),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(metavar="S", help="Seconds after which the search ends with the clauses found."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Parameter of the learner. Repeatable."),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(
            metavar="SOURCE",
            help="Also test on the examples of another source of the same kind, with an interval.",
        ),
    ] = None,
    cv: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=2,
            help="Also estimate the error by N-fold cross-validation, with an interval; --compare uses 10 folds "
            "by default.",
        ),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help='Compare these learners on the same folds instead, as in "foil,progol depth=3".',
        ),
    ] = None,
    ask: Annotated[bool, typer.Option("--ask", help="Let cigol ask questions on the terminal.")] = False,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Save the model here.")] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="Random seed.")] = None,
    trace: ShowTrace = False,
    as_json: Json = False,
) -> None:
    """Learn clauses from relations and print them with their coverage."""
    from induce.cli import output
    from induce.cli.progress import bar
    from induce.cli.relations_compared import FOLDS, put_comparison, refuse_alone
    from induce.cli.trace_option import check_tracing, put_trace, traced
    from induce.core.errors import InputError
    from induce.core.persistence import save
    from induce.core.time_limit import at_most
    from induce.relational.readers.problems import read_problem

    check_tracing(trace, as_json)
    output.check_writable(out)
    if compare is not None:
        alone = {
            "--learner": learner,
            "--knowledge": knowledge,
            "--set": settings,
            "--test": test,
            "--out": out,
        }
        refuse_alone(alone | {"--ask": ask, "--trace": trace})
    begun = time.process_time()
    try:
        with at_most(_guard(time_limit)):

            def read(given: list[str]) -> Problem:
                found = read_problem(
                    given,
                    target,
                    label=label,
                    negatives=negatives,
                    ignore=ignore or (),
                    random_state=seed or 0,
                )
                return _with_files(found, theory, modes)

            problem = read(sources)
            fresh = None if test is None else read([test])
    except TimeoutError:
        raise InputError(
            f"reading {sources[0]!r} takes longer than the time limit of {time_limit:g} s; raise --time-limit"
        ) from None
    if compare is not None:
        put_comparison(problem, compare, cv or FOLDS, time_limit, seed, as_json)
        return
    model = _model(problem, learner, settings or [], time_limit, seed, knowledge)
    if ask:
        _let_ask(model)
    limit = model.get_params().get("time_limit")
    started = time.process_time()
    # the learner stops by itself and keeps its clauses, but not while it waits for a query
    try:
        with (
            nullcontext() if ask else bar("learning"),
            at_most(None if ask else _guard(limit, 1.25, 0.0 if time_limit is None else started - begun)),
            traced(trace) as events,
        ):
            model.fit(problem.X, problem.y)
    except TimeoutError:
        raise InputError(
            f"the time limit of {limit:g} s expired during a query of the background; check for "
            "an infinite rule, or raise --time-limit"
        ) from None
    seconds = time.process_time() - started
    put_trace(events)
    if out is not None:
        save(model.set_params(oracle=None) if ask else model, out)
    trust = _trust(model, problem, fresh, cv, seed or 0)
    if as_json:
        output.put_json(
            _document(problem, model, seconds, out) | {key: _error(one) for key, one in trust.items()}
        )
    else:
        output.put_lines(*_report(problem, model, seconds, out))
        output.put_lines(*(f"{TRUST[key]}: {one}" for key, one in trust.items()))


TRUST = {"test": "on the test source", "cv": "by cross-validation"}


def _with_files(problem: Problem, theory: str | None, modes: str | None) -> Problem:
    """Return a problem with additional rules and modes from files."""
    from induce.data.streams import read_text

    if theory is not None:
        problem = problem.with_rules(read_text(theory), theory)
    return problem if modes is None else problem.with_modes(read_text(modes), modes)


def _trust(model: Any, problem: Problem, fresh: Problem | None, cv: int | None, seed: int) -> dict[str, Any]:
    """Estimate the error on the examples of another source, and by cross-validation."""
    from induce.evaluation.estimating.estimate import evaluate

    found = {}
    if fresh is not None:
        known = model.hypothesis_.with_background(fresh.background)
        found["test"] = evaluate(known, fresh.X, fresh.y, cv=None)
    if cv is not None:
        found["cv"] = evaluate(model, problem.X, problem.y, cv=cv, random_state=seed)
    return found


def _error(estimate: Any) -> dict[str, Any]:
    interval = estimate.interval
    return {
        "error": estimate.error,
        "interval": [interval.low, interval.high],
        "n": estimate.n,
        "method": estimate.method,
    }


def _guard(time_limit: float | None, times: float = 1.0, spent: float = 0.0) -> float | None:
    """Return the deadline for work that does not stop by itself: a little after the limit, and at least a second."""
    return max(times * time_limit - spent, 1.0) if time_limit is not None and time_limit > 0 else None


def _let_ask(model: Any) -> None:
    """Let a learner ask the person at the terminal."""
    from induce.cli import output
    from induce.core.errors import InputError
    from induce.relational.cigol.oracles import ConsoleOracle

    if "oracle" not in model.get_params():
        raise InputError(f"{type(model).__name__} asks no questions; --ask is for --learner cigol")
    model.set_params(oracle=ConsoleOracle(write=output.put))


def _model(
    problem: Problem,
    learner: Name | None,
    settings: list[str],
    time_limit: float | None,
    seed: int | None,
    knowledge: str | None = None,
) -> Any:
    """Return the learner with the parameters of the source, overridden by those of the user."""
    import inspect

    import induce
    from induce.cli.parameters import parameters_of
    from induce.core.errors import InputError
    from induce.data.streams import read_text
    from induce.relational.readers.problems import LEARNERS
    from induce.relational.readers.settings import parameters_for

    named = LEARNERS | {"focl": "RelationalFOCL"}
    only_positive = problem.settings.get("positive_only", False)
    name = learner or ("focl" if knowledge is not None else "progol" if only_positive else "auto")
    if knowledge is not None and name != "focl":
        raise InputError(f"--knowledge guides --learner focl; {named[name]} cannot use it")
    if only_positive and name != "progol":
        raise InputError(
            f"{named[name]} needs negative examples, but there are none of {problem.target}; give "
            "--negatives closed-world, or --learner progol"
        )
    chosen: Any = getattr(induce, named[name])
    known = inspect.signature(chosen).parameters
    for setting in settings:
        key = setting.partition("=")[0]
        if key in OPTIONS:
            raise InputError(f"{key} is set by {OPTIONS[key]}, not by --set")
    parameters = parameters_for(chosen, problem.settings)
    parameters |= parameters_of(chosen, settings)
    parameters |= {"knowledge": read_text(knowledge)} if knowledge is not None else {}
    parameters |= {"time_limit": time_limit} if time_limit is not None else {}
    parameters |= {"random_state": seed} if seed is not None and "random_state" in known else {}
    return chosen(problem.background, problem.target, **parameters)


def _report(problem: Problem, model: Any, seconds: float, out: str | None) -> list[str]:
    theory: Theory = model.hypothesis_
    lines = [str(problem), ""]
    if problem.has_classes or not theory.clauses:
        lines += str(theory).splitlines()
    else:
        for clause, (outside, inside) in zip(theory.clauses, theory.counts, strict=True):
            lines.append(f"{clause}  % {inside:g} positive, {outside:g} negative")
    lines += ["", f"{type(model).__name__}: {theory.size()}, learned in {seconds:.2f} s"]
    if problem.has_classes:
        lines.append(f"misclassifies {theory.errors():,} of {len(problem.y):,} examples")
    else:
        (n_inside, n_outside), (inside, outside) = _counts(problem), _covered(theory)
        lines.append(
            f"covers {inside:g} of {n_inside} positive and {outside:g} of {n_outside} negative examples"
        )
    lines += [f"tried {trial}" for trial in getattr(model, "trials_", ())]
    lines += [f"ended early: {model.stopped_}"] if getattr(model, "stopped_", None) else []
    return [*lines, *([f"wrote {out}"] if out is not None else [])]


def _document(problem: Problem, model: Any, seconds: float, out: str | None) -> dict[str, Any]:
    from induce.core.plain import plain

    names = ("right", "wrong") if problem.has_classes else ("positive", "negative")
    theory: Theory = model.hypothesis_
    parameters = {
        key: value for key, value in model.get_params().items() if key not in ("background", "target")
    }
    return {
        "problem": {
            "name": problem.name,
            "target": "{}/{}".format(*problem.predicate),
            **_counted(problem),
            "relations": [f"{name}/{arity}" for name, arity in problem.background.predicates()],
        },
        "learner": {"name": type(model).__name__, "parameters": plain(parameters), "seconds": seconds},
        "theory": [
            {"clause": str(clause), **dict(zip(names, (right, wrong), strict=True))}
            for clause, (right, wrong) in zip(theory.clauses, theory.right_and_wrong(), strict=False)
        ],
        "covered": {
            name: sum(counts[place] for counts in theory.right_and_wrong()[:-1])
            for place, name in enumerate(names)
        },
        "trials": [
            {
                "strategy": one.strategy,
                "size": one.theory.size(),
                "wrong": one.theory.errors(),
                "seconds": one.seconds,
            }
            for one in getattr(model, "trials_", ())
        ],
        "stopped": getattr(model, "stopped_", None),
        "files": [] if out is None else [out],
    }


def _counted(problem: Problem) -> dict[str, Any]:
    if problem.has_classes:
        values = problem.y.tolist()
        return {"classes": {str(value): values.count(value) for value in sorted({*values})}}
    n_inside, n_outside = _counts(problem)
    return {"positive": n_inside, "negative": n_outside}


def _counts(problem: Problem) -> tuple[int, int]:
    inside = int(problem.y.sum())
    return inside, len(problem.y) - inside


def _covered(theory: Theory) -> tuple[float, float]:
    """Return the number of positive and negative training examples that some clause covers."""
    return sum(inside for _, inside in theory.counts), sum(outside for outside, _ in theory.counts)
