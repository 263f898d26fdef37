"""`induce revise`: an expert's rules, revised where the rows of a table support it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Ignore, Json, Nominal, Numeric
from induce.cli.reading import reads_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from induce.hypotheses.knowledge import Knowledge
    from induce.knowledge.revised_theory import RevisedTheory


@reads_tables()
def revise(
    theory: Annotated[
        str,
        typer.Argument(
            metavar="THEORY", help="A file with rules IF … THEN … over the columns, or with Prolog clauses."
        ),
    ],
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="A file, `-` for standard input, or a shipped data set.")
    ],
    target: Annotated[
        str, typer.Option(metavar="COL", help="Column that marks the rows where the theory should hold.")
    ],
    concept: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Concept that means a class; by default the one that no rule uses."
        ),
    ] = "",
    columns: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LITERAL:CONDITION",
            help="Condition of a literal with several arguments, as in 'base(P, B): p{P} = {B}'. Repeatable.",
        ),
    ] = None,
    theory_weight: Annotated[
        float,
        typer.Option(
            min=0, help="Weight of the distance from the given theory; larger values allow fewer changes."
        ),
    ] = 0.1,
    max_changes: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Maximum number of changes.")
    ] = None,
    cv: Annotated[
        int, typer.Option(metavar="K", min=0, help="Number of folds of the cross-validation; 0 disables it.")
    ] = 10,
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the revised theory here, in its original form."),
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="FILE", help="Save the model here.")] = None,
    draw: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the fate of each rule (svg, png or pdf).")
    ] = None,
    nominal: Nominal = None,
    numeric: Numeric = None,
    ignore: Ignore = None,
    as_json: Json = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Revise an expert's rules where the rows support it, and print each change with its evidence.

    A rule is kept, weakened, strengthened, changed, dropped or new. Each is printed with the rows of the
    class (+) and other rows (-) on which it fired before the revision and fires now.
    """
    from induce.cli.learned import estimated
    from induce.cli.output import check_writable, put_json, put_lines
    from induce.cli.pictures import check_extension, picture
    from induce.cli.progress import bar
    from induce.cli.sources import opened_data
    from induce.core.errors import InputError
    from induce.core.files import write_whole
    from induce.core.notes import note
    from induce.core.persistence import save as save_model
    from induce.data.streams import read_text
    from induce.hypotheses.knowledge import Knowledge
    from induce.knowledge.learners.theory_revision import TheoryRevision

    kind = "" if draw is None else check_extension(draw, ("svg", "png", "pdf"))
    for path in (out, model, draw):
        check_writable(path)
    text = read_text(theory)
    try:
        table = opened_data(
            data, target, nominal=nominal or (), numeric=numeric or (), ignore=ignore or (), **reading
        )
    except InputError as problem:
        if not str(problem).endswith("has a header but no rows"):
            raise
        note("there are no rows, so the theory stays as it is")
        if out is not None:
            write_whole(out, text.encode())
        put_lines(text.rstrip("\n"))
        return
    learner = TheoryRevision(
        knowledge=text,
        concept=concept,
        columns=_patterns(columns or ()),
        theory_weight=theory_weight,
        max_changes=max_changes,
        schema=table.input_schema,
    )
    with bar("revising"):
        learner.fit(table.X, table.y)
    found: Any = learner.hypothesis_
    known = Knowledge.of(text)
    revised: RevisedTheory = found.model if known.laws else found
    files = []
    if out is not None:
        write_whole(out, _written(revised.text, known).encode())
        files.append(out)
    if model is not None:
        save_model(learner, model)
        files.append(model)
    if draw is not None:
        write_whole(draw, picture(revised, kind))
        files.append(draw)
    given = float(
        (revised.given_holds(table.X) != (table.y.to_numpy() == revised.classes[revised.place])).mean()
    )
    estimate = estimated(learner, table.X, table.y, cv, 0) if cv > 1 and len(table) > 1 else None
    if as_json:
        put_json(
            {
                "concept": revised.concept,
                "class": revised.classes[revised.place],
                "rules": [asdict(rule) for rule in revised.rules],
                "theory": revised.text,
                "laws": list(known.laws),
                "given_error": given,
                "error": None if estimate is None else float(estimate.error),
                "files": files,
            }
        )
        return
    lines = [str(found), "", f"the given theory has an error of {given:.1%} on the rows"]
    if estimate is not None:
        lines.append(f"the revised theory: {estimate}")
    put_lines(*lines, *(f"wrote {path}" for path in files))


def _written(text: str, known: Knowledge) -> str:
    """Return a revised theory as a file, with the patterns and laws of the given one."""
    from induce.hypotheses.expert_rules.marks import is_prolog

    patterns = [f"% column {literal}: {condition}" for literal, condition in known.columns]
    laws = [f"{law} % [law]" if is_prolog(law) else f"LAW {law}" for law in known.laws]
    return "\n".join([*patterns, text.rstrip(), *laws]) + "\n"


def _patterns(said: Sequence[str]) -> dict[str, str]:
    """Return the conditions of literals, from options such as ``base(P, B): p{P} = {B}``."""
    from induce.core.errors import InputError

    found = {}
    for one in said:
        literal, colon, condition = one.partition("):")
        if not colon:
            raise InputError(
                f"--columns is {one!r}; write a literal and a condition: 'base(P, B): p{{P}} = {{B}}'"
            )
        found[f"{literal})".strip()] = condition.strip()
    return found
