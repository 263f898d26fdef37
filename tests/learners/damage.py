"""Damaged model files that still have the form of one: values, lengths, types and numbers in arrays are changed."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

Place = tuple[Any, Any]
SCALARS = (None, True, -1, 0, 1, 2, 10**6, 2**70, 0.5, -0.5, "", "x", "nominal", (), ("x",))
SPECIAL = ({"float": "nan"}, {"float": "inf"}, {"float": "-inf"}, {"list": []}, {"dict": {}})
NUMBERS = (-(10**6), -2, -1, 0, 1, 2, 7, 10**6)


def places(node: Any, found: list[Place]) -> list[Place]:
    """Return every place of a document that may be changed, as the container and the key or index in it."""
    if isinstance(node, dict):
        keys = [key for key in node if key not in ("array", "value", "float", "int", "learner")]
    elif isinstance(node, list):
        keys = list(range(min(len(node), 12)))
    else:
        return found
    for key in keys:
        if key not in ("fields", "list", "dict", "items", "parameters"):
            found.append((node, key))
        places(node[key], found)
    return found


def damage(document: Any, arrays: list[Any], rng: random.Random) -> None:
    """Change one thing of a file, in place: an array of it, or something else."""
    if arrays and rng.random() < 0.5:
        place = rng.randrange(len(arrays))
        arrays[place] = damaged_array(arrays[place], rng)
        return
    found = places(document, [])
    if not found:
        return
    node, key = rng.choice(found)
    part = node[key]
    if isinstance(part, list) and part and rng.random() < 0.7:
        match rng.randrange(4):
            case 0:
                part.pop(rng.randrange(len(part)))
            case 1:
                part.append(part[rng.randrange(len(part))])
            case 2:
                part.reverse()
            case 3:
                del part[:]
    elif isinstance(part, dict) and rng.random() < 0.5:
        other, name = rng.choice(found)
        node[key] = other[name] if not _within(other[name], node) else None
    elif isinstance(part, (int, float)) and rng.random() < 0.6:
        node[key] = rng.choice(NUMBERS)
    else:
        node[key] = rng.choice(SCALARS + SPECIAL)


def _within(part: Any, node: Any) -> bool:
    """Whether a container is part of another, so that a document would hold itself."""
    if part is node:
        return True
    if isinstance(part, (dict, list)):
        return any(_within(each, node) for each in (part.values() if isinstance(part, dict) else part))
    return False


def damaged_array(array: Any, rng: random.Random) -> Any:
    """Return an array with a number changed, or of another length, shape or type."""
    kind = rng.randrange(8)
    if kind < 5 and array.size:
        changed = array.copy()
        number = rng.choice([*NUMBERS, *(np.nan, np.inf, -np.inf) * (array.dtype.kind == "f")])
        if array.dtype.kind == "b":
            number = not changed.flat[0]
        bounds = np.iinfo(array.dtype) if array.dtype.kind in "iu" else None
        if bounds is not None:
            number = min(max(number, bounds.min), bounds.max)
        changed.flat[rng.randrange(array.size)] = number
        return changed
    if kind == 5:
        return array[: len(array) - 1] if array.ndim else array
    if kind == 6:
        return array.reshape(-1) if array.ndim > 1 else array[..., np.newaxis]
    with np.errstate(invalid="ignore"):
        return array.astype(np.float64 if array.dtype.kind != "f" else np.int64, casting="unsafe")
