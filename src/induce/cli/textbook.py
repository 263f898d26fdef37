"""`induce textbook`: results printed in textbooks, recomputed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from induce.cli.options import Json

BRIEF = 32


def textbook(
    asked: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID|[BOOK] [KIND] [NUMBER]",
            help="Result by its id; or those of a chapter or section, such as 3, 3.4, mitchell 13, aima 18.10 or "
            "figure 3.4; all by default.",
        ),
    ] = None,
    exercises: Annotated[bool, typer.Option("--exercises", help="Only exercises.")] = False,
    listing: Annotated[bool, typer.Option("--list", help="List the results without running them.")] = False,
    code: Annotated[bool, typer.Option("--code", help="Print the lines that compute the results.")] = False,
    draw: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the picture of one result (.svg, .png, .pdf)."),
    ] = None,
    notebook: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the results with their code as a notebook (.ipynb)."),
    ] = None,
    answers: Annotated[bool, typer.Option(help="Whether the notebook has the answers to exercises.")] = True,
    trace: Annotated[
        str | None,
        typer.Option(
            metavar="TABLE",
            help="Print the steps of an algorithm from a book, such as mitchell-2.5; `list` names them all.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Picture (.svg, .png, .pdf) or page (.html) of the steps."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Recompute the results that textbooks print, and compare; or print the steps of their algorithms."""
    words = asked or []
    if trace is not None:
        _steps(words, trace, out, as_json)
        return
    if out is not None:
        from induce.core.errors import InputError

        raise InputError("--out writes the steps of an algorithm; name it with --trace")
    from induce.textbook.contents import select

    chosen = select(words, exercises)
    if listing:
        _list(chosen, as_json)
    elif code:
        _code(chosen)
    elif draw is not None:
        _draw(chosen, draw)
    elif notebook is not None:
        _notebook(chosen, notebook, answers)
    else:
        _run(chosen, words, as_json)


def _run(chosen: Sequence[Any], words: list[str], as_json: bool) -> None:
    """Compute results and print how they compare: one in detail, several as a table."""
    from induce.cli.output import put_json, put_lines, put_table
    from induce.cli.progress import bar

    with bar("running"):
        loaded = [entry.load() for entry in chosen]
        outcomes = [(result, result.run()) for result in loaded]
    if as_json:
        put_json([_document(result, outcome) for result, outcome in outcomes])
    elif words == [chosen[0].id]:
        put_lines(*_details(*outcomes[0]))
    else:
        rows = [
            (result.id, _brief(str(result.printed)), _brief(outcome.got), result.verdict(outcome))
            for result, outcome in outcomes
        ]
        put_table(("id", "printed", "ours", "verdict"), rows)
    if not all(outcome.agrees for _, outcome in outcomes):
        raise typer.Exit(2)


def _list(chosen: Sequence[Any], as_json: bool) -> None:
    """List entries in the order of the contents."""
    from dataclasses import asdict

    from induce.cli.output import put_json, put_table

    if as_json:
        put_json(
            [
                {"id": entry.id, "source": entry.source, "claim": entry.claim, **asdict(entry.place)}
                for entry in chosen
            ]
        )
        return
    rows = [(entry.id, f"{entry.place.kind} {entry.place.number}".strip(), entry.claim) for entry in chosen]
    put_table(("id", "where", "claim"), rows)


def _code(chosen: Sequence[Any]) -> None:
    """Print the code of each result, preceded by its id if there are several."""
    from induce.cli.output import put_lines
    from induce.textbook.code import code

    for entry in chosen:
        head = [f"# {entry.id}: {entry.source}"] if len(chosen) > 1 else []
        put_lines(*head, *code(entry).splitlines())


def _draw(chosen: Sequence[Any], path: Path) -> None:
    """Write the picture of the only selected result, or of the only one that has a picture."""
    from induce.cli.pictures import check_extension
    from induce.core.errors import InputError
    from induce.core.files import write_whole
    from induce.core.images import image
    from induce.textbook.pictures import PICTURES

    kind = check_extension(str(path), ("svg", "png", "pdf"))
    drawn = [entry for entry in chosen if entry.id in PICTURES]
    if len(drawn) != 1:
        which = (
            f"several have one: {', '.join(entry.id for entry in drawn)}; name one of them"
            if drawn
            else "none of the chosen results has one; name one of those in docs/textbook.md"
        )
        raise InputError(f"--draw writes one picture, and {which}")
    (entry,) = drawn
    write_whole(path, image(PICTURES[entry.id](), kind, entry.source, entry.claim))


def _notebook(chosen: Sequence[Any], path: Path, answers: bool) -> None:
    """Write a notebook."""
    from induce.cli.pictures import check_extension
    from induce.core.files import write_whole
    from induce.textbook.notebook import notebook

    check_extension(str(path), ("ipynb",))
    write_whole(path, notebook(chosen, answers).encode())


def _steps(words: list[str], name: str, out: Path | None, as_json: bool) -> None:
    """Print the steps of an algorithm, or write them; or list the algorithms."""
    from induce.cli.output import put_json, put_lines, put_table
    from induce.core.errors import InputError
    from induce.textbook.traces import algorithms, traced

    if words:
        raise InputError(
            f"--trace names an algorithm, but {' '.join(words)!r} is a result; leave one of them out"
        )
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
    """Return the first line of a text, truncated for a table."""
    first, *more = text.splitlines() or [""]
    return first if not more and len(first) <= BRIEF else first[: BRIEF - 2].rstrip() + " …"


def _document(result: Any, outcome: Any) -> dict[str, Any]:
    return {
        "id": result.id,
        "source": result.source,
        "claim": result.claim,
        "printed": result.printed,
        "erratum": result.erratum,
        "comment": result.comment,
        "not reproduced": result.not_reproduced,
        "got": outcome.got,
        "verdict": result.verdict(outcome),
        "agrees": outcome.agrees and not result.not_reproduced,
        "remark": outcome.remark,
    }


def _details(result: Any, outcome: Any) -> list[str]:
    second = " (second edition)" if result.place.edition == "second" else ""
    said = {
        "source": result.source + second,
        "claim": result.claim,
        "printed": str(result.printed),
        "ours": outcome.got,
        "verdict": result.verdict(outcome),
        "why": result.erratum or result.not_reproduced or result.comment,
        "remark": outcome.remark,
    }
    below = "\n" + " " * 11
    return [
        result.id,
        *(f"  {name + ':':<9}{below.join(text.splitlines())}" for name, text in said.items() if text),
    ]
