"""`induce show`: a model in the form one wants to see."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Annotated, Any, Literal

import typer

from induce.cli.options import Model

Form = Literal[
    "text",
    "rules",
    "tree",
    "statistics",
    "sql",
    "python",
    "prolog",
    "onnx",
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
EXTENSIONS: dict[str, Form] = {
    ".txt": "text",
    ".sql": "sql",
    ".py": "python",
    ".pl": "prolog",
    ".onnx": "onnx",
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".html": "html",
    ".json": "json",
    ".bif": "bif",
    ".xmlbif": "xmlbif",
    ".xdsl": "xdsl",
    ".dot": "dot",
}
NETWORKS = ("bif", "xmlbif", "xdsl", "dot")


def show(
    model: Model,
    form: Annotated[
        Form | None,
        typer.Option("--as", help="The form; text if neither this nor the extension of --out says."),
    ] = None,
    out: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write here, not to standard output.")
    ] = None,
) -> None:
    """Print, export or draw what a model has learned."""
    from induce.cli.networks import opened_hypothesis
    from induce.cli.output import check_writable, put
    from induce.core.errors import InputError
    from induce.core.files import write_whole

    check_writable(out)
    chosen = form or EXTENSIONS.get(os.path.splitext(out or "")[1].lower(), "text")
    if out is None and chosen in ("png", "pdf", "onnx") and sys.stdout.isatty():
        raise InputError(f"a terminal cannot show {chosen}; name a file with --out")
    shown = _shown(opened_hypothesis(model), chosen)
    if out is None:
        put(shown)
    else:
        write_whole(out, shown)


def _shown(hypothesis: Any, form: Form) -> bytes:
    from induce.cli.pictures import picture
    from induce.core.errors import InputError

    if form in ("svg", "png", "pdf"):
        return picture(hypothesis, form)
    if form in NETWORKS:
        return _network(hypothesis, form)
    writers: dict[str, Callable[[], str]] = {
        "text": lambda: str(hypothesis),
        "rules": lambda: str(_rules(hypothesis)),
        "tree": lambda: str(hypothesis.to_tree()),
        "statistics": lambda: f"{_rules(hypothesis).statistics()}\n\n{_rules(hypothesis).report()}",
        "sql": lambda: hypothesis.to_sql(),
        "python": lambda: hypothesis.to_python(),
        "prolog": lambda: hypothesis.to_prolog(),
        "html": lambda: hypothesis._repr_html_(),
        "json": lambda: _json(hypothesis),
    }
    if form == "statistics" and not hasattr(_rules(hypothesis), "statistics"):
        raise InputError(f"a {type(hypothesis).__name__} has no rules to show statistics of")
    if form in ("tree", "sql", "python", "prolog", "onnx") and not hasattr(hypothesis, f"to_{form}"):
        raise InputError(f"a {type(hypothesis).__name__} cannot be shown as {form}")
    if form == "onnx":
        return bytes(hypothesis.to_onnx())
    return (writers[form]().rstrip("\n") + "\n").encode()


def _network(hypothesis: Any, form: Form) -> bytes:
    from induce.belief_networks.classifier import NetworkClassifier
    from induce.belief_networks.files.reading import WRITERS
    from induce.belief_networks.network import BeliefNetwork
    from induce.core.errors import InputError

    network = hypothesis.network if isinstance(hypothesis, NetworkClassifier) else hypothesis
    if not isinstance(network, BeliefNetwork):
        raise InputError(f"a {type(hypothesis).__name__} cannot be shown as {form}; only networks can")
    return ((network.to_dot() if form == "dot" else WRITERS[form](network)) + "\n").encode()


def _rules(hypothesis: Any) -> Any:
    """The hypothesis as rules, where it can be put so."""
    return hypothesis.to_rules() if hasattr(hypothesis, "to_rules") else hypothesis


def _json(hypothesis: Any) -> str:
    import json

    from induce.core.plain import described

    if hasattr(hypothesis, "to_json"):
        return str(hypothesis.to_json())
    return json.dumps(described(hypothesis), ensure_ascii=False, indent=2, allow_nan=False)
