"""`induce derive` and `induce diagnose`: what a domain theory says of examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Json

if TYPE_CHECKING:
    from induce.logic.domain_theory import DomainTheory
    from induce.relational.readers.problems import Problem

Theory = Annotated[
    str, typer.Argument(metavar="THEORY", help="A Prolog file with the clauses of the theory.")
]
Examples = Annotated[
    list[str],
    typer.Argument(
        metavar="EXAMPLES",
        help="Facts about the examples and facts of the target, in Prolog; or any source that `relate` takes.",
    ),
]
Target = Annotated[str, typer.Option(metavar="P/N", help="The predicate to explain.")]


def derive(
    theory: Theory,
    examples: Examples,
    target: Target,
    operational: Annotated[
        list[str] | None,
        typer.Option(metavar="P/N", help="A predicate at which explanations end. Repeatable."),
    ] = None,
    lemmas: Annotated[
        bool, typer.Option("--lemmas", help="Derive all clauses, whatever the examples.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="Use all explanations of an example.")] = False,
    negation: Annotated[
        bool, typer.Option(help="Whether an explanation may rest on something that cannot be proved.")
    ] = True,
    depth: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Maximum depth of derivations, with --lemmas.")
    ] = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Save the model here.")] = None,
    as_json: Json = False,
) -> None:
    """Learn flat clauses from a domain theory: the proof of an example, its regression, the clause."""
    import induce
    from induce.cli import output
    from induce.cli.progress import bar
    from induce.core.errors import InputError
    from induce.core.persistence import save

    output.check_writable(out)
    if depth is not None and not lemmas:
        raise InputError("--depth is for --lemmas; an explanation is as deep as its proof")
    known, problem = _read(theory, examples, target, tuple(operational or ()))
    model: Any
    if lemmas:
        model = induce.LemmaEnumerator(known, problem.background, depth=depth)
    else:
        model = induce.PrologEBG(
            known, problem.background, explanations="all" if every else "first", negation=negation
        )
    with bar("explaining"), induce.trace(only="regress") as events:
        model.fit(problem.X, problem.y)
    if out is not None:
        save(model, out)
    learned = model.hypothesis_
    if as_json:
        output.put_json(
            {
                "target": "{}/{}".format(*known.predicate),
                "clauses": [
                    {
                        "clause": str(clause),
                        "positive": inside,
                        "negative": outside,
                        "example": why.example,
                        "proof": why.proof,
                        "rules": list(why.rules),
                        "relevant": list(why.relevant),
                    }
                    for clause, (outside, inside), why in zip(
                        learned.clauses, learned.counts, learned.justifications, strict=True
                    )
                ],
                "regression": [dict(event.data) for event in events],
                "features": list(learned.features),
                "files": [] if out is None else [out],
            }
        )
        return
    lines = [learned.justify() or str(learned)]
    if events:
        lines += ["", "regression:"]
        lines += [f"   {', '.join(event['frontier'])}" for event in events]
    lines += ["", "learned:", *str(learned).splitlines()]
    if learned.features:
        lines += ["", f"constraints found: {'; '.join(learned.features)}"]
    lines += [f"wrote {out}"] if out is not None else []
    output.put_lines(*lines)


def diagnose(theory: Theory, examples: Examples, target: Target, as_json: Json = False) -> None:
    """Say what a domain theory proves of examples rightly, wrongly and not at all."""
    from dataclasses import asdict

    from induce.analytical.diagnosis import diagnose as diagnosed
    from induce.cli import output

    known, problem = _read(theory, examples, target, ())
    found = diagnosed(known, problem.X, problem.y, problem.background)
    if as_json:
        output.put_json(asdict(found))
    else:
        output.put_lines(str(found))


def _read(
    theory: str, examples: list[str], target: str, operational: tuple[str, ...]
) -> tuple[DomainTheory, Problem]:
    from induce.logic.domain_theory import DomainTheory
    from induce.logic.parsing import read_program
    from induce.relational.readers.problems import read_problem

    known = DomainTheory(str(read_program(theory)), target, operational)
    name = "{}/{}".format(*known.predicate)
    return known, read_problem(examples, name, negatives="any")
