"""Orange's CN2, run by the Python that has Orange3."""

from typing import Any

import numpy as np
from Orange.classification import rules
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from serving import Given, serve


class Orange:
    """`CN2Learner` and `CN2UnorderedLearner` with their defaults."""

    def prepared(self, given: Given) -> Any:
        columns = [
            ContinuousVariable(name) if domain is None else DiscreteVariable(name, tuple(domain))
            for name, domain in zip(given.names, given.domains, strict=True)
        ]
        target = DiscreteVariable("class of the row", tuple(given.classes))
        return Table.from_numpy(Domain(columns, target), given.X, np.maximum(given.y, 0))

    def learned(self, name: str, table: Any) -> Any:
        np.random.seed(0)  # ties between classes are broken at random
        return getattr(rules, name)()(table)

    def predicted(self, model: Any, table: Any) -> Any:
        return model(table)

    def size(self, model: Any) -> tuple[int, int]:
        lengths = [rule.length for rule in model.rule_list if rule.length]
        return len(lengths), sum(lengths)


serve(Orange())
