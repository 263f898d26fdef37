"""Networks with numeric nodes: exact reduction to tables over their nominal parents.

Numeric nodes connected through unobserved nodes are jointly normal in each state of their nominal parents
(Lauritzen 1992). The density of the observed nodes is a table over these states; given a state, each
unobserved node is normal.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.conditionals.gaussian import GaussianConditional
from induce.belief_networks.factors import Factors, Floats
from induce.belief_networks.inference.evidence import Evidence
from induce.belief_networks.inference.junction_tree import MOST_ENTRIES, JunctionTree
from induce.belief_networks.representation import Representation
from induce.core.errors import InputError


class Component(NamedTuple):
    """Connected numeric nodes: their indices, parents first, and their open nominal parents."""

    nodes: tuple[int, ...]
    states: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Reduced:
    """A network with the evidence on its numeric nodes converted to tables.

    Parameters
    ----------
    tree : JunctionTree
        Junction tree over the network's nodes; numeric nodes have a single value in it.
    log_scale : float
        Term added to the log probabilities of the junction tree.
    """

    tree: JunctionTree
    log_scale: float


def reduced(network: Representation, evidence: Evidence, wanted: Iterable[int]) -> Reduced:
    """Return an equivalent network of tables for the given evidence.

    Raises
    ------
    InputError
        If a relevant logistic node has an unobserved numeric parent, so that there is no exact answer.
    """
    likelihoods = [(k,) for k in evidence.likelihoods], list(evidence.likelihoods.values())
    if network.is_nominal:
        if not evidence.likelihoods:
            return Reduced(network.tree, 0.0)
        return Reduced(JunctionTree(network.factors.joined(*likelihoods), network.graph.order), 0.0)
    matter = network.graph.ancestors([*evidence.touched(), *wanted])
    columns = network.schema.columns
    sizes = [len(column.domain) if column.kind == "nominal" else 1 for column in columns]
    scopes: list[tuple[int, ...]] = []
    tables: list[Floats] = []
    for node in range(len(columns)):
        if columns[node].kind == "numeric" or node not in matter:
            scopes.append((node,))
            tables.append(np.ones(sizes[node]))
            continue
        scopes.append((*(k for k in network.parents[node] if columns[k].kind == "nominal"), node))
        tables.append(_table(network, node, sizes, evidence))
    factors = Factors.of(sizes, [*scopes, *likelihoods[0]], [*tables, *likelihoods[1]])
    log_scale = 0.0
    for part in components(network, evidence, matter):
        if any(evidence.observed(node) for node in part.nodes):
            logs = log_densities(system(network, part, evidence), part, evidence.numbers[np.newaxis])[0]
            top = max(float(logs.max()), -1e300)
            log_scale += top
            shape = [sizes[k] for k in part.states]
            factors = factors.joined([part.states], [np.exp(logs - top).reshape(shape)])
    return Reduced(JunctionTree(factors, network.graph.order), log_scale)


def _table(network: Representation, node: int, sizes: list[int], evidence: Evidence) -> Floats:
    """Return the table of a nominal node at the observed values of its numeric parents."""
    parents, columns = network.parents[node], network.schema.columns
    numeric = [k for k in parents if columns[k].kind == "numeric"]
    if not numeric:
        return network.conditionals[node].table([sizes[k] for k in parents])
    unknown = next((k for k in numeric if not evidence.observed(k)), None)
    if unknown is not None:
        raise InputError(
            f"there is no exact answer: {columns[node].name!r} depends on the numeric node "
            f"{columns[unknown].name!r}, which is not observed; observe it, or use "
            "method='likelihood-weighting'"
        )
    states = [k for k in parents if k not in numeric]
    shape = [*(sizes[k] for k in states), sizes[node]]
    codes = dict(zip([*states, node], np.indices(shape).reshape(len(shape), -1), strict=True))
    n = math.prod(shape)
    above = [codes[k] if k in codes else np.full(n, evidence.numbers[k]) for k in parents]
    return np.exp(network.conditionals[node].log_probability(codes[node], above)).reshape(shape)


def components(network: Representation, evidence: Evidence, matter: set[int]) -> list[Component]:
    """Return the relevant numeric nodes, in components connected through unobserved nodes."""
    columns = network.schema.columns
    numeric = [k for k in network.graph.order if columns[k].kind == "numeric" and k in matter]
    leader = {node: node for node in numeric}

    def top(node: int) -> int:
        while leader[node] != node:
            node = leader[node]
        return node

    # Union-find of connected nodes; an observed parent separates its children and joins nothing.
    for node in numeric:
        for parent in network.parents[node]:
            if parent in leader and not evidence.observed(parent):
                leader[top(node)] = top(parent)
    parts: dict[int, list[int]] = {}
    for node in numeric:
        parts.setdefault(top(node), []).append(node)
    return [Component(tuple(nodes), _states(network, nodes, evidence)) for nodes in parts.values()]


def _states(network: Representation, nodes: list[int], evidence: Evidence) -> tuple[int, ...]:
    columns = network.schema.columns
    above = dict.fromkeys(k for node in nodes for k in network.parents[node] if columns[k].kind == "nominal")
    return tuple(k for k in above if not evidence.observed(k))


class System(NamedTuple):
    """The numeric nodes of a component as x = b + W x + noise, in each state of their nominal parents.

    Parameters
    ----------
    intercepts : array of float64, shape (states, nodes)
        b without the contributions of observed parents.
    through : array of float64, shape (states, nodes, nodes)
        (I - W)⁻¹: the effect of a change of b in one node on all nodes.
    covariances : array of float64, shape (states, nodes, nodes)
    added : tuple of (int, int, array of float64)
        Triples of a node's index in the component, an observed parent, and the parent's weight in each state.
    """

    intercepts: Floats
    through: Floats
    covariances: Floats
    added: tuple[tuple[int, int, Floats], ...]

    def means(self, numbers: Floats) -> Floats:
        """Return the means of the nodes for rows of observed values, shape (rows, states, nodes)."""
        b = np.repeat(self.intercepts[np.newaxis], len(numbers), axis=0)
        for i, parent, weights in self.added:
            b[:, :, i] += weights * numbers[:, parent, np.newaxis]
        return np.asarray(np.einsum("sij,rsj->rsi", self.through, b))


def system(network: Representation, part: Component, evidence: Evidence) -> System:
    """Return the linear system of a component in each state of its open nominal parents.

    The mean is (I - W)⁻¹ b and the covariance (I - W)⁻¹ V (I - W)⁻ᵀ.
    """
    sizes = [len(network.schema.columns[k].domain) for k in part.states]
    n, k = math.prod(sizes), len(part.nodes)
    if n * k * k > MOST_ENTRIES:
        raise InputError(
            f"an exact answer needs {n:,} states of the parents of {k} numeric nodes, which exceeds "
            "memory; use method='likelihood-weighting'"
        )
    codes = dict(zip(part.states, np.indices(sizes).reshape(len(sizes), n), strict=True))
    place = {node: i for i, node in enumerate(part.nodes)}
    b, weights, noise = np.zeros((n, k)), np.zeros((n, k, k)), np.zeros((n, k))
    added = []
    for node, i in place.items():
        conditional = network.conditionals[node]
        assert isinstance(conditional, GaussianConditional)
        parents = network.parents[node]
        nominal = [each for each in parents if network.schema.columns[each].kind == "nominal"]
        state = tuple(codes[each] if each in codes else int(evidence.codes[each]) for each in nominal)
        b[:, i] = conditional.intercepts[state]
        noise[:, i] = conditional.variances[state]
        own = np.broadcast_to(conditional.weights[state], (n, len(parents) - len(nominal)))
        for j, parent in enumerate(each for each in parents if each not in nominal):
            if evidence.observed(parent):
                added.append((i, parent, own[:, j]))
            else:
                weights[:, i, place[parent]] = own[:, j]
    through = np.asarray(np.linalg.inv(np.eye(k) - weights), np.float64)
    return System(b, through, np.einsum("sij,sj,skj->sik", through, noise, through), tuple(added))


def log_densities(found: System, part: Component, numbers: Floats) -> Floats:
    """Return the log density of a component's observed values in rows with the same pattern, by (rows, states)."""
    seen = _seen(part, numbers)
    shape = found.covariances[:, seen][:, :, seen]
    with np.errstate(over="ignore", invalid="ignore"):  # density 0 for extreme values
        gaps = numbers[:, np.newaxis, list(part.nodes)][:, :, seen] - found.means(numbers)[:, :, seen]
        squares = np.einsum("rsi,rsi->rs", gaps, np.linalg.solve(shape, gaps[..., None])[..., 0])
        logs = -0.5 * (squares + np.linalg.slogdet(shape)[1] + seen.sum() * math.log(2 * math.pi))
    return np.where(np.isnan(logs), -math.inf, logs)


def conditional_normals(found: System, part: Component, numbers: Floats, node: int) -> tuple[Floats, Floats]:
    """Return the conditional means of a numeric node by (rows, states), and its variances by state."""
    means, covariances = found.means(numbers), found.covariances
    seen, i = _seen(part, numbers), part.nodes.index(node)
    if not seen.any():
        return means[:, :, i], covariances[:, i, i]
    # The conditional of a normal distribution: mean + S_is S_ss^-1 gap, variance S_ii - S_is S_ss^-1 S_si.
    gaps = numbers[:, np.newaxis, list(part.nodes)][:, :, seen] - means[:, :, seen]
    across = covariances[:, i][:, seen]
    gain = np.linalg.solve(covariances[:, seen][:, :, seen], across[..., None])[..., 0]
    return means[:, :, i] + (gain * gaps).sum(axis=2), covariances[:, i, i] - (gain * across).sum(axis=1)


def _seen(part: Component, numbers: Floats) -> NDArray[np.bool_]:
    return ~np.isnan(numbers[0, list(part.nodes)])
