"""`induce cases`: devices and parts for a specification."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Json

if TYPE_CHECKING:
    from induce.instances.cases import CaseLibrary, Design, Match


def cases(
    library: Annotated[
        str, typer.Argument(metavar="LIBRARY", help="A JSON file of cases, or `devices`, which is shipped.")
    ],
    find: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="Specification: edges such as 'C_f -> + Q_m', a JSON file, or `faucet`, which is shipped.",
        ),
    ] = None,
    elaborate: Annotated[
        int, typer.Option(metavar="N", min=0, help="Maximum number of edges to rewrite if no case is found.")
    ] = 0,
    combine: Annotated[
        bool, typer.Option("--combine", help="Combine cases that provide different parts.")
    ] = False,
    draw: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the result here: .svg, .png or .pdf.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find the cases whose function graphs share most with a specification, or list the cases."""
    from induce.cli import output
    from induce.cli.pictures import check_extension, picture
    from induce.core.errors import InputError
    from induce.core.files import write_whole
    from induce.instances.cases import read_cases, read_specification

    kind = None if draw is None else check_extension(draw, ("svg", "png", "pdf"))
    output.check_writable(draw)
    known = read_cases(library)
    if find is None:
        if combine or elaborate or draw is not None:
            raise InputError("no specification is given; give one with --find")
        _list(known, as_json)
        return
    specification = read_specification(find)
    found: Design | tuple[Match, ...]
    found = (known.combine if combine else known.retrieve)(specification, elaborate)
    shown = found[0] if isinstance(found, tuple) and found else found
    if draw is not None and kind is not None:
        if shown == ():
            raise InputError("no case shares anything with the specification, so there is nothing to draw")
        write_whole(draw, picture(shown, kind))
    if as_json:
        output.put_json(_document(found))
    else:
        output.put_lines(*_report(found), *([f"wrote {draw}"] if draw is not None else []))


def _list(library: CaseLibrary, as_json: bool) -> None:
    from induce.cli import output

    if as_json:
        output.put_json(
            [
                {
                    "case": case.name,
                    "structure": case.structure,
                    "function": list(map(str, case.function.edges)),
                }
                for case in library.cases
            ]
        )
        return
    output.put_lines(str(library), "")
    output.put_table(
        ("case", "function", "structure"),
        [(case.name, str(case.function), case.structure) for case in library.cases],
    )


def _report(found: Design | tuple[Match, ...]) -> list[str]:
    if not isinstance(found, tuple):
        return [found.explain()]
    if not found:
        return [
            "no case shares anything with the specification; raise the number of rewritten edges with --elaborate"
        ]
    best, *others = found
    return [best.explain(), *(["", "other cases:"] if others else []), *(f"  {match}" for match in others)]


def _document(found: Design | tuple[Match, ...]) -> dict[str, Any]:
    if isinstance(found, tuple):
        return {
            "matches": [
                _match(match) | {"similarity": match.similarity, "ways": match.ways} for match in found
            ]
        }
    return {
        "design": [_match(match) for match in found.matches],
        "rewritten": list(found.specification.rewritten),
        "missing": list(map(str, found.missing)),
        "taken_back": list(found.clashes),
    }


def _match(match: Match) -> dict[str, Any]:
    return {
        "case": match.case.name,
        "structure": match.case.structure,
        "variables": dict(match.shared.variables),
        "edges": [{"case": str(one), "specification": str(other)} for one, other in match.shared.edges],
        "unused": list(map(str, match.unused)),
        "rewritten": list(match.specification.rewritten),
    }
