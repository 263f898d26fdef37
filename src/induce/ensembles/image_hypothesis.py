"""Image hypothesis: transformations followed by a hypothesis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.values import Value
from induce.data.images.grid import Grid
from induce.data.images.transformations import Transformation, grid_after, transformed
from induce.data.schema import Schema
from induce.data.table import Table
from induce.ensembles.members import Given, check_members, given_rows, member_shares, member_text, parts_of
from induce.hypotheses.kinds.classifier import Classifier

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class ImageModel(Classifier):
    """A hypothesis on transformed images; `predict` takes original images and transforms them as in training.

    Without transformations, rows of any columns are passed on unchanged.

    Parameters
    ----------
    schema : Schema
        Columns of the original images.
    target : str
        Name of the target column.
    classes : tuple
        The classes, in the order in which ties are broken.
    transformations : tuple of Transformation
        Transformations of the images, in order.
    shape : (int, int)
        Rows and columns of the original images; (0, 0) without transformations.
    member : hypothesis
        Hypothesis on the transformed images, or a fitted estimator of another library, which cannot be stored
        in a model file.

    Examples
    --------
    >>> import induce
    >>> from induce.data.images import Coarsen, generated_digits
    >>> X, y = generated_digits(60)
    >>> learner = induce.ImageClassifier(transformations=[Coarsen(4)]).fit(X, y)
    >>> print(str(learner.hypothesis_).splitlines()[0])
    label by images of 28 x 28 pixels, coarsen 4, 7 x 7 pixels, then Tree, 19 nodes, 10 leaves, depth 4
    """

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    transformations: tuple[Transformation, ...]
    shape: tuple[int, int]
    member: Any

    def encoded(self, X: Any) -> Given:
        """Return rows as given and encoded."""
        return given_rows(X, self.schema)

    def seen(self, X: Any) -> Given:
        """Return the input of the member: images after all transformations."""
        return inside(self.encoded(X), self.transformations, self.shape)

    @property
    def inner_schema(self) -> Schema:
        """Schema of the columns after all transformations."""
        if not self.transformations:
            return self.schema
        return grid_after(Grid(*self.shape), self.transformations).schema()

    def _scores(self, given: Given) -> Floats:
        return member_shares(self.member, self.seen(given), self.inner_schema, self.classes)

    def explain(self, X: Any) -> Any:
        """Return the member's explanation of each row."""
        return self.member.explain(self.seen(X).raw)

    def size(self) -> str:
        """Return the size of the member."""
        return str(self.member.size()) if hasattr(self.member, "size") else type(self.member).__name__

    def parts(self) -> Parts:
        """Return the number of readable items in the member."""
        return parts_of(self.member)

    def __str__(self) -> str:
        steps = ""
        if self.transformations:
            left = grid_after(Grid(*self.shape), self.transformations)
            named = ", ".join(map(step_text, self.transformations))
            steps = f"images of {Grid(*self.shape)} pixels, {named}, {left} pixels, then "
        return f"{self.target} by {steps}{member_text(self.member)}\n{self.member}"

    def __repr__(self) -> str:
        return f"<ImageModel for {self.target}: {self.size()}>"

    def draw(self) -> Figure:
        """Return a figure of the member."""
        found: Figure = self.member.draw()
        return found

    def draw_weights(self) -> Figure:
        """Return a figure of the weights of the member, drawn as images if they belong to pixels."""
        if not hasattr(self.member, "draw_weights"):
            raise InputError(f"a {type(self.member).__name__} has no weights to draw; use draw instead")
        found: Figure = self.member.draw_weights()
        return found

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        if not hasattr(self.member, "draw_weights"):
            lacking["weights"] = f"a {type(self.member).__name__} has none"
        return lacking

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        fits = all(isinstance(step, Transformation) for step in self.transformations)
        fits = fits and hasattr(self.member, "predict")
        if fits and self.transformations:
            fits = int(np.prod(self.shape)) == len(self.schema.inputs())
        if not fits:
            raise InputError("the parts of the image model do not fit together; learn it again")
        self.inner_schema  # noqa: B018
        check_members((self.member,), self.classes)


def inside(given: Given, steps: tuple[Transformation, ...], shape: tuple[int, int]) -> Given:
    """Return rows of images after all transformations, as a frame and as a table."""
    if not steps:
        return given
    grid = Grid(*shape)
    images = transformed(grid.images(given.table.numeric), steps)
    left = Grid(*images.shape[1:])
    numbers = np.ascontiguousarray(images.reshape(len(images), left.size), np.float64)
    table = Table(left.schema(), numbers, np.empty((len(numbers), 0), np.int32))
    return Given(left.frame(images), table)


def step_text(step: Transformation) -> str:
    """Return a transformation in the notation of the command line.

    Examples
    --------
    >>> from induce.data.images import Coarsen, Crop
    >>> step_text(Crop(20, 20)), step_text(Coarsen(2))
    ('crop 20 x 20', 'coarsen 2')
    """
    name = type(step).__name__.lower()
    if hasattr(step, "rows"):
        return f"{name} {step.rows} x {step.columns}"  # type: ignore[attr-defined]
    return f"{name} {step.block}" if hasattr(step, "block") else name
