"""Options for file formats, declared once for all commands that read a file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any

import typer

from induce.cli.options import Missing

PANEL = "Format of the file, if it is not detected"
HEADERS = {"yes": True, "no": False}


def _option(help: str, *names: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, metavar=metavar, help=help, rich_help_panel=PANEL)


OPTIONS: dict[str, Any] = {
    "missing": Missing,
    "separator": Annotated[str | None, _option("Separator of cells; `\\t` is a tab.", metavar="CHAR")],
    "decimal": Annotated[str | None, _option("Decimal mark: `.` or `,`.", metavar="MARK")],
    "thousands": Annotated[str | None, _option("Mark between thousands.", metavar="MARK")],
    "encoding": Annotated[str | None, _option("Encoding, such as cp1252.", metavar="NAME")],
    "dates": Annotated[
        str | None,
        _option("Order of dates: dmy, mdy or ymd; or a pattern such as %d.%m.%Y.", metavar="ORDER"),
    ],
    "header": Annotated[
        str | None,
        _option(
            "Whether the first line names the columns, or the number of the line that does.",
            metavar="yes|no|N",
        ),
    ],
    "sheet": Annotated[str | None, _option("Sheet of a spreadsheet: name or number.", metavar="NAME")],
    "skip_bad": Annotated[
        bool, _option("Leave out rows with too many or too few cells, and count them.", "--skip-bad")
    ],
}
DATE_PARTS = Annotated[
    list[str] | None,
    _option(
        "Add a part of every date: year, quarter, month, day, weekday or hour. Repeatable.", metavar="PART"
    ),
]


def reads_tables(parts: bool = False) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options for file formats; they are passed as a dict in the keyword argument `reading`.

    The keys are the parameters of `induce.read`. With `parts`, the command can also add date parts.
    """
    options = {**OPTIONS, "date_parts": DATE_PARTS} if parts else OPTIONS

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        own = [each for each in signature.parameters.values() if each.name != "reading"]
        added = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=False if name == "skip_bad" else None,
                annotation=annotation,
            )
            for name, annotation in options.items()
        ]

        @wraps(command)
        def run(*args: Any, **given: Any) -> None:
            said = {name: given.pop(name, None) for name in options}
            command(*args, **given, reading=as_said(**said))

        run.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in (*own, *added)}
        return run

    return decorate


def as_said(
    *,
    missing: Sequence[str] | None = None,
    separator: str | None = None,
    header: str | None = None,
    skip_bad: bool = False,
    date_parts: Sequence[str] | None = None,
    **others: str | None,
) -> dict[str, Any]:
    """Return the options as parameters of `induce.read`; options that were not given are left out."""
    said: dict[str, Any] = {name: value for name, value in others.items() if value is not None}
    if missing:
        said["missing"] = tuple(missing)
    if separator is not None:
        said["separator"] = "\t" if separator == "\\t" else separator
    if header is not None:
        said["header"] = _header(header)
    if skip_bad:
        said["skip_bad"] = True
    if date_parts:
        said["date_parts"] = [part for each in date_parts for part in each.split(",")]
    return said


def _header(said: str) -> bool | int:
    from induce.core.errors import InputError

    if said.lower() in HEADERS:
        return HEADERS[said.lower()]
    if said.isdecimal() and int(said):
        return int(said)
    raise InputError(f"--header is {said!r}; give yes, no or the number of the line")


def dialect_of(reading: dict[str, Any]) -> Any:
    """Return the format of a file, as far as the options declare it."""
    from induce.data.dialect import Dialect

    return Dialect(**{name: value for name, value in reading.items() if name != "date_parts"})
