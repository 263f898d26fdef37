"""`induce show`: a model in any of its forms."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Literal

import typer

from induce.cli.options import Full, Model, Picture

Form = Literal[
    "text",
    "rules",
    "tree",
    "statistics",
    "sql",
    "python",
    "prolog",
    "onnx",
    "latex",
    "svg",
    "png",
    "pdf",
    "html",
    "json",
    "bif",
    "xmlbif",
    "xdsl",
    "pddl",
    "dot",
]


def show(
    model: Model,
    form: Annotated[
        Form | None,
        typer.Option("--as", help="Form; by default text, or by the extension of --out."),
    ] = None,
    out: Annotated[
        str | None, typer.Option(metavar="FILE", help="File to write, instead of standard output.")
    ] = None,
    picture: Picture = None,
    full: Full = False,
    interval: Annotated[
        float | None,
        typer.Option(
            metavar="PERCENT",
            help="Add bounds of the predicted number with this coverage to SQL or Python, such as 90.",
        ),
    ] = None,
) -> None:
    """Print, export or draw the hypothesis of a model."""
    from induce.cli.networks import opened_hypothesis
    from induce.cli.output import check_writable, put
    from induce.cli.report import whole_page
    from induce.cli.truncation import shortened
    from induce.core.errors import InputError
    from induce.core.files import write_whole
    from induce.core.forms import FORMS

    check_writable(out)
    extension = os.path.splitext(out or "")[1].lower()
    named = {known.suffix: known.name for known in FORMS.values() if known.suffix}
    chosen = form or named.get(extension, "text")
    if out is None and FORMS[chosen].binary and sys.stdout.isatty():
        raise InputError(f"{chosen} is binary and cannot be shown on a terminal; name a file with --out")
    if picture is not None and not FORMS[chosen].drawn:
        raise InputError(f"--picture is for svg, png and pdf, not for {chosen}; leave it out")
    if interval is not None and chosen not in ("sql", "python"):
        raise InputError(f"--interval is for sql and python, not for {chosen}; leave it out")
    if interval is not None:
        written: str | bytes = _with_bounds(model, chosen, interval)
    elif chosen == "html":
        written = whole_page(model)
    else:
        options = {} if picture is None else {"picture": picture}
        written = opened_hypothesis(model).written(chosen, **options)
    if chosen == "text" and out is None and isinstance(written, str):
        written = "\n".join(shortened(written.splitlines(), full))
    shown = written if isinstance(written, bytes) else (written.rstrip("\n") + "\n").encode()
    if out is None:
        put(shown)
    else:
        write_whole(out, shown)


def _with_bounds(model: str, form: str, percent: float) -> str:
    """Return the model in SQL or Python with prediction bounds of a given coverage."""
    from induce.cli.predict import conformal_at
    from induce.core.persistence import load_model

    found = load_model(model, conformal=True)
    conformal = conformal_at(found, percent)
    write = conformal.to_sql if form == "sql" else conformal.to_python
    written: str = write(found.hypothesis, percent / 100)
    return written
