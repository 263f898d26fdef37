"""Commands and options as text that runs when pasted into a shell."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any


def command(*words: str, **options: Any) -> str:
    """Return the text of a command.

    None, False and empty lists are left out, True is a flag, and a list repeats its option.

    Examples
    --------
    >>> print(command("compare", "my data.csv", target="Would you?", nominal=["a", "b"], skip_bad=True, cv=None))
    induce compare 'my data.csv' --target 'Would you?' --nominal a --nominal b --skip-bad
    """
    positional = [f"./{word}" if word.startswith("-") and word != "-" else word for word in words]
    texts = [shlex.join(["induce", *positional]), *(option(name, value) for name, value in options.items())]
    return " ".join(filter(None, texts))


def option(name: str, value: Any) -> str:
    """Return the text of an option; a value that looks like an option is joined by an equals sign.

    Examples
    --------
    >>> option("nominal", "zip code"), option("missing", ["-", "?"])
    ("--nominal 'zip code'", "--missing=- --missing '?'")
    """
    flag = f"--{name.replace('_', '-')}"
    if value is None or value is False:
        return ""
    if value is True:
        return flag
    if isinstance(value, list | tuple):
        return " ".join(option(name, each) for each in value)
    text = str(value)
    return f"{flag}={shlex.quote(text)}" if text.startswith("-") else f"{flag} {shlex.quote(text)}"


def reading_options(reading: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of `induce.read` as command-line options.

    Examples
    --------
    >>> print(command("data", "a.csv", **reading_options({"separator": "\\t", "header": False, "sheet": "Sheet 2"})))
    induce data a.csv --separator '\\t' --header no --sheet 'Sheet 2'
    """
    options = dict(reading)
    if options.get("separator") == "\t":
        options["separator"] = r"\t"
    if isinstance(options.get("header"), bool):
        options["header"] = "yes" if options["header"] else "no"
    return options
