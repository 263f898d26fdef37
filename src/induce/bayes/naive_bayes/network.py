"""Naive Bayes as a belief network: the class is the only parent of every column (Mitchell, exercise 6.6)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from induce.bayes.naive_bayes.nominal import IntervalColumn, NominalColumn
from induce.bayes.naive_bayes.numeric import NormalColumn
from induce.belief_networks.conditionals.base import Conditional
from induce.belief_networks.conditionals.gaussian import GaussianConditional
from induce.belief_networks.conditionals.table import ConditionalTable
from induce.belief_networks.network import BeliefNetwork
from induce.core.errors import InputError
from induce.data.schema import Column, Schema

if TYPE_CHECKING:
    from induce.bayes.naive_bayes.column import ColumnModel
    from induce.bayes.naive_bayes.hypothesis import NaiveBayesModel


def to_network(model: NaiveBayesModel) -> BeliefNetwork:
    """Return the belief network that is equivalent to naive Bayes; its first node is the class.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> network = induce.NaiveBayes(alpha=0).fit(X, y).to_network()
    >>> round(network.query("Wind", {"PlayTennis": "Yes"})["Strong"], 4)
    0.3333
    """
    names = [model.target, *(each.column.name for each in model.columns)]
    if len(set(names)) < len(names):
        raise InputError(f"the class and a column are both called {model.target!r}; give y another name")
    nodes = [Column(model.target, "nominal", model.classes)]
    parents: list[tuple[int, ...]] = [()]
    conditionals: list[Conditional] = [ConditionalTable(np.asarray(model.priors, np.float64))]
    for each in model.columns:
        if each.column.kind == "nominal" and not each.column.domain:
            continue
        nodes.append(replace(each.column, role="input"))
        parents.append((0,))
        conditionals.append(_conditional(each))
    return BeliefNetwork(Schema(tuple(nodes)), tuple(parents), tuple(conditionals))


def _conditional(model: ColumnModel) -> Conditional:
    name = model.column.name
    if getattr(model, "as_values", False):
        raise InputError(
            f"missing is a separate value of {name!r}, which network nodes do not support; learn with "
            "unknown='ignore'"
        )
    if isinstance(model, NominalColumn) and not isinstance(model, IntervalColumn):
        return ConditionalTable(np.ascontiguousarray(model.probabilities.T))
    if isinstance(model, NormalColumn):
        means, variances = model.spread
        return GaussianConditional(
            np.array(means, np.float64), np.empty((len(means), 0)), np.array(variances, np.float64)
        )
    raise InputError(
        f"column {name!r} is neither a table of values nor normal, so it cannot be a node; learn with "
        "numeric='normal' and without text"
    )
