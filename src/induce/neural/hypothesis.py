"""Trained networks as hypotheses: they predict classes or numbers, explain, draw and export themselves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.values import Value
from induce.data.numeric_view import Floats, NumericView
from induce.data.schema import Schema
from induce.data.table import Table
from induce.hypotheses.conflict_resolution import probabilities
from induce.hypotheses.exporting import OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.classifier import Classifier, Places
from induce.hypotheses.kinds.predictor import Predictor
from induce.hypotheses.kinds.regressor import Regressor
from induce.hypotheses.naming import plural, value_text
from induce.neural.network import Network
from induce.neural.record import TrainingRecord

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from polars import DataFrame

    from induce.hypotheses.expressions.nodes import Expression
    from induce.neural.explanation import NetworkExplanation
    from induce.neural.surface import ErrorSurface
    from induce.neural.unit_rules import UnitRule

ROWS, CELLS = 20_000, 2**20
"""Maximum number of rows, and of values that a link reads from them, processed at a time."""
MOST_WRITTEN = 3_000
"""Maximum number of weights for export to SQL or Python."""
COURSES = ("errors", "outputs", "codes", "paths")
PICTURES = ("diagram", "weights", "brightness", "regions", "surface", *COURSES)


@dataclass(frozen=True, eq=False)
class TrainedNetwork(Predictor):
    """A network with the columns that it reads.

    A missing number is replaced by the mean of the training rows; a missing or unseen category by the relative
    frequencies of the categories in training.

    Parameters
    ----------
    schema : Schema
    target : str
    view : NumericView
        Conversion of rows to inputs.
    network : Network
    record : TrainingRecord
        Training record.
    """

    pictures: ClassVar[tuple[str, ...]] = PICTURES

    schema: Schema
    target: str
    view: NumericView
    network: Network
    record: TrainingRecord

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        self.network.check()
        self.record.check()
        if self.view.schema != self.schema.inputs():
            raise InputError("the inputs of the network are not the columns; train it again")
        if self.network.n_inputs != len(self.view.mean):
            raise InputError("the network does not have one input per column; train it again")

    def rows(self, X: Any) -> Floats:
        """Return rows of a frame, an array or an encoded table as inputs of the network."""
        return self.view.matrix(self.encoded(X))

    def outputs(self, X: Any) -> Floats:
        """Return the outputs of the network for each row."""
        found = [self.network(rows) for rows in self._in_parts(self.encoded(X))]
        return np.concatenate(found) if found else np.empty((0, self.network.n_outputs))

    def _in_parts(self, table: Table) -> Iterator[Floats]:
        """Yield the inputs in batches of rows."""
        n = max(1, min(ROWS, CELLS // max(1, self.network.n_inputs, self.network.plan.n_seen)))
        for start in range(0, len(table), n):
            part = slice(start, start + n)
            yield self.view.matrix(Table(table.schema, table.numeric[part], table.nominal[part]))

    def codes(self, X: Any, group: str | None = None) -> Floats:
        """Return the outputs of the hidden units for each row (Mitchell §4.6.4).

        Parameters
        ----------
        X : frame, array or encoded table
        group : str, optional
            Name of the group of units; the last hidden group by default.
        """
        return self.network.said(self.hidden() if group is None else group, self.rows(X))

    def hidden(self) -> str:
        """Return the name of the last group of hidden units."""
        names = [
            each.name
            for each in self.network.groups
            if each.unit != "input" and each.name not in self.network.outputs
        ]
        if not names:
            raise InputError("the network has no hidden units; learn it with hidden layers")
        return names[-1]

    def input_names(self) -> tuple[str, ...]:
        """Return the name of each input."""
        return self.view.quantities

    @abstractmethod
    def output_names(self) -> tuple[str, ...]:
        """Return the name of each output."""

    def weights(self) -> DataFrame:
        """Return all connections with unit, source, weight, and the weight per unscaled numeric column."""
        from induce.neural.text import weight_frame

        return weight_frame(self)

    def size(self) -> str:
        """Return the number of weights."""
        return plural(self.network.n_weights, "weight")

    def parts(self) -> Parts:
        """Return the number of weights."""
        return Parts(self.network.n_weights, "weights")

    def _picture(self) -> tuple[str, dict[str, Any]]:
        from induce.neural.text import layers_view

        found = layers_view(self)
        return super()._picture() if found is None else ("neural", found | {"text": str(self)})

    def __str__(self) -> str:
        from induce.neural.text import network_text

        return network_text(self)

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        if self.network.n_weights > MOST_WRITTEN:
            why = f"it has {self.network.n_weights:,} weights; to_onnx() and induce.save write networks of any size"
            lacking |= dict.fromkeys(("sql", "python"), why)
        elif any(
            each.unit == "softmax" for each in self.network.groups if each.name not in self.network.outputs
        ):
            lacking["sql"] = "it has softmax units in a hidden group"
        if len(self.record.snapshots) < 2 or not self._has_hidden():
            why = "it kept no weights of earlier epochs, or has no hidden units"
            lacking |= dict.fromkeys(("codes", "paths"), why)
        if sum(column.kind != "nominal" for column in self.view.schema) < 2:
            lacking["regions"] = "it reads fewer than two numeric columns"
        return lacking

    def _has_hidden(self) -> bool:
        return sum(each.unit != "input" for each in self.network.groups) > len(self.network.outputs)

    def draw(
        self, kind: str = "diagram", X: Any = None, y: Any = None, *, shape: tuple[int, int] | None = None
    ) -> Figure:
        """Draw the network.

        Parameters
        ----------
        kind : {"diagram", "weights", "brightness", "regions", "surface", "errors", "outputs", "codes", "paths"}
            Kind of plot: units and connections; weights as squares (Hinton) or as shades of grey; predictions over
            two columns; the error over two weights (Fig. 4.4); the training errors with the chosen epoch; or, over
            the epochs, the error of each output, the codes of the hidden units and the weights into them (Fig.
            4.8).
        X, y : table and target, optional
            Rows shown in the regions, rows whose codes are shown, or the examples of the error surface and of
            the output errors.
        shape : (int, int), optional
            Numbers of rows and columns of the input images, for ``"brightness"``.
        """
        from induce.neural import course_pictures, pictures

        one_of("kind", kind, PICTURES)
        if shape is not None and kind != "brightness":
            raise InputError(f"shape is used only by the plot 'brightness', not by {kind!r}; omit it")
        options = {} if shape is None else {"shape": shape}
        drawn = course_pictures if kind in COURSES else pictures
        return getattr(drawn, f"draw_{kind}")(self, X, y, **options)  # type: ignore[no-any-return]

    def error_surface(self, X: Any, y: Any, weights: tuple[int, int] | None = None) -> ErrorSurface:
        """Return the error over two weights on examples, with the training path.

        Parameters
        ----------
        X, y : table and target
        weights : (int, int), optional
            Indices of the two weights in `network.names()`; by default the two that changed most.
        """
        from induce.neural.surface import error_surface

        targets, loss = self.task(y)
        return error_surface(
            self.network, self.rows(X), targets, weights, loss=loss, path=self.record.snapshots
        )

    def unit_rules(self, X: Any) -> tuple[UnitRule, ...]:
        """Approximate each unit by the rule "at least m of n" that agrees with it on the most rows.

        A numeric input counts as true above its training mean, a hidden unit above the middle of its range.
        """
        from induce.neural.unit_rules import unit_rules

        return unit_rules(self, X)

    @abstractmethod
    def task(self, y: Any) -> tuple[Floats, str]:
        """Return the targets encoded for the outputs, and the loss."""

    def draw_diagram(self) -> Figure:
        """Draw units and connections."""
        return self.draw("diagram")

    def draw_weights(self) -> Figure:
        """Draw the weights as squares: white is positive, black negative, the area is the magnitude (Fig. 4.10)."""
        return self.draw("weights")

    def draw_brightness(self) -> Figure:
        """Draw the weights as shades of grey: white is positive, black negative (Fig. 4.10)."""
        return self.draw("brightness")

    def draw_surface(self, X: Any, y: Any) -> Figure:
        """Draw the error over the two weights that changed most in training (Fig. 4.4)."""
        return self.draw("surface", X, y)

    def draw_errors(self) -> Figure:
        """Draw the training and validation errors, marking the chosen epoch (Fig. 4.9)."""
        return self.draw("errors")

    def draw_regions(self, X: Any = None, y: Any = None) -> Figure:
        """Draw the predictions over the two columns that affect the output most (Fig. 4.5)."""
        return self.draw("regions", X, y)

    def draw_outputs(self, X: Any, y: Any) -> Figure:
        """Draw the squared error of each output over the epochs (Fig. 4.8)."""
        return self.draw("outputs", X, y)

    def draw_paths(self) -> Figure:
        """Draw the weights into each hidden unit over the epochs (Fig. 4.8)."""
        return self.draw("paths")

    def draw_codes(self, X: Any = None) -> Figure:
        """Draw the codes of the hidden units over the epochs (Fig. 4.8)."""
        return self.draw("codes", X)


@dataclass(frozen=True, eq=False)
class NeuralNetwork(SqlForm, PythonForm, OnnxForm, TrainedNetwork, Regressor):
    """A network that predicts one or more numbers (Mitchell §4.5).

    Parameters
    ----------
    schema, target, view, network, record
        Fields of `TrainedNetwork`.
    names : tuple of str
        Target names, one per output.
    offset, scale : array of float64
        Scale and offset that convert an output to the units of its target.

    See Also
    --------
    TrainedNetwork : the other parameters.
    """

    names: tuple[str, ...]
    offset: Floats
    scale: Floats

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent."""
        super().check()
        n = self.network.n_outputs
        if len(self.names) != n or not self.offset.shape == self.scale.shape == (n,):
            raise InputError("the network does not have one output per target; train it again")

    def _numbers(self, table: Table) -> Floats:
        found = self.outputs(table) * self.scale + self.offset
        return found[:, 0] if len(self.names) == 1 else found

    def targets(self) -> tuple[str, ...]:
        """Return the names of the target columns."""
        return self.names

    def output_names(self) -> tuple[str, ...]:
        """Return the name of each output."""
        return self.names

    def expression(self) -> Expression:
        """Return the computation as an expression, layer by layer."""
        from induce.neural.expression import number_expression

        return number_expression(self)

    def to_sql(self, table: str = "data", key: str | None = None) -> str:
        """Return a query with a column "prediction", or "prediction_y0" and so on for several targets.

        Parameters
        ----------
        table : str
            Name of the table.
        key : str, optional
            Key column returned with the predictions, instead of all columns.
        """
        if len(self.names) == 1:
            return super().to_sql(table, key)
        from induce.hypotheses.writers.sql import sql_queries
        from induce.neural.expression import number_expression

        parts = {
            f"prediction_{name}": number_expression(self, place) for place, name in enumerate(self.names)
        }
        return sql_queries(parts, table, key)

    def explain(self, X: Any) -> tuple[NetworkExplanation, ...]:
        """Return the effect of each column on the prediction for each row."""
        from induce.neural.explanation import explained

        table = self.encoded(X)
        said = self.predict(table)
        first = said if said.ndim == 1 else said[:, 0]
        return explained(self, table, said.tolist(), first, np.zeros(len(said), np.intp))

    def task(self, y: Any) -> tuple[Floats, str]:
        """Return the targets encoded for the outputs, and the loss."""
        numbers = np.asarray(y, np.float64)
        numbers = numbers[:, np.newaxis] if numbers.ndim == 1 else numbers
        return (numbers - self.offset) / np.where(self.scale == 0.0, 1.0, self.scale), "squared"

    def judged(self, outputs: Floats, output: int) -> Floats:
        """Return the explained value of an output: the predicted number."""
        return np.asarray(outputs[:, output] * self.scale[output] + self.offset[output])


@dataclass(frozen=True, eq=False)
class NeuralClassNetwork(SqlForm, PythonForm, OnnxForm, TrainedNetwork, Classifier):
    """A network that predicts classes: one output per class, or one for two classes (Mitchell §4.7, AIMA §18.7).

    The class with the largest output is predicted; ties go to the class declared first. With a single output,
    the second class is predicted if the output exceeds the midpoint of the two targets.

    Parameters
    ----------
    schema, target, view, network, record
        Fields of `TrainedNetwork`.
    classes : tuple
        Classes in the order of the outputs.
    low, high : float
        Target outputs for other classes and for the unit's own class, such as 0.1 and 0.9.

    See Also
    --------
    TrainedNetwork : the other parameters.
    """

    classes: tuple[Value, ...]
    low: float
    high: float

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent."""
        super().check()
        n = self.network.n_outputs
        if n != len(self.classes) and not (n == 1 and len(self.classes) == 2):
            raise InputError("the network needs one output per class, or one output for two classes")
        if not self.low < self.high:
            raise InputError("the lower target of the network is not below the higher; train it again")

    @property
    def is_single(self) -> bool:
        """Whether a single output separates two classes."""
        return len(self.classes) == 2 and self.network.n_outputs == 1

    def output_names(self) -> tuple[str, ...]:
        """Return the name of each output."""
        names = tuple(value_text(value) for value in self.classes)
        return names[1:] if self.is_single else names

    def _scores(self, table: Table) -> Floats:
        return self.in_scores(self.outputs(table))

    def places(self, X: Any) -> Places:
        """Return the index in `classes` of the predicted class of each row.

        Large inputs are first passed through the network in single precision; rows in which rounding might
        change the class are recomputed in double precision.
        """
        from induce.neural.single_precision import LEAST_WORK, SinglePrecision, decided_places

        table = self.encoded(X)
        work = len(table) * self.network.n_weights
        if work < LEAST_WORK or not SinglePrecision.fits(self.network):
            return super().places(table)
        single: SinglePrecision | None = SinglePrecision(self.network)
        found = []
        for rows in self._in_parts(table):
            if single is None:
                found.append(self._decided(self.in_scores(self.network(rows))))
                continue
            places, n_open = decided_places(self.network, rows, single, self.in_scores, self._decided)
            found.append(places)
            if n_open > len(rows) / 4:
                single = None  # not worthwhile
        return np.concatenate(found)

    def in_scores(self, outputs: Floats) -> Floats:
        """Return a score for each class from the outputs."""
        if self.is_single:
            return np.column_stack([self.low + self.high - outputs[:, 0], outputs[:, 0]])
        return outputs

    def _shares(self, scores: Floats) -> Floats:
        """Return the probability of each class: outputs clipped to the range of the two targets and normalised."""
        shares = np.clip((scores - self.low) / (self.high - self.low), 0.0, 1.0)
        decided = self._decided(scores)
        rows = np.flatnonzero(~shares.any(axis=1))
        shares[rows, decided[rows]] = 1.0
        return probabilities(shares, decided)

    def confidence(self, X: Any) -> Floats:
        """Return the largest output minus the second largest for each row (Mitchell §4.7.2); near 0 is a tie.

        With a single output it is the difference between the scores of the two classes.
        """
        ordered = np.sort(self.in_scores(self.outputs(X)), axis=1)
        return np.asarray(ordered[:, -1] - ordered[:, -2] if ordered.shape[1] > 1 else ordered[:, -1])

    def contenders(self, X: Any, within: float = 0.0) -> list[tuple[Value, ...]]:
        """Return for each row all classes whose score is within `within` of the largest.

        More than one class is a tie: the network cannot separate them, and its confidence is 0.
        """
        scores = self.in_scores(self.outputs(X))
        near = scores >= scores.max(axis=1, keepdims=True) - within
        return [tuple(compress(self.classes, row)) for row in near.tolist()]

    def expression(self) -> Expression:
        """Return the computation as an expression, layer by layer, and the predicted class."""
        from induce.neural.expression import class_expression

        return class_expression(self)

    def explain(self, X: Any) -> tuple[NetworkExplanation, ...]:
        """Return the effect of each column on the probability of the predicted class, for each row."""
        from induce.neural.explanation import explained

        table = self.encoded(X)
        places = self.places(table)
        shares = self.predict_proba(table)[np.arange(len(places)), places]
        return explained(self, table, self.predict(table).tolist(), shares, places)

    def task(self, y: Any) -> tuple[Floats, str]:
        """Return the targets encoded for the outputs, and the loss."""
        listed = [str(value) for value in self.classes]
        odd = sorted({str(value) for value in y} - set(listed))
        if odd:
            raise InputError(
                f"y has the class {odd[0]!r}, which the network does not know; leave out its rows"
            )
        places = np.array([listed.index(str(value)) for value in y])
        every = np.where(places[:, np.newaxis] == np.arange(len(listed)), self.high, self.low)
        loss = "cross_entropy" if (self.low, self.high) == (0.0, 1.0) else "squared"
        return (every[:, 1:] if self.is_single else every), loss

    def judged(self, outputs: Floats, output: int) -> Floats:
        """Return the explained value of an output: the probability of its class."""
        return self._shares(self.in_scores(outputs))[:, output]
