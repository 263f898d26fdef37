"""Batch inference on the rows of tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from induce.belief_networks.conditionals.base import Values
from induce.belief_networks.factors import Floats
from induce.belief_networks.inference.evidence import Evidence
from induce.belief_networks.inference.junction_tree import Codes
from induce.belief_networks.inference.mixed_rows import mixed_posteriors
from induce.belief_networks.inference.questions import joint, log_probability, number
from induce.belief_networks.representation import Representation
from induce.core.errors import InputError
from induce.core.notes import note
from induce.data.decoded_rows import frame_of
from induce.data.frames import RawFrame, raw_frame
from induce.data.names import listed
from induce.data.schema import Schema
from induce.data.table import UNSEEN, encoded_columns
from induce.hypotheses.naming import plural, value_text


def evidence_rows(
    network: Representation, X: Any, schema: Schema | None = None, tell: bool = True
) -> tuple[Codes, Floats]:
    """Encode the rows of a table as evidence: codes of nominal nodes, numbers of numeric ones.

    Nodes without a column are unobserved. A value outside a node's domain is ignored, with a note if `tell`.
    Array columns are in the order of `schema`, by default all nodes.
    """
    raw = X if isinstance(X, RawFrame) else raw_frame(X)
    schema = network.schema if schema is None else schema
    if raw.named:
        present = {column.name for column in raw.columns}
        extra = sorted(present.difference(network.nodes))
        if extra:
            note(f"the network has no nodes for {listed(extra)}; these columns are ignored")
        schema = Schema(tuple(column for column in schema if column.name in present))
    codes = np.full((raw.n_rows, len(network.nodes)), -1, np.int32)
    numbers = np.full((raw.n_rows, len(network.nodes)), np.nan)
    for column, cells in zip(schema, encoded_columns(raw, schema), strict=True):
        place = network.graph.position(column.name)
        if column.kind == "numeric":
            numbers[:, place] = cells
            continue
        if tell and (cells == UNSEEN).any():
            n = int((cells == UNSEEN).sum())
            note(
                f"{plural(n, 'row')} with a value of {column.name!r} outside the node's domain; taken "
                "as missing"
            )
        codes[:, place] = np.maximum(cells, -1)
    return codes, numbers


def query_rows(network: Representation, X: Any, targets: str | Sequence[str] | None) -> Any:
    """Implement `BeliefNetwork.query_rows`."""
    import polars as pl

    codes, numbers = evidence_rows(network, X)
    names = network.nodes if targets is None else [targets] if isinstance(targets, str) else targets
    places = [network.graph.position(name) for name in names]
    columns = []
    for place, found in zip(places, posteriors(network, codes, numbers, places), strict=True):
        column = network.schema.columns[place]
        name = value_text(column.name)
        heads = [f"{name} = {value_text(value)}" for value in column.domain] or [f"{name} mean", f"{name} sd"]
        columns += [pl.Series(head, cells).fill_nan(None) for head, cells in zip(heads, found.T, strict=True)]
    return pl.DataFrame(columns)


def posteriors(network: Representation, codes: Codes, numbers: Floats, places: Sequence[int]) -> list[Floats]:
    """Return the posterior probabilities of the given nodes for each row (mean and standard deviation for
    numeric nodes); NaN in an impossible row.
    """
    if network.is_nominal:
        wanted = np.isin(np.arange(codes.shape[1]), places)
        found = network.tree.posteriors(codes, wanted)
        _tell_impossible(found.log_probability)
        return [found.of(place) for place in places]
    if len(places) == 1 and network.schema.columns[places[0]].kind == "nominal":
        return [_one_target(network, codes, numbers, places[0])]
    return _open(network, codes, numbers, places)


def _open(network: Representation, codes: Codes, numbers: Floats, places: Sequence[int]) -> list[Floats]:
    """Infer rows with several unobserved nodes, in blocks where possible."""
    found = mixed_posteriors(network, codes, numbers, places)
    return [_one_by_one(network, codes, numbers, place) for place in places] if found is None else found


def _one_target(network: Representation, codes: Codes, numbers: Floats, place: int) -> Floats:
    """Return the probabilities of a nominal node; if all other nodes are observed, they follow from the joint
    density.
    """
    known = np.isfinite(numbers) | (codes >= 0)
    whole = known.sum(axis=1) == codes.shape[1] - 1
    whole &= ~known[:, place]
    size = len(network.schema.columns[place].domain)
    answers = np.empty((len(codes), size))
    if whole.any():
        logs = np.empty((int(whole.sum()), size))
        completed = codes[whole]
        for value in range(size):
            completed[:, place] = value
            logs[:, value] = _log_joint(network, completed, numbers[whole])
        top = logs.max(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            shares = np.exp(logs - top)
            answers[whole] = shares / shares.sum(axis=1, keepdims=True)
    if not whole.all():
        (answers[~whole],) = _open(network, codes[~whole], numbers[~whole], [place])
    return answers


def _one_by_one(network: Representation, codes: Codes, numbers: Floats, place: int) -> Floats:
    column = network.schema.columns[place]
    answers = np.full((len(codes), len(column.domain) or 2), np.nan)
    for row in range(len(codes)):
        evidence = Evidence(codes[row], numbers[row])
        if log_probability(network, evidence) == -math.inf:
            continue
        if column.kind == "nominal":
            answers[row] = joint(network, evidence, [place])
        else:
            answer = number(network, place, evidence)
            answers[row] = answer.mean, answer.sd
    return answers


def _log_joint(network: Representation, codes: Codes, numbers: Floats) -> Floats:
    """Return the log probability or density of rows in which every node is observed."""
    values: list[Values] = [
        numbers[:, k] if column.kind == "numeric" else codes[:, k] for k, column in enumerate(network.schema)
    ]
    total = np.zeros(len(codes))
    for node, conditional in enumerate(network.conditionals):
        total += conditional.log_probability(values[node], [values[k] for k in network.parents[node]])
    return total


def log_probabilities(network: Representation, X: Any) -> Floats:
    """Implement `BeliefNetwork.score_samples`."""
    codes, numbers = evidence_rows(network, X)
    whole = (np.isfinite(numbers) | (codes >= 0)).all(axis=1)
    logs = np.empty(len(codes))
    logs[whole] = _log_joint(network, codes[whole], numbers[whole])
    if network.is_nominal:
        tree = network.tree
        logs[~whole] = tree.log_probability(codes[~whole])
    else:
        for row in np.flatnonzero(~whole):
            logs[row] = log_probability(network, Evidence(codes[row], numbers[row]))
    return logs


def most_probable_rows(network: Representation, X: Any) -> Any:
    """Implement `BeliefNetwork.most_probable_rows`."""
    if not network.is_nominal:
        name = next(column.name for column in network.schema if column.kind == "numeric")
        raise InputError(f"node {name!r} is numeric; most probable values need a network of nominal nodes")
    codes, _ = evidence_rows(network, X)
    states, logs = network.tree.most_probable(codes)
    _tell_impossible(logs)
    states[np.isinf(logs)] = codes[np.isinf(logs)]
    return frame_of(network.schema, list(states.T))


def _tell_impossible(logs: Floats) -> None:
    impossible = np.isinf(logs)
    if impossible.any():
        first = int(impossible.argmax()) + 1
        note(
            f"{plural(int(impossible.sum()), 'impossible row')}, the first of them row {first}; no "
            "values are filled in"
        )
