"""Queries of a network: node probabilities, evidence probability and the most probable explanation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from induce.belief_networks.factors import Factors, Floats
from induce.belief_networks.inference.answers import Answer, Explanation, NumberAnswer
from induce.belief_networks.inference.evidence import Evidence
from induce.belief_networks.inference.junction_tree import Codes, JunctionTree
from induce.belief_networks.inference.mixed import components, conditional_normals, reduced, system
from induce.belief_networks.representation import Representation
from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.randomness import RandomState, generator
from induce.hypotheses.naming import threshold_text, value_text

EXACT = ("exact", "junction-tree", "elimination", "enumeration")
APPROXIMATE = ("likelihood-weighting", "rejection", "gibbs", "loopy")
CLOSE = 1e-12
"""Tolerance of the probabilities set by Jeffrey's rule."""
MOST_ROUNDS = 10_000

Given = Mapping[str, Any] | None


def query(
    network: Representation,
    targets: str | Sequence[str],
    given: Given,
    method: str,
    precision: float,
    random_state: RandomState,
) -> Answer | NumberAnswer:
    """Implement `BeliefNetwork.query`."""
    one_of("method", method, EXACT + APPROXIMATE)
    if not 0 < precision < 1:
        raise InputError(f"precision is {precision!r}; give a standard error between 0 and 1")
    names = [targets] if isinstance(targets, str) else list(targets)
    places = [network.graph.position(name) for name in names]
    if not places or len(set(places)) < len(places):
        raise InputError("the query names no node, or one of them twice; give each node once")
    evidence = Evidence.of(network, given)
    numeric = [k for k in places if network.schema.columns[k].kind == "numeric"]
    if numeric:
        if len(places) > 1:
            raise InputError(f"node {network.nodes[numeric[0]]!r} is numeric; query it alone")
        return number(network, places[0], evidence, method, precision, random_state)
    if method in APPROXIMATE:
        return _approximate(network, places, evidence, method, precision, random_state)
    columns = tuple(network.schema.columns[k] for k in places)
    return Answer(columns, joint(network, settled(network, evidence), places, method), method)


def joint(
    network: Representation, evidence: Evidence, places: Sequence[int], method: str = "exact"
) -> Floats:
    """Return the joint probabilities of nominal nodes, with one axis each."""
    tree = reduced(network, evidence, places).tree
    if method in ("exact", "junction-tree"):
        table, log = tree.joint(evidence.codes, places)
    else:
        table, log = _ask(tree.factors, evidence.codes, places, method), 0.0
    if log == -math.inf or not table.sum() > 0:
        raise impossible(network, evidence)
    return np.asarray(table / table.sum())


def _ask(factors: Factors, codes: Codes, places: Sequence[int], method: str) -> Floats:
    """Return the result of enumeration or elimination, also for observed targets."""
    from induce.belief_networks.inference.elimination import elimination_ask
    from induce.belief_networks.inference.enumeration import enumeration_ask

    if method == "enumeration":
        return enumeration_ask(factors, codes, places)
    whole = np.zeros(tuple(int(factors.sizes[k]) for k in places))
    part, _ = elimination_ask(factors, codes, [k for k in places if codes[k] < 0])
    whole[tuple(slice(None) if codes[k] < 0 else int(codes[k]) for k in places)] = part
    return whole


def _approximate(
    network: Representation,
    places: Sequence[int],
    evidence: Evidence,
    method: str,
    precision: float,
    random_state: RandomState,
) -> Answer:
    if evidence.beliefs:
        name = network.nodes[next(iter(evidence.beliefs))]
        raise InputError(f"the new probabilities of {name!r} need an exact method; omit method={method!r}")
    rng = generator(random_state)
    if method in ("likelihood-weighting", "rejection"):
        from induce.belief_networks.inference.sampling import sampled

        return sampled(network, evidence, places, method, precision, rng)
    tree = reduced(network, evidence, places).tree
    factors = tree.factors
    if method == "gibbs":
        from induce.belief_networks.inference.gibbs import gibbs_ask

        return gibbs_ask(network, factors, evidence, places, precision, rng)
    from induce.belief_networks.inference.loopy import loopy_ask

    if len(places) > 1:
        raise InputError("loopy propagation answers for one node at a time; query a single node")
    column, code = network.schema.columns[places[0]], int(evidence.codes[places[0]])
    if _found_impossible(tree, evidence):
        raise impossible(network, evidence)
    certain = np.eye(len(column.domain))[code]
    chances = certain if code >= 0 else loopy_ask(factors, evidence.codes, 1e-3 * precision)[places[0]]
    return Answer((column,), chances, method)


def _found_impossible(tree: JunctionTree, evidence: Evidence) -> bool:
    """Return whether the evidence is certainly impossible; False for networks too large for exact inference."""
    try:
        return float(tree.log_probability(evidence.codes[None, :])[0]) == -math.inf
    except InputError:
        return False


def number(
    network: Representation,
    place: int,
    evidence: Evidence,
    method: str = "exact",
    precision: float = 0.005,
    random_state: RandomState = None,
) -> NumberAnswer:
    """Return the distribution of a numeric node."""
    name, unit = network.nodes[place], network.schema.columns[place].counted
    if evidence.observed(place):
        return NumberAnswer(name, np.ones(1), evidence.numbers[[place]], np.zeros(1), unit=unit)
    if method == "likelihood-weighting":
        from induce.belief_networks.inference.sampling import sampled_number

        return sampled_number(network, evidence, place, precision, generator(random_state))
    if method not in ("exact", "junction-tree"):
        raise InputError(
            f"node {name!r} is numeric; use method='exact' or method='likelihood-weighting', not {method!r}"
        )
    evidence = settled(network, evidence)
    matter = network.graph.ancestors([*evidence.touched(), place])
    part = next(each for each in components(network, evidence, matter) if place in each.nodes)
    weights = joint(network, evidence, part.states).reshape(-1) if part.states else np.ones(1)
    if not part.states:
        log_probability(network, evidence)
    found = system(network, part, evidence)
    (means,), variances = conditional_normals(found, part, evidence.numbers[np.newaxis], place)
    kept = weights > 0
    return NumberAnswer(
        name, weights[kept], means[kept], np.sqrt(np.maximum(variances[kept], 0.0)), unit=unit
    )


def marginals(network: Representation, given: Given) -> dict[str, Answer | NumberAnswer]:
    """Implement `BeliefNetwork.marginals`."""
    evidence = settled(network, Evidence.of(network, given))
    tree = reduced(network, evidence, range(len(network.nodes))).tree
    found = tree.posteriors(evidence.codes[None, :])
    if found.log_probability[0] == -math.inf:
        raise impossible(network, evidence)
    answers: dict[str, Answer | NumberAnswer] = {}
    for place, column in enumerate(network.schema):
        if column.kind == "nominal":
            answers[column.name] = Answer((column,), found.of(place)[0])
        else:
            answers[column.name] = number(network, place, evidence)
    return answers


def log_probability(network: Representation, evidence: Evidence) -> float:
    """Return the log probability of the evidence, or the log density with numeric nodes."""
    if evidence.beliefs:
        name = network.nodes[next(iter(evidence.beliefs))]
        raise InputError(f"Jeffrey evidence on {name!r} has no probability; give observations or Virtual(…)")
    found = reduced(network, evidence, ())
    log = float(found.tree.log_probability(evidence.codes[None, :])[0]) + found.log_scale
    return log


def most_probable(network: Representation, given: Given) -> Explanation:
    """Implement `BeliefNetwork.most_probable`."""
    evidence = settled(network, Evidence.of(network, given))
    columns = network.schema.columns
    nominal = [k for k, column in enumerate(columns) if column.kind == "nominal"]
    found = reduced(network, evidence, nominal)
    open_numbers = set(np.flatnonzero(np.isnan(evidence.numbers)).tolist()) - {*nominal}
    if open_numbers:
        names = ", ".join(columns[k].name for k in sorted(open_numbers))
        note(f"the explanation is of nominal nodes; numeric ones are integrated out: {names}")
    states, logs = found.tree.most_probable(evidence.codes[None, :])
    if logs[0] == -math.inf:
        raise impossible(network, evidence)
    values = {columns[k].name: columns[k].domain[states[0, k]] for k in nominal if evidence.codes[k] < 0}
    probability = float(np.exp(logs[0] + found.log_scale))
    return Explanation(values, probability, float(np.exp(log_probability(network, evidence))))


def settled(network: Representation, evidence: Evidence) -> Evidence:
    """Convert Jeffrey evidence to equivalent virtual evidence.

    The likelihood of a value is the ratio of its new to its old probability. Several nodes affect each other, so they
    are adjusted in turn until all have their new probabilities (iterative proportional fitting).
    """
    if not evidence.beliefs:
        return evidence
    likelihoods = {place: np.ones(len(chances)) for place, chances in evidence.beliefs.items()}
    for _ in range(MOST_ROUNDS):
        change = 0.0
        for place, wanted in evidence.beliefs.items():
            now = joint(network, evidence.with_likelihoods(likelihoods), [place])
            if (wanted[now == 0] > 0).any():
                value = network.schema.columns[place].domain[int(((now == 0) & (wanted > 0)).argmax())]
                finding = f"{value_text(network.nodes[place])} = {value_text(value)}"
                raise InputError(
                    f"{finding} is impossible and cannot get a new probability; give it probability 0"
                )
            change = max(change, float(np.abs(now - wanted).max()))
            likelihoods[place] *= np.divide(wanted, now, out=np.zeros_like(wanted), where=now > 0)
        if change <= CLOSE:
            return evidence.with_likelihoods(likelihoods)
    names = ", ".join(network.nodes[place] for place in evidence.beliefs)
    raise InputError(f"the new probabilities of {names} contradict each other; change one of them")


def impossible(network: Representation, evidence: Evidence) -> InputError:
    """Return the error for evidence of probability 0, naming mutually exclusive findings."""
    for place in evidence.touched():
        fewer = evidence.without(place)
        if fewer.touched() and log_probability(network, fewer) == -math.inf:
            evidence = fewer
    names = [finding_text(network, evidence, place) for place in evidence.touched()]
    if len(names) < 2:
        return InputError(f"the evidence is impossible: {''.join(names)} has probability 0")
    return InputError(
        f"the evidence is impossible: {', '.join(names[:-1])} and {names[-1]} exclude each other"
    )


def finding_text(network: Representation, evidence: Evidence, place: int) -> str:
    """Return the evidence on a node as text."""
    column, name = network.schema.columns[place], value_text(network.nodes[place])
    if evidence.codes[place] >= 0:
        return f"{name} = {value_text(column.domain[evidence.codes[place]])}"
    if evidence.observed(place):
        return f"{name} = {threshold_text(float(evidence.numbers[place]), column.counted)}"
    chances = evidence.likelihoods.get(place, evidence.beliefs.get(place, np.empty(0)))
    said = " : ".join(f"{chance:.4g}" for chance in chances)
    values = " : ".join(map(value_text, column.domain))
    return f"{name} ({values} as {said})"
