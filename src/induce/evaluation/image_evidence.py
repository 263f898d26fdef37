"""Occlusion analysis of an image: evidence for and against its class, patch by patch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.values import Value, plain
from induce.data.images.grid import Grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ImageEvidence:
    """Decrease of the predicted class's probability when each part of the image is covered.

    Parameters
    ----------
    image : array
    prediction : value
        Predicted class.
    confidence : float
        Probability of the predicted class.
    effect : array, of the shape of the image
        Effect of each pixel: positive if it is evidence for the class, negative if against it.
    """

    image: Floats
    prediction: Value
    confidence: float
    effect: Floats

    def __str__(self) -> str:
        row, column = np.unravel_index(int(np.round(self.effect, 9).argmax()), self.effect.shape)
        said = f"{self.prediction} with probability {self.confidence:.3g}"
        return f"{said}; strongest evidence at row {row}, column {column}"

    def draw(self) -> Figure:
        """Draw the image with the evidence for the class (purple) and against it (orange)."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7.0, 3.4), layout="constrained")
        left, right = figure.subplots(1, 2)
        left.imshow(self.image, cmap="gray", interpolation="nearest")
        left.set_title(f"{self.prediction}, probability {self.confidence:.3g}", fontsize=9, parse_math=False)
        most = float(np.abs(self.effect).max()) or 1.0
        shown = right.imshow(self.effect, cmap="PuOr", vmin=-most, vmax=most, interpolation="nearest")
        right.set_title("evidence for (purple) and against (orange)", fontsize=9)
        for axes in (left, right):
            axes.set_xticks([])
            axes.set_yticks([])
        figure.colorbar(shown, ax=right).set_label("loss of probability when covered", fontsize=8)
        return figure


def image_evidence(model: Any, row: Any, patch: int = 3) -> ImageEvidence:
    """Cover each patch of an image and measure the change in its class probability.

    Parameters
    ----------
    model : fitted classifier or hypothesis
        Classifier with `predict_proba`.
    row : frame of one row
        Pixels of the image, named by their positions.
    patch : int
        Side length of the covered patch in pixels; the patch is filled with the most frequent grey of the
        border.

    Examples
    --------
    >>> import induce
    >>> from induce.data.images import generated_digits
    >>> X, y = generated_digits(200)
    >>> model = induce.KNeighborsClassifier(5, metric="euclidean").fit(X, y)
    >>> found = image_evidence(model, X[:1])
    >>> str(found.prediction) == y[0], found.effect.shape
    (True, (28, 28))
    """
    at_least("patch", patch, 1, whole=True)
    grid = Grid.of(tuple(row.columns)) if hasattr(row, "columns") else None
    if grid is None:
        raise InputError("row is not an image; give a frame of one row with the columns r0c0, r0c1, …")
    image = grid.images(row)[0].astype(np.float64)
    border = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    values, counts = np.unique(border, return_counts=True)
    covered = np.repeat(image[np.newaxis], 1 + grid.size, axis=0)
    reach = patch // 2
    for place in range(grid.size):
        y, x = divmod(place, grid.columns)
        covered[1 + place, max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1] = values[
            counts.argmax()
        ]
    shares = model.predict_proba(grid.frame(covered))
    code = int(np.round(shares[0], 12).argmax())
    classes = getattr(model, "classes_", None)
    classes = model.classes if classes is None else classes
    effect = shares[0, code] - shares[1:, code]
    return ImageEvidence(image, plain(classes[code]), float(shares[0, code]), effect.reshape(grid.shape))
