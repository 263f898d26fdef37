"""`induce derive` and `induce diagnose`: conclusions of a domain theory about examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Json

if TYPE_CHECKING:
    from induce.logic.background.relations import Relations
    from induce.logic.domain_theory import DomainTheory

Theory = Annotated[
    str,
    typer.Argument(
        metavar="THEORY",
        help="A file with the clauses of the theory in Prolog, with IF-THEN rules over columns, or with a decision "
        "table (CSV or Excel), one rule per row.",
    ),
]
Examples = Annotated[
    list[str],
    typer.Argument(
        metavar="EXAMPLES",
        help="Facts about the examples and facts of the target, in Prolog; any source that `relate` "
        "takes; or a table of cases with a column named like the target.",
    ),
]
Target = Annotated[
    str, typer.Option(metavar="P/N", help="Predicate to explain; for a column, one value: 'risk = high'.")
]
SPREADSHEETS = (".xlsx", ".xls", ".xlsb", ".ods")
TABLES = (".csv", ".tsv", *SPREADSHEETS, ".parquet", ".arff", ".feather", ".jsonl")


def derive(
    theory: Theory,
    examples: Examples,
    target: Target,
    operational: Annotated[
        list[str] | None,
        typer.Option(metavar="P/N", help="Predicate at which explanations end. Repeatable."),
    ] = None,
    lemmas: Annotated[
        bool, typer.Option("--lemmas", help="Derive all clauses, regardless of the examples.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="Use all explanations of an example.")] = False,
    repeat: Annotated[
        bool, typer.Option("--repeat", help="Generalise repeated steps of a proof to any number.")
    ] = False,
    lazy: Annotated[
        bool, typer.Option("--lazy", help="Assume negated conditions, and explain them where a clause errs.")
    ] = False,
    negation: Annotated[
        bool, typer.Option(help="Whether an explanation may include assumptions that cannot be proved.")
    ] = True,
    depth: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Maximum depth of derivations, with --lemmas.")
    ] = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Save the model here.")] = None,
    as_json: Json = False,
) -> None:
    """Learn flat clauses from a domain theory: prove an example, regress the proof, and add the clause."""
    import induce
    from induce.cli import output
    from induce.cli.progress import bar
    from induce.core.errors import InputError
    from induce.core.persistence import save

    output.check_writable(out)
    if depth is not None and not lemmas:
        raise InputError(
            "--depth is for --lemmas, since the depth of an explanation is that of its proof; leave it out"
        )
    if lazy and (lemmas or every or repeat or not negation):
        raise InputError(
            "--lazy has its own way to explain; leave out --lemmas, --all, --repeat and --no-negation"
        )
    if repeat and lemmas:
        raise InputError("--repeat generalises proofs, which --lemmas does not use; leave one out")
    known, X, y, background = _read(theory, examples, target, tuple(operational or ()))
    model: Any
    if lemmas:
        model = induce.LemmaEnumerator(known, background, depth=depth)
    elif lazy:
        model = induce.LazyEBG(known, background)
    else:
        model = induce.PrologEBG(
            known,
            background,
            explanations="all" if every else "first",
            negation=negation,
            repetition=repeat,
        )
    with bar("explaining"), induce.trace(only="regress") as events:
        model.fit(X, y)
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
                        "assumed": list(why.assumed),
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


def diagnose(
    theory: Theory,
    examples: Examples,
    target: Target,
    full: Annotated[
        bool, typer.Option("--full", help="Show for each failed proof where every clause stopped.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Report which examples a domain theory proves correctly, incorrectly and not at all."""
    from induce.analytical.diagnosis import diagnose as diagnosed
    from induce.cli import output

    found = diagnosed(*_read(theory, examples, target, ()))
    if as_json:
        failures = [
            {"example": one.example, "stopped_at": one.stopped_at, "tree": str(one.tree).splitlines()}
            for one in found.failures
        ]
        output.put_json(vars(found) | {"failures": failures})
        return
    output.put_lines(str(found))
    if full:
        output.put_lines(*(f"\n{one.tree}" for one in found.failures))


def _read(
    theory: str, examples: list[str], target: str, operational: tuple[str, ...]
) -> tuple[DomainTheory, Any, Any, Relations | None]:
    """Return the theory, the examples, whether each belongs to the target, and their facts."""
    known = _theory(theory, target, operational)
    if len(examples) == 1 and examples[0].lower().endswith(TABLES):
        return known, *_cases(examples[0], known), None
    from induce.relational.readers.problems import read_problem

    problem = read_problem(examples, "{}/{}".format(*known.predicate), negatives="any")
    return known, problem.X, problem.y, problem.background


def _theory(path: str, target: str, operational: tuple[str, ...]) -> DomainTheory:
    from induce.core.errors import InputError
    from induce.data.streams import read_text
    from induce.logic.domain_theory import DomainTheory
    from induce.logic.parsing import read_program

    if path.lower().endswith((".csv", *SPREADSHEETS)):
        if "=" not in target:
            raise InputError(
                f"--target is {target!r}; name the conclusion of the decision table to explain: '{target} = value'"
            )
        return DomainTheory.from_decision_table(path, target, operational)
    text = read_text(path)
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    if first.upper().startswith("IF "):
        return DomainTheory.from_rules(text, target.removesuffix("/1"), operational)
    return DomainTheory(str(read_program(path)), target, operational)


def _cases(path: str, theory: DomainTheory) -> tuple[Any, Any]:
    """Read a table of cases; the column of the target marks its examples."""
    from induce.analytical.table_cases import are_cases
    from induce.core.errors import InputError
    from induce.data.reading import read

    column, equals, value = map(str.strip, theory.predicate[0].partition("="))
    table = read(path)
    if column not in table.frame.columns:
        raise InputError(
            f"{path} has no column {column!r}, which marks the examples of {theory.predicate[0]!r}; it has "
            f"{', '.join(map(repr, table.frame.columns))}"
        )
    X, said = table.frame.drop(column), table.frame[column]
    if said.null_count():
        raise InputError(f"column {column!r} of {path} has {said.null_count()} missing values; fill them in")
    if not are_cases(X, theory):
        raise InputError(f"the theory uses no column of {path}: {', '.join(map(repr, X.columns))}")
    return X, [_same(cell, value) for cell in said] if equals else said.to_numpy()


def _same(cell: Any, value: str) -> bool:
    try:
        return float(cell) == float(value)
    except ValueError:
        return str(cell) == value.strip("'\"")
