"""Width of text, and the most readable text colour."""

from __future__ import annotations

import warnings

from induce.pictures.style import DARK


def ink_on(fill: str) -> str:
    """Return the text colour that is most readable on a background colour.

    Examples
    --------
    >>> ink_on("#f0e442"), ink_on("#332288")
    ('#222222', 'white')
    """
    red, green, blue = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    return DARK if 0.299 * red + 0.587 * green + 0.114 * blue > 135 else "white"


def text_width(text: str, size: float, weight: str = "normal") -> float:
    """Return the width of a text in inches, in matplotlib's current font."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    if not text:
        return 0.0
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # a warning about letters that the font lacks comes when the figure is painted
        font = FontProperties(size=size, weight=weight)
        width, _, _ = text_to_path.get_text_width_height_descent(text, font, False)
    return 1.06 * float(width) / 72  # hinting widens letters at low resolution
