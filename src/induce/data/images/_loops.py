"""Hot loops on images: affine resampling and second moments, image by image."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.loops import loop


@loop
def warped(images: Any, maps: Any) -> Any:
    """Resample 8-bit images: pixel (y, x) is taken from row a·y + b·x + c and column d·y + e·x + f.

    `maps` holds the six numbers a to f of each image. Interpolation between pixels is bilinear; pixels outside are
    0. A map to whole pixels copies them.
    """
    n, height, width = images.shape
    found = np.zeros((n, height, width), np.uint8)
    for i in range(n):
        a, b, c, d, e, f = maps[i, 0], maps[i, 1], maps[i, 2], maps[i, 3], maps[i, 4], maps[i, 5]
        for y in range(height):
            for x in range(width):
                row = a * y + b * x + c
                column = d * y + e * x + f
                if row <= -1.0 or column <= -1.0 or row >= height or column >= width:
                    continue
                # truncation equals the floor here: both are above 0
                top = int(row + 1.0) - 1
                left = int(column + 1.0) - 1
                down = row - top
                right = column - left
                value = 0.0
                if top >= 0:
                    if left >= 0:
                        value += (1.0 - down) * (1.0 - right) * images[i, top, left]
                    if left + 1 < width:
                        value += (1.0 - down) * right * images[i, top, left + 1]
                if top + 1 < height:
                    if left >= 0:
                        value += down * (1.0 - right) * images[i, top + 1, left]
                    if left + 1 < width:
                        value += down * right * images[i, top + 1, left + 1]
                found[i, y, x] = int(value + 0.5)
    return found


@loop
def moments(images: Any) -> Any:
    """Return, for each image, its mass, the row and column of its centre, and the moments of rows and of both."""
    n, height, width = images.shape
    found = np.zeros((n, 5))
    for i in range(n):
        mass = 0.0
        rows = 0.0
        columns = 0.0
        squares = 0.0
        products = 0.0
        for y in range(height):
            # sums of integers: exact in any order
            line = 0.0
            first = 0.0
            for x in range(width):
                value = float(images[i, y, x])
                line += value
                first += value * x
            mass += line
            rows += line * y
            columns += first
            squares += line * y * y
            products += first * y
        found[i, 0] = mass
        if mass > 0.0:
            found[i, 1] = rows / mass
            found[i, 2] = columns / mass
            found[i, 3] = squares / mass - (rows / mass) * (rows / mass)
            found[i, 4] = products / mass - (rows / mass) * (columns / mass)
    return found
