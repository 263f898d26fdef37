"""`induce textbook`: the printed results, run again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from induce.cli.options import Json

BRIEF = 32


def textbook(
    id: Annotated[
        str | None, typer.Argument(metavar="ID", help="One result; all of them if not given.")
    ] = None,
    trace: Annotated[
        str | None,
        typer.Option(
            metavar="TABLE",
            help="Print the steps of an algorithm that a book prints, such as mitchell-2.5; `list` names them all.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Picture (.svg, .png, .pdf) or page (.html) of the steps."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Run the results that textbooks print, and compare; or print the steps of their algorithms."""
    if trace is not None:
        _steps(id, trace, out, as_json)
        return
    if out is not None:
        from induce.core.errors import InputError

        raise InputError("--out writes the steps of an algorithm; name it with --trace")
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


def _steps(id: str | None, name: str, out: Path | None, as_json: bool) -> None:
    """Print the steps of an algorithm, or write them; or list the algorithms."""
    from induce.cli.output import put_json, put_lines, put_table
    from induce.core.errors import InputError
    from induce.textbook import algorithms, traced

    if id is not None:
        raise InputError(f"--trace names an algorithm, and {id!r} a result; leave one of them out")
    if name == "list":
        put_table(
            ("id", "algorithm", "example"), [(each.id, each.name, each.example) for each in algorithms()]
        )
        return
    run = traced(name)
    if out is not None:
        _write(run, out)
    elif as_json:
        put_json({"id": run.algorithm.id, "events": run.events.as_list(), "learned": str(run.learned)})
    else:
        put_lines(*str(run).splitlines())


def _write(run: Any, out: Path) -> None:
    """Write a picture, or a whole page."""
    from html import escape

    from induce.cli.pictures import check_extension, picture
    from induce.core.files import write_whole

    kind = check_extension(str(out), ("svg", "png", "pdf", "html"))
    if kind != "html":
        write_whole(out, picture(run, kind))
        return
    head = f"<meta charset='utf-8'><title>{escape(str(run.algorithm))}</title>"
    page = f"<!doctype html><html lang='en'><head>{head}</head><body>{run._repr_html_()}</body></html>"
    write_whole(out, page.encode())


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
