"""Format of a network file, inferred from the file name."""

from __future__ import annotations

import os

from induce.core.files import Path

FORMATS = {".bif": "bif", ".xmlbif": "xmlbif", ".xml": "xmlbif", ".xdsl": "xdsl"}


def format_of(path: Path) -> str | None:
    """Return the format implied by the file name's extension, or None.

    Examples
    --------
    >>> format_of("alarm.bif.gz"), format_of("alarm.csv")
    ('bif', None)
    """
    name = os.fspath(path).lower().removesuffix(".gz")
    return FORMATS.get(os.path.splitext(name)[1])
