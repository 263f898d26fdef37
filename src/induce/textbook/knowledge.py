"""Mitchell, chapter 12: combining inductive and analytical learning."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import polars as pl

from induce.data.catalogue import dataset
from induce.data.numeric_view import NumericView
from induce.data.table import encode
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.knowledge.encoding import Encoding, smallest_weight, verify_encoding
from induce.knowledge.learners.kbann import KBANN
from induce.knowledge.studies.extraction import extract_rules, read_rules
from induce.textbook.result import Outcome, Result
from induce.trees.learners.id3 import ID3

CUP = """
cup :- stable, liftable, open_vessel.
stable :- bottom_is_flat.
liftable :- graspable, light.
graspable :- has_handle.
open_vessel :- has_concavity, concavity_points_up.
"""


def _encoding(weight: float = 4.0) -> Encoding:
    data = dataset("cup")
    schema = data.schema.inputs()
    theory = ExpertRules(schema, CUP)
    return Encoding(theory, NumericView.of(encode(data.X, schema)), ("cup",), weight)


def _theory() -> Outcome:
    data = dataset("cup")
    holds = _encoding().theory.holds(data.X)
    right = holds == (data.y == "yes").to_numpy()
    missed = [str(place + 1) for place in np.flatnonzero(~right[:4])]
    return Outcome(
        f"{int(right.sum())} of 10 right; misses the cups {' and '.join(missed)}",
        int(right.sum()) == 6 and missed == ["2", "3"],
    )


def _network() -> Outcome:
    encoding = _encoding()
    said = encoding.network(encoding.view.matrix(dataset("cup").X)).ravel()
    agrees = bool(np.array_equal(said > 0.5, encoding.theory.holds(dataset("cup").X)))
    return Outcome(
        f"agrees with the theory on all examples; first cup {said[0]:.4f}",
        agrees and round(float(said[0]), 4) == 0.5819,
        f"the smallest weight that encodes the theory is {smallest_weight(encoding):.3f}",
    )


def refined() -> KBANN:
    """Return the network of the Cup theory after 30 epochs on its ten examples."""
    data = dataset("cup")
    settings: dict[str, Any] = {
        "loss": "squared",
        "targets": (0.0, 1.0),
        "solver": "gradient",
        "batch_size": "all",
        "tol": 0.0,
    }
    return KBANN(
        knowledge=CUP,
        weight=4.0,
        extra="all_inputs",
        weight_decay=0.0,
        learning_rate=3.0,
        max_epochs=30,
        **settings,
    ).fit(data.X, data.y)


def _refined() -> Outcome:
    data, learner = dataset("cup"), refined()
    right = int((learner.predict(data.X) == data.y.to_numpy()).sum())
    into = learner.hypothesis_.network.get(("inputs", "layer 2"))[:, 0]
    weights = dict(zip(learner.hypothesis_.view.names, into, strict=True))
    new = {name: weight for name, weight in weights.items() if name.endswith("yes") and "Light" not in name}
    most, least = max(new, key=new.__getitem__), min(new, key=new.__getitem__)
    return Outcome(
        f"{right} of 10 right; the largest weight for liftable is that of {most}, the smallest that of "
        f"{least}",
        (right, most, least) == (10, "MadeOfStyrofoam = yes", "HandleOnTop = yes"),
    )


ALL_ROWS = tuple(product(("no", "yes"), repeat=5))
USED = ("BottomIsFlat", "ConcavityPointsUp", "HasConcavity", "HasHandle", "Light")


def _combinations() -> pl.DataFrame:
    """Return all rows of the five attributes that the theory uses."""
    columns = dataset("cup").X.columns
    rows = [{**dict.fromkeys(columns, "no"), **dict(zip(USED, row, strict=True))} for row in ALL_ROWS]
    return pl.DataFrame(rows).select(columns)


def _verified() -> Outcome:
    right, wrong = (verify_encoding(_encoding(weight), _combinations()) for weight in (4.0, 3.0))
    return Outcome(
        f"W = 4: {len(right.wrong)} of 32 rows differ; W = 3: {len(wrong.wrong)}; the smallest safe W is "
        f"{right.smallest_weight:.3f}",
        right.is_right and not wrong.is_right and round(right.smallest_weight, 3) == 3.599,
    )


def _extracted() -> Outcome:
    data = dataset("cup")
    settings: dict[str, Any] = {"weight": 4.0, "weight_decay": 1e9, "extra": "none"}
    hypothesis = KBANN(knowledge=CUP, **settings).fit(data.X, data.y).hypothesis_
    rows = hypothesis.encoded(_combinations())
    given = {frozenset(map(str, rule.body)) for rule in hypothesis.theory.clauses}
    same = all(
        {frozenset(map(str, rule.body)) for rule in read_rules(hypothesis, rows, method).theory.clauses}
        == given
        for method in ("subset", "m-of-n")
    )
    tree = extract_rules(hypothesis, rows, method="tree", tree=ID3(), n_drawn=0, test=(rows, None))
    return Outcome(
        f"SUBSET and M-of-N give {'the' if same else 'other than the'} five clauses; tree of "
        f"{tree.hypothesis.size()}, fidelity {tree.fidelity.share:g}",
        same and tree.hypothesis.size() == "11 nodes, 6 leaves, depth 5" and tree.fidelity.share == 1.0,
    )


def _wave() -> Outcome:
    from induce.knowledge.learners.tangent_prop_regressor import TangentPropRegressor
    from induce.neural.learners.neural_network_regressor import NeuralNetworkRegressor

    X, grid = np.array([[0.5], [3.1], [5.8]]), np.linspace(0.5, 5.8, 50)[:, np.newaxis]
    settings: dict[str, Any] = {"hidden": 8, "weight_decay": 1e-4}
    plain = NeuralNetworkRegressor(**settings).fit(X, np.sin(X[:, 0]))
    guided = TangentPropRegressor(**settings).fit(X, np.sin(X[:, 0]), slopes=np.cos(X))
    wrong = [float(np.abs(each.predict(grid) - np.sin(grid[:, 0])).mean()) for each in (plain, guided)]
    return Outcome(
        f"mean error {wrong[0]:.1f} from values alone, {wrong[1]:.1f} with slopes", wrong[1] < 0.5 * wrong[0]
    )


def _slopes() -> Outcome:
    from induce.knowledge.learners.ebnn import EBNN, explanation_weights

    data = dataset("cup")
    learner = EBNN(knowledge=CUP, max_epochs=20).fit(data.X, data.y)
    told = [round(slope, 5) for slope in learner.relevance(data.X[:1]).row(0) if abs(slope) > 1e-12]
    weights = explanation_weights(np.array([0.0, 0.1, 0.3, 0.6]), 0.6).round(4).tolist()
    return Outcome(
        f"{', '.join(map(str, told))}, the others 0; weights {', '.join(f'{one:g}' for one in weights)}",
        told == [0.40872, 0.40872, 0.40872, 0.24025, 0.57206] and weights == [1.0, 0.8333, 0.5, 0.0],
        "the network of the rules with W = 4, inputs 0 and 1",
    )


def _suggestions(clause: str = "", pruning: str | None = "improve") -> dict[str, tuple[int, int, float]]:
    """Return the candidates of FOCL on the Cup examples, with their coverage and gain."""
    import re

    from induce.knowledge.learners.relational_focl import RelationalFOCL
    from induce.logic.background.relations import Relations
    from induce.relational.studies.foil_candidates import foil_candidates

    data = dataset("cup")
    facts = [
        f"{re.sub('(?<!^)(?=[A-Z])', '_', name).lower()}(o{row})."
        for name in data.X.columns
        for row, value in enumerate(data.X[name])
        if value == "yes"
    ]
    rules = re.sub(r"\b([a-z_]+)\b", r"\1(X)", CUP)
    learner = RelationalFOCL(
        Relations(program=" ".join(facts)),
        "cup",
        knowledge=rules,
        operators=("target",),
        theory_pruning=pruning,
    )
    rows = [[f"o{row}"] for row in range(len(data.X))]
    found = foil_candidates(learner, rows, data.y == "yes", clause or None)
    return {", ".join(map(str, one.literals)): (one.p1, one.n1, one.gain) for one in found}


SUGGESTED = "bottom_is_flat(A), light(A), has_concavity(A), concavity_points_up(A)"


def _focl_candidates() -> Outcome:
    found = _suggestions()
    best = max(found, key=lambda name: round(found[name][2], 9))
    said = ["has_handle(A)", "\\+ has_handle(A)", "fragile(A)", SUGGESTED]
    counts = [found[name][:2] for name in said]
    return Outcome(
        ", ".join(f"[{p}+, {n}-]" for p, n in counts) + f"; taken: {best}",
        counts == [(2, 3), (2, 3), (2, 4), (4, 2)] and best == SUGGESTED,
        f"Foil_Gain of the theory's candidate {found[SUGGESTED][2]:.4f}, of the next "
        f"{found['concavity_points_up(A)'][2]:.4f}",
    )


def _focl_rule() -> Outcome:
    from induce.knowledge.learners.focl import FOCL

    data = dataset("cup")
    (rule,) = FOCL(knowledge=CUP).fit(data.X, data.y).hypothesis_.rules
    names = [condition.attribute for condition in rule.conditions]
    return Outcome(
        str(rule),
        names == ["BottomIsFlat", "Light", "HasConcavity", "ConcavityPointsUp", "HandleOnTop"]
        and rule.covered == rule.correct == 4,
    )


def _focl_pruning() -> Outcome:
    found = _suggestions(pruning="not_worse")
    shorter = "light(A), concavity_points_up(A)"
    return Outcome(
        f"dropped unless accuracy falls: {shorter} [{found[shorter][0]}+, {found[shorter][1]}-]",
        found[shorter][:2] == (4, 2) and SUGGESTED in _suggestions(),
    )


def _exercise_12_6() -> Outcome:
    p, n, gain = _suggestions("cup(A) :- \\+ has_handle(A).")[SUGGESTED]
    return Outcome(
        f"cup(A) :- \\+ has_handle(A), {SUGGESTED} [{p}+, {n}-], gain {gain:.4f}",
        (p, n, round(gain, 4)) == (2, 0, 2.6439),
    )


def _criterion() -> Outcome:
    from induce.knowledge.criterion import combined_criterion, instances
    from induce.knowledge.learners.focl import FOCL

    data = dataset("cup")
    theory = _encoding().theory
    rows = instances(theory.schema, encode(data.X, theory.schema))
    rules = FOCL(knowledge=CUP).fit(data.X, data.y).hypothesis_
    cups = (data.y == "yes").to_numpy()
    by_theory = theory.holds(rows)
    ours = combined_criterion(rules.predict(data.X) == "yes", cups, rules.predict(rows) == "yes", by_theory)
    given = combined_criterion(theory.holds(data.X), cups, by_theory, by_theory)
    least = given.error_on_data / ours.error_on_theory
    return Outcome(
        f"FOCL's rule {ours.error_on_data:g} and {ours.error_on_theory:g}, the theory "
        f"{given.error_on_data:g} and {given.error_on_theory:g}; the theory is better only if its "
        f"weight exceeds {least:g} times the other weight",
        (ours.error_on_theory, given.error_on_data, round(least, 9)) == (0.03125, 0.4, 12.8),
    )


RESULTS = (
    Result(
        "mitchell-12.3-theory",
        "Mitchell, section 12.3.2, table 12.3",
        "the examples that the Cup theory misclassifies",
        "it fails on the second and third examples",
        _theory,
    ),
    Result(
        "mitchell-12.2-network",
        "Mitchell, section 12.3.2, figure 12.2",
        "the network built from the theory, with W = 4",
        "[it classifies every instance as the theory does]",
        _network,
    ),
    Result(
        "mitchell-12.3-refined",
        "Mitchell, section 12.3.2, figure 12.3",
        "the network after training on the ten examples",
        "all examples right; styrofoam supports liftable, a handle on top opposes it",
        _refined,
    ),
    Result(
        "mitchell-12.2-verified",
        "Mitchell, section 12.3.1, table 12.2",
        "weights with which the Cup network computes the theory",
        "[W = 4 is right on all rows, W = 3 is not; the minimum is 3.5985]",
        _verified,
    ),
    Result(
        "mitchell-12.3-extracted",
        "Mitchell, section 12.3.3",
        "rules read from the untrained Cup network",
        "[the five clauses; a tree of 11 nodes, depth 5]",
        _extracted,
    ),
    Result(
        "mitchell-12.2.1-criterion",
        "Mitchell, section 12.2.1",
        "errors on the examples and against the theory, for FOCL's Cup rule and for the theory itself",
        "[0 and 1/32; 0.4 and 0]",
        _criterion,
    ),
    Result(
        "mitchell-12.4-tangents",
        "Mitchell, section 12.4, figure 12.5",
        "a wave learned from three points, with and without slopes",
        "[with slopes the network follows the wave]",
        _wave,
    ),
    Result(
        "mitchell-12.7-slopes",
        "Mitchell, section 12.4.4, figure 12.7",
        "derivatives that explain the first cup, and the weight of the explanation",
        "[only what the theory uses matters; 1 - |A - f| / c]",
        _slopes,
    ),
    Result(
        "mitchell-12.8-candidates",
        "Mitchell, section 12.5.1, figure 12.8",
        "coverage of HasHandle, not HasHandle, Fragile and the condition of the theory",
        "[2+, 3-], [2+, 3-], [2+, 4-], [4+, 2-]; the last is taken",
        _focl_candidates,
    ),
    Result(
        "mitchell-12.8-rule",
        "Mitchell, section 12.5.1, figure 12.8",
        "the rule that FOCL learns for Cup",
        "BottomIsFlat, Light, HasConcavity, ConcavityPointsUp, not HandleOnTop [4+, 0-]",
        _focl_rule,
    ),
    Result(
        "mitchell-12.5-pruning",
        "Mitchell, section 12.5.1",
        "literals pruned from the condition of the theory",
        "a literal is removed unless its removal reduces accuracy; HasHandle is removed",
        _focl_pruning,
        "taken literally, pruning continues to Light and ConcavityPointsUp; the figure requires that "
        "a literal is removed only if accuracy rises, which is the default",
    ),
    Result(
        "mitchell-exercise-12.6-suggestion",
        "Mitchell, exercise 12.6",
        "literals that the theory adds after Cup <- not HasHandle",
        "[not HasHandle, BottomIsFlat, Light, HasConcavity, ConcavityPointsUp: 2+, 0-]",
        _exercise_12_6,
    ),
)
