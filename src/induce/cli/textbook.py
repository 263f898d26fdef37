"""`induce textbook`: the printed results, run again."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from induce.cli.options import Json

BRIEF = 32


def textbook(
    id: Annotated[
        str | None, typer.Argument(metavar="ID", help="One result; all of them if not given.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Run the results that textbooks print, and compare."""
    from induce.cli.output import put_json, put_lines, put_table
    from induce.cli.progress import bar
    from induce.textbook import results

    chosen = [result for result in results() if id is None or result.id == id]
    if not chosen:
        from induce.data.names import unknown

        raise unknown("textbook result", str(id), [result.id for result in results()])
    with bar("running"):
        outcomes = [(result, result.run()) for result in chosen]
    if as_json:
        put_json([_document(result, outcome) for result, outcome in outcomes])
    elif id is None:
        rows = [
            (result.id, _brief(str(result.printed)), _brief(outcome.got), _verdict(result, outcome))
            for result, outcome in outcomes
        ]
        put_table(("id", "printed", "ours", "agrees"), rows)
    else:
        put_lines(*_details(*outcomes[0]))
    if not all(outcome.agrees for _, outcome in outcomes):
        raise typer.Exit(2)


def _brief(text: str) -> str:
    """The first line of a text, as much of it as a table has room for."""
    first, *more = text.splitlines() or [""]
    return first if not more and len(first) <= BRIEF else first[: BRIEF - 2].rstrip() + " …"


def _verdict(result: Any, outcome: Any) -> str:
    if not outcome.agrees:
        return "no"
    return "book corrected" if result.erratum else "yes"


def _document(result: Any, outcome: Any) -> dict[str, Any]:
    return {
        "id": result.id,
        "source": result.source,
        "claim": result.claim,
        "printed": result.printed,
        "erratum": result.erratum,
        "got": outcome.got,
        "agrees": outcome.agrees,
        "remark": outcome.remark,
    }


def _details(result: Any, outcome: Any) -> list[str]:
    said = {
        "source": result.source,
        "claim": result.claim,
        "printed": str(result.printed),
        "ours": outcome.got,
        "agrees": _verdict(result, outcome),
        "erratum": result.erratum,
        "remark": outcome.remark,
    }
    below = "\n" + " " * 11
    return [
        result.id,
        *(f"  {name + ':':<9}{below.join(text.splitlines())}" for name, text in said.items() if text),
    ]
