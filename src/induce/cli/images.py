"""Images on the command line: rows of pictures for `predict` and `explain`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from induce.data.images.grid import Grid

PERCENT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(%?)\s*")


def grid_of(hypothesis: Any) -> Grid | None:
    """Return the grid of a model's training images, or None if it was not trained on images."""
    from induce.data.images.grid import Grid

    schema = getattr(hypothesis, "schema", None)
    return None if schema is None else Grid.of(schema.inputs())


def pictured(hypothesis: Any, source: str) -> tuple[pl.DataFrame, tuple[str, ...]] | None:
    """Return the images of a file, folder or archive as rows of a model, and their names; None if there are none."""
    from induce.data.images.reading import image_rows, is_images

    grid = grid_of(hypothesis)
    if grid is None or not is_images(source):
        return None
    return image_rows(source, grid)


def error_share(said: str) -> float:
    """Return an error rate given as a percentage, such as ``0.5%``.

    Examples
    --------
    >>> error_share("0.5%")
    0.005
    """
    from induce.core.errors import InputError

    found = PERCENT.fullmatch(said)
    value = float(found[1]) / 100 if found else 0.0
    if not 0 < value < 1:
        raise InputError(f"--reject is {said!r}; give the error to reach as a percentage, such as 0.5%")
    return value
