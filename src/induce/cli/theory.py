"""`induce theory`: a calculator for rows, errors and mistakes, before learning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Json

if TYPE_CHECKING:
    from induce.theory import Space

DEFAULT_DELTA = 0.05
PICTURES = ("svg", "png", "pdf")


def _class_names() -> list[str]:
    from induce.theory.spaces import CLASSES

    return list(CLASSES)


def theory(
    hypotheses: Annotated[
        str | None,
        typer.Argument(
            metavar="[CLASS]",
            autocompletion=_class_names,
            help="Class of hypotheses, such as conjunctions; `classes` lists them.",
        ),
    ] = None,
    n: Annotated[
        int | None, typer.Option("-n", help="Number of attributes, inputs or dimensions of the class.")
    ] = None,
    k: Annotated[
        int | None, typer.Option("-k", help="Number of literals, depth or number of units of the class.")
    ] = None,
    size: Annotated[float | None, typer.Option(help="Number of hypotheses, instead of a class.")] = None,
    vc: Annotated[float | None, typer.Option(help="VC dimension, instead of a class.")] = None,
    epsilon: Annotated[float | None, typer.Option(help="Acceptable error.")] = None,
    delta: Annotated[
        float | None, typer.Option(help="Probability that the rows mislead; 0.05 by default.")
    ] = None,
    rows: Annotated[int | None, typer.Option(help="Available rows: compute their guarantee.")] = None,
    error: Annotated[
        float | None, typer.Option(metavar="RATE", help="Error on the rows of --rows; 0 by default.")
    ] = None,
    setting: Annotated[
        str | None, typer.Option(help="Single bound: consistent, sharp, agnostic, best or vc.")
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="File of hypotheses as lines of 0 and 1: compute their VC dimension, growth and Opt.",
        ),
    ] = None,
    experts: Annotated[
        int | None, typer.Option(help="Number of experts: bound the mistakes of a weighted majority.")
    ] = None,
    best: Annotated[int, typer.Option(help="Number of mistakes of the best expert.")] = 0,
    beta: Annotated[float, typer.Option(help="Factor on the weight of an expert that errs.")] = 0.5,
    draw: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw the bounds or the growth function (svg, png or pdf)."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compute the rows that a class of hypotheses needs, the guarantee of given rows, or bounds on mistakes."""
    from induce.cli.output import check_writable, put_json, put_lines
    from induce.cli.pictures import check_extension, picture
    from induce.core.errors import InputError
    from induce.core.files import write_whole

    check_writable(draw)
    kind = None if draw is None else check_extension(draw, PICTURES)
    ways = {
        "CLASS": hypotheses,
        "--size": size,
        "--vc": vc,
        "--table": table,
        "--experts": experts,
    }
    given = [name for name, value in ways.items() if value is not None]
    if len(given) != 1:
        wanted = "give a class of hypotheses, or one of --size, --vc, --table and --experts"
        raise InputError(
            wanted if not given else f"{given[0]} and {given[1]} are two questions; ask one of them"
        )
    drawn: Any = None
    if hypotheses == "classes":
        document, said = _classes()
    elif table is not None:
        document, said, drawn = _table(table)
    elif experts is not None:
        document, said = _majority(experts, best, beta)
    else:
        space = _space(hypotheses, n, k, size, vc)
        document, said, drawn = _space_answer(space, epsilon, delta, rows, error, setting)
    if draw is not None and kind is not None:
        if drawn is None:
            raise InputError("this result has no picture; leave --draw out, or ask for rows or for a --table")
        write_whole(draw, picture(drawn, kind))
        said = [*said, f"wrote {draw}"]
    if as_json:
        put_json(document)
    else:
        put_lines(*said)


def _space(name: str | None, n: int | None, k: int | None, size: float | None, vc: float | None) -> Space:
    from induce.core.errors import InputError
    from induce.theory import named, of_dimension, of_size

    if name is not None:
        return named(name, n, k)
    if n is not None or k is not None:
        raise InputError("-n and -k belong to a class of hypotheses; leave them out, or name a class")
    return of_size(size) if size is not None else of_dimension(vc or 0)


def _space_answer(
    space: Space,
    epsilon: float | None,
    delta: float | None,
    rows: int | None,
    error: float | None,
    setting: str | None,
) -> tuple[dict[str, Any], list[str], Any]:
    from induce.core.errors import InputError
    from induce.theory import bounds, halving_bound, promise, sample_complexity

    if rows is None and error is not None:
        raise InputError("--error is the error on the given rows; give --rows as well")
    if rows is not None and epsilon is not None and delta is not None:
        raise InputError("--rows, --epsilon and --delta are all given; leave out the one to be computed")
    if rows is None and setting is None:
        side_by_side = bounds(
            space, 0.1 if epsilon is None else epsilon, DEFAULT_DELTA if delta is None else delta
        )
        document = {
            "space": _plain(space),
            "epsilon": side_by_side.epsilon,
            "delta": side_by_side.delta,
            "rows": side_by_side.rows,
            "necessary": side_by_side.necessary,
            "halving_mistakes": halving_bound(space) if space.finite else None,
        }
        mistakes = [f"Halving errs at most {halving_bound(space):,} times"] if space.finite else []
        return document, [*str(side_by_side).splitlines(), *mistakes], side_by_side
    if rows is not None and setting is None and epsilon is None:
        promised = promise(space, rows, error or 0.0, DEFAULT_DELTA if delta is None else delta)
        return promised.as_dict(), str(promised).splitlines(), None
    if error is not None:
        raise InputError("--error needs --rows; leave out --epsilon and --setting")
    if epsilon is None or rows is None:
        delta = DEFAULT_DELTA if delta is None else delta
    if rows is None and epsilon is None:
        epsilon = 0.1
    how = setting or ("consistent" if space.finite else "vc")
    found = sample_complexity(space, m=rows, epsilon=epsilon, delta=delta, setting=how)
    document = {
        "space": _plain(space),
        "asked": found.asked,
        "rows": found.rows,
        "epsilon": found.epsilon,
        "delta": found.delta,
        "vacuous": found.vacuous,
        "setting": how,
    }
    return document, str(found).splitlines(), None


def _plain(space: Space) -> dict[str, Any]:
    return {"name": space.name, "ln_size": space.ln_size if space.finite else None, "vc": space.vc}


def _classes() -> tuple[dict[str, Any], list[str]]:
    from induce.theory.spaces import CLASSES

    described = {
        name: (takes, (make.__doc__ or "").strip().splitlines()[0]) for name, (make, takes) in CLASSES.items()
    }
    lines = [
        f"{' '.join([name, *(f'-{number}' for number in takes)]):<26} {says}"
        for name, (takes, says) in described.items()
    ]
    return {name: {"takes": list(takes), "is": says} for name, (takes, says) in described.items()}, lines


def _majority(experts: int, best: int, beta: float) -> tuple[dict[str, Any], list[str]]:
    import math

    from induce.theory import randomized_majority_bound, weighted_majority_bound

    sure = weighted_majority_bound(best, experts, beta)
    expected = randomized_majority_bound(best, experts, beta)
    document = {
        "experts": experts,
        "best": best,
        "beta": beta,
        "weighted_majority": sure if math.isfinite(sure) else None,
        "randomized": expected if math.isfinite(expected) else None,
    }
    return document, [
        f"{experts} experts, the best of which errs {best} times, beta {beta:g}, whatever rows come:",
        f"Weighted-Majority errs at most {sure:.4g} times",
        f"randomised Weighted-Majority is expected to err fewer than {expected:.4g} times",
    ]


def _table(path: str) -> tuple[dict[str, Any], list[str], Any]:
    from induce.core.errors import InputError
    from induce.theory import growth_function, mistake_bounds, vc_dimension

    hypotheses = _read(path)
    found = vc_dimension(hypotheses)
    answers: dict[str, Any] = {}
    said = [str(found)]
    for name, ask in (("chain", mistake_bounds), ("growth", growth_function)):
        try:
            answers[name] = ask(hypotheses)
        except InputError as failure:  # the other results should still be printed
            answers[name] = None
            said.append(str(failure))
        else:
            said += ([""] if name == "growth" else []) + str(answers[name]).splitlines()
    chain, growth = answers["chain"], answers["growth"]
    document = {
        "vc": found.value,
        "witness": list(found.witness),
        "concepts": found.n_hypotheses,
        "opt": chain and chain.opt,
        "halving": chain and chain.halving,
        "growth": growth and list(growth.dichotomies),
        "sauer": growth and list(growth.sauer),
    }
    return document, said, growth


def _read(path: str) -> list[list[int]]:
    from induce.core.errors import InputError

    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = [line for line in file.read().splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as failure:
        raise InputError(f"cannot read {path!r} ({failure}); give a file with lines of 0 and 1") from None
    rows: list[list[int]] = []
    for number, line in enumerate(lines, start=1):
        marks = line.replace(",", "").replace(" ", "").replace("\t", "")
        if set(marks) - {"0", "1"}:
            raise InputError(
                f"line {number} of {path!r} holds something other than 0 and 1: {line.strip()[:40]!r}"
            )
        if rows and len(marks) != len(rows[0]):
            raise InputError(
                f"line {number} of {path!r} has {len(marks)} instances, but the first has "
                f"{len(rows[0])}; give equally many in every line"
            )
        rows.append([int(mark) for mark in marks])
    if not rows:
        raise InputError(f"there is no hypothesis in {path!r}; give lines of 0 and 1")
    return rows
