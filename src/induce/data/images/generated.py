"""Generated digits and faces of realistic size, for tests and documentation."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.data.dataset import Dataset
from induce.data.images.distortions import Distortions
from induce.data.images.grid import Pixels
from induce.data.images.reading import as_dataset

Floats = NDArray[np.float64]
Path = tuple[tuple[float, float], ...]

SIDE = 28
STROKES: tuple[tuple[Path, ...], ...] = (
    (((0.5, 0.0), (0.1, 0.25), (0.1, 0.75), (0.5, 1.0), (0.9, 0.75), (0.9, 0.25), (0.5, 0.0)),),
    (((0.3, 0.2), (0.55, 0.0), (0.55, 1.0)),),
    (((0.1, 0.25), (0.35, 0.0), (0.8, 0.05), (0.9, 0.35), (0.1, 1.0), (0.95, 1.0)),),
    (((0.1, 0.1), (0.5, 0.0), (0.9, 0.2), (0.45, 0.45), (0.95, 0.7), (0.6, 1.0), (0.1, 0.9)),),
    (((0.6, 0.0), (0.1, 0.6), (0.95, 0.6)), ((0.7, 0.3), (0.65, 1.0))),
    (((0.9, 0.0), (0.2, 0.0), (0.15, 0.45), (0.7, 0.4), (0.9, 0.7), (0.6, 1.0), (0.1, 0.95)),),
    (((0.75, 0.0), (0.25, 0.4), (0.1, 0.8), (0.45, 1.0), (0.85, 0.8), (0.6, 0.55), (0.15, 0.7)),),
    (((0.1, 0.0), (0.95, 0.0), (0.4, 1.0)),),
    (
        ((0.5, 0.45), (0.15, 0.2), (0.5, 0.0), (0.85, 0.2), (0.5, 0.45)),
        ((0.5, 0.45), (0.1, 0.75), (0.5, 1.0), (0.9, 0.75), (0.5, 0.45)),
    ),
    (((0.85, 0.3), (0.4, 0.45), (0.15, 0.2), (0.5, 0.0), (0.85, 0.2), (0.8, 0.6), (0.55, 1.0)),),
)  # fmt: skip
"""Strokes of the digits 0 to 9, in a unit box: points (across, down) joined by a pen."""
POSES = ("left", "right", "straight", "up")
MOODS = ("angry", "happy", "neutral", "sad")
EYES = ("open", "sunglasses")
HEIGHT, WIDTH = 30, 32


def generated_digits(n: int, random_state: int = 0) -> Dataset:
    """Draw digits with a pen on 28 x 28 pixels, each in a different handwriting, with the target ``label``.

    The digit is drawn uniformly; the points of its strokes, the width of the pen, slant, size and position are
    random.

    Examples
    --------
    >>> digits = generated_digits(50)
    >>> digits
    generated digits: 50 images of 28 x 28 pixels, target 'label'
      r0c0 … r27c27: numeric
      label: nominal {0, 1, 2, 3, 4, 5, 6, 7, …} (target)
    """
    at_least("n", n, 1, whole=True)
    rng = np.random.default_rng(random_state)
    labels = rng.integers(10, size=n)
    images = np.empty((n, SIDE, SIDE), np.uint8)
    for k, digit in enumerate(labels.tolist()):
        ends = [np.array(stroke) + rng.normal(0.0, 0.035, (len(stroke), 2)) for stroke in STROKES[digit]]
        images[k] = _drawn([(each * (13.0, 19.0) + (7.5, 4.5)) for each in ends], rng.uniform(0.9, 1.6))
    images = Distortions(shift=1.0, angle=6.0, scale=0.1, slant=0.3)(images, random_state)
    return as_dataset(images, {"label": labels.tolist()}, "label", "generated digits")


def _drawn(strokes: list[Floats], width: float) -> Pixels:
    """Return an image whose pixels are darkened by their distance from the strokes."""
    down, across = np.mgrid[:SIDE, :SIDE].astype(np.float64)
    nearest = np.full((SIDE, SIDE), np.inf)
    for points in strokes:
        for (x0, y0), (x1, y1) in pairwise(points):
            length = max((x1 - x0) ** 2 + (y1 - y0) ** 2, 1e-9)
            along = np.clip(((across - x0) * (x1 - x0) + (down - y0) * (y1 - y0)) / length, 0.0, 1.0)
            apart = (across - x0 - along * (x1 - x0)) ** 2 + (down - y0 - along * (y1 - y0)) ** 2
            nearest = np.minimum(nearest, apart)
    dark = np.clip(width + 0.5 - np.sqrt(nearest), 0.0, 1.0)
    return np.asarray(np.rint(255.0 * dark), np.uint8)


def generated_faces(n_people: int = 20, target: str = "pose", random_state: int = 0) -> Dataset:
    """Draw faces of 30 x 32 pixels: each person in four poses, four moods, with and without sunglasses.

    Columns ``person``, ``pose``, ``mood`` and ``eyes`` describe the face; one of them is the target. The size
    of the head, the lighting, the hair and the position vary between persons, and slightly between images of
    the same person.

    Examples
    --------
    >>> faces = generated_faces(2)
    >>> len(faces), faces.aside
    (64, ('person', 'mood', 'eyes'))
    """
    at_least("n_people", n_people, 1, whole=True)
    rng = np.random.default_rng(random_state)
    rows, images = [], []
    for number in range(n_people):
        person = rng.uniform(0.0, 1.0, 6)
        for pose, mood, eyes in product(POSES, MOODS, EYES):
            rows.append((f"person{number:02d}", pose, mood, eyes))
            images.append(_face(person, pose, mood, eyes, rng))
    columns = dict(zip(("person", "pose", "mood", "eyes"), map(list, zip(*rows, strict=True)), strict=True))
    return as_dataset(np.stack(images), columns, target, "generated faces")


def _face(person: Floats, pose: str, mood: str, eyes: str, rng: np.random.Generator) -> Pixels:
    down, across = np.mgrid[:HEIGHT, :WIDTH].astype(np.float64)
    y, x = 14.0 + rng.normal(0.0, 0.5) + person[0], 15.5 + rng.normal(0.0, 0.7)
    tall, wide = 9.0 + 2.0 * person[1], 6.5 + 1.5 * person[2]
    skin, hair, back = 150.0 + 70.0 * person[3], 20.0 + 90.0 * person[4], 60.0 + 60.0 * person[5]
    image = np.full((HEIGHT, WIDTH), back)
    image[(down > y + tall + 1.0) & (np.abs(across - x) < 11.0)] = 0.6 * back  # shoulders
    head = ((down - y) / (tall + 1.5)) ** 2 + ((across - x) / (wide + 1.5)) ** 2 < 1.0
    image[head] = hair
    # the face is the visible part of the head and moves with the pose
    aside = {"left": -3.0, "right": 3.0}.get(pose, 0.0)
    lift = -3.0 if pose == "up" else 0.0
    fy, fx = y + 1.5 + lift, x + aside
    face = (((down - fy) / (tall - 1.0)) ** 2 + ((across - fx) / wide) ** 2 < 1.0) & head
    image[face] = skin
    for side in (-1, 1):
        at = (np.abs(down - (fy - 2.0)) < (1.3 if eyes == "sunglasses" else 0.7)) & (
            np.abs(across - (fx + 2.8 * side)) < (2.2 if eyes == "sunglasses" else 1.1)
        )
        image[at & face] = 15.0 if eyes == "sunglasses" else 60.0
        brow = (
            np.abs(down - (fy - 4.0 + (0.8 * side * (fx - across) / 2.0 if mood == "angry" else 0.0))) < 0.6
        )
        image[brow & (np.abs(across - (fx + 2.8 * side)) < 1.6) & face] = hair
    bend = {"happy": 0.14, "sad": -0.14}.get(mood, 0.0)
    mouth = np.abs(down - (fy + 4.0 - bend * (across - fx) ** 2)) < (0.6 if mood != "angry" else 0.9)
    image[mouth & (np.abs(across - fx) < 3.2) & face] = 70.0
    image = image * (1.0 + 0.004 * (across - x) * (person[0] - 0.5)) + rng.normal(0.0, 6.0, image.shape)
    return np.asarray(np.clip(np.rint(image), 0, 255), np.uint8)
