"""Rule extraction from trained networks: SUBSET, M-of-N, and a tree grown by queries (Mitchell §12.3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.core.values import plain
from induce.data.table import Table
from induce.hypotheses.expert_rules.classifier import ExpertClassifier
from induce.hypotheses.expert_rules.marks import is_prolog
from induce.hypotheses.expert_rules.rules import ExpertRule
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.expert_rules.writing import written
from induce.knowledge.hypothesis import KnowledgeNetwork
from induce.knowledge.refinement import Reader
from induce.knowledge.unit_reading import UnitReader, evaluated
from induce.neural.hypothesis import NeuralClassNetwork
from induce.statistics.interval import Interval
from induce.statistics.intervals import clopper_pearson

METHODS = ("m-of-n", "subset", "tree")
FEWEST_ROWS = 9
"""Minimum number of rows for holding some out."""
DRAWN = 10
"""Number of rows drawn per given row."""
LEAST_DRAWN, MOST_DRAWN = 1_000, 5_000
LEAST_LEAF = 0.02
"""Minimum fraction of the rows in a leaf of the tree."""
SWEEPS = 5


@dataclass(frozen=True)
class Agreement:
    """Fraction of rows, with a confidence interval.

    Parameters
    ----------
    right, n : int
        Number of rows that agree, and number of all rows.
    """

    right: int
    n: int

    @property
    def share(self) -> float:
        """Fraction of the rows that agree; NaN without rows."""
        return self.right / self.n if self.n else float("nan")

    @property
    def interval(self) -> Interval:
        """95% confidence interval of the fraction (Clopper-Pearson)."""
        return clopper_pearson(self.right, self.n)

    def __str__(self) -> str:
        found = self.interval
        return f"{self.share:.2f} [{found.low:.2f}, {found.high:.2f}]"


@dataclass(frozen=True)
class Extraction:
    """Rules or a tree extracted from a network, and how well they agree with it on held-out rows.

    Parameters
    ----------
    method : str
        Method of the extraction.
    hypothesis : ExpertClassifier or Tree
        Extracted rules or tree.
    fidelity : Agreement
        Agreement of the hypothesis with the network's predictions.
    accuracy, network_accuracy : Agreement or None
        Agreement of each with the classes; None without classes.
    held_out : bool
        Whether the rows were held out from the extraction.
    """

    method: str
    hypothesis: Any
    fidelity: Agreement
    accuracy: Agreement | None
    network_accuracy: Agreement | None
    held_out: bool

    def __str__(self) -> str:
        rows = "held out" if self.held_out else "from which they were read"
        lines = [
            str(self.hypothesis),
            f"{self.method}: {self.hypothesis.size()}",
            f"fidelity {self.fidelity} on {self.fidelity.n} rows {rows}, 95% interval (Clopper-Pearson)",
        ]
        if self.accuracy is not None and self.network_accuracy is not None:
            lines.append(f"accuracy {self.accuracy}, of the network {self.network_accuracy}")
        return "\n".join(lines)


def extract_rules(
    network: Any,
    X: Any,
    y: Any = None,
    *,
    method: str = "m-of-n",
    test: tuple[Any, Any] | None = None,
    tree: Any = None,
    n_drawn: int | None = None,
    random_state: RandomState = 0,
) -> Extraction:
    """Extract rules or a tree from a trained classification network, and measure how well they agree with it.

    ``"m-of-n"`` reads each unit as an "at least m of n" rule over its inputs, then adjusts m and drops
    conditions as long as agreement with the network does not fall. ``"subset"`` reads each unit as all
    minimal conjunctions of its strongest inputs that activate it. ``"tree"`` grows a tree on the network's
    predictions for the given rows and for drawn ones. The rules of a network initialised from a theory use
    its concepts.

    Parameters
    ----------
    network : fitted NeuralNetworkClassifier or KBANN, or its hypothesis
        Network to read.
    X, y : table and target
        Rows on which the network is queried; classes, if known, give the accuracy.
    method : {"m-of-n", "subset", "tree"}
        Method of the extraction.
    test : (X, y), optional
        Rows on which the result is evaluated; by default a third of the rows is held out. y may be None.
    tree : learner, optional
        Learner of the tree; `C45` by default.
    n_drawn : int, optional
        Number of rows drawn near the given ones, on which the network is queried as well; by default ten per
        row, from 1,000 to 5,000.
    random_state : int, Generator or None
        Random seed of the held-out and drawn rows.

    References
    ----------
    G. G. Towell and J. W. Shavlik (1993). Extracting refined rules from knowledge-based neural networks. Machine
    Learning 13, 71-101. M. W. Craven and J. W. Shavlik (1996). Extracting tree-structured representations of trained
    networks. NIPS 8, 24-30.

    Examples
    --------
    >>> import induce
    >>> X = [[a, b] for a in (0, 1) for b in (0, 1)] * 10
    >>> y = ["yes" if a and b else "no" for a, b in X]
    >>> learner = induce.NeuralNetworkClassifier(hidden=()).fit(X, y)
    >>> print(extract_rules(learner, X, y).hypothesis)
    IF x0 > 0.5 AND x1 > 0.5 THEN yes
    class: yes if yes, else no
    """
    one_of("method", method, METHODS)
    hypothesis = getattr(network, "hypothesis_", network)
    if not isinstance(hypothesis, NeuralClassNetwork):
        raise InputError(
            "extract_rules reads networks that predict classes; give a fitted NeuralNetworkClassifier or KBANN"
        )
    table = hypothesis.encoded(X)
    if not len(table):
        raise InputError("extract_rules needs rows on which to query the network; give at least one")
    labels = None if y is None else np.array([plain(value) for value in y], dtype=object)
    if labels is not None and len(labels) != len(table):
        raise InputError(f"there are {len(table)} rows and {len(labels)} classes; give one class per row")
    rng = generator(random_state)
    if test is not None:
        judged, truth = hypothesis.encoded(test[0]), test[1]
        truth = None if truth is None else np.array([plain(value) for value in truth], dtype=object)
    else:
        order = rng.permutation(len(table))
        third = len(table) // 3 if len(table) >= FEWEST_ROWS else 0
        held, kept = (order[:third], order[third:]) if third else (order, order)
        judged, truth = _rows(table, held), None if labels is None else labels[held]
        table, labels = _rows(table, np.sort(kept)), None if labels is None else labels[np.sort(kept)]
    n = n_drawn if n_drawn is not None else min(MOST_DRAWN, max(LEAST_DRAWN, DRAWN * len(table)))
    if method == "tree":
        found: Any = grown(hypothesis, table, tree, n, rng)
    else:
        asked = _rows(
            table, np.resize(np.arange(len(table)), max(n, len(table)))
        )  # given and drawn rows have the same total weight
        found = read_rules(hypothesis, _joined(asked, drawn_rows(table, n, rng)), method)
    said, network_said = found.predict(_frame(judged)), hypothesis.predict(judged)
    return Extraction(
        method,
        found,
        _agreement(said, network_said),
        None if truth is None else _agreement(said, truth),
        None if truth is None else _agreement(network_said, truth),
        test is not None or len(judged) != len(table),
    )


def read_rules(hypothesis: NeuralClassNetwork, table: Table, method: str = "m-of-n") -> ExpertClassifier:
    """Return the rules of all units on which the outputs depend."""
    if len(
        [group for group in hypothesis.network.groups if group.name in hypothesis.network.outputs]
    ) != 1 or any(group.unit == "linear" for group in hypothesis.network.groups):
        raise InputError(
            f"the network is a committee or has linear units, which {method!r} cannot read; use method='tree'"
        )
    reader = UnitReader(hypothesis, table)
    if method == "subset":
        units = reader.units()
        rules = [rule for group, place, _ in units for rule in reader.subset(group, place)]
    elif isinstance(hypothesis, KnowledgeNetwork):
        theory = Reader(hypothesis, table, None)
        rules = [theory.learned(unit)[0] for unit in hypothesis.encoding.units if unit.antecedents]
    else:
        rules = [reader.m_of_n(group, place) for group, place, _ in reader.units()]
    outputs = reader.units()[-hypothesis.network.n_outputs :]
    heads = [name for _, _, name in outputs]
    if method == "m-of-n":
        rules = adjusted(rules, heads, reader)
    return as_classifier(hypothesis, rules, heads, table)


def as_classifier(
    hypothesis: NeuralClassNetwork, rules: Sequence[ExpertRule], heads: Sequence[str], table: Table
) -> ExpertClassifier:
    """Return rules as a hypothesis that predicts as the network does where they agree."""
    kept = folded(without_constants(list(rules), heads), heads)
    concepts = ("", *heads) if hypothesis.is_single else tuple(heads)
    known = {rule.head for rule in kept}
    concepts = tuple(each if each in known else "" for each in concepts)
    if hypothesis.is_single:
        default = hypothesis.classes[0]
    else:  # where no rule holds: the most frequent prediction of the network
        default = hypothesis.classes[int(np.bincount(hypothesis.places(table)).argmax())]
    given = getattr(hypothesis, "theory", None)
    said = [concept for concept in concepts if concept]
    text = "\n".join(map(str, kept)) or "IF TRUE THEN nothing"
    columns = given.columns if given is not None else ()
    theory = ExpertRules(hypothesis.schema, text, said[-1] if len(said) == 1 else "", columns)
    if given is not None and is_prolog(given.text):
        theory = replace(theory, text=written(given, theory.clauses))
    found = ExpertClassifier(
        hypothesis.schema, hypothesis.target, hypothesis.classes, theory, concepts, default
    )
    return found.counted(table, hypothesis.places(table))


def adjusted(rules: list[ExpertRule], heads: Sequence[str], reader: UnitReader) -> list[ExpertRule]:
    """Adjust each "at least m" and drop conditions, as long as the rules' agreement with the network does not fall.

    Unit outputs are neither 0 nor 1, so rules that are each faithful to their unit need not be faithful
    together.
    """
    n = len(reader.table)
    truths = {
        one.of: reader.truth(one.of) for rule in rules for one in rule.body if not isinstance(one.of, str)
    }
    outputs = [reader.on[head] for head in heads]

    def agreement(tried: list[ExpertRule]) -> int:
        held = evaluated(tried, truths, n)
        return sum(int((held[head] == on).sum()) for head, on in zip(heads, outputs, strict=True))

    best, found = agreement(rules), list(rules)
    for _ in range(SWEEPS):
        before = best, sum(len(rule.body) for rule in found)
        for place in reversed(range(len(found))):
            for other in _neighbours(found[place]):
                tried = [*found[:place], other, *found[place + 1 :]]
                now = agreement(tried)
                shorter = len(other.body) < len(found[place].body)
                if now > best or (now == best and shorter):
                    best, found = now, tried
                    break
        if (best, sum(len(rule.body) for rule in found)) == before:
            break
    return found


def _neighbours(rule: ExpertRule) -> list[ExpertRule]:
    """Return the sets of rules that differ in one step: another m, or one condition fewer."""
    m, n = rule.at_least, len(rule.body)
    found = [replace(rule, at_least=each) for each in (m - 1, m + 1) if 1 <= each <= n]
    for gone in range(n):
        body = rule.body[:gone] + rule.body[gone + 1 :]
        found += [replace(rule, body=body, at_least=each) for each in (m - 1, m) if 1 <= each <= len(body)]
    return found


def without_constants(rules: list[ExpertRule], heads: Sequence[str]) -> list[ExpertRule]:
    """Drop concepts that always or never hold, and rules on which no output depends."""
    concluded = {rule.head for rule in rules}
    # a unit that is never on has no rule
    known = {
        one.of: False
        for rule in rules
        for one in rule.body
        if isinstance(one.of, str) and one.of not in concluded
    }
    for _ in range(len(rules) + 1):
        found = []
        for rule in rules:
            body, needed = [], rule.at_least
            for one in rule.body:
                if isinstance(one.of, str) and one.of in known:
                    needed -= known[one.of] != one.negated
                else:
                    body.append(one)
            found.append(ExpertRule(rule.head, tuple(body), needed))
        settled = dict(known)
        for head in {rule.head for rule in found}:
            own = [rule for rule in found if rule.head == head]
            if any(rule.at_least <= 0 for rule in own):
                settled[head] = True
            elif all(rule.at_least > len(rule.body) for rule in own):
                settled[head] = False
        rules = found
        if settled == known:
            break
        known = settled
    rules = [rule for rule in rules if rule.head not in known and rule.at_least <= len(rule.body)]
    always = [ExpertRule(head, (), 0) for head in heads if known.get(head)]
    used, open_ = set(), list(heads)
    while open_:
        head = open_.pop()
        if head not in used:
            used.add(head)
            open_ += [
                one.of for rule in rules if rule.head == head for one in rule.body if isinstance(one.of, str)
            ]
    return [rule for rule in rules if rule.head in used] + always


def folded(rules: list[ExpertRule], heads: Sequence[str]) -> list[ExpertRule]:
    """Give rules of units named "concept by rule k" the concept as head if it is a disjunction of them."""
    by_head: dict[str, list[ExpertRule]] = {}
    for rule in rules:
        by_head.setdefault(rule.head, []).append(rule)
    users = [one.of for rule in rules for one in rule.body if isinstance(one.of, str)]
    renamed: dict[str, str] = {}
    for rule in rules:
        parts = [one.of for one in rule.body if isinstance(one.of, str) and not one.negated]
        chooses = rule.at_least == 1 and len(parts) == len(rule.body) and len(by_head[rule.head]) == 1
        if chooses and all(
            part.startswith(f"{rule.head} by rule ") and users.count(part) == 1 for part in parts
        ):
            renamed |= dict.fromkeys(parts, rule.head)
    gone = set(renamed.values())
    found = []
    for rule in rules:
        if rule.head in renamed:
            found.append(replace(rule, head=renamed[rule.head]))
        elif rule.head not in gone:
            found.append(rule)
    # a theory is read from the top down
    order = {head: place for place, head in enumerate(heads)}
    found.reverse()
    return sorted(found, key=lambda rule: order.get(rule.head, len(order)))


def grown(
    hypothesis: NeuralClassNetwork, table: Table, tree: Any, n_drawn: int, rng: np.random.Generator
) -> Any:
    """Grow a tree on a network's predictions for rows and for others drawn near them, with the same total weight."""
    from induce.trees.learners.c45 import C45

    leaf = max(2.0, LEAST_LEAF * (len(table) + n_drawn))
    learner = C45(min_samples_leaf=leaf) if tree is None else deepcopy(tree)
    every = _joined(table, drawn_rows(table, n_drawn, rng))
    said = hypothesis.predict(every)
    weights = np.ones(len(every))
    if n_drawn:
        weights[len(table) :] = len(table) / n_drawn
    return learner.fit(_frame(every), said, sample_weight=weights).hypothesis_


def drawn_rows(table: Table, n: int, rng: np.random.Generator) -> Table:
    """Draw rows near given ones: about half the cells copied from one row, the others drawn by column."""
    rows = rng.integers(0, len(table), n)
    numeric, nominal = table.numeric[rows].copy(), table.nominal[rows].copy()
    for cells, given in ((numeric, table.numeric), (nominal, table.nominal)):
        for column in range(given.shape[1]):
            other = rng.random(n) < 0.5
            cells[other, column] = given[rng.integers(0, len(table), n), column][other]
    return Table(table.schema, numeric, nominal)


def _joined(one: Table, other: Table) -> Table:
    return Table(
        one.schema, np.concatenate([one.numeric, other.numeric]), np.concatenate([one.nominal, other.nominal])
    )


def _frame(table: Table) -> Any:
    """Return an encoded table as a frame."""
    from induce.data.decoded_rows import decoded

    return decoded(table)


def _rows(table: Table, rows: Any) -> Table:
    return Table(table.schema, table.numeric[rows], table.nominal[rows])


def _agreement(one: Any, other: Any) -> Agreement:
    same = [plain(a) == plain(b) for a, b in zip(one, other, strict=True)]
    return Agreement(int(sum(same)), len(same))
