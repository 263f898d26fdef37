"""Theory of networks: each predicts a concept from columns and from earlier concepts (Mitchell §12.4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.data.decoded_rows import decoded
from induce.data.table import Table, as_table
from induce.neural.hypothesis import NeuralClassNetwork, TrainedNetwork

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NetworkTheory:
    """Chain of networks: a column named after another network holds that network's output.

    The output of a network for two classes is the probability of the second class, that of a regression
    network its prediction. The last network predicts the target.

    Parameters
    ----------
    networks : mapping of str to TrainedNetwork
        Hypotheses of neural networks with one output, keyed by the concept that each predicts. Each network
        may read only columns and earlier concepts.

    Examples
    --------
    >>> from induce import NeuralNetworkRegressor
    >>> X = pl.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [1.0, 0.0, 1.0, 0.0]})
    >>> linear = NeuralNetworkRegressor(hidden=(), weight_decay=0)
    >>> double = linear.fit(X.select("a"), [0.0, 2.0, 4.0, 6.0]).hypothesis_
    >>> Y = pl.DataFrame({"double": [0.0, 2.0, 4.0, 6.0], "b": [1.0, 0.0, 1.0, 0.0]})
    >>> both = linear.fit(Y, [1.0, 2.0, 5.0, 6.0]).hypothesis_
    >>> theory = NetworkTheory({"double": double, "both": both})
    >>> theory.slopes(X[1:2]).select(pl.all().round(1)).to_dicts()
    [{'a': 2.0, 'b': 1.0}]
    """

    networks: Mapping[str, TrainedNetwork]

    def __post_init__(self) -> None:
        if not self.networks:
            raise InputError("a theory of networks is empty; give at least one network")
        for name, network in self.networks.items():
            if not isinstance(network, TrainedNetwork):
                raise InputError(f"the theory's {name!r} is not the hypothesis of a neural network; give one")
            if network.network.n_outputs != 1:
                raise InputError(
                    f"the theory's network for {name!r} has {network.network.n_outputs} outputs; give "
                    "a network with one"
                )

    def predicted(self, X: Any) -> Floats:
        """Return the output of the last network for each row."""
        return self.run(X)[0]

    def slopes(self, X: Any) -> pl.DataFrame:
        """Return, for each row, the derivative of the last network's output by each input: the input's relevance.

        A numeric column has its derivative in the column's units; a nominal one has a derivative for each
        value.
        """
        return pl.DataFrame(self.run(X)[1])

    def run(self, X: Any) -> tuple[Floats, dict[str, Floats]]:
        """Return the last network's output for each row, and its derivatives by input name."""
        table = X if isinstance(X, Table) else None
        said: dict[str, Floats] = {}
        slopes: dict[str, dict[str, Floats]] = {}
        for name, network in self.networks.items():
            rows = self._inputs(X if table is None else decoded(table), network, said)
            outputs, by_input = _said(network, rows)
            found: dict[str, Floats] = {}
            for column, slope in by_input.items():
                for below, inner in slopes.get(column, {column: None}).items():
                    part = slope if inner is None else slope * inner
                    found[below] = found[below] + part if below in found else part
            said[name], slopes[name] = outputs, found
        last = list(self.networks)[-1]
        return said[last], slopes[last]

    def _inputs(self, X: Any, network: TrainedNetwork, said: dict[str, Floats]) -> Table:
        wanted = [column.name for column in network.schema]
        concepts = [name for name in wanted if name in said]
        if not concepts:
            return as_table(X, network.schema)
        frame = X if isinstance(X, pl.DataFrame) else pl.DataFrame(X)
        lacking = [name for name in wanted if name not in said and name not in frame.columns]
        if lacking:
            raise InputError(
                f"the theory reads {lacking[0]!r}, which is neither a column nor a concept that an "
                "earlier network predicts; order the networks by dependence"
            )
        return as_table(
            pl.DataFrame(
                [pl.Series(name, said[name]) if name in said else frame.get_column(name) for name in wanted]
            ),
            network.schema,
        )


def _said(network: TrainedNetwork, table: Table) -> tuple[Floats, dict[str, Floats]]:
    """Return a network's output for each row, and its derivatives by input name, in the inputs' units."""
    rows = network.view.matrix(table)
    outputs, gradients = network.network(rows)[:, 0], network.network.input_gradients(rows)[:, 0]
    low, unit = 0.0, 1.0
    if isinstance(network, NeuralClassNetwork):
        low, unit = network.low, 1.0 / (network.high - network.low)
        outputs = (outputs - low) * unit
    else:
        unit = float(network.scale[0])  # type: ignore[attr-defined]
        outputs = network.offset[0] + outputs * unit  # type: ignore[attr-defined]
    widths = iter(network.view.scale)
    found, place = {}, 0
    for column in network.schema:
        if column.kind == "nominal":
            for value in column.domain:
                found[f"{column.name} = {value}"] = gradients[:, place] * unit
                place += 1
        else:
            found[column.name] = gradients[:, place] * unit / next(widths)
            place += 1
    return outputs, found
