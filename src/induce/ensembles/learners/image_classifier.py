"""Image classification: transformations followed by any learner (AIMA 18.11.1; Mitchell §4.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from induce.core.errors import InputError
from induce.core.parameter_kinds import Kind, Several, Whole
from induce.core.parameters import Declared, Parameter, several
from induce.core.randomness import RandomState
from induce.data.images.grid import Grid
from induce.data.images.transformations import (
    Centre,
    Coarsen,
    Crop,
    Deslant,
    Edges,
    Resize,
    Scale,
    Transformation,
    grid_after,
)
from induce.data.schema import Schema
from induce.data.training import training_frame
from induce.ensembles.image_hypothesis import ImageModel, inside
from induce.ensembles.learners.class_members import ClassLearner, RowsReading, Training, quiet
from induce.ensembles.members import Given
from induce.estimators import ClassReading, TableClassifier
from induce.trees.learners.c45 import C45

WORDS: dict[str, type[Transformation]] = {
    "centre": Centre,
    "coarsen": Coarsen,
    "crop": Crop,
    "deslant": Deslant,
    "edges": Edges,
    "resize": Resize,
    "scale": Scale,
}


@dataclass(frozen=True)
class Step(Kind):
    """An image transformation as a parameter type: a value, or a word with a size.

    Examples
    --------
    >>> Step().accepts("crop:20"), Step().accepts("turn")
    (True, False)
    """

    def accepts(self, value: Any) -> bool:
        return isinstance(value, Transformation) or (isinstance(value, str) and _worded(value) is not None)

    def says(self) -> str:
        return (
            f"a transformation, or a word such as {', '.join(map(repr, ('deslant', 'crop:20', 'coarsen:2')))}"
        )

    def read(self, text: str) -> Any:
        if _worded(text) is None:
            raise ValueError
        return text

    def words(self) -> tuple[str, ...]:
        return tuple(WORDS)


def _worded(text: str) -> Transformation | None:
    """Return the transformation given by a word, ``crop:20`` or ``crop:20x16``; None if the word is unknown."""
    word, _, size = text.partition(":")
    kind = WORDS.get(word.strip())
    if kind is None:
        return None
    try:
        numbers = [int(part) for part in size.split("x")] if size else []
        if kind in (Crop, Centre, Resize):
            numbers = numbers * 2 if len(numbers) == 1 else numbers
        elif kind is not Coarsen and numbers:
            return None
        return kind(*numbers)
    except (TypeError, ValueError):
        return None


class ImageClassifier(RowsReading, TableClassifier):
    """Image transformations followed by a learner; the model file stores both.

    `predict` takes original images and transforms them as in training. Columns must be the pixels of images,
    named as by `induce.read_images` or declared by `shape`. Without transformations, any table can be learned
    from.

    A missing pixel counts as 0 where pixels are rounded or resized, and stays missing otherwise. The learner
    determines the treatment of missing values and of categories not seen in training.

    Parameters
    ----------
    estimator : estimator, optional
        Base classifier of induce or scikit-learn. None uses C4.5.
    transformations : list of Transformation or str, default=()
        Transformations of the images, in order: values of `induce.data.images`, or the words ``"deslant"``,
        ``"crop:20"``, ``"centre:32"``, ``"coarsen:2"``, ``"resize:16"``, ``"edges"``, ``"scale"``.
    shape : (int, int), optional
        Rows and columns of the images, for arrays and for frames whose columns have other names.
    class_weight : dict or "balanced", optional
        Class weights; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed, for learners without their own.

    Attributes
    ----------
    hypothesis_ : ImageModel
        The learned hypothesis with its transformations.

    See Also
    --------
    VirtualSVM : Support vectors with transformed copies.
    NeuralNetworkClassifier : Networks trained by back-propagation.

    References
    ----------
    Y. LeCun, L. Bottou, Y. Bengio and P. Haffner (1998). Gradient-based learning applied to document recognition.
    Proceedings of the IEEE 86, 2278-2324.

    Examples
    --------
    >>> import induce
    >>> from induce.data.images import generated_digits
    >>> X, y = generated_digits(400)
    >>> plain, steps = induce.KNeighborsClassifier(1, metric="euclidean"), ["deslant", "crop:24", "coarsen:2"]
    >>> learner = ImageClassifier(plain, transformations=steps).fit(X[:300], y[:300])
    >>> learner.score(X[300:], y[300:])
    1.0
    """

    hypothesis_: ImageModel

    parameters: ClassVar[Declared] = {
        "estimator": Parameter("Base classifier; None uses C4.5.", ClassLearner(), none=True),
        "transformations": Parameter(
            "Transformations of the images, in order, such as deslant,crop:20.",
            Several(Step(), "transformations"),
        ),
        "shape": several(
            "Rows and columns of the images; None reads them from the column names.",
            Whole(at_least=1),
            "two whole numbers",
            n=2,
            none=True,
        ),
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        transformations: Sequence[Transformation | str] = (),
        shape: tuple[int, int] | None = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.estimator = estimator
        self.transformations = transformations
        self.shape = shape
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: ClassReading) -> ImageModel:
        named = (_worded(each) if isinstance(each, str) else each for each in self.transformations)
        steps = tuple(each for each in named if each is not None)
        grid = self._grid(reading.schema.inputs()) if steps else None
        shape, own = (0, 0), reading
        if grid is not None:
            shape = grid.shape
            schema = grid_after(grid, steps).schema()
            given = inside(Given(None, reading.table), steps, shape)
            own = replace(reading, raw=training_frame(given.raw), schema=schema, X=given.raw)
        with quiet():
            training = Training(C45() if self.estimator is None else self.estimator, own)
            member = training.learn(reading.weight(), None, "on images")
        return ImageModel(*reading.names, steps, shape, member)

    def _grid(self, columns: Schema) -> Grid:
        """Return the grid of the images; raise an `InputError` if the columns form none."""
        if self.shape is None:
            found = Grid.of(columns)
            if found is None:
                raise InputError(
                    f"transformations need images, but the columns ({', '.join(columns.names()[:3])}, …) are not "
                    "pixels named r0c0, r0c1, …; read them with read_images, or give their shape"
                )
            return found
        found = Grid(*map(int, self.shape))
        if found.size != len(columns) or any(column.kind != "numeric" for column in columns):
            raise InputError(
                f"shape is {tuple(self.shape)!r}, which is {found.size} pixels, but there are {len(columns)} "
                "columns; give the shape of the images"
            )
        return found
