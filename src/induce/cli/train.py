"""`induce train`: learn by acting in an environment."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from induce.cli.options import Json, ShowTrace
from induce.cli.parameters import setting_words
from induce.cli.processes import environment_names

PICTURES = ("svg", "png", "pdf")


def train(
    env: Annotated[
        str | None,
        typer.Argument(
            metavar="ENV",
            autocompletion=environment_names,
            help="A shipped environment, one of gymnasium, or a table of transitions; without it, all shipped "
            "environments are listed.",
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
        str, typer.Option(metavar="NAME", help="Learner that acts: `induce learners` lists them.")
    ] = "QLearning",
    env_settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Parameter of the environment. Repeatable."),
    ] = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Save the policy and the run here.")] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="FILE", help="Continue a run that --out saved.")
    ] = None,
    draw: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the policy here (svg, png or pdf).")
    ] = None,
    live: Annotated[
        bool | None,
        typer.Option("--live/--no-live", help="Print a line per step of the run; by default on a terminal."),
    ] = None,
    evaluate: Annotated[
        bool,
        typer.Option("--evaluate", help="Also play 1000 episodes or games and print their mean return."),
    ] = False,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="Random seed.")] = None,
    trace: ShowTrace = False,
    as_json: Json = False,
) -> None:
    """Learn by acting and print the result; Ctrl-C keeps it, and --resume continues."""
    from induce.cli import output
    from induce.cli.pictures import check_extension, picture
    from induce.cli.processes import list_environments, opened_process
    from induce.cli.runs import watched
    from induce.cli.trace_option import check_tracing, put_trace, traced
    from induce.core.files import write_whole
    from induce.core.persistence import save

    if env is None:
        list_environments(as_json)
        return
    check_tracing(trace, as_json)
    for path in (out, draw):
        output.check_writable(path)
    kind = None if draw is None else check_extension(draw, PICTURES)
    model = _model(learner, settings or [], seed, resume)
    source = opened_process(env, env_settings or [])
    started = time.perf_counter()
    with watched(live, "learning"), traced(trace) as events:
        model = model.learn(source) if resume is None else model.resume(source)
    seconds = time.perf_counter() - started
    put_trace(events)
    earned = _earned(model, source) if evaluate else None
    image = None if kind is None else picture(model.hypothesis_, kind)
    if out is not None:
        save(model, out)
    if draw is not None and image is not None:
        write_whole(draw, image)
    written = [path for path in (out, draw) if path is not None]
    if as_json:
        output.put_json(_document(env, model, seconds, written) | _estimate(earned))
        return
    lines = [*str(model.hypothesis_).splitlines(), "", _summary(model, seconds)]
    lines += [] if earned is None else [str(earned)]
    output.put_lines(*lines, *(f"wrote {path}" for path in written))


def _earned(model: Any, source: Any) -> Any:
    """Return the mean return of the policy or player, with an interval."""
    from induce.cli.progress import bar
    from induce.evaluation.estimating.estimate import evaluate

    with bar("testing"):
        return evaluate(model.hypothesis_, source)


def _estimate(earned: Any) -> dict[str, Any]:
    if earned is None:
        return {}
    interval = earned.interval
    span = None if interval is None else [interval.low, interval.high]
    return {"estimate": {"measure": earned.measure, "value": earned.value, "interval": span}}


def _model(learner: str, settings: list[str], seed: int | None, resume: str | None) -> Any:
    """Return the learner: a new one, or the one in the file of a run."""
    from induce.cli.parameters import catalogued, learner_class, parameters_of
    from induce.cli.runs import check_parameters, saved_run
    from induce.core.declarations import FITNESS
    from induce.core.errors import InputError

    extra = {} if seed is None else {"random_state": seed}
    if resume is not None:
        model = saved_run(resume, "train")
        check_parameters(type(model), extra)
        return model.set_params(**extra, **parameters_of(type(model), settings))
    entry = catalogued(learner)
    if not entry.explores or entry.needs == FITNESS:
        raise InputError(f"{entry.name} does not learn by acting; it needs {entry.needs}")
    chosen = learner_class(learner)
    check_parameters(chosen, extra)
    return chosen(**{**extra, **parameters_of(chosen, settings)})


def _summary(model: Any, seconds: float) -> str:
    parts = [f"{type(model).__name__}: {model.hypothesis_.size()}".rstrip(": ")]
    returns = getattr(model, "returns_", None)
    if returns is not None and len(returns):
        last = returns[-100:]
        parts.append(f"mean return of the last {len(last)} episodes {last.mean():.6g}")
    if hasattr(model, "n_actions_"):
        parts.append(f"{model.n_actions_:,} actions")
    return f"{', '.join(parts)}, learned in {seconds:.2f} s"


def _document(env: str, model: Any, seconds: float, written: list[str]) -> dict[str, Any]:
    import json

    from induce.core.plain import plain

    hypothesis = model.hypothesis_
    told = json.loads(hypothesis.to_json())
    return {
        "environment": env,
        "learner": {"name": type(model).__name__, "seconds": seconds},
        "policy": told,
        "returns": plain(getattr(model, "returns_", None)),
        "actions": plain(getattr(model, "n_actions_", None)),
        "files": written,
    }
