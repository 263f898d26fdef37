"""Hypotheses as plain JSON values."""

from __future__ import annotations

import json
import math
from dataclasses import fields, is_dataclass
from typing import Any


def plain(value: Any) -> Any:
    """Return a value recursively as dicts, lists and scalars; non-finite numbers become None.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> plain({"column": Column("wind", "nominal", ("weak",)), "gain": float("nan")})["gain"] is None
    True
    >>> plain((Column("age"),))[0]["name"]
    'age'
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if is_dataclass(value) and not isinstance(value, type):
        return {"type": type(value).__name__} | {
            field.name: plain(getattr(value, field.name))
            for field in fields(value)
            if field.repr or field.init
        }
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value


def described(hypothesis: Any) -> dict[str, Any]:
    """Return the full description of a hypothesis: its size, its text and its parts."""
    return {"size": hypothesis.size(), "text": str(hypothesis), **plain(hypothesis)}


def json_text(hypothesis: Any) -> str:
    """Return the full description of a hypothesis as a JSON document."""
    return json.dumps(described(hypothesis), ensure_ascii=False, indent=2, allow_nan=False)
