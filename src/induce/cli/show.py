"""`induce show`: a model in the form one wants to see."""

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
    "dot",
]


def show(
    model: Model,
    form: Annotated[
        Form | None,
        typer.Option("--as", help="The form; text if neither this nor the extension of --out says."),
    ] = None,
    out: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write here, not to standard output.")
    ] = None,
    picture: Picture = None,
    full: Full = False,
) -> None:
    """Print, export or draw what a model has learned."""
    from induce.cli.networks import opened_hypothesis
    from induce.cli.output import check_writable, put
    from induce.cli.report import whole_page
    from induce.cli.shortening import shortened
    from induce.core.errors import InputError
    from induce.core.files import write_whole
    from induce.core.forms import FORMS

    check_writable(out)
    extension = os.path.splitext(out or "")[1].lower()
    named = {known.suffix: known.name for known in FORMS.values() if known.suffix}
    chosen = form or named.get(extension, "text")
    if out is None and FORMS[chosen].binary and sys.stdout.isatty():
        raise InputError(f"a terminal cannot show {chosen}; name a file with --out")
    if picture is not None and not FORMS[chosen].drawn:
        raise InputError(f"--picture is for svg, png and pdf, not for {chosen}; leave it out")
    if chosen == "html":
        written: str | bytes = whole_page(model)
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
