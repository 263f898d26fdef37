"""Mitchell, chapter 12: combining inductive and analytical learning."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.data.catalogue import dataset
from induce.data.numeric_view import NumericView
from induce.data.table import encode
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.knowledge.encoding import Encoding, smallest_weight
from induce.knowledge.learners.kbann import KBANN
from induce.textbook.result import Outcome, Result

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
        f"says what the theory says of all examples; the first cup {said[0]:.4f}",
        agrees and round(float(said[0]), 4) == 0.5819,
        f"the smallest weight that encodes the theory is {smallest_weight(encoding):.3f}",
    )


def _refined() -> Outcome:
    data = dataset("cup")
    settings: dict[str, Any] = {
        "loss": "squared",
        "targets": (0.0, 1.0),
        "solver": "gradient",
        "batch_size": "all",
        "tol": 0.0,
    }
    learner = KBANN(
        knowledge=CUP,
        weight=4.0,
        extra="all_inputs",
        weight_decay=0.0,
        learning_rate=3.0,
        max_epochs=30,
        **settings,
    ).fit(data.X, data.y)
    right = int((learner.predict(data.X) == data.y.to_numpy()).sum())
    into = learner.hypothesis_.network.get(("inputs", "layer 2"))[:, 0]
    weights = dict(zip(learner.hypothesis_.view.names, into, strict=True))
    new = {name: weight for name, weight in weights.items() if name.endswith("yes") and "Light" not in name}
    most, least = max(new, key=new.__getitem__), min(new, key=new.__getitem__)
    return Outcome(
        f"{right} of 10 right; for liftable {most} speaks most, {least} least",
        (right, most, least) == (10, "MadeOfStyrofoam = yes", "HandleOnTop = yes"),
    )


RESULTS = (
    Result(
        "mitchell-12.3-theory",
        "Mitchell, section 12.3.2, table 12.3",
        "the examples that the Cup theory gets wrong",
        "it fails on the second and third examples",
        _theory,
    ),
    Result(
        "mitchell-12.2-network",
        "Mitchell, section 12.3.2, figure 12.2",
        "the network that the theory becomes, with W = 4",
        "[it classifies every instance as the theory does]",
        _network,
    ),
    Result(
        "mitchell-12.3-refined",
        "Mitchell, section 12.3.2, figure 12.3",
        "the network after training on the ten examples",
        "all examples right; styrofoam speaks for liftable, a handle on top against it",
        _refined,
    ),
)
